"""Curves whose least epsilon at a delta is found by search on bounds of delta."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import exp, log

from dpcert.audit.answer import Answer
from dpcert.audit.profile import BITS
from dpcert.mechanisms.exact.epsilon import Epsilon

_FARTHEST, _NARROW, _HUGE = 350.0, 2.0**-34, 4000


class Searched:
    """A curve that answers `ratio_at` by search on `delta_between`."""

    __slots__ = ()

    def delta_between(self, below: Fraction, above: Fraction) -> tuple[Fraction, Fraction]:
        """Return lo <= delta <= hi for the least delta at an e^epsilon in [below, above], 1 <= below."""
        raise NotImplementedError

    def delta_at(self, epsilon: Epsilon, *, bits: int = BITS) -> Answer:
        """Return the least delta at an epsilon; for one above 2,700 the lower bound is 0."""
        if epsilon.power_of_two_lo() > _HUGE:
            _, hi = self.delta_between(Fraction(1 << _HUGE), Fraction(1 << _HUGE))
            return Answer(Fraction(0), hi, "enclosed")
        return Answer(*self.delta_between(*epsilon.exp_bounds(bits)), "enclosed")

    def ratio_at(self, delta: Fraction | int) -> Answer:
        """Return the least e^epsilon >= 1 at a delta, to about 30 bits, as far as the bounds of delta allow.

        lo is a ratio at which delta is too little, hi one at which it is enough; hi is None where none is found
        below e^700. Both are None for a delta below 0, with which no ratio does.
        """
        if delta < 0:
            return Answer(None, None, "enclosed")
        seen: dict[float, tuple[Fraction, Fraction]] = {}

        def bounds(x: float) -> tuple[Fraction, Fraction]:
            if x not in seen:
                seen[x] = self.delta_between(Fraction(exp(x)), Fraction(exp(x)))
            return seen[x]

        lo, _ = crossing(lambda x: bounds(x)[0], seen, Fraction(delta))
        _, hi = crossing(lambda x: bounds(x)[1], seen, Fraction(delta))
        return Answer(lo, hi, "enclosed")


class DeltaBound:
    """One bound of delta by the logarithm of a ratio, computed once at each. `found` has the bounds until now."""

    __slots__ = ("bound", "found")

    def __init__(self, bound: Callable[[Fraction, Fraction], Fraction]) -> None:
        self.bound = bound
        self.found: dict[float, Fraction] = {}

    def __call__(self, x: float) -> Fraction:
        if x not in self.found:
            self.found[x] = self.bound(Fraction(exp(x)), Fraction(exp(x)))
        return self.found[x]

    def around(self, delta: Fraction) -> tuple[float, float]:
        """Return, of the logarithms asked about, the greatest at which the bound is above delta, and the least beyond.

        Where there is none, it is 0.
        """
        return (
            max((x for x, bound in self.found.items() if bound > delta), default=0.0),
            min((x for x, bound in self.found.items() if bound <= delta), default=0.0),
        )


def crossing(
    bound: Callable[[float], Fraction], seen: Iterable[float], delta: Fraction, narrow: float = _NARROW
) -> tuple[Fraction, Fraction | None]:
    """Return (r, s), close together, for a bound that falls: at r it is above delta, at s it is not.

    r is 1 where the bound is nowhere above delta, s is None where it is above it up to e^700. The bound takes the
    logarithm of a ratio; `seen` are those at which it is known already. Floats place the ratios to try, by secants of
    ln(bound / delta) a little towards the farther end, or by halves where that does not help; the bound is compared
    exactly.
    """

    def gap(x: float) -> float:
        """Return ln(bound / delta), or 1 or -1 where it is infinite or 0; positive where the bound is above delta."""
        found = bound(x)
        size = abs(ln(found) - ln(delta)) if found and delta else 1.0
        return (size or 1.0) if found > delta else -size

    known = {x: gap(x) for x in seen}
    low = max((x for x, at in known.items() if at > 0), default=0.0)
    at_low = known.get(low) or gap(low)
    if at_low <= 0:
        return Fraction(1), Fraction(1)
    if low > _FARTHEST:
        return Fraction(exp(low)), None
    high = min((x for x, at in known.items() if at <= 0), default=max(2 * low, 1 / 16))
    while (at_high := known.get(high) or gap(high)) > 0:
        if high > _FARTHEST:
            return Fraction(exp(high)), None
        low, high, at_low = high, 2 * high, at_high
    last, width = (low + high) / 2, 2 * (high - low)
    while high - low > narrow * high:
        nudge = narrow * high / 4
        root = low + (high - low) * at_low / (at_low - at_high)
        step = max(abs(root - last) / 8, nudge)
        x = root + step if root - low < high - root else root - step
        if 2 * (high - low) > width:
            x = (low + high) / 2
        last, width = root, high - low
        x = min(max(x, low + nudge), high - nudge)
        at_x = gap(x)
        if at_x > 0:
            low, at_low = x, at_x
        else:
            high, at_high = x, at_x
    return Fraction(exp(low)), Fraction(exp(high))


def ln(x: Fraction) -> float:
    """Return about the logarithm of a number of any size."""
    return log(x.numerator) - log(x.denominator)
