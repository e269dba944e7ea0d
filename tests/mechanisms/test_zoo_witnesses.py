"""Each broken mechanism's law in a second form, and the smallest witness that follows from it; its twin has none.

The laws below are written from what each mechanism does, in plain fractions, and not from its program. A witness
is pinned as two inputs, an event and two probabilities; that no smaller pair and no smaller event will do is searched
for here, over all pairs.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations, pairwise, permutations, product
from math import ceil, comb, inf, nextafter, prod
from pathlib import Path
from typing import Any

import pytest

from dpcert.audit.decide import Report, decide
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.kernel.examine import Refuted, Verified
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.subject import Subject
from dpcert.mechanisms.broken import ZOO
from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.outcome import Raised, show
from dpcert.mechanisms.forms import order_key
from dpcert.mechanisms.mechanism import Instance, Mechanism

Pairs = list[tuple[Any, Fraction]]
"""Outcomes with their probabilities; an outcome may occur more than once."""

CORRECT = {mechanism.name: mechanism for mechanism in MECHANISMS}
by_name = pytest.mark.parametrize("mechanism", ZOO, ids=lambda mechanism: mechanism.name)


def at_least(m: int, r: Fraction) -> Fraction:
    """Pr[Z >= m] for two-sided geometric noise, Pr[Z = j] = (r - 1) / (r + 1) r^-|j|."""
    return r ** (1 - m) / (r + 1) if m >= 1 else 1 - r**m / (r + 1)


def noisy(count: int, r: object, lo: int, hi: int) -> Pairs:
    """The law of count + Z, clamped to [lo, hi]."""
    ratio = Fraction(str(r))
    upper = [Fraction(1), *(at_least(z - count, ratio) for z in range(lo + 1, hi + 1)), Fraction(0)]
    return [(lo + i, a - b) for i, (a, b) in enumerate(pairwise(upper))]


def from_sums(sums: Sequence[Fraction]) -> Pairs:
    """The law on 0, 1, ... of which these are the distribution function's values."""
    return [(z, b - a) for z, (a, b) in enumerate(pairwise([Fraction(0), *sums]))]


def bernoulli(p: Fraction) -> Pairs:
    return [(True, p), (False, 1 - p)]


def binomial(count: int, rate: Fraction) -> Pairs:
    return [(v, comb(count, v) * rate**v * (1 - rate) ** (count - v)) for v in range(count + 1)]


def bins(laws: dict[int, Pairs], kept: Callable[[int], bool] = lambda noisy: True) -> Pairs:
    """The law of a histogram of independent bins, of which those with a kept count are released."""
    rows = product(*laws.values())
    return [
        (
            tuple((x, z) for x, (z, _) in zip(laws, row, strict=True) if kept(z)),
            prod((p for _, p in row), start=Fraction(1)),
        )
        for row in rows
    ]


def then(law: Pairs, f: Callable[[Any], Any]) -> Pairs:
    return [(f(outcome), p) for outcome, p in law]


def counts(people: Sequence[int], universe: int) -> dict[int, int]:
    return {x: list(people).count(x) for x in range(universe)}


def present(people: Sequence[int]) -> dict[int, int]:
    return {x: list(people).count(x) for x in sorted(set(people))}


# The laws, at each mechanism's default parameters.


def strict(c: int) -> Pairs:
    """u < F(z) takes one u from 0 and gives it to n; d = 9 * 5^2."""
    law = dict(noisy(c, "5/4", 0, 3))
    return list({**law, 0: law[0] - Fraction(1, 225), 3: law[3] + Fraction(1, 225)}.items())


def exponent(c: int) -> Pairs:
    """The part above z of the law on z >= c is a quarter, 2^-k, of what it is to be."""
    below = list(accumulate(p for _, p in noisy(c, "5/4", 0, 3)))
    return from_sums([s if z < c or z == 3 else 1 - (1 - s) / 4 for z, s in enumerate(below)])


def raises(c: int) -> Pairs:
    def clamp(z: int) -> Any:
        inside = 0 <= z <= 2
        return z if inside else Raised("ValueError", (f"{c} with noise {z - c} is outside 0..2",))

    return then(noisy(c, "5/4", c - 2, c + 2), clamp)


def rejection(c: int) -> Pairs:
    inside = [(z, p) for z, p in noisy(c, "5/4", c - 3, c + 3) if 0 <= z <= 3]
    return [(z, p / sum(p for _, p in inside)) for z, p in inside]


def short_draw(c: int) -> Pairs:
    """d = 225, and F is 125, 145, 161 for 0; 100, 125, 145 for 1; 80, 100, 125 for 2; 64, 80, 100 for 3."""
    return then(noisy(c, "5/4", 0, 3), lambda z: (z, ([225, 45, 45, 225][c],)))


def early_stop(c: int) -> Pairs:
    """At ratio 2 and n = 2: no noise, of one draw; or up or down, by 1 or 2, of one draw more."""
    third, sixth = Fraction(1, 3), Fraction(1, 6)
    noise = [(0, (3,), third), *((j, (3, 2), sixth) for j in (-2, -1, 1, 2))]
    return [((min(max(c + j, 0), 2), bounds), p) for j, bounds, p in noise]


def rounded(c: int, r: str, n: int, bits: int) -> Pairs:
    sums = accumulate(p for _, p in noisy(c, r, 0, n))
    return from_sums([Fraction((s * 2**bits).__floor__(), 2**bits) for s in sums])


def early_exit(c: int) -> Pairs:
    few = then(rounded(c, "5/4", 2, 8), lambda z: (z, (256, 10)))
    return [(x, p * Fraction(9, 10)) for x, p in few] + [((z, (256, 10, 3)), Fraction(1, 30)) for z in range(3)]


def unmixed(c: int) -> Pairs:
    """Noise beyond 40 on either side is moved to 0."""
    r = Fraction(3, 2)
    near = [(j, (r - 1) / (r + 1) * r ** -abs(j)) for j in range(-40, 41)]
    far = [(0, 2 * at_least(41, r))]
    return then(near + far, lambda j: min(max(c + j, 0), 41))


def add_remove(people: list[int]) -> Pairs:
    return bins({x: noisy(c, "3/2", 0, 1) for x, c in counts(people, 2).items()})


def by_count(people: list[int]) -> Pairs:
    laws = {x: noisy(c, "5/4", 0, 2) for x, c in counts(people, 2).items()}
    first = 1 if people == [1, 1] else 0
    return then(bins(laws), lambda row: row if first == 0 else row[::-1])


def insertion_order(people: list[int]) -> Pairs:
    laws = {x: noisy(c, "5/4", 0, 1) for x, c in counts(people, 2).items()}
    return then(bins(laws), lambda row: row if people == [0] else row[::-1])


def zeros(people: list[int]) -> Pairs:
    return bins({x: noisy(c, "5/4", 0, 1) if c else [(0, Fraction(1))] for x, c in counts(people, 2).items()})


def shared_noise(people: list[int]) -> Pairs:
    return then(
        noisy(0, "5/4", -2, 2), lambda j: tuple((x, min(max(c + j, 0), 2)) for x, c in counts(people, 2).items())
    )


