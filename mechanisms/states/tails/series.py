"""The exact law of a program whose loops count their turns: what is far out is summed as geometric series.

States that differ only in integers, by the same steps, are a *line*: state i of it holds base + i * step. From a place
on it, all further states are run as one, on integers that stand for every j >= 0 at once (`turns.py`). Where each such
run either goes one state further on its line, or leaves it in a way that does not depend on j, the probability of the
j-th state is a multiple of ratio^j, and what leaves the line is summed. What is not of this form is not summed.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from fractions import Fraction
from functools import partial
from itertools import count, product, takewhile
from typing import Any

from dpcert.mechanisms.exact.chain import absorb
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.exact.run import Signal
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.flat import Shape
from dpcert.mechanisms.states.reader import Reader
from dpcert.mechanisms.states.solve import Graph
from dpcert.mechanisms.states.tails.lines import (
    Line,
    Move,
    Name,
    moved,
    opened,
    rest_of,
    state_at,
    twice_opened,
    values_at,
)
from dpcert.mechanisms.states.turns import Lines, Released, noting
from dpcert.reading.tails.far import Ends, Series

CUTS = (1, 2, 4, 8, 16, 32, 64)
"""The places on lines from which on all states are tried to be run as one."""
MOST_STATES = 5_000
MOST_LINES = 200
MOST_NODES = 400
MOST_BETWEEN = 16
"""States between two visits of one line."""
MOST_WITHIN = 4
"""States of a line within one that are run on their own."""
NEAR = 3
"""States in a row within which a line is looked for."""
FAR = (1_000, 1_000_003, 2**64 + 1)
"""Values of j, beside those that were explored, at which runs on plain numbers must go as those on every j at once."""
LEAST_EXPLORED = 4
START, TURN = ("state", 0), ("turn",)
LEFT = ("state", "up", "down")
"""Targets from which a program goes on."""

Target = tuple[Any, ...]
Shares = dict[Any, Fraction]  # by target


class _Other(Exception):
    """Says that a program is not of the form that is summed, from some place on."""


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
                rest = rest_of(name, places)
                line = Line(rest, places, step, values_at(name, places))
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
            if found := [move for after in names if (move := moved(name, after)) is not None]:
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
        with noting(reader.world.looked) if opened(name) else nullcontext() as noted:
            ways = self.graph.ways.get(state) or reader.expand([(state, 0)])[0]
        if noted:
            raise _Other
        for to, kind in ways:
            found[to] = found.get(to, Fraction(0)) + Fraction(*self.graph.weights[kind])
        return found

    def _probe(self, name: Name, found: dict[int, Fraction]) -> None:
        """Compare with runs on plain numbers: for all j that were explored in a row, which the program itself is run
        again for, and for some others; so for pairs of two numbers of turns.

        Raises: _Other where one goes elsewhere, or few were explored.
        """
        numbers = 2 if twice_opened(name) else 1
        least = [turns for turns in product(range(LEAST_EXPLORED), repeat=numbers) if sum(turns) < LEAST_EXPLORED]
        every: Iterable[tuple[int, ...]] = ((j,) for j in count())
        if numbers > 1:
            every = [turns for turns in product(range(MOST_BETWEEN), repeat=2) if self._explored(name, turns)]
        explored = [*takewhile(partial(self._explored, name), every)]
        others = [*product(FAR if numbers == 1 else (0, *FAR), repeat=numbers)]
        if not {*explored}.issuperset(least):
            raise _Other
        for turns in (*explored, *others):
            plainly = self._expanded(state_at(name, turns))
            expected: dict[int | None, Fraction] = {}
            for to, p in found.items():
                number = self._number_at(to, turns)
                expected[number] = expected.get(number, Fraction(0)) + p
            if plainly != expected:
                raise _Other

    def _explored(self, name: Name, turns: tuple[int, ...]) -> bool:
        return self.reader.states.get(state_at(name, turns)) in self.graph.ways

    def _number_at(self, to: int, turns: tuple[int, ...]) -> int | None:
        """Return the number of what a state, or an end, is for some turns; None for an end that is not known."""
        outcome = self.reader.outcomes.get(to)
        if type(outcome) is Released:
            value = outcome.value(turns[0]) + (outcome.second * turns[-1] if outcome.second else 0)
            return self.reader.ends.get(key(value))
        name = self._key(to)
        if not opened(name):
            return to
        return self.reader.state(state_at(name, turns if twice_opened(name) else turns[:1]))

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
        rows: list[tuple[Any, Fraction]] = []
        for to, p in left.items():
            if to[0] == "end":
                rows.append((self.reader.outcomes[to[1]], p))
            elif to[0] == "far":
                rows.append((Series(to[1].value.shift, to[1].value.scale, (to[2],)), p))
            else:
                rows += [(outcome, p * share) for outcome, share in _of_series(to[1], (to[3], to[2]))]
        return Ends.of(rows)

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
        alike: dict[Name, tuple[Move, int]] = {}  # how a state differs from the one before, and for how long
        while waiting:
            name = waiting.pop()
            if name in moves:
                continue
            if len(moves) > MOST_BETWEEN:
                raise _Other
            move, count = alike.get(name, (None, 0))
            within = move is not None and count >= min(cut, MOST_WITHIN)
            out: Shares = {}
            for to, p in (self._within(name, move) if within and move else self._ways(name)).items():
                target = to if type(to) is tuple else self._target(to, line, first + 1, way, cut)
                if target[0] == "between":
                    target = self._key(to)
                    waiting.append(target)
                    onward = moved(name, target)
                    if onward is not None:
                        alike.setdefault(target, (onward, 1 + count if onward == move else 1))
                out[target] = out.get(target, Fraction(0)) + p
            moves[name] = out
        return absorb(moves, start)

    def _within(self, name: Name, move: Move) -> dict[Any, Fraction]:
        """Return where the states of a line lead that are open themselves, from one on, for all pairs of turns alike:
        ("further", outcome, ratio), where the second number has the law of the ratio, or a state or an end by number.
        """
        places, step = move
        line = Line(rest_of(name, places), places, step, values_at(name, places))
        found = dict(self._ways(line.every(0, 1)))
        ratio, left = Fraction(0), dict[Any, Fraction]()
        for to, p in found.items():
            outcome, after = self.reader.outcomes.get(to), self._key(to)
            if after and line.place_of(after) == (1, 1):
                ratio = p
            elif type(outcome) is Released and outcome.second:
                left["further", outcome] = p
            elif after and twice_opened(after):
                raise _Other
            else:
                left[to] = p
        if not 0 < ratio < 1:
            raise _Other
        # The j-th state is visited ratio^j times.
        return {(*to, ratio) if type(to) is tuple else to: p / (1 - ratio) for to, p in left.items()}

    def _target(self, to: int, line: Line, next_: int, way: int, cut: int) -> Any:
        if to in self.reader.outcomes:
            outcome = self.reader.outcomes[to]
            return ("far", outcome) if type(outcome) is Released else ("end", to)
        name = self._key(to)
        if not opened(name):
            return self._node(to, cut)
        if line.place_of(name) == (next_, way):
            return TURN
        for other in self.lines:
            place = other.place_of(name)
            if place is not None and place[1] == -1 and other is not line:
                return "down", other, place[0]
        return ("between",)


def _by(target: Any, ratio: Fraction) -> Target:
    """Return a target with the ratio by which it is entered, where it depends on j."""
    return (*target, ratio) if target[0] in ("far", "further", "down") else target


def _of_series(released: Released, ratios: tuple[Fraction, Fraction]) -> list[tuple[Any, Fraction]]:
    """Return the outcomes scale * i + second * j + shift, for i and j of two ratios, as integers and series.

    Raises: _Other where these are neither of one scale nor of opposite ones.
    """
    (scale, shift), second, (r, s) = released.value, released.second, ratios
    if not scale:
        return [(Series(shift, second, (s,)), Fraction(1))]
    if scale == second:
        return [(Series(shift, scale, (min(r, s), max(r, s))), Fraction(1))]
    if scale != -second:
        raise _Other
    both = 1 - r * s  # of the least of the two both are left, and what is more has the law of the greater (`counts.py`)
    return [
        (shift, (1 - r) * (1 - s) / both),
        (Series(shift + scale, scale, (r,)), r * (1 - s) / both),
        (Series(shift + second, second, (s,)), s * (1 - r) / both),
    ]
