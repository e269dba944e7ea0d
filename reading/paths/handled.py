"""Errors that undecided draws alone raise, and that the program handles.

Code in C takes an undecided draw for no number: it raises an error, as `Decimal(u)` does, or returns `NotImplemented`,
as `int.__eq__(5, u)` does. A program that handles such an error goes on as it does on no plain numbers, and the replays
need not show that: they try three values of a draw. So the errors of such runs are noted, and replays must meet each.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from types import CodeType, FrameType
from typing import Any

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.run import Signal
from dpcert.reading.paths.held import identity
from dpcert.reading.paths.outside import is_library_file
from dpcert.reading.paths.unasked import method_of

OWN = "numpy", "dpcert."
"""Modules that follow the program, and numpy, from which led generators inherit: they handle no errors for it."""
FOLDERS = "anonymized_histograms", "broken", "finite_computers", "literature", "sample_and_threshold", "user_level"
SHIPPED = tuple(f"dpcert.mechanisms.{name}" for name in (*FOLDERS, "randomized_response", "weighted_sampling"))
"""Programs of this package."""
CATCHES = dis.opmap["PUSH_EXC_INFO"]
"""The instruction with which `except`, `finally` and `with` begin to handle an error. From Python 3.12 on there are
handlers without it, of comprehensions and generators: these raise it again.
"""
UNASKED = frozenset({"__len__", "__length_hint__", "__del__", "__getattr__"})
"""Methods that drop errors, or whose errors the interpreter drops."""
DROPPING = frozenset({"getattr", "hasattr"})
"""Functions that drop an error of a property that is asked for."""
CONTROL = (Signal, StopIteration, GeneratorExit)
Place = tuple[type, str, int, str]
Note = Callable[[FrameType, Any], None]
Looked = dict[int, tuple[CodeType, str | None]]


@lru_cache(maxsize=1 << 14)
def _is_own(name: Any) -> bool:
    return type(name) is str and name.startswith(OWN) and not name.startswith(SHIPPED)


def _is_library(frame: FrameType) -> bool:
    """Whether a frame executes the standard library or an installed one, and nothing of this package."""
    name = frame.f_globals.get("__name__")
    return is_library_file(frame.f_code.co_filename) and not (type(name) is str and name.startswith("dpcert."))


def _asked_by_program(at: FrameType | None) -> bool:
    """Whether a frame executes the program, or a library that the program called, not one that ours called."""
    while at is not None and _is_library(at):
        at = at.f_back
    return at is not None and not _is_own(at.f_globals.get("__name__"))


@lru_cache(maxsize=1 << 10)
def _raised_again(code: CodeType, at: int) -> bool:
    """Whether the instruction at a place raises an error that was raised before."""
    for each in dis.get_instructions(code):
        if each.offset == at:
            return each.opname == "RERAISE" or (each.opname == "RAISE_VARARGS" and not each.arg)
    return False


OURS = "a function of this package, or of numpy"
"""Stands for a method that code names where the code is not looked at."""


def _kind_of(frame: FrameType) -> str | None:
    """Return the method of numbers that the code of a frame names, or `OURS`; None for neither."""
    if _is_own(frame.f_globals.get("__name__")):
        return OURS
    return None if _is_library(frame) else method_of(frame)


def tracer_of(error: Note, method: Note, looked: Looked) -> Callable[[FrameType, str, Any], Any]:
    """Return a tracer that tells of errors in the program's frames, and of methods of `int` that its code names.

    `looked` keeps the kinds of code, by its identity.
    """

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "call":
            code = frame.f_code
            found = looked.get(identity(code))
            if found is None:
                found = looked[identity(code)] = code, _kind_of(frame)
            if found[1] is OURS:
                return None
            frame.f_trace_lines = False
            if found[1] is not None:
                method(frame, found[1])
        elif event == "exception" and not issubclass(argument[0], CONTROL) and _asked_by_program(frame):
            error(frame, argument)
        return trace

    return trace


@contextmanager
def traced(tracer: Callable[[FrameType, str, Any], Any]) -> Iterator[None]:
    """Run the body under a tracer, and set the one that was active again.

    Raises: Unauditable where the tracer did not last: the program has set another one, or an error ended it.
    """
    before: Any = sys.gettrace()
    sys.settrace(tracer)
    try:
        yield
    finally:
        lasted = sys.gettrace() is tracer
        sys.settrace(before)
    if not lasted:
        raise Unauditable(
            "a tracer was set or stopped while the program ran, and errors of undecided draws were not seen"
        )


class Errors:
    """The errors that a program's runs meet. Those on undecided draws are noted once some code can handle errors."""

    def __init__(self) -> None:
        self.known: dict[int, Any] = {}  # code, and globals of modules, that need no further look, by identity
        self.handles = False  # whether one of them can handle errors, or asks for a method of `int` by name
        self.noting = False  # errors of runs on undecided draws
        self.left: dict[Place, str] = {}  # those that no replay met by now, in words
        self._looked: Looked = {}
        self._met: set[Place] = set()
        self._now: dict[Place, str] = {}  # those of the run that is going on

    def enter(self, frame: FrameType) -> None:
        """Look at the code of a frame that a watched replay entered."""
        code = frame.f_code
        if _is_own(frame.f_globals.get("__name__")):
            self.known[identity(frame.f_globals)] = frame.f_globals
            return
        handles = CATCHES in code.co_code[::2] or code.co_name in UNASKED
        if not handles and not _is_library(frame):
            handles = not DROPPING.isdisjoint(code.co_names) or method_of(frame) is not None
        if not handles:
            self.known[identity(code)] = code
        elif _asked_by_program(frame):
            self.known[identity(code)] = code
            self.handles = True

    @contextmanager
    def undecided(self) -> Iterator[None]:
        """Run the program on undecided draws. A run that is given up is not replayed, and its errors do not count."""
        if not self.noting:
            yield
            return
        around, self._now = self._now, {}
        try:
            with traced(tracer_of(self._alone, self._named, self._looked)):
                yield
            self.left |= self._now
        finally:
            self._now = around

    @contextmanager
    def plain(self) -> Iterator[None]:
        """Run the program on plain numbers."""
        with traced(tracer_of(self._as_well, self._asked, self._looked)) if self.left else nullcontext():
            yield

    def check(self, *, named: bool = False) -> None:
        """Raise where an error or a method was met on undecided draws alone; with `named`, one whose text names these.

        Raises: Unauditable naming the line.
        """
        for place, words in self.left.items():
            if place[3] or not named:
                raise Unauditable(words)

    def _alone(self, frame: FrameType, argument: Any) -> None:
        place = _place(frame, argument)
        if place not in self._met and not _raised_again(frame.f_code, frame.f_lasti):
            kind, _, _, told = place
            words = f"{line_of(frame)}: on an undecided draw, code in C raises {kind.__name__}, which no replay met"
            self._now[place] = (
                f"{words} ({told or 'its text does not say why'}); write int(...) or float(...) around the draw"
            )

    def _as_well(self, frame: FrameType, argument: Any) -> None:
        place = _place(frame, argument)
        if self.left.pop(place, None) is not None:
            self._met.add(place)

    def _named(self, frame: FrameType, name: str) -> None:
        self._now[int, frame.f_code.co_filename, frame.f_lineno, name] = f"{line_of(frame)}: {name}"

    def _asked(self, frame: FrameType, name: str) -> None:
        """A method that is asked for by name is refused, whatever it does on plain numbers."""


def _place(frame: FrameType, argument: Any) -> Place:
    """Return the type of an error, its file and line, and its text where that names the type of an undecided draw."""
    kind, error, _ = argument
    said = " ".join(part for part in getattr(error, "args", ()) if type(part) is str)
    told = said.replace("LazyInt", "undecided int").replace("LazyFloat", "undecided float")
    return kind, frame.f_code.co_filename, frame.f_lineno, told if told != said else ""


def asking(frame: FrameType) -> FrameType:
    """Return the frame, of those around one, that is none of this package's own."""
    while _is_own(frame.f_globals.get("__name__")) and frame.f_back is not None:
        frame = frame.f_back
    return frame


def line_of(frame: FrameType) -> str:
    """Return the file and line that a frame executes, in words."""
    return f"{frame.f_code.co_filename.rpartition('/')[2]}:{frame.f_lineno}"
