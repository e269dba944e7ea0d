"""The exact law of a program whose loops count their turns: what is far out is summed as geometric series.

States that differ only in integers, by the same steps, are a *line*: state i of it holds base + i * step. From a place
on it, all further states are run as one, on integers that stand for every j >= 0 at once (`turns.py`). Where each such
run either goes one state further on its line, or leaves it in a way that does not depend on j, the probability of the
j-th state is a multiple of ratio^j, and what leaves the line is summed. What is not of this form is not summed.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, takewhile
from typing import Any

from dpcert.mechanisms.exact.chain import absorb
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.lazy import Affine
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.exact.run import Signal
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.flat import Shape
from dpcert.mechanisms.states.reader import Reader
from dpcert.mechanisms.states.solve import Graph
from dpcert.mechanisms.states.tails.far import Ends, Series
from dpcert.mechanisms.states.turns import Lines, Released, at, noting, with_open

CUTS = (1, 2, 4, 8, 16, 32, 64)
"""The places on lines from which on all states are tried to be run as one."""
MOST_STATES = 5_000
MOST_LINES = 16
MOST_NODES = 400
MOST_BETWEEN = 16
"""States between two visits of one line."""
NEAR = 3
"""States in a row within which a line is looked for."""
FAR = (1_000, 1_000_003, 2**64 + 1)
"""Values of j, beside those that were explored, at which runs on plain numbers must go as those on every j at once."""
LEAST_EXPLORED = 4
START, TURN = ("state", 0), ("turn",)
LEFT = ("state", "up", "down")
"""Targets from which a program goes on."""

Name = tuple[Any, ...]
Move = tuple[tuple[int, ...], tuple[int, ...]]
"""Places in a key, and by how much the integers there differ."""
Target = tuple[Any, ...]
Shares = dict[Any, Fraction]  # by target


class _Other(Exception):
    """Says that a program is not of the form that is summed, from some place on."""


@dataclass(frozen=True)
class Line:
    """States that are equal but for integers at some places of their keys: state i holds base + i * step there."""

    rest: Name
    places: tuple[int, ...]
    step: tuple[int, ...]
    base: tuple[int, ...]

    def index(self, name: Name) -> int | None:
        """Return which state of the line a key is of; None for another."""
        if name[0] is not self.rest[0] or _rest(name, self.places) != self.rest:
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
        return (with_open(name[0], self.places), *name[1:])

    def _filled(self, values: list[Any]) -> Name:
        name = list(self.rest)
        for place, value in zip(self.places, values, strict=True):
            name[place] = value
        return (*name,)

    def place_of(self, name: Name) -> tuple[int, int] | None:
        """Return (first, way) where a key is that of the states first + way * j; None for another."""
        shape: Shape = name[0]
        if shape is not with_open(self.rest[0], self.places) or _rest(name, self.places)[1:] != self.rest[1:]:
            return None
        values = [name[place] for place in self.places]
        first = self._steps([value.shift for value in values])
        for way in (1, -1):
            if first is not None and [value.scale for value in values] == [way * step for step in self.step]:
                return first, way
        return None


def _rest(name: Name, places: tuple[int, ...]) -> Name:
    rest = list(name)
    for place in places:
        rest[place] = None
    return (*rest,)


def summed(reader: Reader, graph: Graph) -> Ends | None:
    """Return the exact law of a program whose states were explored and are more than those; None where it has no form
    that is summed.
    """
    if graph.leaks():
        return None
    reader.lines = Lines(lambda name, every, tasks: None)  # each state is run on its own
    series = _Series(reader, graph)
    for cut in CUTS if series.lines else ():
        try:
            return series.ends(cut)
        except (_Other, NotRead, Unauditable, Signal):
            continue
    return None


class _Series:
    """The lines of the states that a reading has met, and the chain that is left when they are summed."""

    def __init__(self, reader: Reader, graph: Graph) -> None:
        self.reader = reader
        self.graph = graph
        self.known: dict[Name, dict[int, Fraction]] = {}
        self.lines = self._lines()

    # -- lines

    def _lines(self) -> list[Line]:
        """Return the lines of which explored states go on within a few ways, each from its state that was met first."""
        found: dict[Any, Line] = {}
        for state in self.graph.ways if len(self.graph.ways) <= MOST_STATES else ():
            name = self._flat(state)
            for places, step in self._moves(state, name) if name else ():
                rest = _rest(name, places)
                line = Line(rest, places, step, _values(name, places))
                if line.index(found.setdefault((rest, places, step), line).at(0)) is None or len(found) > MOST_LINES:
                    return []
        return [*found.values()]

    def _key(self, state: int) -> Name:
        """Return the key of a state; an empty one for an end, and before the program begins."""
        return self.reader.keys[state] or ()

    def _flat(self, state: int) -> Name:
        """Return the key of a state that has a shape; an empty one for others."""
        name = self._key(state)
        return name if name and type(name[0]) is Shape else ()

    def _moves(self, state: int, name: Name) -> list[Move]:
        """Return how a state differs from the next ones that differ in integers alone, within a few ways."""
        met, layer = {state}, [state]
        for _ in range(NEAR):
            layer = [to for each in layer for to, _ in self.graph.ways.get(each, ()) if to not in met]
            met.update(layer)
            names = [after for after in map(self._flat, dict.fromkeys(layer)) if after]
            if found := [moved for after in names if (moved := _moved(name, after)) is not None]:
                return found
        return []

    # -- runs on every j at once

    def _ways(self, name: Name) -> dict[int, Fraction]:
        """Return the states and ends to which all states of a key lead, with probabilities.

        Raises: _Other where runs on plain numbers go elsewhere.
        """
        found = self.known.get(name)
        if found is None:
            found = self._expanded(name)
            self._probe(name, found)
            self.known[name] = found
        return found

    def _expanded(self, name: Name) -> dict[int, Fraction]:
        reader, found = self.reader, dict[int, Fraction]()
        reader.fault = None  # of a run before on other keys
        state = reader.state(name)
        with noting(reader.world.looked) if _opened(name) else nullcontext() as noted:
            ways = self.graph.ways.get(state) or reader.expand([(state, 0)])[0]
        if noted:
            raise _Other
        for to, kind in ways:
            found[to] = found.get(to, Fraction(0)) + Fraction(*self.graph.weights[kind])
        return found

    def _probe(self, name: Name, found: dict[int, Fraction]) -> None:
        """Compare with runs on plain numbers: for all j that were explored in a row, which the program itself is run
        again for, and for some others.

        Raises: _Other where one goes elsewhere, or few were explored.
        """
        explored = [*takewhile(lambda j: self.reader.states.get(at(name, j)) in self.graph.ways, count())]
        if len(explored) < LEAST_EXPLORED:
            raise _Other
        for j in (*explored, *FAR):
            plainly = self._expanded(at(name, j))
            expected: dict[int | None, Fraction] = {}
            for to, p in found.items():
                number = self._number_at(to, j)
                expected[number] = expected.get(number, Fraction(0)) + p
            if plainly != expected:
                raise _Other

    def _number_at(self, to: int, j: int) -> int | None:
        """Return the number of what a state, or an end, is for one j; None for an end that is not known."""
        outcome = self.reader.outcomes.get(to)
        if type(outcome) is Released:
            return self.reader.ends.get(key(outcome.value(j)))
        name = self._key(to)
        return self.reader.state(at(name, j)) if _opened(name) else to

    # -- the chain

    def ends(self, cut: int) -> Ends | None:
        """Return the law, where all states of a line from one place on are left to a series; None for a sum of series
        that is none.

        Raises: _Other, NotRead, Unauditable, Signal where these have another form.
        """
        moves: dict[Any, Shares] = {}
        waiting: list[Target] = [START]
        while waiting:
            node: Any = waiting.pop()
            if node in moves:
                continue
            if len(moves) > MOST_NODES:
                raise _Other
            found = self._leaving(node, cut)
            moves[node] = {to: p for to, p in found.items() if p}
            waiting += [to for to in moves[node] if to[0] in LEFT]
        left: dict[Any, Fraction] = absorb(moves, START)
        return Ends.of(
            [
                (self.reader.outcomes[to[1]] if to[0] == "end" else Series(to[1].shift, to[1].scale, (to[2],)), p)
                for to, p in left.items()
            ]
        )

    def _node(self, state: int, cut: int) -> Target:
        """Return what stands for a state: itself, or all states of a line from it on."""
        name = self._flat(state)
        for line in self.lines if name else ():
            index = line.index(name)
            if index is not None and index >= cut:
                if index > cut:
                    raise _Other
                return "up", line
        return "state", state

    def _leaving(self, node: Any, cut: int) -> Shares:
        """Return where a state, or what is left by a series, is left to, with probabilities."""
        if node[0] == "state":
            ways = self.graph.ways.get(node[1])
            if ways is None:
                raise _Other
            found: Shares = {}
            for to, kind in ways:
                target = ("end", to) if to in self.reader.outcomes else self._node(to, cut)
                found[target] = found.get(target, Fraction(0)) + Fraction(*self.graph.weights[kind])
            return found
        line = node[1]
        if node[0] == "up":
            # The j-th state is visited ratio^j times.
            found = self._left(line, cut, 1, cut)
            ratio = found.pop(TURN, Fraction(0))
            if not 0 < ratio < 1:
                raise _Other
            return {_by(to, ratio): p / (1 - ratio) for to, p in found.items()}
        # The j-th state is entered by (1 - ratio) ratio^j and visited by as much, divided by 1 - turn * ratio.
        _, _, first, ratio = node
        found = self._left(line, first, -1, cut)
        turn = found.pop(TURN, Fraction(0))
        shares = {_by(to, ratio): p / (1 - turn * ratio) for to, p in found.items()}
        below = self._node(self.reader.state(line.at(first + 1)), cut)
        shares[below] = shares.get(below, Fraction(0)) + turn * (1 - ratio) / (1 - turn * ratio)
        return shares

    def _left(self, line: Line, first: int, way: int, cut: int) -> Shares:
        """Return where the states first + way * j of a line lead, for every j alike: one state further in the direction
        of the line (TURN), to an end, to another line, or to a state that does not depend on j.
        """
        start = line.every(first, way)
        moves: dict[Any, Shares] = {}
        waiting: list[Name] = [start]
        while waiting:
            name = waiting.pop()
            if name in moves:
                continue
            if len(moves) > MOST_BETWEEN:
                raise _Other
            out: Shares = {}
            for to, p in self._ways(name).items():
                target = self._target(to, line, first + 1, way, cut)
                if target[0] == "between":
                    target = self._key(to)
                    waiting.append(target)
                out[target] = out.get(target, Fraction(0)) + p
            moves[name] = out
        return absorb(moves, start)

    def _target(self, to: int, line: Line, next_: int, way: int, cut: int) -> Any:
        if to in self.reader.outcomes:
            outcome = self.reader.outcomes[to]
            return ("far", outcome.value) if type(outcome) is Released else ("end", to)
        name = self._key(to)
        if not _opened(name):
            return self._node(to, cut)
        if line.place_of(name) == (next_, way):
            return TURN
        for other in self.lines:
            place = other.place_of(name)
            if place is not None and place[1] == -1 and other is not line:
                return "down", other, place[0]
        return ("between",)


def _opened(name: Name) -> bool:
    return bool(name) and type(name[0]) is Shape and bool(name[0].places)


def _by(target: Any, ratio: Fraction) -> Target:
    """Return a target with the ratio by which it is entered, where it depends on j."""
    return (*target, ratio) if target[0] in ("far", "down") else target


def _values(name: Name, places: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(name[place] for place in places)


def _moved(name: Name, after: Name) -> Move | None:
    """Return the places at which two states differ, and by how much; None where other than integers differ."""
    shape: Shape = name[0]
    if after[0] is not shape or shape.places:
        return None
    places = tuple(place for place in range(1, len(name)) if name[place] != after[place])
    if not places or not shape.integers.issuperset(places):
        return None
    return places, tuple(after[place] - name[place] for place in places)