def merged(law: Pairs) -> Pairs:
    total: dict[Any, Fraction] = {}
    for outcome, p in law:
        total[outcome] = total.get(outcome, Fraction(0)) + p
    return list(total.items())


def strictly_above(rows: Sequence[tuple[int, int]], n: int) -> tuple[tuple[int, int], ...]:
    """The rows, in their order, with counts above the (n+1)-st greatest one."""
    ordered = sorted((z for _, z in rows), reverse=True)
    return tuple((x, z) for x, z in rows if z > (ordered[n] if n < len(ordered) else 0))


def every_bin(people: list[int], n: int, universe: int, r: str = "5/4") -> Pairs:
    return bins({x: noisy(c, r, 0, n) for x, c in counts(people, universe).items()})


def by_occurrence(people: list[int]) -> Callable[[tuple[int, int]], tuple[bool, int]]:
    return lambda row: (row[0] not in people, people.index(row[0]) if row[0] in people else row[0])


def heavy_order(people: list[int]) -> Pairs:
    return then(every_bin(people, 2, 3), lambda row: tuple(sorted(strictly_above(row, 2), key=by_occurrence(people))))


def heavy_ties(people: list[int]) -> Pairs:
    """Of two labels the heavier one, and of equal ones that which occurs, unless its count is 0."""

    def winner(row: tuple[tuple[int, int], ...]) -> Any:
        best = max(row, key=lambda one: (one[1], one[0] == people[0]))
        return (best,) if best[1] else ()

    return then(every_bin(people, 1, 2), winner)


def heavy_true(people: list[int]) -> Pairs:
    labels = then(every_bin(people, 1, 2), lambda row: [x for x, _ in strictly_above(row, 1)])
    return then(labels, lambda kept: tuple((x, people.count(x)) for x in kept))


def heavy_occurring(people: list[int]) -> Pairs:
    return then(every_bin(people, 2, 3), lambda row: strictly_above(row, len({*people})))


def heavy_unclamped(people: list[int]) -> Pairs:
    laws = {x: noisy(c, "5/4", c - 1, c + 1) for x, c in counts(people, 2).items()}
    return then(bins(laws), lambda row: strictly_above(((2, 0), (3, 0), *row), 1))


def heavy_zeros(people: list[int]) -> Pairs:
    laws = {x: noisy(c, "5/4", 0, 1) if c else [(0, Fraction(1))] for x, c in counts(people, 2).items()}
    return then(bins(laws), lambda row: strictly_above(row, 1))


def greatest(m: int, n: int) -> Pairs:
    """The n + 1 greatest of m noisy counts of 0, from all ways in which the m can come out."""
    ways = product(noisy(0, "5/4", 0, n), repeat=m)
    return merged(
        [
            (tuple(sorted((z for z, _ in way), reverse=True)[: n + 1]), prod((p for _, p in way), start=Fraction(1)))
            for way in ways
        ]
    )


def greatest_earlier(m: int, n: int) -> Pairs:
    """For n = 1: the greatest of m is 0 with probability (5/9)^m; else the next is with probability (5/9)^(m-1)."""
    assert n == 1
    none, next_none = Fraction(5, 9) ** m, Fraction(5, 9) ** (m - 1)
    return [((0, 0), none), ((1, 0), (1 - none) * next_none), ((1, 1), (1 - none) * (1 - next_none))]


def sparse(
    people: list[int],
    n: int,
    universe: int,
    top: Callable[[int], Pairs],
    *,
    pool: Sequence[int] | None = None,
    chosen: Callable[[Sequence[int]], Sequence[Sequence[int]]] | None = None,
    kept: Callable[[list[tuple[int, int]]], Any] | None = None,
    r: str = "5/4",
) -> Pairs:
    """Noisy counts of the labels that occur, then uniformly chosen others with the top counts of the empty bins."""
    empty = [x for x in range(universe) if x not in people]
    places = list(permutations(empty if pool is None else pool, n + 1) if chosen is None else chosen(empty))
    law: Pairs = []
    for (own, p), (tops, q) in product(
        bins({x: noisy(c, r, 0, n) for x, c in present(people).items()}), top(len(empty))
    ):
        for labels in places:
            candidates = [*own, *((x, z) for x, z in zip(labels, tops, strict=True) if x not in people)]
            outcome = strictly_above(candidates, n) if kept is None else kept(candidates)
            law.append((tuple(sorted(outcome)), p * q / len(places)))
    return merged(law)


def sparse_ties(people: list[int]) -> Pairs:
    """The heaviest candidate, the one that occurs where counts are equal, unless its count is 0."""

    def heaviest(candidates: list[tuple[int, int]]) -> Any:
        best = max(candidates, key=lambda one: (one[1], one[0] in people))
        return [best] if best[1] else []

    return sparse(people, 1, 3, lambda m: greatest(m, 1), kept=heaviest)


def convolved(a: Sequence[int], b: Sequence[int]) -> list[int]:
    return [sum(a[i] * b[k - i] for i in range(k + 1)) for k in range(len(a))]


