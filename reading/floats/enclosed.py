"""Steps of undecided floats that are not known to be monotone, or are monotone on a part of the line only.

A machine's `log` need not rise where the logarithm does. But it lies between two bounds that rise, and so does its
image under monotone steps. Where both bounds answer a question alike, the machine gives the same answer. The draws at
which the bounds disagree are few and next to each other; there the machine's own functions are evaluated, draw by draw.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dpcert.mechanisms.exact.lazy import image, spread
from dpcert.reading.errors import Refused
from dpcert.reading.floats.accuracy import ASSUMED_ULPS, Real, between, stepped

LARGE = sys.float_info.max
"""The greatest float: a bound that is so large may stand for an infinite one."""
MOST_OPEN = 1 << 16
"""The greatest number of draws in a row that are evaluated one by one; more are not followed."""


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A machine's function, known to lie within `ASSUMED_ULPS` of a real one that is monotone."""

    name: str
    call: Callable[[Any], Any]
    real: Real

    def __call__(self, x: Any) -> Any:
        return self.call(x)

    def bounds(self, a: Any, b: Any) -> tuple[float, float]:
        """Return ordered bounds of the function on what of [a, b] is in its domain, monotone in a and b."""
        inside = (float(x) for x in ((a, b) if a <= b else (b, a)))
        low, high = (x if x > self.real.low else stepped(self.real.low, 1) for x in inside)
        if self.real.falls:
            low, high = high, low
        return between(self.real, low)[0], between(self.real, high)[1]

    def keeps(self, x: Any, y: Any) -> bool:
        """Whether y is near enough to the true value at x."""
        low, high = between(self.real, float(x))
        return bool(low <= y <= high)


@dataclass(frozen=True, slots=True)
class Question:
    """On which side of some number is an image of k, of which each step is monotone or lies between bounds that are?

    k is in [lo, hi].

    Raises: Refused for a function that is seen to be outside of its bounds, and for too many k that bounds leave open.
    """

    lo: int
    hi: int
    steps: tuple[Any, ...]
    holds: Callable[[Any], bool]

    def machine(self, k: int) -> bool:
        """Return the answer at k as the machine's own functions give it."""
        return bool(self.holds(image(self.steps, k)))

    def settled(self, k: int) -> bool | None:
        """Return the answer at k where the bounds give it; it then holds for all k on one side as well."""
        for step, x in _evaluated(self.steps, k):
            if not step.keeps(x, step(x)):
                raise Refused(
                    f"{step.name}({float(x)!r}) is {float(step(x))!r} on this machine, which is not within "
                    f"{ASSUMED_ULPS} units in the last place; it cannot be followed"
                )
        try:
            low, high = spread(self.steps, k, k)
        except (OverflowError, ValueError):  # a bound, which is no value of the machine, leads out of a domain
            return None
        first, second = bool(self.holds(low)), bool(self.holds(high))
        return first if first == second else None

    def turns(self) -> list[int]:
        """Return each k at which the answer is another than at k + 1."""
        lo, hi = self.lo, self.hi
        return sorted({k for first, last in self._open(lo, hi) for k in self._turns(max(lo, first - 1), last)})

    def _turns(self, first: int, last: int) -> Iterator[int]:
        """Yield each k in [first, last] whose answer differs from that of k + 1, both evaluated by the machine."""
        before = self.machine(first)
        for k in range(first, min(last, self.hi - 1) + 1):
            after = self.machine(k + 1)
            if after != before:
                yield k
            before = after

    def _open(self, lo: int, hi: int) -> list[tuple[int, int]]:
        """Return the intervals of draws outside which the bounds give every answer, and it does not change."""
        first, last = self.machine(lo), self.machine(hi)
        if lo == hi:
            return []
        if first == last:
            head = self._reach(lo, hi, 1, first)
            if head == hi:
                return [(lo, hi)]
            foot = self._reach(hi, lo, -1, first)
            found = [] if head == lo else [(lo, head)]
            return found if foot == hi else [*found, (foot, hi)]
        a, b = lo, hi
        while b - a > 1:
            middle = (a + b) // 2
            a, b = (middle, b) if self.machine(middle) == first else (a, middle)
        return [(self._reach(a, lo, -1, first), self._reach(b, hi, 1, last))]

    def _reach(self, start: int, end: int, way: int, answer: bool) -> int:
        """Return the first k tried, from `start` towards `end`, at which the bounds give the answer; else `end`."""
        step = 0
        while True:
            k = start + way * step
            if (k - end) * way >= 0:
                k = end
            if self.settled(k) == answer:
                return k
            if step > MOST_OPEN:
                names = " and ".join(sorted({step.name for step, _ in _evaluated(self.steps, k)}))
                raise Refused(f"{names} leaves more than {MOST_OPEN} draws in a row open at a question")
            if k == end:
                return end
            step = 2 * step + 1


def _evaluated(steps: tuple[Any, ...], x: Any) -> Iterator[tuple[Enclosed, Any]]:
    """Yield each enclosed step taken from x, with its argument."""
    for step in steps:
        if isinstance(step, Enclosed):
            yield step, x
        x = step(x)
