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
from dpcert.reading.machine import DELIVER, instruction
from dpcert.reading.objects import attribute
from dpcert.reading.types_of import extent, find, is_class, is_exception, is_sub, lookup, mro_of, type_of
from dpcert.reading.values import (
    Cell,
    Class,
    Deque,
    Dict,
    Frame,
    Function,
    Instance,
    List,
    Named,
    Value,
    Wrapped,
)
from dpcert.reading.whitelist import rule


@instruction("make_function")
def _function(m: Any, f: Frame, flags: int) -> None:
    s = f.stack
    host = s.pop()
    function = Function(m.pins.code(host), f.space, host.co_name, host.co_qualname)
    for flag in (8, 4, 2, 1):
        if flags & flag:
            _set_part(function, flag, s.pop())
    s.append(function)


def _set_part(function: Function, flag: int, part: Value) -> None:
    if flag == 8:
        function.cells = part
    elif flag == 4:
        return  # annotations, which nothing followed asks for
    elif flag == 2:
        function.keyword_defaults = part
    elif flag == 1:
        function.defaults = part
    else:
        raise Refused("internal: a function has a part that is not known")


@instruction("set_function_attribute")
def _function_part(m: Any, f: Frame, flag: int) -> None:
    function = f.stack.pop()
    _set_part(function, flag, f.stack.pop())
    f.stack.append(function)


@instruction("load_build_class")
def _build_class(m: Any, f: Frame, arg: Any) -> None:
    f.stack.append(m.heap.take(builtins.__build_class__, m.pins.module("builtins"), "attribute", "__build_class__"))


def class_body(m: Any, function: Value, name: Value, *bases: Value, **keywords: Value) -> Act:
    """The frame of the body of a class."""
    if keywords:
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


@instruction("import_name")
def _import(m: Any, f: Frame, name: str) -> None:
    names, level = f.stack[-1], f.stack[-2]
    if level or name not in sys.modules:
        raise Refused("an import of a module that is not there before the program; import it at the top")
    module = sys.modules[name]
    found = module if names else sys.modules[name.split(".")[0]]
    del f.stack[-2:]
    f.stack.append(m.heap.take(found, -1, "module", found.__name__))


@instruction("import_from")
def _import_from(m: Any, f: Frame, name: str) -> Any:
    try:
        return m.give(f, 0, resolved(m, attribute(m, f.stack[-1], name)))
    except Thrown:
        raise Refused(f"{name} cannot be imported") from None


@instruction("refuse")
def _refuse(m: Any, f: Frame, name: str) -> None:
    raise Refused(f"the instruction {name} is not followed")


# -- match


@instruction("get_len")
def _get_len(m: Any, f: Frame, arg: Any) -> None:
    value = f.stack[-1]
    items = value.items if value.__class__ is Named else rows(value) or ()
    f.stack.append(extent(value) if value.__class__ is range else len(items))


@instruction("match_sequence")
def _match_sequence(m: Any, f: Frame, arg: Any) -> None:
    value = f.stack[-1]
    if isinstance(value, Instance):
        raise Refused("a pattern of a sequence is matched with an instance")
    f.stack.append(value.__class__ in (List, tuple, Deque, range, Named))


@instruction("match_mapping")
def _match_mapping(m: Any, f: Frame, arg: Any) -> None:
    value = f.stack[-1]
    if isinstance(value, Instance):
        raise Refused("a pattern of a mapping is matched with an instance")
    f.stack.append(value.__class__ is Dict)


@instruction("match_keys")
def _match_keys(m: Any, f: Frame, arg: Any) -> None:
    keys, owner = f.stack[-1], f.stack[-2]
    found = [owner.items.get(settle_key(m, key)[0]) for key in keys]
    if len({settle_key(m, key)[0] for key in keys}) < len(keys):
        raise Refused("a pattern of a mapping names a key twice")
    f.stack.append(None if any(pair is None for pair in found) else tuple([pair[1] for pair in found if pair]))


@instruction("match_class")
def _match_class(m: Any, f: Frame, count: int) -> None:
    value, cls, names = f.stack[-3:]
    found = None
    if not is_class(cls):
        raise Refused("a pattern of a class names what is no class")
    if is_sub(type_of(value), cls):
        whole = count == 1 and not names and any(cls is each for each in WHOLE)
        found = (value,) if whole else _matched(m, value, cls, names, count)
    del f.stack[-3:]
    f.stack.append(found)


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
