"""Logarithms of uniform noise: how exponential and Laplace noise is drawn by hand.

Where V = c U + b lies between 0 and 1, U uniform and between numbers that were decided, -ln V is exponential noise of
rate 1, whatever these numbers are. Where V is 2 U for U below 1/2, or 2 - 2 U for U above it, it is better the part of
one Laplace variable L with U = F(L), F its distribution function: L is below 0, or above, and ln V is L or -L.
A uniform number whose logarithm is taken may not be used otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcert.audit.ideal.noise import Law
from dpcert.audit.ideal.numbers import Real
from dpcert.audit.ideal.parameter import exactly
from dpcert.audit.ideal.terms import Number

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Derived:
    """The noise variable `name` that stands for the uniform one `uniform`: with `factor` c and `offset` b it is the
    exponential -ln(c U + b), and without them the Laplace variable L with U = F(L)."""

    uniform: int
    name: int
    factor: Number | None = None
    offset: Number = 0

    def uniform_at(self, value: float) -> float:
        """Return the uniform number at a value of the noise."""
        if self.factor is not None:
            return float((math.exp(-value) - self.offset) / self.factor)
        return math.exp(value) / 2 if value < 0 else 1 - math.exp(-value) / 2


def split(low: Number, high: Number, factor: Number, offset: Number) -> tuple[Law, int, bool] | None:
    """Return the law of the noise that ln(factor U + offset) is for U between two numbers, the sign that it has in it,
    and whether it is one side of Laplace noise; None where it is no such noise."""
    if {factor * low + offset, factor * high + offset} != {0, 1}:
        return None
    if (low, high, factor) in ((0, HALF, 2), (HALF, 1, -2)):
        return Law("laplace"), 1 if factor > 0 else -1, True
    return Law("exponential"), -1, False


def _log(number: Real) -> Any:
    if number.terms:
        return number.run.logarithm(number)
    if number.offset <= 0:
        number.run.refuse("a logarithm of a number that is not above 0")
    return Real(number.run, {}, exactly(math.log(number.offset)) or 0)


def _log1p(number: Real) -> Any:
    return _log(number + 1)


_AS_NUMPY = {"log": _log, "log1p": _log1p}
"""What numpy asks of objects in its logarithms."""
for _name, _function in _AS_NUMPY.items():
    setattr(Real, _name, _function)


def _of_both(plain: Callable[..., Any], noisy: Callable[[Real], Any]) -> Callable[..., Any]:
    def function(x: Any, *base: Any) -> Any:
        return noisy(x) if isinstance(x, Real) and not base else plain(x, *base)

    return function


def logarithms() -> Iterator[tuple[Any, Any]]:
    """Yield the functions of `math` with those that take noise, too."""
    yield math.log, _of_both(math.log, _log)
    yield math.log1p, _of_both(math.log1p, _log1p)
