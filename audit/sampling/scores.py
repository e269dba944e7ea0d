"""Learned scores: an integer for each outcome, greater where an outcome is likelier on a; its cells are the labels.

A score is learned from samples that decide nothing. `TableSum` is the built-in one: naive Bayes, a sum of logarithms of
the likelihood ratios of parts of the outcome, as its histograms show them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol

from dpcert.audit.sampling.coding import Coding, Packing, cell_of
from dpcert.audit.sampling.columns import PackedOutcome, whole_of
from dpcert.audit.sampling.views import Array, ArrayFeature, Cache, View

UNIT = 1 << 16
"""Scores are multiples of 1 / UNIT, so that their sums are exact."""
FINE = 32
MOST_CELLS = 128
BLOCK = 5
SURE = 4.0
TABLE, DIRECT = 1 << 12, 1 << 16


class Score(Protocol):
    """A number for each outcome."""

    def of(self, rows: Array, cache: Cache) -> Array:
        """Return the score of each row, as an integer of the row alone."""

    def words(self) -> str:
        """Return the kind of score in words."""


def _table(on_a: Array, on_b: Array, a: int, b: int, sure: float = 0.0) -> Array:
    """Return the logarithms of labels' likelihood ratios, in UNITs, shrunk towards 0 where counts are small."""
    import numpy as np

    half = 0.5
    ratios = np.log((on_a + half) / (a + half)) - np.log((on_b + half) / (b + half))
    seen = on_a + on_b
    errors = np.sqrt(1 / (on_a + half) + 1 / (on_b + half))
    ratios = np.where(np.abs(ratios) >= sure * errors, ratios, 0)
    found: Array = np.rint(UNIT * ratios * seen / (seen + 4)).astype(np.int64)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class TableSum:
    """A score that sums, over the numbers of a view, the weight of each number's cell."""

    coding: Coding
    tables: tuple[Array, ...]
    cells: int
    pooled: bool

    @classmethod
    def fitted(
        cls, coding: Coding, a: Array, b: Array, caches: Sequence[Cache], cells: int, *, pooled: bool, sure: float = 0.0
    ) -> TableSum:
        """Return the score whose weights are those of `cells` coarser cells, or one table for all numbers.

        Weights that are not `sure` standard errors from 0 are 0.
        """
        import numpy as np

        counts = []
        for rows, cache in zip((a, b), caches, strict=True):
            codes = coding.codes(rows, cache)
            counts.append([np.bincount(codes[:, i], minlength=size) for i, size in enumerate(coding.sizes)])
        tables = []
        for i, size in enumerate(coding.sizes):
            own = len(coding.cuts[i]) + 1
            group = np.arange(size)
            group[:own] = np.arange(own) * cells // own
            group[own:] += cells
            chosen = range(len(coding.sizes)) if pooled else (i,)
            on_a, on_b = (np.bincount(group, sum(side[j] for j in chosen), size + cells) for side in counts)
            many = len(chosen)
            tables.append(_table(on_a, on_b, many * len(a), many * len(b), sure)[group])
        return cls(coding, tuple(tables), cells, pooled)

    def of(self, rows: Array, cache: Cache) -> Array:
        import numpy as np

        codes = self.coding.codes(rows, cache)
        total = np.zeros(len(codes), dtype=np.int64)
        for i, table in enumerate(self.tables):
            total += table[codes[:, i]]
        return total

    def words(self) -> str:
        same = ", the same weights for each" if self.pooled else ""
        return f"naive Bayes over {self.coding.view.words()} in {self.cells} cells each{same}"


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """A sum over integers in columns, by one table for several columns at once; strange rows have the least score."""

    plain: TableSum
    packing: Packing
    tables: tuple[Array, ...]

    @classmethod
    def of_sum(cls, plain: TableSum, packing: Packing) -> Packed:
        """Return the same score as a sum's, on rows of values that `packing` knows."""
        import numpy as np

        tables = []
        for group in range(len(packing.groups)):
            total = np.zeros(1, dtype=np.int64)
            for j, digits in packing.values(group):
                total = total + plain.tables[j][plain.coding.column(digits + packing.low, j)]
            tables.append(total)
        return cls(plain, packing, tuple(tables))

    def of(self, rows: Array, cache: Cache) -> Array:
        packed, strange = self.packing.of(rows, cache)
        total = self.tables[0][packed[:, 0]]
        for i, table in enumerate(self.tables[1:], 1):
            total += table[packed[:, i]]
        if strange is not None:
            total[strange] = sum(int(table.min()) for table in self.tables)
        found: Array = total
        return found

    def words(self) -> str:
        return self.plain.words()


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """A score that sums, over consecutive blocks of entries, the weight of each block's pattern."""

    parts: tuple[tuple[int, int, ArrayFeature, Array, Array], ...]

    @classmethod
    def fitted(cls, blocks: Sequence[tuple[int, int, ArrayFeature]], a: Array, b: Array) -> Blocks:
        """Return the score whose weights are those of the patterns seen."""
        import numpy as np

        parts = []
        for start, stop, pattern in blocks:
            on_a, on_b = (pattern.codes(rows[:, start:stop], {}) for rows in (a, b))
            labels = np.unique(np.concatenate([on_a, on_b]))
            counts = [np.bincount(np.searchsorted(labels, codes), minlength=len(labels)) for codes in (on_a, on_b)]
            parts.append((start, stop, pattern, labels, _table(counts[0], counts[1], len(a), len(b))))
        return cls(tuple(parts))

    def of(self, rows: Array, cache: Cache) -> Array:
        import numpy as np

        total = np.zeros(len(rows), dtype=np.int64)
        for start, stop, pattern, labels, table in self.parts:
            codes = pattern.codes(rows[:, start:stop], {})
            if isinstance(pattern, PackedOutcome) and labels[-1] < DIRECT:
                weights = np.zeros(DIRECT + 1, dtype=np.int64)
                weights[labels] = table
                total += weights[np.minimum(codes, DIRECT - 1)]
                continue
            place = np.searchsorted(labels, codes)
            place[place == len(labels)] = 0
            total += np.where(labels[place] == codes, table[place], 0)
        return total

    def words(self) -> str:
        return f"naive Bayes over the patterns of {len(self.parts)} blocks of entries"


