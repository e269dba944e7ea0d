"""Checks of sample-and-threshold's constants by balls over whole boxes."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.adapters.balls import Bounds, enclose
from dpcert.proofs.check import check

PIECES = 64
SHARE = Fraction(37, 100)
"""1 - 1/ln 5, rounded down: C_alpha is at least this share of ln(1/alpha) for alpha <= 1/5."""


def constant_bounds(alpha: Fraction | Bounds) -> Bounds:
    """Return bounds of C_alpha = ln(1/alpha) - 1/(1 + alpha), for one alpha or for all between two bounds.

    Source: sample-and-threshold, Lemma 3.
    """
    return enclose(_constant, alpha)


def _constant(alpha: Any) -> Any:
    return -alpha.log() - 1 / (1 + alpha)


def _boxes(low: Fraction, high: Fraction) -> Iterator[Bounds]:
    width = (high - low) / PIECES
    for piece in range(PIECES):
        yield low + piece * width, low + (piece + 1) * width


@check("sampled-constant-share")
def share_of_logarithm() -> Iterator[str]:
    """1 - 1/ln 5 >= 0.37: as 1/(1 + alpha) <= 1 <= ln(1/alpha)/ln 5 for alpha <= 1/5, C_alpha >= 0.37 ln(1/alpha)."""
    least, _ = enclose(lambda five: 1 - 1 / five.log(), 5)
    if least < SHARE:
        yield f"1 - 1/ln 5 < {SHARE}"


@check("sampled-constant-fifth")
def constant_of_a_fifth() -> Iterator[str]:
    """C_alpha > 1/5 for every alpha in [1/5, 2/5], so at the rate epsilon/5 for every epsilon <= 1."""
    for box in _boxes(Fraction(1, 5), Fraction(2, 5)):
        if constant_bounds(box)[0] <= Fraction(1, 5):
            yield f"alpha from {box[0]} to {box[1]}: C_alpha is not known to be above 1/5"
