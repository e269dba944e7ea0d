"""Integers that stand for many at once: first + step * j, for every j of a range.

A program that is run on such an integer, and is not refused, goes the same way for every j. Sums, differences,
multiples by known integers, and comparisons with the same answer for every j are followed. All else is refused. So
states that differ in one integer alone are followed as one, wherever they go on alike. Functions in C can tell such an
integer from a plain one unasked: so errors and methods of `int` are not followed.
"""

from __future__ import annotations

import copy
import operator
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.lazy import Affine, Lazy, install
from dpcert.mechanisms.exact.outcome import fresh, key
from dpcert.mechanisms.exact.run import Run
from dpcert.mechanisms.handled import Looked, traced, tracer_of
from dpcert.mechanisms.states.tails.counts import NEEDED, Count, Geometric, Leaves
from dpcert.reading.tails.far import Series


@dataclass(frozen=True, slots=True)
class Released:
    """What a run on such an integer returned: scale * j + shift, and `second` times another number of turns."""

    value: Affine
    second: int = 0


@dataclass(slots=True)
class Every:
    """The integers j that runs are of: all from `first` to `last`, and others that go the same way.

    Those are all between two bounds, which comparisons draw closer. None is no bound.
    """

    first: int
    last: int | None = None
    least: int | None = None
    most: int | None = None
    alone: bool = False  # what is found holds for those from first to last, and as they are met now

    def holds(self, j: int) -> bool:
        """Whether runs are of j too."""
        return (self.least is None or self.least <= j) and (self.most is None or j <= self.most)

    def sign(self, scale: int, shift: int) -> int | None:
        """Return the sign of scale * j + shift, scale > 0, where it is the same for all, and not 0; else None."""
        root, rest = divmod(-shift, scale)
        below = root if rest else root - 1  # the greatest j at which it is negative
        if self.first > root:
            self.least = root + 1 if self.least is None else max(self.least, root + 1)
            return 1
        if self.last is not None and self.last <= below:
            self.most = below if self.most is None else min(self.most, below)
            return -1
        return None


class _Turns:
    """Stands for j in one run: what is asked of it as of a draw is refused."""

    __slots__ = ("every", "run")

    def __init__(self, run: Run, every: Every) -> None:
        self.run = run
        self.every = every

    def __getattr__(self, name: str) -> NoReturn:
        self.run.poison("a loop's count was needed as a number")


Terms = tuple[int, int, int]
"""The scales of two numbers of turns, and a shift."""


class Open(Lazy):
    """An integer scale * j + shift, scale != 0, where the run is of every j at once."""

    __slots__ = ()
    _plain = int
    _maps: Affine

    def __init__(self, value: Any, run: Run, every: Every | None = None) -> None:
        self._node: Any = _Turns(run, every or Every(0))
        self._maps = value

    @property
    def value(self) -> Affine:
        """How it depends on j."""
        return self._maps

    @property
    def terms(self) -> Terms:
        """The scales of the first number of turns and the second, and the shift."""
        return self.value.scale, 0, self.value.shift

    def _decide(self) -> Any:
        self._node.run.poison("a loop's count was needed as a number")

    def _span(self) -> Any:
        return self._decide()

    def _known(self, other: Any) -> Terms:
        """Return how another operand depends on turns; refuse one that is no integer, or of another run."""
        self._node.run.check()
        if type(other) is int or type(other) is bool:
            return 0, 0, int(other)
        if type(other) not in OPEN or other._node.run is not self._node.run:
            self._decide()
        found: Terms = other.terms
        return found

    def _made(self, first: int, second: int, shift: int) -> Any:
        run = self._node.run
        if first and second:
            return Both((first, second, shift), run)
        if second:
            return Second(Affine(second, shift), run)
        return Open(Affine(first, shift), run, self._node.every) if first else shift

    def _added(self, other: Any, own: int, others: int) -> Any:
        return self._made(*(own * a + others * b for a, b in zip(self.terms, self._known(other), strict=True)))

    def _times(self, other: Any) -> Any:
        first, second, by = self._known(other)
        if first or second:
            self._decide()
        return self._made(*(each * by for each in self.terms))

    def _compare(self, other: Any, op: Callable[[Any, Any], Any]) -> Any:
        """Compare by the sign of the difference where it is the same for every j, else refuse."""
        first, second, shift = (a - b for a, b in zip(self.terms, self._known(other), strict=True))
        if first and second:
            self._decide()
        scale = first or second
        if not scale:
            return op(shift, 0)
        if shift % scale and op in (operator.eq, operator.ne):  # the difference is never 0
            return op(1, 0)
        up = 1 if scale > 0 else -1
        sign = self._node.every.sign(up * scale, up * shift)
        return self._decide() if sign is None else op(up * sign, 0)

    def __abs__(self) -> Any:
        return self if operator.ge(self, 0) else -self

    def __neg__(self) -> Any:
        return self._times(-1)


