"""Hulls: any double between two bounds, in place of the result of two undecided floats.

A hull is an undecided place among all doubles in order. Monotone steps of it, and questions about it, are followed as
for a draw. Not all its doubles need be possible, and their weights mean nothing. So a program's outcomes with hulls are
a superset of its outcomes, and nothing more is claimed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NoReturn

from dpcert.mechanisms.exact.coins import Coins, Done
from dpcert.mechanisms.exact.enumerator import LazyRun
from dpcert.mechanisms.exact.explore import Record, Settings, settle
from dpcert.mechanisms.exact.floats import UNIT, LazyFloat
from dpcert.mechanisms.exact.lazy import LazyInt, image, spread
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.exact.run import Entry, Run
from dpcert.mechanisms.floating.accuracy import SIGN, of_place, place_in_order

RARE = "a path with draws that are rarer than matters was left"


class Count(int):
    """The number of doubles of a hull; a record of draws has it as the bound of a number that was not drawn."""


class Dropped:
    """The paths that were left because their draws alone are rarer than `rare`. `mass` is the probability of these
    draws. `weight` is the paths' share of all, with hulls counted as if they were draws.
    """

    def __init__(self, rare: Fraction) -> None:
        self.rare = rare
        self.mass = self.weight = Fraction(0)

    def run(self, entry: Entry, limit: int, settings: Settings, parent: Run | None) -> Hulls:
        """Return a run that leaves its path where it is rare."""
        return Hulls(entry, limit, settings, parent, self)


class Hulls(LazyRun):
    """A run in which the result of two undecided floats is a hull; its weights are no probabilities."""

    def __init__(self, entry: Entry, limit: int, settings: Any, parent: Run | None, dropped: Dropped) -> None:
        super().__init__(entry, limit, settings, parent)
        self.dropped = dropped

    def drawn(self, bound: int, item: Any) -> Any:
        """Record a draw, and return it; before it, a path whose draws are rare is left."""
        if self.dropped.rare and self.parent is None and self.ended is None:
            mass = self._mass(draws_alone=True)
            if mass < self.dropped.rare:
                self.dropped.mass += mass
                self.dropped.weight += self._mass() * Fraction(self.numerator, self.denominator)
                super().give_up(RARE)
        return super().drawn(bound, item)

    def give_up(self, message: str) -> NoReturn:
        """End the enumeration: a statement on all paths cannot omit some."""
        self.check()
        self.poison(message)

    def _mass(self, *, draws_alone: bool = False) -> Fraction:
        numerator = denominator = 1
        for bound, item in self.tape:
            if type(item) is Node and not (draws_alone and type(bound) is Count):
                numerator *= item.count()
                denominator *= bound
        return Fraction(numerator, denominator)

    def any_of(self, count: int, node: Node, actual: Callable[[], int]) -> Node:
        """Return a node of `count` values, all of them taken for possible."""
        del actual
        self.drawn(Count(count), node)
        return node


class Actual(Hulls):
    """A run with hulls along the path of recorded draws, in which every value is known and compared with its bounds."""

    def __init__(self, record: Record, settings: Settings) -> None:
        super().__init__(([], 0, 0, 0), 0, settings, None, Dropped(Fraction(0)))
        self.record: Iterator[tuple[int, int]] = iter(record)
        self.values: dict[int, int] = {}

    def _next(self, bound: int) -> Node:
        self.ready()
        recorded, value = next(self.record, (0, 0))
        if recorded != bound:
            self.poison("the program is no function of its input and coins: followed again, it drew other coins")
        node = Node(self, 0, bound - 1)
        self.values[node.id] = value
        return node

    def any_of(self, count: int, node: Node, actual: Callable[[], int]) -> Node:
        """Return a node whose value is known, and compared with its bounds."""
        self.ready()
        value = actual()
        if not node.least() <= value <= node.greatest():
            self.poison("what several undecided floats make is not within the bounds that were taken for it")
        self.values[node.id] = value
        return node

    def value_of(self, number: int) -> int:
        """Return the value of the node of a number; a remainder of a draw has none that is known."""
        if number not in self.values:
            self.poison("a remainder of an undecided draw, beside several undecided floats, is not followed")
        return self.values[number]

    def below(self, bound: int) -> Any:
        return LazyInt(self._next(bound))

    def uniform_float(self) -> Any:
        return LazyFloat(self._next(1 << 53), UNIT)

    def split(self, mark: Any, sizes: Any, total: int) -> int:
        """Answer a question as the known value of the node does."""
        self.check()
        number, bound = mark
        return 0 if self.value_of(number) <= bound else 1

    def fold(self, coins: Coins, items: Any, state: Any, step: Any) -> Any:
        state = settle(state)
        for item in list(items):
            state = settle(step(state, settle(item), coins))
        return state

    def loop(self, coins: Coins, state: Any, step: Any) -> Any:
        state = settle(state)
        while type(state := settle(step(state, coins))) is not Done:
            pass
        return state.value

    def exhausted(self) -> bool:
        """Whether every recorded number was drawn."""
        return next(self.record, None) is None


def is_hull(x: Any) -> bool:
    """Whether an undecided float is a hull, or comes from one by steps."""
    return x._maps[0] is of_place


def range_of(x: Any) -> tuple[float, float]:
    """Return finite bounds of all values that an undecided float may have on this path. A path without such bounds is
    given up.
    """
    node = x._node
    try:
        low, high = spread(x._maps, node.least(), node.greatest())
        if math.isfinite(low) and math.isfinite(high):
            return low, high
    except (OverflowError, ValueError, ZeroDivisionError):
        pass
    run: Run = node.run
    return run.give_up("a float that several undecided ones make has no finite bounds")


def value_in(x: Any) -> Any:
    """Return the actual value of a number, undecided or not, in a run in which it is known."""
    return image(x._maps, x._node.run.value_of(x._node.id)) if type(x) in (LazyFloat, LazyInt) else x


def hull(run: Hulls, low: float, high: float, kind: type, actual: Callable[[], float]) -> Any:
    """Return any double in [low, high], both zeros where there is one, as a float of a kind that computes in doubles.

    `actual` gives the value in a run in which it is known.
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        run.give_up("what several undecided floats make may be infinite")
    least, greatest = place_in_order(low), place_in_order(high)
    least, greatest = (-1 if least == 0 else least), (0 if greatest == -1 else greatest)

    def place() -> int:
        value = actual()
        return place_in_order(value) if math.isfinite(value) else SIGN

    node = run.any_of(greatest - least + 1, Node(run, least, greatest), place)
    return LazyFloat(node, (of_place,) if kind is float else (of_place, kind))
