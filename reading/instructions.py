"""The instructions that move values: variables, constants, containers, operators, attributes, jumps."""

from __future__ import annotations

import operator
from typing import Any

from dpcert.reading.assign import delete_attribute, set_attribute
from dpcert.reading.border import mismatch, native, throw
from dpcert.reading.calls import resolve
from dpcert.reading.containers import delete_item, get_item, rows, set_item, settle_key
from dpcert.reading.errors import Act, Refused, call_act, wrap
from dpcert.reading.foreign import foreign
from dpcert.reading.machine import instruction
from dpcert.reading.objects import attribute
from dpcert.reading.operators import BINARY, binary, compare, contains, same_object, truth, unary
from dpcert.reading.sets import make_set
from dpcert.reading.types_of import find, is_class, lookup
from dpcert.reading.values import (
    MISSING,
    NULL,
    SCALARS,
    Deque,
    Dict,
    Frame,
    Generator,
    Instance,
    Iter,
    List,
    Named,
    Set,
    Slice,
    Types,
    Value,
)


def acting(m: Any, result: Value) -> Value:
    """A result, where it is a call, as far as it can be had before the operands are gone."""
    return (
        resolve(m, *result.operands)
        if result.__class__ is Act and result.kind == "call" and not result.after
        else (_resolved(m, result) if result.__class__ is Act and result.kind == "call" else result)
    )


def _resolved(m: Any, act: Act) -> Act:
    result = resolve(m, *act.operands)
    if result.__class__ is Act:
        inner: Act = result
        return Act(inner.kind, *inner.operands, after=wrap(inner.after, act.after))
    return Act("value", result, after=act.after)


def unset(frame: Frame, slot: int) -> Any:
    """The error for a local variable that has no value."""
    name = frame.code.slots[slot]
    text = f"cannot access local variable '{name}' where it is not associated with a value"
    return throw(UnboundLocalError, text)


# -- operators


@instruction("binary")
def _binary(m: Any, f: Frame, arg: Any) -> Any:
    s = f.stack
    a, b = s[-2], s[-1]
    if a.__class__ is int and b.__class__ is int and arg[0] in ("add", "sub", "mul"):
        s.pop()
        s[-1] = BINARY[arg[0]](a, b)
        return None
    return m.give(f, 2, acting(m, binary(m, arg[0], arg[1], a, b)))


@instruction("unary")
def _unary(m: Any, f: Frame, name: str) -> Any:
    return m.give(f, 1, acting(m, unary(m, name, f.stack[-1])))


@instruction("compare")
def _compare(m: Any, f: Frame, sign: str) -> Any:
    return m.give(f, 2, acting(m, compare(m, sign, f.stack[-2], f.stack[-1])))


@instruction("is")
def _is(m: Any, f: Frame, inverted: bool) -> None:
    found = same_object(f.stack[-2], f.stack[-1])
    f.stack.pop()
    f.stack[-1] = found is not inverted


@instruction("contains")
def _contains(m: Any, f: Frame, inverted: bool) -> Any:
    found = acting(m, contains(m, f.stack[-2], f.stack[-1]))
    if found.__class__ is not Act:
        return m.give(f, 2, found is not inverted)
    return m.give(f, 2, found, ("invert", None) if inverted else None)


@instruction("not")
def _not(m: Any, f: Frame, arg: Any) -> Any:
    found = truth(m, f.stack[-1])
    if found.__class__ is Act:
        return m.give(f, 1, acting(m, found), ("redo", None))
    f.stack[-1] = not found
    return None


# -- jumps


@instruction("jump")
def _jump(m: Any, f: Frame, arg: Any) -> None:
    f.place = arg[1]


@instruction("jump_if")
def _jump_if(m: Any, f: Frame, arg: Any) -> Any:
    value = f.stack[-1]
    found = value if value.__class__ is bool else truth(m, value)
    if found.__class__ is Act:
        return m.give(f, 1, acting(m, found), ("redo", None))
    f.stack.pop()
    if found is arg[0]:
        f.place = arg[1]
    return None


@instruction("jump_or_pop")
def _jump_or_pop(m: Any, f: Frame, arg: Any) -> Any:
    found = truth(m, f.stack[-1])
    if found.__class__ is Act:
        return m.give(f, 0, acting(m, found), ("jump_or_pop", *arg, None))
    _jump_kept(f, found, arg)
    return None


def _jump_kept(f: Frame, found: bool, arg: Any) -> None:
    if found is arg[0]:
        f.place = arg[1]
    else:
        f.stack.pop()


@instruction("jump_none")
def _jump_none(m: Any, f: Frame, arg: Any) -> None:
    if (f.stack.pop() is None) is arg[0]:
        f.place = arg[1]


# -- subscripts and attributes


@instruction("subscript")
def _subscript(m: Any, f: Frame, arg: Any) -> Any:
    owner, place = f.stack[-2], f.stack[-1]
    return m.give(f, 2, acting(m, subscript(m, owner, place)))


