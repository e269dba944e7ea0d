"""The instructions that move values: variables, constants, operators, subscripts, attributes, jumps, iteration."""

import builtins
import operator
import types
from collections.abc import Callable
from enum import EnumType
from typing import Any

from dpcert.reading.border import mismatch, name_of, native, throw
from dpcert.reading.builtin_rules import formatted, shown
from dpcert.reading.calls import resolve, resolved
from dpcert.reading.containers import delete_item, get_item, make_set, rows, set_item, settle_key
from dpcert.reading.decode import unread
from dpcert.reading.domains.steps import BINARY
from dpcert.reading.errors import Act, Refused, call_act
from dpcert.reading.foreign import foreign
from dpcert.reading.iterate import iterator, step
from dpcert.reading.machine import instruction, operation
from dpcert.reading.numpy import kinds
from dpcert.reading.numpy.memory import Call
from dpcert.reading.numpy.records import Array
from dpcert.reading.objects import attribute, delete_attribute, set_attribute
from dpcert.reading.operators import binary, compare, contains, same_object, truth, unary
from dpcert.reading.preludes import asked
from dpcert.reading.types_of import extent, find, is_class, lookup, read_space, type_of
from dpcert.reading.values import (
    DELETED,
    MISSING,
    NULL,
    SCALARS,
    UNSET,
    Cell,
    Deque,
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
    Types,
    Undecided,
    Value,
)

# -- constants and variables


@instruction("pop_top")
def _pop(m: Any, f: Frame, arg: Any) -> None:
    f.stack.pop()


@instruction("load_const")
def _const(m: Any, f: Frame, value: Any) -> None:
    if value.__class__ in SCALARS:
        f.stack.append(value)
        return
    number = m.pins.number(f.code.host)
    place = next(i for i, each in enumerate(f.code.host.co_consts) if each is value)
    f.stack.append(m.heap.take(value, number, "constant", place))


@instruction("load_fast")
def _fast(m: Any, f: Frame, slot: int) -> None:
    value = f.locals[slot]
    if value is UNSET:
        raise unset(f, slot)
    if value is MISSING:
        raise Refused("internal: a variable was taken for dead")
    f.stack.append(value)


@instruction("store_fast")
def _store_fast(m: Any, f: Frame, slot: int) -> None:
    f.locals[slot] = f.stack.pop()


@instruction("delete_fast")
def _delete_fast(m: Any, f: Frame, slot: int) -> None:
    if f.locals[slot] is UNSET:
        raise unset(f, slot)
    f.locals[slot] = UNSET


@instruction("load_fast_and_clear")
def _fast_and_clear(m: Any, f: Frame, slot: int) -> None:
    f.stack.append(f.locals[slot])
    f.locals[slot] = UNSET


def unset(frame: Frame, slot: int) -> Any:
    """The error for a local variable that has no value."""
    text = f"cannot access local variable '{frame.code.slots[slot]}' where it is not associated with a value"
    return throw(UnboundLocalError, text)


@instruction("make_cell")
def _make_cell(m: Any, f: Frame, slot: int) -> None:
    value = f.locals[slot]
    f.locals[slot] = Cell() if value is UNSET else Cell(value)


def content(f: Frame, slot: int) -> Value:
    """The value of a shared variable."""
    cell = f.locals[slot]
    if not cell.items:
        name = f.code.slots[slot]
        if slot >= f.code.free:
            text = f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
            raise throw(NameError, text, name=name)
        raise unset(f, slot)
    return cell.items[0]


@instruction("store_deref")
def _store_deref(m: Any, f: Frame, slot: int) -> None:
    f.locals[slot].edit()[:] = [f.stack.pop()]


def _in_class(m: Any, name: str, other: Callable[[Frame], Value]) -> Value:
    """The value of a name in the body of a class."""
    f: Frame = m.frames[-1]
    return f.names[name] if name in f.names else other(f)


@instruction("delete_deref")
def _delete_deref(m: Any, f: Frame, slot: int) -> None:
    content(f, slot)
    f.locals[slot].edit().clear()


def global_value(m: Any, f: Frame, name: str) -> Value:
    """The value of a global variable or of a built-in name."""
    known = m.pins.known.get((f.space, name), MISSING)
    if known is not MISSING and not m.over:
        return known
    found = read_space(m, f.space, name)
    if found is MISSING:
        found = _builtin(m, f, name)
    if found.__class__ in CONSTANT and not m.over:  # the state has assigned to no host object
        m.pins.known[f.space, name] = found
    return found


CONSTANT = frozenset({types.FunctionType, types.BuiltinFunctionType, type, int, str, bool, float, types.ModuleType})


