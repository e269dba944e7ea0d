"""A library's bound for its parameters, against certified bounds of the least true bound."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.adapters.balls import Bounds, enclose


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


def least_delta(*, sigma: Fraction, epsilon: Fraction, bits: int = 512) -> Bounds:
    """Return bounds of the least delta at epsilon of a real number of sensitivity 1 with normal noise of that sigma.

    It is Q(epsilon sigma - 1/(2 sigma)) - e^epsilon Q(epsilon sigma + 1/(2 sigma)), Q the survival function of the
    standard normal law.

    Requires: sigma > 0, epsilon >= 0; bits well above log2(1/delta).
    Source:   Balle and Wang 2018, Theorem 8.
    """

    def formula(s: Any, e: Any, one: Any) -> Any:
        root, half = (2 * one).sqrt(), 1 / (2 * s)
        return (((e * s - half) / root).erfc() - e.exp() * ((e * s + half) / root).erfc()) / 2

    return enclose(formula, sigma, epsilon, 1, bits=bits)
