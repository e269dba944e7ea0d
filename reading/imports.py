"""Import values of the host, from before the program, into the machine: whole, or not at all.

Scalars come as they are. Functions, classes, modules and members of enums come by reference, pinned. A value that can
change becomes a record with all its content, which remembers its origin.
"""

import functools
import random
import types
import typing
from abc import ABC, ABCMeta
from collections import Counter, OrderedDict, defaultdict, deque
from decimal import Decimal, DecimalTuple
from enum import Enum, EnumType
from fractions import Fraction
from typing import Any, Generic, Protocol

from dpcert.mechanisms.exact.coins import Coins
from dpcert.reading.errors import Refused
from dpcert.reading.foreign import foreign_import
from dpcert.reading.numpy import kinds
from dpcert.reading.pins import Pins
from dpcert.reading.values import (
    COINS,
    INEXACT,
    SCALARS,
    Bound,
    Cell,
    Deque,
    Dict,
    Error,
    Instance,
    List,
    Named,
    Partial,
    Record,
    Ref,
    Rule,
    Set,
    Slice,
    Value,
    frozen,
)

DICTS = (dict, Counter, OrderedDict, defaultdict)
BY_REFERENCE = frozenset(
    {
        types.FunctionType,
        types.ModuleType,
        types.CodeType,
        types.WrapperDescriptorType,
        types.MethodDescriptorType,
        types.ClassMethodDescriptorType,
        types.GetSetDescriptorType,
        types.MemberDescriptorType,
        type(vars(DecimalTuple)["sign"]),  # the getter of a field of a named tuple
        property,
        staticmethod,
        classmethod,
        functools.cached_property,
        kinds.METHOD,
        object,
    }
)
BARE = frozenset({object, ABC, Generic, Protocol})
GENERATORS = (random.Random, random.SystemRandom)  # the rules in `draws.py` know all that these do in C
_WARNS = getattr(typing, "_DeprecatedType", type)  # of typing.io, up to Python 3.12: it warns, and answers as type does
METACLASSES = frozenset({type, ABCMeta, EnumType, type(Protocol), _WARNS})  # classes of others may answer anything
OF_NAMED = frozenset(  # the special names that the class of a named tuple may have
    {"__new__", "__repr__", "__str__", "__format__", "__doc__", "__module__", "__slots__", "__match_args__"}
    | {"__getnewargs__", "__replace__", "__annotations__", "__annotate__", "__annotate_func__", "__orig_bases__"}
    | {"__firstlineno__", "__static_attributes__", "__parameters__", "__annotations_cache__"}
)
SIMPLE_ERRORS = frozenset(
    {BaseException, Exception, ArithmeticError, AssertionError, BufferError, EOFError, GeneratorExit, IndexError}
    | {KeyError, KeyboardInterrupt, LookupError, NotImplementedError, OverflowError, RecursionError, ReferenceError}
    | {RuntimeError, StopIteration, TypeError, ValueError, ZeroDivisionError, Warning, UserWarning, FloatingPointError}
    | {DeprecationWarning, RuntimeWarning, FutureWarning, StopAsyncIteration, MemoryError, SystemError}
)

FIELDED = frozenset({AttributeError, NameError, UnboundLocalError})  # these keep `name`, and `obj`, in C
KNOWN_ERRORS = SIMPLE_ERRORS | FIELDED
FIELDS_OF_ERRORS = frozenset({"args", "__cause__", "__context__", "__suppress_context__", "__traceback__"})


def check_scalar(value: Value) -> Value:
    """Return a scalar whose bits are its value.

    Raises: Refused for a NaN, which only its identity tells apart, and for a Fraction of other numbers than ints.
    """
    kind = value.__class__
    if value.is_nan() if kind is Decimal else kind in INEXACT and value != value:
        raise Refused("a NaN is not followed: containers ask which object it is; use None in its place")
    if kind is Fraction and not (type(value._numerator) is type(value._denominator) is int):
        raise Refused("a Fraction of other numbers than ints is not followed")
    return value


