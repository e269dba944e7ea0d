"""The data that all runs of one enumeration by states share: settings, captures, laws found, and things met."""

from __future__ import annotations

import gc
import sys
import types
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Settings
from dpcert.mechanisms.exact.run import Signal
from dpcert.mechanisms.frames.arrivals import Summary, Way
from dpcert.mechanisms.frames.capture import Stack
from dpcert.mechanisms.frames.errors import NotCaptured
from dpcert.mechanisms.frames.home import Home
from dpcert.mechanisms.frames.library import of_library
from dpcert.mechanisms.frames.refused import examine, meet
from dpcert.mechanisms.frames.walk import Walk

FRUITLESS = 500


class NotesNeeded(Exception):
    """The arguments of calls must be noted: the enumeration begins again with an engine that notes them."""


@dataclass(frozen=True, slots=True)
class Own:
    """Keeps the errors of its body that belong neither to the program nor to its caller."""

    engine: Engine

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if error is None or isinstance(error, Signal | Unauditable | NotCaptured | KeyboardInterrupt):
            return False
        self.engine.fault = self.engine.fault or internal(error)
        return True


@dataclass(slots=True)
class Engine:
    """What one enumeration shares: settings, captures, the laws of calls by the state of their first draw."""

    settings: Settings
    most: int  # runs
    home: Home = field(default_factory=Home)
    bits: int = 0  # no law of a call is asked for to more than 2^-bits
    summaries: dict[Hashable, Summary | None] = field(default_factory=dict)
    laws: list[Summary] = field(default_factory=list)  # all that were found; none is ever replaced
    ways: dict[Hashable, tuple[int, list[Way]]] = field(default_factory=dict)  # by the function called, and the state
    examined: set[tuple[int, int]] = field(default_factory=set)  # code and its globals, by address
    followed: dict[int, bool] = field(default_factory=dict)  # whether what a call was given is noted, by its code
    reasons: dict[str, None] = field(default_factory=dict)
    runs: int = 0
    met: bool = False  # a state was met twice
    noting: bool = False  # what calls are given is noted, for those that assign to it
    lost: bool = False  # what a call was given would have been needed
    unread: list[tuple[types.CodeType, dict[str, Any]]] = field(default_factory=list)  # executed, not yet examined
    fault: str | None = None  # why nothing that was found counts

    def own(self) -> Own:
        """Run code of this layer inside a program's run; an error in it is kept, and is not the program's."""
        return Own(self)

    def sound(self) -> None:
        """Check what was met while the program ran, and every function that was executed.

        Raises: NotCaptured where that invalidates the results.
        """
        while self.unread:
            examine(self.home, *self.unread.pop(0))
        if self.fault is not None:
            raise NotCaptured(self.fault)

    def begin(self, program: Any, value: Any) -> None:
        """Note the functions that a program itself, and its input, hold."""
        for root in (program, value):
            with suppress(NotCaptured):
                Walk(self.home, None).visit(root)

    def conclude(self) -> None:
        """Check all that was met once more.

        Raises: NotCaptured where some of it may have kept state that was not captured.
        """
        self.sound()
        self.home.conclude()

    def look(self) -> None:
        """Check, at a state, whether the program has set an attribute of a library."""
        if self.home.stored and self.fault is None:
            self.fault = self.home.shelves.changed()

    def count(self) -> None:
        """Count a run.

        Raises: NotCaptured where there are too many.
        """
        self.runs += 1
        fruitless = not self.met and not any(self.summaries.values())
        if fruitless and self.runs > min(self.most, FRUITLESS):
            raise NotCaptured(next(iter(self.reasons), f"no state was met twice in {self.runs - 1} runs"))
        if self.runs > self.most:
            raise NotCaptured(f"more than {self.most} runs are needed")

    def notes(self, frame: types.FrameType) -> bool:
        """Whether a call's arguments are noted: they are where it loops and may assign to them."""
        found = self.followed.get(id(frame.f_code))
        if found is None:
            address = self.home.address(frame.f_code)
            found = not of_library(frame.f_globals)
            if found:
                analysis = self.home.analysis(frame.f_code)
                found = analysis.loops and analysis.assigns
            self.followed[address] = found
        return found

    @contextmanager
    def examining(self) -> Iterator[None]:
        """Keep every function that the body executes, to be examined (`sound`)."""

        def tracer(frame: types.FrameType, event: str, argument: Any) -> None:
            code, space = frame.f_code, frame.f_globals
            if (id(code), id(space)) not in self.examined:
                self.examined.add((self.home.address(code), self.home.address(space)))
                with self.own():
                    if meet(self.home, code, space):
                        self.unread.append((code, space))

        before, collecting = sys.gettrace(), gc.isenabled()
        gc.disable()  # its callbacks are not the program's
        sys.settrace(tracer)
        try:
            yield
        finally:
            sys.settrace(before)
            if collecting:
                gc.enable()


def internal(error: BaseException) -> str:
    """Return the words for an error that is this layer's own."""
    return f"an internal error of dpcert.mechanisms.frames: {type(error).__name__}: {error}"


class Around(Protocol):
    """The call that a run is of, as the run sees it (`scope.py`)."""

    engine: Engine
    used: int

    def state(self, stack: Stack, count: int, kind: tuple[Any, ...], roots: tuple[Any, ...]) -> Walk:
        """Return a walk whose key tells the state of the call."""
        ...

    def summary(self, run: Any, stack: Stack, count: int, kind: tuple[Any, ...], roots: tuple[Any, ...]) -> int | None:
        """Return the number of the law of the call that made the `count` innermost frames; None where it has none."""
        ...
