"""Rows of small integers packed into few numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dpcert.audit.sampling.views import Array, Cache

RANGE = 1 << 10


@dataclass(frozen=True, slots=True, eq=False)
class Packing:
    """Integers from `low` on, packed column by column: columns start to stop - 1 are the digits of one number, each
    from 0 to size - 1.
    """

    low: int
    size: int
    groups: tuple[tuple[int, int], ...]

    @classmethod
    def fitted(cls, fit: Array, most: int) -> Packing | None:
        """Return a packing into numbers below `most`; None where values are not integers, or too many."""
        if fit.dtype.kind not in "biu" or not len(fit):
            return None
        low, high = int(fit.min()), int(fit.max())
        size = high - low + 1
        if size > min(most, RANGE):
            return None
        groups, start, total = [], 0, 1
        for i in range(fit.shape[1]):
            if total * size > most:
                groups.append((start, i))
                start, total = i, 1
            total *= size
        return cls(low, size, (*groups, (start, fit.shape[1])))

    def of(self, rows: Array, cache: Cache) -> tuple[Array, Array | None]:
        """Return the numbers, one column a group, and which rows have values outside those seen, if any."""
        import numpy as np

        if self not in cache:
            digits = np.zeros((rows.shape[1], len(self.groups)))
            for i, (start, stop) in enumerate(self.groups):
                digits[start:stop, i] = float(self.size) ** np.arange(stop - start - 1, -1, -1)
            packed = (rows.astype(np.float64) @ digits - self.low * digits.sum(axis=0)).astype(np.int64)
            strange = None
            if rows.min() < self.low or rows.max() >= self.low + self.size:
                strange = ((rows < self.low) | (rows >= self.low + self.size)).any(axis=1)
                packed[strange] = 0
            cache[self] = packed, strange
        found: tuple[Array, Array | None] = cache[self]
        return found

    def values(self, group: int) -> Iterator[tuple[int, Array]]:
        """Yield the columns of a group, each with the value that it has in each of the group's numbers, from 0."""
        import numpy as np

        start, stop = self.groups[group]
        numbers = np.arange(self.size ** (stop - start))
        for j in reversed(range(start, stop)):
            numbers, digit = np.divmod(numbers, self.size)
            yield j, digit