class Second(Open):
    """The same of another number of turns, where the run is of all pairs of two at once."""

    __slots__ = ()

    @property
    def terms(self) -> Terms:
        """The scales of the first number of turns and the second, and the shift."""
        return 0, self.value.scale, self.value.shift


class Both(Open):
    """A sum of multiples of two numbers of turns; it is in no state."""

    __slots__ = ()
    _maps: Any

    @property
    def terms(self) -> Terms:
        """The scales of the first number of turns and the second, and the shift."""
        found: Terms = self._maps
        return found


OPEN = frozenset({Open, Second, Both})


for _name in ("index", "int", "trunc", "floor", "ceil", "invert", "float"):
    setattr(Open, f"__{_name}__", Open._decide)
install(Open, "add sub", lambda op: lambda self, other: self._added(other, 1, op(0, 1)))
install(Open, "add sub", lambda op: lambda self, other: self._added(other, op(0, 1), 1), "__r{}__")
install(Open, "mul", lambda op: Open._times)
install(Open, "mul", lambda op: Open._times, "__r{}__")


@contextmanager
def noting(looked: Looked) -> Iterator[list[Any]]:
    """Note errors that the program raises or meets while the body runs, and methods of `int` that it names."""
    found: list[Any] = []

    def note(frame: types.FrameType, argument: Any) -> None:
        found.append(argument)

    with traced(tracer_of(note, note, looked)):
        yield found


def settled(value: Any, run: Any) -> Any:
    """Return an outcome with all draws in it decided; one that depends on j tells how, and counts are series.

    Raises: Unauditable where the program itself returns what stands for many integers.
    """
    numbers: list[tuple[Geometric, ...]] = []

    def decided(part: Any, depth: int) -> Any:
        kind = type(part)
        if kind is Series or kind is Released:
            raise Unauditable(f"a program returns a {kind.__name__} of dpcert.mechanisms.states")
        if kind is not Count:
            return part._decide() if issubclass(kind, Lazy) else part
        found = part.released()
        if type(found) is int:
            return found
        numbers.append(found[1])
        return found[0]

    if type(value) in OPEN:
        first, second, shift = value.terms
        return Released(Affine(first, shift), second)
    outcome = fresh(value, replace=decided)
    if numbers:
        every = [each for some in numbers for each in some]
        if len({*every}) < len(every) or any(each.terms is not None for each in every):
            run.poison(NEEDED)  # they are not independent
        run.tape.append((0, Leaves(numbers)))
    return outcome


def opened(name: list[Any], shape_of: Callable[[list[Any]], Any]) -> Any:
    """Return the shape of a state that holds such integers, from that of one with known ones, or None."""
    shape = shape_of([0 if type(value) in OPEN else value for value in name])
    for kind in (Open, Second, Both):
        places = tuple(place for place, value in enumerate(name) if type(value) is kind)
        if places and (kind is Both or shape is None):
            return None
        if places:
            shape = with_open(shape, places, second=kind is Second)
    return shape


def with_open(shape: Any, places: tuple[int, ...], *, second: bool = False) -> Any:
    """Return the shape of states whose integers at some places depend on j, for one (`flat.py`) of known ones; or on
    another number of turns, for one of known ones or of such.
    """
    found = shape.opens.get((places, second))
    if found is None:
        found = shape.opens[places, second] = copy.copy(shape)
        found.places, found.closed, found.opens = places, shape, {}
        made = [(place, _second_again if second else _again) for place in places]
        found.told = [*shape.told, *((place, _told) for place in places)]
        found.made = [*shape.made, *made]
        found.inner = [*shape.inner, *(each for each in made if each[0] >= shape.outer)]
        found.integers = shape.integers.difference(places)
        found.shares = True  # frames that hold such an integer are made anew for each run
    return found


def _told(flat: Any, value: Open) -> Affine:
    return value.value


def _again(told: Affine, flat: Any, generators: list[Any]) -> Open:
    return Open(told, flat.of_coins["_source"], flat.every)


def _second_again(told: Affine, flat: Any, generators: list[Any]) -> Second:
    return Second(told, flat.of_coins["_source"])


