"""Checks of weighted-sampling on shapes: rows after the second pass, their limit, and the ratios of Appendix A."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise, product

from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import Row, discrete_rows, least_entries
from dpcert.proofs.check import Finding, first
from dpcert.proofs.checks.evidence import within
from dpcert.proofs.checks.frequencies import RATIOS, integral_delta, rows_grid

__all__ = ["WEIGHTED_SHAPES"]

ZERO = Fraction(0)
ONE = Fraction(1)
DELTAS = tuple(Fraction(1, n) for n in (1, 2, 3, 5, 10, 100, 1000))


def pws_second_pass() -> Finding:
    """The second pass stops at i where at most delta is left; else pi_ii = delta, and E pi_(i-1,j) above its stop."""

    def witnesses() -> Iterator[str]:
        for where, ratio, delta, _, rows in rows_grid(4):
            for i, (a, b) in enumerate(pairwise(rows), 1):
                least = [*least_entries(a, 1 - b[0], ratio, delta), ZERO]
                left = 1 - b[0] - sum(least)
                raised = [j for j in range(1, i + 1) if b[j] > least[j - 1]]
                stop = min(raised, default=i)
                whole = b[i] == delta and all(b[j] == ratio * a[j] for j in range(stop + 1, i))
                if (stop != i or b[i] != left) if left <= delta else not whole:
                    yield f"{where}, i = {i}"

    return first(witnesses())


def pws_cells_collapse() -> Finding:
    """Cells cut in two, each half with half of the mass, are as close as the cells, in both directions."""

    def halved(row: Row) -> Dist:
        return Dist.of([(0, row[0]), *(((j, half), mass / 2) for j, mass in enumerate(row[1:]) for half in (0, 1))])

    def excess(p: Dist, q: Dist, ratio: Fraction) -> Fraction:
        return sum((max(mass - ratio * q.prob(outcome), ZERO) for outcome, mass in p.items()), ZERO)

    return first(
        f"{where}, i = {i}"
        for where, ratio, delta, _, rows in rows_grid(5, 4)
        for i, (a, b) in enumerate(pairwise(rows), 1)
        for one, other in ((a, b), (b, a))
        if excess(halved(one), halved(other), ratio)
        != excess(Dist.of(enumerate(one)), Dist.of(enumerate(other)), ratio)
        or not within([halved(a), halved(b)], Epsilon.ln(ratio), delta)
    )


def pws_geometric_limit() -> Finding:
    """For q = 1, integral L, i > 2L: row i is geometric noise Z given |Z| <= L, within 2 E^-L / (E + 1) of Z."""

    def witnesses() -> Iterator[str]:
        for ratio in RATIOS:
            for length in range(1, 6):
                imax = 2 * length + 2
                row = discrete_rows(q=[ONE] * imax, ratio=ratio, delta=integral_delta(ratio, length))[imax]
                noise = {z: (ratio - 1) / (ratio + 1) / ratio ** abs(z) for z in range(-length, length + 1)}
                inside = sum(noise.values())
                values = [row[imax - length + z] for z in noise]
                outside = 2 / (ratio + 1) / ratio**length
                distance = sum(max(p - q, ZERO) for p, q in zip(values, noise.values(), strict=True))
                if values != [p / inside for p in noise.values()] or not 1 - inside == outside == distance:
                    yield f"e^epsilon = {ratio}, L = {length}"

    return first(witnesses())


def _ppswor(r: Fraction) -> Callable[[int], Fraction]:
    return lambda i: Fraction(1 - r**i)


def _rates() -> Iterator[tuple[str, Callable[[int], Fraction]]]:
    for r in (Fraction(1, 3), Fraction(9, 10), Fraction(99, 100)):
        yield f"q_i = 1 - ({r})^i", _ppswor(r)


def pws_ratio_condition() -> Finding:
    """From pi_i = q_i > 0: q_(i+1) is within (16) iff the ratio is <= E; it is above 1 iff q grows by over delta."""

    def witnesses() -> Iterator[str]:
        for (where, q), ratio, delta in product(_rates(), RATIOS, DELTAS):
            for i in range(1, 20):
                rho = (q(i + 1) - delta) / q(i)
                if (q(i + 1) <= ratio * q(i) + delta) != (rho <= ratio) or (rho > 1) != (q(i + 1) - q(i) > delta):
                    yield f"{where}, e^epsilon = {ratio}, delta = {delta}, i = {i}"

    return first(witnesses())


def pws_ratios_fall() -> Finding:
    """For ppswor, (q_(i+1) - delta)/q_i falls where q grows by delta or more; (1 - q_i - delta)/(1 - q_(i+1)) falls."""

    def witnesses() -> Iterator[str]:
        for (where, q), delta in product(_rates(), (ZERO, *DELTAS)):
            for i in range(1, 20):
                up = [(q(k + 1) - delta) / q(k) for k in (i, i + 1)]
                down = [(1 - q(k) - delta) / (1 - q(k + 1)) for k in (i, i + 1)]
                if (q(i + 1) - q(i) >= delta and up[1] > up[0]) or down[1] > down[0]:
                    yield f"{where}, delta = {delta}, i = {i}"

    return first(witnesses())


def pws_priority_ratio_falls() -> Finding:
    """For q_i = tau i^p, p = 1, 2, 3, tau >= delta: ((i+1)^p - delta/tau)/i^p does not grow with i."""
    return first(
        f"p = {p}, delta/tau = {share}, i = {i}"
        for p in (1, 2, 3)
        for share in (ZERO, Fraction(1, 10), Fraction(1, 2), ONE)
        for i in range(1, 40)
        if ((i + 2) ** p - share) / (i + 1) ** p > ((i + 1) ** p - share) / i**p
    )


def pws_saturation() -> Finding:
    """phi_i > 1 - delta exactly where 2 delta^2 E^(i-1) > 1; phi_i < 1 for all i, and pi*_i = 1 from some i."""

    def witnesses() -> Iterator[str]:
        for ratio, delta in product(RATIOS, DELTAS):
            pi = reporting_probabilities(q=[ONE] * 60, ratio=ratio, delta=delta)
            for i in range(1, 61):
                grown = delta * ratio ** (i - 1)
                phi = 1 - 1 / (2 * grown) if grown >= 1 else grown / 2
                if (phi > 1 - delta) != (2 * delta * grown > 1) or phi >= 1 or pi[-1] != 1:
                    yield f"e^epsilon = {ratio}, delta = {delta}, i = {i}"

    return first(witnesses())


def pws_sample_first() -> Finding:
    """To sample and then sanitize reports no frequency less often than Algorithm 4 first and sampling by its values."""

    def witnesses() -> Iterator[str]:
        for ratio, delta, text in product(RATIOS, DELTAS[1:], ("1/10, 1/2, 1", "priority:1/8", "ppswor:1/10")):
            q = sampling_probabilities(text, 12)
            pi = reporting_probabilities(q=q, ratio=ratio, delta=delta)
            rows = discrete_rows(q=[ONE] * 12, ratio=ratio, delta=delta)
            last = [sum((p * r for p, r in zip(row[1:], q, strict=False)), ZERO) for row in rows[1:]]
            if any(x > y for x, y in zip(last, pi, strict=True)) or last == pi:
                yield f"e^epsilon = {ratio}, delta = {delta}, q = {text}"

    return first(witnesses())


WEIGHTED_SHAPES: dict[str, Callable[[], Finding]] = {
    "pws-cells-collapse": pws_cells_collapse,
    "pws-geometric-limit": pws_geometric_limit,
    "pws-priority-ratio-falls": pws_priority_ratio_falls,
    "pws-ratio-condition": pws_ratio_condition,
    "pws-ratios-fall": pws_ratios_fall,
    "pws-sample-first": pws_sample_first,
    "pws-saturation": pws_saturation,
    "pws-second-pass": pws_second_pass,
}
