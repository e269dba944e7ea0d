"""Checks of weighted-sampling on shapes: rows after the second pass, their limit, and the ratios of Appendix A."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product

from dpcert.mechanisms.adapters.balls import enclose
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import Row, discrete_rows
from dpcert.proofs.check import check
from dpcert.proofs.evidence import within
from dpcert.proofs.weighted_sampling.checks.frequencies import DELTAS as GRID_DELTAS
from dpcert.proofs.weighted_sampling.checks.frequencies import RATIOS, integral_delta, rows_grid

ZERO = Fraction(0)
ONE = Fraction(1)
DELTAS = (*(Fraction(1, n) for n in (1, 2, 3, 5, 10, 100, 1000)), Fraction(7, 10))


@check("pws-cells-collapse")
def pws_cells_collapse() -> Iterator[str]:
    """Cells cut in two, each half with half of the mass, are as close as the cells, in both directions."""

    def halved(row: Row) -> Dist:
        return Dist.of([(0, row[0]), *(((j, half), mass / 2) for j, mass in enumerate(row[1:]) for half in (0, 1))])

    def excess(p: Dist, q: Dist, ratio: Fraction) -> Fraction:
        return sum((max(mass - ratio * q.prob(outcome), ZERO) for outcome, mass in p.items()), ZERO)

    return (
        f"{where}, i = {i}"
        for where, ratio, delta, _, rows in rows_grid(5, 4)
        for i, (a, b) in enumerate(pairwise(rows), 1)
        for one, other in ((a, b), (b, a))
        if excess(halved(one), halved(other), ratio)
        != excess(Dist.of(enumerate(one)), Dist.of(enumerate(other)), ratio)
        or not within([halved(a), halved(b)], Epsilon.ln(ratio), delta)
    )


@check("pws-geometric-limit")
def pws_geometric_limit() -> Iterator[str]:
    """For q = 1, integral L, i > 2L: row i is geometric noise Z given |Z| <= L, within 2 E^-L / (E + 1) of Z."""
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


@check("pws-priority-ratio-falls")
def pws_priority_ratio_falls() -> Iterator[str]:
    """For q_i = tau i^p, p = 1, 2, 3, tau >= delta: ((i+1)^p - delta/tau)/i^p does not grow with i."""
    return (
        f"p = {p}, delta/tau = {share}, i = {i}"
        for p in (1, 2, 3)
        for share in (ZERO, Fraction(1, 10), Fraction(1, 2), ONE)
        for i in range(1, 40)
        if ((i + 2) ** p - share) / (i + 1) ** p > ((i + 1) ** p - share) / i**p
    )


@check("pws-saturation")
def pws_saturation() -> Iterator[str]:
    """phi_i > 1 - delta exactly where 2 delta^2 E^(i-1) > 1 for delta <= 1/2, delta E^(i-1) > 2 (1 - delta) beyond.

    phi_i < 1 for all i, and pi*_i = 1 from some i on, here by i = 60.
    """
    for ratio, delta in product(RATIOS, DELTAS):
        pi = reporting_probabilities(q=[ONE] * 60, ratio=ratio, delta=delta)
        for i in range(1, 61):
            grown = delta * ratio ** (i - 1)
            phi = 1 - 1 / (2 * grown) if grown >= 1 else grown / 2
            late = 2 * delta * grown > 1 if 2 * delta <= 1 else grown > 2 * (1 - delta)
            if (phi > 1 - delta) != late or phi >= 1 or pi[-1] != 1:
                yield f"e^epsilon = {ratio}, delta = {delta}, i = {i}"


@check("pws-sample-first")
def pws_sample_first() -> Iterator[str]:
    """To sample and then sanitize reports no frequency less often than Algorithm 4 first and sampling by its values."""
    for ratio, delta, text in product(RATIOS, DELTAS[1:], ("1/10, 1/2, 1", "priority:1/8", "ppswor:1/10")):
        q = sampling_probabilities(text, 12)
        pi = reporting_probabilities(q=q, ratio=ratio, delta=delta)
        rows = discrete_rows(q=[ONE] * 12, ratio=ratio, delta=delta)
        last = [sum((p * r for p, r in zip(row[1:], q, strict=False)), ZERO) for row in rows[1:]]
        if any(x > y for x, y in zip(last, pi, strict=True)) or last == pi:
            yield f"e^epsilon = {ratio}, delta = {delta}, q = {text}"


@check("pws-crossing-to-first-order")
def crossing_to_first_order() -> Iterator[str]:
    """(16)/(17) grows with x, and (1 - delta)/(2 + epsilon) is above the crossing by at most 3 epsilon^2/8 of it.

    The growth has the sign of (E - 1)(E + delta)/E, E = e^epsilon. The share by which it is above is (E - 1 - epsilon)
    /(2 + epsilon), and (E - 1 - epsilon)/epsilon^2 = 1/2 + epsilon/6 + ... is from 1/2 to e - 2 for epsilon <= 1.
    """

    def quotient(x: Fraction, ratio: Fraction, delta: Fraction) -> Fraction:
        return (ratio * x + delta) / (1 + (x + delta - 1) / ratio)

    _, most = enclose(lambda one: one.exp() - 2, 1)
    if most > Fraction(3, 4):
        yield f"e - 2 may be {most}"
    points = [Fraction(k, 12) for k in range(1, 13)]
    for ratio, delta, (x, y) in product(RATIOS, (ZERO, *GRID_DELTAS), pairwise(points)):
        now, after = quotient(x, ratio, delta), quotient(y, ratio, delta)
        scale = (1 + (x + delta - 1) / ratio) * (1 + (y + delta - 1) / ratio)
        if (after - now) * scale != (y - x) * (ratio - 1) * (ratio + delta) / ratio or after <= now:
            yield f"e^epsilon = {ratio}, delta = {delta}, x = {x} and {y}"