Name = tuple[Any, ...]
Found = list[tuple[Any, Any, int]]
"""Where the ways from a state lead: the key of a state or an end, its outcome, and the way's kind."""
LEAST = 6
"""So many states that differ in one integer alone were met before any are followed as one."""
MOST_IN_VAIN = 3


def at(name: Name, j: int) -> Name:
    """Return the key of the j-th of the states that a key is of."""
    values = list(name)
    values[0] = name[0].closed
    for place in name[0].places:
        values[place] = name[place](j)
    return (*values,)


@dataclass(slots=True)
class Line:
    """Where the states of one key lead that hold an integer of a range at one place."""

    every: Every
    makes: list[Callable[[int], tuple[Any, Any, int]]]


class Lines:
    """Where states lead that were followed as one, as they differ in one integer alone and go on alike.

    `follow` is given a key, the integers that it is of, and their tasks. It returns where they lead, or None where they
    do not go on alike; they are then halved.
    """

    def __init__(self, follow: Callable[[Name, Every, list[Any]], Found | None]) -> None:
        self.follow = follow
        self.places: dict[Any, int] = {}  # by shape, the place of the integer
        self.known: dict[tuple[int, Name], Line] = {}  # by the place of the integer, and the key without it
        self.met: dict[Name, int] = {}  # by key without the integer, how many states
        self.vain: dict[Any, int] = {}  # by shape, how often in a row none went on alike

    def found(self, name: Name) -> Found | None:
        """Return where a state leads, or None where it has to be followed."""
        place = self.places.get(name[0])
        if place is None:
            return None
        line = self.known.get((place, name[:place] + name[place + 1 :]))
        return [make(name[place]) for make in line.makes] if line and line.every.holds(name[place]) else None

    def together(self, tasks: list[Any]) -> None:
        """Follow states that have shapes, and note where their ways lead for those that can be followed as one."""
        by_shape: dict[Any, list[Any]] = {}
        for task in tasks:
            by_shape.setdefault(task.name[0], []).append(task)
        for shape, members in by_shape.items():
            if not shape.integers or self.vain.get(shape, 0) >= MOST_IN_VAIN:
                continue
            if self.places.get(shape) is None and len(members) < LEAST:
                continue
            if self.places.get(shape) is None or self.vain.get(shape):
                self.places[shape] = max(
                    sorted(shape.integers), key=lambda place: len({task.name[place] for task in members})
                )
            place = self.places[shape]
            lines: dict[Name, list[Any]] = {}
            for task in members:
                lines.setdefault(task.name[:place] + task.name[place + 1 :], []).append(task)
            for rest, line in lines.items():
                self.met[rest] = self.met.get(rest, 0) + len(line)
            parts = [(rest, line) for rest, line in lines.items() if self.met[rest] >= LEAST]
            self.vain[shape] = self.vain.get(shape, 0) + bool(parts)
            while parts:
                rest, part = parts.pop()
                if self._one(rest, sorted(part, key=lambda task: task.name[place]), place):
                    self.vain[shape] = 0
                elif len(part) >= 2 * LEAST:
                    part.sort(key=lambda task: task.name[place])
                    parts += [(rest, part[: len(part) // 2]), (rest, part[len(part) // 2 :])]

    def _one(self, rest: Name, part: list[Any], place: int) -> bool:
        shape = rest[0]
        every = Every(part[0].name[place], part[-1].name[place])
        found = self.follow((with_open(shape, (place,)), *rest[1:place], Affine(1, 0), *rest[place:]), every, part)
        if found is None:
            return False
        line = Line(every, [_maker(*each, shape) for each in found])
        for task in part:
            task.found = [make(task.name[place]) for make in line.makes]
        if not every.alone:
            self.known[place, rest] = line
        return True


def _maker(name: Any, outcome: Any, kind: int, shape: Any) -> Callable[[int], tuple[Any, Any, int]]:
    """Return what gives, for a j, where a way leads."""
    if type(outcome) is Released:
        return lambda j: (key(outcome.value(j)), outcome.value(j), kind)
    if type(name) is not tuple or type(name[0]) is not type(shape) or not name[0].places:
        return lambda j: (name, outcome, kind)
    if len(name[0].places) > 1:
        return lambda j: (at(name, j), outcome, kind)
    (place,) = name[0].places
    (scale, shift), before, after = name[place], (name[0].closed, *name[1:place]), name[place + 1 :]
    return lambda j: ((*before, scale * j + shift, *after), outcome, kind)
