"""Checks of Lemmas 1, 3, 4, 5 and 6 of anonymized-histograms and of Appendix B, over all small histograms."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product
from math import floor

from dpcert.mechanisms.anonymized_histograms.partitions import (
    Counts,
    histograms,
    joined,
    partitions,
)
from dpcert.mechanisms.anonymized_histograms.sorted_distance import (
    least_over_labelings,
    sorted_l1,
    transport_potential,
    ways_to_remove,
)
from dpcert.proofs.check import check

HALF = Fraction(1, 2)
Pair = tuple[Counts, Counts]


def pairs(most: int) -> Iterator[Pair]:
    """Yield all pairs of histograms with at most `most` items in all, those with fewer first."""
    for total in range(most + 1):
        for left in range(total + 1):
            yield from product(partitions(left), partitions(total - left))


@check("ah-sorted-distance")
def ah_sorted_distance() -> Iterator[str]:
    """Lemma 1: the least distance over all labelings is that of the counts in order."""
    for a, b in pairs(14):
        if least_over_labelings(a, b) != sorted_l1(a, b):
            yield f"{a}, {b}"


@check("ah-earth-mover")
def ah_earth_mover() -> Iterator[str]:
    """Section 2.2: the distance is the earth mover's: a plan, the matching, and a potential with steps of at most 1
    that has the same value, so that no plan is cheaper."""
    for a, b in pairs(14):
        f = transport_potential(a, b)
        steps = {y - x for x, y in pairwise(f)}
        value = sum(f[x] for x in a) - sum(f[y] for y in b)
        if f[0] != 0 or not steps <= {-1, 0, 1} or value != sorted_l1(a, b):
            yield f"{a}, {b}"


def nearest(y: Fraction) -> tuple[int, ...]:
    """Return the integers nearest to a number: two of them at a half."""
    low = floor(y)
    return (low, low + 1) if y - low == HALF else (floor(y + HALF),)


@check("ah-fakes-printed")
def lemma_6() -> Iterator[str]:
    """Lemma 6: with only positive counts to remove, l1(h1, h2') <= 2 l1(h1', h2)."""
    for (h1, h2), k, t in product(pairs(6), (1, 2, 3), (1, 2, 3)):
        bound = 2 * sorted_l1(joined(h1, (t,) * k), h2)
        for left in sorted(ways_to_remove(h2, k, t, zeros=False)):
            if sorted_l1(h1, left) > bound:
                shown = "".join(f"h{i} = {{{', '.join(map(str, h))}}}, " for i, h in ((1, h1), (2, h2)))
                yield f"{shown}k = {k}, t = {t}: {sorted_l1(h1, left)} above {bound}"


@check("ah-projection-printed")
def projection() -> Iterator[str]:
    """Appendix B: of all histograms with phi_t >= k, the one with the k positive counts closest to t replaced by t is
    closest to h2.
    """
    for h, k, t in product(histograms(5), (1, 2), (1, 2, 3)):
        holds = (t,) * k
        least = min(sorted_l1(h, joined(holds, rest)) for rest in histograms(5))
        for left in ways_to_remove(h, k, t, zeros=False):
            if sorted_l1(h, joined(holds, left)) != least:
                yield f"h2 = {{{', '.join(map(str, h))}}}, k = {k}, t = {t}"
