"""Bounds of the expected error of PrivHist for few items: all noise up to a total size, and a bound on the rest."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from math import isqrt

from dpcert.mechanisms.anonymized_histograms.parameters import (
    boundaries,
    fakes,
    is_low_privacy,
    threshold,
    top_threshold,
)
from dpcert.mechanisms.anonymized_histograms.partitions import Counts, prevalences
from dpcert.mechanisms.anonymized_histograms.postprocess import (
    Prevalences,
    high_privacy_histogram,
    isotonic,
    low_privacy_histogram,
    nearest,
)
from dpcert.mechanisms.anonymized_histograms.smoothing import smoothed
from dpcert.mechanisms.anonymized_histograms.succinct import compact_distance, split
from dpcert.mechanisms.exact.number import need

Ways = dict[tuple[tuple[int, ...], int], int]
"""The number of noise vectors of one total size that lead to one state, by (state, size)."""


def expected_error(counts: Counts, ratio: Fraction, *, reach: int) -> tuple[Fraction, Fraction]:
    """Return lo <= E l1(h, H) <= hi, H the histogram that PrivHist makes of h = `counts`, for epsilon > 1.

    The sum is over every vector of noises, including the total's, whose sizes |z| sum to u <= `reach`; the vector has
    probability alpha^u ((1 - alpha)/(1 + alpha))^d for d noises. `_beyond` bounds the rest.

    Requires: ratio the square of an int >= 4; n <= 100, reach <= 60.
    Source:   anonymized-histograms, Theorem 1, the case epsilon > 1.
    """
    alpha, n, h = 1 / ratio, sum(counts), prevalences(counts)
    need(_root(ratio) >= 4, f"ratio {ratio}", "the square of an int >= 4", "take 16, 25, 36, ...")
    need(n <= 100 and reach <= 60, f"{n} items, reach {reach}", "at most 100 items and a reach of 60", "lower them")
    still, error = (1 - alpha) / (1 + alpha), alpha**n / (1 + alpha) * n
    for shift in range(-min(n - 1, reach), reach + 1):
        mass = still * alpha ** abs(shift)
        error += mass * _given(h, n + shift, ratio, reach - abs(shift))
    return error, error + _beyond(n, ratio, reach)


def smoothing_error(counts: Counts, total: int, ratio: Fraction, *, reach: int) -> tuple[Fraction, Fraction]:
    """Return lo <= E[l1(h, H) | N] <= hi for N = `total` and epsilon <= 1, where no boundary is a noisy count.

    The sum is over noise vectors of total size u <= `reach`. For k boundaries the error of any other one is at most
    n + k (n + u) + s_k / 2: a block's mean times its length is at most k times the sum of the block's sizes.

    Requires: 3 ln(ratio) <= 1 <= total, and T' above 2N.
    Source:   anonymized-histograms, Theorem 1, the case epsilon <= 1.
    """
    high = not is_low_privacy(ratio) and top_threshold(total, ratio) > 2 * total
    need(high, f"ratio {ratio} with N = {total}", "epsilon <= 1 and T' > 2N", "lower the ratio, or N")
    h, n, edges, alpha = prevalences(counts), sum(counts), boundaries(total, ratio, []), 1 / ratio
    by_size = [0] * (reach + 1)
    for (values, used), ways in _noisy(smoothed(h, edges), reach, least=None).items():
        by_size[used] += ways * compact_distance(h, high_privacy_histogram(values, edges))
    k = len(edges)
    masses = [way * alpha**u * ((1 - alpha) / (1 + alpha)) ** k for u, way in enumerate(_vectors(k, reach))]
    error = sum((mass / way * w for mass, way, w in zip(masses, _vectors(k, reach), by_size, strict=True)), Fraction(0))
    base, mean = n + k * n + Fraction(edges[-1], 2), k * 2 * alpha / (1 - alpha**2)
    rest = base + k * mean - sum((mass * (base + k * u) for u, mass in enumerate(masses)), Fraction(0))
    return error, error + rest


def _given(h: Prevalences, total: int, ratio: Fraction, reach: int) -> Fraction:
    """Return the part of E[l1(h, H) | N] in which the sizes of all other noises sum to at most `reach`."""
    alpha, limit, made = 1 / ratio, threshold(total, ratio), fakes(total, ratio)
    still, error = (1 - alpha) / (1 + alpha), Fraction(0)
    for shift in range(-reach, reach + 1):
        left = reach - abs(shift)
        small, large = split(h, limit=limit, made=made, shift=shift)
        lower = _noisy(small, left, least=None)
        upper = _noisy([r for r, many in large for _ in range(many)], left, least=limit)
        fitted = _merged(lower)
        by_size = [0] * (left + 1)
        for ((values, used), ways), ((found_counts, more), other) in product(fitted.items(), upper.items()):
            if used + more <= left:
                released = low_privacy_histogram(values, found_counts, threshold=limit, fakes=made)
                by_size[used + more] += ways * other * compact_distance(h, released)
        dimension = 1 + limit + sum(many for _, many in large)
        error += still**dimension * sum((alpha ** (abs(shift) + u) * w for u, w in enumerate(by_size)), Fraction(0))
    return error


def _noisy(centres: Iterable[int], reach: int, *, least: int | None) -> Ways:
    """Return the ways to noisy vectors by total size; `least`, if any, raises values to it and drops their order."""
    ways: Ways = {((), 0): 1}
    for centre in centres:
        grown: Ways = {}
        for (values, used), many in ways.items():
            for z in range(used - reach, reach - used + 1):
                if least is None:
                    key = (*values, centre + z), used + abs(z)
                else:
                    key = tuple(sorted((*values, max(centre + z, least)))), used + abs(z)
                grown[key] = grown.get(key, 0) + many
        ways = grown
    return ways


def _merged(ways: Ways) -> Ways:
    """Return the ways to the fitted and rounded vectors; nothing else of the noisy vectors matters."""
    merged: Ways = {}
    for (values, used), many in ways.items():
        key = tuple(max(nearest(value), 0) for value in isotonic(values)), used
        merged[key] = merged.get(key, 0) + many
    return merged


def _vectors(dimension: int, reach: int) -> list[int]:
    """Return the numbers of integer vectors of that dimension whose sizes sum to 0, 1, ..., `reach`.

    They are the coefficients of ((1 + x)/(1 - x))^d, of which (j + 1) c_(j+1) = 2d c_j + (j - 1) c_(j-1).
    """
    numbers = [1]
    for j in range(reach):
        numbers.append((2 * dimension * numbers[j] + (j - 1) * (numbers[j - 1] if j else 0)) // (j + 1))
    return numbers


def _root(ratio: Fraction) -> int:
    """Return the integer of which the ratio is the square, 0 where there is none."""
    root = isqrt(ratio.numerator)
    return root if root * root == ratio else 0


def _beyond(n: int, ratio: Fraction, reach: int) -> Fraction:
    """Return a bound on the part of the expected error in which the sizes sum to u > `reach`.

    With N <= n + u, and T and M those of n + u, at most D(u) = 2 + T + n + M + u noises are drawn, and the error is at
    most b(u) = 2n + T (n + M + u + 1/2) + (M + u)(T + 1) + u, since isotonic regression does not increase the sum of
    sizes. Up to u = 60 + n, the probability that the sizes of D(u) noises reach u is computed. Beyond, D(u) <= 2u
    and b(u) <= 16 u^2 for n <= 100, and the probability is at most (m^2/s)^u, s = 1/sqrt(alpha), m = E s^|Z| =
    (1 + 1/s)^2/(1 + alpha) <= 25/17: each term is at most 2/3 of the term before.
    """
    alpha, s = 1 / ratio, _root(ratio)
    still, last, total = (1 - alpha) / (1 + alpha), 60 + n, Fraction(0)
    for u in range(reach + 1, last + 1):
        limit, made = threshold(n + u, ratio), fakes(n + u, ratio)
        bound = 2 * n + limit * (n + made + u + Fraction(1, 2)) + (made + u) * (limit + 1) + u
        dimension = 2 + limit + n + made + u
        short = sum((way * alpha**j for j, way in enumerate(_vectors(dimension, u - 1))), Fraction(0))
        total += bound * (1 - still**dimension * short)
    factor = ((1 + Fraction(1, s)) ** 2 / (1 + alpha)) ** 2 / s
    return total + 3 * 16 * (last + 1) ** 2 * factor ** (last + 1)
