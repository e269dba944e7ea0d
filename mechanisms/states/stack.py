"""The frames of a state: those of functions that can be entered again, each called by what enters it."""

from __future__ import annotations

import types
from typing import Any

from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.flat import Frames
from dpcert.mechanisms.states.runtime import INFOS, advance, again, delegated, delegated_again, go, root

GO, AGAIN, ROOT = go.__code__, again.__code__, root.__code__
NEXT = frozenset({advance.__code__, delegated.__code__, delegated_again.__code__})
ENTERING = NEXT | {GO, AGAIN}


def frames_of(frame: Any, point: int) -> Frames:
    """Return the frames of a state, the outermost first.

    Raises: NotRead where one of them is not followed.
    """
    frames: Frames = []
    while True:
        if frame.f_code not in INFOS:
            raise NotRead("a function that is not followed is on the stack")
        back = frame.f_back
        code = back.f_code
        callee = back.f_locals["g" if code is GO or code is AGAIN else "it"] if code in ENTERING else None
        if type(callee) is types.GeneratorType and callee.gi_frame is frame:
            pass
        elif type(callee) is not types.FunctionType or callee.__code__ is not frame.f_code or code in NEXT:
            words = "a function in C" if code in ENTERING else "a function in C, or one that is not followed,"
            raise NotRead(f"{words} is on the stack")
        frames.append((frame, point, callee))
        frame = back.f_back
        if frame.f_code is ROOT:
            return frames[::-1]
        point = frame.f_locals.get("_dp_at", 0)


def place_of(frame: Any) -> str:
    """Return where a frame is, in words."""
    code = frame.f_code
    name = code.co_qualname.removeprefix("_dp_factory.<locals>._dp_made.<locals>.")
    return f"{code.co_filename.rpartition('/')[2]}:{frame.f_lineno}, in {name}"
