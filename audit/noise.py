"""The pairs of laws that noise makes: the privacy of a number with noise that differs by the sensitivity.

Each lies between two exact profiles, from its best events, those above a place, at finitely many ratios. Floats choose
the ratios; the bounds are those of balls. At e^epsilon = E the best event S has the least delta d(E) = p(S) - E q(S).
The hull of the points (q(S), p(S)) is nowhere above the pair's, as they are events. No event is above a line
p = E q + d(E), so the lowest of these lines is nowhere below the pair's. Both touch it at every E: between these, the
error is of second order in their distance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Any

import flint

from dpcert.audit.answer import Answer, wide
from dpcert.audit.between import Between
from dpcert.audit.enclosure import Curve
from dpcert.audit.hull import Hull
from dpcert.audit.profile import BITS as PRECISION
from dpcert.audit.profile import Profile
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact

BITS = 256
"""The precision of balls."""
PLACES = 320
"""The bits behind the point to which probabilities of events are rounded."""
ONE = 1 << PLACES

Event = tuple[Fraction, Any, Any]
"""(E, p, q): balls around the probabilities of an event that is best at e^epsilon = E."""
Node = tuple[Fraction, Fraction]
"""(E, m): at e^epsilon = E the delta m is enough."""


def profile_between(events: Iterable[Event]) -> Between[Profile]:
    """Return profiles between which that of a pair lies, from its best events at ascending ratios, at least one."""
    found = list(events)
    inner, nodes = [], [(Fraction(0), Fraction(1))]
    with flint.ctx.workprec(BITS):
        for ratio, p, q in found:
            inner.append((ceil(_end(q.upper()) * ONE), floor(_end(p.lower()) * ONE), 0))
            excess = p - flint.arb(flint.fmpq(ratio.numerator, ratio.denominator)) * q
            nodes.append((ratio, min(Fraction(1), _end(excess.upper()))))
    lower = Hull.over([point for point in inner if point[1] >= 0 and point[0] <= ONE], ONE, ONE)
    outer = [(floor(q * ONE), ceil(p * ONE), 0) for q, p in _corners(convex(nodes))]
    upper = Hull.over([(q, min(p, ONE), 0) for q, p, _ in outer], ONE, ONE)
    return Between(lower.profile(), upper.profile())


def bounds(ball: Any) -> tuple[Fraction, Fraction]:
    """Return rational bounds of a probability in a ball."""
    with flint.ctx.workprec(BITS):
        return _end(ball.lower()), min(Fraction(1), _end(ball.upper()))


def _end(ball: Any) -> Fraction:
    """Return an exact ball as a number, at least 0.

    Raises: ArithmeticError for one that is not finite.
    """
    if not ball.is_finite():
        raise ArithmeticError("a probability without bounds")
    mantissa, exponent = (int(part) for part in ball.man_exp())
    return max(Fraction(0), Fraction(mantissa) * Fraction(2) ** exponent)


def _corners(nodes: Sequence[Node]) -> list[Node]:
    """Return the points (q, p) at which the lowest of the lines p = E q + m turns, and that at q = 0."""
    found = [(Fraction(0), nodes[-1][1])]
    for (low, more), (high, less) in pairwise(nodes):
        q = (more - less) / (high - low)
        found.append((q, more + low * q))
    return found


def convex(nodes: Iterable[Node]) -> list[Node]:
    """Return the vertices of the greatest convex function that does not rise and is at ascending nodes nowhere above:
    where nodes bound such a function from above, it does as well, as chords are above it."""
    found: list[Node] = []
    for at, bound in nodes:
        if found and at == found[-1][0]:
            continue
        bound = min(bound, found[-1][1]) if found else bound
        while len(found) > 1:
            (a, b), (c, d) = found[-2:]
            if (d - b) * (at - a) < (bound - b) * (c - a):
                break
            found.pop()
        found.append((at, bound))
    return found


FAR = 13.0
"""How many deviations away events still count: beyond, they have less than 2^-120."""
FINE, GROWING = 240, 400
"""Delta is bounded at ratios whose logarithms are as far from each other as one part in FINE of the deviation of the
loss, or one part in GROWING of their distance from 0, whichever is more."""
LEAST, MOST = Fraction(1, 8), Fraction(1000)
"""The least and the greatest scale of noise, per sensitivity."""
NEAR = 1e-12
"""How near to the greatest ratio of Laplace noise delta is bounded on both sides of it."""
MOST_PLACES, DIGITS = 2000, 128
"""How many places of discrete noise are bounded on each side, and the bits of ratios."""


@dataclass(frozen=True, slots=True)
class Noise:
    """The privacy of noise on two data sets, one of which has a person more: the profile of the law with them against
    that without, and whether its reverse is the same.

    Where there is an `event`, it returns the best event at any ratio, for the delta of a single use in many digits.
    """

    profile: Between[Profile]
    alike: bool = True
    event: Callable[[Fraction], Event] | None = field(default=None, repr=False, compare=False)

    def ways(self) -> tuple[Between[Profile], Between[Profile]]:
        """Return the profiles of both orders: with against without, and without against with."""
        if self.alike:
            return self.profile, self.profile
        return self.profile, Between(self.profile.lower.reversed(), self.profile.upper.reversed())

    def delta_at(self, epsilon: object) -> Answer:
        """Return the least delta at an epsilon, as `Epsilon.of` takes it, for both orders of neighbours."""
        asked = Epsilon.of(epsilon)
        if self.event is None:
            return greatest(way.delta_at(asked) for way in self.ways())
        below, above = asked.exp_bounds(DIGITS)
        ways = (False,) if self.alike else (False, True)
        low = max(bounds(excess(self.event, above, turned=way))[0] for way in ways)
        return Answer(low, max(bounds(excess(self.event, below, turned=way))[1] for way in ways), "enclosed")


def excess(event: Callable[[Fraction], Event], ratio: Fraction, *, turned: bool) -> Any:
    """Return a ball around the least delta at a ratio; or, if turned, around that of the reverse.

    An event is best there where the event without its outcomes is best at the inverse ratio.
    """
    with flint.ctx.workprec(BITS):
        _, p, q = event(1 / ratio if turned else ratio)
        return (1 - q) - _ball(ratio) * (1 - p) if turned else p - _ball(ratio) * q


@dataclass(frozen=True, slots=True)
class Greatest:
    """The curve that is the greatest of some curves."""

    curves: tuple[Curve, ...]

    def delta_at(self, epsilon: Epsilon, *, bits: int = PRECISION) -> Answer:
        """Return the least delta at an epsilon."""
        return greatest(curve.delta_at(epsilon, bits=bits) for curve in self.curves)

    def ratio_at(self, delta: Fraction | int) -> Answer:
        """Return the least e^epsilon >= 1 at a delta."""
        return greatest(curve.ratio_at(delta) for curve in self.curves)


def greatest(answers: Iterable[Answer]) -> Answer:
    """Return the greatest of the numbers that answers, at least one, bound."""
    first, *rest = answers
    for other in rest:
        low = None if first.lo is None or other.lo is None else max(first.lo, other.lo)
        high = None if first.hi is None or other.hi is None else max(first.hi, other.hi)
        first = Answer(low, high, "enclosed", (first.why or other.why) if wide(low, high) else None)
    return first


def gaussian(deviation: object, *, sensitivity: object = 1) -> Noise:
    """Return the privacy of a number with Gaussian noise of this deviation.

    >>> float(gaussian(2).delta_at("1/2").hi)
    0.052440...

    Claims: so many numbers whose distance, the root of the sum of squares, is at most the sensitivity are no worse.
    Source: Balle, Wang 2018, Theorem 8.
    Raises: InputError unless deviation / sensitivity is between 1/8 and 1000.
    """
    return _sampled(_scale(deviation, sensitivity), Fraction(1))


def sampled_gaussian(deviation: object, *, rate: object, sensitivity: object = 1) -> Noise:
    """Return the privacy of one step of DP-SGD: a sum of a Poisson sample with Gaussian noise of this deviation.

    Each person is in the sample with probability `rate`, and adds a vector of at most the `sensitivity` in length.

    Claims: nothing worse is shown of any data sets of which one has one person more, whatever the others add. Given
            the others' sample, both laws are this pair, moved, turned and, where the person adds less, noised; and
            delta is jointly convex.
    Source: Zhu, Dong, Wang 2022, Theorem 11.
    Raises: InputError unless 0 < rate <= 1 and deviation / sensitivity is between 1/8 and 1000.
    """
    share = exact(rate, "rate")
    if not 0 < share <= 1:
        raise InputError(given=f"a rate of {share}", needed="a number in (0, 1]", remedy="write '1/100'")
    return _sampled(_scale(deviation, sensitivity), share)


def laplace(scale: object, *, sensitivity: object = 1) -> Noise:
    """Return the privacy of a number with Laplace noise of this scale.

    Raises: InputError unless scale / sensitivity is between 1/8 and 1000.
    """
    unit = _scale(scale, sensitivity)
    end = 1 / float(unit)

    def event(ratio: Fraction) -> Event:
        place = (1 + _ball(unit) * _ball(ratio).log()) / 2
        if place > 1 or place < 0:
            sure = flint.arb(int(place < 0))
            return ratio, sure, sure
        if not 0 < place < 1:
            raise ArithmeticError("a ratio that is not told apart from the greatest one")
        return ratio, 1 - ((place - 1) / _ball(unit)).exp() / 2, (-place / _ball(unit)).exp() / 2

    near = (end * (1 - NEAR), end * (NEAR - 1))
    return Noise(_between(event, min(end, 1.0), -end * (1 + NEAR), end * (1 + NEAR), also=near), event=event)


def _scale(scale: object, sensitivity: object) -> Fraction:
    """Return the scale of noise for a sensitivity of 1."""
    found, moved = exact(scale, "scale"), exact(sensitivity, "sensitivity")
    if moved <= 0 or not LEAST <= found / moved <= MOST:
        given = f"noise of scale {found} for a sensitivity of {moved}"
        raise InputError(given=given, needed="a scale of 1/8 to 1000 sensitivities", remedy="give both as numbers")
    return found / moved


def _ball(x: Fraction) -> Any:
    return flint.arb(flint.fmpq(x.numerator, x.denominator))


def _above(x: Any) -> Any:
    return (x / flint.arb(2).sqrt()).erfc() / 2


def _sampled(deviation: Fraction, rate: Fraction) -> Noise:
    """Return the profile of (1 - rate) N(0, s^2) + rate N(1, s^2) against N(0, s^2)."""

    def event(ratio: Fraction) -> Event:
        """At y the ratio is 1 - rate + rate e^((2y - 1)/(2 s^2))."""
        if ratio <= 1 - rate:
            return ratio, flint.arb(1), flint.arb(1)
        size = _ball(deviation)
        place = size * _ball((ratio - 1 + rate) / rate).log() + 1 / (2 * size)
        q = _above(place)
        return ratio, _ball(1 - rate) * q + _ball(rate) * _above(place - 1 / size), q

    reach, share = FAR / float(deviation) + 1 / (2 * float(deviation) ** 2), float(rate)
    top = reach + math.log(share + (1 - share) * math.exp(-reach))
    spread = share * math.sqrt(math.expm1(min(1 / float(deviation) ** 2, 100.0)))
    bottom = -reach if rate == 1 else math.log1p(-share)
    found = _between(event, min(spread, top, 1.0), bottom, top, first=None if rate == 1 else 1 - rate)
    return Noise(found, rate == 1, event)


def _between(
    event: Callable[[Fraction], Event],
    spread: float,
    bottom: float,
    top: float,
    *,
    also: tuple[float, ...] = (),
    first: Fraction | None = None,
) -> Between[Profile]:
    """Return profiles around a pair, from its best events at ratios between two logarithms, and at others."""
    places = {*_places(top, spread), *(-place for place in _places(-bottom, spread)), bottom, top, *also}
    ratios = {Fraction(math.exp(place)) for place in places}
    if first is not None:
        ratios = {first, *(ratio for ratio in ratios if ratio > first)}
    with flint.ctx.workprec(BITS):
        return profile_between([event(ratio) for ratio in sorted(ratios)])


def _places(end: float, spread: float) -> Iterator[float]:
    """Yield numbers from 0 to an end, near to each other at first."""
    place = 0.0
    while place < end:
        yield place
        place += max(spread / FINE, place / GROWING)


def discrete_gaussian(deviation: object, *, sensitivity: int = 1) -> Noise:
    """Return the privacy of a whole number with discrete Gaussian noise.

    The noise is k with a weight in proportion to e^(-k^2 / (2 deviation^2)); the number differs by the sensitivity.

    Source: Canonne, Kamath, Steinke 2020, Theorem 7.
    Raises: InputError unless the sensitivity is an int >= 1, and deviation / sensitivity between 1/8 and 1000.
    """
    if type(sensitivity) is not int or sensitivity < 1:
        raise InputError(given=f"a sensitivity of {sensitivity}", needed="an int >= 1", remedy="count whole numbers")
    size = _scale(deviation, sensitivity) * sensitivity
    reach = math.ceil(FAR * size) + sensitivity
    places = range(-reach, reach + 1, max(1, reach // MOST_PLACES))
    with flint.ctx.workprec(BITS):
        tails = _tails(size, reach + sensitivity)
        return Noise(profile_between([_from_place(k, sensitivity, size, tails) for k in places]))


def _from_place(place: int, moved: int, size: Fraction, tails: Callable[[int], Any]) -> Event:
    """Return the event of whole numbers from a place on, at the greatest ratio but for rounding at which it is best."""
    ratio = _ball(Fraction((2 * place - moved) * moved) / (2 * size**2)).exp()
    before = _ball(Fraction((2 * place - 2 - moved) * moved) / (2 * size**2)).exp()
    mantissa, exponent = (int(part) for part in ratio.lower().man_exp())
    spare = mantissa.bit_length() - DIGITS
    best = Fraction(mantissa >> spare) * Fraction(2) ** (exponent + spare)
    if not before < _ball(best):
        raise ArithmeticError("two ratios that are not told apart")
    return best, tails(place - moved), tails(place)


def _tails(size: Fraction, reach: int) -> Callable[[int], Any]:
    """Return the probability that discrete Gaussian noise is at least some number, of size at most `reach` + 1."""

    def weight(k: int) -> Any:
        return _ball(Fraction(-k * k) / (2 * size**2)).exp()

    beyond = weight(reach + 2) / (1 - _ball(Fraction(-reach - 2) / size**2).exp())
    sums = [flint.arb(0).union(beyond)]
    for k in range(reach + 1, 0, -1):
        sums.append(sums[-1] + weight(k))
    sums.reverse()
    whole = 2 * sums[0] + 1
    return lambda k: sums[k - 1] / whole if k > 0 else 1 - sums[-k] / whole
