"""Data as mechanisms take it: how often each value occurs, and the items of each user, from rows in any order."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b, sha256
from itertools import pairwise
from pathlib import Path

import numpy as np

from dpcert.mechanisms.exact.errors import InputError
from dpcert.releasing.rows import Columns, Rows, opened

Counts = list[tuple[str, int]]
"""Values in order, each with how many people have it."""
UserCounts = list[tuple[int, int]]
"""The items of one user, by their places in a list of all items, each with a count of 1 or more."""
MOST_COUNT = 1 << 40
"""The greatest count of one item of one user."""
SHIFT, LOW = np.uint64(32), np.uint64((1 << 32) - 1)
"""Where the user stands in a packed row, and which bits of it are the item."""
LABELS = "labels-sha256"
"""The parameter of a release that says of which labels its numbers are."""
BLOCK = 1 << 18
"""The number of rows that are unpacked at once, and those of the last user with them."""


def counts_of(rows: Rows) -> Counts:
    """Return how often each value occurs in rows, values in order; those that occur 0 times are left out."""
    return sorted((value, count) for value, count in rows.counts().items() if count)


def merged_counts(parts: Iterable[Counts]) -> Counts:
    """Return how often each value occurs in all parts of the data together."""
    counts: dict[str, int] = {}
    for part in parts:
        for value, count in part:
            counts[value] = counts.get(value, 0) + count
    return sorted(counts.items())


def read_counts(
    path: str | Path,
    columns: Columns | None = None,
    *,
    trusted: bool = False,
    progress: Callable[[float], None] | None = None,
) -> tuple[Counts, str]:
    """Return how often each value occurs in a file, values in order, and in words what was read.

    Raises: InputError where the file cannot be read, or a row is of no use.
    """
    with opened(Path(path), columns or Columns(), trusted=trusted, progress=progress) as rows:
        return counts_of(rows), rows.words


@dataclass(frozen=True, slots=True)
class Users:
    """The items of each user: rows sorted by user and item, as packed numbers, and their counts where some is not 1.

    Iterating yields the items of one user after the other, each item once. `names` and `labels` are those of users and
    items, where the items were not listed before.
    """

    packed: np.ndarray[tuple[int], np.dtype[np.uint64]]
    counts: np.ndarray[tuple[int], np.dtype[np.int64]] | None
    names: Sequence[str] = ()
    labels: Sequence[str] = ()

    @classmethod
    def of(cls, rows: Rows, items: Mapping[str, int] | None = None) -> Users:
        """Return the users of rows; `items` has the place of each item that may occur, or is None for any.

        Raises: InputError for an item that is none of them, and a user of too many of one.
        """
        known: dict[str, int] = {}
        met: dict[str, int] = {}
        packed, counts, ones = array("Q"), array("q"), 0
        for user, value, count in rows:
            place = met.setdefault(value, len(met)) if items is None else items.get(value)
            if place is None:
                raise rows.bad("an item that is not in the file of labels", "one that is", value)
            if count > MOST_COUNT:
                raise rows.bad(f"a count above 2^{MOST_COUNT.bit_length() - 1}", "a smaller one", count)
            number = known.setdefault(user, len(known))
            if count == 0:
                continue
            packed.append(number << 32 | place)
            if count != 1 and not counts:
                counts = array("q", [1]) * ones
            if count != 1 or counts:
                counts.append(count)
            ones += 1
        names, labels = ([*known], [*met]) if items is None else ([], [])
        known.clear()  # frees memory before sorting
        rows_of = np.frombuffer(packed, dtype=np.uint64) if packed else np.zeros(0, dtype=np.uint64)
        if not counts:
            rows_of.sort()
            return cls(rows_of, None, names, labels)
        order = np.argsort(rows_of)
        return cls(rows_of[order], np.frombuffer(counts, dtype=np.int64)[order], names, labels)

    def __iter__(self) -> Iterator[UserCounts]:
        return (items for _, items in self._each())

    def records(self) -> Iterator[list[str]]:
        """Yield the labels of each user, each once, in the order of hashes of user and label.

        Claims: a record depends on the user's own rows alone.
        Requires: users and items that were not listed before.
        """
        for user, items in self._each():
            own = blake2b(self.names[user].encode()).digest()
            labels = [self.labels[item] for item, _ in items]
            yield sorted(labels, key=lambda label: blake2b(label.encode(), key=own).digest())

    def _each(self) -> Iterator[tuple[int, UserCounts]]:
        first = 0
        while first < len(self.packed):
            end = min(first + BLOCK, len(self.packed))
            # All rows of the last user belong to its block: up to where the next user's packed rows would begin.
            last = int(np.searchsorted(self.packed, (self.packed[end - 1] >> SHIFT) + np.uint64(1) << SHIFT))
            rows = self.packed[first:last]
            starts = np.flatnonzero(np.diff(rows >> SHIFT)) + 1
            items = (rows & LOW).tolist()
            counts = [1] * len(items) if self.counts is None else self.counts[first:last].tolist()
            for begin, end in pairwise([0, *starts.tolist(), len(items)]):
                found: dict[int, int] = {}
                for item, count in zip(items[begin:end], counts[begin:end], strict=True):
                    found[item] = found.get(item, 0) + count
                yield int(rows[begin]) >> 32, list(found.items())
            first = last


def read_labels(path: str | Path) -> list[str]:
    """Return the labels of a public file, one a line, in order.

    Raises: InputError where the file cannot be read, and for a label that stands there twice.
    """
    with opened(Path(path), Columns(), trusted=True) as rows:
        places: dict[str, int] = {}
        for _, value, _ in rows:
            if value in places:
                raise rows.bad("a label that stands there twice", "each label once", value)
            places[value] = len(places)
    if not places:
        raise InputError(given=f"{path}: no labels", needed="at least one, one a line", remedy="list them")
    return list(places)


def digest_of(labels: Sequence[str]) -> str:
    """Return the SHA-256 of labels in order, one a line."""
    return sha256("\n".join(labels).encode()).hexdigest()
