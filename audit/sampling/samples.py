"""Outcomes seen on one input: counted Python values, or the rows of an array."""

from __future__ import annotations

import math
import zlib
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from dpcert.audit.sampling.events import Event, Feature, entries_of, number_of
from dpcert.audit.sampling.scores import ScoreCells
from dpcert.audit.sampling.views import WIDTH, Array, ArrayFeature, Cache, as_rows
from dpcert.mechanisms.exact.outcome import key

LOOKED_AT = 20_000
"""The number of rows that are searched at once for examples of an event."""
FAR = 1 << 40
"""In a matrix, values that are not numbers become numbers from this one on."""


def matrix_of(outcomes: Sequence[Any], width: int) -> Array:
    """Return one row of doubles for each outcome: its first `width` numbers; NaN where it has fewer.

    A truth value is 0 or 1. A value that is not a number becomes a large number that depends on the value.
    """
    import numpy as np

    found = np.full((len(outcomes), width), np.nan)
    for row, outcome in zip(found, outcomes, strict=True):
        entries = entries_of(outcome)
        for i, entry in enumerate(((outcome,) if entries is None else entries)[:width]):
            row[i] = _double(entry)
    return found


def _double(entry: Any) -> float:
    number = number_of(entry)
    if number is None:
        if isinstance(entry, float):
            return math.nan
        return float(entry) if type(entry) is bool else float(FAR + zlib.crc32(repr(key(entry)).encode()))
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


@dataclass(frozen=True, slots=True, eq=False)
class Wrapped:
    """A feature of rows applied to Python values, by way of `matrix_of`."""

    feature: ArrayFeature
    width: int

    def label(self, outcome: Any) -> Hashable:
        return self.labels([outcome])[0]

    def labels(self, outcomes: Sequence[Any]) -> list[Hashable]:
        return self.labels_of(matrix_of(outcomes, self.width), {})

    def labels_of(self, rows: Array, cache: Cache) -> list[Hashable]:
        return list(self.feature.codes(rows, cache).tolist())

    def words(self, labels: frozenset[Hashable]) -> str:
        return self.feature.words(labels)


@dataclass(slots=True)
class Tally:
    """The outcomes seen on one input, equal ones counted together."""

    seen: dict[Hashable, tuple[Any, int]] = field(default_factory=dict)
    runs: int = 0
    _rows: tuple[int, int, Array] | None = None

    def add(self, outcome: Any) -> None:
        """Count one run."""
        name = key(outcome)
        kept, count = self.seen.get(name, (outcome, 0))
        self.seen[name] = (kept, count + 1)
        self.runs += 1

    def merge(self, other: Any) -> None:
        """Count the runs of another tally as well."""
        for name, (outcome, count) in other.seen.items():
            kept, before = self.seen.get(name, (outcome, 0))
            self.seen[name] = (kept, before + count)
        self.runs += other.runs

    def outcomes(self) -> Iterator[Any]:
        """Yield the outcomes, each as often as it was seen."""
        return chain.from_iterable([outcome] * count for outcome, count in self.seen.values())

    def _labelled(self, feature: Feature | Wrapped, cache: Cache) -> Iterable[tuple[Hashable, int]]:
        counts = (count for _, count in self.seen.values())
        if isinstance(feature, Wrapped):
            return zip(feature.labels_of(self._distinct(feature.width), cache), counts, strict=True)
        return zip((feature.label(outcome) for outcome, _ in self.seen.values()), counts, strict=True)

    def _distinct(self, width: int) -> Array:
        """Return a row for each distinct outcome; the rows of the last call are kept."""
        if self._rows is None or self._rows[:2] != (width, len(self.seen)):
            self._rows = width, len(self.seen), matrix_of([outcome for outcome, _ in self.seen.values()], width)
        return self._rows[2]

    def by_label(self, feature: Feature | Wrapped, cache: Cache) -> dict[Hashable, int]:
        """Return how often each label was seen."""
        found: dict[Hashable, int] = {}
        for label, count in self._labelled(feature, cache):
            found[label] = found.get(label, 0) + count
        return found

    def hits(self, event: Event) -> int:
        return sum(count for label, count in self._labelled(event.feature, {}) if label in event.labels)

    def matrix(self, width: int) -> Array:
        import numpy as np

        return np.repeat(self._distinct(width), [count for _, count in self.seen.values()], axis=0)

    def width(self) -> int:
        """Return the number of entries of the longest of some outcomes, from 1 to WIDTH."""
        some = [outcome for outcome, _ in list(self.seen.values())[:500]]
        return min(WIDTH, max((len(entries_of(outcome) or "1") for outcome in some), default=1))


@dataclass(slots=True)
class Rows:
    """The outcomes seen on one input, a row of an array for each run."""

    parts: list[Array] = field(default_factory=list)

    @property
    def runs(self) -> int:
        return sum(map(len, self.parts))

    def add(self, outcomes: Array) -> None:
        """Count the runs of an array."""
        self.parts.append(as_rows(outcomes))

    def merge(self, other: Any) -> None:
        """Count the runs of others as well."""
        self.parts += other.parts

    def whole(self) -> Array:
        """Return one array of all."""
        import numpy as np

        if len(self.parts) != 1:
            self.parts = [np.concatenate(self.parts)]
        return self.parts[0]

    def by_label(self, feature: ArrayFeature, cache: Cache) -> dict[Hashable, int]:
        """Return how often each label was seen."""
        import numpy as np

        labels, counts = np.unique(feature.codes(self.whole(), cache), return_counts=True)
        return dict(zip(labels.tolist(), counts.tolist(), strict=True))

    def hits(self, event: Event) -> int:
        return sum(hits_in(rows, [event])[0] for rows in self.parts)

    def examples(self, feature: ArrayFeature, labels: Iterable[Hashable], most: int) -> tuple[Any, ...]:
        """Return the first few outcomes with one of these labels, as Python values; as many as there are, if fewer."""
        import numpy as np

        wanted, found, whole = _ordered(labels), list[Any](), self.whole()
        for start in range(0, len(whole), LOOKED_AT):
            rows = whole[start : start + LOOKED_AT]
            found += [_python(row) for row in rows[np.isin(feature.codes(rows, {}), wanted)][: most - len(found)]]
            if len(found) == most:
                break
        return tuple(found)


def _python(row: Array) -> Any:
    values = row.tolist()
    return values[0] if len(values) == 1 else values


def hits_in(rows: Array, events: Sequence[Event]) -> list[int]:
    """Return how many rows are in each of the events."""
    import numpy as np

    cache: Cache = {}
    return [int(np.count_nonzero(_inside(rows, event, cache))) for event in events]


def _ordered(labels: Iterable[Hashable]) -> Array:
    import numpy as np

    return np.array(sorted(label for label in labels if isinstance(label, int)), dtype=np.int64)


def _inside(rows: Array, event: Event, cache: Cache) -> Array:
    import numpy as np

    if isinstance(event.feature, ScoreCells):
        inside = event.feature.inside(rows, event.labels, cache)
        if inside is not None:
            return inside
    return np.isin(event.feature.codes(rows, cache), _ordered(event.labels))


Samples = Tally | Rows
