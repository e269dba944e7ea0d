"""The instructions that runs of a program executed, with those of code that it calls, without numpy's and ours."""

from __future__ import annotations

import gc
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from os.path import dirname, join, realpath
from types import CodeType, FrameType
from typing import Any

from dpcert.mechanisms import adapters, exact
from dpcert.reading import floats
from dpcert.reading.paths import entropy, outside, watch

OPCODES = sys.version_info < (3, 12)
"""Whether each instruction is traced; later versions of CPython do not report all of them, and there lines are
traced.
"""

PATHS = sysconfig.get_paths()
PACKAGES = (realpath(PATHS["purelib"]), realpath(PATHS["platlib"]))
STANDARD = realpath(PATHS["stdlib"])
OURS = (*(realpath(path) for package in (adapters, exact, floats) for path in package.__path__),)
THEIRS = tuple(join(home, name) for home in PACKAGES for name in ("flint", "numpy"))
"""Modules that compute with undecided numbers, or that these call."""
OWN = (__file__, entropy.__file__, outside.__file__, watch.__file__, join(dirname(__file__), "reach.py"))
FILES = (*(realpath(path) for path in OWN),)


@lru_cache(maxsize=1 << 12)
def _place(file: str) -> str:
    """Return the owner of a file's code: "ours", which follows the program, "standard", or the program's own."""
    path = realpath(file)
    if path in FILES or any(path.startswith(f"{home}/") for home in (*OURS, *THEIRS)):
        return "ours"
    if file.startswith("<"):  # made by code, as what dataclasses define
        return "standard"
    inside = any(path.startswith(f"{home}/") for home in PACKAGES)
    return "standard" if path.startswith(f"{STANDARD}/") and not inside else "program"


def _counts(frame: FrameType) -> bool:
    """Whether a frame executes the program, not the code that follows it, nor the import of a module."""
    at: FrameType | None = frame
    program = False
    while at is not None and (place := _place(at.f_code.co_filename)) != "ours":
        if at.f_code.co_filename.startswith("<frozen importlib"):
            return False
        program |= place == "program"
        at = at.f_back
    return program


class Traced:
    """The instructions that were executed while tracing."""

    def __init__(self) -> None:
        self._codes: dict[int, CodeType] = {}
        self._seen: set[tuple[int, int]] = set()
        self.evaded = False

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        if not _counts(frame):
            return None
        code, seen = frame.f_code, self._seen
        name = id(code)
        self._codes[name] = code
        frame.f_trace_opcodes, frame.f_trace_lines = OPCODES, not OPCODES

        def each(frame: FrameType, event: str, argument: Any) -> Any:
            if event == "opcode":
                seen.add((name, frame.f_lasti))
            elif event == "line":
                seen.add((name, -frame.f_lineno))
            return each

        return each

    @contextmanager
    def tracing(self) -> Iterator[None]:
        """Trace what runs inside, and put back a tracer that was active. If another is set inside, this is noted."""
        previous, tracer, settrace, collecting = sys.gettrace(), self._enter, sys.settrace, gc.isenabled()

        def refused(function: Any) -> None:
            self.evaded = True

        sys.settrace = refused
        gc.disable()  # its callbacks are not the program's
        settrace(tracer)
        try:
            yield
        finally:
            self.evaded |= sys.gettrace() is not tracer
            settrace(previous)
            sys.settrace = settrace
            if collecting:
                gc.enable()

    def count(self) -> int:
        """Return how many instructions were executed."""
        return len(self._seen)

    @property
    def files(self) -> frozenset[str]:
        """The files of the code that was executed."""
        return frozenset(code.co_filename for code in self._codes.values())

    def beyond(self, *others: Traced) -> str | None:
        """Return the place of an instruction that the other did not execute; None where it executed all of these."""
        for name, offset in sorted(self._seen.difference(*(other._seen for other in others))):
            code = self._codes[name]
            line = next((line for start, end, line in code.co_lines() if line and start <= offset < end), None)
            line = line or (-offset if offset < 0 else code.co_firstlineno)
            return f"line {line} of {code.co_filename.rpartition('/')[2]}"
        return None
