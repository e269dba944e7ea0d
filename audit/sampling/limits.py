"""Confidence limits from the counts of one event: of its two probabilities, their ratio, epsilon and delta.

Each run is on a or on b by a fair coin. Each of the x + y runs in the event is on a with chance p / (p + q),
independently. So p / q has the limits of one binomial chance, which are narrower than those from p and q apart. Given
the number of runs on a, x is binomial with chance p, and y likewise with q.

Confidence sequences are lower limits of a chance that hold at all sizes at once, wherever one stops. For trials of
chance p, and any a, b >= 1 fixed before them, the ratio of mixed to plain likelihood after x successes and y failures,
B(a + x, b + y) / (B(a, b) p^x (1 - p)^y), is a martingale that starts at 1. By Ville's inequality the chance that it
ever reaches 1 / alpha is at most alpha. So, for all (x, y) on the way at once, p is among the numbers at which this
ratio is below 1 / alpha. Below x / (x + y) the ratio falls with p.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lgamma, log, log1p

from dpcert.audit.sampling.binomial import (
    GRID,
    choose,
    compare,
    greatest,
    lower_limit,
    power,
    product,
    quotient,
    upper_limit,
)
from dpcert.mechanisms.exact.errors import InputError

_HALVINGS = 60


@dataclass(frozen=True, slots=True)
class Mixture:
    """A bet on trials to come: their chance is given the prior Beta(a, b), with a, b >= 1 fixed before them.

    Source: Ville (1939), Theorem 1 of chapter V; Robbins (1970), for the mixture; Howard, Ramdas, McAuliffe and Sekhon
            (2021), section 3, for confidence sequences.
    Raises: InputError for other a, b.
    """

    a: int
    b: int

    def __post_init__(self) -> None:
        if self.a < 1 or self.b < 1:
            given = f"a={self.a}, b={self.b}"
            raise InputError(given=given, needed="integers >= 1", remedy="count earlier successes and failures, plus 1")

    def lower_limit(self, x: int, y: int, alpha: Fraction) -> Fraction:
        """Return a lower limit of the chance, rounded down; at level `alpha` it holds at all (x, y) on the way.

        Requires: x, y >= 0; 0 < alpha < 1.
        Claims:   Pr[for some number of trials, lower_limit(x, y, alpha) > p] <= alpha, for every p.
        Raises:   InputError otherwise.
        """
        if x < 0 or y < 0 or not 0 < alpha < 1:
            given = f"{x} successes, {y} failures at alpha {alpha}"
            raise InputError(given=given, needed="counts >= 0 and 0 < alpha < 1", remedy="check the counts")
        # Above the mode the likelihood falls again: limits are looked for below it, on the grid.
        mode = (x << GRID) // max(1, x + y)
        if mode == 0:
            return Fraction(0)
        # B(a + x, b + y) / B(a, b), rounded down.
        a, b = self.a, self.b
        before = product([choose(a + b - 2, a - 1, up=False), (a + b - 1, 0)], up=False)
        after = product([choose(a + b + x + y - 2, a + x - 1, up=True), (a + b + x + y - 1, 0)], up=True)
        most = quotient(before, after, up=False)

        def within(u: int) -> bool:
            if u == 0:
                return True
            likely = product([power(u, x, up=True), power((1 << GRID) - u, y, up=True)], up=True)
            return compare(quotient((likely[0], likely[1] - GRID * (x + y)), most, up=True), alpha) <= 0

        return Fraction(mode if within(mode) else greatest(within, mode, self._guess(x, y, alpha)), 1 << GRID)

    def upper_limit(self, x: int, y: int, alpha: Fraction) -> Fraction:
        """Return an upper limit of the chance, rounded up; at level `alpha` it holds at all (x, y) on the way."""
        return 1 - Mixture(self.b, self.a).lower_limit(y, x, alpha)

    def _guess(self, x: int, y: int, alpha: Fraction) -> int:
        """Return about the limit times 2^GRID, by bisection in floats."""
        a, b = self.a, self.b
        mixed = lgamma(a + x) + lgamma(b + y) - lgamma(a + b + x + y) - lgamma(a) - lgamma(b) + lgamma(a + b)
        target = mixed + log(alpha.numerator) - log(alpha.denominator)
        low, high = 0.0, x / (x + y)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if middle == 0 or (middle < 1 and x * log(middle) + y * log1p(-middle) <= target):
                low = middle
            else:
                high = middle
        return int(low * (1 << GRID))


RATIO, EACH = Fraction(8, 10), Fraction(1, 10)
"""The parts of an event's alpha that the limits of p / q, of p and of q have."""


