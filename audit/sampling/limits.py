"""Confidence limits from the counts of one event: of its two probabilities, their ratio, epsilon and delta.

Each run is on a or on b by a fair coin. Each of the x + y runs in the event is on a with chance p / (p + q),
independently. So p / q has the limits of one binomial chance, which are narrower than those from p and q apart. Given
the number of runs on a, x is binomial with chance p, and y likewise with q.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from dpcert.audit.sampling.binomial import lower_limit, upper_limit
from dpcert.audit.sampling.sequence import Mixture

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
