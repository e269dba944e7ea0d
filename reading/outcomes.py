"""The result of a program, as an outcome: values of the host, made here without running any of its code."""

from dataclasses import is_dataclass
from enum import Enum
from types import ModuleType
from typing import Any

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import Raised
from dpcert.mechanisms.exact.raised import told
from dpcert.reading.border import name_of
from dpcert.reading.domains.counts import is_count, series
from dpcert.reading.domains.noise import is_ideal
from dpcert.reading.domains.releases import released
from dpcert.reading.errors import Refused
from dpcert.reading.foreign import foreign
from dpcert.reading.imports import GENERATORS, is_error, takes_from, written_in_python
from dpcert.reading.numpy.kinds import SPARE
from dpcert.reading.tails.far import Series
from dpcert.reading.types_of import find, type_of
from dpcert.reading.values import (
    SCALARS,
    Class,
    Dict,
    Error,
    Instance,
    List,
    Mark,
    Named,
    Set,
    Undecided,
    Value,
    changed,
)


def outcome_of(m: Any) -> Any:
    """The outcome of a machine that has come to its end: what it returned, or `Raised`.

    Raises: Refused for what is no outcome, or is not known whole.
    """
    kind, value = m.result
    m.released = set()  # the draws of counts on which the outcome depends
    if any(each.state == "suspended" for each in m.guarded):
        raise Refused("a generator with a `finally` or `with` is thrown away before its end; close it by hand")
    if kind == "value":
        return outcome(m, value)
    if any(base in (SystemExit, KeyboardInterrupt, GeneratorExit) for base in value.cls.__mro__):
        raise Refused(f"the program ended with {name_of(value.cls)}, which is no outcome")
    return raised(m, value)


def outcome(m: Any, value: Value, depth: int = 0) -> Any:
    """A value of the machine as an outcome."""
    kind = value.__class__
    if kind in SCALARS:
        return value
    if depth > 100:
        raise Refused("an outcome is nested too deep")
    if is_count(value) and m.result[0] == "value":
        return series(value, m.released)
    if is_ideal(value):
        return released(value)
    if kind is Undecided:
        raise Refused("an exception escapes that holds an undecided number; write int(...) around the draw")
    if kind is tuple:
        return tuple([outcome(m, part, depth + 1) for part in value])
    if kind is List:
        return [outcome(m, part, depth + 1) for part in value.items]
    if kind is Dict and value.kind is dict:
        return {_key(m, key, depth): outcome(m, part, depth + 1) for key, part in value.pairs()}
    if kind is Set:
        found = [_key(m, part, depth) for part in value.items.values()]
        return frozenset(found) if value.frozen else set(found)
    if (other := foreign(value)) is not None:
        return other.outcome(m, value)
    return _of_class(m, value, depth)


def _key(m: Any, value: Value, depth: int) -> Any:
    """A key or an element, of a kind that the host hashes without running code of the program."""
    if value.__class__ in SCALARS or value.__class__ is tuple or (value.__class__ is Set and value.frozen):
        return outcome(m, value, depth + 1)
    if (
        isinstance(value, Enum)
        and takes_from(type(value), Enum, "__hash__")
        and takes_from(type(value), object, "__eq__")
    ):
        return outcome(m, value, depth + 1)
    raise Refused(f"a {name_of(type_of(value))} is a key of an outcome; use a number, a text or a tuple")


def _of_class(m: Any, value: Value, depth: int) -> Any:
    if isinstance(value, Enum) and not isinstance(value, Mark):
        _unchanged(m, value)
        if not all(part is type(value) or _is_fixed(part) for part in vars(value).values()):
            raise Refused(f"a member of {type(value).__name__} holds what can change; return its name")
        return value
    cls: Any = type_of(value)
    if type(cls) is Class:
        raise Refused(f"an outcome of the class {cls.name}, which the program makes; make the class before")
    if cls is Series:
        raise Refused("a Series is returned, which stands for many outcomes")
    if isinstance(value, Named):
        _unchanged(m, cls)
        return tuple.__new__(cls, [outcome(m, part, depth + 1) for part in value.items])
    if type(value) is Instance and hasattr(cls, "__dataclass_fields__"):
        _unchanged(m, cls)
        made: Any = object.__new__(cls)
        for name, part in value.items.items():
            object.__setattr__(made, name, outcome(m, part, depth + 1))
        return made
    raise Refused(f"a {name_of(cls)} is returned, which is no outcome; return numbers, texts, or tuples of them")


def _is_fixed(part: Any) -> bool:
    return type(part) in (*SCALARS, type) or (type(part) is tuple and all(map(_is_fixed, part)))


def _unchanged(m: Any, owner: Any) -> None:
    """Refuse a class, or a member of an enum, on which the program keeps something that the outcome would carry."""
    cls = owner if isinstance(owner, type) else type(owner)
    numbers = [m.pins.numbers[id(each)] for each in (owner, *cls.__mro__) if id(each) in m.pins.numbers]
    kept = [origin for origin, each in m.heap.imports.items() if changed(each)]
    if any(space in numbers for space, _ in m.over) or any(_is_below(m, origin, numbers) for origin in kept):
        raise Refused(f"an outcome of the class {cls.__name__}, which the program changed")


def _is_below(m: Any, row: int, numbers: list[int]) -> bool:
    """Whether the path of a row leads through one of some objects."""
    while row >= 0 and row not in numbers:
        row = m.pins.rows[row][0]
    return row >= 0


def raised(m: Any, value: Error) -> Raised:
    """An exception that escapes the program, as its reader sees it."""
    try:
        return told(_exception(m, value, 0), lambda part: part, None)
    except Unauditable as refusal:
        raise Refused(str(refusal)) from None


def _exception(m: Any, value: Error, depth: int) -> BaseException:
    """An exception of the host with the content of a record; no code of its class has run."""
    cls = value.cls
    if depth > 20:
        raise Refused("exceptions are chained more than 20 deep")
    if type(cls) is Class:
        raise Refused(f"an exception of the class {cls.name}, which the program makes, escapes; make the class before")
    _unchanged(m, cls)
    if not is_error(cls) or find(m, value, "__str__") or find(m, value, "__repr__"):
        raise Refused(f"a {name_of(cls)} escapes, which tells its text in its own way")
    made: BaseException = BaseException.__new__(cls)
    made.args = tuple([outcome(m, each, depth) for each in value.args])
    for name, part in value.items.items():
        made.__dict__[name] = outcome(m, part, depth)
    if any(name == "unsure" for name, _ in value.named):
        raise Refused("an AttributeError escapes from a property or __getattr__; CPython may add fields to it, or not")
    for name, part in value.named:
        object.__setattr__(made, name, _field(m, part, depth))
    if issubclass(cls, StopIteration):
        object.__setattr__(made, "value", made.args[0] if made.args else None)
    made.__context__ = None if value.context is None else _exception(m, value.context, depth + 1)
    made.__cause__ = None if value.cause is None else _exception(m, value.cause, depth + 1)
    made.__suppress_context__ = value.suppress
    return made


def _field(m: Any, part: Value, depth: int) -> Any:
    """A field that an exception keeps in C: an outcome, or a bare object, of which the class alone counts."""
    try:
        return outcome(m, part, depth)
    except Refused:
        cls = type_of(part)
        if cls is ModuleType:
            return ModuleType("")
        if type(part) is Instance and type(cls) is not Class and not is_dataclass(cls):
            if cls in GENERATORS or cls in SPARE:
                return SPARE[cls]() if cls in SPARE else cls.__new__(cls)
            if written_in_python(cls):
                return object.__new__(cls)
        raise
