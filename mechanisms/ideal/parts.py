"""Released numbers that depend on noise, as data."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.ideal.exact import Exact
from dpcert.mechanisms.ideal.parameter import exactly


@dataclass(frozen=True, slots=True)
class Noisy:
    """A released number: offset + sum of c * variable."""

    terms: tuple[tuple[int, Fraction], ...]
    offset: Fraction


HOLE = Noisy((), Fraction(0))
"""Stands for a released number in an outcome; no program returns it."""


@dataclass(frozen=True, slots=True)
class Rounded:
    """A released number: factor * floor(offset + sum of c * variable) + shift."""

    terms: tuple[tuple[int, Fraction], ...]
    offset: Fraction
    factor: Fraction
    shift: Fraction


def with_names(part: Noisy | Rounded, names: Mapping[int, int]) -> Noisy | Rounded:
    """Return a released number with other names for some variables."""
    return replace(part, terms=tuple(sorted((names.get(name, name), c) for name, c in part.terms)))


def rounded(part: Rounded) -> Rounded:
    """Return a rounded number with its shift in [0, factor): multiples of the factor are added before rounding."""
    steps = part.shift // part.factor
    return replace(part, offset=part.offset + steps, shift=part.shift - steps * part.factor)


@dataclass(frozen=True, slots=True)
class AsWritten:
    """A released number without noise that is written with exponentials."""

    exact: Exact


@dataclass(frozen=True, slots=True)
class Array:
    """A released numpy array of real numbers."""

    shape: tuple[int, ...]
    items: tuple[Any, ...]


def entry(item: Any) -> Any:
    """Return an entry of a released array of real numbers: int, float and Fraction are not told apart, but -0.0 is."""
    number = None if isinstance(item, bool) else exactly(item)
    is_minus_zero = isinstance(item, float) and item == 0 and math.copysign(1, item) < 0
    return item if number is None or is_minus_zero else Fraction(number)
