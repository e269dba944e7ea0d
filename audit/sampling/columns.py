"""Features of many outcomes at once: a numpy array with one outcome a row, each coded by small integers.

What is compared are doubles, one row by itself, so that the label of an outcome depends on nothing else.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

__all__ = [
    "WIDTH",
    "ArrayFeature",
    "Cache",
    "Coding",
    "Low",
    "One",
    "Packing",
    "Pattern",
    "View",
    "Whole",
    "as_rows",
    "cell_of",
    "few_valued",
    "view_features",
    "whole_of",
]

WIDTH = 64
"""Entries beyond so many are not looked at."""
ATOM = 200
"""A value that one entry in so many has is a label of its own."""
ATOMS = 64
SINGLES = 16
"""How many entries have cells of their own."""
FEW, SOME = 64, 5000
BUCKETS = 1 << 14
RANGE = 1 << 10
PACKED = 1 << 52
NUMBER = -1
RARE = 8
"""The cells of a tail have at least about so many numbers of the sample."""
CROSSED = 16
"""Into how many cells the sum is cut for each pattern."""
MOST_PATTERNS = 1 << 62

Cache = dict[Any, Any]
"""What was computed of the same outcomes before."""


class ArrayFeature(Protocol):
    """An integer label for each row of an array of outcomes."""

    def codes(self, rows: Array, cache: Cache) -> Array:
        """Return the labels, each of its row alone; `cache` keeps what others may want of the same rows."""

    def words(self, labels: frozenset[Hashable]) -> str:
        """Return in words when an outcome has one of these labels."""


def _places(size: int, cells: int, tails: bool) -> list[int]:
    """Return the places of the cuts among `size` ordered numbers."""
    if size <= cells:
        return []
    places = [(i + 1) * size // cells for i in range(cells - 1)]
    step = places[0] if tails and places else 0
    while step > RARE:
        step = step * 2 // 3
        places += [step, size - 1 - step]
    return places


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
                found = _row_sum(entries)
            else:
                found = (entries.max(axis=1) if self.kind == "greatest" else entries.min(axis=1))[:, None]
        return found

    def words(self) -> str:
        """Return which numbers they are."""
        return f"the {self.kind}" if self.column is None else f"entry {self.column}"


def _row_sum(entries: Array) -> Array:
    total = entries[:, :1].copy()
    for i in range(1, entries.shape[1]):
        total += entries[:, i : i + 1]
    return total


@dataclass(frozen=True, slots=True, eq=False)
class Coding:
    """Each number of a view by the cell that it is in, or, where it is one of the `atoms`, by which.

    Code i < len(cuts) + 1 says cuts[i - 1] < x <= cuts[i]; the next says that it is no number; then come the atoms.
    """

    view: View
    cuts: tuple[tuple[float, ...], ...]
    atoms: tuple[tuple[float, ...], ...]

    @classmethod
    def fitted(cls, view: View, fit: Array, cells: int, *, pooled: bool = False, tails: bool = False) -> Coding:
        """Return a coding whose atoms are the frequent values of a sample, and whose cuts are quantiles of the rest.

        With `tails`, the first and the last cell are cut further, and with `pooled` all numbers are coded alike.
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
            cuts.append(tuple(sorted({float(rest[i]) for i in _places(len(rest), cells, tails)})))
            atoms.append(tuple(sorted(map(float, chosen))))
        times = numbers.shape[1] if pooled else 1
        return cls(view, tuple(cuts * times), tuple(atoms * times))

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
        """Return what a code says of number i."""
        cuts, atoms = self.cuts[i], self.atoms[i]
        if code >= len(cuts) + 2:
            return repr(atoms[code - len(cuts) - 2])
        if code == len(cuts) + 1:
            return "no number"
        low = f"above {cuts[code - 1]!r}" if code else ""
        high = f"at most {cuts[code]!r}" if code < len(cuts) else ""
        return " and ".join(filter(None, (low, high))) or ("another number" if atoms else "any number")


