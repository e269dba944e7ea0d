"""States whose frames hold plain values alone, told and made anew by their shape: what most states of loops are.

A shape is the functions on the stack, their points, and the types of their live variables; a key is a shape with the
values. Nothing in such a state can have two names and be changed: an iterator, or a generator that waits, is told where
it is met, and a state in which it is met twice has no shape. A generator that waits is told as a state of its own. A
function that the program made is told by its code and what its closure holds, which nothing may assign to again. What a
shape does not cover is frozen as a whole (`freeze.py`).
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import repeat
from operator import itemgetter
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.floats import LazyFloat
from dpcert.mechanisms.exact.lazy import LazyInt
from dpcert.mechanisms.floating.stand_ins import is_stand_in
from dpcert.mechanisms.states.calls.closures import CONSTANT_CELLS
from dpcert.mechanisms.states.freeze import finishes, function_of
from dpcert.mechanisms.states.instances import OTHER, generator, generator_again, instance, instance_again, is_instance
from dpcert.mechanisms.states.layouts import is_scalar
from dpcert.mechanisms.states.reenter import Points
from dpcert.mechanisms.states.runtime import INFOS, REWRITER, UNSET, alike, blank, waiting
from dpcert.mechanisms.states.tokens import ATOMS, World
from dpcert.mechanisms.states.turns import OPEN, Every, opened

AS_THEY_ARE = ATOMS | {bool, type(UNSET)}
LAZY = frozenset({LazyInt, LazyFloat})
RANGE_ITERATOR = type(iter(range(0)))
GENERATOR = types.GeneratorType

Frames = list[tuple[Any, int, Any]]
"""For each frame its point and its function, or the generator whose frame it is."""


@functools.cache
def _taking(items: tuple[Any, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what takes several items of a list or a dict at once."""
    if len(items) > 1:
        return itemgetter(*items)
    return lambda held: (*[held[item] for item in items],)


class Shape:
    """The frames of some states: for each its function, whether it is a generator's, and what it restores."""

    places: tuple[int, ...] = ()  # of integers that depend on how often a loop went round
    closed: Shape  # in which these are known

    def __init__(self, stack: Stack, kinds: list[type]) -> None:
        self.more = (UNSET, *[point for _, point, _ in stack.frames])  # what frames restore beside what is told
        self.frames = []
        at, unset = 1, 1 + len(kinds)
        coins = unset + len(self.more)
        for place, (frame, point, callee) in enumerate(stack.frames):
            info = INFOS[frame.f_code]
            self.outer, self.shares = at, bool(info.cells)
            taken = [unset + 1 + place, *[unset] * len(info.names)]
            for name in info.places[point]:
                taken[name + 1] = coins if kinds[at - 1] is Coins else at
                at += 1
            generates = type(callee) is GENERATOR
            self.frames.append((stack.functions[place], generates, _taking((*taken,))))
        stand_ins = [place for place, kind in enumerate(kinds, 1) if is_stand_in(kind)]
        scalars = [(place, kind) for place, kind in enumerate(kinds, 1) if is_scalar(kind)]
        self.told = [(place, TOLD[kind]) for place, kind in enumerate(kinds, 1) if kind in TOLD]
        instances = [place for place, kind in enumerate(kinds, 1) if kind not in COVERED and is_instance(kind)]
        self.told += [*((place, _scalar) for place, _ in scalars), *((place, generator) for place in stand_ins)]
        self.told += [(place, instance) for place in instances]
        self.made = [(place, MADE[kind]) for place, kind in enumerate(kinds, 1) if kind in MADE]
        self.made += [(place, functools.partial(_scalar_again, kind)) for place, kind in scalars]
        self.made += [(place, generator_again) for place in stand_ins]
        self.made += [(place, instance_again) for place in instances]
        self.inner = [(place, make) for place, make in self.made if place >= self.outer]
        self.waiting = [place for place, make in self.inner if make is _generating]
        self.integers = frozenset(place for place, kind in enumerate(kinds, 1) if kind is int)
        self.opens: dict[tuple[tuple[int, ...], bool], Shape] = {}

    def goes_on(self, name: tuple[Any, ...], following: tuple[Any, ...]) -> bool:
        """Whether the frames that a state was told of can go on as those of another state, once the innermost restores
        what it holds there: the others hold the same, and it holds none of the generators on the stack.
        """
        outer = self.outer
        if following[0] is not self or self.shares or (outer > 1 and name[1:outer] != following[1:outer]):
            return False
        return not self.waiting or all(type(following[place]) is not int for place in self.waiting)

    def innermost(self, key: tuple[Any, ...], flat: Flat) -> tuple[Any, ...]:
        """Return what the innermost frame of a state restores."""
        values = [*key, *self.more, flat.coins]
        for place, make in self.inner:
            values[place] = make(values[place], flat, [])
        return self.frames[-1][2](values)

    def records(self, key: tuple[Any, ...], flat: Flat) -> list[tuple[Any, tuple[Any, ...]]]:
        """Return what the functions of a state are entered again with."""
        generators = [blank(function) if generates else None for function, generates, _ in self.frames]
        records = self.restored(key, flat, generators)
        return [
            (function if generator is None else generator, record)
            for (function, *_), generator, record in zip(self.frames, generators, records, strict=True)
        ]

    def restored(self, key: tuple[Any, ...], flat: Flat, generators: list[Any]) -> list[tuple[Any, ...]]:
        """Return what each frame restores; `generators` are those on the stack."""
        values = [*key, *self.more, flat.coins]
        for place, make in self.made:
            values[place] = make(values[place], flat, generators)
        return [take(values) for _, _, take in self.frames]


