"""The assumed error of a machine's function against the real one, and the bounds of floats that follow from it."""

import math
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dpcert.mechanisms.adapters.balls import enclose
from dpcert.mechanisms.exact.errors import InputError

ASSUMED_ULPS = 8
"""The error assumed of each function, in units in the last place of the true value.

The GNU C Library publishes at most 2 on x86_64 for those in `REALS`, and numpy at most 4.
"""

STEPS = 2 * ASSUMED_ULPS + 1
"""The same error in floats: an ulp is two floats where the exponent changes, and the true value lies between floats."""


@dataclass(frozen=True, slots=True)
class Real:
    """A real function, as a formula in balls, that rises, or else `falls`, on x > low."""

    formula: Callable[[Any], Any]
    low: float = -math.inf
    falls: bool = False


def _base(base: int) -> Callable[[Any], Any]:
    return lambda x: x.log() / type(x)(base).log()


REALS = {
    "log": Real(lambda x: x.log(), 0.0),
    "log2": Real(_base(2), 0.0),
    "log10": Real(_base(10), 0.0),
    "log1p": Real(lambda x: x.log1p(), -1.0),
    "exp": Real(lambda x: x.exp()),
    "exp2": Real(lambda x: (x * type(x)(2).log()).exp()),
    "expm1": Real(lambda x: x.expm1()),
    "sinh": Real(lambda x: x.sinh()),
    "tanh": Real(lambda x: x.tanh()),
    "asinh": Real(lambda x: x.asinh()),
    "atan": Real(lambda x: x.atan()),
    "erf": Real(lambda x: x.erf()),
    "erfc": Real(lambda x: x.erfc(), falls=True),
}
"""The functions followed by enclosure, beside powers; each is monotone where it is followed."""


@lru_cache(maxsize=256)
def power_of(exponent: float, *, mirrored: bool = False) -> Real:
    """Return x -> x ** exponent on x > 0; mirrored, x -> (-x) ** exponent for an integer."""
    odd = mirrored and exponent % 2 == 1
    formula = _power_of(Fraction(exponent))
    return Real((lambda x: -formula(x)) if odd else formula, 0.0, falls=(exponent < 0) != odd)


def _power_of(exponent: Fraction) -> Callable[[Any], Any]:
    if exponent.denominator == 1 and abs(exponent) <= 64:
        return lambda x: x ** int(exponent)
    return lambda x: (x.log() * exponent.numerator / exponent.denominator).exp()


@lru_cache(maxsize=256)
def power_to(base: float) -> Real:
    """Return x -> base ** x, for base > 0."""
    exact = Fraction(base)
    return Real(
        lambda x: (x * (type(x)(exact.numerator).log() - type(x)(exact.denominator).log())).exp(), falls=base < 1
    )


def place(x: float) -> int:
    """Return the place of a finite float among all, in order: 0 for both zeros, 1 for the least above."""
    bits: int = struct.unpack("<q", struct.pack("<d", x))[0]
    return bits if bits >= 0 else -(bits & 0x7FFF_FFFF_FFFF_FFFF)


SIGN = 1 << 63


def place_in_order(x: float) -> int:
    """Return the place of a finite double among all, in order: -1 for -0.0 and 0 for 0.0."""
    bits: int = struct.unpack("<Q", struct.pack("<d", x))[0]
    return bits if bits < SIGN else SIGN - 1 - bits


def of_place(place: int) -> float:
    """Return the double at a place in the order of `place_in_order`."""
    value: float = struct.unpack("<d", struct.pack("<Q", place if place >= 0 else SIGN - 1 - place))[0]
    return value


def stepped(x: float, steps: int) -> float:
    """Return the finite float that lies `steps` floats above x, or the last one on the way."""
    last = place(sys.float_info.max)
    target = max(-last, min(last, place(x) + steps))
    value: float = struct.unpack("<d", struct.pack("<q", abs(target)))[0]
    return value if target >= 0 else -value


def _nearest(x: Fraction) -> float:
    try:
        return float(x)
    except OverflowError:
        return math.copysign(sys.float_info.max, x.numerator)


BITS = 192
MORE_BITS = (BITS, 1024, 4096)


@lru_cache(maxsize=1 << 14)
def between(real: Real, x: float) -> tuple[float, float]:
    """Return float bounds of the machine's value at x, if its error is within `ASSUMED_ULPS`.

    Requires: x in the domain of `real`.
    Claims:   the bounds are no nearer to the true value than those that the true value's own place among the
              floats gives, and these are monotone in x.
    """
    for bits in MORE_BITS:
        try:
            low, high = enclose(real.formula, Fraction(x), bits=bits)
        except InputError:
            continue
        if high - low <= max(abs(low), abs(high)) / 2**60 or low == high or bits == MORE_BITS[-1]:
            return stepped(_nearest(low), -STEPS - 1), stepped(_nearest(high), STEPS + 1)
    return -sys.float_info.max, sys.float_info.max
