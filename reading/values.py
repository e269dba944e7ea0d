"""The values of a running program: scalars, tuples, pinned objects of the host, and the records of this file.

A scalar is an immutable value of an exact built-in type, or of one of numpy's. A host tuple holds machine values.
Everything else that a program makes is a record. No record is a host container, so that host code never gets one.

A record holds its slots and nothing else; `keys.py` writes all of them, in their order. A mutable record keeps its
changeable content in `items`. A record imported from the host has an `origin`; its `items` are a tuple or a read-only
mapping until its first change. `keys.py` writes the content of an imported record only if it was changed.
"""

from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar

from dpcert.reading.errors import Refused
from dpcert.reading.numpy import kinds

Value = Any
NOTHING_IMPLEMENTED = type(NotImplemented)
SCALARS = kinds.SCALARS.union(
    {int, float, bool, str, bytes, complex, type(None), Fraction, Decimal, range, type(...), NOTHING_IMPLEMENTED}
)
NUMBERS = kinds.NUMBERS.union({int, float, bool, Fraction, Decimal, complex})
INEXACT = kinds.FLOATS | kinds.COMPLEX | {float, complex}


class Mark(Enum):
    """A mark that stands in the place of a value."""

    UNSET = 0
    NULL = 1
    DELETED = 2
    MISSING = 3
    COINS = 4
    TRACEBACK = 5


UNSET, NULL, DELETED, MISSING, COINS, TRACEBACK = Mark


class Record:
    """One object of the program; two records are the same object iff they are the same record."""

    __slots__: tuple[str, ...] = ("origin",)
    transient: ClassVar[tuple[str, ...]] = ()
    origin: int | None

    def __eq__(self, other: object) -> bool:
        raise Refused(f"internal: a {type(self).__name__} was compared by the host")

    def __hash__(self) -> int:
        raise Refused(f"internal: a {type(self).__name__} was hashed by the host")


class Ref:
    """A key of a host dict that stands for one object: equal for the same object alone."""

    __slots__ = ("target",)

    def __init__(self, target: Any) -> None:
        self.target = target

    def __eq__(self, other: object) -> bool:
        return type(other) is Ref and other.target is self.target

    def __hash__(self) -> int:
        return id(self.target)


class _Listed(Record):
    """A record whose content is a row of values."""

    __slots__ = ("items",)
    items: Any

    def edit(self) -> list[Value]:
        """The content, to be changed."""
        if type(self.items) is not list:
            self.items = list(self.items)
        return self.items


class _Mapped(Record):
    """A record whose content is a mapping."""

    __slots__ = ("items",)
    items: Any

    def edit(self) -> dict[Any, Value]:
        """The content, to be changed."""
        if type(self.items) is not dict:
            self.items = dict(self.items)
        return self.items


class List(_Listed):
    """A list."""

    __slots__ = ()

    def __init__(self, items: Any, origin: int | None = None) -> None:
        self.items, self.origin = items, origin


class Deque(_Listed):
    """A deque; `changes` counts the changes that make an iterator over it fail."""

    __slots__ = ("changes", "limit")
    transient = ("changes",)

    def __init__(self, items: Any, limit: int | None, origin: int | None = None) -> None:
        self.items, self.limit, self.origin, self.changes = items, limit, origin, 0


class Cell(_Listed):
    """A variable that functions share: one value, or none."""

    __slots__ = ()

    def __init__(self, *items: Value, origin: int | None = None) -> None:
        self.items, self.origin = list(items), origin


