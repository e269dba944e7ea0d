"""Quotients of polynomials in x = e^-h: what sums of geometric weights are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint

from dpcert.audit.ideal.terms import Number, Value

Base = tuple[Fraction, int]
"""The number c x^n, as (c, n)."""


class Quotient:
    """A quotient of polynomials in x with integer coefficients, in lowest terms; the denominator is positive near 0."""

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: Any, denominator: Any) -> None:
        common = numerator.gcd(denominator) * _sign_near_zero(denominator)
        self.numerator, self.denominator = numerator // common, denominator // common

    @classmethod
    def of(cls, value: Number) -> Quotient:
        """Return a rational number."""
        return cls(flint.fmpz_poly([value.numerator]), flint.fmpz_poly([value.denominator]))

    def __add__(self, other: Any) -> Quotient:
        if other == 0:
            return self
        numerator = self.numerator * other.denominator + other.numerator * self.denominator
        return Quotient(numerator, self.denominator * other.denominator)

    __radd__ = __add__

    def __neg__(self) -> Quotient:
        return Quotient(-self.numerator, self.denominator)

    def __sub__(self, other: Quotient) -> Quotient:
        return self + -other

    def __mul__(self, other: Any) -> Quotient:
        if isinstance(other, (int, Fraction)):
            return Quotient(self.numerator * other.numerator, self.denominator * other.denominator)
        return Quotient(self.numerator * other.numerator, self.denominator * other.denominator)

    def __truediv__(self, other: Quotient) -> Quotient:
        return Quotient(self.numerator * other.denominator, self.denominator * other.numerator)

    def __bool__(self) -> bool:
        return bool(self.numerator != 0)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Quotient):
            return bool(self.numerator == other.numerator and self.denominator == other.denominator)
        return other == 0 and not self

    def __hash__(self) -> int:
        return hash((tuple(map(int, self.numerator.coeffs())), tuple(map(int, self.denominator.coeffs()))))


def _sign_near_zero(polynomial: Any) -> int:
    """Return the sign of a polynomial next to 0, where it is not 0: that of its first coefficient that is not."""
    return 1 if next(c for c in polynomial.coeffs() if c) > 0 else -1


NOTHING, WHOLE = Quotient.of(0), Quotient.of(1)


def power(base: Base, m: int) -> Quotient:
    """Return (c x^n)^m."""
    c, degree = base[0] ** m, base[1] * m
    up = flint.fmpz_poly([0] * max(degree, 0) + [c.numerator])
    return Quotient(up, flint.fmpz_poly([0] * max(-degree, 0) + [c.denominator]))


def least_multiple(x: Any, y: Any) -> Any:
    """Return the least common multiple of two polynomials that are positive near 0."""
    found = x * (y // x.gcd(y))
    return found * _sign_near_zero(found)


def value_of(polynomial: Any) -> Value:
    """Return a polynomial in x as a value."""
    return {(0, -n): int(c) for n, c in enumerate(polynomial.coeffs()) if c}
