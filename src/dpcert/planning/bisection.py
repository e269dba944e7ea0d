"""Searches among integers for where a rising predicate turns true."""

from collections.abc import Callable


def least(holds: Callable[[int], bool], low: int, high: int) -> int | None:
    """Return the least number in [low, high] for which a rising predicate holds, None where it holds for none. The
    search begins near `low`: the number of calls grows with the logarithm of the answer.
    """
    # Steps double first: a call far above the answer may cost much more than one near it.
    step, below = 1, low - 1
    while True:
        at = min(below + step, high)
        if at < low or below >= high:
            return None
        if holds(at):
            break
        if at == high:
            return None
        below, step = at, 2 * step
    above = at
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (below, middle) if holds(middle) else (middle, above)
    return above