class Dict(_Mapped):
    """A dict, or a subclass of the standard library: pairs of key and value by `key_of(key)`, in order.

    `changes` counts how often keys were added or removed, for iterators over it.
    """

    __slots__ = ("changes", "factory", "kind", "ordered")
    transient = ("changes", "ordered")

    def __init__(self, items: Any, kind: Any = dict, factory: Value = None, origin: int | None = None) -> None:
        self.items, self.kind, self.factory, self.origin = items, kind, factory, origin
        self.changes = 0
        self.ordered: Any = None

    def order(self) -> list[Any]:
        """The keys, by their `key_of`, in order: kept until one is added or removed."""
        if not self.ordered or self.ordered[0] != self.changes:
            self.ordered = (self.changes, list(self.items))
        names: list[Any] = self.ordered[1]
        return names

    def pairs(self) -> list[tuple[Value, Value]]:
        """Keys and values, in order."""
        return list(self.items.values())

    def put(self, name: Any, key: Value, value: Value) -> None:
        """Set the value of a key whose `key_of` is `name`; the first key of equal ones stays."""
        items = self.edit()
        known = items.get(name)
        if known is None:
            self.changes += 1
            items[name] = (key, value)
        else:
            items[name] = (known[0], value)

    def remove(self, name: Any) -> tuple[Value, Value]:
        """Remove a key by its `key_of`, and return the pair."""
        self.changes += 1
        pair: tuple[Value, Value] = self.edit().pop(name)
        return pair


class Set(_Mapped):
    """A set or a frozenset: elements by `key_of(element)`. No program sees their order.

    `changes` counts how often it may have been changed, for iterators over it.
    """

    __slots__ = ("changes", "frozen")
    transient = ("changes",)

    def __init__(self, items: Any, frozen: bool = False, origin: int | None = None) -> None:
        self.items, self.frozen, self.origin, self.changes = items, frozen, origin, 0

    def edit(self) -> dict[Any, Value]:
        """The content, to be changed."""
        self.changes += 1
        return super().edit()


class Instance(_Mapped):
    """An instance of a class that the user wrote; `items` are its attributes."""

    __slots__ = ("cls",)

    def __init__(self, cls: Value, items: Any, origin: int | None = None) -> None:
        self.cls, self.items, self.origin = cls, items, origin


class Error(Instance):
    """An exception: its arguments, attributes, cause and context."""

    __slots__ = ("args", "cause", "context", "named", "suppress")

    def __init__(self, cls: Value, args: tuple[Value, ...], origin: int | None = None) -> None:
        super().__init__(cls, {}, origin)
        self.args, self.suppress = args, False
        self.cause: Any = None
        self.context: Any = None
        self.named: tuple[tuple[str, Value], ...] = ()


class Named(Record):
    """An instance of a named tuple."""

    __slots__ = ("cls", "items")

    def __init__(self, cls: Value, items: tuple[Value, ...], origin: int | None = None) -> None:
        self.cls, self.items, self.origin = cls, items, origin


class Function(_Mapped):
    """A function that the program made; `items` are its attributes, `space` is the pin of its globals."""

    __slots__ = ("cells", "code", "defaults", "keyword_defaults", "name", "qualname", "space")

    def __init__(self, code: Any, space: int, name: str, qualname: str) -> None:
        self.code, self.space, self.name, self.qualname = code, space, name, qualname
        self.cells: tuple[Cell, ...] = ()
        self.defaults: tuple[Value, ...] | None = None
        self.keyword_defaults: Value = None
        self.items, self.origin = {}, None


class Class(_Mapped):
    """A class that the program made; `items` are its attributes."""

    __slots__ = ("bases", "mro", "name", "qualname")

    def __init__(self, name: str, qualname: str, bases: tuple[Value, ...], items: dict[str, Value]) -> None:
        self.name, self.qualname, self.bases, self.items, self.origin = name, qualname, bases, items, None
        self.mro: tuple[Value, ...] = (self,)


class Bound(Record):
    """A function and the first argument that it is called with."""

    __slots__ = ("function", "owner")

    def __init__(self, function: Value, owner: Value) -> None:
        self.function, self.owner, self.origin = function, owner, None


class Rule(Record):
    """A method of a built-in type: its name in the table of that type, and the value that owns it."""

    __slots__ = ("name", "owner")

    def __init__(self, name: str, owner: Value) -> None:
        self.name, self.owner, self.origin = name, owner, None


class Wrapped(Record):
    """A property, static method or class method that the program made."""

    __slots__ = ("kind", "parts")

    def __init__(self, kind: Any, parts: tuple[Value, ...]) -> None:
        self.kind, self.parts, self.origin = kind, parts, None


