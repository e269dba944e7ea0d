"""Numbers coded by small integers: by the cell that a number is in, or by the frequent value that it is. Each row is
coded by itself, as doubles, so the label of an outcome depends on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from dpcert.audit.sampling.events import interval_words
from dpcert.audit.sampling.views import Array, Cache, View

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
        """Return the numbers, one column a group, and which rows have values outside the sample's, if any."""
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


ATOM = 200
"""A value that at least one entry in this many has gets a label of its own."""
ATOMS = 64
BUCKETS = 1 << 14
RARE = 8
"""The narrow cells at either end have at least about this many numbers of the sample."""


def _places(size: int, cells: int, finer_ends: bool) -> list[int]:
    """Return the places of the cuts among `size` ordered numbers."""
    if size <= cells:
        return []
    places = [(i + 1) * size // cells for i in range(cells - 1)]
    step = places[0] if finer_ends and places else 0
    while step > RARE:
        step = step * 2 // 3
        places += [step, size - 1 - step]
    return places


@dataclass(frozen=True, slots=True, eq=False)
class Coding:
    """Each number of a view coded by its cell, or by its place among the `atoms`, where it is one of them.

    Code i < len(cuts) + 1 says cuts[i - 1] < x <= cuts[i]; the next code says that x is no number; then come the atoms.
    """

    view: View
    cuts: tuple[tuple[float, ...], ...]
    atoms: tuple[tuple[float, ...], ...]

    @classmethod
    def fitted(cls, view: View, fit: Array, cells: int, *, pooled: bool = False, finer_ends: bool = False) -> Coding:
        """Return a coding whose atoms are the frequent values of a sample, and whose cuts are quantiles of the rest.

        With `finer_ends`, the first and the last cell are cut further, and with `pooled` all numbers are coded alike.
        """
        import numpy as np

        numbers = view.of(fit, {})
        columns = [numbers.ravel()] if pooled else [numbers[:, i] for i in range(numbers.shape[1])]
        cuts, atoms = [], []
        for column in columns:
            present = column[~np.isnan(column)] if column.dtype.kind == "f" else column
            values, counts = np.unique(present, return_counts=True)
            if len(values) <= ATOMS and len(values) * 4 <= len(present):
                frequent = np.ones(len(values), dtype=bool)
            else:
                frequent = counts * ATOM >= max(len(present), 4 * ATOM)
            chosen = values[frequent][np.argsort(-counts[frequent], kind="stable")[:ATOMS]]
            rest = np.sort(present[~np.isin(present, chosen)])
            cuts.append(tuple(sorted({float(rest[i]) for i in _places(len(rest), cells, finer_ends)})))
            atoms.append(tuple(sorted(map(float, chosen))))
        times = numbers.shape[1] if pooled else 1
        return cls(view, tuple(cuts * times), tuple(atoms * times))

    @property
    def patterns(self) -> int:
        """The number of possible rows of codes."""
        return prod(self.sizes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many codes each number has."""
        return tuple(len(cuts) + 2 + len(atoms) for cuts, atoms in zip(self.cuts, self.atoms, strict=True))

    def codes(self, rows: Array, cache: Cache) -> Array:
        """Return the code of each number of each row, in columns."""
        import numpy as np

        if self not in cache:
            numbers = self.view.of(rows, cache)
            found = np.empty(numbers.shape, dtype=np.int16, order="F")
            for i in range(numbers.shape[1]):
                found[:, i] = self.column(numbers[:, i], i)
            cache[self] = found
        result: Array = cache[self]
        return result

    def column(self, numbers: Array, i: int) -> Array:
        """Return the codes of number i of each row."""
        import numpy as np

        cuts, atoms = np.array(self.cuts[i]), np.array(self.atoms[i])
        if numbers.dtype.kind in "biu" and not len(cuts) and len(atoms) and abs(atoms).max() < 1 << 15:
            return _looked_up(numbers, atoms)
        # An atom is a cell of its own, between the number before it and itself.
        edges = np.unique(np.concatenate([cuts, atoms, np.nextafter(atoms, -np.inf), [np.inf]]))
        names = np.searchsorted(cuts, edges)
        names[np.searchsorted(edges, atoms)] = len(cuts) + 2 + np.arange(len(atoms))
        names = np.append(names, len(cuts) + 1)
        found: Array = names.astype(np.int16)[cell_of(np.ascontiguousarray(numbers, dtype=np.float64), edges)]
        return found

    def one_words(self, i: int, code: int) -> str:
        """Return in words the meaning of a code for number i."""
        cuts, atoms = self.cuts[i], self.atoms[i]
        if code >= len(cuts) + 2:
            return repr(atoms[code - len(cuts) - 2])
        if code == len(cuts) + 1:
            return "no number"
        return interval_words(cuts, code, code) or ("another number" if atoms else "any number")


def _looked_up(numbers: Array, atoms: Array) -> Array:
    """Return the codes of integers, where each integer that was seen is an atom."""
    import numpy as np

    low, high = int(atoms.min()) - 1, int(atoms.max()) + 1
    table = np.zeros(high - low + 1, dtype=np.int16)
    table[atoms.astype(np.int64) - low] = np.arange(len(atoms)) + 2
    found: Array = table[np.clip(numbers.astype(np.int64), low, high) - low]
    return found


def cell_of(numbers: Array, edges: Array) -> Array:
    """Return searchsorted(edges, numbers): the number of ascending edges below each number; all of them for NaN.

    Most numbers are in a bucket without an edge. Buckets rise with the number, so such a bucket fixes the count.
    """
    import numpy as np

    finite = edges[np.isfinite(edges)]
    low, high = (finite[0], finite[-1]) if len(finite) else (0.0, 0.0)
    span = high - low
    few = len(numbers) < BUCKETS // 8
    if few or not 1e-200 < span < 1e200 or np.isnan(numbers).any():
        return np.searchsorted(edges, numbers)

    def bucket(values: Array) -> Array:
        found = np.clip(values, low, high)
        found -= low
        found *= (BUCKETS - 1) / span
        return found.astype(np.int64)

    with np.errstate(all="ignore"):
        places, own = bucket(edges), bucket(numbers)
    below = np.searchsorted(places, np.arange(BUCKETS))
    unclear = np.zeros(BUCKETS, dtype=bool)
    unclear[places] = True
    found = below[own]
    again = np.flatnonzero(unclear[own])
    found[again] = np.searchsorted(edges, numbers[again])
    return found
