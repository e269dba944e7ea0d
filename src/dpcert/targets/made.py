"""Notes of targets as a file makes them: the module whose code makes each, and the line; and targets that are lost."""

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
    """A target, the globals of the module whose execution made it, and the line there.

    Where a module calls a factory of another one, the caller's execution makes the target; an imported module makes
    its own. In a thread no module is executed: there `space` is None.
    """

    target: Any
    space: dict[str, Any] | None
    line: int


@dataclass(slots=True)
class Bad:
    """An attempt to make a target that failed, and the error; the name is the function's, once it is known."""

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
        """Return the error that reports this target of a file."""
        given = f"{file}: target {self.name} (line {self.line}) {self.why}"
        return InputError(given=given, needed=self.needed, remedy=self.remedy)


class Notes(list[Made]):
    """The targets that are made, and with `bad` the attempts that failed."""

    def __init__(self, *, bad: bool) -> None:
        super().__init__()
        self.bad = bad


_NOTED: list[Notes] = []
"""The list that takes notes now. It belongs to no context or thread, since a file may make targets in another one."""


@contextmanager
def noting(*, bad: bool = False) -> Iterator[list[Made]]:
    """Give a list that notes each target made inside; with `bad`, also failed attempts, which then raise nothing."""
    notes = Notes(bad=bad)
    _NOTED.append(notes)
    try:
        yield notes
    finally:
        _NOTED[:] = [other for other in _NOTED if other is not notes]


def bad_noted(make: Callable[Claim, Callable[[FunctionT], MadeT]]) -> Callable[Claim, Callable[[FunctionT], MadeT]]:
    """Return a maker of decorators whose errors do not end the file where bad targets are noted.

    The function of a bad target stays unchanged.
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
    """Note a bad target, and return a decorator that returns its function unchanged.

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
    """Note a target that is being made."""
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
