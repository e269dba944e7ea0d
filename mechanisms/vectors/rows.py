"""Draws in a row, which are one entry of a run's tape until one of them is asked about by itself.

What a program does to all of them alike is found once, on a draw that stands for each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from dpcert.mechanisms.exact.floats import BITS, UNIT, LazyFloat
from dpcert.mechanisms.exact.lazy import LazyInt
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.exact.run import Run


class Untold(Exception):
    """A draw that stands for many was to be decided: they must be taken one by one."""


class Stand(Node):
    """A draw that stands for each draw of a row: it is looked at, and never decided."""

    __slots__ = ("row",)

    def __init__(self, row: Row) -> None:
        super().__init__(row.run, 0, row.bound - 1)
        self.row = row

    def at_most(self, bound: int) -> bool:
        """Return whether all draws are <= bound, where that is so of all or none."""
        if self.lo <= bound < self.hi:
            raise Untold
        return self.hi <= bound

    def modulo(self, shift: int, modulus: int) -> NoReturn:
        """Refuse, since that would split the draw."""
        raise Untold


class Row:
    """Draws below one bound, made one after the other.

    `first` and `last` have for each draw that is merged its part of two records, else None. `group` is what they are
    merged in, and `nodes` the draws once they were asked for one by one.
    """

    __slots__ = ("bound", "count", "first", "group", "last", "nodes", "run", "stand")

    def __init__(self, run: Run, bound: int, count: int) -> None:
        self.run, self.bound, self.count = run, bound, count
        self.stand = Stand(self)
        self.nodes: list[Node] | None = None
        self.group: Any = None
        self.first: list[tuple[int, int] | None] = [None] * count
        self.last = [*self.first]

    def record(self, choose: Callable[[int, int], int]) -> list[tuple[int, int]]:
        """Return concrete numbers, of draws that are not merged those that are chosen between 0 and the greatest."""
        other = self.bound, choose(0, self.bound - 1)
        return [drawn or other for drawn in (self.last if choose is max else self.first)]

    def apart(self) -> list[Node]:
        """Return the draws, each an entry of the tape from now on."""
        if self.nodes is None and self.group is not None:
            self.group.apart()
        if self.nodes is None:
            run = self.run
            run.check()
            place = next(i for i, (_, item) in enumerate(run.tape) if item is self)
            self.nodes = [Node(run, 0, self.bound - 1) for _ in range(self.count)]
            run.tape[place : place + 1] = [(self.bound, node) for node in self.nodes]
        return self.nodes


class Trial:
    """A source of one draw, which stands for each of a row of draws that a run has yet to make."""

    def __init__(self, run: Run, count: int) -> None:
        self.run, self.count = run, count
        self.row: Row | None = None

    def _stand(self, bound: int) -> Stand:
        if self.row is not None:
            raise Untold
        self.row = Row(self.run, bound, self.count)
        return self.row.stand

    def below(self, bound: int) -> Any:
        return LazyInt(self._stand(bound))

    def uniform_float(self) -> Any:
        return LazyFloat(self._stand(1 << BITS), UNIT)
