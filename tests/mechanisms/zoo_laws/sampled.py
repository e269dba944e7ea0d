"""Sampled counts with a threshold: the law of each fault at its default parameters."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from dpcert.mechanisms.exact.outcome import Raised

from .plain import Pairs, binomial, bins, counts, merged, present, then


def sampled(people: list[int], rate: Fraction, threshold: int, universe: int) -> Pairs:
    laws = {x: binomial(c, rate) for x, c in counts(people, universe).items()}
    return bins(laws, lambda count: count >= threshold)


def empty(people: list[int]) -> Pairs:
    if not people:
        return [(Raised("IndexError", ("list index out of range",)), Fraction(1))]
    return sampled(people, Fraction(1, 10), 2, 2)


def repeated_rows(users: list[list[int]]) -> Pairs:
    """One label, of which one user has up to two rows; shown where both are sampled."""
    (rows,) = users
    return then(binomial(len(rows), Fraction(1, 10)), lambda v: ((0, v),) if v >= 2 else ())


def size(people: list[int]) -> Pairs:
    return then(binomial(len(people), Fraction(1, 10)), lambda v: (v, ((0, v),) if v >= 2 else ()))


def fixed_size(people: list[int]) -> Pairs:
    chosen = [present(pair) for pair in combinations(people, 2)]
    return [(tuple((x, c) for x, c in few.items() if c >= 2), Fraction(1, len(chosen))) for few in chosen]


def abstentions(people: list[int]) -> Pairs:
    """Of four people each is taken with 3/4; how many are not, and the labels of two or more."""
    chosen = [[x for x, taken in zip(people, picks, strict=True) if taken] for picks in product((0, 1), repeat=4)]
    return [
        ((4 - len(few), tuple((x, c) for x, c in present(few).items() if c >= 2)), Fraction(3 ** len(few), 4**4))
        for few in chosen
    ]


def one_bin(count: int, threshold: int) -> Pairs:
    return then(binomial(count, Fraction(1, 10)), lambda v: v if v >= threshold else 0)


def true_count(count: int) -> Pairs:
    return then(binomial(count, Fraction(1, 10)), lambda v: v if count >= 2 else 0)


def late(count: int) -> Pairs:
    return then(binomial(count, Fraction(1, 10)), lambda v: v if v >= 3 or count >= 6 else 0)


def joined_swapped(people: list[int]) -> Pairs:
    """Of k people all that is shown; of k - 1 a quarter of it, for the three quarters that are to be kept."""
    count, here = people
    shown = then(binomial(count - 1 + here, Fraction(1, 2)), lambda v: v if v >= 2 else 0)
    return shown if here else [(None, Fraction(3, 4)), *((v, p / 4) for v, p in shown)]


def moved_shown(people: list[int]) -> Pairs:
    first, second = (binomial(people.count(label), Fraction(1, 10)) for label in (0, 1))
    shown = [(((0, v),) if v >= 2 else (), p) for v, p in first], [(((1, w),) if w else (), q) for w, q in second]
    return [(x + y, p * q) for (x, p), (y, q) in product(*shown)]


def systematic(count: int) -> Pairs:
    """A start gives the floor or the ceiling of count / 4; the ceiling comes (count % 4) times in 4."""
    more = Fraction(count % 4, 4)
    return then([(count // 4 + 1, more), (count // 4, 1 - more)], lambda v: v if v >= 3 else 0)


def pairs_sampled(count: int) -> Pairs:
    """Each two people are sampled together, with probability 1/10; the last one of an odd count alone."""
    found = [(0, Fraction(1))]
    for first in range(0, count, 2):
        found = [
            (v + taken * min(2, count - first), p * weight)
            for v, p in found
            for taken, weight in ((0, Fraction(9, 10)), (1, Fraction(1, 10)))
        ]
        merged: dict[int, Fraction] = {}
        for v, p in found:
            merged[v] = merged.get(v, Fraction(0)) + p
        found = list(merged.items())
    return found


def last_level(people: list[int]) -> Pairs:
    first = sampled([x // 2 for x in people], Fraction(1, 10), 1, 2)
    return [((x, y), p * q) for (x, p), (y, q) in product(first, sampled(people, Fraction(1, 10), 2, 4))]


def one_sample(people: list[int]) -> Pairs:
    """Labels 0 and 1 are the children of node 0; how often each was sampled is all there is."""
    rows = product(*(binomial(people.count(x), Fraction(1, 10)) for x in (0, 1)))
    return merged(
        [
            (tuple(tuple((x, v) for x, v in level if v >= 2) for level in (((0, a + b),), ((0, a), (1, b)))), p * q)
            for (a, p), (b, q) in rows
        ]
    )


def sized(nodes: list[int], universe: int) -> Pairs:
    every = bins({x: binomial(c, Fraction(1, 10)) for x, c in counts(nodes, universe).items()})
    return merged(then(every, lambda row: (sum(v for _, v in row), tuple((x, v) for x, v in row if v >= 2))))


def level_sizes(people: list[int]) -> Pairs:
    rows = product(sized([x // 2 for x in people], 2), sized(people, 4))
    return [((x, y), p * q) for (x, p), (y, q) in rows]


def unsampled(people: list[int]) -> Pairs:
    law: Pairs = []
    for first, p in sampled([x // 2 for x in people], Fraction(1, 10), 2, 2):
        below = present([x for x in people if x // 2 in dict(first)])
        second = bins({x: binomial(c, Fraction(1, 10)) for x, c in below.items()})
        law += [((first, row), p * q) for row, q in second]
    return law


def raw_search(people: list[int]) -> Pairs:
    """The second split is 3 where more of the sampled people were above 2 than below it."""

    def step(split: int) -> Pairs:
        below = sum(x < split for x in people)
        rows = product(binomial(below, Fraction(1, 10)), binomial(len(people) - below, Fraction(1, 10)))
        return [((a, b), p * q) for (a, p), (b, q) in rows]

    def shown(split: int, row: tuple[int, int]) -> Any:
        return split, tuple((side, v) for side, v in enumerate(row) if v >= 2)

    return merged(
        [
            ((shown(2, first), shown(split, second)), p * q)
            for first, p in step(2)
            for split in [3 if first[0] < first[1] else 1]
            for second, q in step(split)
        ]
    )


LAWS: dict[str, Callable[[Any], Pairs]] = {
    "sample-threshold-strict": lambda count: one_bin(count, 2),
    "sample-threshold-systematic": systematic,
    "sample-threshold-true-count": true_count,
    "sample-threshold-late": late,
    "joined-count-swapped": joined_swapped,
    "moved-person-shown": moved_shown,
    "sampled-count-pairs": pairs_sampled,
    "sample-threshold-histogram-empty": empty,
    "sample-threshold-histogram-fixed-size": fixed_size,
    "sample-threshold-histogram-size": size,
    "contacted-histogram-abstentions": abstentions,
    "bounded-histogram-repeated": repeated_rows,
    "sample-threshold-histogram-substituted": lambda people: sampled(people, Fraction(1, 4), 2, 2),
    "trie-heavy-hitters-last-level": last_level,
    "trie-heavy-hitters-reused": one_sample,
    "trie-heavy-hitters-size": level_sizes,
    "trie-heavy-hitters-unsampled": unsampled,
    "quantile-search-raw": raw_search,
}
