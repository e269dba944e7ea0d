"""The names that a code object has, of attributes that it assigns to and of modules that it imports."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import CodeType

SETTERS = frozenset(["setattr", "delattr", "__setattr__", "__delattr__"])
GETTERS = frozenset(["getattr", "hasattr", "__getattribute__", "__getattr__", "attrgetter", "methodcaller"])


def nested(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and all code objects among its constants."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)


def stored(code: CodeType) -> set[str]:
    """Return the names of the attributes that a code object assigns to or deletes, or spells where it has `setattr`."""
    found = {each.argval for each in dis.get_instructions(code) if each.opname in ("STORE_ATTR", "DELETE_ATTR")}
    if SETTERS.intersection(code.co_names):
        found |= {text for text in code.co_consts if type(text) is str}
    return found


def imported(code: CodeType) -> list[str]:
    """Return the names of the modules that a code object imports, each beginning with a point where it is relative."""
    found: list[str] = []
    level = 0
    before: list[dis.Instruction] = []
    for each in dis.get_instructions(code):
        if each.opname == "IMPORT_NAME":
            level = before[-2].argval if len(before) > 1 and type(before[-2].argval) is int else 1
            found.append("." * level + each.argval)
        if each.opname not in ("EXTENDED_ARG", "CACHE"):
            before = [*before[-1:], each]
    return found