def _looked_up(numbers: Array, atoms: Array) -> Array:
    """Return the codes of integers of which each that was seen is an atom."""
    import numpy as np

    low, high = int(atoms.min()) - 1, int(atoms.max()) + 1
    table = np.zeros(high - low + 1, dtype=np.int16)
    table[atoms.astype(np.int64) - low] = np.arange(len(atoms)) + 2
    found: Array = table[np.clip(numbers.astype(np.int64), low, high) - low]
    return found


def cell_of(numbers: Array, edges: Array) -> Array:
    """Return searchsorted(edges, numbers): how many of the ascending edges are below each number, and all for NaN.

    Most numbers are in a bucket that no edge is in; as the bucket rises with the number, it says how many are below.
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


@dataclass(frozen=True, slots=True, eq=False)
class Packing:
    """Integers from `low` in columns packed into few: those of columns start to stop - 1 are the digits of one number.

    Digits are from 0 to size - 1.
    """

    low: int
    size: int
    groups: tuple[tuple[int, int], ...]

    @classmethod
    def fitted(cls, fit: Array, most: int) -> Packing | None:
        """Return a packing into numbers below `most`; None where values are no integers or too many."""
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


@dataclass(frozen=True, slots=True, eq=False)
class One:
    """The code of one number."""

    coding: Coding

    def codes(self, rows: Array, cache: Cache) -> Array:
        """Return the codes."""
        found: Array = self.coding.codes(rows, cache)[:, 0]
        return found

    def words(self, labels: frozenset[Hashable]) -> str:
        """Return the cells and the atoms, neighbouring cells joined."""
        cuts = self.coding.cuts[0]
        ranges: list[list[int]] = []
        for i in (i for i in range(len(cuts) + 1) if i in labels):
            if ranges and ranges[-1][1] == i - 1:
                ranges[-1][1] = i
            else:
                ranges.append([i, i])
        texts = []
        for first, last in ranges:
            low = f"above {cuts[first - 1]!r}" if first else ""
            high = f"at most {cuts[last]!r}" if last < len(cuts) else ""
            texts.append(" and ".join(filter(None, (low, high))) or "any number")
        others = sorted(label for label in labels if isinstance(label, int) and label > len(cuts))
        texts += [self.coding.one_words(0, code) for code in others]
        except_for = " but for frequent values" if ranges and self.coding.atoms[0] else ""
        return f"{self.coding.view.words()} is {' or '.join(texts)}{except_for}"


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """All entries by their codes at once; without cells, which of the frequent values stand where.

    With `number`, the cell of the sum as well.
    """

    coding: Coding
    number: Coding | None = None

    def codes(self, rows: Array, cache: Cache) -> Array:
        """Return the codes as one number."""
        import numpy as np

        if self not in cache:
            each = self.coding.codes(rows, cache)
            found = np.zeros(len(each), dtype=np.int64)
            for i, size in enumerate(self.coding.sizes):
                found *= size
                found += each[:, i]
            if self.number is not None:
                found = found * self.number.sizes[0] + self.number.codes(rows, cache)[:, 0]
            cache[self] = found
        result: Array = cache[self]
        return result

    def words(self, labels: frozenset[Hashable]) -> str:
        """Return the patterns."""
        return "the entries are " + " or ".join(sorted(self._one(label) for label in labels if isinstance(label, int)))

    def _one(self, label: int) -> str:
        last = ""
        if self.number is not None:
            label, code = divmod(label, self.number.sizes[0])
            last = f", sum {self.number.one_words(0, code)}"
        codes = []
        for size in reversed(self.coding.sizes):
            label, code = divmod(label, size)
            codes.append(code)
        entries = (self.coding.one_words(i, code) for i, code in enumerate(reversed(codes)))
        return f"({', '.join(entries)}{last})"


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """All entries of an outcome of few integers, as one number; NUMBER where one is beyond those seen."""

    packing: Packing

    def codes(self, rows: Array, cache: Cache) -> Array:
        """Return the outcomes as numbers."""
        packed, strange = self.packing.of(rows, cache)
        found: Array = packed[:, 0]
        if strange is not None:
            found = found.copy()
            found[strange] = NUMBER
        return found

    def words(self, labels: frozenset[Hashable]) -> str:
        """Return the outcomes."""
        return "the entries are " + " or ".join(self._one(label) for label in sorted(labels, key=str))

    def _one(self, label: Hashable) -> str:
        if not isinstance(label, int) or label == NUMBER:
            return "others than were seen"
        values = []
        for _ in range(self.packing.groups[0][1]):
            label, digit = divmod(label, self.packing.size)
            values.append(str(self.packing.low + digit))
        return f"({', '.join(reversed(values))})"


def whole_of(fit: Array) -> ArrayFeature | None:
    """Return the feature that says all of an outcome, or where the rest of its entries are numbers which are not."""
    packing = Packing.fitted(fit, PACKED)
    if packing is not None:
        return Whole(packing) if len(packing.groups) == 1 else None
    coding = Coding.fitted(View("entries"), fit, 1)
    patterned = any(len(atoms) > 1 for atoms in coding.atoms) and _size(coding) < MOST_PATTERNS
    return Pattern(coding) if patterned else None


@dataclass(frozen=True, slots=True, eq=False)
class Low:
    """How many trailing zeros the significand of one entry has, and its exponent: where floats betray their origin."""

    column: int

    def codes(self, rows: Array, cache: Cache) -> Array:
        """Return 64 times the exponent as `frexp` has it, plus the zeros; NUMBER for zero and what is not finite."""
        import numpy as np

        numbers = np.ascontiguousarray(rows[:, self.column], dtype=np.float64)
        with np.errstate(all="ignore"):
            mantissa, exponent = np.frexp(numbers)
            whole = np.ldexp(np.abs(mantissa), 53)
        usual = np.isfinite(numbers) & (numbers != 0)
        whole = np.where(usual, whole, 1).astype(np.int64)
        zeros = np.log2((whole & -whole).astype(np.float64)).astype(np.int64)
        return np.where(usual, 64 * (exponent.astype(np.int64) + 2000) + zeros, NUMBER)

    def words(self, labels: frozenset[Hashable]) -> str:
        """Return the exponents and the zeros."""
        zeros: dict[int, list[int]] = {}
        for label in labels:
            if isinstance(label, int) and label != NUMBER:
                zeros.setdefault(label // 64 - 2000, []).append(label % 64)
        texts = [
            f"2^{exponent - 1} <= |x| < 2^{exponent} with {', '.join(map(str, sorted(counts)))}"
            for exponent, counts in sorted(zeros.items())
        ]
        texts += ["no finite float or 0"] if NUMBER in labels else []
        return f"x, entry {self.column}, by the trailing zero bits of its significand: " + " or ".join(texts)


def view_features(fit: Array, cells: int, *, bits: bool) -> list[ArrayFeature]:
    """Return the features of single numbers and of patterns that fit a sample, the simplest first."""
    width = fit.shape[1]
    found: list[ArrayFeature] = []
    whole = whole_of(fit)
    if whole is not None:
        found.append(whole)
    if width > 1 or whole is None:
        parts = [View("entries", i) for i in range(min(width, SINGLES))]
        parts += [View(kind) for kind in ("sum", "greatest", "least")] if width > 1 else []
        found += [One(Coding.fitted(part, fit, cells, tails=True)) for part in parts]
    floats = fit.dtype.kind == "f"
    if isinstance(whole, Pattern) and _size(whole.coding) * (CROSSED + ATOMS + 2) < MOST_PATTERNS:
        found.append(Pattern(whole.coding, Coding.fitted(View("sum"), fit, CROSSED)))
    if bits and floats:
        found.append(Low(0))
    return found


def few_valued(rows: Array) -> bool:
    """Whether outcomes are integers of which there are so few that a histogram of them says all."""
    import numpy as np

    some = rows[:SOME]
    if rows.dtype.kind not in "biu" or len(rows) < FEW * FEW or whole_of(some) is None:
        return False
    return len(np.unique(some, axis=0)) <= FEW


def _size(coding: Coding) -> int:
    total = 1
    for size in coding.sizes:
        total *= size
    return total


def as_rows(outcomes: Sequence[Any] | Array) -> Array:
    """Return an array of outcomes with one row each, at most WIDTH entries of it."""
    import numpy as np

    rows = np.asarray(outcomes)
    rows = rows.reshape(len(rows), -1)[:, :WIDTH]
    if rows.dtype.kind not in "biuf":
        rows = rows.astype(np.float64)
    return rows
