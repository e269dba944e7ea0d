"""Checks of what a second reading added to weighted-sampling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, combinations_with_replacement, pairwise, product
from types import MappingProxyType

from dpcert.mechanisms.adapters.balls import enclose
from dpcert.mechanisms.weighted_sampling.partition_selection import keep_probability
from dpcert.mechanisms.weighted_sampling.pws_densities import density_rows
from dpcert.mechanisms.weighted_sampling.pws_estimators import biased_down, maximum_likelihood, unbiased
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import Row, discrete_rows, least_entries
from dpcert.mechanisms.weighted_sampling.pws_sample import sanitizer_rows
from dpcert.proofs.check import Finding, first
from dpcert.proofs.checks.baseline import (
    EPSILONS,
    FREQUENCIES,
    TAUS,
    THRESHOLDS,
    against_laplace,
    e,
    integral,
    priority_rate,
)
from dpcert.proofs.checks.frequencies import DELTAS, RATIOS, SAMPLINGS, rows_grid
from dpcert.proofs.checks.separation import concordance

__all__ = ["SECOND_READING_WEIGHTED", "falls_short"]

ZERO, ONE = Fraction(0), Fraction(1)


def earlier_selection() -> Finding:
    """The partition selection of Desfontaines and others is Algorithm 3 with q = 1."""

    def witnesses() -> Iterator[str]:
        for ratio, delta in product((*RATIOS, Fraction(11, 10)), DELTAS):
            found = [ZERO, *reporting_probabilities(q=[ONE] * 60, ratio=ratio, delta=delta)]
            for people, meant in enumerate(found):
                if keep_probability(people=people, ratio=ratio, delta=delta) != meant:
                    yield f"e^epsilon = {ratio}, delta = {delta}, i = {people}"

    return first(witnesses())


def _unreported(subscript: Callable[[int, int], int]) -> Finding:
    def witnesses() -> Iterator[str]:
        for algorithm, imax in product((4, 5), (1, 2, 4)):
            for where, _, _, q, rows in rows_grid(algorithm, imax):
                last = len(rows[-1]) - 1
                kept = [(ONE,), *sanitizer_rows(q=q, rows=rows)]
                for i, row in enumerate(rows[1:], 1):
                    entries = [*row, *[ZERO] * (last + 1 - len(row))]
                    if row[0] != 1 - sum((entries[subscript(j, last)] for j in range(1, last + 1)), ZERO):
                        yield f"{where}, t = {last}, i = {i}"
                    if q[i - 1] and (
                        any(q[i - 1] * p != pi for p, pi in zip(kept[i][1:], row[1:], strict=True))
                        or 1 - q[i - 1] + q[i - 1] * kept[i][0] != row[0]
                    ):
                        yield f"{where}, i = {i}: sampling, then reporting"

    return first(witnesses())


def unreported_printed() -> Finding:
    """pi_i0 = 1 - (pi_it + ... + pi_it), t times, as the sum's subscripts stand."""
    return _unreported(lambda _, last: last)


def unreported_corrected() -> Finding:
    """pi_ij = q_i p_ij, and pi_i0 = 1 - (pi_i1 + ... + pi_it) is not sampled, or sampled and not reported."""
    return _unreported(lambda j, _: j)


def values_are_tokens() -> Finding:
    """Estimates (11) and (41) do not change where values that no one reports are put between the others."""

    def witnesses() -> Iterator[str]:
        for where, _, _, _, rows in chain(rows_grid(4, 5), rows_grid(5, 4)):
            width = max(map(len, rows))
            for place in range(1, width + 1):
                apart = [row if len(row) <= place else (*row[:place], ZERO, *row[place:]) for row in rows]
                for estimates in (maximum_likelihood, biased_down):
                    meant, found = estimates(rows=rows, g=lambda i: i), estimates(rows=apart, g=lambda i: i)
                    if found[:place] + found[place + 1 :] != meant:
                        yield f"{where}, a value before {place}"

    return first(witnesses())


