"""Laws as lists of outcomes with their probabilities, and what they are made of."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import comb, prod
from typing import Any

Pairs = list[tuple[Any, Fraction]]
"""Outcomes with their probabilities; an outcome may occur more than once."""


def at_least(m: int, r: Fraction) -> Fraction:
    """Pr[Z >= m] for two-sided geometric noise, Pr[Z = j] = (r - 1) / (r + 1) r^-|j|."""
    return r ** (1 - m) / (r + 1) if m >= 1 else 1 - r**m / (r + 1)


def noisy(count: int, r: object, lo: int, hi: int) -> Pairs:
    """The law of count + Z, clamped to [lo, hi]."""
    ratio = Fraction(str(r))
    upper = [Fraction(1), *(at_least(z - count, ratio) for z in range(lo + 1, hi + 1)), Fraction(0)]
    return [(lo + i, a - b) for i, (a, b) in enumerate(pairwise(upper))]


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


def merged(law: Pairs) -> Pairs:
    total: dict[Any, Fraction] = {}
    for outcome, p in law:
        total[outcome] = total.get(outcome, Fraction(0)) + p
    return list(total.items())


def joint(laws: Sequence[Pairs]) -> Pairs:
    rows = product(*laws)
    return [(tuple(x for x, _ in row), prod((p for _, p in row), start=Fraction(1))) for row in rows]
