"""Paths through a chain of states that take every way, few and short, each as draws on plain numbers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from dpcert.mechanisms.exact.explore import Record, interior
from dpcert.mechanisms.states.reader import Kind
from dpcert.mechanisms.states.solve import Graph, order
from dpcert.mechanisms.states.summarise import Answer

Way = tuple[int, int]
"""A way: the state it leaves, and its place among the ways of that state."""
Path = list[Way]


def _demand(graph: Graph, demands: dict[int, list[int]]) -> None:
    """Raise how often each way is to be taken, from once or never, so that paths that share ways take all of them.

    From the last states back, each way in is taken once, and one of them as often as the ways out need beyond that.
    """
    into = _into(graph)
    for group in reversed(order(graph)):
        if len(group) > 1:
            continue
        state = group[0]
        entries = [entry for entry in into.get(state, ()) if entry[0] != state]
        lacking = sum(demands[state]) - sum([demands[source][place] for source, place in entries])
        if entries and lacking > 0:
            share, more = divmod(lacking, len(entries))
            for i, (source, place) in enumerate(entries):
                demands[source][place] += share + (i < more)


def paths(graph: Graph, known: Callable[[Way], bool] | None) -> Iterator[Path]:
    """Yield paths from state 0 to ends that together take every way after which an end is reached, but known ones."""
    ways = graph.ways
    onward = _onward(graph)
    left = {
        state: [int(to in onward or to in graph.ends) for to, _ in out]
        if known is None
        else [
            int((to in onward or to in graph.ends) and not known((state, place))) for place, (to, _) in enumerate(out)
        ]
        for state, out in ways.items()
    }
    lacking = {state: sum([need << place for place, need in enumerate(needs)]) for state, needs in left.items()}
    _demand(graph, left)
    first = dict.fromkeys(ways, 0)

    def needed(state: int) -> int | None:
        """Return the place of the first way from a state that is needed still."""
        needs = left[state]
        for place in range(first[state], len(needs)):
            if needs[place] > 0:
                first[state] = place
                return place
        first[state] = len(needs)
        return None

    def walk(state: int, path: Path) -> Path:
        """Go on to an end: by a way that is needed, else by a shortest one."""
        while state in ways:
            place = needed(state)
            if place is None:
                place = onward[state]
            path.append((state, place))
            left[state][place] -= 1
            state = ways[state][place][0]
        for state, place in path:
            lacking[state] &= ~(1 << place)
        return path

    while needed(0) is not None:
        yield walk(0, [])
    came = _came(graph) if any(lacking.values()) else {}
    for state, out in ways.items():
        for place in range(len(out)):
            if lacking[state] >> place & 1:
                yield walk(out[place][0], [*_back(came, state), (state, place)])


def _into(graph: Graph) -> dict[int, list[Way]]:
    """Return for each state the ways into it."""
    into: dict[int, list[Way]] = {}
    for state, out in graph.ways.items():
        for place, (to, _) in enumerate(out):
            if to in graph.ways:
                into.setdefault(to, []).append((state, place))
    return into


def _onward(graph: Graph) -> dict[int, int]:
    """Return for each state the place of a way on a shortest path to an end."""
    into = _into(graph)
    found: dict[int, int] = {}
    queue: deque[int] = deque()
    for state, out in graph.ways.items():
        for place, (to, _) in enumerate(out):
            if to in graph.ends and to not in graph.ways and state not in found:
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


def record(path: Path, graph: Graph, kinds: list[Kind], pick: int, answers: bool = False) -> Record:
    """Return draws on plain numbers that lead along a path; `pick` says which of the values that do.

    With `answers`, those of a call are one answer of bound 0.
    """
    draws: list[list[tuple[int, Any]]] = []
    kept: list[int] = []
    for state, place in reversed(path):
        kind = kinds[graph.ways[state][place][1]]
        own: list[tuple[int, Any]] = []
        for bound, spec in kind.draws:
            if bound:
                own.append((bound, _number(spec, kept, pick)))
            elif answers and type(spec) is Answer and spec.name is not None:
                own.append((bound, spec))
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
