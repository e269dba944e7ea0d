"""Checks of Lemmas 1, 3, 4, 5 and 6 of anonymized-histograms and of Appendix B, over all small histograms."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from math import floor

from dpcert.mechanisms.anonymized_histograms.partitions import (
    Counts,
    histograms,
    joined,
    partitions,
)
from dpcert.mechanisms.anonymized_histograms.sorted_distance import (
    cumulative_l1,
    least_over_labelings,
    neighbours_of,
    prevalence_l1,
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


@check("ah-labelings-in-order")
def ah_labelings_in_order() -> Iterator[str]:
    """Appendix B: every labeling that attains the least distance is as near in order as out of order.

    A dataset is a labeling: for all permutations of b's counts against a's, exchanging two labels that are out of
    order never brings the datasets apart, and the counts in order attain the least.
    """
    for a, b in pairs(9):
        width = max(len(a), len(b))
        left = (*a, *[0] * (width - len(a)))
        for right in set(permutations((*b, *[0] * (width - len(b))))):
            cost = sum(abs(x - y) for x, y in zip(left, right, strict=True))
            for i, j in combinations(range(width), 2):
                if (left[i] - left[j]) * (right[i] - right[j]) < 0:
                    swapped = abs(left[i] - right[j]) + abs(left[j] - right[i])
                    if swapped > abs(left[i] - right[i]) + abs(left[j] - right[j]):
                        yield f"{left}, {right}: exchanging {i} and {j}"
            if cost < sorted_l1(a, b):
                yield f"{left}, {right}"


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


@check("ah-triangle")
def ah_triangle() -> Iterator[str]:
    """Appendix B: symmetry, 0 for equal histograms alone, and the triangle inequality; neighbours are at distance 1."""
    every = list(histograms(6))
    distance = {pair: sorted_l1(*pair) for pair in product(every, repeat=2)}
    for a, b in distance:
        if distance[a, b] != distance[b, a] or (distance[a, b] == 0) != (a == b):
            yield f"{a}, {b}"
        if any(distance[a, b] > distance[a, c] + distance[c, b] for c in every):
            yield f"{a}, {b}: a detour"
        if sum(b) < 6 and (distance[a, b] == 1) != (a in set(neighbours_of(b))):
            yield f"{a}, {b}: neighbours"


@check("ah-parts")
def ah_parts() -> Iterator[str]:
    """Lemma 3: for all h1, h2, h1', h2': l1(h1 + h2, h1' + h2') <= l1(h1, h1') + l1(h2, h2')."""
    every = list(histograms(4))
    for a, b, c, d in product(every, repeat=4):
        if sorted_l1(joined(a, b), joined(c, d)) > sorted_l1(a, c) + sorted_l1(b, d):
            yield f"{a} + {b}, {c} + {d}"


@check("ah-prevalence-bounds")
def ah_prevalence_bounds() -> Iterator[str]:
    """Lemma 4, (3) and (5): the distance is at most the sum of |phi_r+ - phi_r+'|, which is at most that of
    r |phi_r - phi_r'|; the first two are equal."""
    for a, b in pairs(16):
        if not sorted_l1(a, b) == cumulative_l1(a, b) <= prevalence_l1(a, b):
            yield f"{a}, {b}"


@check("ah-induction")
def ah_induction() -> Iterator[str]:
    """Equation (6): with all counts of the greatest value lowered by one, the distance and the sum over phi_r+ lose the
    same term, the difference of the numbers of counts of that value."""
    for a, b in pairs(14):
        top = max([0, *a, *b])
        if top >= 2:
            lower = [tuple(min(x, top - 1) for x in h) for h in (a, b)]
            term = abs(a.count(top) - b.count(top))
            if sorted_l1(*lower) != sorted_l1(a, b) - term or cumulative_l1(*lower) != cumulative_l1(a, b) - term:
                yield f"{a}, {b}"


def nearest(y: Fraction) -> tuple[int, ...]:
    """Return the integers nearest to a number: two of them at a half."""
    low = floor(y)
    return (low, low + 1) if y - low == HALF else (floor(y + HALF),)


@check("ah-rounding")
def ah_rounding() -> Iterator[str]:
    """Lemma 5: |x - y^| <= 2 |x - y| for each integer x and real y, y^ the nearest integer, whichever at a half.

    On each interval from k - 1/2 to k + 1/2 the left side is constant and the right one least at the point nearest to
    x, which is an end or x itself: halves and integers decide for all reals, and both sides move with x.
    """
    for x, twice in product(range(-4, 5), range(-20, 21)):
        y = Fraction(twice, 2)
        if any(abs(x - rounded) > 2 * abs(x - y) for rounded in nearest(y)):
            yield f"x = {x}, y = {y}"
    sixths = [Fraction(i, 6) for i in range(-3, 16)]
    for (a, b), (c, d) in product(product(range(3), repeat=2), product(sixths, repeat=2)):
        most = max(abs(a - r) for r in nearest(c)) + max(abs(b - r) for r in nearest(d))
        if most > 2 * (abs(a - c) + abs(b - d)):
            yield f"x = {a}, {b}, y = {c}, {d}"


def _lemma_6(*, zeros: bool, most: int) -> Iterator[str]:
    for (h1, h2), k, t in product(pairs(most), (1, 2, 3), (1, 2, 3)):
        bound = 2 * sorted_l1(joined(h1, (t,) * k), h2)
        for left in sorted(ways_to_remove(h2, k, t, zeros=zeros)):
            if sorted_l1(h1, left) > bound:
                shown = "".join(f"h{i} = {{{', '.join(map(str, h))}}}, " for i, h in ((1, h1), (2, h2)))
                yield f"{shown}k = {k}, t = {t}: {sorted_l1(h1, left)} above {bound}"


@check("ah-fakes-printed")
def ah_fakes_printed() -> Iterator[str]:
    """Lemma 6: with only positive counts to remove, l1(h1, h2') <= 2 l1(h1', h2)."""
    return _lemma_6(zeros=False, most=6)


@check("ah-fakes-corrected")
def ah_fakes_corrected() -> Iterator[str]:
    """Lemma 6, corrected: the same where zeros are counts, as many as needed, and ties are broken at will."""
    return _lemma_6(zeros=True, most=10)


@check("ah-common-counts")
def ah_common_counts() -> Iterator[str]:
    """Appendix B: counts that are added to both histograms leave the distance as it is."""
    for (a, b), common in product(pairs(9), histograms(3)):
        if sorted_l1(joined(a, common), joined(b, common)) != sorted_l1(a, b):
            yield f"{a}, {b}, {common}"


def _projection(*, zeros: bool, most: int) -> Iterator[str]:
    for h, k, t in product(histograms(most), (1, 2), (1, 2, 3)):
        holds = (t,) * k
        least = min(sorted_l1(h, joined(holds, rest)) for rest in histograms(most))
        for left in ways_to_remove(h, k, t, zeros=zeros):
            if sorted_l1(h, joined(holds, left)) != least:
                yield f"h2 = {{{', '.join(map(str, h))}}}, k = {k}, t = {t}"


@check("ah-projection-printed")
def ah_projection_printed() -> Iterator[str]:
    """Appendix B: of all histograms with phi_t >= k, the one with the k positive counts closest to t replaced by t is
    closest to h2."""
    return _projection(zeros=False, most=5)


@check("ah-projection-corrected")
def ah_projection_corrected() -> Iterator[str]:
    """Appendix B, corrected: the same where zeros are counts, and h2 has been given some."""
    return _projection(zeros=True, most=7)
