"""Whole states as keys, and back: all that frames and values reach, frozen jointly with its aliases.

A key is a flat tuple, and `thaw` makes the state anew from the key alone; what a key leaves out cannot reach what
follows. Values are taken by exact type. What was there before the program ran (functions, classes, modules, objects
that globals reach) is kept by reference, and `world.py` holds that it does not change. Anything unknown is refused.
"""

from __future__ import annotations

import gc
import itertools
import math
import operator
import sys
import types
import warnings
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any, Protocol

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.floats import plain_random
from dpcert.mechanisms.exact.lazy import Lazy
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.reenter import Points
from dpcert.mechanisms.states.runtime import CELLS, INFOS, NOW, PRIME, UNSET, blank

MEMBER = frozenset({"_value_", "_name_", "__objclass__", "_sort_order_"})  # of a member of an enum
MAX_TOKENS = 100_000
MAX_DEPTH = 100
ATOMS = frozenset({int, str, bytes, type(None)})
"""Types whose values stand for themselves in a key: a truth value or a float that equals one has a token before it."""
SINGLES = frozenset({id(Ellipsis), id(NotImplemented), id(UNSET)})
ITERATORS: frozenset[type] = frozenset(
    [
        *(type(iter(each)) for each in ([], (), "", "é", b"", range(1), range(1 << 70))),
        type(reversed([])),
        *(reversed, enumerate, zip, map, filter),
        *(itertools.chain, itertools.repeat, itertools.count, itertools.islice, itertools.product),
    ]
)
OF_DICTS: dict[type, str] = {
    type(iter({}.keys())): "keys",
    type(iter({}.values())): "values",
    type(iter({}.items())): "items",
    type(iter(set())): "set",
}
VIEWS: dict[type, str] = {type({}.keys()): "keys", type({}.values()): "values", type({}.items()): "items"}


class World(Protocol):
    """What was there before the program ran."""

    def holds(self, value: Any) -> bool:
        """Whether an object was reachable then, and is watched."""
        ...

    def constant(self, value: Any) -> bool:
        """Whether a function, class or module is kept by reference."""
        ...