@dataclass(frozen=True, slots=True)
class EventCounts:
    """An event was seen x times in n runs on a, and y times in m runs on b; each run was on a by a fair coin."""

    x: int
    n: int
    y: int
    m: int


@dataclass(frozen=True, slots=True)
class ConfidenceLimits:
    """The event has p >= p_lo on a, q <= q_hi on b, and p >= ratio_lo q."""

    p_lo: Fraction
    q_hi: Fraction
    ratio_lo: Fraction

    def ratio_at(self, delta: Fraction) -> Fraction:
        """Return a lower bound of the e^epsilon that the event needs at delta, at least 1.

        Claims: it is at most (p - delta) / q, for each such p and q with (p - delta) / q >= 1.
        """
        apart = (self.p_lo - delta) / self.q_hi if self.q_hi else Fraction(1)
        together = self.ratio_lo * (1 - delta / self.p_lo) if delta < self.p_lo else Fraction(1)
        return max(Fraction(1), apart, together)

    def delta_at(self, ratio: Fraction) -> Fraction:
        """Return a lower bound of the delta that the event needs at an e^epsilon of at most `ratio`.

        Claims: it is at most p - ratio q, or 0, for each such p and q.
        """
        together = self.p_lo * (1 - ratio / self.ratio_lo) if ratio < self.ratio_lo else Fraction(0)
        return max(Fraction(0), self.p_lo - ratio * self.q_hi, together)

    def refutes(self, ratio: Fraction, delta: Fraction) -> bool:
        """Whether p > ratio q + delta, for each such p and q."""
        return self.delta_at(ratio) > delta

    @property
    def q_nearest(self) -> Fraction:
        """The greatest q, at most q_hi, that the limits allow beside p_lo."""
        return min(self.q_hi, self.p_lo / self.ratio_lo) if self.ratio_lo else self.q_hi

    def meet(self, other: ConfidenceLimits) -> ConfidenceLimits:
        """Return the limits that follow from both together."""
        return ConfidenceLimits(
            max(self.p_lo, other.p_lo), min(self.q_hi, other.q_hi), max(self.ratio_lo, other.ratio_lo)
        )

    def weaker(self, other: ConfidenceLimits) -> ConfidenceLimits:
        """Return the limits that hold if either of the two do."""
        return ConfidenceLimits(
            min(self.p_lo, other.p_lo), max(self.q_hi, other.q_hi), min(self.ratio_lo, other.ratio_lo)
        )


Rule = Callable[[EventCounts], ConfidenceLimits]
"""From counts to limits; more hits on a or fewer on b never weaken them."""


def _odds(chance: Fraction) -> Fraction:
    """Return p / q where p / (p + q) is `chance` < 1."""
    return chance / (1 - chance)


def at_the_end(counts: EventCounts, alpha: Fraction) -> ConfidenceLimits:
    """Return limits, all right with a chance of at least 1 - `alpha`, at a size that was fixed before. All three are
    Clopper and Pearson's.
    """
    hits = counts.x + counts.y
    return ConfidenceLimits(
        lower_limit(counts.x, counts.n, EACH * alpha) if counts.n else Fraction(0),
        upper_limit(counts.y, counts.m, EACH * alpha) if counts.m else Fraction(1),
        _odds(lower_limit(counts.x, hits, RATIO * alpha)) if hits else Fraction(0),
    )


def at_all_times(counts: EventCounts, alpha: Fraction, before: EventCounts) -> ConfidenceLimits:
    """Return limits, all right at all times with a chance of at least 1 - `alpha`, however often they are looked at.
    All three are confidence sequences. Their bets come from `before`, the counts of runs that are not among `counts`.
    """
    on_a = Mixture(before.x + 1, before.n - before.x + 1)
    on_b = Mixture(before.y + 1, before.m - before.y + 1)
    hits = Mixture(before.x + 1, before.y + 1)
    return ConfidenceLimits(
        on_a.lower_limit(counts.x, counts.n - counts.x, EACH * alpha),
        on_b.upper_limit(counts.y, counts.m - counts.y, EACH * alpha),
        _odds(hits.lower_limit(counts.x, counts.y, RATIO * alpha)),
    )