@dataclass(frozen=True, slots=True, eq=False)
class ScoreCells:
    """The cell that a score is in; cell i says cuts[i - 1] < score <= cuts[i]."""

    score: Score
    cuts: tuple[int, ...]

    def codes(self, rows: Array, cache: Cache) -> Array:
        import numpy as np

        return cell_of(self._scores(rows, cache).astype(np.float64), np.array(self.cuts, dtype=np.float64))

    def _scores(self, rows: Array, cache: Cache) -> Array:
        if self.score not in cache:
            cache[self.score] = self.score.of(rows, cache)
        found: Array = cache[self.score]
        return found

    def inside(self, rows: Array, labels: frozenset[Hashable], cache: Cache) -> Array | None:
        """Return which rows have one of these labels, where these are neighbouring cells."""
        cells = sorted(label for label in labels if isinstance(label, int))
        if not cells or len(cells) != cells[-1] - cells[0] + 1:
            return None
        scores = self._scores(rows, cache)
        above = scores > self.cuts[cells[0] - 1] if cells[0] else scores == scores
        return above & (scores <= self.cuts[cells[-1]]) if cells[-1] < len(self.cuts) else above

    def words(self, labels: frozenset[Hashable]) -> str:
        cells = ", ".join(str(label) for label in sorted(label for label in labels if isinstance(label, int)))
        return f"a learned score ({self.score.words()}) is in cells {cells} of {len(self.cuts) + 1}"


def cells_of(score: Score, scores: Array) -> ScoreCells:
    """Return a score's cells: each value its own where they are few, else at quantiles, finer at both ends."""
    import numpy as np

    values = np.unique(scores)
    if len(values) <= MOST_CELLS:
        return ScoreCells(score, tuple(map(int, values)))
    ordered = np.sort(scores)
    near_ends = 2.0 ** -np.arange(5, max(6.0, np.log2(len(ordered) / 16)), 0.5)
    places = np.concatenate([near_ends, np.linspace(1 / 32, 31 / 32, 61), 1 - near_ends])
    return ScoreCells(score, tuple(sorted(set(map(int, ordered[(places * (len(ordered) - 1)).astype(np.int64)])))))


def scores_of(a: Array, b: Array) -> list[ScoreCells]:
    """Return the built-in scores, learned from outcomes on a and on b, of outcomes with several entries."""
    import numpy as np

    width = a.shape[1]
    if width < 2:
        return []
    floats = a.dtype.kind == "f"
    caches: tuple[Cache, Cache] = {}, {}
    both = np.concatenate([a[: len(a) // 2], b[: len(b) // 2]])
    found: list[ScoreCells] = []
    packing = Packing.fitted(both, TABLE)
    views = [View("entries"), View("differences"), View("sorted")] if floats else [View("entries")]
    for view in views:
        for pooled in (False, True) if view.kind != "sorted" else (False,):
            coding = Coding.fitted(view, both, FINE, pooled=pooled)
            forms = ((2, 0.0), (8, 0.0), (FINE, 0.0)) if any(coding.cuts) else ((FINE, 0.0), (FINE, SURE))
            for cells, sure in forms:
                plain = TableSum.fitted(coding, a, b, caches, cells, pooled=pooled, sure=sure)
                score = plain if packing is None else Packed.of_sum(plain, packing)
                found.append(cells_of(score, score.of(a, caches[0])))
            for cache in caches:
                cache.pop(coding, None)
    for size in {BLOCK, width // 2} if width >= 2 * BLOCK else ():
        blocks = []
        for start in range(0, width, size):
            stop = min(width, start + size)
            part = whole_of(both[:, start:stop])
            blocks += [] if part is None else [(start, stop, part)]
        if blocks:
            blocked = Blocks.fitted(blocks, a, b)
            found.append(cells_of(blocked, blocked.of(a, {})))
    return found
