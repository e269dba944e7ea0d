"""Steps 2 and H3 of PrivHist as the source writes them, on prevalences that may be negative or fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from math import prod

from dpcert.mechanisms.anonymized_histograms.geometric_law import GeometricLaw

Split = tuple[dict[int, int], dict[int, int]]
"""The prevalences of the small part, r <= T, and of the large part, r > T, each at all r up to the greatest."""


def _moved(phi: Mapping[int, int], threshold: int, fakes: int, noise: int) -> dict[int, int]:
    """Return phi^b of steps 2(a) and 2(b), at every r up to the greatest and up to T + 1."""
    moved = {r: phi.get(r, 0) for r in range(1, max([*phi, threshold + 1]) + 1)}
    moved[threshold] += fakes - noise
    moved[threshold + 1] += fakes + noise
    return moved


def carried_split(phi: Mapping[int, int], *, threshold: int, fakes: int, noise: int) -> Split:
    """Return the two parts of step 2(c) with T = `threshold`, M = `fakes` and Z^b = `noise`.

    The next prevalences make up for a negative one: below T going down, above T going up.

    Requires: threshold >= 1.
    Source:   anonymized-histograms, PrivHist, step 2; the maxima as restored from the proof of Lemma 8.
    """
    moved, small, large = _moved(phi, threshold, fakes, noise), dict[int, int](), dict[int, int]()
    for r in range(threshold, 0, -1):
        small[r] = max(0, sum(moved[s] for s in range(r, threshold + 1)) - sum(small.values()))
    for r in range(threshold + 1, max(moved) + 1):
        large[r] = max(0, sum(moved[s] for s in range(threshold + 1, r + 1)) - sum(large.values()))
    return small, large


def parts(counts: Sequence[int], *, threshold: int, fakes: int, noise: int) -> tuple[list[int], list[int]]:
    """Return the cumulative prevalences of H^bs at 1, ..., T, and the counts of H^bl, the largest first."""
    small, large = carried_split(Counter(counts), threshold=threshold, fakes=fakes, noise=noise)
    above = [sum(small[s] for s in range(r, threshold + 1)) for r in range(1, threshold + 1)]
    return above, [r for r in sorted(large, reverse=True) for _ in range(large[r])]


def release_density(
    counts: Sequence[int], *, alpha: Fraction, threshold: int, fakes: int, small: Sequence[int], large: Sequence[int]
) -> Fraction:
    """Return Pr[(H^cs, H^cl) = (small, large)] of steps 2 to 4, alpha = e^-epsilon_2, `large` in any order.

    The number of large counts determines Z^b where it is positive. None is shown for every Z^b <= -M - L: these are
    summed one by one as long as the sign of some difference changes, and from there on as a geometric series.

    Requires: len(small) = threshold >= 1, fakes >= 0.
    Source:   anonymized-histograms, PrivHist, steps 2 to 4.
    """
    density = GeometricLaw.two_sided(alpha).prob
    level = fakes + sum(count > threshold for count in counts)
    orders = set(permutations(large))

    def given(moved: int) -> Fraction:
        centres, tops = parts(counts, threshold=threshold, fakes=fakes, noise=moved - level)
        lower = prod((density(z - c) for z, c in zip(small, centres, strict=True)), start=density(moved - level))
        upper = (prod((density(z - c) for z, c in zip(row, tops, strict=True)), start=lower) for row in orders)
        return sum(upper, Fraction(0))

    if large:
        return given(len(large))
    cumulative = [sum(count >= r for count in counts) for r in range(1, threshold + 1)]
    last = min(0, level, *(c + 2 * fakes - z for z, c in zip(small, cumulative, strict=True)))
    series = given(last) / (1 - alpha ** (threshold + 1))
    return sum((given(moved) for moved in range(last + 1, 1)), series)


def uncarried_split(phi: Mapping[int, int], *, threshold: int, fakes: int, noise: int) -> Split:
    """Return the two parts of step 2(c) with both sums over phi^b, as the text at hand has it: each is cut at 0.

    Requires: threshold >= 1.
    Source:   anonymized-histograms, PrivHist, step 2(c), read to the letter.
    """
    moved = _moved(phi, threshold, fakes, noise)
    small = {r: max(0, many) for r, many in moved.items() if r <= threshold}
    return small, {r: max(0, many) for r, many in moved.items() if r > threshold}


def smoothed_prevalences(phi: Mapping[int, int], boundaries: Sequence[int]) -> dict[int, Fraction]:
    """Return phi^v of step H3 at each boundary, counts above the last one taken as the last.

    Requires: boundaries ascending from 1 or more; s_0 = 0 is none of them.
    Source:   anonymized-histograms, steps H1 and H3(a).
    """
    last = boundaries[-1]
    phi_u = {r: many for r, many in phi.items() if r < last}
    phi_u[last] = sum(many for r, many in phi.items() if r >= last)
    smoothed: dict[int, Fraction] = {}
    for low, here, high in zip([0, *boundaries], boundaries, [*boundaries[1:], last + 1], strict=False):
        right = sum((Fraction(phi_u.get(j, 0) * (high - j), high - here) for j in range(here, high)), Fraction(0))
        left = sum((Fraction(phi_u.get(j, 0) * (j - low), here - low) for j in range(low, here)), Fraction(0))
        smoothed[here] = left + right
    return smoothed