def crossing_to_first_order() -> Finding:
    """(16)/(17) grows with x, and (1 - delta)/(2 + epsilon) is above the crossing by at most 3 epsilon^2/8 of it.

    The growth has the sign of (E - 1)(E + delta)/E, E = e^epsilon. The share by which it is above is (E - 1 - epsilon)
    /(2 + epsilon), and (E - 1 - epsilon)/epsilon^2 = 1/2 + epsilon/6 + ... is from 1/2 to e - 2 for epsilon <= 1.
    """

    def quotient(x: Fraction, ratio: Fraction, delta: Fraction) -> Fraction:
        return (ratio * x + delta) / (1 + (x + delta - 1) / ratio)

    def witnesses() -> Iterator[str]:
        _, most = enclose(lambda one: one.exp() - 2, 1)
        if most > Fraction(3, 4):
            yield f"e - 2 may be {most}"
        points = [Fraction(k, 12) for k in range(1, 13)]
        for ratio, delta, (x, y) in product(RATIOS, (ZERO, *DELTAS), pairwise(points)):
            now, after = quotient(x, ratio, delta), quotient(y, ratio, delta)
            scale = (1 + (x + delta - 1) / ratio) * (1 + (y + delta - 1) / ratio)
            if (after - now) * scale != (y - x) * (ratio - 1) * (ratio + delta) / ratio or after <= now:
                yield f"e^epsilon = {ratio}, delta = {delta}, x = {x} and {y}"

    return first(witnesses())


def complement_condition() -> Finding:
    """At pi_i = q_i < 1: (13) is below (17) exactly where (1 - q_i - delta)/(1 - q_(i+1)) <= e^epsilon."""

    def witnesses() -> Iterator[str]:
        grid = [Fraction(k, 12) for k in range(12)]
        for ratio, delta, (now, after) in product(RATIOS, (ZERO, *DELTAS), combinations_with_replacement(grid, 2)):
            quotient = (1 - now - delta) / (1 - after)
            if (after <= 1 + (now + delta - 1) / ratio) != (quotient <= ratio):
                yield f"e^epsilon = {ratio}, delta = {delta}, q_i = {now}, q_(i+1) = {after}"
            if (quotient > 1) != (after - now > delta):
                yield f"delta = {delta}, q_i = {now}, q_(i+1) = {after}: above 1"

    return first(witnesses())


def falls_short(before: Row, row: Row, ratio: Fraction, delta: Fraction) -> bool:
    """Whether the second pass ends inside a value, or the first one's breakpoint lies inside one.

    Source: weighted-sampling, Appendix C.2, (i) and (ii), with the row before and e^epsilon times the mass at 0 in
    (ii), by which the first pass goes.
    """
    budget = delta - ratio * max(before[0] / ratio - row[0], ZERO)
    masses_before = [sum(before[1 : j + 1], ZERO) for j in range(len(before))]
    if budget > 0 and budget not in masses_before and budget < masses_before[-1]:
        return True
    least = [*least_entries(before, 1 - row[0], ratio, delta), ZERO]
    left = 1 - row[0] - sum(least)
    for j in range(len(least), 0, -1):
        room = ratio * sum(before[j:], ZERO) + delta - sum(row[j + 1 :], ZERO) - least[j - 1]
        if room >= left:
            return 0 < left < room
        left -= room
    return False


def short_of_separation() -> Finding:
    """Algorithm 4 orders neighbouring frequencies less well than Algorithm 5 only after a row of either kind."""

    def witnesses() -> Iterator[str]:
        for (where, ratio, delta, _, rows), (*_, fine) in zip(rows_grid(4), rows_grid(5), strict=True):
            for i in range(1, len(rows)):
                if falls_short(rows[i - 1], rows[i], ratio, delta):
                    break
                if concordance(rows[i], rows[i - 1]) != concordance(fine[i], fine[i - 1]):
                    yield f"{where}, i = {i}"

    return first(witnesses())


