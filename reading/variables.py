"""The instructions that move values: constants, variables, the stack."""

from __future__ import annotations

import builtins
import types
from typing import Any

from dpcert.reading.border import throw
from dpcert.reading.errors import Refused
from dpcert.reading.instructions import unset
from dpcert.reading.machine import instruction
from dpcert.reading.types_of import read_space
from dpcert.reading.values import (
    DELETED,
    MISSING,
    NULL,
    SCALARS,
    UNSET,
    Cell,
    Dict,
    Frame,
    Value,
)

# -- constants and variables


@instruction("pop_top")
def _pop(m: Any, f: Frame, arg: Any) -> None:
    f.stack.pop()


@instruction("push_null")
def _push_null(m: Any, f: Frame, arg: Any) -> None:
    f.stack.append(NULL)


@instruction("const")
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


@instruction("make_cell")
def _make_cell(m: Any, f: Frame, slot: int) -> None:
    value = f.locals[slot]
    f.locals[slot] = Cell() if value is UNSET else Cell(value)


@instruction("load_closure")
def _closure(m: Any, f: Frame, slot: int) -> None:
    f.stack.append(f.locals[slot])


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


@instruction("load_deref")
def _deref(m: Any, f: Frame, slot: int) -> None:
    f.stack.append(content(f, slot))


@instruction("store_deref")
def _store_deref(m: Any, f: Frame, slot: int) -> None:
    f.locals[slot].edit()[:] = [f.stack.pop()]


@instruction("delete_deref")
def _delete_deref(m: Any, f: Frame, slot: int) -> None:
    content(f, slot)
    f.locals[slot].edit().clear()


@instruction("load_classderef")
def _class_deref(m: Any, f: Frame, slot: int) -> None:
    names: Any = f.names
    name = f.code.slots[slot]
    f.stack.append(names[name] if name in names else content(f, slot))


def global_value(m: Any, f: Frame, name: str) -> Value:
    """The value of a global variable or of a built-in name."""
    known = m.pins.known.get((f.space, name), MISSING)
    if known is not MISSING and not m.over:
        return known
    found = read_space(m, f.space, name)
    if found is MISSING:
        found = _builtin(m, f, name)
    if found.__class__ in CONSTANT and not m.over:
        m.pins.known[f.space, name] = found
    return found


CONSTANT = frozenset({types.FunctionType, types.BuiltinFunctionType, type, int, str, bool, float, types.ModuleType})


def _builtin(m: Any, f: Frame, name: str) -> Value:
    space = m.pins.objects[f.space].get("__builtins__", builtins)
    if space is not builtins and space is not vars(builtins):
        raise Refused("a module with built-in names of its own is not followed")
    found = getattr(builtins, name, MISSING)
    if found is MISSING:
        raise throw(NameError, f"name {name!r} is not defined", name=name)
    return m.heap.take(found, m.pins.module("builtins"), "attribute", name)


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
        raise throw(NameError, f"name {name!r} is not defined", name=name)
    m.over[f.space, name] = DELETED


@instruction("load_name")
def _name(m: Any, f: Frame, name: str) -> None:
    names: Any = f.names
    f.stack.append(names[name] if name in names else global_value(m, f, name))


@instruction("store_name")
def _store_name(m: Any, f: Frame, name: str) -> None:
    names: Any = f.names
    names[name] = f.stack.pop()


@instruction("delete_name")
def _delete_name(m: Any, f: Frame, name: str) -> None:
    names: Any = f.names
    if name not in names:
        raise throw(NameError, f"name {name!r} is not defined", name=name)
    del names[name]


@instruction("setup_annotations")
def _annotations(m: Any, f: Frame, arg: Any) -> None:
    names: Any = f.names
    names.setdefault("__annotations__", Dict({}))


@instruction("swap")
def _swap(m: Any, f: Frame, depth: int) -> None:
    s = f.stack
    s[-1], s[-depth] = s[-depth], s[-1]


@instruction("copy")
def _copy(m: Any, f: Frame, depth: int) -> None:
    f.stack.append(f.stack[-depth])
