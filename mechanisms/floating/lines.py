"""The line of a program that is running, for refusals that name it."""

from __future__ import annotations

import random
import sys
from os.path import basename, dirname, join
from typing import Any

HOME = dirname(dirname(__file__))
OURS = frozenset(join(HOME, name) for name in ("exact", "floating"))
EXPLORER = join(HOME, "exact", "explore.py")


RETURN = "its return"
"""What stands for a line where a program has returned."""


def _is_ours(file: str) -> bool:
    return dirname(file) in OURS or file == random.__file__


def running_line() -> str:
    """Return the line of the program that is running, in words; where it has returned, that it has."""
    frame: Any = sys._getframe(1)
    while frame is not None and _is_ours(frame.f_code.co_filename):
        if frame.f_code.co_filename == EXPLORER:
            return RETURN
        frame = frame.f_back
    return RETURN if frame is None else f"line {frame.f_lineno} of {basename(frame.f_code.co_filename)}"
