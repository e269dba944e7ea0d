"""Whole states as keys, and back: all that frames and values reach, frozen jointly with its aliases.

A key is a flat tuple, and `thaw` makes the state anew from the key alone; what a key leaves out cannot reach what
follows. Values are taken by exact type. What was there before the program ran (functions, classes, modules, objects
that globals reach) is kept by reference, and `world.py` holds that it does not change. Anything unknown is refused.
"""

from __future__ import annotations

import gc
import itertools
import sys
import types
from collections.abc import Iterable
from enum import Enum
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.lazy import Lazy
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.exact.outcome import class_name
from dpcert.mechanisms.floating.stand_ins import Made, is_stand_in
from dpcert.mechanisms.states.calls.closures import add_as_written, add_function
from dpcert.mechanisms.states.containers import FREEZE, add_elements, add_items
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.layouts import (
    COMPARES,
    CONTAINERS,
    ERROR_PARTS,
    ITEMS,
    ITERATES,
    PLAIN_MAPS,
    base_of,
    is_plain_dtype,
    is_scalar,
    layout,
    of_program,
    own_names,
    quietly,
    tell_error,
)
from dpcert.mechanisms.states.reenter import Points
from dpcert.mechanisms.states.runtime import END, INFOS, UNSET
from dpcert.mechanisms.states.tails.counts import Count
from dpcert.mechanisms.states.tokens import (
    AGAIN,
    ARRAY,
    ATOMS,
    COINS,
    ERROR,
    EXHAUSTED,
    GENERATOR,
    INSTANCE,
    ITERATOR,
    LAZY,
    NAMED,
    NODE,
    OF_DICT,
    REF,
    RUNNING,
    SCALAR,
    STAND_IN,
    VIEW,
    Ref,
    Steps,
    World,
    by_value,
)

MEMBER = frozenset({"_value_", "_name_", "__objclass__", "_sort_order_"})  # of a member of an enum
MAX_TOKENS = 100_000
MAX_DEPTH = 100
SINGLES = frozenset({id(Ellipsis), id(NotImplemented), id(UNSET), id(END)})
RANGE_ITERATOR = type(iter(range(0)))
EACH: tuple[Any, ...] = ([], (), "", "é", b"", range(1), range(1 << 70))
ITERATORS: frozenset[type] = frozenset(
    [
        *(type(iter(each)) for each in EACH),
        type(reversed([])),
        *(reversed, enumerate, zip, map, filter),
        *(itertools.chain, itertools.repeat, itertools.count, itertools.islice, itertools.product),
        *(itertools.accumulate, itertools.combinations, itertools.permutations),
    ]
)
OF_DICTS: dict[type, str] = {
    type(iter({}.keys())): "keys",
    type(iter({}.values())): "values",
    type(iter({}.items())): "items",
    type(iter(set())): "set",
}
VIEWS: dict[type, str] = {type({}.keys()): "keys", type({}.values()): "values", type({}.items()): "items"}


