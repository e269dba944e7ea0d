"""Exact integrals of products of Laplace and exponential laws: sums of rational multiples of e^b, b rational.

Between the points where a Laplace density or its integral changes its form, a product of them is a sum of terms
c e^(a t + b) with rational a, b, c, and so is the integral of each from point to point. No digit is lost before the
end, where the library of balls encloses a sum; and as e^b for different rational b are linearly independent over the
rationals (Lindemann and Weierstrass), two sums are equal iff they are the same terms.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpcert.mechanisms.adapters.balls import Bounds, enclose

__all__ = [
    "Piecewise",
    "Terms",
    "Total",
    "add",
    "enclosed",
    "exponential_below",
    "exponential_density",
    "laplace_above",
    "laplace_below",
    "laplace_density",
    "log_ratio",
    "product",
]

Terms = dict[tuple[Fraction, Fraction], Fraction]
"""c e^(a t + b) for each (a, b): c."""

Total = dict[Fraction, Fraction]
"""c e^b for each b: c."""

HALF, ONE = Fraction(1, 2), Fraction(1)


@dataclass(frozen=True, slots=True)
class Piecewise:
    """A function of t that is one sum of terms below the first point, one between each two, one from the last on.

    Requires: points ascending, one more piece than points.
    """

    points: tuple[Fraction, ...]
    pieces: tuple[Terms, ...]

    def __mul__(self, other: Piecewise) -> Piecewise:
        """Return the product."""
        points = tuple(sorted({*self.points, *other.points}))
        pieces = (times(self.at(first), other.at(first)) for first in (None, *points))
        return Piecewise(points, tuple(pieces))

    def at(self, t: Fraction | None) -> Terms:
        """Return the terms of the piece that t lies in, of two at a point the right one; the first for None."""
        return self.pieces[0 if t is None else bisect_right(self.points, t)]

    def integral(self) -> Total:
        """Return the integral over all t.

        Raises: ZeroDivisionError or OverflowError where it is infinite.
        """
        total: Total = {}
        for piece, (low, high) in zip(self.pieces, pairwise((None, *self.points, None)), strict=True):
            for (a, b), c in piece.items():
                if a == 0 and low is not None and high is not None:
                    add(total, b, c * (high - low))
                    continue
                if (low is None and a <= 0) or (high is None and a >= 0):
                    raise OverflowError("the integral is infinite")
                if high is not None:
                    add(total, a * high + b, c / a)
                if low is not None:
                    add(total, a * low + b, -c / a)
        return total

    def value(self, t: Fraction) -> Total:
        """Return the value at t, of two at a point the limit from the right."""
        total: Total = {}
        for (a, b), c in self.at(t).items():
            add(total, a * t + b, c)
        return total


def add(total: dict[Any, Fraction], key: Any, value: Fraction) -> None:
    """Add a multiple of e^key, leaving out what cancels."""
    found = total.get(key, Fraction(0)) + value
    if found:
        total[key] = found
    else:
        total.pop(key, None)


def times(left: Terms, right: Terms) -> Terms:
    """Return the product of two sums of terms."""
    product: Terms = {}
    for (a, b), c in left.items():
        for (d, e), f in right.items():
            add(product, (a + d, b + e), c * f)
    return product


def product(factors: Iterable[Piecewise]) -> Piecewise:
    """Return the product of all; 1 for none."""
    found = Piecewise((), ({(Fraction(0), Fraction(0)): ONE},))
    for factor in factors:
        found = found * factor
    return found


def laplace_density(centre: Fraction, scale: Fraction) -> Piecewise:
    """Return the density of centre + Lap(scale) at t."""
    rate = 1 / scale
    return Piecewise((centre,), ({(rate, -rate * centre): rate / 2}, {(-rate, rate * centre): rate / 2}))


def laplace_below(centre: Fraction, scale: Fraction) -> Piecewise:
    """Return the chance that centre + Lap(scale) is below t."""
    rate, zero = 1 / scale, Fraction(0)
    upper = {(zero, zero): ONE, (-rate, rate * centre): -HALF}
    return Piecewise((centre,), ({(rate, -rate * centre): HALF}, upper))


def laplace_above(centre: Fraction, scale: Fraction) -> Piecewise:
    """Return the chance that centre + Lap(scale) is t or more."""
    rate, zero = 1 / scale, Fraction(0)
    lower = {(zero, zero): ONE, (rate, -rate * centre): -HALF}
    return Piecewise((centre,), (lower, {(-rate, rate * centre): HALF}))


def exponential_density(centre: Fraction, scale: Fraction) -> Piecewise:
    """Return the density of centre + Exp(scale) at t."""
    rate = 1 / scale
    return Piecewise((centre,), ({}, {(-rate, rate * centre): rate}))


def exponential_below(centre: Fraction, scale: Fraction) -> Piecewise:
    """Return the chance that centre + Exp(scale) is below t."""
    rate, zero = 1 / scale, Fraction(0)
    return Piecewise((centre,), ({}, {(zero, zero): ONE, (-rate, rate * centre): -ONE}))


def enclosed(total: Total, *, bits: int = 192) -> Bounds:
    """Return bounds of a total."""
    exponents, factors = list(total), list(total.values())

    def formula(*balls: Any) -> Any:
        half = len(balls) // 2
        return sum((c * b.exp() for b, c in zip(balls[:half], balls[half:], strict=True)), 0 * balls[0])

    return enclose(formula, *exponents, *factors, bits=bits) if total else (Fraction(0), Fraction(0))


def log_ratio(top: Total, bottom: Total, *, bits: int = 192) -> Bounds:
    """Return bounds of the logarithm of a ratio of two positive totals.

    Raises: InputError where the bits do not tell one from 0.
    """
    return enclose(lambda p, q: (p / q).log(), enclosed(top, bits=bits), enclosed(bottom, bits=bits), bits=bits)
