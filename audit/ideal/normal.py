"""Normal noise in the balls of python-flint: forms of it between numbers, and the delta of a release."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import flint

from dpcert.mechanisms.ideal.path import Inequality
from dpcert.mechanisms.ideal.terms import Number

Bounds = tuple[Fraction, Fraction]
BITS = 192
"""The precision of balls."""
SMALLEST = 10_000
"""Probabilities below 2 to minus this count as equal."""


def ball(x: Number) -> Any:
    """Return a ball around a rational number."""
    value = Fraction(x)
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def bounds(found: Any) -> Bounds:
    """Return rational bounds of a probability in a ball."""
    low, high = found.lower(), found.upper()
    if not (low.is_finite() and high.is_finite()):
        return Fraction(0), Fraction(1)
    return _end(low, tiny=Fraction(0)), min(Fraction(1), _end(high, tiny=Fraction(1, 1 << SMALLEST)))


def _end(end: Any, *, tiny: Fraction) -> Fraction:
    """Return an exact ball as a number, at least 0; `tiny` stands for a positive one below 2^-SMALLEST."""
    mantissa, exponent = (int(part) for part in end.man_exp())
    if mantissa <= 0:
        return Fraction(0)
    size = exponent + mantissa.bit_length()
    if size > 1:
        return Fraction(2)
    return tiny if size < -SMALLEST else Fraction(mantissa) * Fraction(2) ** exponent


def above(x: Any) -> Any:
    """Return the probability that a standard normal variable is above a ball, relatively precise in the tail."""
    return (x / flint.arb(2).sqrt()).erfc() / 2


def normal_between(items: Sequence[Inequality], spread: Mapping[int, Fraction]) -> Any:
    """Return the probability that one form of normal variables lies between all its thresholds."""
    variance = sum((Fraction(c) * spread[name]) ** 2 for name, c in items[0].form)
    deviation = ball(variance).sqrt()
    low = max((item.threshold for item in items if item.above), default=None)
    high = min((item.threshold for item in items if not item.above), default=None)
    if low is not None and high is not None:
        if low >= high:
            return flint.arb(0)
        if low >= 0:
            return above(ball(low) / deviation) - above(ball(high) / deviation)
        return above(-ball(high) / deviation) - above(-ball(low) / deviation)
    return flint.arb(1) if low is None and high is None else _one_sided(low, high, deviation)


def _one_sided(low: Number | None, high: Number | None, deviation: Any) -> Any:
    return above(ball(low) / deviation) if low is not None else above(-ball(high or 0) / deviation)
