"""The errors that a run of a program meets, and the methods of numbers that its code calls by name.

What stands for a float is none for code in C: `np.array([1]) + x` raises a TypeError for noise x, and `Decimal(x)` one
too. Such an error is ours, not the program's, whether it escapes or is handled. So a run on floats in the same place
must meet the same errors: each of the same type and text, at the same instruction of the program or of a library that
it calls. What tells noise from floats without an error, as `is`, `sys.getsizeof` or a type do, may hide behind a rare
draw: so the run on floats must also execute the same instructions of the program.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from dpcert.mechanisms.exact.outcome import class_name
from dpcert.mechanisms.handled import Looked, line_of, traced, tracer_of
from dpcert.mechanisms.held import identity

Place = tuple[str, int, str, str]
"""A file, an instruction of code in it, the type of an error, and its text."""


ANOTHER_WAY = "on floats in the same place, it takes another way"
MOST_SAID = 80
"""The most characters of an error's text that are shown."""


class Met:
    """The errors of one run, each with its place in words; `looked` keeps what is known of code."""

    def __init__(self, looked: Looked) -> None:
        self.errors: dict[Place, str] = {}
        self.looked = looked
        self.met_code = False  # for the first time: Python 3.13 tells of no instruction in it
        self.steps = 0
        self.ways: dict[int, int] = {}  # by code's identity, a hash of the instructions with their places in the run

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Run the body, in which the program runs.

        Raises: Unauditable where the program sets a tracer.
        """
        known = len(self.looked)
        sys._getframe().f_trace_opcodes = True  # before the tracer is set, or Python 3.12 tells it of no instruction
        try:
            with traced(tracer_of(self._error, self._named, self.looked, self._step)):
                yield
        finally:
            self.met_code = len(self.looked) > known

    def _step(self, frame: FrameType) -> None:
        code = identity(frame.f_code)
        self.steps += 1
        self.ways[code] = hash((self.ways.get(code), self.steps, frame.f_lasti))

    def _error(self, frame: FrameType, argument: Any) -> None:
        kind, error, trace = argument
        if not issubclass(kind, Exception):
            return
        said = " ".join(part for part in getattr(error, "args", ()) if type(part) is str)
        while trace.tb_next is not None:
            trace = trace.tb_next
        inner = trace.tb_frame
        ours = f", by {line_of(inner)} of dpcert" if inner.f_globals.get("__name__", "").startswith("dpcert.") else ""
        text = said.partition(";")[0][:MOST_SAID] or "without a text"
        words = f"{kind.__name__} ({text}) at {line_of(frame)}{ours}"
        self.errors[frame.f_code.co_filename, frame.f_lasti, class_name(kind), said] = words

    def _named(self, frame: FrameType, name: str) -> None:
        self.errors[frame.f_code.co_filename, 0, "", name] = f"{line_of(frame)}: {name}"


def differing(ideal: Met, floats: Met) -> str | None:
    """Return in words an error that a run on ideal noise alone has met, or one on floats; None where there is none."""
    for place, words in ideal.errors.items():
        if not place[2]:
            return words
        if place not in floats.errors:
            return f"dpcert's own numbers, not the program, raise {words}; floats in the same place do not"
    for place, words in floats.errors.items():
        if place not in ideal.errors:
            return f"floats raise {words}; dpcert's own numbers in the same place do not"
    for name in {**floats.ways, **ideal.ways}:
        if ideal.ways.get(name) != floats.ways.get(name):
            code = floats.looked[name][0]
            where = f"{code.co_name}, {code.co_filename.rpartition('/')[2]}:{code.co_firstlineno}"
            return f"{ANOTHER_WAY} ({where}): it can tell ideal noise from floats"
    return None