class Freezer:
    """One joint freeze: `tokens` tell all that was visited, `nodes` the undecided draws in order of discovery."""

    def __init__(self, world: World, coins: Coins) -> None:
        self.world = world
        self.coins = coins
        self.tokens: list[Any] = []
        self.numbers: dict[int, int] = {}
        self.alive: list[Any] = []
        self.nodes: list[Node] = []
        self.running: set[int] = set()  # the addresses of generators on the stack
        self.cells: dict[int, bool] = {}  # variables of frames by address; whether they may be assigned to again
        self.shared: list[tuple[int, bool]] = []  # variables of functions by address; whether they have no value
        self.depth = 0

    def seen(self, value: Any) -> bool:
        """Whether an object was met before; it is numbered, and its number is added."""
        number = self.numbers.setdefault(id(value), len(self.alive))
        if number == len(self.alive):
            self.alive.append(value)
            return False
        self.tokens += (AGAIN, number)
        return True

    def add(self, value: Any) -> None:
        """Add all that is reachable from a value.

        Raises: NotRead for what is not known, or too much.
        """
        kind = type(value)
        if kind in ATOMS:
            self.tokens.append(value)
            return
        if len(self.tokens) > MAX_TOKENS or self.depth > MAX_DEPTH:
            raise NotRead("a state reaches too much")
        self.depth += 1
        how = FREEZE.get(kind)
        if how is not None:
            how(self, value)
        elif value is self.coins:
            self.tokens.append(COINS)
            self.add(vars(value).get("gauss_next"))
        else:
            self._other(value, kind)
        self.depth -= 1

    def _other(self, value: Any, kind: type) -> None:
        if issubclass(kind, Lazy):
            self._lazy(value, kind)
        elif kind is object or id(value) in SINGLES or self.world.holds(value):
            self.tokens += (REF, _Ref(value))
        elif isinstance(value, Enum):
            if not MEMBER.issuperset(vars(value)):
                raise NotRead(f"a member of {kind.__qualname__} keeps attributes")
            self.refer(kind)
            self.tokens[-1] = _Ref(value)
        elif kind in ITERATORS:
            self._iterator(value, kind)
        elif kind in OF_DICTS:
            self._of_dict(value, OF_DICTS[kind])
        elif kind in VIEWS:
            self.tokens += (VIEW, VIEWS[kind])
            self.add(_owner(value))
        elif isinstance(value, (type, types.ModuleType)):
            self.refer(value)
        elif kind.__module__ == "numpy":
            self._numpy(value, kind)
        elif isinstance(value, tuple):
            self._named(value, kind)
        else:
            self._instance(value, kind)

    def refer(self, value: Any) -> None:
        """Add an object that is kept by reference."""
        if not self.world.constant(value):
            raise NotRead(f"{getattr(value, '__qualname__', value)!r} is made while the program runs")
        self.tokens += (REF, _Ref(value))

    def parts(self, values: Iterable[Any]) -> None:
        for value in values:
            self.add(value)

    def _lazy(self, value: Any, kind: type) -> None:
        node = value._node
        if node.radix:
            raise NotRead("digits of a draw are kept undecided")
        if node.lo == node.hi:
            self.add(value._image(node.lo))
            return
        for step in value._maps:
            if not _by_value(step):
                raise NotRead("what was computed from an undecided draw is kept; ask what it must decide first")
        self.tokens += (LAZY, kind, _Steps(value._maps))
        if not self.seen(node):
            self.nodes.append(node)
            self.tokens += (NODE, node.lo, node.hi)

    def _iterator(self, value: Any, kind: type) -> None:
        if self.seen(value):
            return
        made = value.__reduce__() if kind.__module__ != "itertools" else _quietly(value.__reduce__)
        self.tokens += (ITERATOR, _Ref(made[0]), len(made[1]), len(made) > 2)
        self.parts(made[1])
        if len(made) > 2:
            self.add(made[2])

    def _of_dict(self, value: Any, kind: str) -> None:
        if self.seen(value):
            return
        owner = _owner(value)
        left = value.__length_hint__()
        everything = [*(getattr(owner, kind)() if kind != "set" else owner)] if owner is not None else []
        rest = list(value.__reduce__()[1][0])
        if owner is not None and (
            len(rest) != left or _ids(rest, kind) != _ids(everything[len(everything) - left :], kind)
        ):
            raise NotRead("a dict or a set is changed while it is iterated over")
        self.tokens += (OF_DICT, kind, left if owner is not None else -1)
        if owner is not None:
            self.add(owner)

    def _numpy(self, value: Any, kind: type) -> None:
        numpy = sys.modules["numpy"]
        if kind is numpy.ndarray:
            if self.seen(value):
                return
            if value.base is not None or not value.flags.owndata or value.dtype.hasobject:
                raise NotRead("an array of numpy that shares its memory or holds objects is kept")
            order = "F" if value.flags.f_contiguous and not value.flags.c_contiguous else "C"
            if not (value.flags.c_contiguous or value.flags.f_contiguous):
                raise NotRead("an array of numpy is not contiguous")
            self.tokens += (
                ARRAY,
                value.dtype.str,
                value.shape,
                order,
                bool(value.flags.writeable),
                value.tobytes(order),
            )
        elif isinstance(value, numpy.generic) and not value.dtype.hasobject:
            if bool(value != value):
                raise NotRead("a NaN is kept")
            self.tokens += (SCALAR, kind, value.tobytes())
        elif isinstance(value, numpy.dtype) or callable(value):
            self.tokens += (REF, _Ref(value))
        else:
            raise NotRead(f"a value of type {kind.__name__} cannot be told whole")

    def _named(self, value: Any, kind: type) -> None:
        if type(getattr(kind, "_fields", None)) is not tuple or kind.__basicsize__ != tuple.__basicsize__:
            raise NotRead(f"a value of type {kind.__qualname__} cannot be told whole")
        self.refer(kind)
        self.tokens[-2] = NAMED
        self.tokens.append(len(value))
        self.parts(tuple.__iter__(value))

    def _instance(self, value: Any, kind: type) -> None:
        if self.seen(value):
            return
        slots = layout(kind)
        self.refer(kind)
        self.tokens[-2] = INSTANCE
        content = CONTENTS.get(_base(kind))
        if content is not None:
            content(self, value)
        for slot in slots:
            try:
                part = slot.__get__(value, kind)
            except AttributeError:
                part = UNSET
            self.add(part)
        own = object.__getattribute__(value, "__dict__") if kind.__dictoffset__ else {}
        self.tokens.append(len(own))
        for name, part in own.items():
            self.tokens.append(name)
            self.add(part)

    # -- functions and generators

    def function(self, value: Any) -> None:
        """Add a function: by reference, or where the program made it, by what it is made of."""
        if self.world.constant(value):
            self.tokens += (REF, _Ref(value))
            return
        if self.seen(value):
            return
        self.tokens += (FUNCTION, _Ref(value.__code__), _Ref(value.__globals__), value.__name__, value.__qualname__)
        self.parts((value.__defaults__, value.__kwdefaults__, value.__dict__))
        new = []
        for cell in value.__closure__ or ():
            if id(cell) in CONSTANT_CELLS:
                self.tokens += (REF, _Ref(cell))
            elif not self.seen(cell):
                self.tokens.append(CELL)
                new.append(cell)
        for cell in new:
            try:
                content = cell.cell_contents
            except ValueError:
                content = UNSET
            self.shared.append((id(cell), content is UNSET))
            self.add(content)

    def whole(self) -> tuple[Any, ...]:
        """Return the key.

        Raises: NotRead where a frame and a function share a variable that is yet to be assigned to.
        """
        for cell, unset in self.shared:
            if cell in self.cells and (self.cells[cell] or unset):
                raise NotRead("a variable that an inner function shares is assigned to again")
        return tuple(self.tokens)

    def generator(self, value: Any) -> None:
        """Add a generator with the frame that it waits in."""
        if self.seen(value):
            return
        frame = value.gi_frame
        if id(value) in self.running:
            self.tokens.append(RUNNING)
            self.function(function_of(value))
            return
        if frame is None:
            self.tokens.append(EXHAUSTED)
            return
        info = INFOS.get(value.gi_code)
        if info is None or value.gi_running or value.gi_yieldfrom is not None:
            raise NotRead(f"the generator {value.__qualname__} cannot be told whole")
        variables = frame.f_locals
        begun = variables.get("_dp_pc", UNSET) is not UNSET or "_dp_at" in variables
        point = variables["_dp_at"] if begun else 0
        self.tokens += (GENERATOR, point)
        self.function(function_of(value))
        self.tokens.append(info.number)
        self.variables(info, point, frame, begun)

    def variables(self, info: Points, point: int, frame: Any, begun: bool = True) -> None:
        """Add the variables of a frame that are live at a point."""
        variables = frame.f_locals
        if info.cells and begun:
            for name, cell in zip(info.cells, variables["_dp_cells"], strict=True):
                self.cells[id(cell)] = name in info.rebound
        live = info.live[point]
        if types.GeneratorType in map(type, variables.values()):
            for name, value in variables.items():
                if type(value) is types.GeneratorType and name not in live and finishes(value):
                    raise NotRead(f"{name!r} does something when it is thrown away")
        for name in live:
            value = variables.get(name, UNSET)
            kind = type(value)
            if kind in ATOMS:
                self.tokens.append(value)
            else:
                try:
                    self.add(value)
                except NotRead as error:
                    raise NotRead(str(error) if name.startswith("_dp_") else f"{name!r}: {error}") from None


