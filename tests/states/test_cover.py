"""Evidence that paths through a graph take every way after which an end is reached."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dpcert.mechanisms.states.cover import Cover, Way
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


def test_a_chain_that_may_be_left_at_each_state_has_as_many_paths_as_states() -> None:
    targets = [[7, state + 1] for state in range(STATES - 1)] + [[7, 8]]
    graph = Graph(lambda _: [], ENDS.__contains__, [(1, 3)], 100, lambda: False)
    graph.ways = {state: [(to, 0) for to in out] for state, out in enumerate(targets)}
    graph.ends = set(ENDS)
    assert len([*Cover(graph, None).paths()]) == STATES + 1
