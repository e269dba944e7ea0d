"""Lines: states that are equal but for integers, which differ by the same steps from one to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpcert.mechanisms.exact.lazy import Affine
from dpcert.mechanisms.states.flat import Shape
from dpcert.mechanisms.states.turns import at, with_open

Name = tuple[Any, ...]
Move = tuple[tuple[int, ...], tuple[int, ...]]
"""Places in a key, and by how much the integers there differ."""


@dataclass(frozen=True)
class Line:
    """States that are equal but for integers at some places of their keys: state i holds base + i * step there."""

    rest: Name
    places: tuple[int, ...]
    step: tuple[int, ...]
    base: tuple[int, ...]

    def index(self, name: Name) -> int | None:
        """Return which state of the line a key is of; None for another."""
        if name[0] is not self.rest[0] or rest_of(name, self.places) != self.rest:
            return None
        return self._steps([name[place] for place in self.places])

    def _steps(self, values: list[int]) -> int | None:
        count = (values[0] - self.base[0]) // self.step[0]
        moved = [base + count * step for base, step in zip(self.base, self.step, strict=True)]
        return count if moved == values else None

    def at(self, index: int) -> Name:
        """Return the key of one state."""
        return self._filled([base + index * step for base, step in zip(self.base, self.step, strict=True)])

    def every(self, first: int, way: int) -> Name:
        """Return the key of the states first + way * j for every j >= 0, `way` being 1 or -1."""
        pairs = zip(self.base, self.step, strict=True)
        name = self._filled([Affine(way * step, base + first * step) for base, step in pairs])
        return (self._open(), *name[1:])

    def _open(self) -> Shape:
        """Return the shape of all states of the line; a line of states that are open is of a second number of turns."""
        found: Shape = with_open(self.rest[0], self.places, second=bool(self.rest[0].places))
        return found

    def _filled(self, values: list[Any]) -> Name:
        name = list(self.rest)
        for place, value in zip(self.places, values, strict=True):
            name[place] = value
        return (*name,)

    def place_of(self, name: Name) -> tuple[int, int] | None:
        """Return (first, way) where a key is that of the states first + way * j; None for another."""
        shape: Shape = name[0]
        if shape is not self._open() or rest_of(name, self.places)[1:] != self.rest[1:]:
            return None
        values = [name[place] for place in self.places]
        first = self._steps([value.shift for value in values])
        for way in (1, -1):
            if first is not None and [value.scale for value in values] == [way * step for step in self.step]:
                return first, way
        return None


def rest_of(name: Name, places: tuple[int, ...]) -> Name:
    """Return a key without what it has at some places."""
    rest = list(name)
    for place in places:
        rest[place] = None
    return (*rest,)


def opened(name: Name) -> bool:
    """Whether a state depends on a number of turns."""
    return bool(name) and type(name[0]) is Shape and bool(name[0].places)


def state_at(name: Name, turns: tuple[int, ...]) -> Name:
    """Return the key of the state of some turns, those of the first number first."""
    for j in reversed(turns):
        name = at(name, j)
    return name


def twice_opened(name: Name) -> bool:
    """Whether a state depends on a second number of turns."""
    return opened(name) and opened((name[0].closed,))


def values_at(name: Name, places: tuple[int, ...]) -> tuple[int, ...]:
    """Return what a key has at some places."""
    return tuple(name[place] for place in places)


def moved(name: Name, after: Name) -> Move | None:
    """Return the places at which two states differ, and by how much; None where other than integers differ."""
    shape: Shape = name[0]
    if after[0] is not shape:
        return None
    places = tuple(place for place in range(1, len(name)) if name[place] != after[place])
    if not places or not shape.integers.issuperset(places):
        return None
    return places, tuple(after[place] - name[place] for place in places)