def _quietly(function: Callable[[], Any]) -> Any:
    """Call what CPython 3.12 warns about, which 3.14 does without."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function()


class _Ref:
    """An object by reference; equal to another iff the object is the same."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return type(other) is _Ref and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


class _Steps:
    """The functions through which a draw is seen, by their values with their types."""

    __slots__ = ("maps", "told")

    def __init__(self, maps: tuple[Any, ...]) -> None:
        self.maps = maps
        self.told = tuple(_told(step) for step in maps)

    def __eq__(self, other: object) -> bool:
        return type(other) is _Steps and self.told == other.told

    def __hash__(self) -> int:
        return hash(self.told)


class _Token:
    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


AGAIN, COINS, REF, LAZY, NODE, ITERATOR, OF_DICT, VIEW, ARRAY, SCALAR, NAMED, INSTANCE, FUNCTION, CELL = (
    _Token(name)
    for name in [
        "again",
        "coins",
        "ref",
        "lazy",
        "node",
        "iterator",
        "of-dict",
        "view",
        "array",
        "scalar",
        "named",
        "instance",
        "function",
        "cell",
    ]
)
RUNNING, EXHAUSTED, GENERATOR, METHOD, BUILTIN, TRUE, FALSE = map(
    _Token, ["running", "exhausted", "generator", "method", "builtin", "true", "false"]
)
CONSTANT_CELLS = frozenset(map(id, CELLS))