class Partial(Record):
    """An object of `functools.partial`."""

    __slots__ = ("args", "function", "keywords")

    def __init__(self, function: Value, args: tuple[Value, ...], keywords: dict[str, Value]) -> None:
        self.function, self.args, self.keywords, self.origin = function, args, keywords, None


class Super(Record):
    """An object of `super()`."""

    __slots__ = ("cls", "owner", "start")

    def __init__(self, start: Value, owner: Value, cls: Value) -> None:
        self.start, self.owner, self.cls, self.origin = start, owner, cls, None


class Slice(Record):
    """A slice."""

    __slots__ = ("start", "step", "stop")

    def __init__(self, start: Value, stop: Value, step: Value = None) -> None:
        self.start, self.stop, self.step, self.origin = start, stop, step, None


class View(Record):
    """The keys, values or items of a dict."""

    __slots__ = ("kind", "source")

    def __init__(self, source: Dict, kind: str) -> None:
        self.source, self.kind, self.origin = source, kind, None


class Types(Record):
    """A union of types, or a type with arguments, as in annotations."""

    __slots__ = ("args", "of")

    def __init__(self, of: Value, args: tuple[Value, ...]) -> None:
        self.of, self.args, self.origin = of, args, None


class Iter(Record):
    """An iterator over a sequence, a range or a dict: its place, and how many there are; a place below 0 is the end.

    Over a dict or a deque, `changes` is the source's count when the iterator was made.
    """

    __slots__ = ("changes", "count", "kind", "place", "source")
    transient = ("changes",)

    def __init__(self, kind: str, source: Value, place: int = 0, count: int = 0) -> None:
        self.kind, self.source, self.place, self.count, self.origin = kind, source, place, count, None
        self.changes = getattr(source, "changes", 0)


class Draw(Record):
    """An undecided integer, uniform on [lo, hi); of the kind "float" it stands for itself times 2^-53.

    A draw of the kind "count" is geometric; `domains/counts.py` says what its `lo` and `hi` mean.
    """

    __slots__ = ("hi", "kind", "lo")

    def __init__(self, lo: Any, hi: Any, kind: str) -> None:
        self.lo, self.hi, self.kind, self.origin = lo, hi, kind, None


class World(Draw):
    """The ideal noise of a run, of which undecided numbers are made; `known` is its knowledge from the way so far."""

    __slots__ = ("known",)
    transient = ("known",)

    def __init__(self, known: Any) -> None:
        super().__init__(0, 0, "ideal")
        self.known = known


class Undecided(Record):
    """A number that a draw decides: the draw after a chain of monotone steps."""

    __slots__ = ("chain", "draw")

    def __init__(self, draw: Draw, chain: tuple[tuple[str, Value], ...] = ()) -> None:
        self.draw, self.chain, self.origin = draw, chain, None


class Generator(Record):
    """A generator: its frame, and whether it is "new", "suspended", "running" or "done"."""

    __slots__ = ("frame", "name", "state")

    def __init__(self, frame: Any, name: str) -> None:
        self.frame, self.state, self.name, self.origin = frame, "new", name, None


class Frame(Record):
    """A function in progress.

    `after` says how its returned value is used; `error` is the exception that it handles, `names` the namespace of a
    class body.
    """

    __slots__ = ("after", "code", "error", "generator", "locals", "names", "place", "space", "stack")

    def __init__(self, code: Any, space: int, slots: list[Value]) -> None:
        self.code, self.space, self.locals, self.origin = code, space, slots, None
        self.place = 0
        self.after: Any = None
        self.generator: Any = None
        self.error: Any = None
        self.names: Any = None
        self.stack: list[Value] = []


RECORDS: tuple[type[Record], ...] = (
    *(List, Deque, Cell, Dict, Set, Instance, Error, Named, Function, Class, Bound, Rule, Wrapped, Partial, Super),
    *(Slice, View, Types, Iter, Draw, World, Undecided, Generator, Frame),
)


def frozen(items: Any) -> Any:
    """The same content, read-only."""
    return MappingProxyType(items) if type(items) is dict else tuple(items)


def changed(record: Any) -> bool:
    """Whether an imported record has changed; an exception counts as changed, since raising it changes it."""
    return type(record.items) in (list, dict) or type(record) is Error or getattr(record, "written", False)
