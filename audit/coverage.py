"""The lines of a mechanism that no audited input reached, and the branches that only ever went one way."""

from __future__ import annotations

import dis
import functools
import importlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import resolve_name
from itertools import pairwise
from types import CodeType, FrameType
from typing import Any

from dpcert.reading.paths import watch
from dpcert.reading.paths.held import identity
from dpcert.reading.paths.loaded import globals_of
from dpcert.reading.paths.outside import is_standard

Branch = tuple[int, int]
"""A line, and a line that may be executed right after it."""

UNCONDITIONAL = frozenset({"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_ABSOLUTE", "SEND"})
MAX_WRAPPERS = 100
OF_WATCH = vars(watch)
OWN = os.path.join(os.path.dirname(os.path.dirname(__file__)), "")
OF_IMPORTLIB = vars(importlib)
IMPORTING = importlib.import_module.__code__
CLEARING = frozenset({"END_FOR", "POP_ITER", "POP_TOP"})
"""The first instructions of a branch on the line of its condition."""


@dataclass(frozen=True, slots=True)
class Unreached:
    """Lines never executed, and (line, line it never went to) for branches that only went the other way."""

    file: str
    lines: tuple[int, ...]
    branches: tuple[tuple[int, int], ...]


def code_of(program: Any) -> CodeType | None:
    """Return the code object that a call of the program executes, where it is written in Python."""
    for _ in range(MAX_WRAPPERS):
        if isinstance(program, functools.partial):
            program = program.func
        elif hasattr(program, "__wrapped__"):
            program = program.__wrapped__
    called = type(program).__call__ if callable(program) else None
    for candidate in (program, getattr(program, "__func__", None), called):
        code = getattr(candidate, "__code__", None)
        if isinstance(code, CodeType):
            return code
    return None


def _name_of(tracer: Any) -> str:
    """Return the name of a tracer: of the class whose method it is, or its own."""
    owner = getattr(tracer, "__self__", None)
    named = tracer if owner is None and hasattr(tracer, "__qualname__") else type(tracer if owner is None else owner)
    return f"{named.__module__}.{named.__qualname__}"


def _is_fixed(space: dict[str, Any], code: CodeType) -> bool:
    """Whether all code with these globals is of one file: of a module of this package or of the standard library."""
    name = space.get("__name__", "")
    own = code.co_filename.startswith(OWN) or is_standard(code.co_filename)
    return own and code.co_filename == space.get("__file__") and globals_of(sys.modules.get(name)) is space


def _no_other(frame: FrameType, event: str, argument: Any) -> None:
    """Trace no function but those that are traced already."""


