"""Quotients of polynomials in numbers e^-g: what sums of geometric weights are.

Rates that are small multiples of one number g share a variable, and others have variables of their own: every identity
between such quotients holds for the numbers, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

import flint

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.terms import Number, Value, gathered

VARIABLES = 4
HIGHEST = 1000
"""The most times that a rate is the number g of its variable."""
RING = flint.fmpz_mpoly_ctx.get([f"x{j}" for j in range(VARIABLES)], "lex")
Base = tuple[Fraction, tuple[int, ...]]
"""The number c times a power of each variable, as (c, exponents)."""
ONE: Base = (Fraction(1), (0,) * VARIABLES)


def product_of(x: Base, y: Base) -> Base:
    """Return x y."""
    return x[0] * y[0], tuple(m + n for m, n in zip(x[1], y[1], strict=True))


def inverse(x: Base) -> Base:
    """Return 1 / x."""
    return 1 / x[0], tuple(-n for n in x[1])


class Quotient:
    """A quotient of polynomials with integer coefficients, in lowest terms; the last coefficient of the denominator is
    positive, so that a denominator without a zero where all variables are between 0 and 1 is positive there."""

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: Any, denominator: Any) -> None:
        common = numerator.gcd(denominator)
        common *= _last_sign(denominator // common)
        self.numerator, self.denominator = numerator // common, denominator // common

    @classmethod
    def of(cls, value: Number) -> Quotient:
        return cls(RING.constant(value.numerator), RING.constant(value.denominator))

    def __add__(self, other: Any) -> Quotient:
        if other == 0:
            return self
        if self.denominator == other.denominator:
            return Quotient(self.numerator + other.numerator, self.denominator)
        numerator = self.numerator * other.denominator + other.numerator * self.denominator
        return Quotient(numerator, self.denominator * other.denominator)

    __radd__ = __add__

    def __neg__(self) -> Quotient:
        return Quotient(-self.numerator, self.denominator)

    def __sub__(self, other: Quotient) -> Quotient:
        return self + -other

    def __mul__(self, other: Any) -> Quotient:
        """Return the product with a quotient or a rational number."""
        numerator, denominator = self.numerator, self.denominator
        factor, divisor = (
            (other.numerator, other.denominator)
            if isinstance(other, Quotient)
            else (RING.constant(other.numerator), RING.constant(other.denominator))
        )
        return Quotient(numerator * factor, denominator * divisor)

    def __truediv__(self, other: Quotient) -> Quotient:
        return Quotient(self.numerator * other.denominator, self.denominator * other.numerator)

    def __bool__(self) -> bool:
        return bool(self.numerator != 0)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Quotient):
            return bool(self.numerator == other.numerator and self.denominator == other.denominator)
        return other == 0 and not self


def _last_sign(polynomial: Any) -> int:
    return 1 if polynomial.coeffs()[-1] > 0 else -1


NOTHING, WHOLE = Quotient.of(0), Quotient.of(1)


def power(base: Base, m: int) -> Quotient:
    """Return a base to the power m."""
    c, degrees = base[0] ** m, [n * m for n in base[1]]
    up = RING.from_dict({tuple(max(n, 0) for n in degrees): c.numerator})
    return Quotient(up, RING.from_dict({tuple(max(-n, 0) for n in degrees): c.denominator}))


def least_multiple(x: Any, y: Any) -> Any:
    """Return the least common multiple of two polynomials, with a positive last coefficient."""
    found = x * (y // x.gcd(y))
    return found * _last_sign(found)


@dataclass(frozen=True, slots=True)
class Variables:
    """The numbers g in units of h, of which each variable is e^(-h g)."""

    sizes: tuple[int, ...]

    @classmethod
    def of(cls, rates: Iterable[int]) -> Variables:
        """Return variables for these rates.

        Raises: Unauditable for too many.
        """
        groups: list[list[int]] = []
        for rate in sorted({rate for rate in rates if rate}):
            near = (group for group in groups if max(*group, rate) <= HIGHEST * gcd(*group, rate))
            group = next(near, None)
            if group is None:
                groups.append([rate])
            else:
                group.append(rate)
        if len(groups) > VARIABLES:
            raise Unauditable(f"discrete noise of more than {VARIABLES} rates that are no multiples of each other")
        return cls(tuple(gcd(*group) for group in groups))

    def exponents(self, rate: int) -> tuple[int, ...]:
        """Return the exponents of e^(-h rate)."""
        place = next((j for j, size in enumerate(self.sizes) if rate % size == 0 and rate <= HIGHEST * size), None)
        if place is None and rate:
            raise ArithmeticError("a rate without a variable")
        return tuple(rate // self.sizes[j] if j == place else 0 for j in range(VARIABLES))

    def value(self, polynomial: Any) -> Value:
        rows = zip(polynomial.monoms(), polynomial.coeffs(), strict=True)
        return gathered(
            ((0, -sum(int(n) * size for n, size in zip(degrees, self.sizes, strict=False))), int(c))
            for degrees, c in rows
        )
