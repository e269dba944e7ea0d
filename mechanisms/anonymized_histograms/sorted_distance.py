"""The distance of anonymized histograms: by sorted counts, by cumulative prevalences, and over all labelings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import zip_longest

from dpcert.mechanisms.anonymized_histograms.partitions import Counts, cumulative, joined, prevalences


def sorted_l1(a: Counts, b: Counts) -> int:
    """Return the sum over i of |a_(i) - b_(i)|, where a_(i) is the i-th largest count and 0 beyond the last.

    Source: anonymized-histograms, Lemma 1.
    """
    return sum(abs(x - y) for x, y in zip_longest(a, b, fillvalue=0))


def cumulative_l1(a: Counts, b: Counts) -> int:
    """Return the sum over r of |phi_r+(a) - phi_r+(b)|, which is the sorted distance.

    Both count the boxes in which the two Young diagrams differ, one by columns and the other by rows.

    Source: anonymized-histograms, Lemma 4, where it is an upper bound.
    """
    return sorted_l1(cumulative(a), cumulative(b))


def prevalence_l1(a: Counts, b: Counts) -> int:
    """Return the sum over r of r |phi_r(a) - phi_r(b)|, at least the sorted distance.

    Source: anonymized-histograms, Lemma 4.
    """
    first, second = dict(prevalences(a)), dict(prevalences(b))
    return sum(r * abs(first.get(r, 0) - second.get(r, 0)) for r in {*first, *second})


def least_over_labelings(a: Counts, b: Counts) -> int:
    """Return the least L1 distance of two datasets whose histograms are a and b, over all labelings.

    Every label has a count of `a` or 0, and a count of `b` or 0. As many labels as both histograms have counts are
    enough, since a label with 0 in both adds nothing. Permutations of equal counts are skipped, as they give the same
    distance.

    Source: anonymized-histograms, equation (2).
    """

    @cache
    def least(left: Counts, right: Counts) -> int:
        if not left:
            return sum(right)
        partners = [(abs(left[0] - y), tuple(right[:i] + right[i + 1 :])) for i, y in enumerate(right)]
        return min(cost + least(left[1:], rest) for cost, rest in {*partners, (left[0], right)})

    return least(a, b)


def transport_potential(a: Counts, b: Counts) -> tuple[int, ...]:
    """Return f(0), f(1), ... with f(0) = 0 and steps of at most 1 whose sums over a and over b differ by the distance.

    Claims: sum of f over a, less that over b, is the sorted distance; no f with such steps has a greater difference.
            By Kantorovich's duality that makes the distance the earth mover's, with zeros as the other earth.
    """
    potential = [0]
    for x, y in zip_longest(cumulative(a), cumulative(b), fillvalue=0):
        potential.append(potential[-1] + (x > y) - (x < y))
    return tuple(potential)


def neighbours_of(counts: Counts) -> Iterator[Counts]:
    """Yield every histogram at distance 1, each once: one item more at some count, 0 included, or one less.

    Source: anonymized-histograms, Definition 1.
    """
    for value in sorted({0, *counts}):
        yield _changed(counts, value, value + 1)
        if value:
            yield _changed(counts, value, value - 1)


def _changed(counts: Counts, old: int, new: int) -> Counts:
    rest = list(counts)
    if old:
        rest.remove(old)
    return tuple(sorted((*rest, *([new] if new else [])), reverse=True))


def ways_to_remove(counts: Counts, many: int, value: int, *, zeros: bool) -> set[Counts]:
    """Return every result of removing the `many` counts closest to `value`, one for each way to break ties.

    With `zeros`, labels without items count as counts of 0; there are as many as needed, and removing one changes
    nothing. Without `zeros`, a histogram of fewer than `many` counts becomes empty.
    """
    pool: Sequence[int] = (*counts, *[0] * (many if zeros else 0))
    rests: set[tuple[int, ...]] = {tuple(pool)}
    for _ in range(min(many, len(pool))):
        rests = {
            rest[:i] + rest[i + 1 :]
            for rest in rests
            for i, x in enumerate(rest)
            if abs(x - value) == min(abs(y - value) for y in rest)
        }
    return {tuple(x for x in rest if x) for rest in rests}


def closest_removed(counts: Counts, many: int, value: int) -> Counts:
    """Return the counts, 0 among them, without the `many` closest to `value`; of two equally close the smaller goes.

    Claims: for every h, l1(h, this) <= 2 l1(h with `many` times `value` added, counts), for value >= 1.
    Source: anonymized-histograms, Lemma 6, with zeros as counts, without which it is false.
    """
    order = sorted((*counts, *[0] * many), key=lambda x: (abs(x - value), x))
    return joined(tuple(x for x in order[many:] if x), ())


def real_l1(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    """Return the distance of two improper histograms by their cumulative prevalences phi_1+, phi_2+, ..."""
    return sum((abs(x - y) for x, y in zip_longest(a, b, fillvalue=Fraction(0))), Fraction(0))
