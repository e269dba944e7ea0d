"""Checks of what Sections 1 to 4 of anonymized-histograms say of histograms: their number, their size, their groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import floor
from types import MappingProxyType

from dpcert.mechanisms.anonymized_histograms.partitions import (
    anonymized,
    cumulative,
    histograms,
    joined,
    of_prevalences,
    partition_numbers,
    partitions,
    prevalences,
)
from dpcert.mechanisms.anonymized_histograms.sorted_distance import (
    sorted_l1,
)
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.logarithm import root_bounds
from dpcert.proofs.check import Finding, first

__all__ = ["ANONYMIZED_COUNTS"]

ZERO, HALF = Fraction(0), Fraction(1, 2)


def ah_four_labels() -> Finding:
    """Section 1: the histogram of counts 8, 0, 8 and 3 is {3, 8, 8}, with phi_3 = 1, phi_8 = 2 and no other."""
    h = anonymized({"a": 8, "b": 0, "c": 8, "d": 3})
    return Finding(h == (8, 8, 3) and prevalences(h) == ((3, 1), (8, 2)) and of_prevalences(((8, 2), (3, 1))) == h)


def ah_items_counted() -> Finding:
    """Section 3.1: the sum of counts is that of r phi_r, and of phi_r+; the prevalences give the counts back."""

    def witnesses() -> Iterator[str]:
        for h in histograms(12):
            r_phi = sum(r * many for r, many in prevalences(h))
            if not sum(h) == r_phi == sum(cumulative(h)) or of_prevalences(prevalences(h)) != h:
                yield f"h = {h}"

    return first(witnesses())


def ah_number_of_histograms() -> Finding:
    """Section 3.1: 2^(m - 1) <= p(n) < e^(pi sqrt(2n/3)) for the greatest m with m(m + 1)/2 <= n.

    A set of different counts above 1, filled up with ones, shows the former. The check of the latter takes
    2565/1000 < pi sqrt(2/3) and a lower bound of the root.
    """
    numbers = partition_numbers(1000)

    def witnesses() -> Iterator[str]:
        if any(len(list(partitions(n))) != numbers[n] for n in range(21)):
            yield "the recurrence"
        if Fraction(2565, 1000) ** 2 * 3 >= 2 * Fraction(314159, 100000) ** 2:
            yield "the constant"
        for n in range(1, 1001):
            m = max(m for m in range(1, 50) if m * (m + 1) // 2 <= n)
            root = root_bounds(Fraction(n), 20)[0]
            if not 2 ** (m - 1) <= numbers[n] < Epsilon.of(Fraction(2565, 1000) * root).exp_bounds(64)[0]:
                yield f"n = {n}"

    return first(witnesses())


def ah_distinct_counts() -> Finding:
    """Section 3.1: t different counts have t(t + 1)/2 <= n, so that t <= sqrt(2n); 1, 2, ..., t attains the former."""

    def witnesses() -> Iterator[str]:
        for h in histograms(20):
            values = sorted(set(h))
            t = len(values)
            if any(value < i for i, value in enumerate(values, 1)) or t * (t + 1) // 2 > sum(h) or t * t > 2 * sum(h):
                yield f"h = {h}"
        for t in range(1, 6):
            if t not in {len(set(h)) for h in partitions(t * (t + 1) // 2)}:
                yield f"t = {t}: not attained"

    return first(witnesses())


def ah_dimension() -> Finding:
    """Section 4.2: at T = floor(sqrt(n)), T prevalences and the counts above T are at most 2 sqrt(n) numbers."""

    def witnesses() -> Iterator[str]:
        for h in histograms(20):
            n = sum(h)
            t = floor(root_bounds(Fraction(n), 0)[0])
            above = sum(x > t for x in h)
            if (t + above) ** 2 > 4 * n or above * (t + 1) > n:
                yield f"h = {h}"
        for n in range(1, 3001):
            t = floor(root_bounds(Fraction(n), 0)[0])
            if (t + n // (t + 1)) ** 2 > 4 * n:
                yield f"n = {n}"

    return first(witnesses())


def group_delta(delta: Fraction, ratio: Fraction, k: int) -> Fraction:
    """Return delta (1 + E + ... + E^(k - 1)): what k steps of (epsilon, delta) allow at k epsilon, E = e^epsilon."""
    return delta * sum(ratio**i for i in range(k))


def _chain(delta: Fraction, ratio: Fraction, k: int) -> list[Fraction]:
    """Return the probabilities of an event along k neighbours that grow as fast as (epsilon, delta) lets them."""
    found = [ZERO]
    for _ in range(k):
        found.append(min(ratio * found[-1] + delta, 1 - (1 - found[-1] - delta) / ratio, Fraction(1)))
    return found


GROUPS = tuple(product((Fraction(3, 2), Fraction(2), Fraction(3)), (Fraction(1, 10), Fraction(1, 1000)), range(1, 6)))


def ah_group_printed() -> Finding:
    """Section 3.1: for groups of k, (epsilon, delta) privacy gives (k epsilon, e^(k epsilon) delta)."""

    def witnesses() -> Iterator[str]:
        for ratio, delta, k in GROUPS:
            chain = _chain(delta, ratio, k)
            if chain[-1] > ratio**k * chain[0] + ratio**k * delta:
                yield f"e^epsilon = {ratio}, delta = {delta}, k = {k}: an event of 0 has {chain[-1]} after k steps"

    return first(witnesses())


def ah_group_corrected() -> Finding:
    """Section 3.1, corrected: it gives delta (e^(k epsilon) - 1)/(e^epsilon - 1), which is attained, and at most
    e^(k epsilon) delta for epsilon >= ln 2."""

    def witnesses() -> Iterator[str]:
        for ratio, delta, k in GROUPS:
            allowed = group_delta(delta, ratio, k)
            chain = _chain(delta, ratio, k)
            if allowed != delta * (ratio**k - 1) / (ratio - 1) or chain[-1] > allowed:
                yield f"e^epsilon = {ratio}, delta = {delta}, k = {k}"
            if allowed <= HALF / ratio and chain[-1] != allowed:
                yield f"e^epsilon = {ratio}, delta = {delta}, k = {k}: not attained"
            if ratio >= 2 and allowed > ratio**k * delta:
                yield f"e^epsilon = {ratio}, delta = {delta}, k = {k}: above e^(k epsilon) delta"

    return first(witnesses())


def ah_naive_split_printed() -> Finding:
    """Section 4.2: {T, n - T} and {T + 1, n - T - 1} are neighbours, for T + 1 < n - T."""

    def witnesses() -> Iterator[str]:
        for t, n in product(range(1, 4), range(4, 12)):
            a, b = joined((t,), (n - t,)), joined((t + 1,), (n - t - 1,))
            if t + 1 < n - t and sorted_l1(a, b) != 1:
                yield f"T = {t}, n = {n}: {{{a[1]}, {a[0]}}} and {{{b[1]}, {b[0]}}} are at distance {sorted_l1(a, b)}"

    return first(witnesses())


def ah_naive_split_corrected() -> Finding:
    """Section 4.2, corrected: {T, n - T} and {T + 1, n - T} are neighbours; their parts above T are T + 1 apart, those
    up to T are T apart. The printed pair has T + 2 above T."""

    def witnesses() -> Iterator[str]:
        for t, n in product(range(1, 6), range(3, 16)):
            if n - t > t:
                a, b = joined((t,), (n - t,)), joined((t + 1,), (n - t,))
                above = [tuple(x for x in h if x > t) for h in (a, b)]
                small = [tuple(x for x in h if x <= t) for h in (a, b)]
                if (sorted_l1(a, b), sorted_l1(*above), sorted_l1(*small)) != (1, t + 1, t):
                    yield f"T = {t}, n = {n}"
            if n - t - 1 > t and sorted_l1((n - t,), joined((t + 1,), (n - t - 1,))) != t + 2:
                yield f"T = {t}, n = {n}: the printed parts"

    return first(witnesses())


ANONYMIZED_COUNTS: Mapping[str, Callable[[], Finding]] = MappingProxyType(
    {
        "ah-dimension": ah_dimension,
        "ah-distinct-counts": ah_distinct_counts,
        "ah-four-labels": ah_four_labels,
        "ah-group-corrected": ah_group_corrected,
        "ah-group-printed": ah_group_printed,
        "ah-items-counted": ah_items_counted,
        "ah-naive-split-corrected": ah_naive_split_corrected,
        "ah-naive-split-printed": ah_naive_split_printed,
        "ah-number-of-histograms": ah_number_of_histograms,
    }
)
