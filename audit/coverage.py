"""What of a mechanism no audited input reached: its lines, and the branches that only ever went one way."""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from types import CodeType, FrameType
from typing import Any

__all__ = ["Coverage", "Unreached", "code_of"]

Branch = tuple[int, int]
"""A line, and a line that may be executed right after it."""

UNCONDITIONAL = frozenset(
    {"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_ABSOLUTE", "SEND"}
)


@dataclass(frozen=True, slots=True)
class Unreached:
    """Lines never executed, and (line, line it never went to) for branches that only went the other way."""

    file: str
    lines: tuple[int, ...]
    branches: tuple[tuple[int, int], ...]


def code_of(program: Any) -> CodeType | None:
    """Return the code object that a program's call executes, where it is written in Python."""
    while hasattr(program, "__wrapped__") or hasattr(program, "func"):
        program = getattr(program, "__wrapped__", None) or program.func
    called = type(program).__call__ if callable(program) else None
    for candidate in (program, getattr(program, "__func__", None), called):
        code = getattr(candidate, "__code__", None)
        if isinstance(code, CodeType):
            return code
    return None


class _Code:
    """One code object: which of its lines were not executed, and where its conditional jumps did not yet go.

    The compiler may write one branch of the source as several jumps; it was taken when one of them was.
    """

    def __init__(self, code: CodeType) -> None:
        instructions = list(dis.get_instructions(code))
        starts = {start: at for start, _, at in code.co_lines() if at is not None}
        self.line: dict[int, int] = {}
        line = code.co_firstlineno
        for instruction in instructions:
            line = self.line[instruction.offset] = starts.get(instruction.offset, line)
        self.jumps: dict[int, tuple[int, Branch, Branch]] = {}  # next offset, branch to it, and to the target
        for instruction, following in pairwise(instructions):
            jumps = instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs
            if jumps and instruction.opname not in UNCONDITIONAL:
                source, after = self.line[instruction.offset], self.line[following.offset]
                target = self.line.get(instruction.argval, 0)
                self.jumps[instruction.offset] = following.offset, (source, after), (source, target)
        self.lines_left = set(starts.values()) - {code.co_firstlineno}
        self.met: set[int] = set()
        ways = {way for _, *both in self.jumps.values() for way in both}
        self.branches_left = {(source, sink) for source, sink in ways if sink not in (0, source)}

    def tracer(self) -> Callable[[FrameType, str, Any], Any]:
        previous = -1

        def trace(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal previous
            if event == "opcode":
                offset = frame.f_lasti
                if previous in self.jumps:
                    following, through, jumped = self.jumps[previous]
                    self.met.add(previous)
                    self.branches_left.discard(through if offset == following else jumped)
                self.lines_left.discard(self.line.get(offset, 0))
                previous = offset
            return trace

        return trace

    def complete(self) -> bool:
        return not self.lines_left and not self.branches_left

    def unreached_branches(self) -> set[Branch]:
        """Return the branches not taken, of the jumps that were executed."""
        return {branch for at in self.met for branch in self.jumps[at][1:]} & self.branches_left


class Coverage:
    """Traces runs of a program, as far as its own file goes, until every instruction and branch was seen."""

    def __init__(self, program: Any) -> None:
        self.root = code_of(program)
        self.codes: dict[CodeType, _Code] = {}
        self.files: set[str] = set()
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

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        self.files.add(code.co_filename)
        if self.root is None or code.co_filename != self.root.co_filename:
            return None
        state = self.codes.get(code) or self._add(code)
        if state.complete():
            return None
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        return state.tracer()

    @contextmanager
    def observe(self) -> Iterator[None]:
        """Trace what runs inside."""
        previous = sys.gettrace()
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(previous)

    def unreached(self) -> Unreached | None:
        """Return what was not reached; None where the program is no Python code or everything was reached."""
        if self.root is None:
            return None
        lines: set[int] = set()
        branches: set[tuple[int, int]] = set()
        for state in self.codes.values():
            lines |= state.lines_left
            branches |= state.unreached_branches()
        if not lines and not branches:
            return None
        return Unreached(self.root.co_filename, tuple(sorted(lines)), tuple(sorted(branches)))
