"""Checks of sample-and-threshold, proof of Lemma 3: the derivative that sympy calculates, recomputed exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from dpcert.proofs.check import check


def slope_numerator(x: Any, E: Any) -> Any:
    """Return f = -(e^x (x - 1) + 1), E = e^x, the numerator of the derivative of x/(e^x - 1).

    Source: sample-and-threshold, Appendix A.
    """
    return -(E * (x - 1) + 1)


@dataclass(frozen=True, slots=True)
class Dual:
    """A number and its derivative: the rules of differentiation on exact fractions."""

    value: Fraction
    slope: Fraction

    def __sub__(self, other: int) -> Dual:
        return Dual(self.value - other, self.slope)

    def __truediv__(self, other: Dual) -> Dual:
        slope = (self.slope * other.value - self.value * other.slope) / other.value**2
        return Dual(self.value / other.value, slope)


def grid(degree: int) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield enough points: polynomials of this degree in each of two variables are equal if they agree on them."""
    numbers = [Fraction(2 + place) for place in range(degree + 1)]
    yield from product(numbers, repeat=2)


@check("slope-by-sympy")
def slope_by_sympy() -> Iterator[str]:
    """sympy's derivative of x/(e^x - 1) is the printed one, and that of dual numbers, as rational functions."""
    from dpcert.proofs.adapters.sympy import derivative

    found = derivative(lambda x, E: x / (E - 1))
    for x, E in grid(2 * found.degree + 2):
        value = found.at(x, E)
        again = Dual(x, Fraction(1)) / (Dual(E, E) - 1)
        if not value == again.slope == slope_numerator(x, E) / (E - 1) ** 2:
            yield f"x = {x}, e^x = {E}: sympy {value}, dual numbers {again.slope}"
