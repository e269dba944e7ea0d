"""Places of a function from which its instructions are the same, one by one: so the test of a loop, which CPython
compiles twice, before the first turn and after each.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from dpcert.reading.decode import ENDS, Code


def twins(code: Code) -> list[int]:
    """For each place of a function, the first place from which all goes on alike.

    Claims: two such places have equal instructions with equal handlers and live slots, and what comes after each of
            them, on either answer of a test, are such places or the same.
    """
    same = list(range(len(code.ops)))
    while True:
        first: dict[Hashable, int] = {}
        found = [first.setdefault(_told(code, place, same), place) for place in range(len(same))]
        if found == same:
            return same
        same = found


def _told(code: Any, place: int, same: list[int]) -> Hashable:
    """What is done at a place, and the twins of those after it."""
    op, around = code.ops[place], (code.handlers[place - 1] if place else None, code.handlers[place])
    if any(handler is not None and handler.lasti for handler in around):
        return place
    after = None if op.name in ENDS or place + 1 == len(same) else same[place + 1]
    target = None if op.target is None else same[op.target]
    if op.name == "jump_if":
        return op.name, (target, after) if op.arg else (after, target), around, code.live[place]
    return op.name, id(op.arg), target, after, around, code.live[place]
