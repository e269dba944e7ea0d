"""One call that was read, and paths through its states that take every way, few and short, each as draws on plain
numbers.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, chain
from typing import Any

from dpcert.mechanisms.exact.explore import Record, interior
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.reader import Reader
from dpcert.mechanisms.states.segment import Kind
from dpcert.mechanisms.states.solve import Graph
from dpcert.mechanisms.states.summarise import Answer, Ended, Records
from dpcert.mechanisms.states.tails.counts import SMALL, Drawn, Leaves
from dpcert.reading.tails.far import Ends, Series

VARIED = int, Drawn
"""Draws that differ from path to path, or with every pick."""
Way = tuple[int, int]
"""A way: the state it leaves, and its place among the ways of that state."""
Path = list[Way]
PICKS = SMALL
"""The choices among values repeat after so many: three of each draw, two of each call."""


class Ways:
    """The ways of a graph by numbers: those of a state follow each other, in the order of the states."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        most = max(graph.ways)
        counts = array("q", bytes(8 * (most + 2)))
        for state, out in graph.ways.items():
            counts[state + 1] = len(out)
        self.first = first = array("q", accumulate(counts))  # the number of the first way of each state
        self.source = array("q", bytes(8 * first[-1]))
        self.target = array("q", bytes(8 * first[-1]))
        for state, out in graph.ways.items():
            for way, (to, _) in enumerate(out, first[state]):
                self.source[way], self.target[way] = state, to
        counts = array("q", bytes(8 * (most + 2)))
        for to in self.target:
            if to in graph.ways:
                counts[to + 1] += 1
        self.start = start = array("q", accumulate(counts))  # the place of the first way into each state
        self.entries, filled = array("q", bytes(8 * start[-1])), start[:]
        for state in graph.ways:
            for way in self.of(state):
                to = self.target[way]
                if to in graph.ways:
                    self.entries[filled[to]] = way
                    filled[to] += 1

    def of(self, state: int) -> range:
        """Return the ways of a state."""
        return range(self.first[state], self.first[state + 1])

    def into(self, state: int) -> Sequence[int]:
        """Return the ways that lead to a state."""
        return self.entries[self.start[state] : self.start[state + 1]]

    def told(self, way: int) -> Way:
        """Return a way by its state, and its place among the ways of that."""
        state = self.source[way]
        return state, way - self.first[state]


def _demand(ways: Ways, demands: array[int]) -> None:
    """Raise how often each way is to be taken, from once or never, so that paths that share ways take all of them.

    From the last states back, each way in is taken once, and one of them as often as the ways out need beyond that.
    """
    for group in reversed(ways.graph.order()):
        if len(group) > 1:
            continue
        state = group[0]
        entries = [way for way in ways.into(state) if ways.source[way] != state]
        if not entries:
            continue
        lacking = sum([demands[way] for way in ways.of(state)]) - sum([demands[way] for way in entries])
        if lacking > 0:
            share, more = divmod(lacking, len(entries))
            for i, way in enumerate(entries):
                demands[way] += share + (i < more)


class Cover:
    """The ways of a graph after which an end is reached, but known ones, and paths from state 0 to ends that together
    take all of them.
    """

    def __init__(self, graph: Graph, known: Callable[[Way], bool] | None) -> None:
        self.graph = graph
        self.numbered = ways = Ways(graph)
        self.onward = _onward(ways)
        self.needed = bytearray(len(ways.source))
        for way in range(len(ways.target)):
            if self.ends(way):
                self.needed[way] = known is None or not known(ways.told(way))
        self.left = self._needs()
        self.next = ways.first[:]  # for each state, the first of its ways that may be left

    def ends(self, way: int) -> bool:
        """Whether an end is reached after a way."""
        to = self.numbered.target[way]
        return to in self.graph.ends or (to in self.graph.ways and self.onward[to] >= 0)

    @property
    def ways(self) -> Iterator[Way]:
        """The ways that the paths take, as far as they are asked for."""
        return map(self.numbered.told, self._needed())

    def _needed(self) -> Iterator[int]:
        return (way for way, needed in enumerate(self.needed) if needed)

    def _needs(self) -> array[int]:
        """Return how often each way is to be taken."""
        needs = array("q", [*self.needed])
        _demand(self.numbered, needs)
        return needs

    def paths(self) -> Iterator[Path]:
        """Yield the paths."""
        path: Path = []
        while self._walked(0, path):
            yield path
            path = []
        lacking = [way for way in self._needed() if self.left[way] > 0]
        before = self._needs() if lacking else self.left
        lacking = [way for way in lacking if self.left[way] == before[way]]
        came = _came(self.graph) if lacking else {}
        for way in lacking:
            if self.left[way] == before[way]:
                state, place = self.numbered.told(way)
                path = [*_back(came, state), (state, place)]
                for source, taken in path:
                    self.left[self.numbered.first[source] + taken] -= 1
                self._walked(self.graph.ways[state][place][0], path)
                yield path

    def _walked(self, state: int, path: Path) -> bool:
        """Prolong a path to an end, by ways that are needed, else by a shortest one; return whether any was needed at
        its beginning.
        """
        known, left, following, first = self.graph.ways, self.left, self.next, self.numbered.first
        begun = False
        while state in known:
            way, end = following[state], first[state + 1]
            if way < end and left[way] <= 0:
                while way < end and left[way] <= 0:
                    way += 1
                following[state] = way
            if way < end:
                begun = True
            elif not begun and not path:
                return False
            else:
                way = self.onward[state]
            place = way - first[state]
            path.append((state, place))
            left[way] -= 1
            state = known[state][place][0]
        return begun