def written_in_python(cls: type) -> bool:
    """Whether a class and all its bases were made by class statements, and store nothing but a dict and slots."""
    return all(base in BARE or _is_plain(base) for base in cls.__mro__)


def _is_plain(cls: type) -> bool:
    if not cls.__flags__ & 1 << 9:  # Py_TPFLAGS_HEAPTYPE
        return False
    for name, member in vars(cls).items():
        kind = type(member)
        if kind in (types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType):
            if member.__objclass__ is cls:
                return False
        elif (kind is types.BuiltinFunctionType and member.__self__ is cls) or (
            kind is types.GetSetDescriptorType and name not in ("__dict__", "__weakref__")
        ):
            return False
    return True


def pure(cls: type) -> bool:
    """Whether a class is made of Python's functions, whatever its bases are."""
    return bool(cls.__flags__ & 1 << 9) and any(type(member) is types.FunctionType for member in vars(cls).values())


def is_error(cls: Any) -> bool:
    """Whether a class of the host is one of exceptions that keep only arguments and known fields in C."""
    if not (
        isinstance(cls, type) and issubclass(cls, BaseException) and takes_from(cls, BaseException, *FIELDS_OF_ERRORS)
    ):
        return False
    return all(base in BARE or base in KNOWN_ERRORS or _is_plain(base) for base in cls.__mro__)


def is_named_tuple(cls: type) -> bool:
    """Whether a class is a named tuple that behaves as its tuple, except for its texts."""
    named = issubclass(cls, tuple) and type(getattr(cls, "_fields", 0)) is tuple and not cls.__dictoffset__
    own = (name for base in cls.__mro__ if base not in (tuple, object) for name in vars(base))
    return named and all(name[:2] != "__" or name in OF_NAMED for name in own)