def _builtin(m: Any, f: Frame, name: str) -> Value:
    space = m.pins.objects[f.space].get("__builtins__", builtins)
    if space is not builtins and space is not vars(builtins):
        raise Refused("a module with built-in names of its own is not followed")
    found = getattr(builtins, name, MISSING)
    if found is MISSING:
        raise no_name(name)
    return m.heap.take(found, m.pins.module("builtins"), "attribute", name)


def no_name(name: str) -> Any:
    """The error for a name that stands for nothing."""
    return throw(NameError, f"name {name!r} is not defined", name=name)


@instruction("global")
def _global(m: Any, f: Frame, arg: Any) -> None:
    value = global_value(m, f, arg[0])
    if arg[1]:
        f.stack.append(NULL)
    f.stack.append(value)


@instruction("store_global")
def _store_global(m: Any, f: Frame, name: str) -> None:
    m.over[f.space, name] = f.stack.pop()


@instruction("delete_global")
def _delete_global(m: Any, f: Frame, name: str) -> None:
    if read_space(m, f.space, name) is MISSING:
        raise no_name(name)
    m.over[f.space, name] = DELETED


@instruction("store_name")
def _store_name(m: Any, f: Frame, name: str) -> None:
    f.names[name] = f.stack.pop()


@instruction("delete_name")
def _delete_name(m: Any, f: Frame, name: str) -> None:
    if name not in f.names:
        raise no_name(name)
    del f.names[name]


@instruction("setup_annotations")
def _annotations(m: Any, f: Frame, arg: Any) -> None:
    f.names.setdefault("__annotations__", Dict({}))


@instruction("swap")
def _swap(m: Any, f: Frame, depth: int) -> None:
    s = f.stack
    s[-1], s[-depth] = s[-depth], s[-1]


# -- operators


@instruction("binary")
def _binary(m: Any, f: Frame, arg: Any) -> Any:
    s = f.stack
    a, b = s[-2], s[-1]
    if a.__class__ is int and b.__class__ is int and arg[0] in ("add", "sub", "mul"):
        s.pop()
        s[-1] = BINARY[arg[0]](a, b)
        return None
    name, in_place = arg
    return m.give(f, 2, binary(m, name, in_place, a, b))


@instruction("contains")
def _contains(m: Any, f: Frame, inverted: bool) -> Any:
    return _answer(m, f, 2, contains(m, f.stack[-2], f.stack[-1]), inverted)


@instruction("unary_not")
def _not(m: Any, f: Frame, arg: Any) -> Any:
    return _answer(m, f, 1, truth(m, f.stack[-1]), True)


def _answer(m: Any, f: Frame, count: int, found: Value, inverted: bool) -> Any:
    if found.__class__ is not Act:
        return m.give(f, count, found is not inverted)
    return m.give(f, count, found, ("invert", None) if inverted else None)


# -- jumps


@instruction("jump")
def _jump(m: Any, f: Frame, arg: Any) -> None:
    f.place = arg[1]


@instruction("jump_if")
def _jump_if(m: Any, f: Frame, arg: Any) -> Any:
    value = f.stack[-1]
    found = value if value.__class__ is bool else truth(m, value)
    if found.__class__ is Act:
        return m.give(f, 1, found, ("redo", None))
    f.stack.pop()
    if found is arg[0]:
        f.place = arg[1]
    return None


@instruction("jump_or_pop")
def _jump_or_pop(m: Any, f: Frame, arg: Any) -> Any:
    found = truth(m, f.stack[-1])
    if found.__class__ is Act:
        return m.give(f, 0, found, ("jump_or_pop", *arg, None))
    jump_kept(f, found, arg)
    return None


def jump_kept(f: Frame, found: bool, arg: Any) -> None:
    """Jump and keep the tested value, or drop the value."""
    if found is arg[0]:
        f.place = arg[1]
    else:
        f.stack.pop()


@instruction("jump_none")
def _jump_none(m: Any, f: Frame, arg: Any) -> None:
    if (f.stack.pop() is None) is arg[0]:
        f.place = arg[1]


# -- subscripts and attributes


def subscript(m: Any, owner: Value, place: Value) -> Value:
    """The value of `owner[place]`, or the call that finds it."""
    if owner.__class__ in (List, Dict, tuple, Named, Deque):
        return get_item(m, owner, place)
    if owner.__class__ in SCALARS:
        if place.__class__ is Array or owner.__class__ in kinds.SCALARS:
            return Call().result(operator.getitem, (owner, place), {})
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
    hook = lookup(m, owner, "__class_getitem__")
    if hook is not MISSING and type(hook) is not types.ClassMethodDescriptorType:
        raise Refused(f"__class_getitem__ of {name_of(owner)} is not followed")
    if hook is MISSING and owner is not type:
        if isinstance(owner, type) and owner.__module__ != "builtins" and not owner.__flags__ & 1 << 9:
            raise Refused(f"{name_of(owner)} is subscripted, of which the error tells the module")
        raise throw(TypeError, f"type '{name_of(owner)}' is not subscriptable")
    return Types(owner, place if place.__class__ is tuple else (place,))


