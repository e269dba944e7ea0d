"""Arrays of independent elements as outcomes, by one run of the machine: the law of each element.

Where a run ends and has asked nothing, what it returns is conditioned on nothing; and each element of which an interval
of a draw of its own tells is a function of that draw alone; of an element that several draws make, of these.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.explore import Settings, interior
from dpcert.mechanisms.exact.outcome import key
from dpcert.reading.domains import coins as domain
from dpcert.reading.domains.chains import at
from dpcert.reading.domains.deferred import draws_of, pieces
from dpcert.reading.domains.steps import INTERVALS, finite
from dpcert.reading.errors import Ask, Refused
from dpcert.reading.explore import Explorer, Limits
from dpcert.reading.numpy.factored import Factored
from dpcert.reading.numpy.memory import elements, look, row_of
from dpcert.reading.numpy.records import Array, Deferred
from dpcert.reading.questions import is_changed
from dpcert.reading.replay import Late, Picked, Way, run_again
from dpcert.reading.values import SCALARS, Undecided, Value

MORE_REPLAYS = 8
"""How many replays there are with a random point of each element, beside those that take every point."""
SEED = 20261129
Box = dict[int, tuple[int, int]]
"""The ends of parts of draws' intervals, by the draws' numbers."""
Cell = tuple[Box, Any]
"""A box of the draws that make an element, and the element there."""
MOST_CELLS = 256
Index = int | tuple[int, ...]
"""An index of an element: a number where the array has one axis."""


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


class Unsettled(Picked):
    """A machine that leaves undecided what the program returns."""

    settles = False


def elements_by_states(
    program: Callable[..., Any], value: Any, settings: Settings
) -> tuple[Elements, tuple[str, ...]] | None:
    """Return the law of an outcome that is an array of independent elements, and what is assumed of generators.

    None where it is another outcome, where the run asks anything or leaves anything behind, and where two elements
    depend on one draw. Then the program itself is run on numbers at both ends and inside of each part of each draw.

    Claims: the program's law on fair coins.
    Raises: Unauditable where a replay shows another array.
    """
    explorer = Explorer(program, value, Limits())
    try:
        m = explorer.begin(Unsettled)
        m.run()
        rows = _rows(m)
    except (Ask, Refused, Late):
        return None
    if rows is None or m.result is None:
        return None
    array = m.result[1]
    like = look(array, row_of(array.base)).copy("K")
    law = Factored(tuple(map(_law, rows)))
    if settings.replay:
        for numbers, values in _chosen(m, rows):
            outcome = numpy.array(values, like.dtype).reshape(like.shape)
            run_again(program, value, Way(outcome, [bound for bound, _, _ in m.log], numbers), settings.watch)
    return Elements(like.dtype, tuple(like.shape), law), explorer.entry.notes(explorer.pins)


def _rows(m: Unsettled) -> list[list[Cell]] | None:
    """The cells of each element; None where the elements are not independent, or no array.

    Raises: Refused for an element of many values.
    """
    kind, array = m.result or ("", None)
    if kind != "value" or array.__class__ is not Array or is_changed(m) or any(map(_is_suspended, m.guarded)):
        return None
    if look(array, row_of(array.base)).copy("K").flags.fnc:  # `Elements` tells no layout: it is that of C
        return None
    found: list[list[Cell]] = []
    places: list[int] = []
    for each in elements(array):
        if each.__class__ in SCALARS:
            found.append([({}, each)])
            continue
        if each.__class__ is not Undecided and each.__class__ is not Deferred:
            return None
        draws = {id(draw): draw for draw in draws_of(each)}
        if any(draw.kind not in INTERVALS or number not in m.open for number, draw in draws.items()):
            return None
        cells = _cells(m, each)
        if cells is None or not all(finite(value) for _, value in cells):
            return None
        found.append(cells)
        places += [m.open[number][1] for number in draws]
    return found if len(set(places)) == len(places) else None  # no draw makes two elements


def _is_suspended(generator: Any) -> bool:
    return bool(generator.state == "suspended")


def _cells(m: Unsettled, element: Value) -> list[Cell] | None:
    """The boxes of an element; None where they are too many."""
    if element.__class__ is Undecided:
        place = m.open[id(element.draw)][1]
        ends = sorted({element.draw.lo, *domain.cuts_of(element), element.draw.hi})
        return [({place: (a, b)}, at(element, a)) for a, b in pairwise(ends)]
    found = pieces(element, MOST_CELLS)
    if found is None:
        return None
    return [({m.open[number][1]: (draw.lo, draw.hi) for number, draw in box.items()}, each) for box, each in found]


def _law(cells: list[Cell]) -> Dist:
    weights = [(value, math.prod(b - a for a, b in box.values())) for box, value in cells]
    return Dist.from_weights(weights, sum(weight for _, weight in weights))


POINTS: tuple[Callable[[int, int], int], ...] = (
    lambda a, b: a,
    lambda a, b: interior(a, b - 1),
    lambda a, b: b - 1,
)


def _at(box: Box, point: Callable[[int, int], int]) -> dict[int, int]:
    return {place: point(*ends) for place, ends in box.items()}


def _chosen(m: Unsettled, rows: list[list[Cell]]) -> Iterator[tuple[list[int], list[Value]]]:
    """Yield numbers for all draws, with the elements that they make: each element goes through all of its points."""
    source = random.Random(SEED)
    points = [[(_at(box, point), value) for box, value in row for point in POINTS] for row in rows]
    most = max(map(len, points), default=1)
    for turn in range(most + MORE_REPLAYS):
        numbers = [source.choice((0, interior(0, bound - 1), bound - 1)) for bound, _, _ in m.log]
        values = []
        for row in points:
            found, value = row[turn % len(row)] if turn < most else source.choice(row)
            values.append(value)
            for place, number in found.items():
                numbers[place] = number
        yield numbers, values