def _told(step: Any) -> Any:
    """Return what a step does, by value; 1, True and 1.0 differ."""
    if isinstance(step, tuple):
        return (type(step), *map(_told, step))
    if type(step) is float:
        return (float, step.hex())
    return (type(step), _Ref(step) if callable(step) else step)


def _by_value(step: Any) -> bool:
    """Whether a step is a named tuple of plain numbers and functions, so that its value tells what it does."""
    if isinstance(step, tuple):
        return all(map(_by_value, step))
    return type(step) in (int, bool, float, Fraction, str) or step in PLAIN_STEPS


PLAIN_STEPS: frozenset[Any] = frozenset(
    [plain_random, float, int, round, math.floor, math.ceil, math.trunc, int.bit_length]
    + [getattr(operator, name) for name in ["add", "sub", "mul", "truediv", "neg"]]
)


def finishes(generator: Any) -> bool:
    """Whether a generator may do something when it is thrown away."""
    info = INFOS.get(generator.gi_code)
    return generator.gi_frame is not None and (info is None or info.finishes)


def function_of(generator: Any) -> Any:
    """Return the function whose call made a generator."""
    for each in gc.get_referents(generator):
        if type(each) is types.FunctionType and each.__code__ is generator.gi_code:
            return each
    raise NotRead(f"the function of the generator {generator.__qualname__} is not known")


def _owner(value: Any) -> Any:
    """Return the dict or the set that an iterator or a view is of; None where it is exhausted."""
    return next((each for each in gc.get_referents(value) if isinstance(each, (dict, set, frozenset))), None)


def _ids(items: list[Any], kind: str) -> list[Any]:
    return [(id(a), id(b)) for a, b in items] if kind == "items" else [*map(id, items)]


def _base(kind: type) -> type | None:
    return next((base for base in kind.__mro__ if base in CONTENTS), None)


_LAYOUTS: dict[type, tuple[types.MemberDescriptorType, ...] | str] = {}


def layout(kind: type) -> tuple[types.MemberDescriptorType, ...]:
    """Return the slots of a class written in Python, on nothing but `object` or a container.

    Raises: NotRead where its instances keep state that cannot be seen, or do something when they are thrown away.
    """
    found = _LAYOUTS.get(kind)
    if found is None:
        found = _LAYOUTS[kind] = _layout(kind)
    if isinstance(found, str):
        raise NotRead(found)
    return found


def _layout(kind: type) -> tuple[types.MemberDescriptorType, ...] | str:
    words = f"a value of type {kind.__qualname__} keeps state that cannot be seen"
    if hasattr(kind, "__del__"):
        return f"a value of type {kind.__qualname__} does something when it is thrown away"
    base: Any = _base(kind) or object
    slots: list[types.MemberDescriptorType] = []
    for each in kind.__mro__[: kind.__mro__.index(base)]:
        if not each.__flags__ & 1 << 9 or "__module__" not in vars(each):
            return words
        slots += [member for member in vars(each).values() if type(member) is types.MemberDescriptorType]
    if kind is base:
        return ()
    has_dict = kind.__dictoffset__ > 0 and not base.__dictoffset__
    size = (
        base.__basicsize__
        + 8 * len(slots)
        + 8 * has_dict
        + 8 * (kind.__weakrefoffset__ > 0 and not base.__weakrefoffset__)
    )
    if kind.__basicsize__ != size or kind.__itemsize__ != base.__itemsize__:
        return words
    return tuple(slots)


def _bool(freezer: Freezer, value: bool) -> None:
    freezer.tokens.append(TRUE if value else FALSE)


def _float(freezer: Freezer, value: float) -> None:
    if value != value:
        raise NotRead("a NaN is kept: it is found in a list or not by which object it is")
    freezer.tokens += (float, value, math.copysign(1.0, value))


def _fraction(freezer: Freezer, value: Fraction) -> None:
    freezer.tokens += (Fraction, value.numerator, value.denominator)


