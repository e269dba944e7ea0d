"""numpy's choices, permutations and shuffles as functions of fair coins: what they take, and one draw of each.

The probabilities of a choice are the doubles that numpy compares a uniform draw with. A permutation has numpy's law, as
that of each place that it draws is uniform; the bits behind the places are not numpy's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from dpcert.mechanisms.exact.coins import Coins

CHOSEN = "biufUS"
"""The kinds of dtypes of what may be chosen from: numbers and texts."""


def of_population(a: Any) -> Any:
    """Return what a choice is made from: a number of places, or an array with one axis; None for any other."""
    numpy: Any = sys.modules["numpy"]
    found = numpy.array(a)
    if found.ndim == 0:
        return int(found)
    return found if found.ndim == 1 and found.dtype.kind in CHOSEN else None


def at(population: Any, place: int) -> Any:
    """Return what a choice of a place gives."""
    return place if isinstance(population, int) else population[place]


def by_weight(coins: Coins, population: Any, p: Any) -> Callable[[], Any]:
    """Return the draw of a place by numpy's search of a uniform double among the sums of the probabilities."""
    numpy: Any = sys.modules["numpy"]
    sums = numpy.array(p, dtype=numpy.float64).cumsum()
    sums /= sums[-1]
    row = [float(c) for c in sums]

    def draw() -> Any:
        u: Any = coins.random()
        return at(population, next(place for place, c in enumerate(row) if u < c))

    return draw


def evenly(coins: Coins, population: Any) -> Callable[[], Any]:
    """Return the draw of one of all places, each equally likely."""
    count = population if isinstance(population, int) else len(population)

    def draw() -> Any:
        place: Any = coins.below(count) if count > 1 else 0
        return at(population, place if isinstance(population, int) else int(place))

    return draw


def without_repeats(coins: Coins, population: Any, count: int) -> list[Any]:
    """Return so many different places in random order, each order equally likely."""
    size = population if isinstance(population, int) else len(population)
    places = list(range(size))
    for i in range(count):
        j = i + (int(coins.below(size - i)) if size - i > 1 else 0)
        places[i], places[j] = places[j], places[i]
    return [at(population, place) for place in places[:count]]


def order(coins: Coins, count: int) -> list[int]:
    """Return the places 0 to count - 1 in random order, each order equally likely."""
    places = list(range(count))
    for i in range(count - 1, 0, -1):
        j = int(coins.below(i + 1))
        places[i], places[j] = places[j], places[i]
    return places
