"""The type of every value, and which type is a subtype of which."""

from __future__ import annotations

import types
from abc import ABCMeta
from collections import deque
from enum import Enum, EnumType, IntEnum
from functools import partial
from typing import Any, Protocol

from dpcert.mechanisms.exact.coins import Coins
from dpcert.reading.domains.coins import kind_of
from dpcert.reading.errors import Refused, words
from dpcert.reading.imports import takes_from, written_in_python
from dpcert.reading.preludes import FILES
from dpcert.reading.values import (
    COINS,
    TRACEBACK,
    Bound,
    Class,
    Deque,
    Dict,
    Error,
    Function,
    Generator,
    Instance,
    Iter,
    List,
    Mark,
    Named,
    Partial,
    Record,
    Rule,
    Set,
    Slice,
    Super,
    Types,
    Undecided,
    Value,
    View,
    Wrapped,
)

ITERATORS: dict[str, type] = {
    "list": type(iter([])),
    "tuple": type(iter(())),
    "set": type(iter(set())),
    "backwards": reversed,
    "bytes": type(iter(b"")),
    "range": type(iter(range(1))),
    "reversed": type(reversed([])),
    "keys": type(iter({})),
    "values": type(iter({}.values())),
    "items": type(iter({}.items())),
    "keys reversed": type(reversed({})),
    "values reversed": type(reversed({}.values())),
    "items reversed": type(reversed({}.items())),
}
VIEWS: dict[str, type] = {"keys": type({}.keys()), "values": type({}.values()), "items": type({}.items())}
STANDARD = frozenset({"collections.abc", "numbers", "typing"})  # modules whose abstract classes are known
STANDS_FOR: dict[int, type] = {}  # the classes of the prelude, by id, and what they are to the program
FIXED: dict[type, Any] = {
    List: list,
    Function: types.FunctionType,
    Generator: types.GeneratorType,
    Class: type,
    Super: super,
    Slice: slice,
}


def type_of(value: Value) -> Value:
    """The type of a value, as `type(value)` gives it."""
    kind = value.__class__
    if kind is Instance or kind is Error or kind is Named:
        return STANDS_FOR.get(id(value.cls), value.cls)
    if not isinstance(value, Record):
        marks = {COINS: Coins, TRACEBACK: types.TracebackType}
        return marks[value] if kind is Mark else type(value)
    if isinstance(value, Function) and value.code.host.co_filename in FILES:
        raise Refused("the type of what a built-in function made is not followed")
    if kind in FIXED:
        return FIXED[kind]
    return _of_record(value)


def _of_record(value: Any) -> Value:
    match value:
        case Undecided():
            return kind_of(value)
        case Dict() | Wrapped():
            return value.kind
        case Set():
            return frozenset if value.frozen else set
        case Iter() if value.kind in ITERATORS:
            return ITERATORS[value.kind]
        case View():
            return VIEWS[value.kind]
        case Bound():
            function = type(value.function)
            return types.MethodType if function in (Function, types.FunctionType) else _of_method(value.function)
        case Deque() | Partial() | Types() | Rule() | Iter() | _:
            return _rarely(value)


def _of_method(found: Any) -> type:
    return types.MethodWrapperType if type(found) is types.WrapperDescriptorType else types.BuiltinFunctionType


def _rarely(value: Any) -> Value:
    if type(value) is Deque:
        return deque
    if type(value) is Partial:
        return partial
    if type(value) is Rule:
        return _of_method(getattr(type_of(value.owner), value.name, None))
    raise Refused(f"the type of a {type(value).__name__} is not followed")


def mro_of(cls: Value) -> tuple[Value, ...]:
    """The classes in which an attribute of a class is looked for, in order."""
    found: tuple[Value, ...] = cls.mro if type(cls) is Class else cls.__mro__
    return found


def is_class(value: Value) -> bool:
    """Whether a value is a class."""
    return type(value) is Class or (isinstance(value, type) and not isinstance(value, Record))


def is_sub(cls: Value, of: Value) -> bool:
    """Whether `issubclass(cls, of)`, by the order of classes, or by what the standard library knows of built-in types.

    Raises: Refused where the answer depends on code or on a registry.
    """
    if type(of) is tuple:
        return any(is_sub(cls, each) for each in of)
    if type(of) is Types:
        return any(is_sub(cls, type(None) if each is None else each) for each in of.args) if of.of is None else _no(of)
    if type(of) is type(Protocol) or (type(of) is ABCMeta and of.__module__ not in STANDARD and _hooked(of)):
        return _no(of)
    if any(base is of for base in mro_of(cls)):
        return True
    if type(of) is Class:
        return False
    if type(of) is type or isinstance(of, EnumType):
        return False
    return _by_registry(cls, of)


def _hooked(of: type) -> bool:
    """Whether an abstract class answers for its subclasses in its own way."""
    return any("__subclasshook__" in vars(base) for base in of.__mro__[:-1])


def _by_registry(cls: Value, of: Any) -> bool:
    """The answer of an abstract class of the standard library for a built-in type."""
    standard = type(of) is ABCMeta and of.__module__ in STANDARD
    if standard and type(cls) is type and not written_in_python(cls):
        return issubclass(cls, of)
    return _no(of)


def _no(of: Any) -> bool:
    raise Refused(f"isinstance of {getattr(of, '__name__', of)!r} is not followed; name a class")


def extent(value: range) -> int:
    """How many numbers a range has.

    Raises: Refused for numbers beyond 63 bits, of which CPython makes other iterators.
    """
    if not all(-1 << 62 < each < 1 << 62 for each in (value.start, value.stop, value.step)):
        raise Refused("a range of numbers beyond 62 bits is iterated over")
    return len(value)


def is_exception(cls: Value) -> bool:
    """Whether a value is a class of exceptions."""
    return is_class(cls) and any(base is BaseException for base in mro_of(cls))


def is_number_member(value: Value) -> bool:
    """Whether a value is a member of an enum that computes as the int that it is."""
    if not (isinstance(value, Enum) and isinstance(value, int)):
        return False
    return takes_from(type(value), int, *ARITHMETIC) and not any(hasattr(type(value), name) for name in IN_PLACE)


ARITHMETIC = tuple(name for name in vars(int) if name[:2] == "__" and getattr(IntEnum, name) is getattr(int, name))
IN_PLACE = tuple(
    f"__i{name}__" for name in words("add sub mul matmul truediv floordiv mod pow lshift rshift and xor or")
)
