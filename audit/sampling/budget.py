"""The error budget: every confidence limit of a run is paid for from one alpha, whenever the run stops."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact

__all__ = ["DEFAULT_CONFIDENCE", "Budget"]

DEFAULT_CONFIDENCE = "0.999"
EARLY = Fraction(1, 10)
"""Which part of alpha pays for the limits that hold at all times; the rest is for those at the planned end."""
FIRST = Fraction(3, 4)
"""Which part of a kind's alpha the first event has, where there are others."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The chance `alpha` that any limit of a run is wrong, split over events and over the two kinds of their limits."""

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

    def shares(self, events: int) -> list[tuple[Fraction, Fraction]]:
        """Return for each of `events` >= 1 events what its limits at all times and those at the end may spend."""
        parts = [Fraction(1)] if events == 1 else [FIRST, *[(1 - FIRST) / (events - 1)] * (events - 1)]
        return [(part * EARLY * self.alpha, part * (1 - EARLY) * self.alpha) for part in parts]
