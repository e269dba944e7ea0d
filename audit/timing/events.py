"""Events of (outcome, duration) to bet on, learnt from the runs so far. Floats propose them; nothing here decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcert.audit.timing.wealth import FRACTIONS, RoundCounts
from dpcert.mechanisms.exact.outcome import show

CELLS = 32
"""About the number of cells of duration, cut at quantiles of the runs so far."""
RARE = (100, 1000)
"""One in this many of the longest, and of the shortest, durations has cells of its own."""
JOINT_CELLS = 8
"""How many for each outcome."""
MOST_OUTCOMES = 64
LEARNT_FROM = 20_000
SHOWN = 4
WINDOW = 32
QUARTER = 8

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs in order of time: the position of each input, its nanoseconds, a number for its outcome, and its `excess`.

    The excess of a run is its duration less the eighth smallest of the 32 durations before it, as machines slow down
    and speed up.
    """

    position: Ints
    duration: Ints
    outcome: Ints
    excess: Ints

    @classmethod
    def of(
        cls, position: Sequence[int] | Ints, duration: Sequence[int] | Ints, outcome: Sequence[int] | Ints, past: Ints
    ) -> Runs:
        """Return runs from sequences of one length; `past` are the durations before the first, all or the last few."""
        where, times, which = (np.asarray(part, dtype=np.int64) for part in (position, duration, outcome))
        return cls(where, times, which, times - _usual(past, times))

    def __len__(self) -> int:
        return len(self.position)

    def chosen(self, mask: Any) -> Runs:
        """Return the runs at an index of numpy's."""
        return Runs(self.position[mask], self.duration[mask], self.outcome[mask], self.excess[mask])

    def on(self, a: int, b: int) -> Runs:
        """Return the runs on two inputs."""
        return self.chosen((self.position == a) | (self.position == b))

    def followed_by(self, other: Runs) -> Runs:
        """Return these runs and then others."""
        mine, theirs = ((runs.position, runs.duration, runs.outcome, runs.excess) for runs in (self, other))
        return Runs(*(np.concatenate(parts) for parts in zip(mine, theirs, strict=True)))


