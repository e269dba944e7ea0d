"""Targets as they are made: by which module's code, and at which line of it; and those that nothing leads to."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

from dpcert.mechanisms.exact.errors import InputError


@dataclass(frozen=True, slots=True)
class Made:
    """A target, the globals of the module that made it while it was executed, and the line there.

    So a factory in another module makes targets for the one that calls it, and an import makes them for what it
    imports. In a thread no module is executed: there `space` is None.
    """

    target: Any
    space: dict[str, Any] | None
    line: int


@dataclass(frozen=True, slots=True)
class Lost:
    """A target by its function's name, the line that makes it, why nothing leads to it, and what to write instead."""

    name: str
    line: int
    why: str
    remedy: str

    def error(self, file: str) -> InputError:
        """Return the error that says so of a file."""
        given = f"{file}: target {self.name} (line {self.line}) {self.why}, so nothing audits it"
        return InputError(given=given, needed="a target that a name of the file means", remedy=self.remedy)


_NOTED: list[list[Made]] = []
"""What takes notes now: not bound to a context or a thread, since a file may make targets in another one."""


@contextmanager
def noting() -> Iterator[list[Made]]:
    """Give a list that every target is added to that is made inside."""
    notes: list[Made] = []
    _NOTED.append(notes)
    try:
        yield notes
    finally:
        _NOTED[:] = [other for other in _NOTED if other is not notes]


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
