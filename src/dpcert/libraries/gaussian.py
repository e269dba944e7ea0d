"""The least delta of normal noise, in certified bounds, for the standard deviation that a library computes."""

from fractions import Fraction
from typing import Any

from dpcert.mechanisms.adapters.balls import Bounds, enclose


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