class Freezer:
    """One joint freeze: `tokens` tell all that was visited, `nodes` the undecided draws in order of discovery."""

    def __init__(self, world: World, coins: Coins, *, of_call: bool = False) -> None:
        self.world = world
        self.coins = coins
        self.of_call = of_call  # functions are told as the program wrote them
        self.tokens: list[Any] = []
        self.numbers: dict[int, int] = {}
        self.alive: list[Any] = []
        self.nodes: list[Node] = []
        self.running: set[int] = set()  # the addresses of generators on the stack
        self.cells: dict[int, bool] = {}  # variables of frames by address; whether they may be assigned to again
        self.shared: list[tuple[int, bool, str]] = []  # variables of functions: address, whether unset, name
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
        elif kind is types.FunctionType:
            self.function(value)
        elif kind is types.GeneratorType:
            self.generator(value)
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
            self.tokens += (REF, Ref(value))
        elif is_stand_in(kind):
            self._stand_in(value)
        elif issubclass(kind, Enum):
            if not MEMBER.issuperset(object.__getattribute__(value, "__dict__")):
                raise NotRead(f"a member of {kind.__qualname__} keeps attributes")
            if of_program(kind) and not self.world.holds(value):
                raise NotRead(f"a member of {kind.__qualname__} is made while the program runs")
            self.refer(kind)
            self.tokens[-1] = Ref(value)
        elif kind in ITERATORS:
            self._iterator(value, kind)
        elif kind in OF_DICTS:
            self._of_dict(value, OF_DICTS[kind])
        elif kind in VIEWS:
            self.tokens += (VIEW, VIEWS[kind])
            self.add(_owner(value))
        elif issubclass(kind, (type, types.ModuleType)):
            self.refer(value)
        elif kind.__module__.startswith("numpy") and not of_program(kind):
            self._numpy(value, kind)
        elif issubclass(kind, tuple):
            self._named(value, kind)
        elif issubclass(kind, BaseException):
            self._error(value, kind)
        else:
            self._instance(value, kind)

    def _error(self, value: BaseException, kind: type) -> None:
        if self.seen(value):
            return
        tell_error(kind)
        self.refer(kind)
        self.tokens[-2] = ERROR
        self.parts(part.__get__(value) for part in ERROR_PARTS)
        self.add(object.__getattribute__(value, "__dict__"))

    def _stand_in(self, value: Any) -> None:
        if value._coins is not self.coins:
            raise NotRead("a generator is kept that draws from other coins")
        if not self.seen(value):
            own = getattr(value, "__dict__", {})
            self.tokens += (STAND_IN, Made(value), len(own))
            for name, part in own.items():
                self.tokens.append(name)
                self.add(part)

    def refer(self, value: Any) -> None:
        """Add an object that is kept by reference."""
        if not self.world.constant(value):
            raise NotRead(f"{getattr(value, '__qualname__', value)!r} is made while the program runs")
        self.tokens += (REF, Ref(value))

    def parts(self, values: Iterable[Any]) -> None:
        for value in values:
            self.add(value)

    def _lazy(self, value: Any, kind: type) -> None:
        if kind is Count:
            raise NotRead("a count that a call returned is kept undecided")
        node = value._node
        if node.radix:
            raise NotRead("digits of a draw are kept undecided")
        if node.lo == node.hi:
            self.add(value._image(node.lo))
            return
        for step in value._maps:
            if not by_value(step):
                raise NotRead("what was computed from an undecided draw is kept; ask what it must decide first")
        self.tokens += (LAZY, kind, Steps(value._maps))
        if not self.seen(node):
            self.nodes.append(node)
            self.tokens += (NODE, node.lo, node.hi)

    def _iterator(self, value: Any, kind: type) -> None:
        if self.seen(value):
            return
        made = value.__reduce__() if kind.__module__ != "itertools" else quietly(value.__reduce__)
        for part in made[1]:
            if own_names(type(part), ITERATES):
                raise NotRead(f"an iterator over a value of type {class_name(type(part))} is kept")
        if kind is RANGE_ITERATOR:  # what is left of a range
            made = iter, (made[1][0][made[2] :],)
        has_state = len(made) > 2 and made[2] is not None  # None is that of an `accumulate` that has not begun
        self.tokens += (ITERATOR, Ref(made[0]), len(made[1]), has_state)
        self.parts(made[1])
        if has_state:
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
            if not self.seen(value):
                self._array(value, numpy)
        elif is_scalar(kind):
            if bool(value != value):
                raise NotRead("a NaN is kept")
            self.tokens += (SCALAR, kind, value.tobytes())
        elif issubclass(kind, numpy.dtype) and is_plain_dtype(value):
            self.tokens += (REF, Ref(value))
        elif callable(value):
            self.refer(value)
        else:
            raise NotRead(f"a value of type {class_name(kind)} cannot be told whole")

    def _array(self, value: Any, numpy: Any) -> None:
        if value.base is not None or not value.flags.owndata:
            raise NotRead("an array of numpy that shares its memory is kept")
        if not is_plain_dtype(value.dtype):
            raise NotRead(f"an array of numpy is kept whose dtype is no plain number: {value.dtype}")
        kind, shape = value.dtype.type, value.shape
        orders = [order for order in "CF" if numpy.empty(shape, kind, order).strides == value.strides]
        if not orders:
            raise NotRead("an array of numpy is not contiguous")
        self.tokens += (ARRAY, kind, shape, orders[0], bool(value.flags.writeable), value.tobytes(orders[0]))

    def _named(self, value: Any, kind: type) -> None:
        if type(getattr(kind, "_fields", None)) is not tuple or kind.__basicsize__ != tuple.__basicsize__:
            raise NotRead(f"a value of type {kind.__qualname__} cannot be told whole")
        own = own_names(kind, COMPARES)
        if own:
            raise NotRead(f"a value of type {kind.__qualname__} has an {min(own)!r} of its own")
        self.refer(kind)
        self.tokens[-2] = NAMED
        self.tokens.append(tuple.__len__(value))
        self.parts(tuple.__iter__(value))

    def _instance(self, value: Any, kind: type) -> None:
        if self.seen(value):
            return
        slots = layout(kind)
        self.refer(kind)
        self.tokens[-2] = INSTANCE
        base = base_of(kind)
        if base in CONTAINERS:
            (add_items if base in ITEMS else add_elements)(self, value, base)
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
            self.tokens += (REF, Ref(value))
            return
        (add_as_written if self.of_call else add_function)(self, value)

    def whole(self) -> tuple[Any, ...]:
        """Return the key.

        Raises: NotRead where a frame and a function share a variable that is yet to be assigned to.
        """
        for cell, unset, name in self.shared:
            if cell in self.cells and (self.cells[cell] or unset):
                raise NotRead(f"{name!r}, which an inner function shares, is assigned to again; keep it in a list")
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
            self.tokens += (EXHAUSTED, value.__name__, value.__qualname__)
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
    owner = next((each for each in gc.get_referents(value) if issubclass(type(each), (dict, set, frozenset))), None)
    if owner is not None and type(owner) not in PLAIN_MAPS:
        raise NotRead(f"an iterator or a view of a value of type {class_name(type(owner))} is kept")
    return owner


def _ids(items: list[Any], kind: str) -> list[Any]:
    return [(id(a), id(b)) for a, b in items] if kind == "items" else [*map(id, items)]