def subscript(m: Any, owner: Value, place: Value) -> Value:
    """What `owner[place]` is, or the call that finds it."""
    if owner.__class__ in (List, Dict, tuple, Named, Deque):
        return get_item(m, owner, place)
    if owner.__class__ in SCALARS:
        return native(operator.getitem, (owner, place))
    if isinstance(owner, Instance) and (function := find(m, owner, "__getitem__")) is not None:
        return call_act(function, (owner, place))
    if (other := foreign(owner)) is not None:
        return other.get_item(m, owner, place)
    if is_class(owner):
        return _subscript_class(m, owner, place)
    raise mismatch(operator.getitem, owner, place)


def _subscript_class(m: Any, owner: Value, place: Value) -> Value:
    members = getattr(owner, "_member_map_", None)
    if members is not None and place.__class__ is str and place in members:
        return attribute(m, owner, place)
    if lookup(m, owner, "__class_getitem__") is MISSING and owner not in (type,):
        raise mismatch(operator.getitem, owner, place)
    return Types(owner, place if place.__class__ is tuple else (place,))


@instruction("store_subscript")
def _store_subscript(m: Any, f: Frame, arg: Any) -> Any:
    value, owner, place = f.stack[-3:]
    if isinstance(owner, Instance) and (function := find(m, owner, "__setitem__")) is not None:
        return m.give(f, 3, resolve(m, function, (owner, place, value), {}), ("drop", None))
    set_item(m, owner, place, value)
    del f.stack[-3:]
    return None


@instruction("delete_subscript")
def _delete_subscript(m: Any, f: Frame, arg: Any) -> Any:
    owner, place = f.stack[-2:]
    if isinstance(owner, Instance) and (function := find(m, owner, "__delitem__")) is not None:
        return m.give(f, 2, resolve(m, function, (owner, place), {}), ("drop", None))
    delete_item(m, owner, place)
    del f.stack[-2:]
    return None


@instruction("attribute")
def _attribute(m: Any, f: Frame, name: str) -> Any:
    return m.give(f, 1, acting(m, attribute(m, f.stack[-1], name)))


@instruction("method")
def _method(m: Any, f: Frame, name: str) -> Any:
    found = acting(m, attribute(m, f.stack[-1], name))
    if found.__class__ is Act:
        return m.give(f, 1, found, ("method", None))
    f.stack[-1] = NULL
    f.stack.append(found)
    return None


@instruction("super_attribute")
def _super_attribute(m: Any, f: Frame, arg: Any) -> Any:
    kind, cls, owner = f.stack[-3:]
    if kind is not super:
        raise Refused("super is another name's")
    found = acting(m, attribute(m, resolve(m, super, (cls, owner), {}), arg[0]))
    if found.__class__ is Act or not arg[1]:
        return m.give(f, 3, found, ("method", None) if arg[1] else None)
    f.stack[-3:] = [NULL, found]
    return None


@instruction("store_attribute")
def _store_attribute(m: Any, f: Frame, name: str) -> Any:
    found = acting(m, set_attribute(m, f.stack[-1], name, f.stack[-2]))
    return m.give(f, 2, found, ("drop", None))


@instruction("delete_attribute")
def _delete_attribute(m: Any, f: Frame, name: str) -> Any:
    return m.give(f, 1, acting(m, delete_attribute(m, f.stack[-1], name)), ("drop", None))


# -- making containers


@instruction("build")
def _build(m: Any, f: Frame, arg: Any) -> None:
    kind, count = arg
    s = f.stack
    size = 2 * count if kind == "dict" else count + 1 if kind == "keys" else count
    parts = s[len(s) - size :]
    made = BUILD[kind](m, parts)
    del s[len(s) - size :]
    s.append(made)


def _dict_of(m: Any, keys: Any, values: Any) -> Dict:
    found = Dict({})
    for key, value in zip(keys, values, strict=True):
        found.put(*settle_key(m, key), value)
    return found


def _text_of(m: Any, parts: list[Value]) -> str:
    return "".join(parts)


BUILD: dict[str, Any] = {
    "tuple": lambda m, parts: tuple(parts),
    "list": lambda m, parts: List(parts),
    "set": make_set,
    "dict": lambda m, parts: _dict_of(m, parts[::2], parts[1::2]),
    "keys": lambda m, parts: _dict_of(m, parts[-1], parts[:-1]),
    "text": _text_of,
    "slice": lambda m, parts: Slice(*parts),
}


@instruction("list_to_tuple")
def _list_to_tuple(m: Any, f: Frame, arg: Any) -> None:
    f.stack[-1] = tuple(f.stack[-1].items)


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
        return m.give(f, 1, acting(m, items), ("redo", None))
    f.stack.pop()
    f.stack[-depth].edit().extend(items)
    return None


def rows_of(m: Any, f: Frame) -> Any:
    """What the iterable on the stack gives, or the call that makes a list of it."""
    value = f.stack[-1]
    items = rows(value)
    if items is not None:
        return items
    if not isinstance(value, (Instance, Generator, Iter)) and not isinstance(value, type):
        raise mismatch(lambda each: [*each], value)
    return call_act(m.prelude("list_of"), (value,))


@instruction("set_update")
def _set_update(m: Any, f: Frame, depth: int) -> Any:
    value = f.stack[-1]
    if value.__class__ is Set:
        more = dict(value.items)
    else:
        items = rows_of(m, f)
        if items.__class__ is Act:
            return m.give(f, 1, acting(m, items), ("redo", None))
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