@instruction("load_method")
def _method(m: Any, f: Frame, name: str) -> Any:
    found = resolved(m, attribute(m, f.stack[-1], name))
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
    found = attribute(m, resolve(m, super, (cls, owner), {}), arg[0])
    return m.give(f, 3, found, ("method", None) if arg[1] else None)


def _convert(m: Any, how: int, value: Value) -> Value:
    if how == 3:
        raise Refused("!a in an f-string is not followed")
    return value if how == 1 and value.__class__ is str else shown(m, value, "text" if how == 1 else "shown")


def _compared(m: Any, sign: str, a: Value, b: Value) -> Value:
    """A comparison; a machine may have an answer of its own for two undecided numbers."""
    if m.compares is not None and a.__class__ is b.__class__ is Undecided:
        found = m.compares(m, sign, a, b)
        if found is not None:
            return found
    return compare(m, sign, a, b)


operation("load_deref", 0, lambda m, slot: content(m.frames[-1], slot))
operation("load_classderef", 0, lambda m, slot: _in_class(m, m.frames[-1].code.slots[slot], lambda f: content(f, slot)))
operation("load_name", 0, lambda m, name: _in_class(m, name, lambda f: global_value(m, f, name)))
operation("push_null", 0, lambda m, arg: NULL)
operation("load_closure", 0, lambda m, slot: m.frames[-1].locals[slot])
operation("load_assertion_error", 0, lambda m, arg: m.pins.builtin(AssertionError))
operation("copy", 0, lambda m, depth: m.frames[-1].stack[-depth])
operation("unary", 1, unary)
operation("compare", 2, _compared)
operation("is", 2, lambda m, inverted, a, b: same_object(a, b) is not inverted)
operation("binary_subscr", 2, lambda m, arg, owner, place: subscript(m, owner, place))
operation("store_subscr", 3, lambda m, arg, value, owner, place: set_item(m, owner, place, value), drop=True)
operation("delete_subscr", 2, lambda m, arg, owner, place: delete_item(m, owner, place), drop=True)
operation("attribute", 1, lambda m, name, owner: attribute(m, owner, name))
operation("store_attr", 2, lambda m, name, value, owner: set_attribute(m, owner, name, value), drop=True)
operation("delete_attr", 1, lambda m, name, owner: delete_attribute(m, owner, name), drop=True)
operation("convert_value", 1, _convert)
operation("format_simple", 1, lambda m, arg, value: formatted(m, value))
operation("format_with_spec", 2, lambda m, arg, value, spec: formatted(m, value, spec))


# -- iteration and unpacking


@instruction("get_iter")
def _iter(m: Any, f: Frame, arg: Any) -> Any:
    value = f.stack[-1]
    if value.__class__ is range and _is_unread(f):
        f.stack[-1] = Iter("range", 0, 0, extent(value))
        return None
    return m.give(f, 1, iterator(m, value))


def _is_unread(f: Frame) -> bool:
    """Whether the program never reads the items of the iterator that is made next: a `for` alone holds it.

    Then the iterator has no more than the count of items left: states that differ in these items are equal.
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
    check_iterable(m, value, lambda each: [None for (_,) in [each]])
    return m.give(f, 1, asked("unpack", value, count), ("redo", None))


def mismatch_count(given: int, count: int) -> Any:
    """CPython's error where a row is unpacked into another number of names than it has values."""
    if given < count:
        return throw(ValueError, f"not enough values to unpack (expected {count}, got {given})")
    return throw(ValueError, f"too many values to unpack (expected {count})")


@instruction("unpack_ex")
def _unpack_star(m: Any, f: Frame, arg: int) -> Any:
    before, after = arg & 255, arg >> 8
    items = rows_of(m, f, "items_of", lambda each: [None for (_,) in [each]])
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
    items = rows_of(m, f, "list_of", lambda each: [*each])
    if items.__class__ is Act:
        return m.give(f, 1, items, ("redo", None))
    f.stack.pop()
    f.stack[-depth].edit().extend(items)
    return None


def rows_of(m: Any, f: Frame, twin: str, use: Callable[[Any], Any]) -> Any:
    """The items of the iterable on the stack, or the call of a twin that lists them; `use` fails as CPython does."""
    value = f.stack[-1]
    items = rows(value)
    if items is not None:
        return items
    check_iterable(m, value, use)
    return asked(twin, value)


def check_iterable(m: Any, value: Value, use: Callable[[Any], Any]) -> None:
    """Raises: Thrown with the TypeError of `use` on a value not iterable; Refused for a class with a metaclass."""
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
        items = rows_of(m, f, "items_of", lambda each: {*each})
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
