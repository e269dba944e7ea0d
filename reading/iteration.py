"""The instructions of iteration and unpacking, and those that make containers."""

from __future__ import annotations

from collections.abc import Callable
from enum import EnumType
from typing import Any

from dpcert.reading.border import mismatch, throw
from dpcert.reading.containers import rows, settle_key
from dpcert.reading.decode import unread
from dpcert.reading.errors import Act, Refused, call_act
from dpcert.reading.iterate import iterator, step
from dpcert.reading.machine import instruction, operation
from dpcert.reading.preludes import asked
from dpcert.reading.sets import make_set
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
    Slice,
    Value,
)


@instruction("get_iter")
def _iter(m: Any, f: Frame, arg: Any) -> Any:
    value = f.stack[-1]
    if value.__class__ is range and _is_unread(f):
        f.stack[-1] = Iter("range", 0, 0, extent(value))
        return None
    return m.give(f, 1, iterator(m, value))


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
        return call_act(function, (it,))
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


@instruction("unpack_sequence")
def _unpack(m: Any, f: Frame, count: int) -> Any:
    value = f.stack[-1]
    if value.__class__ in (tuple, List, str, bytes, Named, range):
        items = rows(value)
        if items is None:
            raise mismatch_count(count + 1, count)  # a range of many numbers
        if len(items) != count:
            raise mismatch_count(len(items), count)
        f.stack.pop()
        f.stack.extend(reversed(items))
        return None
    if value.__class__ is Set:
        raise Refused("the order of a set is not followed; sort it")
    check_iterable(m, value, _unpack_one)
    return m.give(f, 1, asked("unpack", value, count), ("redo", None))


def _unpack_one(value: Any) -> None:
    (_,) = value


def mismatch_count(given: int, count: int) -> Any:
    """The error of CPython for a row that does not have as many values as names stand there."""
    if given < count:
        return throw(ValueError, f"not enough values to unpack (expected {count}, got {given})")
    return throw(ValueError, f"too many values to unpack (expected {count})")


@instruction("unpack_ex")
def _unpack_star(m: Any, f: Frame, arg: int) -> Any:
    before, after = arg & 255, arg >> 8
    items = rows_of(m, f, _unpack_one)
    if items.__class__ is Act:
        return m.give(f, 1, items, ("redo", None))
    if len(items) < before + after:
        text = f"not enough values to unpack (expected at least {before + after}, got {len(items)})"
        raise throw(ValueError, text)
    f.stack.pop()
    last = len(items) - after
    out = [*items[:before], List(items[before:last]), *items[last:]]
    f.stack.extend(reversed(out))
    return None


# -- making containers


@instruction("build")
def _build(m: Any, f: Frame, arg: Any) -> None:
    kind, count = arg
    s = f.stack
    size = 2 * count if kind == "MAP" else count + 1 if kind == "CONST_KEY_MAP" else count
    parts = s[len(s) - size :]
    made = BUILD[kind](m, parts)
    del s[len(s) - size :]
    s.append(made)


def _dict_of(m: Any, keys: Any, values: Any) -> Dict:
    found = Dict({})
    for key, value in zip(keys, values, strict=True):
        found.put(*settle_key(m, key), value)
    return found


BUILD: dict[str, Any] = {
    "TUPLE": lambda m, parts: tuple(parts),
    "LIST": lambda m, parts: List(parts),
    "SET": make_set,
    "MAP": lambda m, parts: _dict_of(m, parts[::2], parts[1::2]),
    "CONST_KEY_MAP": lambda m, parts: _dict_of(m, parts[-1], parts[:-1]),
    "STRING": lambda m, parts: "".join(parts),
    "SLICE": lambda m, parts: Slice(*parts),
}


operation("list_to_tuple", 1, lambda m, arg, value: tuple(rows(value) or ()))


@instruction("list_append")
def _list_append(m: Any, f: Frame, depth: int) -> None:
    value = f.stack.pop()
    f.stack[-depth].edit().append(value)


@instruction("set_add")
def _set_add(m: Any, f: Frame, depth: int) -> None:
    name, value = settle_key(m, f.stack[-1])
    f.stack.pop()
    f.stack[-depth].edit().setdefault(name, value)


@instruction("map_add")
def _map_add(m: Any, f: Frame, depth: int) -> None:
    name, key = settle_key(m, f.stack[-2])
    value = f.stack.pop()
    f.stack.pop()
    f.stack[-depth].put(name, key, value)


@instruction("list_extend")
def _list_extend(m: Any, f: Frame, depth: int) -> Any:
    items = rows_of(m, f)
    if items.__class__ is Act:
        return m.give(f, 1, items, ("redo", None))
    f.stack.pop()
    f.stack[-depth].edit().extend(items)
    return None


def rows_of(m: Any, f: Frame, use: Callable[[Any], Any] = lambda each: [*each]) -> Any:
    """What the iterable on the stack gives, or the call that makes a list of it; `use` fails as CPython does."""
    value = f.stack[-1]
    items = rows(value)
    if items is not None:
        return items
    check_iterable(m, value, use)
    return asked("list_of", value)


def check_iterable(m: Any, value: Value, use: Callable[[Any], Any]) -> None:
    """Raises: Thrown with the TypeError of a use of what is no iterable; Refused for a class with a metaclass."""
    if isinstance(value, type) and not isinstance(value, EnumType) and type(value) is not type:
        raise Refused("a class with a metaclass is iterated over")
    own = isinstance(value, Instance) and (find(m, value, "__iter__") or find(m, value, "__getitem__")) is not None
    if not own and not isinstance(value, (Generator, Iter, EnumType)) and rows(value) is None:
        raise mismatch(use, value)


@instruction("set_update")
def _set_update(m: Any, f: Frame, depth: int) -> Any:
    value = f.stack[-1]
    if value.__class__ is Set:
        more = dict(value.items)
    else:
        items = rows_of(m, f, lambda each: {*each})
        if items.__class__ is Act:
            return m.give(f, 1, items, ("redo", None))
        more = make_set(m, items).items
    f.stack.pop()
    target = f.stack[-depth].edit()
    for name, each in more.items():
        target.setdefault(name, each)
    return None


@instruction("dict_update")
def _dict_update(m: Any, f: Frame, depth: int) -> None:
    more = f.stack[-1]
    if more.__class__ is not Dict:
        raise mismatch(lambda each: {**each}, more)
    f.stack.pop()
    for name, pair in more.items.items():
        f.stack[-depth].put(name, *pair)


@instruction("dict_merge")
def _dict_merge(m: Any, f: Frame, depth: int) -> None:
    more, target = f.stack[-1], f.stack[-depth - 1]
    if more.__class__ is not Dict:
        raise Refused("** of other than a dict is not followed")
    if any(name in target.items or name.__class__ is not str for name in more.items):
        raise Refused("** gives an argument twice, or one whose name is no text")
    f.stack.pop()
    for name, pair in more.items.items():
        target.put(name, *pair)