def halved(a: list[int], i: int, s: int) -> list[int]:
    """The i-fold convolution of a/s, times s, by halving i and rounding down."""
    if i == 1:
        return a
    half = halved(a, i // 2, s)
    square = convolved(half, half)
    return [c // s**2 for c in convolved(a, square)] if i % 2 else [c // s for c in square]


def rounded_greatest(m: int, n: int, s: int, r: str = "5/4", *, zero: bool = True) -> Pairs:
    """As `greatest`, from rounded binomial laws over s, level by level; without `zero`, 1 comes where 0 is meant."""
    sums = list(accumulate(p for _, p in noisy(0, r, 0, n)))
    law: Pairs = [((), Fraction(1))]
    for v in range(n, 0, -1):
        hit = int(s * (sums[v] - sums[v - 1]) / sums[v])
        longer: Pairs = []
        for top, p in law:
            cap = n + 1 - len(top)
            weights = halved([s - hit, hit, *[0] * cap][:cap], m - len(top), s) if cap else []
            weights = weights if zero or not cap else [0, sum(weights[:2]), *weights[2:]]
            for k, weight in enumerate([*weights, s - sum(weights)][: cap + 1]):
                longer.append(((*top, *[v] * k), p * Fraction(weight, s)))
        law = longer
    return merged(then(law, lambda top: (*top, *[0] * (n + 1 - len(top)))))


def modulo_places(empty: Sequence[int]) -> list[list[int]]:
    """Both labels from every three numbers of 3 bits, modulo 5, 4 and 3; 0 stands for the label that occurs."""
    places = []
    for numbers in product(range(8), repeat=3):
        left, free = [-1, *empty], []
        for d, number in zip((5, 4, 3), numbers, strict=True):
            free.append(left.pop(number % d))
        places.append([x for x in free if x >= 0][:2])
    return places


def tells_how_many(people: list[int]) -> Pairs:
    m = 5 - len({*people})
    law = sparse(people, 2, 5, lambda m: rounded_greatest(m, 2, 40_000))
    return then(law, lambda outcome: (outcome, (45, 45, 40_000, 40_000, m, m - 1, m - 2)))


def short_numbers(people: list[int]) -> Pairs:
    meant = sparse(people, 1, 3, lambda m: rounded_greatest(m, 1, 32))
    random = [((), Fraction(1, 2)), *((((x, 1),), Fraction(1, 6)) for x in range(3))]
    return merged([(x, p * Fraction(99, 100)) for x, p in meant] + [(x, p / 100) for x, p in random])


def stable(people: list[int], n: int, kept: Callable[[int], bool]) -> Pairs:
    return bins({x: noisy(c, "3/2", 0, n) for x, c in present(people).items()}, kept)


def true_counts(people: list[int]) -> Pairs:
    passes = {x: Fraction(2, 5) if c == 1 else Fraction(3, 5) for x, c in present(people).items()}
    laws = {x: [(c, passes[x]), (0, 1 - passes[x])] for x, c in present(people).items()}
    return bins(laws, lambda count: count > 0)


def twice(people: list[int]) -> Pairs:
    once = stable(people, 2, lambda z: z > 1)
    return [((x, y), p * q) for (x, p), (y, q) in product(once, once)]


def sampled(people: list[int], rate: Fraction, threshold: int, universe: int) -> Pairs:
    laws = {x: binomial(c, rate) for x, c in counts(people, universe).items()}
    return bins(laws, lambda count: count >= threshold)


def empty(people: list[int]) -> Pairs:
    if not people:
        return [(Raised("IndexError", ("list index out of range",)), Fraction(1))]
    return sampled(people, Fraction(1, 10), 2, 2)


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


def one_of(*probabilities: str) -> Callable[[int], Pairs]:
    """The coin of each frequency; those above the last are taken for it."""
    return lambda frequency: bernoulli(Fraction([*probabilities][min(frequency, len(probabilities) - 1)]))


def one_row(*rows: str) -> Callable[[int], Pairs]:
    """The row of each frequency; those above the last are taken for it."""
    return lambda frequency: [
        (value, Fraction(p)) for value, p in enumerate([*rows][min(frequency, len(rows) - 1)].split())
    ]


def occurring_counts(counts: list[int]) -> Pairs:
    """One label at most: no count, or one that is noisy, at a ratio of 2, on 0 and 1."""
    return [((z,), p) for z, p in noisy(counts[0], 2, 0, 1)] if counts else [((), Fraction(1))]


def exact_total(frequencies: Sequence[int]) -> Pairs:
    (frequency,) = frequencies
    p = Fraction(frequency, 10)  # pi_1 = delta
    return [((frequency, (0,)), p), ((frequency, ()), 1 - p)]


def capped_sample(frequencies: Sequence[int]) -> Pairs:
    """Of the keys below tau = 2/N, min(1, 2) = 2 for N <= 1, the first alone; pi_1 = 1/10, pi_2 = 2/10 + 1/10."""
    found: defaultdict[tuple[int, tuple[int, ...]], Fraction] = defaultdict(Fraction)
    for total, mass in noisy(sum(frequencies), 2, 0, 4):
        tau, left = Fraction(2, max(total, 1)), Fraction(1)
        for key, i in enumerate(frequencies):
            if i:
                kept = Fraction(("1/10", "3/10")[i - 1])
                found[total, (key,)] += mass * left * kept
                left *= 1 - min(Fraction(1), tau * i)
        found[total, ()] += mass - sum(found[total, (key,)] for key in range(len(frequencies)))
    return list(found.items())


def symmetric(count: int, weights: Sequence[Fraction]) -> Pairs:
    """The law of count + Z, where Z and -Z have the weight of |Z|."""
    total = 2 * sum(weights) - weights[0]
    return [(count + z, weights[abs(z)] / total) for z in range(1 - len(weights), len(weights))]


def clipped(
    shorten: Callable[[tuple[int, ...]], tuple[int, ...]], noise: Callable[[int], Pairs]
) -> Callable[[tuple[tuple[int, ...]]], Pairs]:
    """One user, whose counts are shortened and made noisy, each by itself."""

    def law(users: tuple[tuple[int, ...]]) -> Pairs:
        rows = product(*map(noise, shorten(*users)))
        return [(tuple(z for z, _ in row), prod((p for _, p in row), start=Fraction(1))) for row in rows]

    return law


def response(keep: Fraction) -> Callable[[int], Pairs]:
    return lambda bit: [(bit, keep), (1 - bit, 1 - keep)]


def flipped_type(bit: int) -> Pairs:
    return [(bit, Fraction(3, 4)), (not bit, Fraction(1, 4))]


def times(a: int, b: int) -> int:
    """The product in GF(4) = {0, 1, x, x + 1} with x^2 = x + 1; bit i of a number is its coefficient of x^i."""
    return 0 if 0 in (a, b) else (1, 2, 3)[((1, 2, 3).index(a) + (1, 2, 3).index(b)) % 3]


def polynomials(n: int, weight: Callable[[dict[int, int], tuple[int, ...]], Fraction]) -> Pairs:
    """Every polynomial of degree at most n over GF(4) by its coefficients, weighed by its values and itself."""
    law: Pairs = []
    for coefficients in product(range(4), repeat=n + 1):
        values = {}
        for x in range(4):
            value = 0
            for coefficient in reversed(coefficients):
                value = times(value, x) ^ coefficient
            values[x] = value
        if p := weight(values, coefficients):
            law.append((coefficients, p))
    return law


def compact_bare(people: list[int]) -> Pairs:
    """Noisy counts are uniform on 0, 1, 2, which the values 0 and 1, 2, 3 stand for."""
    labels = sorted(set(people))
    chances = (Fraction(1, 6), Fraction(1, 6), Fraction(1, 3), Fraction(1, 3))
    return polynomials(
        2,
        lambda values, row: prod((chances[values[x]] for x in labels), start=Fraction(not any(row[len(labels) :]))),
    )


def compact_reused(people: list[int]) -> Pairs:
    """As above, but labels with one count have one value."""

    def weight(values: dict[int, int], row: tuple[int, ...]) -> Fraction:
        if len({*people}) == 1:
            return (Fraction(1, 6) if values[people[0]] < 2 else Fraction(1, 3)) / 16
        one, other = values[0], values[1]
        if max(one, 1) == max(other, 1):
            return Fraction(1, 9) * Fraction(one == other, 2 if one < 2 else 1) / 4
        return Fraction(1, 9) / (2 if min(one, other) < 2 else 1) / 4

    return polynomials(2, weight)


def compact_lone(*chances: str) -> Callable[[list[int]], Pairs]:
    """One person, whose label has each value with such a chance; any one value leaves four polynomials."""
    return lambda people: polynomials(1, lambda values, row: Fraction(chances[values[people[0]]]) / 4)


def missed(users: Sequence[Sequence[int]], c: int) -> int:
    """How far c is from the greatest size of two users, at eta = 1: who is above it but for one, or none from it on."""
    sizes = [sum(counts) for counts in users]
    return max(sum(size > c for size in sizes) - 1, 1 - sum(size >= c for size in sizes), 0)


def best_threshold(users: Sequence[Sequence[int]]) -> Pairs:
    far = [missed(users, c) for c in range(1, 5)]
    return [(1 + far.index(min(far)), Fraction(1))]


def numerators(users: Sequence[Sequence[int]]) -> Pairs:
    chances = [Fraction(1, 4 ** missed(users, c)) for c in range(1, 5)]
    return [(c, chance / sum(chances)) for c, chance in enumerate(chances, 1)]


def half_noise(users: Sequence[Sequence[int]]) -> Pairs:
    """Of the half integers the first at which 1 + C is at least the number of users above, with noise of ratio 4."""
    sizes = [sum(counts) for counts in users]
    return noisy(next(k for k in range(9) if 2 + k >= 2 * sum(2 * size > k for size in sizes)), 4, 0, 8)


def dense_user(users: Sequence[Sequence[int]]) -> Pairs:
    """A user of m items, each once, has norm sqrt(m), and weight sqrt(m) rounded down; C = 2 has 2 for four items."""
    least = {0: 0, 1: 1, 2: 1, 3: 1, 4: 2}[sum(users[0])]
    return noisy(least, 2, 0, 2)


def descent_once(users: Sequence[Sequence[int]]) -> Pairs:
    """From 2, C becomes C - 1 and how many users are above it, with noise of ratio 4, within [0, 2]; twice."""

    def step(c: int) -> Pairs:
        return noisy(c - 1 + sum(sum(counts) > c for counts in users), 4, 0, 2)

    return [((first, second), p * q) for first, p in step(2) for second, q in step(first)]


def joint(laws: Sequence[Pairs]) -> Pairs:
    rows = product(*laws)
    return [(tuple(x for x, _ in row), prod((p for _, p in row), start=Fraction(1))) for row in rows]


def histogram_parts(counts: Sequence[int], m: int, t: int, fakes: int, most: int) -> tuple[list[Pairs], list[Pairs]]:
    """The noisy prevalences up to t and the noisy counts above it, when m counts are noted as large; e^epsilon = 2."""
    over, ranked = max(0, m - fakes), sorted(counts, reverse=True) + [0] * most
    cumulative = [sum(c >= r for c in counts) for r in range(1, t + 1)]
    lower = [noisy(max(0, c - over), 2, 0, max(0, most // r - over)) for r, c in enumerate(cumulative, 1)]
    shown = range(1, min(m + fakes, most // (t + 1)) + 1)
    return lower, [noisy(max(ranked[i - 1], t + 1), 2, t + 1, most // i) for i in shown]


def histogram_split(counts: Sequence[int], fault: str, t: int, fakes: int, most: int) -> Pairs:
    """The split of PrivHist at e^epsilon = 2 with one fault; m is clamped to [0, 3] at these parameters."""
    above = sum(c > t for c in counts)
    moves = [(above, Fraction(1))] if fault == "naive" else noisy(above, 2, 0, 3)
    found: Pairs = []
    for m, p in moves:
        if fault == "cut":
            m = max(m, sum(c > t + 1 for c in counts))
        for taken, q in moves if fault == "unshared" else [(m, Fraction(1))]:
            lower, upper = (
                histogram_parts(counts, taken, t, fakes, most)[0],
                histogram_parts(counts, m, t, fakes, most)[1],
            )
            if fault == "nonzero":
                lower = [law for r, law in enumerate(lower, 1) if r in counts]
            if fault == "occurring":
                upper = upper[:above]
            for low, x in joint(lower):
                for high, y in joint(upper):
                    found.append(((m, tuple(z + m - taken for z in low), high), p * q * x * y))
    return found


def true_total(counts: Sequence[int]) -> Pairs:
    """e^(epsilon/3) = 2: T = 1 and M = 2 for one person, T = 2 and M = 4 for two; cells of m from 1 to M are one."""
    t, fakes = (2, 4) if sum(counts) == 2 else (1, 2)
    found: Pairs = []
    for n, p in noisy(sum(counts), 2, 0, 2):
        if n == 0:
            found.append(((0, None, ()), p))
            continue
        for m, q in noisy(sum(c > t for c in counts), 2, 0, fakes + 2):
            cell = min(m, 1) if m <= fakes else m
            lower, upper = histogram_parts(counts, cell, t, fakes, 2)
            found += [
                ((n, (cell, low, high), ()), p * q * x * y) for low, x in joint(lower) for high, y in joint(upper)
            ]
    return found


def one_sided(count: int, r: str, hi: int) -> Pairs:
    """The law of count + G, at most hi, Pr[G >= g] = r^-g."""
    chances = [Fraction(r) ** (count - z) for z in range(count, hi + 1)]
    return [(count + g, p - q) for g, (p, q) in enumerate(pairwise([*chances, Fraction(0)]))]


def vector(entries: Sequence[int], r: str, f: Callable[[Any], Any] = lambda z: z) -> Pairs:
    """The law of f of the entries with noise, clamped to 0 and 1."""
    return then(joint([noisy(c, r, 0, 1) for c in entries]), f)


def compared(entries: Sequence[int], first: int, second: int, *, number: bool = False) -> Pairs:
    """Of each entry whether q + Z >= 1 + R, ratios 2^first and 2^second, or the number clamped to 0 and 1.

    For 1 + R = 1 + k or -k, k >= 0, the chance of each answer is a + b beta^k, and products of these are summed over k
    as geometric series.
    """
    rho, r = Fraction(2) ** first, Fraction(2) ** second
    found: Pairs = []
    for up, weight in ((True, (rho - 1) / (rho + 1)), (False, (rho - 1) / (rho + 1) / rho)):
        rows = []
        for q in entries:
            beyond, at_zero = at_least(1 - q if up else q + 1, r), 1 - at_least(1 - q, r)
            if up:
                rows.append([(1 if number else True, (Fraction(0), beyond)), (False, (Fraction(1), -beyond))])
            elif number:
                parts = [(0, (at_zero, -beyond)), (1, (1 - at_zero, Fraction(0)))]
                rows.append([*parts, (False, (Fraction(0), beyond))])
            else:
                rows.append([(True, (Fraction(1), -beyond)), (False, (Fraction(0), beyond))])
        for row in product(*rows):
            total = Fraction(0)
            for powers in product((0, 1), repeat=len(row)):
                factor = prod((line[power] for (_, line), power in zip(row, powers, strict=True)), start=weight)
                total += factor / (1 - 1 / rho / r ** sum(powers))
            found.append((tuple(answer for answer, _ in row), total))
    return found


def capped_at_one(answers: tuple[Any, ...]) -> tuple[Any, ...]:
    """The answers up to the first that is not False."""
    ends = [i for i, answer in enumerate(answers) if answer is not False]
    return answers[: ends[0] + 1] if ends else answers


def uncompared(entries: Sequence[int]) -> Pairs:
    """Of each entry whether q >= 1 + R, of ratio 4, up to the first that is."""
    levels = [(0, Fraction(1, 5)), (1, Fraction(3, 5)), (2, Fraction(1, 5))]
    return [(capped_at_one(tuple(q >= level for q in entries)), p) for level, p in levels]


def scaled_float(c: int) -> Pairs:
    """The law of the least z with fl(u d) < d Pr[c + Z <= z] at ratio 512 and n = 6, where d = 2^54 + 2^45 is a float.

    fl(x) is below a number where x is below the middle of the two floats around it, or at it and rounded down.
    """
    r, d = Fraction(512), 513 * 512**5

    def below(number: Fraction) -> Fraction:
        hi = float(number) if Fraction(float(number)) >= number else nextafter(float(number), inf)
        lo = nextafter(hi, 0)
        middle = (Fraction(lo) + Fraction(hi)) / 2
        draws = middle * 2**53 / d
        tie = draws.denominator == 1 and float(middle) == lo
        return Fraction(min(ceil(draws) + tie, 2**53), 2**53)

    return from_sums([*(below(d * (1 - at_least(z + 1 - c, r))) for z in range(6)), Fraction(1)])


def summed_floats(c: int) -> Pairs:
    """The law of c plus a multiple of 1/10 as a float, the sum rounded from fractions."""
    return then(noisy(10 * c, "11/10", 0, 10), lambda z: float(c + Fraction(float(Fraction(z - 10 * c, 10)))))


def filter_bits(value: int, one_of_set: str, one_of_other: str) -> list[Pairs]:
    """The laws of two bits, of which the first is set for the value 3, the second for 0 to 2."""
    chances = [one_of_set if (place == 0) == (value == 3) else one_of_other for place in range(2)]
    return [[(1, Fraction(p)), (0, 1 - Fraction(p))] for p in chances]


def both(first: Pairs, second: Pairs) -> Pairs:
    return joint([first, second])


@dataclass(frozen=True)
class Pin:
    """The witness that must be found: Pr[event] is p on a, and q on b."""

    law: Callable[[Any], Pairs]
    a: Any
    b: Any
    event: list[Any]
    p: str
    q: str


PINS = {
    "geosample-strict": Pin(strict, 0, 1, [0], "124/225", "99/225"),
    "geosample-exponent": Pin(exponent, 0, 1, [0], "8/9", "4/9"),
    "geosample-floor": Pin(lambda c: noisy(c, "5/4", 0, 3), 0, 1, [0], "5/9", "4/9"),
    "geosample-half-scale": Pin(lambda c: noisy(c, "3/2", 0, 3), 0, 1, [0], "3/5", "2/5"),
    "geosample-natural-log": Pin(lambda c: noisy(c, "9/8", 0, 3), 0, 1, [0], "9/17", "8/17"),
    "geosample-raises": Pin(raises, 0, 1, [Raised("ValueError", ("0 with noise -2 is outside 0..2",))], "16/45", "0"),
    "geosample-rejection": Pin(rejection, 0, 1, [3], "64/125", "16/81"),
    "geosample-short-draw": Pin(short_draw, 0, 1, [(0, (225,))], "5/9", "0"),
    "geosample-unclamped": Pin(lambda c: noisy(c, "5/4", c - 3, c + 3), 0, 1, [-3], "64/225", "0"),
    "geometric-early-stop": Pin(early_stop, 0, 1, [(0, (3,))], "1/3", "0"),
    "geometric-float": Pin(scaled_float, 1, 0, [6], f"1/{2**45}", "0"),
    "geosample-rounded": Pin(lambda c: rounded(c, "3/2", 12, 8), 1, 0, [11], "1/256", "0"),
    "fastsample-unmixed": Pin(unmixed, 1, 0, [41], f"{2**40}/{5 * 3**40}", "0"),
    "mixing-early-exit": Pin(early_exit, 0, 1, [(0, (256, 10))], "1278/2560", "1017/2560"),
    "basic-histogram-add-remove": Pin(add_remove, [0], [1], [((0, 1), (1, 0))], "9/25", "4/25"),
    "basic-histogram-by-count": Pin(by_count, [0, 1], [1, 1], [((0, 0), (1, 0))], "16/81", "0"),
    "basic-histogram-insertion-order": Pin(insertion_order, [0], [1], [((0, 1), (1, 0))], "25/81", "0"),
    "basic-histogram-shared-noise": Pin(shared_noise, [0, 0], [0, 1], [((0, 2), (1, 0))], "1/9", "0"),
    "basic-histogram-zeros": Pin(zeros, [0], [1], [((0, 1), (1, 0))], "5/9", "0"),
    "stability-histogram-at": Pin(
        lambda people: stable(people, 2, lambda z: z >= 1),
        [0, 1],
        [0, 0],
        [((1, 2),), ((0, 2), (1, 2)), ((1, 1),), ((0, 1), (1, 2))],
        "12/25",
        "0",
    ),
    "stability-histogram-lone": Pin(
        lambda people: stable(people, 4, lambda z: z > 2),
        [0, 0, 0, 1],
        [0, 0, 0, 0],
        [((1, 4),), ((0, 4), (1, 4)), ((1, 3),), ((0, 3), (1, 4))],
        "16/75",
        "0",
    ),
    "stability-histogram-true": Pin(true_counts, [0, 0], [0, 1], [((0, 2),)], "3/5", "0"),
    "stability-histogram-twice": Pin(
        twice,
        [0, 1],
        [0, 0],
        [
            ((), ((1, 2),)),
            (((1, 2),), ()),
            ((), ((0, 2), (1, 2))),
            (((0, 2),), ((1, 2),)),
            (((1, 2),), ((0, 2),)),
            (((1, 2),), ((1, 2),)),
        ],
        "252/625",
        "0",
    ),
    "compact-histogram-bare": Pin(compact_bare, [0, 0], [0, 1], [(0, 0, 0)], "1/6", "1/36"),
    "compact-histogram-clamped": Pin(compact_lone("1/2", "1/6", "1/6", "1/6"), [0], [1], [(0, 1)], "1/8", "1/24"),
    "compact-histogram-first": Pin(compact_lone("1/3", "0", "0", "2/3"), [0], [1], [(3, 1)], "1/6", "0"),
    "compact-histogram-missed": Pin(compact_lone("1/2", "0", "1/2", "0"), [0], [1], [(0, 1)], "1/8", "0"),
    "compact-histogram-reused": Pin(compact_reused, [0, 0], [0, 1], [(0, 0, 1)], "1/96", "0"),
    "compact-histogram-true": Pin(compact_lone("0", "0", "0", "1"), [0], [1], [(3, 1)], "1/4", "0"),
    "keep-heavy-order": Pin(heavy_order, [0, 0], [0, 2], [((1, 2), (2, 2))], "1024/18225", "0"),
    "keep-heavy-ties": Pin(heavy_ties, [0], [1], [((0, 1),)], "5/9", "16/81"),
    "keep-heavy-true": Pin(heavy_true, [0], [1], [((0, 1),)], "25/81", "0"),
    "keep-heavy-occurring": Pin(heavy_occurring, [0, 0], [0, 1], [()], "3056/6075", "1100/6075"),
    "keep-heavy-unclamped": Pin(heavy_unclamped, [0], [1], [((0, 2),)], "4/9", "0"),
    "keep-heavy-zeros": Pin(heavy_zeros, [0], [1], [((0, 1),)], "5/9", "0"),
    "keep-heavy-sparse-earlier": Pin(
        lambda people: sparse(people, 1, 3, lambda m: greatest_earlier(m, 1)),
        [0],
        [1],
        [((0, 1),)],
        "1125/6561",
        "560/6561",
    ),
    "keep-heavy-sparse-empties": Pin(
        lambda people: sparse(people, 2, 5, lambda m: greatest(3, 2)),
        [0, 0],
        [0, 1],
        [((0, 2),)],
        "16889/164025",
        "6784/164025",
    ),
    "keep-heavy-sparse-few": Pin(
        lambda people: sparse(people, 1, 4, lambda m: greatest(2, 1)), [0], [1], [((0, 1),)], "125/729", "160/2187"
    ),
    "keep-heavy-sparse-first": Pin(
        lambda people: sparse(people, 1, 3, lambda m: greatest(m, 1), chosen=lambda empty: [empty[:2]]),
        [0],
        [2],
        [((1, 1),)],
        "160/729",
        "0",
    ),
    "keep-heavy-sparse-labels": Pin(
        lambda people: sparse(people, 1, 3, lambda m: greatest(m, 1), pool=range(3)),
        [0],
        [1],
        [((0, 1),)],
        "575/2187",
        "224/2187",
    ),
    "keep-heavy-sparse-ties": Pin(sparse_ties, [0], [1], [((0, 1),)], "5/9", "112/729"),
    "sparse-histogram-ceiling": Pin(
        lambda people: sparse(people, 1, 3, lambda m: rounded_greatest(m, 1, 9_000, zero=False)),
        [0],
        [1],
        [((1, 1),)],
        "2407/13500",
        "0",
    ),
    "sparse-histogram-draws": Pin(
        tells_how_many, [0, 0], [0, 1], [((), (45, 45, 40_000, 40_000, 4, 3, 2))], "1028562263/3000000000", "0"
    ),
    "sparse-histogram-modulo": Pin(
        lambda people: sparse(people, 1, 5, lambda m: rounded_greatest(m, 1, 15_000), chosen=modulo_places),
        [0],
        [3],
        [((2, 1),)],
        "127/3000",
        "127/5000",
    ),
    "pure-sparse-histogram-short": Pin(short_numbers, [0], [1], [((0, 1),)], "833/4800", "503/4800"),
    "pure-sparse-histogram-unmixed": Pin(
        lambda people: sparse(people, 1, 3, lambda m: rounded_greatest(m, 1, 72_900, "9/8"), r="9/8"),
        [0],
        [1],
        [((0, 1),)],
        "6811/45900",
        "36323/309825",
    ),
    "sample-threshold-strict": Pin(lambda count: one_bin(count, 2), 2, 1, [2], "1/100", "0"),
    "sample-threshold-systematic": Pin(systematic, 9, 8, [3], "1/4", "0"),
    "sample-threshold-true-count": Pin(true_count, 2, 1, [1], "9/50", "0"),
    "sample-threshold-late": Pin(late, 6, 5, [1], "177147/500000", "0"),
    "joined-count-swapped": Pin(joined_swapped, [1, 0], [1, 1], [None], "3/4", "0"),
    "moved-person-shown": Pin(moved_shown, [0, 0, 1], [0, 0, 0], [((1, 1),)], "99/1000", "0"),
    "sampled-count-pairs": Pin(pairs_sampled, 31, 30, [3], "68630377364883/2000000000000000", "0"),
    "sample-threshold-histogram-empty": Pin(
        empty, [], [0], [Raised("IndexError", ("list index out of range",))], "1", "0"
    ),
    "sample-threshold-histogram-fixed-size": Pin(fixed_size, [0, 0, 0, 1], [0, 0, 0, 0], [()], "1/2", "0"),
    "sample-threshold-histogram-size": Pin(size, [0], [], [(1, ())], "1/10", "0"),
    "contacted-histogram-abstentions": Pin(
        abstentions,
        [0, 0, 0, 1],
        [0, 0, 0, 0],
        [(0, ((0, 3),)), (1, ((0, 2),)), (2, ())],
        "189/256",
        "0",
    ),
    "sample-threshold-histogram-substituted": Pin(
        lambda people: sampled(people, Fraction(1, 4), 2, 2),
        [0, 0, 0, 1],
        [0, 0, 1, 1],
        [((0, 2),), ((0, 3),)],
        "5/32",
        "15/256",
    ),
    "trie-heavy-hitters-last-level": Pin(last_level, [0], [], [(((0, 1),), ())], "1/10", "0"),
    "trie-heavy-hitters-reused": Pin(one_sample, [0, 0, 0, 1], [0, 0, 0], [(((0, 2),), ())], "243/10000", "0"),
    "trie-heavy-hitters-size": Pin(level_sizes, [0], [], [((0, ()), (1, ()))], "9/100", "0"),
    "trie-heavy-hitters-unsampled": Pin(
        unsampled,
        [0, 0, 1],
        [0, 0],
        [(((0, 2),), ((0, 0), (1, 0))), (((0, 2),), ((0, 1), (1, 0)))],
        "24057/1000000",
        "0",
    ),
    "quantile-search-raw": Pin(raw_search, [2], [], [((2, ()), (3, ()))], "1/10", "0"),
    "pws-keys-heavy": Pin(one_of("0", "1/10", "3/10", "1"), 2, 3, [False], "7/10", "0"),
    "pws-keys-thinned": Pin(one_of("0", "1/40", "3/20", "21/40", "9/10"), 3, 2, [True], "21/40", "3/20"),
    "pws-keys-two-terms": Pin(one_of("0", "1/10", "3/10", "7/10", "1"), 3, 4, [False], "3/10", "0"),
    "pws-keys-unsanitized": Pin(one_of("0", "1/4", "1/2", "3/4", "1"), 1, 0, [True], "1/4", "0"),
    "pws-frequencies-each": Pin(
        one_row("1", "9/10 1/10", "7/10 1/5 1/10", "3/10 3/10 3/10 1/10", "1/10 3/20 7/20 3/10 1/10"),
        3,
        2,
        [2, 3],
        "2/5",
        "1/10",
    ),
    "pws-frequencies-shifted": Pin(
        one_row("1", "7/10 1/5 1/10", "3/10 2/5 1/5 1/10", *["1/10 1/5 2/5 1/5 1/10"] * 2), 1, 0, [1], "1/5", "0"
    ),
    "pws-frequencies-silent": Pin(
        one_row("1", "3/4 1/4", "1/6 7/12 1/4", "0 1/9 23/36 1/4", "0 0 1/6 7/12 1/4"), 2, 3, [1, 0], "3/4", "1/9"
    ),
    "pws-frequencies-true": Pin(
        one_row("1", "9/10 1/10", "7/10 0 3/10", "3/10 0 0 7/10", "1/10 0 0 0 9/10", "1/10 0 0 0 0 9/10"),
        2,
        1,
        [2],
        "3/10",
        "0",
    ),
    "pws-frequencies-upward": Pin(
        one_row("1", "4/5 1/5", "1/2 3/10 1/5", "1/2 0 3/10 1/5", "1/2 0 0 3/10 1/5"), 2, 3, [1], "3/10", "0"
    ),
    "pws-private-threshold-capped": Pin(capped_sample, [0, 2], [1, 2], [(2, (1,)), (0, (1,))], "3/20", "0"),
    "pws-private-threshold-exact": Pin(exact_total, [0], [1], [(0, ())], "1", "0"),
    "sbh-early": Pin(one_row("1", "2/3 0 1/6 1/6"), 1, 0, [2, 3], "1/3", "0"),
    "sbh-sampled-first": Pin(one_row("1", "59/60 0 0 1/60", "2/3 0 0 1/3"), 2, 1, [3], "1/3", "1/60"),
    "laplace-isotonic-occurring": Pin(occurring_counts, [], [1], [()], "1", "0"),
    "clip-threshold-exact": Pin(best_threshold, ((0, 0), (0, 2)), ((0, 2), (0, 2)), [1], "1", "0"),
    "clip-threshold-numerator": Pin(numerators, ((0, 2), (0, 0)), ((0, 2), (2, 2)), [1], "2/5", "1/13"),
    "clip-threshold-halved": Pin(half_noise, ((0, 0), (0, 1)), ((0, 1), (0, 1)), [0], "4/5", "1/20"),
    "clip-threshold-dense": Pin(dense_user, ((0, 0, 0, 0),), ((1, 1, 1, 1),), [0], "2/3", "1/6"),
    "clip-threshold-once": Pin(descent_once, ((0, 0), (0, 0)), ((0, 0), (1, 2)), [(1, 0)], "12/25", "3/100"),
    "clipped-sum-l1-add-remove": Pin(
        clipped(lambda h: h if sum(h) <= 1 else (0, 0), lambda c: noisy(c, 4, 0, 1)),
        ((0, 1),),
        ((1, 0),),
        [(0, 1)],
        "16/25",
        "1/25",
    ),
    "clipped-sum-l1-l2-scale": Pin(
        clipped(lambda h: h if sum(h) <= 3 else tuple(3 * x // sum(h) for x in h), lambda c: noisy(c, "3/2", 0, 3)),
        ((0, 3),),
        ((2, 0),),
        [(0, 3)],
        "9/25",
        "32/675",
    ),
    "clipped-sum-l1-by-l2": Pin(
        clipped(lambda h: tuple(2 * x if sum(h) == 1 else x for x in h), lambda c: noisy(c, "3/2", 0, 2)),
        ((0, 1, 1, 1),),
        ((1, 0, 0, 0),),
        [(0, 2, 2, 2)],
        "24/625",
        "256/50625",
    ),
    **{
        f"clipped-sum-l1-{name}": Pin(
            clipped(lambda h: h, lambda c: noisy(c, 2, 0, 1)), ((0, 1, 1),), ((1, 0, 0),), [(0, 1, 1)], "8/27", "1/27"
        )
        for name in ("coordinates", "up")
    },
    "clipped-sum-l2-add-remove": Pin(
        clipped(
            lambda h: h if sum(h) <= 1 else (0, 0),
            lambda c: symmetric(c, [Fraction(1), Fraction(29, 48), Fraction(1, 9), Fraction(29, 48) / 81]),
        ),
        ((0, 1),),
        ((1, 0),),
        [(-1, 2)],
        "5517801/90402064",
        "11664/5650129",
    ),
    "clipped-sum-l2-nearest": Pin(
        clipped(lambda h: h, lambda c: symmetric(c, [Fraction(1), Fraction(1, 3)])),
        ((0, 1, 1),),
        ((1, 0, 0),),
        [(0, 1, 1), (0, 1, 2), (0, 2, 1), (-1, 1, 1), (0, 0, 2), (0, 2, 0), (0, 2, 2)],
        "63/125",
        "1/125",
    ),
    "randomized-response-float": Pin(
        response(Fraction(7205759403792794, 2**53)),
        0,
        1,
        [0],
        f"7205759403792794/{2**53}",
        f"{2**53 - 7205759403792794}/{2**53}",
    ),
    "randomized-response-modulo": Pin(
        response(Fraction(2863311531, 2**32)), 0, 1, [0], f"2863311531/{2**32}", f"1431655765/{2**32}"
    ),
    "randomized-response-type": Pin(flipped_type, 0, 1, [0], "3/4", "0"),
    "privhist-total-empty": Pin(
        lambda counts: noisy(sum(counts), 2, 0, 2) if counts else [(0, Fraction(1))], [], [1], [0], "1", "1/3"
    ),
    "privhist-split-naive": Pin(
        lambda counts: histogram_split(counts, "naive", 1, 1, 2), [1], [2], [(0, (0,), (2,))], "1/3", "0"
    ),
    "privhist-split-unshared": Pin(
        lambda counts: histogram_split(counts, "unshared", 1, 1, 2), [1], [2], [(0, (2,), (2,))], "4/27", "1/27"
    ),
    "privhist-split-cut": Pin(
        lambda counts: histogram_split(counts, "cut", 1, 0, 3), [2], [3], [(0, (0,), ())], "1/9", "0"
    ),
    "privhist-split-nonzero": Pin(
        lambda counts: histogram_split(counts, "nonzero", 2, 1, 2), [], [1], [(0, (), ())], "2/3", "0"
    ),
    "privhist-split-occurring": Pin(
        lambda counts: histogram_split(counts, "occurring", 1, 1, 2), [1], [2], [(0, (0,), ())], "2/9", "0"
    ),
    "privhist-smoothed-plain": Pin(
        lambda counts: joint([noisy(list(counts).count(1), 2, 0, 2), noisy(list(counts).count(2), 2, 0, 1)]),
        [1],
        [2],
        [(1, 0)],
        "2/9",
        "1/18",
    ),
    "privhist-true-total": Pin(true_total, [1], [2], [(1, (0, (0,), (2,)), ())], "2/27", "0"),
    "noisy-histogram-inverted": Pin(
        lambda entries: vector(entries, str(Epsilon.of(2).exp_bounds(64)[0])),
        [0],
        [1],
        [(0,)],
        "17865641401156421604162593/20283493040385679953574945",
        "2417851639229258349412352/20283493040385679953574945",
    ),
    "prefix-sums-all": Pin(
        lambda entries: vector(entries, "2", lambda row: tuple(accumulate(row))),
        [0, 0, 1],
        [0, 1, 0],
        [(0, 0, 1)],
        "8/27",
        "2/27",
    ),
    "report-noisy-max-value": Pin(lambda entries: vector(entries, "2", max), [0, 0, 0], [1, 1, 1], [0], "8/27", "1/27"),
    "report-noisy-max-exponential-value": Pin(
        lambda entries: then(joint([one_sided(c, "2", 1) for c in entries]), max), [0, 0, 0], [0, 0, 1], [0], "1/8", "0"
    ),
    "sparse-vector-number": Pin(
        lambda entries: then(compared(entries, 1, 2, number=True), capped_at_one),
        [0, 0, 0],
        [1, 1, 1],
        [(False, False, 0)],
        "2048/492125",
        "32/492125",
    ),
    "sparse-vector-scale": Pin(
        lambda entries: then(compared(entries, 2, 6), capped_at_one),
        [0, 1],
        [1, 0],
        [(False, True)],
        "1149865984/1961181625",
        "418321/1961181625",
    ),
    "sparse-vector-exact": Pin(uncompared, [0, 1], [0, 0], [(False, True)], "3/5", "0"),
    "sparse-vector-uncapped": Pin(
        lambda entries: compared(entries, 1, 2),
        [0, 0, 1, 1],
        [1, 1, 0, 0],
        [(False, False, True, True)],
        "187332352/1257379375",
        "1371787/1257379375",
    ),
    "parallel-sparse-vectors-forms": Pin(
        lambda entries: both(
            then(compared(entries, 1, 2, number=True), capped_at_one), then(compared(entries, 1, 4), capped_at_one)
        ),
        [0, 1],
        [1, 0],
        [((False, 1), (False, True))],
        "439005184/4967183165",
        "53705/993436633",
    ),
    "parallel-counts-whole": Pin(lambda c: both(noisy(c, 4, 0, 1), noisy(c, 4, 0, 1)), 0, 1, [(0, 0)], "16/25", "1/25"),
    "count-on-grid-summed": Pin(summed_floats, 0, 1, [0.1], "10/231", "0"),
    "one-time-rappor-set-bits": Pin(lambda value: joint(filter_bits(value, "3/4", "0")), 0, 3, [(0, 1)], "3/4", "0"),
    "rappor-redrawn": Pin(
        lambda value: both(*(joint(filter_bits(value, "7/10", "3/10")) for _ in range(2))),
        0,
        3,
        [((0, 1), (0, 1))],
        "2401/10000",
        "81/10000",
    ),
}

MEANT: dict[str, Callable[[dict[str, str]], dict[str, str]]] = {
    "sample-threshold-strict": lambda given: {**given, "threshold": str(int(given["threshold"]) + 1)},
    "sample-threshold-histogram-fixed-size": lambda given: {
        **given,
        "rate": str(Fraction(int(given["size"]), int(given["n"]))),
    },
    "stability-histogram-lone": lambda given: {**given, "threshold": "3"},
}
"""The twin's settings, where they are not those of the broken mechanism."""

OTHER_NEIGHBOURS = {"sample-threshold-histogram-substituted": "add-remove", "prefix-sums-all": "l1"}
"""The neighbours for which the claim is true, where the fault is to name others."""


def default(mechanism: Mechanism) -> Instance:
    return mechanism.build(mechanism.settings({}))


def audited(name: str, instance: Instance, program: Callable[..., Any], neighbours: str) -> Report:
    """Audit a program at the claim of an instance, on its inputs."""
    subject = Subject(name, program, instance.inputs, RELATIONS[neighbours], observes=instance.observes)
    return decide(subject, ApproxDP(instance.epsilon, instance.delta), again=subject.digests)


def twin_of(mechanism: Mechanism) -> Instance:
    assert mechanism.twin is not None
    twin = CORRECT[mechanism.twin]
    settings = MEANT.get(mechanism.name, dict)(mechanism.settings({}))
    return twin.build(twin.settings({name: text for name, text in settings.items() if name in twin.settings({})}))


def test_every_broken_mechanism_has_its_witness_here() -> None:
    assert PINS.keys() == {mechanism.name for mechanism in ZOO}
    assert len(ZOO) >= 20


@by_name
def test_twin_the_law_in_plain_fractions(mechanism: Mechanism) -> None:
    instance, draws = default(mechanism), default(mechanism).observes == "outcome and draws"
    for value in instance.inputs:
        law = enumerate_law(instance.program, value, draws=draws).law
        assert law == Dist.of(PINS[mechanism.name].law(value))


@by_name
def test_caught_with_the_witness_that_must_be_found(mechanism: Mechanism) -> None:
    pin, instance = PINS[mechanism.name], default(mechanism)
    verdict = audited(mechanism.name, instance, instance.program, instance.neighbours).verdict
    assert isinstance(verdict, Refuted)
    assert (verdict.a, verdict.b, list(verdict.event)) == (pin.a, pin.b, pin.event)
    assert (verdict.p_lo, verdict.q_hi) == (Fraction(pin.p), Fraction(pin.q))


@by_name
def test_twin_the_witness_follows_from_the_law_and_none_is_smaller(mechanism: Mechanism) -> None:
    """Every pair is measured from the plain laws; of the least pair that violates, every event is no smaller."""
    pin, instance = PINS[mechanism.name], default(mechanism)
    laws = [Dist.of(pin.law(value)) for value in instance.inputs]
    lo, hi = instance.epsilon.exp_bounds(256)
    violating = []
    for i, a in enumerate(instance.inputs):
        for j, b in enumerate(instance.inputs):
            if not RELATIONS[instance.neighbours](a, b):
                continue
            gains = sorted((p - hi * laws[j].prob(x) for x, p in laws[i].items()), reverse=True)
            if sum(max(gain, Fraction(0)) for gain in gains) > instance.delta:
                violating.append((max(order_key(a), order_key(b)), order_key(a), order_key(b), a, b, gains))
            else:
                surely = (p - lo * laws[j].prob(x) for x, p in laws[i].items())
                assert sum(max(gain, Fraction(0)) for gain in surely) <= instance.delta
    *_, a, b, gains = min(violating, key=lambda row: row[:3])
    assert (a, b) == (pin.a, pin.b)
    p, q = (sum((Dist.of(pin.law(value)).prob(x) for x in pin.event), Fraction(0)) for value in (a, b))
    assert (p, q) == (Fraction(pin.p), Fraction(pin.q))
    assert p > hi * q + instance.delta
    assert sum(gains[: len(pin.event) - 1]) <= instance.delta


@by_name
def test_the_correct_twin_is_verified_at_the_same_claim_and_scope(mechanism: Mechanism) -> None:
    instance = default(mechanism)
    neighbours = OTHER_NEIGHBOURS.get(mechanism.name, instance.neighbours)
    report = audited(mechanism.name, instance, twin_of(mechanism).program, neighbours)
    assert isinstance(report.verdict, Verified)
    assert report.tail == 0
    assert report.pairs > 0


def test_deltas_that_are_claimed_exactly_leave_the_twin_no_room() -> None:
    for name, neighbours in (
        ("sample-threshold-histogram-substituted", "add-remove"),
        ("sample-threshold-histogram-fixed-size", "substitute"),
    ):
        (mechanism,) = (mechanism for mechanism in ZOO if mechanism.name == name)
        instance = default(mechanism)
        report = audited(name, instance, twin_of(mechanism).program, neighbours)
        assert report.delta_lo == report.delta_hi == instance.delta


def test_a_lost_tail_is_refuted_at_any_epsilon() -> None:
    """Of the two that lose a tail, no epsilon is large enough; the twins' ratios are at most 3/2 and e^(1/2)."""
    for name in ("geosample-rounded", "fastsample-unmixed"):
        (mechanism,) = (mechanism for mechanism in ZOO if mechanism.name == name)
        instance = default(mechanism)
        subject = Subject(name, instance.program, instance.inputs, RELATIONS["element"])
        assert isinstance(decide(subject, ApproxDP("1000", 0), again=subject.digests).verdict, Refuted)


def test_the_table_in_the_documentation_is_the_zoo() -> None:
    text = (Path(__file__).parents[2] / "docs" / "zoo.md").read_text(encoding="utf-8")
    rows = [re.split(r"(?<!\\) \| ", row.strip("| ")) for row in text.splitlines() if row.startswith("| `")]
    assert [row[0] for row in rows] == [f"`{mechanism.name}`" for mechanism in ZOO]
    for mechanism, row in zip(ZOO, rows, strict=True):
        pin = PINS[mechanism.name]
        event = "{" + ", ".join(show(outcome) for outcome in pin.event[:4]) + (", ...}" if len(pin.event) > 4 else "}")
        p, q = (str(Fraction(text)) for text in (pin.p, pin.q))
        witness = f"{event} has probability {p} on {show(pin.a)}, {q} on {show(pin.b)}"
        assert row[1:] == [f"`{mechanism.twin}`", str(mechanism.fault), witness]
