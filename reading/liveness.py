"""Which local variables may still be read, at each instruction of a decoded function.

Only these are part of a state. A variable is read by the instructions that name it, and by two that do not: `super()`
reads the first variable and `__class__`, and a frame that waits for a call may go on at a handler, or behind a loop.
"""

from __future__ import annotations

from dpcert.reading.decode import Code, Op
from dpcert.reading.errors import words

READS = frozenset(words("fast delete_fast fast_and_clear make_cell closure deref store_deref delete_deref class_deref"))
ENDS = frozenset(["return", "raise", "reraise", "jump"])


def _next(code: Code, index: int, op: Op) -> list[int]:
    """The instructions that may come after one."""
    found = [] if op.name in ENDS or index + 1 == len(code.ops) else [index + 1]
    handler = code.handlers[index]
    return [*found, *([] if op.target is None else [op.target]), *([handler.target] if handler else [])]


def _always(code: Code) -> frozenset[int]:
    """What `super()` may read anywhere in a function that can call it."""
    return frozenset({0, code.slots.index("__class__")}) if "__class__" in code.host.co_freevars else frozenset()


def _before(op: Op, after: frozenset[int]) -> frozenset[int]:
    if op.name == "store_fast":
        return after - {op.arg}
    return after | {op.arg} if op.name in READS else after


def live_slots(code: Code) -> list[tuple[int, ...]]:
    """Return, for each instruction, the slots that are read at it or later, or at the handler of the one before.

    Claims: a slot that is not listed is written before it is read, on every way from the instruction on.
    """
    always, count = _always(code), len(code.ops)
    live = [always] * count
    changed = True
    while changed:
        changed = False
        for index in range(count - 1, -1, -1):
            op, handler = code.ops[index], code.handlers[index]
            found = _before(op, always.union(*(live[place] for place in _next(code, index, op))))
            found |= live[handler.target] if handler else always
            changed |= found != live[index]
            live[index] = found
    waiting = [always, *(always.union(*(live[each] for each in _later(code, index))) for index in range(count))]
    return [tuple(sorted(here | there)) for here, there in zip(live, waiting, strict=False)]


def _later(code: Code, index: int) -> list[int]:
    """Where a frame that waits for the call of an instruction may go on, other than at the next one."""
    handler, target = code.handlers[index], code.ops[index].target
    return [*([handler.target] if handler else []), *([] if target is None else [target])]
