"""Powers of long sequences of non-negative numbers, from below: exact products of long integers, then floors.

A sequence holds lower bounds, as binary fractions, of weights that sum to at most 1. The loss, to floors and to dropped
ends, needs no second computation: it is at most 1 less the sum of the weights that are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import flint
import numpy as np
from numpy.typing import NDArray

_SPARE = 2
"""The number of bytes that a weight at an end must exceed, lest it is dropped."""


@dataclass(frozen=True, slots=True, eq=False)
class WeightBounds:
    """Lower bounds of weights at first, first + 1, ..., in units of 256**(1 - size); they sum to at most 1.

    `rows` are their bytes, `size` of them for each weight, the least one first.
    """

    first: int
    rows: NDArray[np.uint8]

    @classmethod
    def of(cls, first: int, units: Sequence[int], size: int) -> WeightBounds:
        """Return the weights of so many units each, which sum to at most 256**(size - 1)."""
        data = b"".join(weight.to_bytes(size, "little") for weight in units)
        return cls(first, np.frombuffer(data, np.uint8).reshape(-1, size))

    @classmethod
    def one_at_zero(cls, size: int) -> WeightBounds:
        """Return the weight 1 at 0."""
        return cls.of(0, [1 << 8 * (size - 1)], size)

    @property
    def one(self) -> int:
        """The number 1 in units."""
        one: int = 1 << 8 * (self.rows.shape[1] - 1)
        return one

    @property
    def units(self) -> list[int]:
        """The weights in units."""
        count, size = self.rows.shape
        words = np.zeros((count, -(-size // 8) * 8), np.uint8)
        words[:, :size] = self.rows
        *lesser, column = words.view("<u8").T
        found: list[int] = column.tolist()
        for column in reversed(lesser):
            found = [high << 64 | low for high, low in zip(found, column.tolist(), strict=True)]
        return found

    def trimmed(self) -> WeightBounds:
        """Return the weights without those below 256**_SPARE units at the ends."""
        held = np.flatnonzero(self.rows[:, _SPARE:].any(axis=1))
        start, stop = (int(held[0]), int(held[-1]) + 1) if held.size else (0, 0)
        return WeightBounds(self.first + start, self.rows[start:stop])

    def power(self, times: int) -> WeightBounds:
        """Return lower bounds of the weights of the sum of `times` independent draws, times >= 1."""
        whole = self
        for bit in f"{times:b}"[1:]:
            whole = product(whole, whole)
            if bit == "1":
                whole = product(whole, self)
        return whole


def product(a: WeightBounds, b: WeightBounds) -> WeightBounds:
    """Return lower bounds of the weights of the sum of a draw from a and one from b, of as many bytes.

    The weights are digits of two long integers in base 256**(2 size). Each sequence sums to at most 256**(size - 1)
    units, so no digit of the product overflows; its upper bytes are the weight, rounded down.
    """
    size, count = a.rows.shape[1], len(a.rows) + len(b.rows) - 1
    if not len(a.rows) or not len(b.rows):
        return WeightBounds(a.first + b.first, a.rows[:0])
    whole = _integer(a.rows)
    whole *= whole if b is a else _integer(b.rows)
    data = int(whole).to_bytes(2 * size * count, "little")
    rows = np.frombuffer(data, np.uint8).reshape(count, 2 * size)[:, size - 1 : 2 * size - 1]
    return WeightBounds(a.first + b.first, rows).trimmed()


def _integer(rows: NDArray[np.uint8]) -> flint.fmpz:
    """Return the integer of which the weights are the digits, with as many bytes of 0 between them."""
    count, size = rows.shape
    spread = np.zeros((count, 2 * size), np.uint8)
    spread[:, :size] = rows
    return flint.fmpz(int.from_bytes(spread.tobytes(), "little"))
