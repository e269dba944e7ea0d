"""PrivHist in the compact format: a release in time near sqrt(n) for n items, on exact and unbounded noise."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dpcert.mechanisms.anonymized_histograms.geometric_noise import geometric_noise
from dpcert.mechanisms.anonymized_histograms.inputs import compact
from dpcert.mechanisms.anonymized_histograms.parameters import boundaries, fakes, is_low_privacy, threshold
from dpcert.mechanisms.anonymized_histograms.postprocess import (
    Prevalences,
    high_privacy_histogram,
    low_privacy_histogram,
)
from dpcert.mechanisms.anonymized_histograms.smoothing import smoothed
from dpcert.mechanisms.exact.coins import Coins


def items(histogram: Prevalences) -> int:
    """Return n, the sum of r phi_r."""
    return sum(r * many for r, many in histogram)


def split(histogram: Prevalences, *, limit: int, made: int, shift: int) -> tuple[list[int], Prevalences]:
    """Return the two parts of a histogram that step 2 of PrivHist makes, at T = `limit`, M = `made`, Z^b = `shift`.

    The small part is its cumulative prevalences at r = 1, ..., T: those of the counts up to T, with M - Z^b at T, and
    0 where that is negative. The large part holds the counts above T and M + Z^b at T + 1; where M + Z^b is negative,
    that many of the smallest counts above T are missing. These are the maxima of step 2(c), summed.

    Claims:   time O(T + t) for t distinct counts.
    Source:   anonymized-histograms, PrivHist, steps 2(a) to 2(c).
    """
    below = dict(pair for pair in histogram if pair[0] <= limit)
    running, small = made - shift, [0] * limit
    for r in range(limit, 0, -1):
        running += below.get(r, 0)
        small[r - 1] = max(running, 0)
    extra = made + shift
    large: list[tuple[int, int]] = [(limit + 1, extra)] if extra > 0 else []
    missing = max(-extra, 0)
    for r, many in histogram:
        if r > limit:
            gone = min(missing, many)
            missing -= gone
            if large and large[-1][0] == r:
                large[-1] = (r, large[-1][1] + many)
            elif many > gone:
                large.append((r, many - gone))
    return small, tuple(large)


def privhist_sampler(*, ratio: Fraction, word: int = 64) -> Callable[[Prevalences, Coins], tuple[Prevalences, int]]:
    """Release a histogram in the compact format, and the noisy number of its items; e^epsilon is ratio^3.

    Requires: ratio > 1; inputs in the compact format.
    Claims:   the law of PrivHist, with each of its three steps (ln ratio)-DP. For a fixed epsilon, time of order
              sqrt(n) up to logarithms: T draws for the small part, one for each large count, of which there are at most
              n/T + M + Z^b, and for epsilon <= 1 one for each boundary.
    Source:   anonymized-histograms, PrivHist, steps 1 to 6.
    Raises:   InputError for inputs that `inputs.compact` refuses, before any coin is drawn.
    """
    noise, low = geometric_noise(ratio=ratio, word=word), is_low_privacy(ratio)

    def release(histogram: Prevalences, coins: Coins) -> tuple[Prevalences, int]:
        histogram = compact(histogram)
        total = max(items(histogram) + noise(coins), 0)
        if total == 0:
            return (), 0
        limit, made = threshold(total, ratio), fakes(total, ratio)
        small, large = split(histogram, limit=limit, made=made, shift=noise(coins))
        counts = [r + noise(coins) for r, many in large for _ in range(many)]
        if low:
            noisy = [value + noise(coins) for value in small]
            return low_privacy_histogram(noisy, counts, threshold=limit, fakes=made), total
        edges = boundaries(total, ratio, counts)
        noisy = [value + noise(coins) for value in smoothed(histogram, edges)]
        return high_privacy_histogram(noisy, edges), total

    return release


def compact_distance(a: Prevalences, b: Prevalences) -> int:
    """Return the sorted distance of two histograms: the sum over r of |phi_r+(a) - phi_r+(b)|.

    Claims: equal to matching the counts in order, in time O(t log t) for t distinct counts.
    Source: anonymized-histograms, Lemma 4, whose first bound is an equation.
    """
    changes = [*a, *((r, -many) for r, many in b)]
    gap, place, total = sum(many for _, many in changes), 0, 0
    for r, many in sorted(changes):
        total += (r - place) * abs(gap)
        place, gap = r, gap - many
    return total
