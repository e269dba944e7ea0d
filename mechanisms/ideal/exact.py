"""Real numbers that are known exactly: quotients of sums of c h^i e^(b h + s), where h is an epsilon that is left open.

All of b, c and s are rational, and i is an integer. Without h such a sum is 0 only where every coefficient is, by the
theorem of Lindemann and Weierstrass; so its sign is always seen in balls of more and more bits. With h, and without
s, it is h^i times a polynomial in x = e^(g h): its real roots are isolated, and a rational x in each gap has its sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import lcm
from typing import Any

import flint

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.terms import Number, gathered

Place = tuple[int, Fraction, Fraction]
"""The exponents (i, b, s) of h^i e^(b h + s)."""
Sum = Mapping[Place, Fraction]
Items = tuple[tuple[Place, Fraction], ...]
"""A sum as data, in order."""
UNIT: Place = (0, Fraction(0), Fraction(0))
BITS, MOST_BITS = 128, 1 << 16
MOST_DEGREE = 1 << 12
"""The greatest degree of a polynomial of which roots are isolated, or common factors looked for."""
MOST_PRODUCT = 20_000
"""The most terms of a product of denominators."""
MOST_KEPT = 1 << 13
"""The most results of one operation that are kept: a program computes the same ones on each of its paths."""
UNKNOWN = "a number of which the sign is not known for every epsilon"


def times(x: Iterable[tuple[Place, Fraction]], y: Items) -> Sum:
    """Return the product of two sums."""
    return gathered(((i + j, a + b, s + t), c * d) for (i, a, s), c in x for (j, b, t), d in y)


def plus(x: Sum, y: Sum, sign: int = 1) -> Sum:
    """Return x + sign y."""
    return gathered([*x.items(), *((place, sign * c) for place, c in y.items())])


@dataclass(frozen=True, slots=True)
class Exact:
    """The number above / below, where `below` is positive for every h > 0.

    Two of them that are the same number may be written differently: `same` compares them, and `==` what is written.
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
            return _ball(dict(self.above)) / _ball(dict(self.below))


@lru_cache(MOST_KEPT)
def _added(x: Exact, y: Exact) -> Exact:
    if x.below == y.below == ONE.below:
        return Exact(tuple(sorted(plus(dict(x.above), dict(y.above)).items())))
    if x.below == y.below:
        return Exact.quotient(plus(dict(x.above), dict(y.above)), dict(x.below))
    return Exact.quotient(plus(times(x.above, y.below), times(y.above, x.below)), times(x.below, y.below))


@lru_cache(MOST_KEPT)
def _multiplied(x: Exact, y: Exact) -> Exact:
    c = x.rational()
    if c is not None:
        return Exact(tuple((place, c * d) for place, d in y.above), y.below) if c else Exact(())
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


def _sign(x: Fraction) -> int:
    return 1 if x > 0 else -1


def _at(items: Items, h: Fraction) -> Sum:
    return gathered(((0, Fraction(0), s + b * h), c * h**i) for (i, b, s), c in items)


def _rational(x: Number) -> Any:
    return flint.fmpq(x.numerator, x.denominator)


def _ball(terms: Sum) -> Any:
    """Return a ball around a sum without h, of the bits that FLINT has now."""
    return sum(
        (flint.arb(_rational(c)) * flint.arb(_rational(s)).exp() for (_, _, s), c in terms.items()), flint.arb(0)
    )


def sign_of(terms: Sum, *, nowhere_zero: bool = False) -> int:
    """Return the sign of a sum; with h, that for every h > 0. At some of these it may be 0, but for `nowhere_zero`.

    Raises: Unauditable where there is no such sign, or where it is not known.
    """
    if not terms:
        return 0
    if len({c > 0 for c in terms.values()}) == 1:
        return _sign(next(iter(terms.values())))
    if any(i or b for i, b, _ in terms):
        found = signs_over(terms)
        if len(found.keys() - {0}) != 1 or (nowhere_zero and 0 in found):
            raise Unauditable("a comparison that holds for some epsilon and not for others")
        return max(found) or min(found)
    bits = BITS
    while bits <= MOST_BITS:
        with flint.ctx.workprec(bits):
            near = _ball(terms)
        if near > 0 or near < 0:
            return 1 if near > 0 else -1
        bits *= 2
    raise Unauditable("a number that is too near to another one to tell")