def _written(freezer: Freezer, value: Any) -> None:
    freezer.tokens += (type(value), repr(value))


def _tuple(freezer: Freezer, value: tuple[Any, ...]) -> None:
    freezer.tokens += (tuple, len(value))
    freezer.parts(value)


def _sequence(freezer: Freezer, value: Any) -> None:
    if freezer.world.holds(value):
        freezer.tokens += (REF, _Ref(value))
    elif not freezer.seen(value):
        freezer.tokens += (type(value), len(value))
        freezer.parts(value)


def _dict(freezer: Freezer, value: dict[Any, Any]) -> None:
    if freezer.world.holds(value):
        freezer.tokens += (REF, _Ref(value))
    elif not freezer.seen(value):
        freezer.tokens += (dict, len(value))
        for name, part in value.items():
            freezer.add(name)
            freezer.add(part)


def _set(freezer: Freezer, value: Any) -> None:
    """Add a set in its order; how it goes on to be ordered must not depend on more than that."""
    if freezer.world.holds(value):
        freezer.tokens += (REF, _Ref(value))
        return
    if type(value) is set and freezer.seen(value):
        return
    parts = [*value]
    kind = type(value)
    if [*map(id, kind(parts))] != [*map(id, parts)] or kind(parts).__sizeof__() != value.__sizeof__():
        raise NotRead("the order of a set depends on its past; keep a list or a dict")
    freezer.tokens += (kind, len(parts))
    freezer.parts(parts)


def _bytearray(freezer: Freezer, value: bytearray) -> None:
    if not freezer.seen(value):
        freezer.tokens += (bytearray, bytes(value))


def _range(freezer: Freezer, value: range) -> None:
    freezer.tokens += (range, value.start, value.stop, value.step)


def _method(freezer: Freezer, value: Any) -> None:
    freezer.tokens.append(METHOD)
    freezer.add(value.__func__)
    freezer.add(value.__self__)


def _builtin(freezer: Freezer, value: Any) -> None:
    owner = value.__self__
    if owner is None or isinstance(owner, (types.ModuleType, type)):
        freezer.tokens += (REF, _Ref(value))
    else:
        freezer.tokens += (BUILTIN, value.__name__)
        freezer.add(owner)


def _constant(freezer: Freezer, value: Any) -> None:
    freezer.tokens += (REF, _Ref(value))


def _items(freezer: Freezer, value: Any) -> None:
    items = [*value.items()]
    freezer.tokens.append(len(items))
    freezer.parts(items)
    freezer.add(value.default_factory if isinstance(value, defaultdict) else None)


def _elements(freezer: Freezer, value: Any) -> None:
    freezer.tokens.append(len(value))
    freezer.parts(value)
    freezer.add(value.maxlen if isinstance(value, deque) else None)


CONTENTS: dict[type | None, Callable[[Freezer, Any], None]] = {
    OrderedDict: _items,
    defaultdict: _items,
    dict: _items,
    deque: _elements,
    list: _elements,
}
FREEZE: dict[type, Callable[[Freezer, Any], None]] = {
    bool: _bool,
    float: _float,
    Fraction: _fraction,
    complex: _written,
    Decimal: _written,
    tuple: _tuple,
    list: _sequence,
    dict: _dict,
    set: _set,
    frozenset: _set,
    bytearray: _bytearray,
    range: _range,
    types.FunctionType: Freezer.function,
    types.GeneratorType: Freezer.generator,
    types.MethodType: _method,
    types.BuiltinFunctionType: _builtin,
    types.MethodDescriptorType: _constant,
    types.WrapperDescriptorType: _constant,
    types.ClassMethodDescriptorType: _constant,
}


class Thaw:
    """One thaw: a state made anew from its key, for one run."""

    def __init__(self, key: tuple[Any, ...], coins: Coins, node: Callable[[int, int], Node]) -> None:
        self.take: Callable[[], Any] = iter(key).__next__
        self.coins = coins
        self.node = node
        self.made: list[Any] = []

    def value(self) -> Any:
        """Return the next value of the key."""
        kind = self.take()
        return kind if type(kind) in ATOMS else THAW[kind](self)

    def parts(self, count: int) -> list[Any]:
        return [self.value() for _ in range(count)]

    def keep(self, value: Any) -> Any:
        """Number an object that may be met again."""
        self.made.append(value)
        return value

    def record(self, info: Points, point: int) -> tuple[Any, ...]:
        """Return what a function restores when it is entered again at a point."""
        values = [UNSET] * len(info.names)
        for place in info.places[point]:
            values[place] = self.value()
        return (point, *values)


