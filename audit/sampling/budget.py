"""The error budget: all that samples show in one invocation is paid for from one alpha, in rational numbers.

The claims of an invocation have equal parts of it. Of a claim's part a tenth pays for the bounds that are stated where
nothing is refuted. The rest is the product of the levels of two confirmations: a false refutation needs both to be
wrong, and the second is wrong with a chance of at most its level whatever the first showed, as its runs are fresh.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact

__all__ = ["DEFAULT_CONFIDENCE", "DEFAULT_RUNS", "LEAST_RUNS", "Budget", "shares"]

DEFAULT_CONFIDENCE = "0.999999"
DEFAULT_RUNS = 400_000
LEAST_RUNS = 1_000
STATED = Fraction(1, 10)
"""Which part of a claim's alpha pays for the bounds that are stated where nothing is refuted."""
EARLY = Fraction(1, 10)
"""Which part of a level pays for the limits that hold at all times; the rest is for those at the planned end."""
FIRST = Fraction(3, 4)
"""Which part of a kind's level the first event has, where there are others."""
ROOT_BITS = 64


@dataclass(frozen=True, slots=True)
class Budget:
    """The chance `alpha` that anything said of an invocation's claims is wrong, split over so many `claims`."""

    alpha: Fraction
    claims: int = 1

    @classmethod
    def at_confidence(cls, confidence: object, claims: int = 1) -> Budget:
        """Return the budget of a confidence in [1/2, 1), as `exact` takes it, for so many claims.

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
        """The chance that all is right, at the least."""
        return 1 - self.alpha

    @property
    def each(self) -> Fraction:
        """What one claim has."""
        return self.alpha / self.claims

    @property
    def stated(self) -> Fraction:
        """The level of the bounds of a claim of which nothing is refuted."""
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
    """Return for each of `events` >= 1 events what its limits at all times and those at the end spend of a level."""
    parts = [Fraction(1)] if events == 1 else [FIRST, *[(1 - FIRST) / (events - 1)] * (events - 1)]
    return [(part * EARLY * level, part * (1 - EARLY) * level) for part in parts]
