"""A library's bound for its parameters, against certified bounds of the least true bound."""

from dataclasses import dataclass
from fractions import Fraction

from dpcert.mechanisms.adapters.balls import Bounds


@dataclass(frozen=True, slots=True)
class Comparison:
    """A bound that a library claims, the double that it returns, and bounds of the least true bound."""

    words: str
    claimed: Fraction
    least: Bounds

    @property
    def verdict(self) -> str:
        """ "too small" where the claim is below the least true bound, "holds" where it is not, else "open"."""
        lo, hi = self.least
        if self.claimed < lo:
            return "too small"
        return "holds" if self.claimed >= hi else "open"

    def __str__(self) -> str:
        numbers = f"{float(self.claimed):.6g} is claimed, {float(self.least[0]):.6g} is needed"
        return f"{self.words}: {numbers}: {self.verdict}"

    @property
    def ratio(self) -> float:
        """The least true bound over the claimed one, for reading."""
        return float(self.least[0] / self.claimed)
