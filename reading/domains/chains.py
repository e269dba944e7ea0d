"""Undecided numbers as chains of monotone steps over an interval: their values at places of the draw."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from dpcert.reading.domains import near
from dpcert.reading.domains.steps import MOST, PLACED, STEPS, same
from dpcert.reading.values import Undecided, Value


def at(number: Undecided, place: int) -> Value:
    """What an undecided number is where its draw is `place`.

    Raises: Refused for a count of turns, which has no greatest place.
    """
    value: Any = PLACED[number.draw.kind](place) if number.draw.kind in PLACED else place
    for step, by in number.chain:
        value = STEPS[step](value, by)
    return value


def at_ends(number: Undecided) -> tuple[Value, Value]:
    """What it is at the two ends of its draw."""
    return at(number, number.draw.lo), at(number, number.draw.hi - 1)


def turn(number: Undecided, holds: Callable[[Any], bool]) -> int:
    """The first place of the draw where a test holds that holds from some place on; the end if it never does."""
    lo: int = number.draw.lo
    hi: int = number.draw.hi
    while lo < hi:
        middle = (lo + hi) // 2
        lo, hi = (lo, middle) if holds(at(number, middle)) else (middle + 1, hi)
    return lo


def many(size: int) -> str:
    """The words of a refusal to decide a number of many values."""
    return f"a draw of {size.bit_length()} bits is needed as a plain number; compare it, or draw less"


def has_many(number: Undecided) -> bool:
    """Whether a monotone number has more than `MOST` values, as so many of its places show."""
    if near.is_near(number):
        return False
    lo, size = number.draw.lo, number.draw.hi - number.draw.lo
    values = (at(number, lo + size * i // (MOST + 1)) for i in range(MOST + 1))
    return not any(same(a, b) for a, b in pairwise(values))
