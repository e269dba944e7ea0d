"""Bisection: the least integer at which a rising condition is true."""

from collections.abc import Callable


def least(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """Return the least integer in [low, high) at which the condition holds, or `high` where there is none.

    Requires: low <= high; where the condition holds, it holds for every greater integer in [low, high).
    """
    # Inverse transform sampling asks this of an undecided draw. Each comparison halves what the draw may be, so that an
    # audit has one path for each outcome.
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
