"""Lower bounds of the wealth of a gambler who bets against a claim, in integers: no float decides.

Before a run, its input is a or b by a fair coin, and the bet is fixed: an event, and a fraction c in [0, 1). The claim
is that, whatever happened before, the event has probability p <= ratio q + delta, p if the input is a, q if it is b.
With d = delta / 2 and g = ratio + d the wealth is multiplied by

    1 + c (1 - d) / g   where the run is on a and in the event,
    1 - c               where it is on b and in the event,
    1 - c d / g         where it is not in the event,

of mean 1 + c (p - ratio q - delta) / (2 g) <= 1. So the wealth is a non-negative supermartingale that starts at 1, and
it ever reaches 1/alpha with a chance of at most alpha (Ville). Neither independence of runs nor one law is assumed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

WIDTH = 96
FRACTIONS = 64
"""The fractions of wealth that are bet are multiples of 1/FRACTIONS."""


@dataclass(frozen=True, slots=True)
class RoundCounts:
    """The runs of a round: those on a in the event, those on b in the event, and those not in the event."""

    on_a: int
    on_b: int
    others: int


@dataclass(frozen=True, slots=True)
class Wealth:
    """A number m * 2^e that is at most the true wealth."""

    m: int = 1
    e: int = 0

    def times(self, other: Wealth) -> Wealth:
        """Return the product, rounded down."""
        return _cut(self.m * other.m, self.e + other.e)

    def reaches(self, bound: Fraction) -> bool:
        """Whether the wealth is at least a positive bound."""
        left, right = self.m * bound.denominator, bound.numerator
        return left << self.e >= right if self.e >= 0 else left >= right << -self.e

    @classmethod
    def mean(cls, parts: Iterable[Wealth]) -> Wealth:
        """Return the mean of some wealths, rounded down: the wealth from equal stakes on the bets.

        Requires: at least one.
        """
        parts = list(parts)
        top = max(part.e + part.m.bit_length() for part in parts) - WIDTH
        total = sum(part.m << part.e - top if part.e >= top else part.m >> top - part.e for part in parts)
        return _cut((total << WIDTH) // len(parts), top - WIDTH)


def _cut(m: int, e: int) -> Wealth:
    extra = max(0, m.bit_length() - WIDTH)
    return Wealth(m >> extra, e + extra)


def _power(base: Fraction, exponent: int) -> Wealth:
    """Return base^exponent, rounded down."""
    result, square = Wealth(), _cut((base.numerator << 2 * WIDTH) // base.denominator, -2 * WIDTH)
    while exponent:
        if exponent & 1:
            result = result.times(square)
        exponent >>= 1
        if exponent:
            square = square.times(square)
    return result


def factor(counts: RoundCounts, c: int, ratio: Fraction, delta: Fraction) -> Wealth:
    """Return the wealth that 1 becomes, rounded down, by betting c / FRACTIONS on an event at each run of a round.

    Requires: 0 <= c < FRACTIONS, ratio >= 1, 0 <= delta <= 1.
    """
    if c == 0:
        return Wealth()
    d, part = delta / 2, Fraction(c, FRACTIONS)
    g = ratio + d
    won, lost = _power(1 + part * (1 - d) / g, counts.on_a), _power(1 - part, counts.on_b)
    return won.times(lost).times(_power(1 - part * d / g, counts.others))
