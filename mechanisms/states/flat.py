"""States whose frames hold plain values alone, told and made anew by their shape: what most states of loops are.

A shape is the functions on the stack, their points, and the types of their live variables; a key is a shape with the
values. Nothing in such a state can have two names and be changed, but the iterators and the generators on the stack,
which are told one by one. What a shape does not cover is frozen as a whole (`freeze.py`).
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.floats import LazyFloat
from dpcert.mechanisms.exact.lazy import LazyInt
from dpcert.mechanisms.states.freeze import function_of
from dpcert.mechanisms.states.reenter import Points
from dpcert.mechanisms.states.runtime import INFOS, UNSET, blank
from dpcert.mechanisms.states.tokens import ATOMS, World

AS_THEY_ARE = ATOMS | {bool, type(UNSET)}
LAZY = frozenset({LazyInt, LazyFloat})
RANGE_ITERATOR = type(iter(range(0)))
OTHER = object()
"""Stands for a value that a shape does not cover."""

Frames = list[tuple[Any, int, Any]]
"""For each frame its point and its function, or the generator whose frame it is."""


class Shape:
    """The frames of some states: for each its function, whether it is a generator's, and what it restores."""

    def __init__(self, frames: list[tuple[Any, bool, Points, int]], kinds: list[type]) -> None:
        self.frames = [
            (function, generates, point, [UNSET] * len(info.names), info.places[point])
            for function, generates, info, point in frames
        ]
        scalars = [(place, kind) for place, kind in enumerate(kinds, 1) if is_scalar(kind)]
        self.told = [(place, TOLD[kind]) for place, kind in enumerate(kinds, 1) if kind in TOLD]
        self.told += [(place, _scalar) for place, _ in scalars]
        self.made = [(place, MADE[kind]) for place, kind in enumerate(kinds, 1) if kind in MADE]
        self.made += [(place, functools.partial(_scalar_again, kind)) for place, kind in scalars]
        self.iterators = [place for place, kind in enumerate(kinds, 1) if kind is RANGE_ITERATOR]

    def records(self, key: tuple[Any, ...], coins: Coins) -> list[tuple[Any, tuple[Any, ...]]]:
        """Return what the functions of a state are entered again with."""
        generators = [blank(function) if generates else None for function, generates, *_ in self.frames]
        values = list(key)
        for place, make in self.made:
            values[place] = make(values[place], coins, generators)
        records = []
        at = 1
        for (function, _, point, blanks, places), generator in zip(self.frames, generators, strict=True):
            own = blanks.copy()
            for place in places:
                own[place] = values[at]
                at += 1
            records.append((function if generator is None else generator, (point, *own)))
        return records


Shapes = dict[tuple[Any, ...], Shape | None]
"""Shapes by their functions, points and types; None where some value is not plain."""


class Flat:
    """The telling of flat states, with the shapes that were met."""

    def __init__(self, world: World, coins: Coins, shapes: Shapes) -> None:
        self.world = world
        self.coins = coins
        self.shapes = shapes

    def key(self, frames: Frames) -> tuple[Any, ...] | None:
        """Return the key of a state; None where no shape covers it."""
        if "gauss_next" in vars(self.coins):
            return None
        running = [callee if type(callee) is types.GeneratorType else None for _, _, callee in frames]
        names: list[Any] = []
        key: list[Any] = [None]
        for frame, point, callee in frames:
            variables = frame.f_locals
            if types.GeneratorType in map(type, variables.values()) and not _all_run(variables, running):
                return None
            own = [variables.get(name, UNSET) for name in INFOS[frame.f_code].live[point]]
            kinds = [*map(type, own)]
            if not LAZY.isdisjoint(kinds):
                own = [*map(_decided, own)]
                kinds = [*map(type, own)]
            names += (function_of(callee) if type(callee) is types.GeneratorType else callee, point, *kinds)
            key += own
        name = tuple(names)
        try:
            shape = self.shapes[name]
        except KeyError:
            shape = self.shapes[name] = self._shape(frames, key[1:])
        if shape is None:
            return None
        if len(shape.iterators) > 1 and len({id(key[place]) for place in shape.iterators}) < len(shape.iterators):
            return None
        for place, tell in shape.told:
            told = key[place] = tell(self, key[place], running)
            if told is OTHER:
                return None
        key[0] = shape
        return tuple(key)

    def _shape(self, frames: Frames, values: list[Any]) -> Shape | None:
        found = []
        for frame, point, callee in frames:
            info = INFOS[frame.f_code]
            generates = type(callee) is types.GeneratorType
            function = function_of(callee) if generates else callee
            if info.cells or not self.world.constant(function):
                return None
            found.append((function, generates, info, point))
        kinds = [*map(type, values)]
        return Shape(found, kinds) if all(kind in COVERED or is_scalar(kind) for kind in kinds) else None


