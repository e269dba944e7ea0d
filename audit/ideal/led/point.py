"""A point of a path in floats: what each draw of the path is there."""

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcert.audit.ideal.discrete.points import integer_point, point_in, somewhere
from dpcert.mechanisms.exact.run import Signal
from dpcert.mechanisms.ideal.exact import Exact
from dpcert.mechanisms.ideal.noise import HALF, WHOLE_VALUED
from dpcert.mechanisms.ideal.path import Inequality, Path

SCALED = frozenset({"laplace", "exponential", "normal", "gumbel", "logistic"})
"""Noise that has a scale."""


class Strayed(Signal):
    """A run draws otherwise than its path does."""


class Point:
    """The numbers that draws of a path give, in their order."""

    def __init__(self, path: Path, point: Mapping[int, float]) -> None:
        self.values = [
            int(point.get(name, 1)) if law.kind in WHOLE_VALUED else point.get(name, somewhere(name))
            for name, law in enumerate(path.laws)
        ]
        self.inputs = {name: x for name, x in point.items() if name < 0}
        for each in path.narrowed:
            # A float between two numbers; those that depend on epsilon are taken where it is 1.
            both = (each.low + each.high) * Exact.of(HALF)
            self.values[each.name] = float((both.at(Fraction(1)) if both.is_open() else both).enclosed().mid())
        for derived in path.derived:
            self.values[derived.uniform] = derived.uniform_at(self.values[derived.name])
        compared = {place for each in path.narrowed for place in each.draws}
        own = {derived.name for derived in path.derived} | set(counters_of(path))
        self._sides = [side for place, side in enumerate(path.drawn) if place not in compared]
        drawn = [(law, x) for name, (law, x) in enumerate(zip(path.laws, self.values, strict=True)) if name not in own]
        self._noises = [(law.kind, x * float(law.rate.factor) if law.kind in SCALED else x) for law, x in drawn]
        self._strayed: str | None = None

    def symbol(self, name: int) -> float:
        """Return what a number of an open input is."""
        return self.inputs.setdefault(name, somewhere(name))

    def noise(self, kind: str) -> Any:
        """Return the next noise, which is of a kind, around 0 and of scale 1. scipy draws Gumbel noise by a uniform
        number.

        Raises: Strayed for another one.
        """
        (law, value), *self._noises = self._noises or [("", 0.0)]
        if law == "gumbel" and kind == "uniform":
            return math.exp(-math.exp(-value))
        return value if law == kind else self._stray("other draws")

    def choose(self) -> int:
        """Return the position of one of finitely many values, the next that is drawn.

        Raises: Strayed where no more are.
        """
        return self._sides.pop(0) if self._sides else self._stray("more draws")

    def _stray(self, words: str) -> Any:
        self._strayed = self._strayed or words
        raise Strayed(words)

    def left(self) -> str | None:
        """Return in words what ended the run, or what it left undrawn."""
        return self._strayed or ("fewer draws" if self._noises or self._sides else None)


def point_of(path: Path) -> Point | None:
    """Return a point well inside a path; None where it is empty.

    Raises: Unauditable for a path on open integers where none is found.
    """
    # nothing draws the number of turns of a loop: one turn alone is run
    one = tuple(Inequality(((name, 1),), Fraction(3, 2), above=False) for name in counters_of(path))
    path = replace(path, inequalities=(*path.inequalities, *one))
    found = integer_point(path) if path.integers else point_in(path)
    return None if found is None else Point(path, found)


def counters_of(path: Path) -> list[int]:
    """Return the variables that count the turns of loops."""
    return [loop.counter for loop in path.loops if loop.counter is not None]
