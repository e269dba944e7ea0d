"""What sympy calculates, taken again by exact arithmetic at more points than its degree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from types import MappingProxyType

from dpcert.proofs.check import Finding, first
from dpcert.proofs.theorems.sampled_bounds import slope_numerator

__all__ = ["CALCULATED", "Dual", "grid"]


@dataclass(frozen=True, slots=True)
class Dual:
    """A number and its derivative: the rules of differentiation on exact fractions."""

    value: Fraction
    slope: Fraction

    def __sub__(self, other: int) -> Dual:
        """Return the difference from a constant."""
        return Dual(self.value - other, self.slope)

    def __truediv__(self, other: Dual) -> Dual:
        """Return the quotient."""
        slope = (self.slope * other.value - self.value * other.slope) / other.value**2
        return Dual(self.value / other.value, slope)


def grid(degree: int) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield so many points that polynomials of this degree in each of two variables are equal if they agree there."""
    numbers = [Fraction(2 + place) for place in range(degree + 1)]
    yield from product(numbers, repeat=2)


def slope_by_sympy() -> Finding:
    """sympy's derivative of x/(e^x - 1) is the printed one, and that of dual numbers, as rational functions."""
    from dpcert.proofs.adapters.sympy import derivative

    found = derivative(lambda x, E: x / (E - 1))

    def witnesses() -> Iterator[str]:
        for x, E in grid(2 * found.degree + 2):
            value = found.at(x, E)
            again = Dual(x, Fraction(1)) / (Dual(E, E) - 1)
            if not value == again.slope == slope_numerator(x, E) / (E - 1) ** 2:
                yield f"x = {x}, e^x = {E}: sympy {value}, dual numbers {again.slope}"

    return first(witnesses())


def power_sum_by_sympy() -> Finding:
    """sympy's sum of E^0, ..., E^(n-1) is 0 for n = 0 and grows by E^n from n to n + 1, as a rational function."""
    from dpcert.proofs.adapters.sympy import geometric_sum

    found = geometric_sum()

    def witnesses() -> Iterator[str]:
        for E, G in grid(2 * found.degree + 2):
            if found.at(E, Fraction(1)) != 0 or found.at(E, E * G) - found.at(E, G) != G:
                yield f"E = {E}, E^n = {G}"

    return first(witnesses())


CALCULATED: Mapping[str, Callable[[], Finding]] = MappingProxyType(
    {"slope-by-sympy": slope_by_sympy, "power-sum-by-sympy": power_sum_by_sympy}
)
