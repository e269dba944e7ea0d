"""Powers of long sequences of non-negative numbers, from below: exact products of long integers, then floors.

A sequence holds lower bounds, as decimals, of weights that sum to at most 1. The loss, to floors and to dropped ends,
needs no second computation: it is at most 1 less the sum of what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact, Rounded
from functools import partial

_SPARE = 10**4
"""The number of units below which weights at an end are dropped."""


@dataclass(frozen=True, slots=True)
class WeightBounds:
    """Lower bounds of weights at first, first + 1, ..., in units of 10**-digits; they sum to at most 1."""

    first: int
    units: Sequence[int]
    digits: int

    @classmethod
    def one_at_zero(cls, digits: int) -> WeightBounds:
        """Return the weight 1 at 0."""
        return cls(0, [10**digits], digits)

    @property
    def one(self) -> int:
        """What 1 is in units."""
        one: int = 10**self.digits
        return one

    def power(self, times: int) -> WeightBounds:
        """Return lower bounds of the weights of the sum of `times` independent draws, times >= 1."""
        once = whole = _Text.of(self)
        for bit in f"{times:b}"[1:]:
            whole = whole.times(whole)
            if bit == "1":
                whole = whole.times(once)
        return whole.weights()


def product(a: WeightBounds, b: WeightBounds) -> WeightBounds:
    """Return lower bounds of the weights of the sum of a draw from a and one from b, of as many digits."""
    return _Text.of(a).times(_Text.of(b)).weights()


@dataclass(frozen=True, slots=True)
class _Text:
    """Weights as texts of digits + 1 digits each, the one of the greatest index first."""

    first: int
    rows: Sequence[str]
    digits: int

    @classmethod
    def of(cls, weights: WeightBounds) -> _Text:
        return cls(
            weights.first, [f"{units:0{weights.digits + 1}d}" for units in reversed(weights.units)], weights.digits
        )

    def weights(self) -> WeightBounds:
        return WeightBounds(self.first, [int(row) for row in reversed(self.rows)], self.digits)

    def times(self, other: _Text) -> _Text:
        """Return the product, its digits rounded down, without ends of less than 10**4 units.

        The weights are digits of two long integers in base 10**(2 digits + 1). Each sequence sums to at most 10**digits
        units, so no digit of the product overflows. `decimal` multiplies long integers in quasi-linear time; its
        context raises an error if a single digit is lost.
        """
        if not self.rows or not other.rows:
            return _Text(self.first + other.first, [], self.digits)
        context = Context(prec=MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[Inexact, Rounded])
        gap, width = "0" * self.digits, 2 * self.digits + 1
        left = Decimal(gap.join(self.rows))
        whole = context.multiply(left, left if other is self else Decimal(gap.join(other.rows)))
        text = f"{whole:f}".zfill(width * (len(self.rows) + len(other.rows) - 1))
        kept = width - self.digits
        rows = [text[at : at + kept] for at in range(0, len(text), width)]
        enough = partial(str.__le__, f"{_SPARE:0{kept}d}")
        start = next((i for i, row in enumerate(rows) if enough(row)), len(rows))
        stop = next((i for i in range(len(rows), start, -1) if enough(rows[i - 1])), start)
        return _Text(self.first + other.first + len(rows) - stop, rows[start:stop], self.digits)
