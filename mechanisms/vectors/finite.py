"""Undecided values that are a function of few cells of draws: what a comparison makes of an element of a vector.

A `Finite` depends on some draws, each uniform on an interval. Its cells are boxes of intervals, one for each draw, that
cover these intervals without overlap; in a cell the value is one and the same.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

from dpcert.mechanisms.exact.floats import LazyFloat
from dpcert.mechanisms.exact.lazy import narrowing, turn
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.floating.enclosed import Enclosed
from dpcert.mechanisms.floating.scalars import LazyScalar

Interval = tuple[int, int]
Box = tuple[Interval, ...]
Cell = tuple[Box, Any]
MOST_VALUES = 4096
"""The greatest number of values of a draw that are told apart one by one."""
MOST_CELLS = 4096
"""The greatest number of cells of one value; a value with more is decided."""


@dataclass(frozen=True, slots=True)
class Finite:
    """An undecided value: the value of the cell that the draws of `nodes` are in."""

    nodes: tuple[Node, ...]
    cells: tuple[Cell, ...]

    def decide(self) -> Any:
        """Return the value, decided by questions about the draws, which narrow them to cells of this value."""
        cells = self.cells
        while True:
            here = tuple((node.least(), node.greatest()) for node in self.nodes)
            cells = tuple(cell for cell in cells if meets(cell[0], here))
            if all(same(value, cells[0][1]) for _, value in cells):
                return cells[0][1]
            place, bound = _border(cells, here)
            self.nodes[place].at_most(bound)

    def settled(self) -> Any:
        """Return the value if it is decided already, else this."""
        here = tuple((node.least(), node.greatest()) for node in self.nodes)
        possible = [value for box, value in self.cells if meets(box, here)]
        return possible[0] if all(same(value, possible[0]) for value in possible) else self

    def map(self, call: Callable[[Any], Any]) -> Finite:
        """Return call(value)."""
        return Finite(self.nodes, tuple((box, call(value)) for box, value in self.cells))


def same(x: Any, y: Any) -> bool:
    """Whether two plain values are the same outcome."""
    return x is y or key(x) == key(y)


def meets(box: Box, other: Box) -> bool:
    """Whether two boxes of the same draws have a point in common."""
    return all(a <= d and c <= b for (a, b), (c, d) in zip(box, other, strict=True))


def size(box: Box) -> int:
    """Return how many points a box has."""
    found = 1
    for low, high in box:
        found *= high - low + 1
    return found


def _border(cells: tuple[Cell, ...], here: Box) -> tuple[int, int]:
    """Return a draw, by its place, and a bound inside its interval at which cells end."""
    for place, (low, high) in enumerate(here):
        ends = sorted({box[place][1] for box, _ in cells if low <= box[place][1] < high})
        if ends:
            return place, ends[len(ends) // 2]
    raise AssertionError("several cells without a border between them")


def interval_of(node: Node) -> Interval | None:
    """Return the interval that a draw is uniform on; None for a draw in mixed radix."""
    return None if node.radix else (node.least(), node.greatest())


def together(values: tuple[Finite, ...], call: Callable[..., Any]) -> Finite | None:
    """Return call of several values that may share draws; None where that has too many cells."""
    nodes = tuple({id(node): node for value in values for node in value.nodes}.values())
    place = {id(node): i for i, node in enumerate(nodes)}
    count = 1
    for value in values:
        count *= len(value.cells)
    if count > MOST_CELLS:
        return None
    found: list[Cell] = []
    for chosen in product(*(value.cells for value in values)):
        box: list[Interval | None] = [None] * len(nodes)
        for value, (part, _) in zip(values, chosen, strict=True):
            for node, interval in zip(value.nodes, part, strict=True):
                i = place[id(node)]
                box[i] = _meet(box[i], interval)
        if all(interval is not None and interval[0] <= interval[1] for interval in box):
            found.append((tuple(interval for interval in box if interval), call(*(value for _, value in chosen))))
    return Finite(nodes, tuple(found))


def _meet(first: Interval | None, second: Interval) -> Interval:
    return second if first is None else (max(first[0], second[0]), min(first[1], second[1]))


def compared(x: LazyFloat | LazyScalar, op: Callable[[Any, Any], Any], c: Any) -> tuple[Cell, ...] | None:
    """Return the cells of op(x, c), for a comparison with a plain number; None where the draw is no interval."""
    here = interval_of(x._node)
    if here is None:
        return None
    steps = (*x._maps, x._plain) if type(x) is LazyScalar else x._maps
    asked = (operator.le, operator.ge) if op in (operator.eq, operator.ne) else (op,)
    turns = sorted({k for one in asked for k in _turns(x._node, steps, _against(one, c))})
    lows = [here[0], *(k + 1 for k in turns)]
    highs = [*turns, here[1]]
    return tuple((((low, high),), op(x._image(low), c)) for low, high in zip(lows, highs, strict=True))


def _against(op: Callable[[Any, Any], Any], c: Any) -> Callable[[Any], bool]:
    return lambda y: bool(op(y, c))


def _turns(node: Node, steps: tuple[Any, ...], holds: Callable[[Any], bool]) -> list[int]:
    """Return each k whose answer differs from that of k + 1; nothing is decided."""
    narrow: Any = narrowing(steps)
    if narrow is not None:
        enclosed: Enclosed = narrow.__self__
        return enclosed.turns(node, steps, holds)
    bound, up = turn(node, steps, holds)
    last = bound if up else bound - 1
    return [last] if node.least() <= last < node.greatest() else []


def values_of(x: LazyScalar) -> tuple[Cell, ...] | None:
    """Return the cells of an undecided integer, one for each value; None where these are too many."""
    here = interval_of(x._node)
    if here is None or here[1] - here[0] >= MOST_VALUES:
        return None
    return tuple((((k, k),), x._image(k)) for k in range(here[0], here[1] + 1))
