"""A curve known through two others: one that is nowhere above it, and one that is nowhere below."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from dpcert.audit.answer import Answer
from dpcert.audit.enclosure import Curve
from dpcert.audit.profile import BITS
from dpcert.mechanisms.exact.epsilon import Epsilon

Side = TypeVar("Side", bound=Curve, covariant=True)


@dataclass(frozen=True, slots=True)
class Between(Generic[Side]):
    """A curve with bounds: `lower` is nowhere above it and `upper` nowhere below it; each answers for its side."""

    lower: Side
    upper: Side

    def delta_at(self, epsilon: object, *, bits: int = BITS) -> Answer:
        """Return the least delta at an epsilon, as `Epsilon.of` takes it."""
        asked = Epsilon.of(epsilon)
        lo, hi = self.lower.delta_at(asked, bits=bits).lo, self.upper.delta_at(asked, bits=bits).hi
        return Answer(lo, hi, "enclosed")

    def ratio_at(self, delta: Fraction | int) -> Answer:
        """Return the least e^epsilon >= 1 at a delta."""
        return Answer(self.lower.ratio_at(delta).lo, self.upper.ratio_at(delta).hi, "enclosed")
