"""What draws several values at once on ideal noise, in Python: each value of finitely many is a question of its own."""

from itertools import pairwise
from typing import Any

from dpcert.reading.prelude import refuse


def position(weights: Any) -> Any:
    """The position of one of finitely many values, by weights that need not sum to 1."""


def shaped(items: Any, pattern: Any) -> Any:
    """An array of values, of the type and layout of another one."""


def _filled(draw: Any, rows: Any, pattern: Any) -> Any:
    return shaped([draw(*row) for row in rows], pattern)


def _drawn_without_repeats(items: Any, weights: Any, pattern: Any) -> Any:
    """One after the other, by the weights of those that are left: numpy's draws of the others are drawn anew."""
    left: Any = list(weights)
    found: Any = []
    while len(found) < pattern.size:
        place = position(left)
        left[place] = 0
        found.append(items[place])
    return shaped(found, pattern)


def _choices_drawn(population: Any, weights: Any, cumulative: Any, k: Any) -> Any:
    if cumulative is not None:
        if weights is not None:
            refuse("choices() is called with two kinds of weights")
        weights = [b - a for a, b in pairwise([0, *cumulative])]
    if weights is None:
        weights = [1] * len(population)
    if len(weights) != len(population):
        refuse("choices() is called with other than one weight for each value")
    return [population[position(weights)] for _ in range(k)]


def _sum_in_turn(row: Any, start: Any = 0) -> Any:
    for each in row:
        start = start + each
    return start