def is_flat(values: Iterable[Any]) -> bool:
    """Whether values are such that nothing about them can change, but the coins."""
    plain = AS_THEY_ARE | {float, Fraction, Coins}
    return all(kind in plain or is_scalar(kind) for kind in map(type, values))


def is_scalar(kind: type) -> bool:
    """Whether a type is one of numpy's numbers."""
    return kind.__module__ == "numpy" and issubclass(kind, sys.modules["numpy"].number)


def _all_run(variables: dict[str, Any], running: list[Any]) -> bool:
    """Whether all generators among the variables of a frame are on the stack."""
    generators = [value for value in variables.values() if type(value) is types.GeneratorType]
    return all(any(value is each for each in running) for value in generators)


def _decided(value: Any) -> Any:
    """Return the number that a draw is decided to be, or what was given."""
    node = value._node if type(value) in LAZY else None
    return value._image(node.lo) if node is not None and not node.radix and node.lo == node.hi else value


def _float(flat: Flat, value: float, running: list[Any]) -> Any:
    return value if value > 0 or value < 0 or str(value) == "0.0" else OTHER


def _scalar(flat: Flat, value: Any, running: list[Any]) -> Any:
    return value.tobytes() if value == value else OTHER


def _scalar_again(kind: type, told: bytes, coins: Coins, generators: list[Any]) -> Any:
    return sys.modules["numpy"].frombuffer(told, dtype=kind)[0]


def _iterator(flat: Flat, value: Any, running: list[Any]) -> Any:
    if flat.world.holds(value):
        return OTHER
    _, (over,), place = value.__reduce__()
    return over, place


def _entered(told: tuple[range, int], coins: Coins, generators: list[Any]) -> Any:
    made: Any = iter(told[0])
    made.__setstate__(told[1])
    return made


def _running(flat: Flat, value: Any, running: list[Any]) -> Any:
    return next((place for place, each in enumerate(running) if each is value), OTHER)


TOLD: dict[type, Callable[[Flat, Any, list[Any]], Any]] = {
    float: _float,
    Fraction: lambda flat, value, running: value.as_integer_ratio(),
    Coins: lambda flat, value, running: None if value is flat.coins else OTHER,
    tuple: lambda flat, value, running: value if ATOMS.issuperset(map(type, value)) else OTHER,
    types.FunctionType: lambda flat, value, running: value if flat.world.constant(value) else OTHER,
    RANGE_ITERATOR: _iterator,
    types.GeneratorType: _running,
}
"""What stands for a value of each type in a key."""
COVERED = AS_THEY_ARE.union(TOLD)
MADE: dict[type, Callable[[Any, Coins, list[Any]], Any]] = {
    Fraction: lambda told, coins, generators: Fraction(*told),
    Coins: lambda told, coins, generators: coins,
    RANGE_ITERATOR: _entered,
    types.GeneratorType: lambda told, coins, generators: generators[told],
}
"""The value again, where it is not what stands for it."""
