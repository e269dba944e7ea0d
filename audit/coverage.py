"""What of a mechanism no audited input reached: its lines, and the branches that only ever went one way."""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

__all__ = ["Coverage", "Unreached", "code_of"]

UNCONDITIONAL = frozenset({"JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_ABSOLUTE", "SEND"})


@dataclass(frozen=True, slots=True)
class Unreached:
    """Line numbers never executed, and (line, line it never went to) for branches that only went the other way."""

    file: str
    lines: tuple[int, ...]
    branches: tuple[tuple[int, int], ...]


def code_of(program: Any) -> CodeType | None:
    """Return the code object that a program's call executes, where it is written in Python."""
    while hasattr(program, "__wrapped__") or hasattr(program, "func"):
        program = getattr(program, "__wrapped__", None) or program.func
    for candidate in (program, getattr(program, "__func__", None), getattr(type(program), "__call__", None)):
        code = getattr(candidate, "__code__", None)
        if isinstance(code, CodeType):
            return code
    return None


class _Code:
    """One code object: its instructions, which were executed, and which way each conditional jump went."""

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.entered = False
        self.seen: set[int] = set()
        self.edges: set[tuple[int, bool]] = set()
        self.line: dict[int, int] = {}
        self.after: dict[int, tuple[int, int]] = {}  # conditional jump: (next offset, target)
        instructions = list(dis.get_instructions(code))
        line = code.co_firstlineno
        lines = {start: at for start, _, at in code.co_lines() if at is not None}
        for position, instruction in enumerate(instructions):
            line = lines.get(instruction.offset, line)
            self.line[instruction.offset] = line
            jumps = instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs
            if jumps and instruction.opname not in UNCONDITIONAL and position + 1 < len(instructions):
                self.after[instruction.offset] = (instructions[position + 1].offset, int(instruction.argval))
        self.complete = False

    def tracer(self) -> Callable[[FrameType, str, Any], Any]:
        self.entered = True
        previous = -1

        def trace(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal previous
            if event == "opcode":
                offset = frame.f_lasti
                self.seen.add(offset)
                if previous in self.after:
                    self.edges.add((previous, offset == self.after[previous][0]))
                previous = offset
            elif event == "return":
                self.complete = len(self.edges) == 2 * len(self.after) and len(self.seen) == len(self.line)
            return trace

        return trace

    def unreached_lines(self) -> set[int]:
        reached = {self.line[offset] for offset in self.seen if offset in self.line}
        return {line for _, _, line in self.code.co_lines() if line is not None} - reached - {self.code.co_firstlineno}

    def unreached_branches(self) -> set[tuple[int, int]]:
        found = set()
        for offset, (following, target) in self.after.items():
            ways = {way for at, way in self.edges if at == offset}
            if len(ways) == 1:
                missing = target if True in ways else following
                source, sink = self.line[offset], self.line.get(missing)
                if sink is not None and sink != source:
                    found.add((source, sink))
        return found


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
        if state.complete:
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
            lines |= state.unreached_lines()
            if state.entered:
                branches |= state.unreached_branches()
        branches = {(a, b) for a, b in branches if b not in lines or a not in lines}
        if not lines and not branches:
            return None
        return Unreached(self.root.co_filename, tuple(sorted(lines)), tuple(sorted(branches)))
