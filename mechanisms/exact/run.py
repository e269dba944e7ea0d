"""One run of a program on undecided draws: which way each decision went, and what is left open.

A run is a path. At every decision with more than one possible answer the run takes one of them and notes the
others in `open`; the explorer (`explore.py`) starts a new run for each. A run re-executed from a prefix must meet
the same decisions, which `marks` checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

__all__ = ["Cut", "Entry", "Poisoned", "Run", "Signal", "Stale", "log2_fixed"]

Mark = tuple[Any, ...]
Entry = tuple[list[int], list[Mark], int, int]
"""An unexplored path: the choices and marks of the run that met it, the position, and the choice to take there."""

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

    def __init__(self, run: Run, message: str) -> None:
        super().__init__(message)
        self.run = run


class Poisoned(Signal):
    """The program did what cannot be followed; whatever it returns is an error that names the operation."""


class Stale(Signal):
    """A draw of a run that is over was asked about: the program keeps state between runs."""


class Cut(Signal):
    """The path is given up here; its mass is explored at a deeper level, or stays in the tail."""


class Run:
    """The decisions of one run: forced ones from a prefix, then new ones."""

    __slots__ = tuple(
        "busy choices cut denominator depth ended forced forced_marks limit marks memo nodes notes numerator open "
        "parent reverse settings sizes tape".split()
    )

    def __init__(self, entry: Entry, limit: int, settings: Any, parent: Run | None) -> None:
        choices, marks, position, alternative = entry
        self.forced = [*choices[:position], alternative] if position >= 0 else []
        self.forced_marks = marks
        self.choices: list[int] = []
        self.marks: list[Mark] = []
        self.open: list[tuple[Entry, int]] = []  # alternatives met, each with its depth
        self.depth = 0  # about 2^16 bits of information decided so far
        self.limit = limit
        self.settings = settings
        self.parent = parent
        self.ended: Signal | None = None
        self.cut: Entry | None = None
        self.tape: list[tuple[int, Any]] = []  # (bound, node or number) of each draw; (0, two records) of a merged step
        self.sizes: list[int] = []  # the bound d of every draw, in order
        self.nodes = 0
        self.numerator = 1  # probability of the merged steps chosen, over `denominator`
        self.denominator = 1
        self.notes: list[str] = []
        self.memo: dict[Any, Any] = {}  # merged states by the decisions before them, shared by an exploration
        self.busy = False  # a step of fold, loop or summarize is being explored
        self.reverse: bool = settings.reverse

    def poison(self, message: str) -> NoReturn:
        """End this run and every run around it: its result will be an error, even if the program swallows this."""
        signal = Poisoned(self, message)
        run: Run | None = self
        while run is not None:
            if not isinstance(run.ended, Poisoned):
                run.ended = signal
            run = run.parent
        raise signal

    def stop(self, signal: Signal) -> NoReturn:
        """Raise the signal that ended this run; a question to a run that is over condemns the program."""
        if isinstance(signal, Stale):
            self.settings.stale = True
        raise signal

    def finish(self) -> None:
        """Close the run: its draws may not be asked about any more."""
        self.ended = Stale(self, "the program kept a draw from an earlier run")

    def give_up(self, message: str) -> NoReturn:
        """End this path for good: its mass stays in the tail, and `message` says why."""
        if self.ended is not None:
            self.stop(self.ended)
        self.notes.append(message)
        self.ended = Cut(self, message)
        raise self.ended

    def split(self, mark: Mark, sizes: Sequence[int], total: int) -> int:
        """Choose one of several answers of the given positive weights out of `total`, and leave the others open."""
        if self.ended is not None:
            self.stop(self.ended)
        position = len(self.choices)
        scale = log2_fixed(total)
        if position < len(self.forced):
            if self.forced_marks[position] != mark:
                self.poison(OTHER_DECISIONS)
            choice = self.forced[position]
            self.depth += scale - log2_fixed(sizes[choice])
            self.choices.append(choice)
            self.marks.append(mark)
            return choice
        places = range(len(sizes))
        weigh = sizes.__getitem__
        choice = min(reversed(places), key=weigh) if self.reverse else max(places, key=weigh)
        self.marks.append(mark)
        for other, size in enumerate(sizes):
            if other != choice:
                depth = self.depth + scale - log2_fixed(size)
                self.open.append(((self.choices, self.marks, position, other), depth))
        self.choices.append(choice)
        self.depth += scale - log2_fixed(sizes[choice])
        if self.depth > self.limit:
            self.cut = (self.choices, self.marks, position, choice)
            self.ended = Cut(self, "deeper than this level")
            raise self.ended
        return choice

    def decided(self) -> int:
        """Return how many decisions this run and the runs around it have made."""
        return len(self.choices) + (self.parent.decided() if self.parent is not None else 0)

    def ready(self) -> None:
        """Refuse a draw when the run is over, or while a step that has its own coins is explored."""
        if self.ended is not None:
            self.stop(self.ended)
        if self.busy:
            self.poison("a step of fold, loop or summarize must draw from the coins that it is given")

    def drawn(self, bound: int, item: Any) -> None:
        """Record that a number below `bound` was drawn."""
        self.ready()
        if len(self.sizes) >= self.settings.max_draws:
            self.give_up(f"a run drew more than {self.settings.max_draws} coins")
        self.tape.append((bound, item))
        self.sizes.append(bound)
