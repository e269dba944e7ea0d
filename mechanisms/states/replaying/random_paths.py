"""Random paths through the states of a call, beside those that take every way: they stay in loops for long.

Paths that take every way once pass a loop once or twice. What a program keeps where no state tells it, such as a count
in a library, may show only after more turns, or after a number of turns between none and all.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from dpcert.mechanisms.states.replaying.cover import Cover, Path

LONGEST = 2_000
"""Ways after which a path goes on to an end by a shortest path."""
MOST = 100
"""A path passes a loop of two ways up to about so many times."""


def random_paths(cover: Cover, count: int) -> Iterator[Path]:
    """Yield some paths from state 0 to ends; the same for the same states and ways. None where no two ways lead to one
    state, as paths that take every way are then all.

    Each prefers, at a state, the ways at even places or those at odd ones: the same at all states, or by lot for each
    state; nearly always, or with a probability that is the path's own.
    """
    if cover.onward[0] < 0 or cover.graph.entries() < len(cover.graph.ways):
        return
    choose = Random(0)
    for number in range(count):
        likely = choose.randrange(1, MOST) if number % 3 else MOST - 1
        yield _path(cover, choose, likely, None if number % 2 else number // 2 % 2)


def _path(cover: Cover, choose: Random, likely: int, preferred: int | None) -> Path:
    ways, first, onward = cover.graph.ways, cover.numbered.first, cover.onward
    preferences: dict[int, int] = {}
    path: Path = []
    state = 0
    while state in ways:
        place = onward[state] - first[state]
        if len(path) < LONGEST:
            side = preferences.setdefault(state, choose.getrandbits(1)) if preferred is None else preferred
            if choose.randrange(MOST) >= likely:
                side = 1 - side
            places = [at for at in range(side, len(ways[state]), 2) if cover.ends(first[state] + at)]
            place = choose.choice(places) if places else place
        path.append((state, place))
        state = ways[state][place][0]
    return path
