"""The instructions that make functions and classes."""

from __future__ import annotations

import builtins
import sys
from typing import Any

from dpcert.reading.border import name_of
from dpcert.reading.calls import resolve, resolved
from dpcert.reading.containers import rows, settle_key
from dpcert.reading.errors import Act, Refused, Thrown
from dpcert.reading.imports import FIELDS_OF_ERRORS, is_error, written_in_python
from dpcert.reading.machine import DELIVER, instruction, operation
from dpcert.reading.objects import attribute
from dpcert.reading.types_of import extent, find, is_class, is_exception, is_sub, lookup, mro_of, type_of
from dpcert.reading.values import Cell, Class, Deque, Dict, Frame, Function, Instance, List, Named, Value, Wrapped
from dpcert.reading.whitelist import rule

PARTS = {8: "cells", 4: "", 2: "keyword_defaults", 1: "defaults"}  # of annotations nothing is asked that is followed


@instruction("make_function")
def _make_function(m: Any, f: Frame, flags: int) -> None:
    host = f.stack.pop()
    function = Function(m.pins.code(host), f.space, host.co_name, host.co_qualname)
    for flag in PARTS:
        if flags & flag:
            _set_part(m, flag, f.stack.pop(), function)
    f.stack.append(function)


def _set_part(m: Any, flag: int, part: Value, function: Function) -> Function:
    if PARTS[flag]:
        setattr(function, PARTS[flag], part)
    return function


operation("set_function_attribute", 2, _set_part)
operation(
    "load_build_class",
    0,
    lambda m, arg: m.heap.take(builtins.__build_class__, m.pins.module("builtins"), "attribute", "__build_class__"),
)


def class_body(m: Any, function: Value, name: Value, *bases: Value, **keywords: Value) -> Act:
    """The frame of the body of a class."""
    if keywords or function.__class__ is not Function or name.__class__ is not str:
        raise Refused("a metaclass, or keywords of a class, are not followed")
    for base in bases:
        _check_base(m, base)
    act = resolve(m, function, (), {})
    act.operands[0].names = {}
    return Act(*("enter", *act.operands), after=("class", name, bases, act.operands[0], None))


def _check_base(m: Any, base: Value) -> None:
    if not is_class(base):
        raise Refused("a class is made of other bases than classes")
    known = (
        type(base) is Class or base is object or (type(base) is type and (written_in_python(base) or is_error(base)))
    )
    hook = lookup(m, base, "__init_subclass__")
    if not known or getattr(hook, "__objclass__", object) is not object or isinstance(hook, (Wrapped, classmethod)):
        raise Refused(f"a class on {name_of(base)} is not followed; make it before the program")


def make_class(m: Any, after: Any, cell: Value) -> Value:
    """The class that a class statement makes, once its body has run."""
    _, name, bases, frame, _ = after
    names: dict[str, Value] = dict(frame.names)
    names.pop("__classcell__", None)
    for special in (
        "__del__",
        "__slots__",
        "__init_subclass__",
        "__class_getitem__",
        "__set_name__",
        "__getattribute__",
    ):
        if special in names:
            raise Refused(f"{special} in a class that the program makes is not followed; make it before")
    if any(isinstance(each, Instance) and find(m, each, "__set_name__") is not None for each in names.values()):
        raise Refused("__set_name__ of a descriptor is not followed")
    if "__eq__" in names:
        names.setdefault("__hash__", None)
    names.setdefault("__doc__", None)
    if type(names.get("__new__")) is Function:
        names["__new__"] = Wrapped(staticmethod, (names["__new__"],))
    cls = Class(name, names.get("__qualname__", name), bases or (object,), names)
    cls.mro = merged(cls)
    if is_exception(cls) and not FIELDS_OF_ERRORS.isdisjoint(names):
        raise Refused(f"{name} has a field of exceptions of its own")
    if cell.__class__ is Cell:
        cell.edit()[:] = [cls]
    return cls


def merged(cls: Class) -> tuple[Value, ...]:
    """The order of classes in which attributes are looked for, as C3 linearization gives it."""
    rows_left = [*(list(mro_of(base)) for base in cls.bases), list(cls.bases)]
    out: list[Value] = [cls]
    while any(rows_left):
        for row in rows_left:
            if row and not any(each is row[0] for other in rows_left for each in other[1:]):
                head = row[0]
                break
        else:
            raise Refused("a class has bases in no consistent order")
        out.append(head)
        rows_left = [row[1:] if row and row[0] is head else row for row in rows_left]
    return tuple(out)


rule(builtins.__build_class__)(class_body)
DELIVER["class"] = make_class


# -- imports


def _import(m: Any, name: str, level: Value, names: Value) -> Value:
    if level or name not in sys.modules:
        raise Refused("an import of a module that is not there before the program; import it at the top")
    found = sys.modules[name if names else name.split(".")[0]]
    return m.heap.take(found, -1, "module", found.__name__)


def _import_from(m: Any, name: str, module: Value) -> Value:
    try:
        return resolved(m, attribute(m, module, name))
    except Thrown:
        raise Refused(f"{name} cannot be imported") from None


operation("import_name", 2, _import)
operation("import_from", 1, _import_from, keep=True)


@instruction("refuse")
def _refuse(m: Any, f: Frame, name: str) -> None:
    raise Refused(f"the instruction {name} is not followed")


# -- match


def _get_len(m: Any, arg: Any, value: Value) -> int:
    items = value.items if value.__class__ is Named else rows(value) or ()
    return extent(value) if value.__class__ is range else len(items)


def _is_one_of(*kinds: type) -> Any:
    def found(m: Any, arg: Any, value: Value) -> bool:
        if isinstance(value, Instance):
            raise Refused("a pattern of a sequence or mapping is matched with an instance")
        return value.__class__ in kinds

    return found


def _match_keys(m: Any, arg: Any, owner: Dict, keys: Value) -> Value:
    names = [settle_key(m, key)[0] for key in keys]
    if len(set(names)) < len(keys):
        raise Refused("a pattern of a mapping names a key twice")
    return tuple([owner.items[name][1] for name in names]) if owner.items.keys() >= set(names) else None


def _match_class(m: Any, count: int, value: Value, cls: Value, names: Value) -> Value:
    if not is_class(cls):
        raise Refused("a pattern of a class names what is no class")
    if not is_sub(type_of(value), cls):
        return None
    whole = count == 1 and not names and any(cls is each for each in WHOLE)
    return (value,) if whole else _matched(m, value, cls, names, count)


operation("get_len", 1, _get_len, keep=True)
operation("match_sequence", 1, _is_one_of(List, tuple, Deque, range, Named), keep=True)
operation("match_mapping", 1, _is_one_of(Dict), keep=True)
operation("match_keys", 2, _match_keys, keep=True)
operation("match_class", 3, _match_class)


WHOLE = frozenset({bool, bytes, dict, float, frozenset, int, list, set, str, tuple})


def _matched(m: Any, value: Value, cls: Value, names: Any, count: int) -> Any:
    positions = lookup(m, cls, "__match_args__") if count else ()
    if positions.__class__ is not tuple or len(positions) < count or any(type(each) is not str for each in positions):
        raise Refused("a pattern of a class has more positions than the class names")
    if len({*positions[:count], *names}) < count + len(names):
        raise Refused("a pattern of a class names an attribute twice")
    found = []
    for name in (*positions[:count], *names):
        try:
            part = attribute(m, value, name)
        except Thrown as thrown:
            if is_sub(thrown.error.cls, AttributeError):
                return None
            raise
        if part.__class__ is Act:
            raise Refused("a pattern of a class reads a property")
        found.append(part)
    return tuple(found)