class Importer:
    """Imports values of the host into one state of the machine; `imports` are the records by their origin."""

    def __init__(self, pins: Pins) -> None:
        self.pins = pins
        self.imports: dict[int, Record] = {}
        self.owned = False

    def take(self, value: Any, parent: int, step: str, name: Any = None) -> Value:
        """Return a value of the host, reached from row `parent` by a step, as a value of the machine.

        Raises: Refused for a value that is not known whole.
        """
        kind = type(value)
        if kind in SCALARS:
            return check_scalar(value)
        if (other := foreign_import(kind)) is not None:
            return other.take(self, value, parent, step, name)
        if isinstance(value, type) and type(value) not in METACLASSES:
            raise Refused(f"{value.__name__} has a metaclass of its own, which may act; use a plain class")
        if kind in BY_REFERENCE or isinstance(value, (type, Enum)):
            self.pins.pin(value, parent, step, name)
            return value
        if isinstance(value, Coins):
            return COINS
        if kind is types.BuiltinFunctionType:
            return self._builtin(value, parent, step, name)
        if kind is tuple:
            number = self.pins.pin(value, parent, step, name)
            return tuple([self.take(part, number, "item", place) for place, part in enumerate(value)])
        return self._record(value, kind, parent, step, name)

    def own(self, value: Any) -> Value:
        """Return the program's input as values of the machine: its own, with no origin."""
        self.owned = True
        try:
            return self.take(value, -1, "input")
        finally:
            self.owned = False

    def again(self, origin: int) -> Any:
        """Return the record of an origin, as it was imported or as it is now."""
        known = self.imports.get(origin)
        if known is None:
            taken = self.take(self.pins.objects[origin], *self.pins.rows[origin])
            return self.imports.get(origin, taken)
        return known

    def _builtin(self, value: Any, parent: int, step: str, name: Any) -> Value:
        owner = value.__self__
        if owner is None or isinstance(owner, (types.ModuleType, type)):
            self.pins.pin(value, parent, step, name)
            return value
        number = self.pins.pin(value, parent, step, name)
        taken = self.take(owner, number, "owner")
        if type(owner) in (*GENERATORS, *kinds.GENERATORS):
            return Bound(getattr(type(owner), value.__name__), taken)
        return Rule(value.__name__, taken)

    def _record(self, value: Any, kind: type, parent: int, step: str, name: Any) -> Value:
        number = self.pins.pin(value, parent, step, name)
        known = self.imports.get(number)
        if known is not None:
            return known
        origin = None if self.owned else number
        record = self._empty(value, kind, number, origin)
        if origin is not None and getattr(record, "origin", None) is not None:
            self.imports[origin] = record
        content = None if record.origin is None else self.pins.contents.get(number)
        if content is not None:
            record.items = content
            return record
        self._fill(record, value, number)
        if record.origin is not None:
            record.items = frozen(record.items)
            if type(record) is not Error and _holds_no_record(record.items):
                self.pins.contents[number] = record.items
        return record

    def _empty(self, value: Any, kind: type, number: int, origin: int | None) -> Any:
        if kind is list:
            return List([], origin)
        if kind is deque:
            return Deque([], value.maxlen, origin)
        if kind in DICTS:
            factory = (
                self.take(value.default_factory, number, "attribute", "default_factory")
                if kind is defaultdict
                else None
            )
            return Dict({}, self.pins.builtin(kind), factory, origin)
        if kind is set or kind is frozenset:
            return Set({}, kind is frozenset, origin if kind is set else None)
        if kind is types.CellType:
            return Cell(origin=origin)
        if kind is types.MethodType:
            return Bound(None, None)
        if kind is functools.partial:
            return Partial(None, (), {})
        if kind is slice:
            return Slice(None, None)
        return self._instance(value, kind, number, origin)

    def _instance(self, value: Any, kind: type, number: int, origin: int | None) -> Any:
        refuse_library(kind.__module__, getattr(value, "__name__", kind.__name__))
        if is_named_tuple(kind):
            return Named(self.take(kind, number, "type"), ())
        if kind is types.SimpleNamespace or kind in (*GENERATORS, *kinds.GENERATORS) or written_in_python(kind):
            if hasattr(kind, "__del__"):
                raise Refused(f"{kind.__name__} has __del__, which runs when nobody sees it; close it by hand")
            return Instance(self.take(kind, number, "type"), {}, origin)
        if (
            is_error(kind)
            and not FIELDED.union({StopIteration}).intersection(kind.__mro__)
            and value.__cause__ is value.__context__ is None
            and not value.__suppress_context__
        ):
            return Error(self.take(kind, number, "type"), (), origin)
        raise Refused(
            f"a {kind.__module__}.{kind.__name__} that was there before is not followed; make it in the program"
        )

    def _fill(self, record: Any, value: Any, number: int) -> None:
        match record:
            case List() | Deque():
                record.items = [self.take(part, number, "item", place) for place, part in enumerate(value)]
            case Named():
                record.items = tuple([self.take(part, number, "item", place) for place, part in enumerate(value)])
            case Dict():
                record.items = self._pairs(value, number)
            case Set():
                parts = [self.take(part, number, "key", place) for place, part in enumerate(value)]
                record.items = {key_of(part): part for part in parts}
            case Cell():
                record.items = [self.take(value.cell_contents, number, "content")] if value != types.CellType() else []
            case Error():
                record.args = tuple([self.take(each, number, "attribute", "args") for each in value.args])
                record.items = self._attributes(value, number)
            case Instance():
                record.items = self._attributes(value, number)
            case _:
                self._fill_call(record, value, number)

    def _fill_call(self, record: Any, value: Any, number: int) -> None:
        match record:
            case Bound():
                record.function = self.take(value.__func__, number, "function")
                record.owner = self.take(value.__self__, number, "owner")
            case Partial():
                if vars(value):
                    raise Refused("a partial with attributes is not followed")
                record.function = self.take(value.func, number, "attribute", "func")
                record.args = self.take(value.args, number, "attribute", "args")
                pin = self.pins.pin(value.keywords, number, "attribute", "keywords")
                record.keywords = {key: self.take(part, pin, "item", key) for key, part in value.keywords.items()}
            case Slice():
                record.start, record.stop, record.step = (
                    self.take(getattr(value, name), number, "attribute", name) for name in ("start", "stop", "step")
                )

    def _pairs(self, value: Any, number: int) -> dict[Any, tuple[Value, Value]]:
        found: dict[Any, tuple[Value, Value]] = {}
        for place, (key, part) in enumerate([*dict.items(value)]):
            taken = self.take(key, number, "key", place)
            found[key_of(taken)] = (taken, self.take(part, number, "value", place))
        if len(found) != len(value):  # as `sys.modules`, where reading a part imports more
            raise Refused("a dict from before changes while it is read")
        return found

    def _attributes(self, value: Any, number: int) -> dict[str, Value]:
        """The attributes that an instance stores, in its dict and in slots."""
        stored: dict[str, Any] = getattr(value, "__dict__", {})
        found = {}
        for name in stored:
            pin = self.pins.pin(stored, number, "namespace")
            found[name] = self.take(stored[name], pin, "item", name)
        for base in type(value).__mro__:
            for name, member in vars(base).items():
                if type(member) is types.MemberDescriptorType and base not in KNOWN_ERRORS:
                    try:
                        part = member.__get__(value)
                    except AttributeError:
                        continue
                    if name in stored:
                        raise Refused(f"a {type(value).__name__} stores {name} twice, in a slot and beside it")
                    found[name] = self.take(part, number, "slot", name)
        return found


