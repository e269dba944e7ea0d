"""Code that draws one uniform integer and is a step function of it: cut at its steps, and drawn on coins.

Code that calls a C library, as `numpy.log`, cannot be followed through an undecided number. But where its outcome
depends on one uniform integer k alone, and is monotone in k up to rounding errors, its law is exact: the code itself
runs at both sides of each step, and at every k near it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import DpcertError, InputError, Unauditable
from dpcert.mechanisms.exact.outcome import key

UNIT = 1 << 53
"""The number of values of a uniform float in [0, 1), as `random.random` and numpy draw it."""
WINDOW = 64
"""The distance from a step of the bisection within which the outcome of the code may change back and forth."""
PROBES = 8
"""The number of k between two windows that are evaluated, to notice code that is not monotone."""


@dataclass(frozen=True, slots=True)
class RaisedError:
    """An exception that the code raises, as an outcome."""

    error: Exception


@dataclass(frozen=True, slots=True)
class Steps:
    """A function of k in [0, ends[-1]): outcomes[i] for k below ends[i] and not below ends[i - 1]."""

    ends: tuple[int, ...]
    outcomes: tuple[Any, ...]

    def at(self, k: Any) -> Any:
        """Return the outcome at k, by questions `k < end` alone; or raise the exception that is the outcome."""
        low, high = 0, len(self.ends) - 1
        while low < high:
            middle = (low + high) // 2
            if k < self.ends[middle]:
                high = middle
            else:
                low = middle + 1
        outcome = self.outcomes[low]
        if isinstance(outcome, RaisedError):
            raise type(outcome.error)(*outcome.error.args)
        return outcome

    def draw(self, coins: Coins) -> Any:
        """Return the outcome at a uniform k."""
        return self.at(coins.below(self.ends[-1]))


def steps(
    function: Callable[[int], Any],
    *,
    count: int,
    pieces: Iterable[int] = (),
    window: int = WINDOW,
    then: Callable[[int], Any] | None = None,
) -> Steps:
    """Return the steps of a function on [0, count); each k within `window` of a step is evaluated by itself.

    Requires: between neighbouring numbers of 0, `pieces`, count, the function agrees with a monotone function at every
              k that is not within `window` of a step of the monotone one.
    Claims:   the returned steps are the function's; an exception that it raises is an outcome. With `then`, whose value
              at k depends on the value of `function` at k alone, the outcomes are the values of `then`.
    Raises:   Unauditable where an evaluated k, near a step or among a few between two steps, shows that the requirement
              fails; InputError for an empty range.
    """
    if count < 1 or window < 1:
        raise InputError(given=f"count={count}, window={window}", needed="both at least 1", remedy="raise them")
    known: dict[int, Any] = {}

    def at(k: int) -> Any:
        if k not in known:
            known[k] = _outcome(function, k)
        return known[k]

    bounds = sorted({0, count, *(k for k in pieces if 0 < k < count)})
    ends: list[int] = []
    outcomes: list[Any] = []
    for start, end in pairwise(bounds):
        reached = start
        for low, high in _windows(at, start, end, window):
            # Between two windows the outcome must stay as it is; the probes notice code of which that is false.
            for k in range(reached, low, max(1, (low - reached) // PROBES)) if low > start else ():
                if _label(at(k)) != _label(outcomes[-1]):
                    raise Unauditable(f"a function of one draw is not monotone beyond its windows: at k = {k}")
            if low > start and _label(at(low)) != _label(outcomes[-1]):
                raise Unauditable(f"a function of one draw is not monotone beyond its windows: before k = {low}")
            reached = high
            for k in range(low, high):
                if not outcomes or _label(at(k)) != _label(outcomes[-1]):
                    outcomes.append(at(k))
                    ends.append(k)
    if then is not None:
        outcomes = [_outcome(then, k) for k in ends]
    return Steps((*ends[1:], count), tuple(outcomes))


def _outcome(function: Callable[[int], Any], k: int) -> Any:
    try:
        return function(k)
    except DpcertError:
        raise
    except Exception as error:  # an outcome like any other
        return RaisedError(error)


def _label(outcome: Any) -> tuple[Any, ...]:
    if isinstance(outcome, RaisedError):
        return "raised", type(outcome.error).__qualname__, key(outcome.error.args)
    return "returned", key(outcome)


def _windows(at: Callable[[int], Any], start: int, end: int, window: int) -> list[tuple[int, int]]:
    """Return disjoint ranges in order, the first from `start` on, that contain all k near a step or an end."""
    near = [start, end, *_changes(at, start, end - 1)]
    merged: list[tuple[int, int]] = []
    for k in sorted(near):
        low, high = max(start, k - window), min(end, k + window)
        if merged and low <= merged[-1][1]:
            merged[-1] = merged[-1][0], high
        else:
            merged.append((low, high))
    return merged


def _changes(at: Callable[[int], Any], low: int, high: int) -> list[int]:
    """Return k in (low, high] at which the outcome differs from the one at k - 1: all such k of a monotone function."""
    changes, open_ranges = [], [(low, high)]
    while open_ranges:
        low, high = open_ranges.pop()
        if low >= high or _label(at(low)) == _label(at(high)):
            continue
        if high - low == 1:
            changes.append(high)
            continue
        middle = (low + high) // 2
        open_ranges += [(low, middle), (middle, high)]
    return changes


class Fixed:
    """A source of randomness that returns given numbers once, in order; for `random()` the float k / 2^53."""

    def __init__(self, *numbers: int) -> None:
        self._numbers = list(numbers)

    def _next(self) -> int:
        if not self._numbers:
            raise Unauditable("the code draws more than was foreseen")
        return self._numbers.pop(0)

    def random(self) -> float:
        """Return the next of the numbers, k, as k / 2^53."""
        return self._next() * 2.0**-53

    def getrandbits(self, bits: int) -> int:
        """Return the next of the numbers."""
        del bits
        return self._next()
