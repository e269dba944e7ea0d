"""Lower bounds for anonymized histograms: bits encoded as histograms, and the least error of any private release."""

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

from dpcert.mechanisms.anonymized_histograms.partitions import Counts
from dpcert.mechanisms.exact.number import need


def encoded(bits: Sequence[int], n: int) -> Counts:
    """Return the paper's histogram of n items for these bits: {4i, 4i + 3} for a 1, {4i + 1, 4i + 2} for a 0.

    i is 1, 2, ...; each pair has 8i + 3 items, and one more count has the rest of n.

    Requires: 4 k^2 + 7 k <= n for k bits.
    Claims:   two such histograms are at twice the Hamming distance of their bits.
    Source:   anonymized-histograms, Appendix E, its sum of items taken over the counts up to 4k + 3.
    Raises:   InputError for entries that are no bits, or for too few items.
    """
    need(set(bits) <= {0, 1}, list(bits), "bits", "write 0 or 1")
    need(len(bits) <= paper_capacity(n), f"{len(bits)} bits for n = {n}", "4 k^2 + 7 k <= n", "take fewer bits")
    counts = [4 * i + shift for i, bit in enumerate(bits, 1) for shift in ((0, 3) if bit else (1, 2))]
    rest = n - sum(counts)
    return tuple(sorted((*counts, *([rest] if rest else [])), reverse=True))


def paper_capacity(n: int) -> int:
    """Return the most bits k with 4 k^2 + 7 k <= n."""
    return max((isqrt(16 * n + 49) - 7) // 8, 0)


def densely_encoded(bits: Sequence[int], total: int) -> Counts:
    """Return a histogram of `total` items for these bits: {2i, 2i + 2} for a 1, {2i + 1, 2i + 1} for a 0, from i = 0.

    Requires: 2 k^2 <= total for k bits.
    Claims:   two such histograms are at twice the Hamming distance of their bits; where one bit differs, a histogram
              of `total` - 1 items and one of `total` + 1 are neighbours of both.
    Raises:   InputError for entries that are no bits, or for too few items.
    """
    need(set(bits) <= {0, 1}, list(bits), "bits", "write 0 or 1")
    need(2 * len(bits) ** 2 <= total, f"{len(bits)} bits for {total} items", "2 k^2 <= total", "take fewer bits")
    counts = [2 * i + shift for i, bit in enumerate(bits) for shift in ((0, 2) if bit else (1, 1))]
    rest = total - sum(counts)
    return tuple(sorted((x for x in (*counts, rest) if x), reverse=True))


def dense_capacity(n: int) -> int:
    """Return the most bits k with 2 k^2 <= n + 1."""
    return isqrt((n + 1) // 2)


def bits_least(*, k: int, ratio: Fraction) -> Fraction:
    """Return k/(1 + e^epsilon), the least worst-case expected L1 error of an epsilon-DP estimate of k bits.

    `ratio` is e^epsilon. Flipping each bit with probability 1/(1 + e^epsilon) has this error, and no private estimate
    has a smaller one, even if it need not be bits.

    Source: anonymized-histograms, Lemma 10, where the bound is k e^-epsilon/2.
    """
    return k / (1 + ratio)


def histogram_least(*, n: int, ratio: Fraction) -> Fraction:
    """Return 2 k/(1 + e^(2 epsilon)) for k = floor(sqrt((n + 1)/2)), a lower bound of every private release's error.

    No epsilon-DP release errs less in expectation, in the sorted distance, on every histogram of n or n + 1 items.
    `ratio` is e^epsilon.

    Requires: n >= 1.
    Claims:   at least (2/5) sqrt(n) e^(-2 epsilon), which is Theorem 2 with a constant.
    Source:   anonymized-histograms, Theorem 2, by a denser packing than the one of Appendix E.
    """
    return 2 * dense_capacity(n) / (1 + ratio**2)
