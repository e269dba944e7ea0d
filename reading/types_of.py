"""The type of every value, which type is a subtype of which, and what classes and modules hold under a name."""

import types
from abc import ABCMeta
from collections import OrderedDict, deque
from enum import Enum, EnumType, IntEnum
from functools import partial
from typing import Any, Protocol

from dpcert.mechanisms.exact.coins import Coins
from dpcert.reading.domains.coins import kind_of
from dpcert.reading.errors import Refused, words
from dpcert.reading.foreign import foreign
from dpcert.reading.imports import BY_REFERENCE, takes_from, written_in_python
from dpcert.reading.numpy import kinds
from dpcert.reading.preludes import FILES
from dpcert.reading.values import (
    COINS,
    DELETED,
    MISSING,
    TRACEBACK,
    UNSET,
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
    "foreign reversed": reversed,
    "keys": type(iter({})),
    "values": type(iter({}.values())),
    "items": type(iter({}.items())),
    "keys reversed": type(reversed({})),
    "values reversed": type(reversed({}.values())),
    "items reversed": type(reversed({}.items())),
}
STANDARD = frozenset({"collections.abc", "numbers", "typing"})  # modules whose abstract classes are known
STANDS_FOR: dict[int, type] = {}  # the classes of the prelude, by id, and what they are to the program
METHODS = (Function, types.FunctionType, *(() if kinds.METHOD is types.MethodDescriptorType else (kinds.METHOD,)))


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
    found = KINDS.get(kind)
    if found is not None:
        return found if isinstance(found, type) else found(value)
    if (other := foreign(value)) is not None:
        return other.type_of(value)
    raise Refused(f"the type of a {kind.__name__} is not followed")


def _of_method(found: Any) -> type:
    return types.MethodWrapperType if type(found) is types.WrapperDescriptorType else types.BuiltinFunctionType


def _of_iterator(value: Iter) -> type:
    if value.kind not in ITERATORS or getattr(value.source, "kind", None) is OrderedDict:
        raise Refused("the type of an iterator is not followed")
    return ITERATORS[value.kind]


KINDS: dict[type, Any] = {  # the type, or a function that gives it
    List: list,
    Deque: deque,
    Partial: partial,
    Super: super,
    Slice: slice,
    Class: type,
    Function: types.FunctionType,
    Generator: types.GeneratorType,
    Undecided: kind_of,
    Dict: lambda value: value.kind,
    Wrapped: lambda value: value.kind,
    Set: lambda value: frozenset if value.frozen else set,
    Iter: _of_iterator,
    View: lambda value: type(getattr(value.source.kind(), value.kind)()),
    Bound: lambda value: types.MethodType if type(value.function) in METHODS else _of_method(value.function),
    Rule: lambda value: _of_method(getattr(type_of(value.owner), value.name, None)),
}


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
    foreign_abc = type(of) is ABCMeta and of.__module__ not in STANDARD
    hooked = foreign_abc and any("__subclasshook__" in vars(base) for base in of.__mro__[:-1])
    if hooked or type(of) is type(Protocol):  # it answers for its subclasses in its own way
        return _no(of)
    if any(base is of for base in mro_of(cls)):
        return True
    if type(of) in (Class, type) or isinstance(of, EnumType):
        return False
    standard = type(of) is ABCMeta and of.__module__ in STANDARD
    if standard and type(cls) is type and not written_in_python(cls):
        return issubclass(cls, of)  # by the registry, where no class of a program is
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


def read_space(m: Any, number: int, name: str) -> Value:
    """The value of a name in a namespace of the host, as the program left it; MISSING if there is none."""
    return _as_left(m, number, name, m.pins.objects[number], "item")


def _as_left(m: Any, number: int, name: str, stored: Any, step: str) -> Value:
    # an assignment of the program is in the overlay alone: the host's own namespace is never written to
    found = m.over.get((number, name), MISSING) if m.over else MISSING
    if found is not MISSING:
        return MISSING if found is DELETED else found
    return m.heap.take(stored[name], number, step, name) if name in stored else MISSING


def space_of(m: Any, owner: Any) -> int:
    """The pin of the dict of a module or class of the host."""
    return int(m.pins.pin(vars(owner) if type(owner) is types.ModuleType else owner, m.pins.number(owner), "namespace"))


def own_attribute(m: Any, cls: Value, name: str) -> Value:
    """What a class itself holds under a name, or MISSING."""
    if type(cls) is Class:
        return cls.items.get(name, MISSING)
    return _as_left(m, m.pins.number(cls), name, vars(cls), "static")


def lookup(m: Any, cls: Value, name: str, after: Value = None) -> Value:
    """What the first class in the order of a class holds under a name, or MISSING; only behind `after` if given."""
    if after is not None or m.over or type(cls) is Class:
        return _looked_up(m, cls, name, after)
    number = m.pins.number(cls)
    found = m.pins.known.get((number, name), UNSET)
    if found is UNSET:
        found = _looked_up(m, cls, name, after)
        if found is MISSING or found.__class__ in BY_REFERENCE:
            m.pins.known[number, name] = found
    return found


def _looked_up(m: Any, cls: Value, name: str, after: Value) -> Value:
    skipping = after is not None
    for base in mro_of(cls):
        if skipping:
            skipping = base is not after
            continue
        found = own_attribute(m, base, name)
        if found is not MISSING:
            return found
    return MISSING


def find(m: Any, value: Value, name: str) -> Value:
    """The function of the program that a value's class has under a special name, or None: the host's do not count."""
    cls = value.cls if isinstance(value, Instance) else type_of(value)
    for base in mro_of(cls):
        if type(base) is Class or m.pins.is_python(base):
            found = own_attribute(m, base, name)
            if found is not MISSING:
                return _special(found, name)
    return None


def is_iterable(m: Any, value: Value) -> bool:
    """Whether a value that is no container can be iterated over: an iterator, or an instance that says how."""
    if isinstance(value, Instance):
        return any(find(m, value, name) is not None for name in ("__iter__", "__getitem__"))
    return value.__class__ in (Generator, Iter)


def _special(found: Value, name: str) -> Value:
    """A special method, which is looked up on the class and called with the instance.

    Raises: Refused for one that is no plain function, as a static method or None; only `__hash__` may be None.
    """
    if type(found) in (Function, types.FunctionType) or (found is None and name == "__hash__"):
        return found
    raise Refused(f"{name} that is no plain function is not followed")