def _thaw_again(thaw: Thaw) -> Any:
    return thaw.made[thaw.take()]


def _thaw_list(thaw: Thaw) -> Any:
    made: list[Any] = thaw.keep([])
    count = thaw.take()
    for _ in range(count):
        made.append(thaw.value())
    return made


def _thaw_dict(thaw: Thaw) -> Any:
    made: dict[Any, Any] = thaw.keep({})
    for _ in range(thaw.take()):
        name = thaw.value()
        made[name] = thaw.value()
    return made


def _thaw_set(thaw: Thaw) -> Any:
    made: set[Any] = thaw.keep(set())
    made.update(thaw.parts(thaw.take()))
    return made


def _thaw_lazy(thaw: Thaw) -> Any:
    kind, steps = thaw.take(), thaw.take()
    if thaw.take() is AGAIN:
        return kind(thaw.made[thaw.take()], steps.maps)
    return kind(thaw.keep(thaw.node(thaw.take(), thaw.take())), steps.maps)


def _thaw_iterator(thaw: Thaw) -> Any:
    place = len(thaw.made)
    thaw.made.append(None)
    make, count, more = thaw.take(), thaw.take(), thaw.take()
    made = make.value(*thaw.parts(count))
    if more:
        state = thaw.value()
        _quietly(lambda: made.__setstate__(state)) if type(made).__module__ == "itertools" else made.__setstate__(state)
    thaw.made[place] = made
    return made


def _thaw_of_dict(thaw: Thaw) -> Any:
    place = len(thaw.made)
    thaw.made.append(None)
    kind, left = thaw.take(), thaw.take()
    if left < 0:
        made: Iterator[Any] = iter({} if kind != "set" else set())
        next(made, None)
    else:
        owner = thaw.value()
        made = iter(getattr(owner, kind)() if kind != "set" else owner)
        for _ in range(len(owner) - left):
            next(made)
    thaw.made[place] = made
    return made


def _thaw_array(thaw: Thaw) -> Any:
    numpy = sys.modules["numpy"]
    kind, shape, order, writeable, content = (thaw.take() for _ in range(5))
    made = numpy.frombuffer(content, dtype=kind).reshape(shape, order=order).copy(order=order)
    made.flags.writeable = writeable
    return thaw.keep(made)


def _thaw_scalar(thaw: Thaw) -> Any:
    kind, content = thaw.take(), thaw.take()
    return sys.modules["numpy"].frombuffer(content, dtype=kind)[0]


def _thaw_instance(thaw: Thaw) -> Any:
    kind = thaw.take().value
    content = CONTENTS.get(_base(kind))
    if content is _elements:
        place = len(thaw.made)
        thaw.made.append(None)
        parts, most = thaw.parts(thaw.take()), thaw.value()
        made = kind.__new__(kind)
        if most is None:
            made.extend(parts)
        else:
            made.__init__(parts, most)
        thaw.made[place] = made
    else:
        made = thaw.keep(kind.__new__(kind) if content is not None else object.__new__(kind))
    if content is _items:
        for name, part in thaw.parts(thaw.take()):
            dict.__setitem__(made, name, part) if not isinstance(made, OrderedDict) else OrderedDict.__setitem__(
                made, name, part
            )
        factory = thaw.value()
        if isinstance(made, defaultdict):
            made.default_factory = factory
    for slot in layout(kind):
        part = thaw.value()
        if part is not UNSET:
            slot.__set__(made, part)
    for _ in range(thaw.take()):
        name = thaw.take()
        object.__getattribute__(made, "__dict__")[name] = thaw.value()
    return made


