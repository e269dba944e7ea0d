"""The post-processing of PrivHist, exact and without coins: isotonic regression, rounding, and removal of the fakes."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm

from dpcert.mechanisms.exact.errors import InputError

Prevalences = tuple[tuple[int, int], ...]
"""A histogram in the compact format: pairs (r, how many counts equal r), r ascending, each number at least 1."""


def isotonic(values: Sequence[int | Fraction], weights: Sequence[int] | None = None) -> list[Fraction]:
    """Return the non-increasing sequence nearest to `values` in weighted squares: the one minimum, exactly.

    Pool adjacent violators: neighbouring blocks whose means increase are merged into one with the weighted mean, in
    linear time. Without `weights` each is 1.

    Source: anonymized-histograms, steps L1(a) and H5.
    Raises: InputError unless the weights are as many as the values, each at least 1.
    """
    units = [1] * len(values) if weights is None else list(weights)
    if len(units) != len(values) or any(unit < 1 for unit in units):
        given = f"weights {units[:5]}... for {len(values)} values"
        raise InputError(given=given, needed="one weight >= 1 for each value", remedy="leave weights out for ones")
    scale = lcm(*(value.denominator for value in values))
    sums = [value.numerator * (scale // value.denominator) * unit for value, unit in zip(values, units, strict=True)]
    fitted: list[Fraction] = []
    for total, unit, length in _pooled(sums, units):
        fitted += [Fraction(total, unit * scale)] * length
    return fitted


def _pooled(sums: Iterable[int], weights: Iterable[int]) -> list[tuple[int, int, int]]:
    """Return the blocks of the fit to sum / weight, non-increasing: (sum, weight, number of values) of each."""
    blocks: list[tuple[int, int, int]] = []
    for total, weight in zip(sums, weights, strict=True):
        length = 1
        while blocks and blocks[-1][0] * weight < total * blocks[-1][1]:
            earlier, unit, many = blocks.pop()
            total, weight, length = total + earlier, weight + unit, length + many
        blocks.append((total, weight, length))
    return blocks


def nearest(value: int | Fraction) -> int:
    """Return the integer nearest to a value; of two that are equally near, the greater one.

    Source: anonymized-histograms, steps L1(b) and H6, `round`, which leaves ties open.
    """
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def remove_closest(histogram: Iterable[tuple[int, int]], target: int, many: int) -> Prevalences:
    """Return a histogram without its `many` elements closest to `target`; all go where there are no more.

    Of two counts that are equally close the smaller goes first, which the source leaves open.

    Source: anonymized-histograms, step L4.
    """
    left = dict(histogram)
    for r in sorted(left, key=lambda r: (abs(r - target), r)):
        removed = min(many, left[r])
        left[r] -= removed
        many -= removed
        if not many:
            break
    return tuple((r, left[r]) for r in sorted(left) if left[r])


def low_privacy_histogram(small: Sequence[int], large: Iterable[int], *, threshold: int, fakes: int) -> Prevalences:
    """Return the histogram that PrivHist-LowPrivacy computes from the noisy parts.

    `small` has the noisy cumulative prevalences of r = 1, ..., T, `large` the noisy counts above T in any order; T is
    `threshold`, and M = `fakes` elements were added at T and as many at T + 1.

    Requires: len(small) = T >= 1, fakes >= 0.
    Claims:   a function of earlier releases, without coins: it is post-processing. Time O(T + k log k) for k large
              counts.
    Source:   anonymized-histograms, steps L1 to L4.
    """
    least = [
        max(nearest(Fraction(total, weight)), 0)
        for total, weight, length in _pooled(small, [1] * threshold)
        for _ in range(length)
    ]
    histogram = Counter(max(count, threshold) for count in large)
    for r, (here, above) in enumerate(zip(least, [*least[1:], 0], strict=True), 1):
        histogram[r] += here - above
    proper = ((r, many) for r, many in histogram.items() if many)
    return remove_closest(remove_closest(proper, threshold + 1, fakes), threshold, fakes)


def high_privacy_histogram(noisy: Sequence[int], boundaries: Sequence[int]) -> Prevalences:
    """Return the histogram that steps H5 and H6 compute from the noisy smoothed prevalences.

    `boundaries` are s_1 < s_2 < ..., and `noisy` has for each i the integer (s_i - s_(i-1)) phi^w_(s_i +), s_0 = 0:
    the cumulative smoothed prevalence with its noise, times the gap.

    Requires: as many numbers as boundaries, the boundaries ascending from 1 or more.
    Claims:   a function of earlier releases, without coins: it is post-processing. phi^w_(s_i +) has weight
              (s_i - s_(i-1))^2 in H5. In H6, phi^x_(r+) for r between two boundaries is that of the boundary above, so
              counts lie on boundaries. Linear time.
    Source:   anonymized-histograms, steps H5 and H6.
    """
    gaps = [high - low for low, high in zip([0, *boundaries], boundaries, strict=False)]
    products = [gap * value for gap, value in zip(gaps, noisy, strict=True)]
    rounded: list[int] = []
    for total, weight, length in _pooled(products, [gap * gap for gap in gaps]):
        rounded += [max(nearest(Fraction(total, weight)), 0)] * length
    steps = zip(boundaries, rounded, [*rounded[1:], 0], strict=False)
    return tuple((r, here - above) for r, here, above in steps if here > above)