def _usual(past: Ints, duration: Ints) -> Ints:
    """Return for each run the eighth smallest of the 32 durations before it; missing ones count as 0."""
    if not len(duration):
        return duration
    before = np.concatenate((np.zeros(WINDOW, dtype=np.int64), past[-WINDOW:], duration))[-len(duration) - WINDOW : -1]
    windows = np.lib.stride_tricks.sliding_window_view(before, WINDOW)
    return np.partition(windows, QUARTER - 1, axis=1)[:, QUARTER - 1]


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells of runs, by their duration or its excess, and by their outcome where `outcomes` is not 0."""

    cuts: Ints
    relative: bool
    outcomes: int

    @property
    def size(self) -> int:
        """How many cells there are."""
        return (len(self.cuts) + 1) * max(1, self.outcomes)

    def cells(self, runs: Runs) -> Ints:
        """Return the cell of each run: that of its time, times the number of outcomes, plus its outcome; or -1."""
        cell = np.searchsorted(self.cuts, runs.excess if self.relative else runs.duration, side="left").astype(np.int64)
        if not self.outcomes:
            return cell
        return np.where(runs.outcome < self.outcomes, cell * self.outcomes + runs.outcome, -1)


@dataclass(frozen=True, slots=True)
class Bet:
    """An event for a against b: the cells that `inside` names, of the duration or, if `relative`, of its excess. Cell i
    is cuts[i - 1] < nanoseconds <= cuts[i]. There are cells for each of the first `outcomes` outcomes, or, where that
    is 0, for all together. `promise` is the number of standard errors that the event was above the claim when it was
    learnt, from the counts `seen`.
    """

    a: int
    b: int
    grid: Grid
    inside: NDArray[np.bool_]
    promise: float
    seen: RoundCounts

    def hits(self, runs: Runs) -> NDArray[np.bool_]:
        """Return for each run whether it is in the event."""
        cells = self.grid.cells(runs)
        found: NDArray[np.bool_] = (cells >= 0) & self.inside[cells]
        return found

    def counts(self, runs: Runs) -> RoundCounts:
        """Return the counts of runs that are all on a or on b."""
        hits = self.hits(runs)
        on_a, total = int(np.count_nonzero(hits & (runs.position == self.a))), int(np.count_nonzero(hits))
        return RoundCounts(on_a, total - on_a, len(runs) - total)

    def fraction(self, ratio: float, delta: float) -> int:
        """Return the c, in parts of FRACTIONS, that would have earned the most on cautious counts; it may be 0."""
        d = delta / 2
        g = ratio + d
        won = max(0.0, self.seen.on_a - np.sqrt(self.seen.on_a + 1.0))
        lost = self.seen.on_b + np.sqrt(self.seen.on_b + 1.0)
        c = np.arange(FRACTIONS) / FRACTIONS
        earned = won * np.log1p(c * (1 - d) / g) + lost * np.log1p(-c) + self.seen.others * np.log1p(-c * d / g)
        return int(np.argmax(earned))

    def words(self, shown: Sequence[Any]) -> str:
        """Return the event in words; `shown` are the outcomes by number."""
        usual = ", of what it takes beyond the eighth shortest of the 32 runs before it," if self.grid.relative else ""
        if not self.grid.outcomes:
            return f"the run takes{usual} {self._ranges(self.inside)}"
        parts = [
            f"the outcome is {show(shown[i])}"
            + ("" if column.all() else f" and the run takes{usual} {self._ranges(column)}")
            for i, column in enumerate(self.inside.reshape(-1, self.grid.outcomes).T)
            if column.any()
        ]
        more = f", or one of {len(parts) - SHOWN} more" if len(parts) > SHOWN else ""
        return " or ".join(parts[:SHOWN]) + more

    def _ranges(self, inside: NDArray[np.bool_]) -> str:
        edges = np.flatnonzero(np.diff(np.concatenate(([False], inside, [False])).astype(np.int8)))
        cuts, texts = self.grid.cuts, []
        for first, beyond in edges.reshape(-1, 2).tolist():
            low = f"more than {cuts[first - 1]} ns" if first else ""
            high = f"at most {cuts[beyond - 1]} ns" if beyond - 1 < len(cuts) else ""
            texts.append(" and ".join(filter(None, (low, high))) or "any time")
        return " or ".join(texts)


def _cuts(values: Ints, cells: int) -> Ints:
    ordered, last = np.sort(values), len(values) - 1
    places = [(i + 1) * last // (cells + 1) for i in range(cells)]
    rare = [place for part in RARE for place in (last // part, last - last // part)]
    return np.unique(ordered[places + rare])


def _grids(runs: Runs, outcomes: int) -> Iterator[Grid]:
    for relative, values in ((False, runs.duration), (True, runs.excess)):
        yield Grid(_cuts(values, CELLS), relative, 0)
        if 1 < outcomes <= MOST_OUTCOMES:
            yield Grid(_cuts(values, JOINT_CELLS), relative, outcomes)


def bets_on(runs: Runs, a: int, b: int, outcomes: int, targets: Sequence[tuple[float, float]]) -> Iterator[Bet]:
    """Yield the most promising events for a against b and for b against a, at each target (ratio, delta).

    They are learnt from the last runs on the two; an event is a set of cells of greatest likelihood ratio. `outcomes`
    is the number of outcomes; with one outcome or too many, events depend on times only.
    """
    runs = runs.on(a, b).chosen(slice(-LEARNT_FROM, None))
    for grid in _grids(runs, outcomes):
        cells = grid.cells(runs)
        on_a = np.bincount(cells[runs.position == a], minlength=grid.size).astype(float)
        on_b = np.bincount(cells[runs.position == b], minlength=grid.size).astype(float)
        for first, second, p, q in ((a, b, on_a, on_b), (b, a, on_b, on_a)):
            for ratio, delta in targets:
                yield _best(first, second, grid, (p, q), ratio, delta)


def _best(a: int, b: int, grid: Grid, counts: tuple[Any, Any], ratio: float, delta: float) -> Bet:
    """Return the set of cells that is most above the claim, among the sets of greatest likelihood ratio."""
    p, q = counts
    n, m = max(1.0, p.sum()), max(1.0, q.sum())
    order = np.argsort(((q + 0.5) / m) / ((p + 0.5) / n), kind="stable")
    hits, misses = np.cumsum(p[order]), np.cumsum(q[order])
    p_wide, q_wide = (hits + 1) / (n + 2), (misses + 1) / (m + 2)
    error = np.sqrt(p_wide * (1 - p_wide) / n + ratio * ratio * q_wide * (1 - q_wide) / m)
    promise = (hits / n - ratio * misses / m - delta) / error
    size = int(np.argmax(promise))
    inside = np.zeros(len(p), dtype=np.bool_)
    inside[order[: size + 1]] = True
    seen = RoundCounts(int(hits[size]), int(misses[size]), int(p.sum() + q.sum() - hits[size] - misses[size]))
    return Bet(a, b, grid, inside, float(promise[size]), seen)