Shapes = dict[tuple[Any, ...], dict[tuple[type, ...], Shape | None]]
"""Shapes by their functions and points, and by their types; None where some value is not plain."""


class Stack:
    """The frames of a state, and what is the same for as long as they are: their functions, which give the shapes."""

    def __init__(self, frames: Frames, functions: Sequence[types.FunctionType] = ()) -> None:
        self.frames = frames
        self.parts = []
        for frame, point, _ in frames:
            info = INFOS[frame.f_code]
            live = info.live[point]
            self.parts.append((frame, info, live, _taking(live)))
        self.running = [callee if type(callee) is GENERATOR else None for _, _, callee in frames]
        self.functions = functions  # that stand for theirs, once they are known
        self.shapes: dict[tuple[type, ...], Shape | None] | None = None


class Flat:
    """The telling of flat states, with the shapes that were met."""

    def __init__(self, world: World, coins: Coins, shapes: Shapes) -> None:
        self.world = world
        self.coins = coins
        self.of_coins = vars(coins)
        self.shapes = shapes
        self.functions: dict[tuple[Any, ...], types.FunctionType] = {}  # one of all that do the same
        self.running: list[Any] = []  # for each frame of the state its generator, or None
        self.cells: set[int] = set()  # variables of its frames by address, which are not assigned to again
        self.held: set[int] = set()  # variables of `functions` by address
        self.met: list[int] = []  # what can be changed, by address
        self.waiting: dict[int, Stack] = {}  # those of generators that were made anew for this run, by address
        self.innermost: Any = None  # the frame of the state that is not suspended
        self.every: Every | None = None  # what integers that stand for many are of; None for every j >= 0
        self.remade: list[Any] = []  # generators of random numbers that were made anew for this run
        self.drawn = False  # another frame holds a draw, though decided, of the run that came to the state

    def key(self, stack: Stack) -> tuple[Any, ...] | None:
        """Return the key of a state; None where no shape covers it."""
        if "gauss_next" in self.of_coins:
            return None
        self.running, self.innermost, self.drawn = stack.running, stack.frames[-1][0], False
        met = self.met
        if self.cells:
            self.cells.clear()
        if met:
            met.clear()
        found = self.told(stack)
        return found if len(met) < 2 or len({*met}) == len(met) else None

    def plain(self, values: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Return what tells values with their types; None where one is neither plain nor the coins."""
        kinds = [*map(type, values)]
        if "gauss_next" in self.of_coins or not all(map(is_plain, kinds)):
            return None
        told = [
            TOLD.get(kind, _itself if kind in HELD else generator if is_stand_in(kind) else _scalar)(self, value)
            for kind, value in zip(kinds, values, strict=True)
        ]
        return None if any(each is OTHER for each in told) else (*kinds, *told)

    def told(self, stack: Stack) -> tuple[Any, ...] | None:
        """Return the key of some frames of the state; None where no shape covers them."""
        key: list[Any] = [None]
        for frame, info, live, take in stack.parts:
            variables = frame.f_locals
            if info.cells and not self._fixed(info, variables["_dp_cells"]):
                return None
            try:
                own = take(variables)
            except KeyError:
                own = (*map(variables.get, live, repeat(UNSET)),)
            if GENERATOR in map(type, variables.values()) and not self._kept(variables.values(), own):
                return None
            key += own
        shapes = stack.shapes or self._shapes(stack)
        if shapes is None:
            return None
        shape = shapes.get((*map(type, key),)) or self._shape(stack, shapes, key)
        if shape is None:
            return None
        for place, tell in shape.told:
            told = key[place] = tell(self, key[place])
            if told is OTHER:
                return None
        key[0] = shape
        return tuple(key)

    def _shapes(self, stack: Stack) -> dict[tuple[type, ...], Shape | None] | None:
        """Return the shapes that some frames can have; None where one of their functions cannot be told."""
        if not stack.functions:
            functions = []
            for _, _, callee in stack.frames:
                function = self.single(function_of(callee) if type(callee) is GENERATOR else callee)
                if function is None:
                    return None
                functions.append(function)
            stack.functions = functions
        name = (*stack.functions, *[point for _, point, _ in stack.frames])
        stack.shapes = self.shapes.setdefault(name, {})
        return stack.shapes

    def _shape(self, stack: Stack, shapes: dict[tuple[type, ...], Shape | None], key: list[Any]) -> Shape | None:
        """Return the shape of some frames by what their variables are, once decided draws among these are numbers."""
        kinds = [*map(type, key)]
        if not LAZY.isdisjoint(kinds):
            frame, _, live, _ = stack.parts[-1]
            suspended = len(kinds) - len(live) if frame is self.innermost else len(kinds)
            self.drawn |= not LAZY.isdisjoint(kinds[:suspended])
            key[:] = map(_decided, key)
            kinds = [*map(type, key)]
        name = (*kinds,)
        if name not in shapes and not OPEN.isdisjoint(kinds):
            shapes[name] = opened(key, lambda known: self._shape(stack, shapes, known))
        if name not in shapes:
            plain = all(kind in COVERED or is_scalar(kind) or is_stand_in(kind) or is_instance(kind) for kind in kinds)
            shapes[name] = Shape(stack, kinds[1:]) if plain else None
        return shapes[name]

    def _kept(self, values: Iterable[Any], own: tuple[Any, ...]) -> bool:
        """Whether each generator among what a frame holds is live or on the stack, or may be thrown away."""
        kept = [*map(id, own), *map(id, self.running)]
        return not [each for each in values if type(each) is GENERATOR and id(each) not in kept and finishes(each)]

    def _fixed(self, info: Points, cells: tuple[Any, ...]) -> bool:
        """Whether variables that a frame shares with inner functions are all set, and not assigned to again."""
        self.cells.update(map(id, cells))
        return not info.rebound and all(map(_is_set, cells))

    def single(self, function: types.FunctionType) -> types.FunctionType | None:
        """Return one function for all that do the same, or None.

        Of those that the program made, that is where all that they hold is plain and not assigned to again.
        """
        code = function.__code__
        if id(code) not in REWRITER.inner or self.world.holds(function):
            return function if self.world.constant(function) else None
        if function.__defaults__ or function.__kwdefaults__ or function.__dict__:
            return None
        name = [id(code), id(function.__globals__), function.__name__, function.__qualname__]
        for cell in [cell for cell in function.__closure__ or () if id(cell) not in CONSTANT_CELLS]:
            kind = type(cell.cell_contents) if id(cell) in self.cells or id(cell) in self.held else list
            if kind not in HELD:
                return None
            told = TOLD[kind](self, cell.cell_contents) if kind in TOLD else cell.cell_contents
            if told is OTHER:
                return None
            name += (kind, told)
        found = self.functions.get(tuple(name))
        if found is None:
            found = self.functions[tuple(name)] = self._holding(function)
        return found

    def _holding(self, function: types.FunctionType) -> types.FunctionType:
        """Return a function that does the same, and holds the same in variables of its own."""
        cells = [
            cell if id(cell) in CONSTANT_CELLS else types.CellType(cell.cell_contents)
            for cell in function.__closure__ or ()
        ]
        self.held.update(map(id, cells))
        return alike(function, (*cells,) or None)


def _is_set(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not UNSET
    except ValueError:
        return False


def is_flat(values: Iterable[Any], world: World) -> bool:
    """Whether values are such that nothing about them can change, but the coins and what was there before."""
    return all(
        (kind is not tuple and is_plain(kind)) or (is_instance(kind) and world.holds(value))
        for kind, value in ((type(value), value) for value in values)
    )


def is_plain(kind: type) -> bool:
    """Whether values of a type can be told by themselves."""
    return kind in HELD or is_scalar(kind) or is_stand_in(kind)


def _decided(value: Any) -> Any:
    """Return the number that a draw is decided to be, or what was given."""
    node = value._node if type(value) in LAZY else None
    return value._image(node.lo) if node is not None and not node.radix and node.lo == node.hi else value


def _itself(flat: Flat, value: Any) -> Any:
    return value


def _float(flat: Flat, value: float) -> Any:
    return value if value > 0 or value < 0 or str(value) == "0.0" else OTHER


def _scalar(flat: Flat, value: Any) -> Any:
    return value.tobytes() if value == value else OTHER


def _scalar_again(kind: type, told: bytes, flat: Flat, generators: list[Any]) -> Any:
    return sys.modules["numpy"].frombuffer(told, dtype=kind)[0]


def _iterator(flat: Flat, value: Any) -> Any:
    if flat.world.holds(value):
        return OTHER
    flat.met.append(id(value))
    _, (over,), place = value.__reduce__()
    return over[place:]


def _function(flat: Flat, value: types.FunctionType) -> Any:
    """Tell a function by one that does the same; in a tuple where the program made it."""
    found = flat.single(value)
    if found is None or found is value:
        return found or OTHER
    flat.met.append(id(value))
    return (found,)


def _generator(flat: Flat, value: Any) -> Any:
    """Tell a generator by its place on the stack, or where it waits as a state of its own."""
    for place, each in enumerate(flat.running):
        if each is value:
            return place
    frame = value.gi_frame
    if frame is None or value.gi_running or value.gi_yieldfrom is not None or flat.world.holds(value):
        return OTHER
    point, known = frame.f_locals.get("_dp_at", 0), flat.waiting.get(id(value))
    if known is None or known.frames[0][1] != point:
        info = INFOS.get(value.gi_code)
        if info is None or info.finishes or (not point and ("_dp_pc" in frame.f_locals or info.cells)):
            return OTHER
        known = Stack([(frame, point, value)])
    flat.met.append(id(value))
    return flat.told(known) or OTHER


def _generating(told: Any, flat: Flat, generators: list[Any]) -> Any:
    if type(told) is int:
        return generators[told]
    function, record = told[0].frames[0][0], told[0].restored(told, flat, generators)[0]
    made = waiting(function, record)
    if record[0]:  # it has begun, and comes back to where it waits
        flat.waiting[id(made)] = Stack([(made.gi_frame, record[0], made)], [function])
    return made


TOLD: dict[type, Callable[[Flat, Any], Any]] = {
    float: _float,
    Fraction: lambda flat, value: value.as_integer_ratio(),
    Coins: lambda flat, value: None if value is flat.coins else OTHER,
    tuple: lambda flat, value: value if ATOMS.issuperset(map(type, value)) else OTHER,
    types.FunctionType: _function,
    RANGE_ITERATOR: _iterator,
    GENERATOR: _generator,
}
"""What stands for a value of each type in a key."""
COVERED = AS_THEY_ARE.union(TOLD)
HELD = AS_THEY_ARE | {float, Fraction, Coins, tuple}
"""What a function that the program made may hold."""
MADE: dict[type, Callable[[Any, Flat, list[Any]], Any]] = {
    Fraction: lambda told, flat, generators: Fraction(*told),
    RANGE_ITERATOR: lambda told, flat, generators: iter(told),
    types.FunctionType: lambda told, flat, generators: (
        alike(told[0], told[0].__closure__) if type(told) is tuple else told
    ),
    GENERATOR: _generating,
}
"""The value again, where it is not what stands for it."""