def _onward(ways: Ways) -> array[int]:
    """Return for each state the way on a shortest path to an end; -1 where there is none."""
    graph = ways.graph
    found = array("q", [-1]) * (len(ways.first) - 1)
    queue: deque[int] = deque()
    for state in graph.ways:
        for way in ways.of(state):
            to = ways.target[way]
            if to in graph.ends and to not in graph.ways and found[state] < 0:
                found[state] = way
                queue.append(state)
    while queue:
        for way in ways.into(queue.popleft()):
            state = ways.source[way]
            if found[state] < 0:
                found[state] = way
                queue.append(state)
    return found


def _came(graph: Graph) -> dict[int, Way]:
    """Return for each state a way into it, on a shortest path from state 0."""
    found: dict[int, Way] = {}
    queue = deque([0])
    while queue:
        state = queue.popleft()
        for place, (to, _) in enumerate(graph.ways[state]):
            if to in graph.ways and to not in found and to != 0:
                found[to] = state, place
                queue.append(to)
    return found


def shortest(graph: Graph) -> dict[int, Path]:
    """Return a shortest path to each end."""
    came = _came(graph)
    found: dict[int, Path] = {}
    for state in (0, *came):
        for place, (to, _) in enumerate(graph.ways[state]):
            if to in graph.ends and to not in found:
                found[to] = [*_back(came, state), (state, place)]
    return found


def _back(came: dict[int, Way], state: int) -> Path:
    path = []
    while state:
        path.append(came[state])
        state = came[state][0]
    return path[::-1]


class Recorder:
    """Draws on plain numbers that lead along paths of a graph.

    Those of a way that keeps no draw undecided are the same on every path, so that they are made once.
    """

    def __init__(self, graph: Graph, kinds: list[Kind]) -> None:
        self.graph = graph
        self.kinds = kinds
        self.known: dict[tuple[int, bool], dict[int, Record]] = {}
        self.walked: dict[int, int] = {}  # by state, a bit for each of its ways with each choice

    def record(self, path: Path, pick: int, answers: bool = False) -> Record:
        """Return draws that lead along a path; `pick` says which of the values that do.

        With `answers`, those of a call are one answer of bound 0.
        """
        known = self.known.setdefault((pick, answers), {})
        ways = self.graph.ways
        draws: list[Record] = []
        kept: list[int] = []
        for state, place in reversed(path):
            number = ways[state][place][1]
            own = known.get(number)
            if own is None:
                kind = self.kinds[number]
                own = tuple(_drawn(kind, kept, pick, answers))
                if not kind.carried and all(type(spec) is not int for _, spec in kind.draws):
                    known[number] = own
                kept = [_number(spec, kept, pick) for _, spec in kind.carried]
            elif kept:
                kept = []
            draws.append(own)
        draws.reverse()
        return tuple(chain.from_iterable(draws))

    def new(self, path: Path, pick: int, answers: bool = False) -> tuple[int, int]:
        """Return how many draws of the record of a path come before the first new way on it, and how many after the
        last: a way that takes draws of its own on this path, or that no path before it took with the same draws.
        """
        known, walked = self.known[pick % PICKS, answers], self.walked
        choice = pick % PICKS + PICKS * answers
        kind_of = [self.graph.ways[state][place][1] for state, place in path]
        new = [
            at for at, (state, place) in enumerate(path) if not walked.get(state, 0) >> 2 * PICKS * place + choice & 1
        ] or [len(path)]
        first, after = new[0], new[-1] + 1
        for (state, place), kind in zip(path[first:], kind_of[first:], strict=True):
            if kind in known:
                walked[state] = walked.get(state, 0) | 1 << 2 * PICKS * place + choice
        before, left = kind_of[:first], kind_of[after:]
        return sum([len(known[kind]) for kind in before]), sum([len(known[kind]) for kind in left])

    def go_on(self, graph: Graph) -> None:
        """Go on with another graph of the same states and ways, but for those of state 0."""
        self.graph = graph
        self.walked.pop(0, None)


