"""Powers of long sequences of non-negative numbers, from below: exact products of long integers, then floors.

A sequence holds lower bounds, as integers over `unit`, of weights that sum to at most 1. What is lost, to floors and
to the ends that are dropped, is then known without a second computation: it is at most 1 less the sum of what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact, Rounded

__all__ = ["Weights", "product"]

_SPARE = 10**6


@dataclass(frozen=True, slots=True)
class Weights:
    """Lower bounds of weights at first, first + 1, ..., in units of 10**-digits; they sum to at most 1."""

    first: int
    units: Sequence[int]
    digits: int

    @classmethod
    def one_at_zero(cls, digits: int) -> Weights:
        """Return the weight 1 at 0."""
        return cls(0, [10**digits], digits)

    @property
    def one(self) -> int:
        """What 1 is in units."""
        one: int = 10**self.digits
        return one

    def cropped(self) -> Weights:
        """Return the weights without the ends at which each is below 10**6 units."""
        kept = [i for i, units in enumerate(self.units) if units >= _SPARE]
        if not kept:
            return Weights(self.first, [], self.digits)
        return Weights(self.first + kept[0], self.units[kept[0] : kept[-1] + 1], self.digits)

    def power(self, times: int) -> Weights:
        """Return lower bounds of the weights of the sum of `times` independent draws, times >= 1."""
        if times == 1:
            return self
        half = self.power(times // 2)
        square = product(half, half)
        return product(square, self) if times % 2 else square


def product(a: Weights, b: Weights) -> Weights:
    """Return lower bounds of the weights of the sum of a draw from a and one from b, without small ends.

    The weights are digits of two long integers in base 10**(2 digits + 1): as each sequence sums to at most
    10**digits units, no digit of their product overflows. `decimal` multiplies long integers in quasi-linear time; its
    context raises an error were a single digit to be lost.
    """
    if not a.units or not b.units:
        return Weights(a.first + b.first, [], a.digits)
    width = 2 * a.digits + 1
    context = Context(prec=MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[Inexact, Rounded])
    left = _packed(a.units, width)
    whole = context.multiply(left, left if b is a else _packed(b.units, width))
    size = len(a.units) + len(b.units) - 1
    text = f"{whole:f}".zfill(width * size)
    kept = width - a.digits
    found = [int(text[at : at + kept]) for at in range(0, width * size, width)]
    found.reverse()
    return Weights(a.first + b.first, found, a.digits).cropped()


def _packed(units: Sequence[int], width: int) -> Decimal:
    """Return the integer of which these are the digits in base 10**width, the first the lowest."""
    return Decimal("".join([f"{unit:0{width}d}" for unit in reversed(units)]))
