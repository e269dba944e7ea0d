"""A run that goes as planned to a state, and from there as any run does, up to the next state."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.enumerator import LazyRun
from dpcert.mechanisms.exact.explore import interior, record_of
from dpcert.mechanisms.exact.floats import plain_random, unit
from dpcert.mechanisms.exact.lazy import LazyInt
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.exact.run import ONE_BIT, Entry, Mark
from dpcert.mechanisms.frames.arrivals import OTHERWISE, Arguments, Arrival, Arrived, Plan
from dpcert.mechanisms.frames.calls import arguments_of
from dpcert.mechanisms.frames.capture import Stack
from dpcert.mechanisms.frames.engine import Around
from dpcert.mechanisms.frames.errors import NotCaptured
from dpcert.mechanisms.frames.solve import START
from dpcert.mechanisms.frames.walk import Walk

FIXED = frozenset({types.FunctionType, types.CellType})


class FrameRun(LazyRun):
    """A run that goes as planned to a state, and from there as any run does, up to the next state."""

    def __init__(self, scope: Around, source: Arrival, entry: Entry) -> None:
        super().__init__(entry, (scope.engine.bits + 8) * ONE_BIT, scope.engine.settings, None)
        self.scope = scope
        self.plan = list(reversed(source.plan))
        self.at_source = source.name != START
        self.factors: list[tuple[int, int]] = []
        self.widths: dict[int, int] = {}  # of what is left undecided of planned draws, by node
        self.arrival: Arrival | None = None
        self.noting = False
        self.given: dict[int, Arguments] = {}  # what calls in progress were given, by their frames

    def note(self, frame: types.FrameType, event: str, argument: Any) -> None:
        """Note what a call is given, until it returns: a profiler of the program."""
        if event == "call":
            if self.scope.engine.notes(frame):
                with self.scope.engine.own(), suppress(NotCaptured):
                    self.given[id(frame)] = arguments_of(frame)
        elif event == "return" and self.given:
            self.given.pop(id(frame), None)

    @contextmanager
    def notes(self) -> Iterator[None]:
        """Note what calls are given while the program runs, if asked for, and unless a profiler is at work."""
        self.noting = self.scope.engine.noting and sys.getprofile() is None
        if not self.noting:
            yield
            return
        sys.setprofile(self.note)
        try:
            yield
        finally:
            sys.setprofile(None)

    def split(self, mark: Mark, sizes: Any, total: int) -> int:
        choice = super().split(mark, sizes, total)
        self.factors.append((sizes[choice], total))
        return choice

    # -- draws

    def planned(self, bound: int, lazy: Callable[[Node], Any], plain: Callable[[int], Any]) -> Any:
        """Return the next number of the plan, or what is left undecided of it."""
        self.ready()
        known, number = self.plan.pop()
        if known != bound:
            self.poison(OTHERWISE)
        if isinstance(number, int):
            self.drawn(bound, number)
            return plain(number)
        node = Node(self, *number)
        self.widths[node.id] = node.count()
        self.drawn(bound, node)
        return lazy(node)

    def below(self, bound: int) -> Any:
        if self.plan or self.arrive(("below", bound)):
            return self.planned(bound, LazyInt, int)
        return super().below(bound)

    def uniform_float(self) -> Any:
        if self.plan or self.arrive(("random",)):
            return self.planned(1 << 53, unit, plain_random)
        return super().uniform_float()

    def fold(self, coins: Coins, items: Any, state: Any, step: Any) -> Any:
        items = list(items)
        if self.plan or self.arrive(("fold",), items, state, step):
            return Plain(self.below).fold(coins, items, state, step)
        return super().fold(coins, items, state, step)

    def loop(self, coins: Coins, state: Any, step: Any) -> Any:
        if self.plan or self.arrive(("loop",), state, step):
            return Plain(self.below).loop(coins, state, step)
        return super().loop(coins, state, step)

    def arrive(self, kind: tuple[Any, ...], *roots: Any) -> bool:
        """Stop at a state that is not the source; else return whether a call begins here whose end is chosen."""
        engine = self.scope.engine
        if self.noting:
            sys.setprofile(None)
        try:
            with engine.own():
                return self._arrive(kind, roots)
            self.poison(str(engine.fault))
        finally:
            if self.noting:
                sys.setprofile(self.note)

    def _arrive(self, kind: tuple[Any, ...], roots: tuple[Any, ...]) -> bool:
        self.ready()
        here = ("call", len(self.tape))
        if len(self.path) < len(self.forced):
            self.at_source = False
            mark = self.forced[len(self.path)][0]
            return mark[:2] == here and self.enter_call(here, mark[2])
        stack = Stack.here()
        if not self.at_source:
            self.stop(stack, kind, roots)
        self.at_source = False
        for count in range(len(stack.frames) - 1, 0, -1):
            name = self.scope.summary(self, stack, count, kind, roots)
            if name is not None:
                return self.enter_call(here, name)
        return False

    def enter_call(self, here: Mark, name: int) -> bool:
        """Choose the end of a call whose law is known, and plan the draws that lead there; whether there are any."""
        summary = self.scope.engine.laws[name]
        self.scope.used = min(self.scope.used, summary.bits)
        end = summary.ends[self.split((*here, name), summary.weights, summary.total)]
        self.plan = list(reversed(end.plan))
        return bool(self.plan)

    def stop(self, stack: Stack, kind: tuple[Any, ...], roots: tuple[Any, ...]) -> None:
        """End the run here if the state can be captured; remember why where it cannot."""
        scope = self.scope
        try:
            scope.engine.look()
            walk = scope.state(stack, len(stack.frames), kind, roots)
            plan = self.told(walk)
        except NotCaptured as error:
            scope.engine.reasons[str(error)] = None
            return
        name = ("state", walk.key())
        told = None if walk.undecided else name
        fixed = told is not None and all(type(each) in FIXED or isinstance(each, type) for each in walk.objects)
        self.arrival = Arrival(name, plan, record_of(self, interior), told, anywhere=fixed)
        self.ended = Arrived(self, "a state")
        raise self.ended

    def told(self, walk: Walk | None) -> Plan:
        """Return the draws of this run, plain where nothing that is left depends on them.

        Raises: NotCaptured for digits of a draw that are kept undecided.
        """
        kept = {id(node) for node in walk.objects if type(node) is Node} if walk is not None and walk.undecided else ()
        if any(node.radix for node in walk.objects if type(node) is Node) if walk is not None and kept else False:
            raise NotCaptured("digits of a draw are kept undecided")
        plan: list[Any] = []
        for bound, item in self.tape:
            if type(item) is not Node:
                plan += [(bound, item)] if bound else item[0]
            elif id(item) in kept:
                plan.append((bound, (item.lo, item.hi)))
            else:
                plan.append((bound, item.pick(interior)))
        return tuple(plan)

    def mass(self) -> Fraction:
        """Return the probability of the decisions after the source, which is also what they left of each draw.

        Raises: NotCaptured where the two differ: the program changed a draw.
        """
        top = bottom = 1
        for size, total in self.factors:
            top *= size
            bottom *= total
        left, whole = self.numerator, self.denominator
        for mark, choice in self.path:
            if mark[0] == "call":
                summary = self.scope.engine.laws[mark[2]]
                left, whole = left * summary.weights[choice], whole * summary.total
        for bound, item in self.tape:
            if type(item) is Node:
                left, whole = left * item.count(), whole * self.widths.get(item.id, bound)
        if left * bottom != whole * top:
            raise NotCaptured("a draw was changed, and not by asking")
        return Fraction(top, bottom)
