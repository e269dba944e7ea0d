"""Arrays of independent elements as outcomes: the law of each element, where no two depend on one draw.

A program is run once on undecided draws, and the run ends at its first decision, or nearly so. Where it has made none,
what it returns is conditioned on nothing, and each element is a function of its own draws alone.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any, NoReturn

import numpy

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.enumerator import LazyRun, Program
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Leaf, Record, Settings, call, interior, replay
from dpcert.mechanisms.exact.outcome import fresh, key
from dpcert.mechanisms.exact.run import Run, Signal
from dpcert.mechanisms.factored import Factored
from dpcert.mechanisms.floating.functions import is_lazy
from dpcert.mechanisms.vectors.elementwise import few
from dpcert.mechanisms.vectors.finite import Finite, interval_of, size
from dpcert.mechanisms.vectors.rows import Row, Stand
from dpcert.mechanisms.vectors.vector import KINDS, LazyVector

MORE_REPLAYS = 8
"""How many replays there are with a random point of each element, beside those that take every point."""
SEED = 20261127
Index = int | tuple[int, ...]
"""An index of an element: a number where the array has one axis."""
Draw = tuple[Hashable, int]
"""What names a draw, and the bound below which it was drawn."""


@dataclass(frozen=True, slots=True)
class Elements:
    """The law of an array of one dtype and shape, whose elements, in the order of C, are independent."""

    dtype: Any
    shape: tuple[int, ...]
    law: Factored

    @property
    def kind(self) -> tuple[Any, ...]:
        """What tells the dtype and the shape from others, in an outcome."""
        return _kind(self.dtype, self.shape)

    def index(self, place: int) -> Index:
        """Return the index of the element at a place in the order of C."""
        found = tuple(map(int, numpy.unravel_index(place, self.shape))) if self.shape else ()
        return found[0] if len(found) == 1 else found

    def alone(self, place: int) -> Dist:
        """Return the law of an element as a plain number."""
        law = self.law.parts[place]
        found = law.map(lambda value: value.item())
        if len(found) != len(law):
            raise AssertionError("two values of an element are one plain number")
        return found

    def at(self, places: Sequence[int], *, limit: int) -> Dist:
        """Return the law of some elements, as dicts from their indices to plain numbers.

        Raises: InputError where it has more outcomes than the limit.
        """
        names = [*map(self.index, places)]
        joint = Factored(tuple(map(self.alone, places))).expand(limit=limit)
        return joint.map(lambda values: dict(zip(names, values, strict=True)))

    def of_event(self, outcomes: Sequence[Any], *, limit: int) -> Dist | None:
        """Return the law of those elements that all outcomes of an event name by index; None where they do not."""
        places = {key(self.index(place)): place for place in range(len(self.law))}
        named = [[*map(key, outcome)] if type(outcome) is dict else [] for outcome in outcomes]
        if not named or not named[0] or any(names != named[0] for names in named) or not places.keys() >= {*named[0]}:
            return None
        return self.at([places[name] for name in named[0]], limit=limit)

    def possible(self, outcome: Any) -> bool:
        """Whether a plain outcome is of this dtype and shape, and each element a value that it can have."""
        like = type(outcome) is numpy.ndarray and _kind(outcome.dtype, outcome.shape) == self.kind
        return like and all(part.prob(value) for part, value in zip(self.law.parts, outcome.ravel(), strict=True))


def _kind(dtype: Any, shape: Any) -> tuple[Any, ...]:
    return dtype.str, dtype.char, tuple(shape)


@dataclass(frozen=True, slots=True)
class _Element:
    """An element: its draws, its law, and the points that are replayed, each of numbers for the draws and a value."""

    draws: tuple[Draw, ...]
    law: Dist
    points: tuple[tuple[tuple[int, ...], Any], ...]


def elements_of(program: Program, value: Any, settings: Settings) -> tuple[Elements, tuple[str, ...]] | None:
    """Return the law of an outcome that is an array of independent elements, each of few values, and what was noted.

    None where it is another outcome, where something is decided or merged on the way, and where two elements depend on
    one draw. There is one run on undecided draws, whatever the limits. Then plain numbers at both ends and inside of
    each interval of each draw, put together in random ways, must make the same arrays.

    Claims: the program's law on fair coins, as `exact_law`, if the program is a function of its input and coins.
    Raises: Unauditable where a replay shows another array.
    """
    own = replace(settings, limits=replace(settings.limits, max_runs=1), share=_left)
    run = LazyRun(([], 0, 0, 0), 0, own, None)
    thunk = partial(_called, program, value)
    found: tuple[list[_Element], list[Draw]] | None = None
    with own.watch.runs(), own.watch.run(), suppress(Unauditable, Signal):
        outcome, _ = call(thunk, Coins(run))
        if run.ended is None and not run.path and run.numerator == run.denominator:
            found = _read(run, outcome)
    run.finish()
    if found is None:
        return None
    elements, draws = found
    law = Elements(outcome.dtype, tuple(outcome.shape), Factored(tuple(element.law for element in elements)))
    if settings.replay:
        leaves = [Leaf(array, 1, 1, record, record, None) for record, array in _chosen(law, elements, draws)]
        replay(thunk, [(leaf, leaf.record) for leaf in leaves], own)
    return law, tuple(own.notes)


def _called(program: Program, value: Any, coins: Coins) -> Any:
    return program(fresh(value), coins)


def _left(find: Any, run: Run, *step: Any) -> NoReturn:
    """Leave out the steps of a fold or loop, which may take long: they are decisions."""
    run.give_up("a step was not explored")


def _read(run: Run, outcome: Any) -> tuple[list[_Element], list[Draw]] | None:
    """Return the elements of an outcome, and all draws in their order; None where the elements are not independent."""
    if type(outcome) is not LazyVector:
        if type(outcome) is not numpy.ndarray or outcome.dtype.kind not in KINDS or outcome.flags.fnc:
            return None
        listed: list[tuple[Any, int | None]] = [(value, None) for value in outcome.ravel()]
    elif (alike := outcome._alike()) is not None:
        pairs = zip(alike.kinds.tolist(), alike.places.tolist(), strict=True)
        listed = [(alike.table[kind], place) for kind, place in pairs]
    else:
        listed = [(element, None) for element in outcome._elements()]
    draws = _draws(run)
    if draws is None:
        return None
    bounds, taken = dict(draws), set[Hashable]()
    known: dict[Any, Any] = {}
    found: list[_Element] = []
    for entry, place in listed:
        entry = few(entry, known)
        mine = _draws_of(entry, place, bounds)
        if mine is None or not taken.isdisjoint(name for name, _ in mine):
            return None
        taken.update(name for name, _ in mine)
        named = id(entry.cells if type(entry) is Finite else entry), tuple(bound for _, bound in mine)
        if named not in known:
            known[named] = entry, _law_and_points(entry, named[1], outcome.dtype)
        found.append(_Element(mine, *known[named][1]))
    return found, draws


def _draws(run: Run) -> list[Draw] | None:
    """Return all draws of a run in their order; None where some of its tape are no draws by themselves."""
    found: list[Draw] = []
    for bound, item in run.tape:
        if bound:
            found.append((id(item), bound))
        elif type(item) is Row:
            found += [((id(item), place), item.bound) for place in range(item.count)]
        else:
            return None
    return found


def _draws_of(entry: Any, place: int | None, bounds: dict[Hashable, int]) -> tuple[Draw, ...] | None:
    """Return the draws of an element, which no question has narrowed; None where that is not so."""
    if type(entry) is not Finite:
        return None if is_lazy(entry) else ()
    found: list[Draw] = []
    for node in entry.nodes:
        name: Hashable = (id(node.row), place) if type(node) is Stand else id(node)
        bound = bounds.get(name)
        if bound is None or interval_of(node) != (0, bound - 1):
            return None
        found.append((name, bound))
    return tuple(found)


def _law_and_points(entry: Any, bounds: tuple[int, ...], dtype: Any) -> tuple[Dist, tuple[Any, ...]]:
    """Return the law of an element, and of each of its cells both ends and a point inside, with the values there."""
    room = numpy.empty(1, dtype)

    def cast(value: Any) -> Any:
        room[0] = value
        return room[0]

    if type(entry) is not Finite:
        return Dist.point(cast(entry)), (((), cast(entry)),)
    weights = [(cast(value), size(box)) for box, value in entry.cells]
    if sum(weight for _, weight in weights) != prod(bounds):
        raise AssertionError("the cells of an element do not cover its draws")
    whole = prod(bounds)
    points = [
        (tuple(choose(*interval) for interval in box), value)
        for (box, _), (value, _) in zip(entry.cells, weights, strict=True)
        for choose in (min, interior, max)
    ]
    several = {numbers: (numbers, value) for numbers, value in points}
    return Dist.from_weights(weights, whole), tuple(several.values())


def _chosen(law: Elements, elements: list[_Element], draws: list[Draw]) -> Iterator[tuple[Record, Any]]:
    """Yield numbers for all draws, with the array that they make.

    Elements go through their points side by side, each from a random one on; then random points are put together.
    """
    source = random.Random(SEED)
    most = max((len(element.points) for element in elements), default=1)
    shifts = [source.randrange(len(element.points)) for element in elements]
    for turn in range(most + MORE_REPLAYS):
        numbers: dict[Hashable, int] = {}
        array = numpy.empty(len(elements), law.dtype)
        for place, (element, shift) in enumerate(zip(elements, shifts, strict=True)):
            count = len(element.points)
            at, array[place] = element.points[(turn + shift) % count if turn < most else source.randrange(count)]
            numbers |= zip((name for name, _ in element.draws), at, strict=True)
        for name, bound in draws:
            if name not in numbers:
                numbers[name] = source.choice((0, interior(0, bound - 1), bound - 1))
        yield tuple((bound, numbers[name]) for name, bound in draws), array.reshape(law.shape)
