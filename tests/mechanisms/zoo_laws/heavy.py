"""Heavy bins and compact histograms: the law of each fault at its default parameters."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, permutations, product
from math import prod
from typing import Any

from .plain import Pairs, bins, counts, merged, noisy, present, then


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
        2, lambda values, row: prod((chances[values[x]] for x in labels), start=Fraction(not any(row[len(labels) :])))
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


LAWS: dict[str, Callable[[Any], Pairs]] = {
    "compact-histogram-bare": compact_bare,
    "compact-histogram-clamped": compact_lone("1/2", "1/6", "1/6", "1/6"),
    "compact-histogram-first": compact_lone("1/3", "0", "0", "2/3"),
    "compact-histogram-missed": compact_lone("1/2", "0", "1/2", "0"),
    "compact-histogram-reused": compact_reused,
    "compact-histogram-true": compact_lone("0", "0", "0", "1"),
    "keep-heavy-order": heavy_order,
    "keep-heavy-ties": heavy_ties,
    "keep-heavy-true": heavy_true,
    "keep-heavy-occurring": heavy_occurring,
    "keep-heavy-unclamped": heavy_unclamped,
    "keep-heavy-zeros": heavy_zeros,
    "keep-heavy-sparse-earlier": lambda people: sparse(people, 1, 3, lambda m: greatest_earlier(m, 1)),
    "keep-heavy-sparse-empties": lambda people: sparse(people, 2, 5, lambda m: greatest(3, 2)),
    "keep-heavy-sparse-few": lambda people: sparse(people, 1, 4, lambda m: greatest(2, 1)),
    "keep-heavy-sparse-first": lambda people: sparse(
        people, 1, 3, lambda m: greatest(m, 1), chosen=lambda empty: [empty[:2]]
    ),
    "keep-heavy-sparse-labels": lambda people: sparse(people, 1, 3, lambda m: greatest(m, 1), pool=range(3)),
    "keep-heavy-sparse-ties": sparse_ties,
    "sparse-histogram-ceiling": lambda people: sparse(
        people, 1, 3, lambda m: rounded_greatest(m, 1, 9_000, zero=False)
    ),
    "sparse-histogram-draws": tells_how_many,
    "sparse-histogram-modulo": lambda people: sparse(
        people, 1, 5, lambda m: rounded_greatest(m, 1, 15_000), chosen=modulo_places
    ),
    "pure-sparse-histogram-short": short_numbers,
    "pure-sparse-histogram-unmixed": lambda people: sparse(
        people, 1, 3, lambda m: rounded_greatest(m, 1, 72_900, "9/8"), r="9/8"
    ),
}
