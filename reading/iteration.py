"""The instructions of iteration, of unpacking, and of texts."""

from __future__ import annotations

from typing import Any

from dpcert.reading.border import mismatch, throw
from dpcert.reading.builtin_rules import formatted, shown
from dpcert.reading.calls import resolve
from dpcert.reading.containers import rows
from dpcert.reading.decode import unread
from dpcert.reading.errors import Act, Refused
from dpcert.reading.instructions import acting, rows_of
from dpcert.reading.iterate import iterator, step
from dpcert.reading.machine import instruction
from dpcert.reading.types_of import extent, find, type_of
from dpcert.reading.values import (
    MISSING,
    Dict,
    Frame,
    Function,
    Generator,
    Instance,
    Iter,
    List,
    Named,
    Set,
    Value,
)


@instruction("convert")
def _convert(m: Any, f: Frame, how: int) -> Any:
    if how == 3:
        raise Refused("!a in an f-string is not followed")
    value = f.stack[-1]
    found = value if how == 1 and value.__class__ is str else shown(m, value, "text" if how == 1 else "shown")
    return m.give(f, 1, acting(m, found))


@instruction("format")
def _format(m: Any, f: Frame, with_spec: bool) -> Any:
    value, spec = (f.stack[-2], f.stack[-1]) if with_spec else (f.stack[-1], "")
    return m.give(f, 1 + with_spec, acting(m, formatted(m, value, spec)))


@instruction("iter")
def _iter(m: Any, f: Frame, arg: Any) -> Any:
    value = f.stack[-1]
    if value.__class__ is range and _is_unread(f):
        f.stack[-1] = Iter("range", 0, 0, extent(value))
        return None
    return m.give(f, 1, acting(m, iterator(m, f.stack[-1])))


def _is_unread(f: Frame) -> bool:
    """Whether nobody reads the items of the iterator that is made next, which a `for` alone has.

    Then all that it tells is how many are left: states that differ in the items that are to come are equal.
    """
    if f.code.ops[f.place][:2] == ("call", (0, ())):
        return f.stack[-2].__class__ is Function and f.stack[-2].code.unread
    return unread(f.code, f.place)


@instruction("for")
def _for(m: Any, f: Frame, arg: Any) -> Any:
    it = f.stack[-1]
    if it.__class__ is Iter:
        value = step(it)
        if value is MISSING:
            f.stack.pop()
            f.place = arg[1]
        else:
            f.stack.append(value)
        return None
    return m.give(f, 0, _next(m, it), ("for", arg[1], None))


def _next(m: Any, it: Value) -> Act:
    if it.__class__ is Generator:
        return Act("resume", it, None)
    if isinstance(it, Instance) and (function := find(m, it, "__next__")) is not None:
        found = resolve(m, function, (it,), {})
        return found if isinstance(found, Act) else Act("value", found)
    raise Refused(f"iteration over a {type_of(it).__name__} is not followed")


@instruction("send")
def _send(m: Any, f: Frame, arg: Any) -> Any:
    value, it = f.stack[-1], f.stack[-2]
    after = ("send", arg[1], None)
    if it.__class__ is Generator:
        return m.give(f, 1, Act("resume", it, value), after)
    if value is not None:
        raise Refused("a value is sent to an iterator that is no generator")
    if it.__class__ is Iter:
        found = step(it)
        f.stack.pop()
        if found is MISSING:
            f.stack[-1] = None
            f.place = arg[1]
        else:
            f.stack.append(found)
        return None
    return m.give(f, 1, _next(m, it), after)


@instruction("unpack")
def _unpack(m: Any, f: Frame, count: int) -> Any:
    value = f.stack[-1]
    if value.__class__ in (tuple, List, str, bytes, Named, range):
        items = list(value.items) if value.__class__ is Named else rows(value)
        if items is None:
            raise mismatch_count(count + 1, count)  # a range of many numbers
        if len(items) != count:
            raise mismatch_count(len(items), count)
        f.stack.pop()
        f.stack.extend(reversed(items))
        return None
    if value.__class__ is Set:
        raise Refused("the order of a set is not followed; sort it")
    if not isinstance(value, (Instance, Generator, Iter, Dict, type)) and rows(value) is None:
        raise mismatch(_unpack_one, value)
    return m.give(f, 1, resolve(m, m.prelude("unpack"), (value, count), {}), ("redo", None))


def _unpack_one(value: Any) -> None:
    (_,) = value


def mismatch_count(given: int, count: int) -> Any:
    """The error of CPython for a row that does not have as many values as names stand there."""
    if given < count:
        return throw(ValueError, f"not enough values to unpack (expected {count}, got {given})")
    return throw(ValueError, f"too many values to unpack (expected {count})")


@instruction("unpack_star")
def _unpack_star(m: Any, f: Frame, arg: int) -> Any:
    before, after = arg & 255, arg >> 8
    items = rows_of(m, f)
    if items.__class__ is Act:
        return m.give(f, 1, acting(m, items), ("redo", None))
    if len(items) < before + after:
        text = f"not enough values to unpack (expected at least {before + after}, got {len(items)})"
        raise throw(ValueError, text)
    f.stack.pop()
    last = len(items) - after
    out = [*items[:before], List(items[before:last]), *items[last:]]
    f.stack.extend(reversed(out))
    return None