def _drawn(kind: Kind, kept: list[int], pick: int, answers: bool) -> Iterator[tuple[int, Any]]:
    for bound, each in kind.draws:
        spec = each.at(pick) if type(each) is Drawn else each
        if bound:
            yield bound, _number(spec, kept, pick)
        elif type(spec) is Leaves:
            continue
        elif answers and type(spec) is Answer and spec.name is not None:
            yield bound, spec
        else:
            yield from spec[pick % 2]


def _number(spec: Any, kept: list[int], pick: int) -> int:
    if type(spec) is int:
        return kept[spec]
    three: tuple[int, int, int] = spec if len(spec) == 3 else (*spec, interior(*spec))
    return three[pick % 3]


@dataclass(frozen=True, slots=True)
class Read:
    """One call that was read: its states and ways, and the probabilities of its ends."""

    reader: Reader
    graph: Graph
    weights: dict[int, int]
    total: int

    def numbers(self) -> list[int]:
        """Return the numbers of the ends, in an order that depends on the outcomes alone."""
        return sorted(self.weights, key=lambda end: repr(self.reader.outcomes[end]))

    def told(self, way: Way) -> Any:
        """Return what tells a way from others, also from those of other readings."""
        state, place = way
        to, kind = self.graph.ways[state][place]
        reader = self.reader
        after = key(reader.outcomes[to]) if to in reader.outcomes else reader.keys[to]
        return reader.keys[state] if state else reader.name, reader.kind_of[kind], after

    def known(self, taken: set[Any]) -> Callable[[Way], bool]:
        """Return what tells whether a way is among those that were taken."""
        return lambda way: self.told(way) in taken

    def draws(self) -> bool:
        """Whether anything is drawn on some way."""
        kinds = {kind for out in self.graph.ways.values() for _, kind in out}
        return any(self.reader.kind_of[kind].draws or self.reader.kind_of[kind].carried for kind in kinds)

    def rows(self) -> list[tuple[Any, Fraction]]:
        """Return the outcomes with their probabilities."""
        return [(self.reader.outcomes[end], Fraction(self.weights[end], self.total)) for end in self.numbers()]

    def ended(self, ends: Ends | None = None) -> list[Ended]:
        """Return the ends: each outcome, its probability, and the draws of two paths to it; those of `ends`, if any."""
        recorder, path = self.recorder(), shortest(self.graph)
        records: dict[Any, Any] = {}
        integers: Records = {}
        for end in self.numbers():
            outcome, picks = self.reader.outcomes[end], range(PICKS)
            if type(outcome) is not Series:
                records[key(outcome)] = both = recorder.record(path[end], 0), recorder.record(path[end], 1)
                if type(outcome) is int:
                    integers[outcome] = both
                continue
            for pick in picks:
                with suppress(NotRead):
                    one = recorder.record(path[end], pick)
                    integers.setdefault(self.filled(path[end], pick), (one, one))
        return [
            (outcome, p, integers if type(outcome) is Series else records[key(outcome)])
            for outcome, p in (self.rows() if ends is None else ends.rows)
        ]

    def filled(self, path: Path, pick: int) -> Any:
        """Return the outcome at the end of a path, with the integer of a pick for each of its series."""
        state, place = path[-1]
        to, kind = self.graph.ways[state][place]
        outcome = self.reader.outcomes[to]
        held = [spec for _, spec in self.reader.kind_of[kind].draws if type(spec) is Leaves]
        return held[0].filled(outcome, pick) if held else outcome

    def varied(self, path: Path) -> bool:
        """Whether a call on a path was answered by a count that is undecided."""
        kinds = [self.reader.kind_of[self.graph.ways[state][place][1]] for state, place in path]
        return any(type(spec) is Drawn for kind in kinds for _, spec in kind.draws)

    def recorder(self) -> Recorder:
        """Return what makes draws that lead along a path."""
        return Recorder(self.graph, self.reader.kind_of)
