"""Evidence that paths through a graph take every way after which an end is reached."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dpcert.mechanisms.states.replaying.cover import Cover, Path, Way
from dpcert.mechanisms.states.replaying.random_paths import LONGEST, MOST, random_paths
from dpcert.mechanisms.states.solve import Graph

STATES = 7
ENDS = frozenset({7, 8})

TARGETS = st.lists(st.lists(st.integers(0, 9), max_size=3), min_size=STATES, max_size=STATES)
"""Where the ways of each state lead: to a state, to an end, or to 9, which is neither, as what was not explored."""


def reached(targets: list[list[int]]) -> list[int]:
    """Return the states that are reached from state 0, in an order that is not that of their numbers."""
    found = [0]
    for state in found:
        found += [to for to in dict.fromkeys(targets[state]) if to < STATES and to not in found]
    return [0, *found[:0:-1]]


def leading_to_ends(targets: list[list[int]], states: list[int]) -> set[int]:
    """Return the states from which an end is reached."""
    found: set[int] = set()
    for _ in states:
        found |= {state for state in states if any(to in ENDS or to in found for to in targets[state])}
    return found


@given(TARGETS, st.sets(st.tuples(st.integers(0, STATES), st.integers(0, 2)), max_size=4))
def test_paths_take_the_ways_that_lead_to_ends_and_are_not_known(targets: list[list[int]], known: set[Way]) -> None:
    states = reached(targets)
    graph = Graph(lambda _: [], ENDS.__contains__, [(1, 3)], 100, lambda: False)
    graph.ways = {state: [(to, 0) for to in targets[state]] for state in states}
    graph.ends = {to for state in states for to in targets[state] if to in ENDS}
    cover = Cover(graph, known.__contains__)
    ending = leading_to_ends(targets, states)
    expected = {
        (state, place)
        for state in states
        for place, to in enumerate(targets[state])
        if (to in ENDS or to in ending) and (state, place) not in known
    }
    assert sorted(cover.ways) == sorted(expected)
    taken: set[Way] = set()
    for path in cover.paths():
        at = 0
        for state, place in path:
            assert state == at
            at = targets[state][place]
        assert at in ENDS
        assert not taken.issuperset(path) or not expected
        taken.update(path)
    assert taken >= expected
    for path in random_paths(cover, 6):
        assert _ends(targets, path)


def _ends(targets: list[list[int]], path: Path) -> bool:
    """Whether a path leads from state 0 to an end."""
    at = 0
    for state, place in path:
        if state != at:
            return False
        at = targets[state][place]
    return at in ENDS


def _graph(targets: list[list[int]]) -> Graph:
    graph = Graph(lambda _: [], ENDS.__contains__, [(1, 2)], 100, lambda: False)
    graph.ways = {state: [(to, 0) for to in out] for state, out in enumerate(targets)}
    graph.ends = {*ENDS}
    return graph


def test_random_paths_pass_loops_any_number_of_times() -> None:
    turns = {len(path) - 1 for path in random_paths(Cover(_graph([[0, 7]]), None), 60)}
    assert turns >= {0, 1, 2, 3, 4}
    assert turns & {*range(5, 10)}
    assert max(turns) > MOST
    nested = _graph([[1, 7], [1, 0]])
    taken = [path for path in random_paths(Cover(nested, None), 60) if path[1:]]
    assert max(path.count((1, 0)) / path.count((0, 0)) for path in taken) > 5


def test_random_paths_end_where_a_loop_is_hardly_ever_left() -> None:
    line = _graph([[at + 1 if at < 5 else 7, at] for at in range(6)])
    many = [[at + 1, max(at - 1, 0)] if at < 5 else [7, 4] for at in range(6)]
    assert len({len(path) for path in random_paths(Cover(line, None), 60)}) > 30
    assert LONGEST < max(len(path) for path in random_paths(Cover(_graph(many), None), 60)) <= LONGEST + 6


def test_where_no_two_ways_meet_there_are_no_random_paths() -> None:
    assert not [*random_paths(Cover(_graph([[1, 2], [7, 8], [7, 8]]), None), 6)]


def test_a_chain_that_may_be_left_at_each_state_has_as_many_paths_as_states() -> None:
    targets = [[7, state + 1] for state in range(STATES - 1)] + [[7, 8]]
    graph = Graph(lambda _: [], ENDS.__contains__, [(1, 3)], 100, lambda: False)
    graph.ways = {state: [(to, 0) for to in out] for state, out in enumerate(targets)}
    graph.ends = set(ENDS)
    assert len([*Cover(graph, None).paths()]) == STATES + 1
