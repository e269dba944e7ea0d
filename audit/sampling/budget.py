"""The error budget: every confidence limit of a run is paid for from one alpha, whenever the run stops."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact

__all__ = ["DEFAULT_CONFIDENCE", "Budget"]

DEFAULT_CONFIDENCE = "0.999"
LIMITS = 2
"""Limits of one event on one pair: one from below on a, one from above on b."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The chance `alpha` that any limit of a run is wrong, split over looks and over the events of a look.

    Look k = 1, 2, ... has alpha / (k (k + 1)), and these add up to alpha, however many looks there are. Each of the two
    limits of each of its events has an equal part of that.
    """

    alpha: Fraction

    @classmethod
    def at_confidence(cls, confidence: object) -> Budget:
        """Return the budget of a confidence in [1/2, 1), as `exact` takes it.

        Raises: InputError otherwise.
        """
        number = exact(confidence, "confidence")
        if not Fraction(1, 2) <= number < 1:
            given = f"confidence {confidence}"
            raise InputError(given=given, needed="a number in [1/2, 1)", remedy='write for instance "0.999"')
        return cls(1 - number)

    @property
    def confidence(self) -> Fraction:
        """The chance that every limit is right, at the least."""
        return 1 - self.alpha

    def look(self, k: int) -> Fraction:
        """Return what look k = 1, 2, ... may spend."""
        return self.alpha / (k * (k + 1))

    def limit(self, k: int, events: int) -> Fraction:
        """Return the alpha of one limit of look k, at which `events` >= 1 events are confirmed."""
        return self.look(k) / (LIMITS * events)
