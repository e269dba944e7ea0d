"""Targets as they are made: by which module's code, and at which line of it; and those that nothing leads to."""

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any, ParamSpec, TypeVar

from dpcert.mechanisms.exact.errors import InputError

Claim = ParamSpec("Claim")
FunctionT = TypeVar("FunctionT")
MadeT = TypeVar("MadeT")


@dataclass(frozen=True, slots=True)
class Made:
    """A target, the globals of the module that made it while it was executed, and the line there.

    So a factory in another module makes targets for the one that calls it, and an import makes them for what it
    imports. In a thread no module is executed: there `space` is None.
    """

    target: Any
    space: dict[str, Any] | None
    line: int


@dataclass(slots=True)
class Bad:
    """What was to be a target, and why it is none; the name is its function's, once that is known."""

    error: InputError
    name: str = "without a function"


@dataclass(frozen=True, slots=True)
class Lost:
    """A target by its function's name, the line that makes it, why nothing audits it, and what to write instead."""

    name: str
    line: int
    why: str
    remedy: str
    needed: str = "a target that a name of the file means"

    def error(self, file: str) -> InputError:
        """Return the error that says so of a file."""
        given = f"{file}: target {self.name} (line {self.line}) {self.why}"
        return InputError(given=given, needed=self.needed, remedy=self.remedy)


class Notes(list[Made]):
    """The targets that are made, and with `bad` those that were to be targets and are none."""

    def __init__(self, *, bad: bool) -> None:
        super().__init__()
        self.bad = bad


_NOTED: list[Notes] = []
"""What takes notes now: not bound to a context or a thread, since a file may make targets in another one."""


@contextmanager
def noting(*, bad: bool = False) -> Iterator[list[Made]]:
    """Give a list that every target is added to that is made inside; with `bad`, one that is none does not end it."""
    notes = Notes(bad=bad)
    _NOTED.append(notes)
    try:
        yield notes
    finally:
        _NOTED[:] = [other for other in _NOTED if other is not notes]


def bad_noted(make: Callable[Claim, Callable[[FunctionT], MadeT]]) -> Callable[Claim, Callable[[FunctionT], MadeT]]:
    """Return a maker of decorators whose errors do not end the file where bad targets are noted.

    The function of a bad target stays what it is.
    """

    @functools.wraps(make)
    def made(*args: Claim.args, **kwds: Claim.kwargs) -> Callable[[FunctionT], MadeT]:
        try:
            decorate = make(*args, **kwds)
        except InputError as error:
            return _noted(error)

        def decorated(function: FunctionT) -> MadeT:
            try:
                return decorate(function)
            except InputError as error:
                kept: MadeT = _noted(error)(function)
                return kept

        return decorated

    return made


def _noted(error: InputError) -> Callable[[Any], Any]:
    """Take down a bad target, and return a decorator that leaves its function what it is.

    Raises: the error, where bad targets are not noted.
    """
    noting = [notes for notes in _NOTED if notes.bad]
    if not noting:
        raise error
    bad = Bad(error)
    for notes in noting:
        notes.append(Made(bad, *_maker(sys._getframe(1))))

    def named(function: Any) -> Any:
        bad.name = str(getattr(function, "__name__", type(function).__name__))
        return function

    return named


def note(target: object) -> None:
    """Take down a target that is being made."""
    if _NOTED:
        made = Made(target, *_maker(sys._getframe(1)))
        for notes in _NOTED:
            notes.append(made)


def _maker(frame: FrameType | None) -> tuple[dict[str, Any] | None, int]:
    """Return the globals of the innermost module that is being executed, and the innermost line in it."""
    lines: dict[int, int] = {}
    while frame is not None:
        space = frame.f_globals
        lines.setdefault(id(space), frame.f_lineno)
        if frame.f_code.co_name == "<module>" and "__file__" in space:
            return space, lines[id(space)]
        frame = frame.f_back
    return None, 0
