"""Rounded noise: what `round`, `floor`, `int` and `//` make of a noisy number, and what is computed with that.

Where noise is real, it is whole, or at a half, with no probability. So two roundings that differ there alone are one.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.ideal.noise import HALF
from dpcert.mechanisms.ideal.path import step_of
from dpcert.mechanisms.ideal.terms import Number, divided, rational
from dpcert.reading.domains.forms import Data, Form, Way, Whole, refuse
from dpcert.reading.domains.kinds import Kinds

BESIDE = "a rounded noisy number beside another noisy one is not followed"


def floor(known: Way, inner: Form, kinds: Kinds) -> Data:
    """A noisy number rounded down."""
    return _rounded(known, inner, kinds, math.floor, lambda noisy: noisy)


def ceil(known: Way, inner: Form, kinds: Kinds) -> Data:
    """A noisy number rounded up."""
    return _rounded(known, inner, kinds, math.ceil, lambda noisy: _raised(known, noisy))


def truncated(known: Way, inner: Form, kinds: Kinds) -> Data:
    """A noisy number rounded towards 0, as `int` does.

    Raises: Ask for its sign.
    """
    if not inner.terms or _is_whole(known, inner) or inner.is_open():
        return _rounded(known, inner, kinds, math.trunc, lambda noisy: noisy)
    positive = known.positive(dict(inner.terms), inner.offset, or_zero=True)
    return floor(known, inner, kinds) if positive else ceil(known, inner, kinds)


def nearest(known: Way, inner: Form, kinds: Kinds, digits: int) -> Data:
    """A noisy number rounded to so many decimal digits: halves, with no probability, either way."""
    scale = Fraction(10) ** digits
    found = _rounded(known, inner.times(scale, inner.kinds), kinds, round, lambda noisy: _half_up(known, noisy))
    return scaled(known, found, 1 / scale, kinds) if isinstance(found, Whole) else found.times(1 / scale, kinds)


def _is_whole(known: Way, inner: Form) -> bool:
    """Whether a number takes only whole values."""
    step = known.step(dict(inner.terms))
    return step is not None and rational(step).denominator == rational(inner.offset).denominator == 1


def _rounded(
    known: Way,
    inner: Form,
    kinds: Kinds,
    exactly_so: Callable[[Fraction], Number],
    otherwise: Callable[[Form], Form],
) -> Form | Whole:
    """A number rounded: exactly where it is constant; else the floor of what `otherwise` gives."""
    if not inner.terms:
        return Form(kinds, (), exactly_so(Fraction(inner.offset)))
    if _is_whole(known, inner):
        return Form(kinds, inner.terms, inner.offset)
    if inner.is_open():
        refuse("an open input is rounded without noise")
    moved = otherwise(inner)
    return Whole(kinds, moved.terms, moved.offset)


def _raised(known: Way, inner: Form) -> Form:
    """A number whose floor is the ceiling of another: one more where noise is real; of discrete noise, less than that
    by what its values and 1 are multiples of."""
    step = known.step(dict(inner.terms))
    least: Number = 0 if step is None else step_of([step, inner.offset, 1])
    return inner.moved(1 - least)


def _half_up(known: Way, inner: Form) -> Form:
    step = known.step(dict(inner.terms))
    if step is not None and ((HALF - inner.offset) / step_of([step, 1])).denominator == 1:
        refuse("discrete noise is rounded where it may lie at a half")
    return inner.moved(HALF)


def again(whole: Whole, kinds: Kinds, digits: int = 0) -> Whole:
    """A rounded number that is rounded again."""
    if digits < 0 or any(rational(each).denominator > 1 for each in (whole.factor, whole.shift)):
        refuse("a rounded noisy number is rounded again")
    return replace(whole, kinds=kinds)


def negated(known: Way, whole: Whole, kinds: Kinds) -> Whole:
    """A rounded number times -1: -floor(x) is the ceiling of -x."""
    inner = _raised(known, whole.inner.times(-1, kinds))
    return Whole(kinds, inner.terms, inner.offset, whole.factor, rational(-whole.shift))


def scaled(known: Way, whole: Whole, by: Number, kinds: Kinds) -> Data:
    """A rounded number times a constant."""
    if by == 0:
        return Form(kinds, (), 0)
    size = -by if by < 0 else by
    found = Whole(kinds, whole.terms, whole.offset, rational(whole.factor * size), rational(whole.shift * size))
    return negated(known, found, kinds) if by < 0 else found


def binary(known: Way, name: str, x: Any, y: Any, kinds: Kinds) -> Data:
    """The result of an operator on numbers one of which is rounded noise."""
    if name == "sub":
        name, y = "add", negated(known, y, kinds) if isinstance(y, Whole) else y.times(-1, kinds)
    whole, other = (x, y) if isinstance(x, Whole) else (y, x)
    if name == "add" and isinstance(other, Form) and _takes(whole, other):
        known.integers = True
        inner = whole.inner.plus(other, 1, kinds)
        return Whole(kinds, inner.terms, inner.offset, whole.factor, whole.shift)
    if not isinstance(other, Form) or other.terms:
        refuse(BESIDE)
    if name == "add":
        return Whole(kinds, whole.terms, whole.offset, whole.factor, rational(whole.shift + other.offset))
    if name == "mul":
        return scaled(known, whole, other.offset, kinds)
    if name == "truediv" and whole is x and other.offset:
        return scaled(known, whole, divided(1, other.offset), kinds)
    return refuse(f"{name} of a rounded noisy number is not followed")


def _takes(whole: Whole, other: Form) -> bool:
    """Whether a form of open inputs may be added before rounding, as it is an integer where these are."""
    numbers = (*(c for _, c in other.terms), other.offset)
    return other.is_open() and all(rational(c).denominator == 1 for c in numbers) and whole.factor == 1


def is_at_least(known: Way, whole: Whole, number: Number, *, strictly: bool) -> bool:
    """Whether a rounded number is at least a constant, or above it.

    Raises: Ask where it depends on the noise.
    """
    least = divided(number - whole.shift, whole.factor)
    bound = math.floor(least) + 1 if strictly else math.ceil(least)
    return known.positive(dict(whole.terms), whole.offset - bound, or_zero=True)


def is_equal(known: Way, whole: Whole, number: Number) -> bool:
    """Whether a rounded number is a constant.

    Raises: Ask where it depends on the noise.
    """
    place = divided(number - whole.shift, whole.factor)
    if place.denominator > 1 or not is_at_least(known, whole, number, strictly=False):
        return False
    return not is_at_least(known, whole, number, strictly=True)