@dataclass(frozen=True, slots=True)
class _Powers:
    """A polynomial in x = e^(h / unit), of which a sum has the sign."""

    polynomial: Any
    unit: int

    @classmethod
    def of(cls, terms: Sum) -> _Powers:
        """Return the polynomial of a sum.

        Raises: Unauditable where it is none of a degree that is looked at.
        """
        powers, least = {i for i, _, _ in terms}, min(b for _, b, _ in terms)
        unit = lcm(*((b - least).denominator for _, b, _ in terms))
        degree = max(b - least for _, b, _ in terms) * unit
        if len(powers) > 1 or len({s for _, _, s in terms}) > 1 or degree > MOST_DEGREE:
            raise Unauditable(UNKNOWN)
        scale = lcm(*(c.denominator for c in terms.values()))
        found = [0] * (int(degree) + 1)
        for (_, b, _), c in terms.items():
            found[int((b - least) * unit)] = int(c * scale)
        return cls(flint.fmpz_poly(found), unit)


def signs_over(terms: Sum, low: Fraction = Fraction(0), high: Fraction | None = None) -> dict[int, Fraction]:
    """Return the signs that a sum has for h > 0 from `low` to `high`, each with an h near to which it has it; 0 is that
    of its roots.

    Raises: Unauditable where they are not known.
    """
    powers = _Powers.of(terms)
    shifted = powers.polynomial(flint.fmpz_poly([1, 1])).coeffs()
    if all(c >= 0 for c in shifted) or all(c <= 0 for c in shifted):
        sign = 1 if max(shifted) > 0 else -1
        return {sign: low or min(Fraction(1), high or Fraction(1))}
    bits = BITS
    while bits <= MOST_BITS:
        found = _sampled(powers, low, high, bits)
        if found is not None:
            return found
        bits *= 2
    raise Unauditable(UNKNOWN)


def _sampled(powers: _Powers, low: Fraction, high: Fraction | None, bits: int) -> dict[int, Fraction] | None:
    """Return the signs of a polynomial in the gaps between its real roots, within a range of h, each with an h; None
    where more bits are needed."""
    found: dict[int, Fraction] = {}
    with flint.ctx.workprec(bits):
        start, end = (None if h is None else flint.arb(_rational(h / powers.unit)).exp() for h in (low, high))
        roots = _roots(powers.polynomial, start)
        if roots is None:
            return None
        inside = [start, *(root for root in roots if end is None or not root > end)]
        if end is not None and any(not root < end for root in inside):
            return None
        if inside[1:]:
            found[0] = _near(inside[1], powers.unit, low, high)
        for left, right in pairwise([*inside, end]):
            x = _between(left, right)
            if x is None:
                return None
            value = powers.polynomial(_rational(x))
            if value != 0:
                found.setdefault(1 if value > 0 else -1, _near(flint.arb(_rational(x)), powers.unit, low, high))
    return found


def _near(x: Any, unit: int, low: Fraction, high: Fraction | None) -> Fraction:
    """Return an h of a range of which e^(h / unit) is about x."""
    h = _fraction((x.log() * unit).mid())
    return max(low, h if high is None else min(h, high))


def _roots(polynomial: Any, start: Any) -> list[Any] | None:
    """Return balls around the real roots above a number that is 1 or no root, in order; None for too few bits."""
    plain = polynomial // polynomial.gcd(polynomial.derivative())
    one = flint.fmpz_poly([-1, 1])
    while plain(1) == 0:
        plain //= one
    real = [root.real for root, _ in plain.complex_roots() if root.imag == 0]
    if any(not (root > start or root < start) for root in real):
        return None
    above = sorted((root for root in real if root > start), key=lambda root: _fraction(root.mid()))
    return above if all(x < y for x, y in pairwise(above)) else None


def _between(left: Any, right: Any) -> Fraction | None:
    """Return a rational number between two balls; None where there is none for certain."""
    low = _fraction(left.upper())
    if right is None:
        return low + 1
    high = _fraction(right.lower())
    return (low + high) / 2 if low < high else None


def _fraction(x: Any) -> Fraction:
    mantissa, exponent = (int(part) for part in x.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


RING = flint.fmpz_mpoly_ctx.get(["h", "x", "y"], "lex")


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
    return RING.from_dict(rows), scale


def _terms(polynomial: Any, scale: int, least: Sequence[Number], units: Sequence[int]) -> Sum:
    found: dict[Place, Fraction] = {}
    for degrees, c in zip(polynomial.monoms(), polynomial.coeffs(), strict=True):
        i, b, s = (Fraction(int(k), units[n]) + least[n] for n, k in enumerate(degrees))
        found[int(i), b, s] = Fraction(int(c), scale)
    return found