def _thaw_function(thaw: Thaw) -> Any:
    code, space, name, qualname = (thaw.take() for _ in range(4))
    place = len(thaw.made)
    thaw.made.append(None)
    plain = thaw.value(), thaw.value(), thaw.value()
    new: list[Any] = []
    closure: list[Any] = []
    for _ in code.value.co_freevars:
        kind = thaw.take()
        if kind is CELL:
            new.append(thaw.keep(types.CellType()))
            closure.append(new[-1])
        else:
            closure.append(THAW[kind](thaw))
    made = types.FunctionType(code.value, space.value, name, plain[0], tuple(closure))
    made.__kwdefaults__, made.__qualname__ = plain[1], qualname
    made.__dict__.update(plain[2])
    thaw.made[place] = made
    for cell in new:
        content = thaw.value()
        if content is not UNSET:
            cell.cell_contents = content
    return made


def _thaw_generator(thaw: Thaw) -> Any:
    place = len(thaw.made)
    thaw.made.append(None)
    point = thaw.take()
    function = thaw.value()
    info = INFOS[function.__code__]
    if thaw.take() != info.number:
        raise NotRead("a generator is not what it was")
    record = thaw.record(info, point)
    if point:
        made = blank(function)
        NOW.pending = record
        if next(made) is not PRIME:
            raise NotRead("a generator did not come back to where it was")
    else:
        made = _called(function, dict(zip(info.names, record[1:], strict=True)))
    thaw.made[place] = made
    return made


def _called(function: Any, variables: dict[str, Any]) -> Any:
    """Return the result of calling a function with the arguments that its variables are."""
    code = function.__code__
    names, count, words = code.co_varnames, code.co_argcount, code.co_kwonlyargcount
    args = [variables[name] for name in names[:count]]
    more = count + words
    if code.co_flags & 4:
        args += variables[names[more]]
        more += 1
    keywords = {name: variables[name] for name in names[count : count + words]}
    if code.co_flags & 8:
        keywords |= variables[names[more]]
    return function(*args, **keywords)


def _thaw_running(thaw: Thaw) -> Any:
    place = len(thaw.made)
    thaw.made.append(None)
    made = thaw.made[place] = blank(thaw.value())
    return made


def _thaw_exhausted(thaw: Thaw) -> Any:
    made = (each for each in ())
    next(made, None)
    return thaw.keep(made)


def _thaw_method(thaw: Thaw) -> Any:
    function = thaw.value()
    return types.MethodType(function, thaw.value())


def _thaw_builtin(thaw: Thaw) -> Any:
    name = thaw.take()
    return getattr(thaw.value(), name)


def _thaw_named(thaw: Thaw) -> Any:
    kind = thaw.take().value
    return tuple.__new__(kind, thaw.parts(thaw.take()))


def _thaw_float(thaw: Thaw) -> Any:
    value = thaw.take()
    thaw.take()
    return value


def _thaw_coins(thaw: Thaw) -> Any:
    kept = thaw.value()
    if kept is not None:
        thaw.coins.gauss_next = kept
    return thaw.coins


def _thaw_view(thaw: Thaw) -> Any:
    kind = thaw.take()
    return getattr(thaw.value(), kind)()


THAW: dict[Any, Callable[[Thaw], Any]] = {
    float: _thaw_float,
    Fraction: lambda thaw: Fraction(thaw.take(), thaw.take()),
    complex: lambda thaw: complex(thaw.take()),
    Decimal: lambda thaw: Decimal(thaw.take()[9:-2]),
    tuple: lambda thaw: tuple(thaw.parts(thaw.take())),
    list: _thaw_list,
    dict: _thaw_dict,
    set: _thaw_set,
    frozenset: lambda thaw: frozenset(thaw.parts(thaw.take())),
    bytearray: lambda thaw: thaw.keep(bytearray(thaw.take())),
    range: lambda thaw: range(thaw.take(), thaw.take(), thaw.take()),
    AGAIN: _thaw_again,
    COINS: _thaw_coins,
    TRUE: lambda thaw: True,
    FALSE: lambda thaw: False,
    REF: lambda thaw: thaw.take().value,
    LAZY: _thaw_lazy,
    ITERATOR: _thaw_iterator,
    OF_DICT: _thaw_of_dict,
    VIEW: _thaw_view,
    ARRAY: _thaw_array,
    SCALAR: _thaw_scalar,
    NAMED: _thaw_named,
    INSTANCE: _thaw_instance,
    FUNCTION: _thaw_function,
    RUNNING: _thaw_running,
    EXHAUSTED: _thaw_exhausted,
    GENERATOR: _thaw_generator,
    METHOD: _thaw_method,
    BUILTIN: _thaw_builtin,
}
