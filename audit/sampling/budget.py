"""The error budget: one rational alpha pays for all statements from samples in one invocation.

The claims of an invocation share it equally. A tenth of a claim's part pays for the bounds that are stated where
nothing is refuted. The rest is the product of the levels of two confirmations. A false refutation needs both to be
wrong, and the second, on fresh runs, is wrong with a chance of at most its level whatever the first showed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact

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
