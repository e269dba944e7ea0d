"""Checks of anonymized-histograms, Appendix A: how much larger Laplace noise is than geometric, by balls."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.adapters.balls import enclose
from dpcert.proofs.check import check

BOXES = 2048


@check("ah-moderate-difference")
def moderate_difference() -> Iterator[str]:
    """1/epsilon - 2 e^-epsilon/(1 - e^(-2 epsilon)) lies between 1/20 and 1/4 for every epsilon in [1/2, 5]."""

    def difference(epsilon: Any) -> Any:
        small = (-epsilon).exp()
        return 1 / epsilon - 2 * small / (1 - small * small)

    low, width = Fraction(1, 2), Fraction(9, 2) / BOXES
    for box in range(BOXES):
        least, most = enclose(difference, (low + box * width, low + (box + 1) * width))
        if least < Fraction(1, 20) or most > Fraction(1, 4):
            yield f"epsilon from {low + box * width}: {least} to {most}"
