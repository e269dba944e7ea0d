"""sympy as a calculator: its answers are rational functions, which exact arithmetic checks before they count."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy


@dataclass(frozen=True, slots=True)
class Rational:
    """A quotient of two polynomials in two variables, each as coefficients by exponents."""

    top: dict[tuple[int, int], Fraction]
    bottom: dict[tuple[int, int], Fraction]

    @property
    def degree(self) -> int:
        """The greatest exponent of either variable above or below."""
        return max(exponent for part in (self.top, self.bottom) for exponents in part for exponent in exponents)

    def at(self, x: Fraction, y: Fraction) -> Fraction:
        """Return the value at two numbers.

        Raises: ZeroDivisionError where the denominator is 0.
        """
        above, below = (
            sum((c * x**i * y**j for (i, j), c in part.items()), Fraction(0)) for part in (self.top, self.bottom)
        )
        return above / below


def _rational(expression: Any, x: Any, y: Any) -> Rational:
    parts = sympy.fraction(sympy.cancel(sympy.together(expression)))
    top, bottom = (
        {exponents: Fraction(int(c.p), int(c.q)) for exponents, c in sympy.Poly(part, x, y).terms()} for part in parts
    )
    return Rational(top, bottom)


def derivative(formula: Callable[[Any, Any], Any]) -> Rational:
    """Return sympy's derivative by x of formula(x, e^x), in x and E = e^x."""
    x, E = sympy.symbols("x E")
    return _rational(sympy.diff(formula(x, sympy.exp(x)), x).subs(sympy.exp(x), E), x, E)


def geometric_sum() -> Rational:
    """Return sympy's sum of E^i for i = 0, ..., n - 1, in E and G = E^n."""
    E, G = sympy.symbols("E G", positive=True)
    i, n = sympy.symbols("i n", integer=True, positive=True)
    found = sympy.summation(E**i, (i, 0, n - 1)).args[-1][0]
    return _rational(found.subs(E**n, G), E, G)
