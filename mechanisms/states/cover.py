"""Paths through a chain of states that take every way, few and short, each as draws on plain numbers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from dpcert.mechanisms.exact.explore import Record, interior
from dpcert.mechanisms.states.segment import Kind
from dpcert.mechanisms.states.solve import Graph, order

Way = tuple[int, int]
"""A way: the state it leaves, and its place among the ways of that state."""
Path = list[Way]


def _demands(graph: Graph, taken: set[Way]) -> dict[int, list[int]]:
    """Return how often each way is to be taken, so that paths that share ways take all that are not taken yet.

    From the last states back, each way in is taken once, and one of them as often as the ways out need beyond that.
    """
    ways = graph.ways
    demands = {state: [int((state, place) not in taken) for place in range(len(out))] for state, out in ways.items()}
    into: dict[int, list[tuple[int, int]]] = {}
    for state, out in ways.items():
        for place, (to, _) in enumerate(out):
            if to in ways:
                into.setdefault(to, []).append((state, place))
    for group in reversed(order(graph)):
        if len(group) > 1:
            continue
        state = group[0]
        entries = [entry for entry in into.get(state, ()) if entry[0] != state]
        lacking = sum(demands[state]) - sum(demands[source][place] for source, place in entries)
        if entries and lacking > 0:
            share, more = divmod(lacking, len(entries))
            for i, (source, place) in enumerate(entries):
                demands[source][place] += share + (i < more)
    return demands


def paths(graph: Graph, known: Callable[[Way], bool]) -> Iterator[Path]:
    """Yield paths from state 0 to ends that together take every way after which an end is reached, but known ones."""
    ways = graph.ways
    taken = {way for state, out in ways.items() for place in range(len(out)) if known(way := (state, place))}
    left = _demands(graph, taken)
    onward = _onward(graph)
    came = _came(graph)
    for state, out in ways.items():
        for place, (to, _) in enumerate(out):
            if to not in onward and to not in graph.ends:
                left[state][place] = 0
                taken.add((state, place))

    def walk(state: int, path: Path) -> Path:
        """Go on to an end: by the way that is needed most, else by a shortest one."""
        while state in ways:
            needs = left[state]
            most = max(needs)
            place = needs.index(most) if most > 0 else onward[state]
            path.append((state, place))
            needs[place] -= 1
            state = ways[state][place][0]
        taken.update(path)
        return path

    while max(left[0], default=0) > 0:
        yield walk(0, [])
    for state, out in ways.items():
        for place in range(len(out)):
            if (state, place) not in taken:
                yield walk(out[place][0], [*_back(came, state), (state, place)])


def _onward(graph: Graph) -> dict[int, int]:
    """Return for each state the place of a way on a shortest path to an end."""
    into: dict[int, list[tuple[int, int]]] = {}
    found: dict[int, int] = {}
    queue: deque[int] = deque()
    for state, out in graph.ways.items():
        for place, (to, _) in enumerate(out):
            if to in graph.ways:
                into.setdefault(to, []).append((state, place))
            elif to in graph.ends and state not in found:
                found[state] = place
                queue.append(state)
    while queue:
        for state, place in into.get(queue.popleft(), ()):
            if state not in found:
                found[state] = place
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


def shortest(graph: Graph, end: int) -> Path:
    """Return a shortest path to an end."""
    came = _came(graph)
    return next(
        [*_back(came, state), (state, place)]
        for state in (0, *came)
        for place, (to, _) in enumerate(graph.ways[state])
        if to == end
    )


def _back(came: dict[int, Way], state: int) -> Path:
    path = []
    while state:
        path.append(came[state])
        state = came[state][0]
    return path[::-1]


def record(path: Path, graph: Graph, kinds: list[Kind], pick: int) -> Record:
    """Return draws on plain numbers that lead along a path; `pick` says which of the values that do."""
    draws: list[list[tuple[int, int]]] = []
    kept: list[int] = []
    for state, place in reversed(path):
        kind = kinds[graph.ways[state][place][1]]
        own: list[tuple[int, int]] = []
        for bound, spec in kind.draws:
            if bound:
                own.append((bound, _number(spec, kept, pick)))
            else:
                own.extend(spec[pick % 2])
        draws.append(own)
        kept = [_number(spec, kept, pick) for _, spec in kind.carried]
    return tuple(draw for own in reversed(draws) for draw in own)


def _number(spec: Any, kept: list[int], pick: int) -> int:
    if type(spec) is int:
        return kept[spec]
    three: tuple[int, int, int] = spec if len(spec) == 3 else (*spec, interior(*spec))
    return three[pick % 3]
