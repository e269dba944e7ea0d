"""One run of a program on undecided draws: the choice at each decision, and the choices that are left open.

A run is a path. At every decision with more than one possible answer the run takes one of them and notes the
others in `open`; the explorer (`explore.py`) starts a new run for each. A run re-executed from a prefix must meet
the same decisions, which their marks show.
"""

from collections.abc import Sequence
from typing import Any, NoReturn

Mark = tuple[Any, ...]
# An unexplored path: the decisions of the run that met it, the position, the choice to take there, and its depth.
Entry = tuple[list[tuple[Mark, int]], int, int, int]

ONE_BIT = 1 << 16
OTHER_DECISIONS = "the program is no function of its input and coins: run again, it met other decisions"


def log2_fixed(n: int) -> int:
    """Return about 2^16 log2(n), an integer that depends on n alone and never decreases with n.

    It orders paths by mass and decides how deep a level goes; no probability is computed from it.
    """
    length = n.bit_length()
    mantissa = n << (17 - length) if length <= 17 else n >> (length - 17)
    return ((length - 1) << 16) + mantissa - ONE_BIT


class Signal(BaseException):
    """Ends a run from within; it is no `Exception`, so that `except Exception` lets it pass."""


class Poisoned(Signal):
    """The program did something that cannot be followed: whatever it returns, the result is an error that names it."""


class Stale(Signal):
    """The program asked about a draw of a run that is over: it keeps state between runs."""


class Cut(Signal):
    """The path is given up here; its mass is explored at a deeper level, or stays in the tail."""


class Run:
    """The decisions of one run: forced ones from a prefix, then new ones."""

    def __init__(self, entry: Entry, limit: int, settings: Any, parent: "Run | None") -> None:
        path, position, alternative, self.depth = entry  # the information decided so far, about 2^16 a bit
        self.forced = [*path[:position], (path[position][0], alternative)] if path else []
        self.path: list[tuple[Mark, int]] = []  # the mark and the choice of every decision
        self.open: list[Entry] = []  # the alternatives not chosen
        self.limit = limit
        self.settings = settings
        self.parent = parent
        self.ended: Signal | None = None
        self.cut: Entry | None = None
        # (bound, node or number) of each draw; (0, two records, or an object with a `record`) of several at once
        self.tape: list[tuple[int, Any]] = []
        self.nodes = 0
        self.numerator = self.denominator = 1  # the probability of the merged steps chosen is their quotient
        self.memo: dict[Any, Any] = {}  # merged states by the decisions before them, shared by an exploration
        self.busy = False  # a step of fold, loop or summarize is being explored

    def poison(self, message: str) -> NoReturn:
        """End this run and every run around it: its result will be an error, even if the program swallows this."""
        signal = Poisoned(message)
        for run in (self, *self.around()):
            if not isinstance(run.ended, Poisoned):
                run.ended = signal
        raise signal

    def around(self) -> "list[Run]":
        """Return the runs around this one, innermost first."""
        return [] if self.parent is None else [self.parent, *self.parent.around()]

    def check(self) -> None:
        """Raise the signal that ended this run, if it has ended; a question to a run that is over is remembered."""
        if self.ended is not None:
            self.settings.stale |= isinstance(self.ended, Stale)
            raise self.ended

    def finish(self) -> None:
        """Close the run: its draws may not be asked about any more."""
        self.ended = Stale("the program kept a draw from an earlier run")

    def give_up(self, message: str) -> NoReturn:
        """End this path for good: its mass stays in the tail, and `message` says why."""
        self.check()
        self.settings.notes[message] = None
        self.ended = Cut(message)
        raise self.ended

    def split(self, mark: Mark, sizes: Sequence[int], total: int) -> int:
        """Choose one of several answers of the given positive weights out of `total`, and leave the others open."""
        self.check()
        position = len(self.path)
        if position < len(self.forced):
            expected, choice = self.forced[position]
            if expected != mark:
                self.poison(OTHER_DECISIONS)
            self.path.append((mark, choice))
            return choice
        depth = self.depth + log2_fixed(total)
        depths = [depth - log2_fixed(size) for size in sizes]
        places = [place for place, depth in enumerate(depths) if depth <= self.limit] or range(len(sizes))
        weigh = sizes.__getitem__
        choice = min(reversed(places), key=weigh) if self.settings.reverse else max(places, key=weigh)
        self.open += [(self.path, position, i, depth) for i, depth in enumerate(depths) if i != choice]
        self.path.append((mark, choice))
        self.depth = depths[choice]
        if self.depth > self.limit:
            self.cut = (self.path, position, choice, self.depth)
            self.ended = Cut("deeper than this level")
            raise self.ended
        return choice

    def decided(self) -> int:
        """Return how many decisions this run and the runs around it have made."""
        return sum(len(run.path) for run in (self, *self.around()))

    def ready(self) -> None:
        """Refuse a draw when the run is over, or while a step that has its own coins is explored."""
        self.check()
        if self.busy:
            self.poison("a step of fold, loop or summarize must draw from the coins that it is given")

    def drawn(self, bound: int, item: Any) -> Any:
        """Record that a number below `bound` was drawn, and return it."""
        self.ready()
        if len(self.tape) >= self.settings.limits.max_draws:
            self.give_up(f"a run drew more than {self.settings.limits.max_draws} coins")
        self.tape.append((bound, item))
        return item