def refuse_library(module: str | None, name: str) -> None:
    """Refuse a part of a library of which nothing is followed, by name and with a remedy."""
    library = str(module).partition(".")[0]
    if library in LIBRARIES:
        raise Refused(LIBRARIES[library].format(name.removesuffix(".__init__").removesuffix(".__new__")))


LIBRARIES = {
    "numba": "{} is compiled by numba, which is not followed; audit it without the decorator",
    "pandas": "{} of pandas is not followed; take .to_numpy() outside of the program, and hand it arrays",
}


def _holds_no_record(value: Value) -> bool:
    """Whether states may share an object's content from before the program: nothing in it can change."""
    if type(value) is types.MappingProxyType:
        return all(map(_holds_no_record, value.values()))
    return all(map(_holds_no_record, value)) if type(value) is tuple else not isinstance(value, Record)


def key_of(value: Value) -> Any:
    """The name of a value as a key: two names are equal, and hash alike, iff CPython takes the values for one key.

    Claims: only exact built-in scalars are compared by value; all else is compared by identity.
    Raises: Refused for a value that the program, or a class of the host, compares in its own way.
    """
    kind = value.__class__
    if kind in SCALARS:
        return value
    if kind is tuple:
        return tuple([key_of(part) for part in value])
    if kind is Named:
        return tuple([key_of(part) for part in value.items])
    if kind is Set and value.frozen:
        return frozenset(value.items)
    if isinstance(value, Instance) and isinstance(getattr(value, "cls", None), type):  # while it is made, it has none
        if not takes_from(value.cls, object, "__eq__", "__hash__"):
            raise Refused("an instance that is compared in its own way is a key; use a tuple of its fields")
        return Ref(value)
    if isinstance(value, Enum):
        return _member_key(value)
    return Ref(value)


def takes_from(cls: Any, base: Any, *names: str) -> bool:
    """Whether a class has special methods from a base, unchanged."""
    return all(getattr(cls, name) is getattr(base, name) for name in names)


def _member_key(value: Any) -> Any:
    kind = type(value)
    if isinstance(value, int) and takes_from(kind, int, "__eq__", "__hash__"):
        return int.__int__(value)
    if isinstance(value, str) and takes_from(kind, str, "__eq__", "__hash__"):
        return str.__str__(value)
    if takes_from(kind, object, "__eq__") and takes_from(kind, Enum, "__hash__"):
        return Ref(value)
    raise Refused(f"{kind.__name__} is compared in its own way; use its value as a key")
