"""Exponential polynomials, the form of probabilities under Laplace, exponential and uniform noise.

A `Value` {(i, b): c} is the number sum of c h^i e^(h b), for one positive number h: epsilon in a unit of its own.
`Terms` {(i, k, a, b): c} is the function sum of c h^i t^k e^(h (a t + b)) of t. All of i, k, a, b and c are rational,
i and k are integers. A `Piecewise` function has other terms between any two of its cuts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import comb, perm
from typing import Any, Self

Number = int | Fraction
Value = dict[tuple[int, Number], Number]
Terms = dict[tuple[int, int, Number, Number], Number]


def rational(x: Number) -> Number:
    """Return a number as an int where it is one: these are faster."""
    return x.numerator if x.denominator == 1 else x


def divided(x: Number, y: Number) -> Number:
    """Return x / y, exactly."""
    return rational(Fraction(x) / y)


def gathered(parts: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return the sum of terms (name, coefficient), without those that cancel."""
    found: dict[Any, Any] = {}
    for name, c in parts:
        found[name] = found.get(name, 0) + c
    return {name: c for name, c in found.items() if c}


def total(values: Iterable[Value]) -> Value:
    """Return the sum of values."""
    return gathered(item for value in values for item in value.items())


def scaled(value: Value, factor: Number, shift: Number = 0) -> Value:
    """Return factor e^(h shift) times a value."""
    return {(i, rational(b + shift)): c * factor for (i, b), c in value.items()} if factor else {}


def product(x: Value, y: Value) -> Value:
    """Return the product of two values."""
    return gathered(((i + j, rational(a + b)), c * d) for (i, a), c in x.items() for (j, b), d in y.items())


ONE: Value = {(0, 0): 1}


def times(x: Terms, y: Terms) -> Terms:
    """Return the product of two functions."""
    if len(y) == 1:
        ((j, m, d, e), f) = next(iter(y.items()))
        return {(i + j, k + m, a + d, b + e): c * f for (i, k, a, b), c in x.items()}
    found: dict[Any, Any] = {}
    for (i, k, a, b), c in x.items():
        for (j, m, d, e), f in y.items():
            name = (i + j, k + m, a + d, b + e)
            found[name] = found.get(name, 0) + c * f
    return {name: c for name, c in found.items() if c}


def antiderivative(terms: Terms) -> Terms:
    """Return a function whose derivative in t is the given one."""
    parts: list[tuple[Any, Number]] = []
    for (i, k, a, b), c in terms.items():
        if a == 0:
            parts.append(((i, k + 1, 0, b), divided(c, k + 1)))
            continue
        for j in range(k + 1):
            sign = -1 if j % 2 else 1
            parts.append(((i - 1 - j, k - j, a, b), divided(sign * perm(k, j) * c, a ** (j + 1))))
    return gathered(parts)


def at(terms: Terms, t: Number) -> Value:
    """Return a function's value at a rational number."""
    return gathered(((i, rational(a * t + b)), c * t**k) for (i, k, a, b), c in terms.items())


def constant(value: Value) -> Terms:
    """Return a value as a function."""
    return {(i, 0, 0, b): c for (i, b), c in value.items()}


def along(terms: Terms, slope: Number, offset: Number) -> Terms:
    """Return the function of t that a function has at slope t + offset."""
    if slope == 1 and offset == 0:
        return terms
    return gathered(
        (
            (i, j, rational(a * slope), rational(a * offset + b)),
            c * comb(k, j) * slope**j * (offset ** (k - j)),
        )
        for (i, k, a, b), c in terms.items()
        for j in range(k + 1)
    )


def limit(terms: Terms, side: int) -> Value:
    """Return the limit of a function at +infinity (side 1) or -infinity (side -1).

    Raises: ArithmeticError where there is none.
    """
    if any(a * side > 0 or (a == 0 and k) for _, k, a, _ in terms):
        raise ArithmeticError("an integral without end")
    return gathered(((i, b), c) for (i, k, a, b), c in terms.items() if a == 0)


@dataclass(frozen=True, slots=True)
class Piecewise:
    """A function with `pieces[j]` between `cuts[j - 1]` and `cuts[j]`; the first and the last piece have no end."""

    cuts: tuple[Number, ...]
    pieces: tuple[Terms, ...]

    def piece_at(self, t: Number) -> Terms:
        """Return the terms around a number that is no cut."""
        return self.pieces[bisect_right(self.cuts, t)]

    def __mul__(self, other: Piecewise) -> Piecewise:
        cuts = tuple(sorted({*self.cuts, *other.cuts}))
        inner = inner_points(cuts)
        pieces = tuple(times(self.piece_at(t), other.piece_at(t)) for t in inner)
        return Piecewise.joined(cuts, pieces)

    @classmethod
    def joined(cls, cuts: Sequence[Number], pieces: Sequence[Any]) -> Self:
        """Return the function of these pieces, without cuts between equal ones."""
        kept_cuts: list[Number] = []
        kept = [pieces[0]]
        for cut, piece in zip(cuts, pieces[1:], strict=True):
            if piece != kept[-1]:
                kept_cuts.append(cut)
                kept.append(piece)
        return cls(tuple(kept_cuts), tuple(kept))

    def integral(self) -> tuple[Piecewise, Value]:
        """Return the function's integral from -infinity to t, and that over all numbers."""
        pieces: list[Terms] = []
        start: Value = {}
        for j, terms in enumerate(self.pieces):
            primitive = antiderivative(terms)
            before = limit(primitive, -1) if j == 0 else at(primitive, self.cuts[j - 1])
            offset = total([start, scaled(before, -1)])
            pieces.append(gathered([*primitive.items(), *constant(offset).items()]))
            start = limit(pieces[-1], 1) if j == len(self.cuts) else at(pieces[-1], self.cuts[j])
        return Piecewise(self.cuts, tuple(pieces)), start

    def along(self, slope: Number, offset: Number) -> Piecewise:
        """Return the function of t that this one has at slope t + offset."""
        if slope == 0:
            value = self.at(offset)
            return Piecewise((), (constant(value),))
        cuts = [divided(c - offset, slope) for c in self.cuts]
        pieces = [along(terms, slope, offset) for terms in self.pieces]
        if slope < 0:
            cuts, pieces = cuts[::-1], pieces[::-1]
        return Piecewise(tuple(cuts), tuple(pieces))

    def at(self, t: Number) -> Value:
        """Return the value of a continuous function at a number."""
        return at(self.piece_at(t), t)


def inner_points(cuts: Sequence[Number]) -> list[Number]:
    """Return a number inside each of the intervals that ascending cuts leave."""
    if not cuts:
        return [0]
    between = [divided(a + b, 2) for a, b in pairwise(cuts)]
    return [cuts[0] - 1, *between, cuts[-1] + 1]