def newest_piece() -> Finding:
    """Row i of Algorithm 5 has min(delta, pi_i) on (i - 1, i], where row i - 1 has nothing."""

    def witnesses() -> Iterator[str]:
        for ratio, delta, text in product(RATIOS, DELTAS, SAMPLINGS):
            q = sampling_probabilities(text, 6)
            rows, ends = density_rows(q=q, ratio=ratio, delta=delta)
            for i in range(1, len(rows)):
                newest = [value for value, end in enumerate(ends, 1) if end > i - 1]
                mass = sum((rows[i][value] for value in newest), ZERO)
                if any(rows[i - 1][value] for value in newest) or mass != min(delta, 1 - rows[i][0]):
                    yield f"e^epsilon = {ratio}, delta = {delta}, q = {text}, i = {i}"

    return first(witnesses())


def sampled_no_unbiased() -> Finding:
    """With pi_i = pi*_i for i <= h, E^(h-1) > h and h <= L + 1: values of frequency 1 overshoot at h, whatever q."""

    def witnesses() -> Iterator[str]:
        for ratio, delta, text in product((*RATIOS, Fraction(11, 10)), (*DELTAS, Fraction(1, 10**4)), SAMPLINGS):
            q = sampling_probabilities(text, 12)
            best = reporting_probabilities(q=[ONE] * 12, ratio=ratio, delta=delta)
            rows = discrete_rows(q=q, ratio=ratio, delta=delta)
            h = next((h for h in range(2, 13) if ratio ** (h - 1) > h), 13)
            if h > 12 or any(1 - rows[i][0] != best[i - 1] for i in range(1, h + 1)):
                continue
            if best[h - 2] > (1 - delta) / (1 + ratio):  # h > L + 1
                continue
            estimates = unbiased(rows=rows[: h + 1], g=lambda i: i)
            if rows[h][1] != ratio ** (h - 1) * rows[1][1] or rows[h][1] * estimates[1] <= h or min(estimates) >= 0:
                yield f"e^epsilon = {ratio}, delta = {delta}, q = {text}, h = {h}"

    return first(witnesses())


def priority_splits() -> Finding:
    """For T < 1/tau the integral of min(tau j, 1) is that of tau j up to 1/tau, and the chance of 1/tau or more."""

    def witnesses() -> Iterator[str]:
        for epsilon, threshold, frequency, tau in product(EPSILONS, THRESHOLDS, FREQUENCIES, TAUS):
            i, knee = Fraction(frequency), 1 / tau
            if threshold >= knee:
                continue
            rising = e(0).times(0)
            if i < knee:
                rising += integral([0, tau], -epsilon, max(i, threshold), knee) * e(epsilon * i)
            if i > threshold:
                rising += integral([0, tau], epsilon, threshold, min(i, knee)) * e(-epsilon * i)
            half = e(-epsilon * abs(knee - i)).times(Fraction(1, 2))
            beyond = half if i <= knee else e(0) - half
            if rising.times(epsilon / 2) + beyond != against_laplace(priority_rate(tau), epsilon, threshold, i):
                yield f"epsilon = {epsilon}, T = {threshold}, tau = {tau}, i = {i}"

    return first(witnesses())


SECOND_READING_WEIGHTED: Mapping[str, Callable[[], Finding]] = MappingProxyType(
    {
        "pws-earlier-selection": earlier_selection,
        "pws-unreported-printed": unreported_printed,
        "pws-unreported-corrected": unreported_corrected,
        "pws-values-are-tokens": values_are_tokens,
        "pws-crossing-to-first-order": crossing_to_first_order,
        "pws-complement-condition": complement_condition,
        "pws-short-of-separation": short_of_separation,
        "pws-newest-piece": newest_piece,
        "pws-sampled-no-unbiased": sampled_no_unbiased,
        "pws-priority-splits": priority_splits,
    }
)
