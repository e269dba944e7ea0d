"""Real numbers that are known exactly: quotients of sums of c h^i e^(b h + s), where h is an epsilon that is left open.

Where their signs are known, it is as `signs.py` says.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from math import lcm
from typing import Any

from dpcert.mechanisms.adapters.late import flint
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.signs import BITS, MOST_DEGREE, Place, Sum, ball_of, sign_of
from dpcert.mechanisms.ideal.terms import Number, gathered

Items = tuple[tuple[Place, Fraction], ...]
"""A sum as data, in order."""
UNIT: Place = (0, Fraction(0), Fraction(0))
MOST_PRODUCT = 20_000
"""The most terms of a product of denominators."""
MOST_KEPT = 1 << 13
"""The most results of one operation that are kept: a program computes the same ones on each of its paths."""


def times(x: Iterable[tuple[Place, Fraction]], y: Items) -> Sum:
    """Return the product of two sums."""
    return gathered(((i + j, a + b, s + t), c * d) for (i, a, s), c in x for (j, b, t), d in y)


def plus(x: Sum, y: Sum, sign: int = 1) -> Sum:
    """Return x + sign y."""
    return gathered([*x.items(), *((place, sign * c) for place, c in y.items())])


@dataclass(frozen=True, slots=True)
class Exact:
    """The number above / below, where `below` is positive for every h > 0.

    One number may be written in several ways: `same` compares the numbers, and `==` the ways.
    """

    above: Items
    below: Items = ((UNIT, Fraction(1)),)

    @classmethod
    def of(cls, value: Number) -> Exact:
        """Return a rational number."""
        return cls(((UNIT, Fraction(value)),) if value else ())

    @classmethod
    def power(cls, *, epsilon: Number = 0, number: Number = 0, factor: Number = 1) -> Exact:
        """Return factor e^(epsilon h + number)."""
        return cls((((0, Fraction(epsilon), Fraction(number)), Fraction(factor)),) if factor else ())

    @classmethod
    def quotient(cls, above: Sum, below: Sum) -> Exact:
        """Return a quotient, in lower terms where they are seen.

        Raises: ZeroDivisionError for a division by 0; Unauditable where the sign of `below` is not known.
        """
        if not below:
            raise ZeroDivisionError("division by zero")
        if len(below) == 1:
            (((i, b, t), c),) = below.items()
            return cls(tuple(sorted(times(above.items(), (((-i, -b, -t), 1 / c),)).items())))
        sign_of(below, nowhere_zero=True)
        if not above:
            return cls(())
        above, below = _lowered(above, below)
        lead, c = min(below.items())
        factor = Fraction(sign_of(below)) / abs(c)
        away = (((-lead[0], -lead[1], -lead[2]), factor),)
        return cls(*(tuple(sorted(times(each.items(), away).items())) for each in (above, below)))

    def places(self) -> list[Place]:
        """Return all exponents."""
        return [place for items in (self.above, self.below) for place, _ in items]

    def is_open(self) -> bool:
        """Whether h occurs."""
        return any(i or b for i, b, _ in self.places())

    def rational(self) -> Fraction | None:
        """Return the number where it is written as a rational one; None for anything else."""
        if not self.above:
            return Fraction(0)
        alone = len(self.above) == len(self.below) == 1 and self.above[0][0] == self.below[0][0]
        return self.above[0][1] / self.below[0][1] if alone else None

    def sign(self) -> int:
        """Return the sign; with h, that for every h > 0.

        Raises: Unauditable where there is no such sign, or where it is not known.
        """
        return sign_of(dict(self.above))

    def same(self, other: Exact) -> bool:
        """Whether this is the same number."""
        return not (self - other).above

    def __add__(self, other: Exact) -> Exact:
        return _added(self, other)

    def __neg__(self) -> Exact:
        return Exact(tuple((place, -c) for place, c in self.above), self.below)

    def __sub__(self, other: Exact) -> Exact:
        return _added(self, -other)

    def __mul__(self, other: Exact) -> Exact:
        return _multiplied(self, other)

    def __truediv__(self, other: Exact) -> Exact:
        return _divided(self, other)

    def at(self, h: Fraction) -> Exact:
        """Return the number at an h > 0."""
        return Exact.quotient(_at(self.above, h), _at(self.below, h))

    def near(self, h: float) -> float:
        """Return about the number at an h."""
        above, below = (
            sum(float(c) * h**i * math.exp(b * h + s) for (i, b, s), c in items) for items in (self.above, self.below)
        )
        return above / below

    def enclosed(self, bits: int = BITS) -> Any:
        """Return a ball around the number; h does not occur."""
        with flint.ctx.workprec(bits):
            return ball_of(dict(self.above)) / ball_of(dict(self.below))


@lru_cache(MOST_KEPT)
def _added(x: Exact, y: Exact) -> Exact:
    if x.below == y.below == ONE.below:
        return Exact(tuple(sorted(plus(dict(x.above), dict(y.above)).items())))
    if x.below == y.below:
        return Exact.quotient(plus(dict(x.above), dict(y.above)), dict(x.below))
    return Exact.quotient(plus(times(x.above, y.below), times(y.above, x.below)), times(x.below, y.below))


@lru_cache(MOST_KEPT)
def _multiplied(x: Exact, y: Exact) -> Exact:
    if len(x.above) <= 1 and x.below == ONE.below:  # which has no factor in common with anything
        return Exact(tuple(sorted(times(y.above, x.above).items())), y.below) if x.above else x
    if len(y.above) <= 1 and y.below == ONE.below:
        return _multiplied(y, x)
    return Exact.quotient(times(x.above, y.above), times(x.below, y.below))


@lru_cache(MOST_KEPT)
def _divided(x: Exact, y: Exact) -> Exact:
    return Exact.quotient(times(x.above, y.below), times(x.below, y.above))


ONE = Exact.of(1)
Weight = Fraction | Exact
"""A probability; a rational one is a Fraction."""


def exact_of(x: Weight | int) -> Exact:
    """Return a number as an exact one."""
    return x if isinstance(x, Exact) else Exact.of(x)


def simplest(x: Exact) -> Weight:
    """Return a number as a Fraction where it is rational."""
    found = x.rational()
    return x if found is None else found


def product_of(x: Weight, y: Weight) -> Weight:
    """Return x y."""
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return x * y
    return simplest(exact_of(x) * exact_of(y))


def over_one_denominator(values: Sequence[Exact]) -> tuple[list[Sum], Sum]:
    """Return sums, and a sum, positive for every h > 0, of which numbers are the quotients."""
    belows = list({value.below: None for value in values})
    whole = ONE
    for below in belows:
        more = Exact.quotient(dict(below), dict(whole.above))
        whole = Exact(tuple(sorted(times(more.above, whole.above).items())))
    rest = {below: Exact.quotient(dict(whole.above), dict(below)) for below in belows}
    if any(each.below != ONE.below for each in rest.values()):  # common factors are not seen
        rest = {below: Exact(_product(other for other in belows if other != below)) for below in belows}
        whole = Exact(_product(belows))
    return [times(value.above, rest[value.below].above) for value in values], dict(whole.above)


def _product(factors: Iterable[Items]) -> Items:
    found: Items = ONE.above
    for factor in factors:
        found = tuple(times(found, factor).items())
        if len(found) > MOST_PRODUCT:
            raise Unauditable("weights of which the common denominator has too many exponentials")
    return found


def sign_of_weight(x: Weight) -> int:
    """Return the sign of a number, for every h > 0 at which it is not 0.

    Raises: Unauditable where it is not known.
    """
    return x.sign() if isinstance(x, Exact) else (x > 0) - (x < 0)


def total(values: Iterable[Exact]) -> Exact:
    """Return the sum of numbers."""
    return _total(tuple(values))


@lru_cache(MOST_KEPT)
def _total(values: tuple[Exact, ...]) -> Exact:
    """Return the sum of numbers, those of one denominator first."""
    groups: dict[Items, list[Items]] = {}
    for value in values:
        groups.setdefault(value.below, []).append(value.above)
    found = Exact(())
    for below, parts in groups.items():
        found += Exact.quotient(gathered(item for part in parts for item in part), dict(below))
    return found


def _at(items: Items, h: Fraction) -> Sum:
    return gathered(((0, Fraction(0), s + b * h), c * h**i) for (i, b, s), c in items)


@cache
def _ring() -> Any:
    return flint.fmpz_mpoly_ctx.get(["h", "x", "y"], "lex")


def _lowered(above: Sum, below: Sum) -> tuple[Sum, Sum]:
    """Return two sums without a common factor, where they are polynomials of no high degree in h, e^(g h) and e^t."""
    least, units = [], []
    for n in range(3):
        known = [Fraction(place[n]) for terms in (above, below) for place in terms]
        least.append(min(known))
        units.append(lcm(*{(x - least[-1]).denominator for x in known}))
        if (max(known) - least[-1]) * units[-1] > MOST_DEGREE:
            return above, below
    first, second = (_polynomial(terms, least, units) for terms in (above, below))
    common = first[0].gcd(second[0])
    if len(common) == 1:
        return above, below
    return _terms(first[0] // common, first[1], least, units), _terms(second[0] // common, second[1], least, units)


def _polynomial(terms: Sum, least: Sequence[Fraction], units: Sequence[int]) -> tuple[Any, int]:
    """Return a sum as a polynomial, and the number by which that is to be divided."""
    scale = lcm(*(c.denominator for c in terms.values()))
    rows = {
        tuple(int((place[n] - least[n]) * units[n]) for n in range(3)): int(c * scale) for place, c in terms.items()
    }
    return _ring().from_dict(rows), scale


def _terms(polynomial: Any, scale: int, least: Sequence[Number], units: Sequence[int]) -> Sum:
    found: dict[Place, Fraction] = {}
    for degrees, c in zip(polynomial.monoms(), polynomial.coeffs(), strict=True):
        i, b, s = (Fraction(int(k), units[n]) + least[n] for n, k in enumerate(degrees))
        found[int(i), b, s] = Fraction(int(c), scale)
    return found