class _Code:
    """One code object: which of its lines were not executed, and where its conditional jumps never went."""

    def __init__(self, code: CodeType) -> None:
        starts = {start: line for start, _, line in code.co_lines() if line is not None}
        self.entered = False
        self.first = code.co_firstlineno
        self.lines_left = set(starts.values()) - {self.first}
        self.branches_left: set[Branch] = set()
        instructions = list(dis.get_instructions(code))
        lines, line = {}, self.first
        for instruction in instructions:
            line = lines[instruction.offset] = starts.get(instruction.offset, line)
        leads = {}  # the line at which execution goes on from an offset
        for instruction in reversed(instructions):
            line = line if instruction.opname in CLEARING else lines[instruction.offset]
            leads[instruction.offset] = line
        for instruction, following in pairwise(instructions):
            jumps = instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs
            if jumps and instruction.opname not in UNCONDITIONAL:
                line = lines[instruction.offset]
                sinks = {leads[following.offset], leads.get(instruction.argval, line)}
                self.branches_left |= {(line, sink) for sink in sinks - {line}}

    def tracer(self) -> Callable[[FrameType, str, Any], Any]:
        self.entered = True
        previous = self.first

        def trace(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal previous
            if event == "line":
                line = frame.f_lineno
                self.lines_left.discard(line)
                self.branches_left.discard((previous, line))
                previous = line
            return trace

        return trace

    def complete(self) -> bool:
        return not self.lines_left and not self.branches_left

    def unreached_branches(self) -> set[Branch]:
        """Return the branches not taken, of the lines that were executed."""
        return {branch for branch in self.branches_left if self.entered and branch[0] not in self.lines_left}


class Coverage:
    """Traces runs of a program, as far as its own file goes, until every line and branch was seen.

    It hears of each function that a run enters, and traces each of which something is left to learn. An active
    tracer, such as a debugger's, may count calls and returns, and still sees all of them. Where it stops, or the
    program sets another one, it is unknown what was reached, and `note` says so. `files` are the files that executed a
    line, `names` the modules that a call of `importlib.import_module` asked for, `known` the code of which nothing is
    left to learn, by identity, and globals of which no other file's code has any.
    """

    def __init__(self, program: Any) -> None:
        self.note: str | None = None
        self.root = code_of(program)
        self.codes: dict[CodeType, _Code] = {}
        self.known: dict[int, Any] = {}
        self.files: set[str] = set()
        self.names: set[str] = set()
        if self.root is not None:
            self._add(self.root)

    def _add(self, code: CodeType) -> _Code:
        found = self.codes.get(code)
        if found is None:
            found = self.codes[code] = _Code(code)
            for constant in code.co_consts:
                if isinstance(constant, CodeType):
                    self._add(constant)
        return found

    def forget(self) -> None:
        """Forget which files were executed and which modules asked for, not which lines were reached."""
        self.files.clear()
        self.names.clear()
        self.known.clear()

    def enter(self, frame: FrameType) -> None:
        """Take note of a function that was entered, and trace this call of it where its lines are not all seen."""
        ours = self._tracer(frame)
        if ours is None:
            return
        if frame.f_trace is not None:  # of a tracer that the program has set
            self._stopped(frame.f_trace)
            return
        if sys.gettrace() is None:
            sys.settrace(_no_other)
        frame.f_trace = ours

    def _tracer(self, frame: FrameType) -> Callable[[FrameType, str, Any], Any] | None:
        code = frame.f_code
        # By identity: code objects of other functions are equal where their texts and places are.
        if identity(code) in self.known or frame.f_globals is globals() or frame.f_globals is OF_WATCH:
            return None
        self.files.add(code.co_filename)
        if code is IMPORTING:
            with suppress(ImportError):
                self.names.add(resolve_name(frame.f_locals["name"], frame.f_locals["package"] or ""))
            return None
        if self.root is not None and code.co_filename == self.root.co_filename:
            state = self.codes.get(code) or self._add(code)
            if not state.complete():
                return state.tracer()
        elif frame.f_globals is not OF_IMPORTLIB and _is_fixed(frame.f_globals, code):
            self.known[identity(frame.f_globals)] = frame.f_globals
        self.known[identity(code)] = code
        return None

    def _beside(self, other: Any) -> Callable[[FrameType, str, Any], Any]:
        """Return a tracer that passes every event on to another one, and measures."""

        def enter(frame: FrameType, event: str, argument: Any) -> Any:
            theirs = other(frame, event, argument)
            if sys.gettrace() == other:  # a tracer written in C installs itself when it is called
                sys.settrace(enter)
            ours = self._tracer(frame)
            if ours is None:
                return theirs
            lines, frame.f_trace_lines = frame.f_trace_lines, True

            def both(frame: FrameType, event: str, argument: Any) -> Any:
                nonlocal theirs
                ours(frame, event, argument)
                if theirs is not None and (lines or event != "line"):
                    theirs = theirs(frame, event, argument) or theirs
                return both

            return both

        return enter

    @contextmanager
    def observe(self) -> Iterator[Coverage | None]:
        """Measure the code that runs inside, and yield an object that must hear of each function that is entered.

        Beside an active tracer that is None: it goes on, and sees all that it would have seen.
        """
        previous = sys.gettrace()
        tracer = None if previous is None else self._beside(previous)
        if tracer is not None:
            sys.settrace(tracer)
        try:
            yield self if tracer is None else None
        finally:
            active = sys.gettrace()
            if active is tracer or (tracer is None and active is _no_other):
                sys.settrace(previous)
            else:
                self._stopped(active if previous is None else previous)

    def _stopped(self, tracer: Any) -> None:
        self.note = f"what no input reached is not known, as a tracer was set or stopped: {_name_of(tracer)}"

    def unreached(self) -> Unreached | None:
        """Return the lines and branches that no run reached; None where nothing is known, or everything was reached.

        It is not known of a program that was never entered here: its runs left something behind, and took place in a
        process of their own, or the machine alone read it.
        """
        if self.root is None or self.note is not None or not self.codes[self.root].entered:
            return None
        lines: set[int] = set()
        branches: set[tuple[int, int]] = set()
        for state in self.codes.values():
            lines |= state.lines_left
            branches |= state.unreached_branches()
        if not lines and not branches:
            return None
        return Unreached(self.root.co_filename, tuple(sorted(lines)), tuple(sorted(branches)))
