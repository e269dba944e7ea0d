"""Outcomes as a numpy array, one a row, and the numbers of each row that features use."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

WIDTH = 64
"""Entries beyond this many are ignored."""

Cache = dict[Any, Any]
"""Results computed before from the same outcomes."""


class ArrayFeature(Protocol):
    """An integer label for each row of an array of outcomes."""

    def codes(self, rows: Array, cache: Cache) -> Array:
        """Return the labels, each a function of its row alone; `cache` keeps results for other features."""

    def words(self, labels: frozenset[Hashable]) -> str:
        """Return in words the condition that an outcome has one of these labels."""


def as_rows(outcomes: Sequence[Any] | Array) -> Array:
    """Return an array of outcomes with one row each, at most WIDTH entries of it."""
    import numpy as np

    rows = np.asarray(outcomes)
    rows = rows.reshape(len(rows), -1)[:, :WIDTH]
    if rows.dtype.kind not in "biuf":
        rows = rows.astype(np.float64)
    return rows


@dataclass(frozen=True, slots=True)
class View:
    """Numbers of an outcome: its "entries", their "differences", the entries "sorted", or their "sum" and the like."""

    kind: str
    column: int | None = None

    def of(self, rows: Array, cache: Cache) -> Array:
        """Return them as doubles, one row for each outcome."""
        if self not in cache:
            cache[self] = self._of(rows, cache)
        found: Array = cache[self]
        return found

    def _of(self, rows: Array, cache: Cache) -> Array:
        import numpy as np

        if self.kind == "entries":
            if rows.dtype.kind in "biu":
                return rows if self.column is None else rows[:, self.column : self.column + 1]
            whole = rows.astype(np.float64, copy=False)
            return whole if self.column is None else whole[:, self.column : self.column + 1]
        entries = View("entries").of(rows, cache).astype(np.float64, copy=False)
        with np.errstate(all="ignore"):
            if self.kind == "differences":
                found: Array = np.diff(entries, axis=1, prepend=0.0)
            elif self.kind == "sorted":
                found = np.sort(entries, axis=1)
            elif self.kind == "sum":
                found = entries[:, :1].copy()  # added in one order, whatever the width
                for i in range(1, entries.shape[1]):
                    found += entries[:, i : i + 1]
            else:
                found = (entries.max(axis=1) if self.kind == "greatest" else entries.min(axis=1))[:, None]
        return found

    def words(self) -> str:
        return f"the {self.kind}" if self.column is None else f"entry {self.column}"
