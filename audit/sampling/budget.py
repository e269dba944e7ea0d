"""The budget of a sampling audit: a chance of error, runs and time.

One rational alpha pays for all statements from samples in one invocation. The claims of an invocation share it equally.
A tenth of a claim's part pays for the bounds that are stated where nothing is refuted. The rest is the product of the
levels of two confirmations. A false refutation needs both to be wrong, and the second, on fresh runs, is wrong with a
chance of at most its level whatever the first showed.

Time is of the processor, so that a busy machine gives the same verdicts; the clock counts where a program waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact

SPARE = 0.7
"""Which part of the time left is planned for."""
WAITING = 10.0
"""How many seconds by the clock are at least one of those that may be spent."""


@dataclass(slots=True)
class Spending:
    """The runs and seconds that may be spent, and how long runs took; `hurried` says whether time, and not the number,
    ever set the plan.

    Seconds are of the processor time of the thread that asks, which is always the same, and of the threads that work
    for it: `aside` says how many these are by now.
    """

    most_runs: int
    most_seconds: float
    aside: Callable[[], float] = lambda: 0.0
    runs: int = 0
    seconds: float = 0.0
    hurried: bool = False
    _began: tuple[float, float] = field(init=False)

    def __post_init__(self) -> None:
        self._began = self._read()

    def _read(self) -> tuple[float, float]:
        return time.thread_time() + self.aside(), time.monotonic()

    def elapsed(self) -> float:
        """Return how many seconds were spent since the beginning."""
        processor, clock = (now - began for now, began in zip(self._read(), self._began, strict=True))
        return max(processor, clock / WAITING)

    def left(self) -> int:
        """Return how many runs are left, by number and, as far as is known, by time."""
        left = max(0, self.most_runs - self.runs)
        if self.runs and self.most_seconds < float("inf"):
            rate = max(self.seconds, 1e-9) / self.runs
            in_time = int(SPARE * max(0.0, self.most_seconds - self.elapsed()) / rate)
            self.hurried = self.hurried or in_time < left
            left = min(left, in_time)
        return left

    def late(self) -> bool:
        over = self.elapsed() >= self.most_seconds
        self.hurried = self.hurried or over
        return over

    def spent(self, runs: int, start: float) -> None:
        """Note that so many runs were made since `start`, in seconds that had elapsed."""
        self.runs += runs
        self.seconds += self.elapsed() - start


DEFAULT_CONFIDENCE = "0.999999"
DEFAULT_RUNS = 400_000
LEAST_RUNS = 1_000
STATED = Fraction(1, 10)
"""The part of a claim's alpha that pays for the bounds stated where nothing is refuted."""
EARLY = Fraction(1, 10)
"""The part of a level that pays for the limits that hold at all times; the rest pays for those at the planned end."""
FIRST = Fraction(3, 4)
"""The part of a level that the first event has, where there are others."""
ROOT_BITS = 64
STEEP = 64
"""An e^epsilon of at least 2^STEEP counts as 2^STEEP: no limit is below 2^-GRID, so that no counts break either."""


def ratio_hi(epsilon: Epsilon) -> Fraction:
    """Return an upper bound of min(e^epsilon, 2^STEEP)."""
    steep = Fraction(1 << STEEP)
    return steep if epsilon.power_of_two_lo() >= STEEP else min(steep, epsilon.exp_bounds(64)[1])


@dataclass(frozen=True, slots=True)
class ErrorBudget:
    """The greatest chance `alpha` that any statement of an invocation is wrong, shared by its `claims`."""

    alpha: Fraction
    claims: int = 1

    @classmethod
    def at_confidence(cls, confidence: object, claims: int = 1) -> ErrorBudget:
        """Return the budget of a confidence in [1/2, 1), as `exact` takes it, for `claims` claims.

        Raises: InputError otherwise.
        """
        number = exact(confidence, "confidence")
        if not Fraction(1, 2) <= number < 1:
            given = f"confidence {confidence}"
            raise InputError(given=given, needed="a number in [1/2, 1)", remedy='write for instance "0.999"')
        if claims < 1:
            raise InputError(given=f"claims={claims}", needed="at least one", remedy="leave it out for one claim")
        return cls(1 - number, claims)

    @property
    def confidence(self) -> Fraction:
        """The least chance that all statements are right."""
        return 1 - self.alpha

    @property
    def each(self) -> Fraction:
        """The part of alpha that one claim has."""
        return self.alpha / self.claims

    @property
    def stated(self) -> Fraction:
        """The level of the bounds stated of a claim that is not refuted."""
        return STATED * self.each

    @property
    def confirming(self) -> Fraction:
        """The level of each of two confirmations of a claim's refutation.

        Claims: confirming^2 + stated <= each.
        """
        product = (1 - STATED) * self.each
        n, d = product.numerator, product.denominator
        return Fraction(isqrt(n * d << 2 * ROOT_BITS), d << ROOT_BITS)


def shares(level: Fraction, events: int) -> list[tuple[Fraction, Fraction]]:
    """Return for each of `events` >= 1 events the parts of a level: for its limits at all times, and at the end."""
    parts = [Fraction(1)] if events == 1 else [FIRST, *[(1 - FIRST) / (events - 1)] * (events - 1)]
    return [(part * EARLY * level, part * (1 - EARLY) * level) for part in parts]
