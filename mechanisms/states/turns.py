"""Integers that depend on how often a loop went round: first + step * j, one for every j >= 0 at once.

A program that is run on such an integer, and is not refused, goes the same way for every j. Sums, differences,
multiples by known integers, and comparisons with the same answer for every j are followed. All else is refused.
Functions in C can tell such an integer from a plain one unasked: so errors and methods of `int` are not followed.
"""

from __future__ import annotations

import copy
import operator
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

from dpcert.mechanisms.exact.explore import settle
from dpcert.mechanisms.exact.lazy import Affine, Lazy, install
from dpcert.mechanisms.exact.run import Run, Signal
from dpcert.mechanisms.states.runtime import OURS

METHODS = frozenset(name for name, each in vars(int).items() if type(each) is types.WrapperDescriptorType)
"""Methods of `int` in C, which do not ask what is no `int`: they return `NotImplemented`, or raise an error."""
OWN = (*OURS, "dpcert.mechanisms.states")


@dataclass(frozen=True, slots=True)
class Released:
    """What a run on such an integer returned: scale * j + shift."""

    value: Affine


class _Turns:
    """Stands for j in one run: what is asked of it as of a draw is refused."""

    __slots__ = ("run",)

    def __init__(self, run: Run) -> None:
        self.run = run

    def __getattr__(self, name: str) -> NoReturn:
        self.run.poison("a loop's count was needed as a number")


class Open(Lazy):
    """An integer scale * j + shift, scale != 0, where the run is of every j >= 0 at once."""

    __slots__ = ()
    _plain = int
    _maps: Affine

    def __init__(self, value: Affine, run: Run) -> None:
        self._node: Any = _Turns(run)
        self._maps = value

    @property
    def value(self) -> Affine:
        """How it depends on j."""
        return self._maps

    def _decide(self) -> Any:
        self._node.run.poison("a loop's count was needed as a number")

    def _span(self) -> Any:
        return self._decide()

    def _known(self, other: Any) -> Affine:
        """Return how another operand depends on j; refuse one that is no integer, or of another run."""
        self._node.run.check()
        if type(other) is int or type(other) is bool:
            return Affine(0, int(other))
        if type(other) is not Open or other._node.run is not self._node.run:
            self._decide()
        return Affine(*other.value)

    def _made(self, scale: int, shift: int) -> Any:
        return Open(Affine(scale, shift), self._node.run) if scale else shift

    def _added(self, other: Any, own: int, others: int) -> Any:
        a, b = self._maps, self._known(other)
        return self._made(own * a.scale + others * b.scale, own * a.shift + others * b.shift)

    def _times(self, other: Any) -> Any:
        a, b = self._maps, self._known(other)
        if b.scale:
            self._decide()
        return self._made(a.scale * b.shift, a.shift * b.shift)

    def _compare(self, other: Any, op: Callable[[Any, Any], Any]) -> Any:
        """Compare by the sign of the difference where it is the same for every j >= 0, else refuse."""
        b = self._known(other)
        scale, shift = self._maps.scale - b.scale, self._maps.shift - b.shift
        never = bool(scale) and shift % scale != 0  # is the difference 0
        if scale * shift < 0 or (scale and not shift):
            return op(1, 0) if never and op in (operator.eq, operator.ne) else self._decide()
        return op(shift, 0)

    def __abs__(self) -> Any:
        return self if operator.ge(self, 0) else -self

    def __neg__(self) -> Any:
        return self._made(-self._maps.scale, -self._maps.shift)


for _name in ("index", "int", "trunc", "floor", "ceil", "invert", "float"):
    setattr(Open, f"__{_name}__", Open._decide)
install(Open, "add sub", lambda op: lambda self, other: self._added(other, 1, op(0, 1)))
install(Open, "add sub", lambda op: lambda self, other: self._added(other, op(0, 1), 1), "__r{}__")
install(Open, "mul", lambda op: Open._times)
install(Open, "mul", lambda op: Open._times, "__r{}__")


@contextmanager
def noting() -> Iterator[list[str]]:
    """Note errors that the program raises or meets while the body runs, and methods of `int` that it names."""
    found: list[str] = []

    def tracer(frame: types.FrameType, event: str, argument: Any) -> Any:
        if str(frame.f_globals.get("__name__")).startswith(OWN):
            return None
        if event == "call":
            frame.f_trace_lines = False
            found.extend(METHODS.intersection(frame.f_code.co_names))
        elif event == "exception" and not issubclass(argument[0], (Signal, StopIteration, GeneratorExit)):
            found.append(argument[0].__name__)
        return tracer

    before: Any = sys.gettrace()
    sys.settrace(tracer)
    try:
        yield found
    finally:
        sys.settrace(before)


def settled(value: Any) -> Any:
    """Return an outcome with all draws in it decided; one that depends on j tells how."""
    return Released(value.value) if type(value) is Open else settle(value)


def opened(key: list[Any], shape_of: Callable[[list[Any]], Any]) -> Any:
    """Return the shape of a state that holds such integers, from that of one with known ones, or None."""
    places = tuple(place for place, value in enumerate(key) if type(value) is Open)
    shape = shape_of([0 if type(value) is Open else value for value in key])
    return None if shape is None else with_open(shape, places)


def with_open(shape: Any, places: tuple[int, ...]) -> Any:
    """Return the shape of states whose integers at some places depend on j, for one (`flat.py`) of known ones."""
    found = shape.opens.get(places)
    if found is None:
        found = shape.opens[places] = copy.copy(shape)
        found.places, found.closed = places, shape
        made = [(place, _again) for place in places]
        found.told = [*shape.told, *((place, _told) for place in places)]
        found.made = [*shape.made, *made]
        found.inner = [*shape.inner, *(each for each in made if each[0] >= shape.outer)]
        found.shares = True  # frames that hold such an integer are made anew for each run
    return found


def _told(flat: Any, value: Open) -> Affine:
    return value.value


def _again(told: Affine, flat: Any, generators: list[Any]) -> Open:
    return Open(told, flat.of_coins["_source"])
