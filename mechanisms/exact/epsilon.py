"""Privacy parameters q + ln r for rational q >= 0 and r >= 1: exact sums, bounds of e^epsilon.

Their order and their multiples, which no verdict needs, are in `mechanisms/epsilons.py`.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, need, ratio_text

# The largest rational part of which `Epsilon.exp_bounds` computes the exponential.
MAX_RATIONAL = 100_000
# The most terms that the text of an epsilon may sum.
MAX_TERMS = 20

_LN = re.compile(r"\s*ln\(([^()]*)\)\s*")
_PLUS = re.compile(r"(?<![eE])\+")


@dataclass(frozen=True, slots=True, repr=False)
class Epsilon:
    """The number rational + ln ratio, and no other pair denotes it.

    Requires: rational >= 0 and ratio >= 1, both `Fraction`, of at most 100,000 digits a part.
    Claims:   equality is that of the numbers. If q + ln r = q' + ln r' with q != q', then
              e^(q - q') is rational; but e^x is transcendental for rational x != 0 (Lindemann).
    Raises:   InputError.
    """

    rational: Fraction
    ratio: Fraction

    def __post_init__(self) -> None:
        for part, least, kind in (self.rational, 0, "rational part"), (self.ratio, 1, "ratio"):
            name = f"the {kind} of epsilon"
            given = f"{name} of type {type(part).__qualname__}"
            need(type(part) is Fraction, given, "a Fraction", "write Epsilon.of(...).")
            _at_least(exact(part, name), least, name)

    @classmethod
    def of(cls, value: object, name: str = "epsilon") -> "Epsilon":
        """The epsilon that `value` denotes: an Epsilon, an int, a Fraction, or a text such as "1/2 + ln(3/2)".

        Requires: a text is a sum of at most 20 terms x or ln(x), each x as for `exact`; x >= 0, ln(x) >= 0.
        Raises:   InputError.
        """
        if type(value) is Epsilon:
            return value
        if type(value) is not str:
            return cls(_at_least(exact(value, name), 0, name), Fraction(1))
        given = f"{name} = {value[:300]!r}"
        terms = _PLUS.split(value.strip().removeprefix("+"), MAX_TERMS)
        need(len(terms) <= MAX_TERMS, given, f"at most {MAX_TERMS} terms", "add them up.")
        total = cls(Fraction(0), Fraction(1))
        for term in terms:
            match = _LN.fullmatch(term)
            if match is not None:
                inner = f"the argument of ln in {name}"
                total += cls(Fraction(0), _at_least(exact(match[1], inner), 1, inner))
            elif re.search(r"[*()]|ln|log|exp", term):
                needed = "a number, ln(number), or a sum of these, with the natural ln"
                remedy = "write '1/10', 'ln(3)' or '1/2 + ln(3/2)'; for 2*ln(3) write 'ln(9)'."
                raise InputError(given=given, needed=needed, remedy=remedy)
            else:
                total += cls(_at_least(exact(term, name), 0, name), Fraction(1))
        return total

    @classmethod
    def ln(cls, ratio: object) -> "Epsilon":
        """The epsilon ln(ratio), for which e^epsilon is the rational number `ratio` >= 1."""
        return cls(Fraction(0), exact(ratio, "the argument of ln"))

    def __add__(self, other: object) -> "Epsilon":
        if not isinstance(other, Epsilon):
            return NotImplemented
        return Epsilon(self.rational + other.rational, self.ratio * other.ratio)

    def __str__(self) -> str:
        """The text that `Epsilon.of` reads back: "0", "1/10", "ln(3)", "1/2 + ln(3/2)"."""
        rational, ratio = _plain(self.rational), _plain(self.ratio)
        if self.ratio == 1:
            return rational
        return f"ln({ratio})" if self.rational == 0 else f"{rational} + ln({ratio})"

    def __repr__(self) -> str:
        return f"Epsilon('{self}')"

    def exp_bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        """Rationals lo <= e^epsilon <= hi with hi - lo <= lo * 2**-bits; both are `ratio` when rational is 0.

        Claims: each is an integer over a power of two, times ratio; of O(bits + 1.45 * rational) bits.
        Raises: InputError when rational > 100,000; ask `power_of_two_lo` first.
        """
        if self.rational == 0:
            return self.ratio, self.ratio
        if self.rational > MAX_RATIONAL:
            needed = f"a rational part of at most {MAX_RATIONAL:,} to bound e^epsilon"
            remedy = "ask power_of_two_lo, or write a smaller epsilon."
            raise InputError(given=f"epsilon = {self}", needed=needed, remedy=remedy)
        lo, hi, width = exp_near(self.rational, bits)
        below, above = Fraction(lo, 1 << width), Fraction(hi, 1 << width)
        return (below, above) if self.ratio == 1 else (below * self.ratio, above * self.ratio)

    def power_of_two_lo(self) -> int:
        """An integer k >= 0 with 2**k <= e^epsilon, at once; k >= log2(e^epsilon) - 3 - rational * 10**-16.

        Claims: a numerator of a bits is at least 2**(a - 1), a denominator of b bits is below 2**b:
                ratio > 2**(a - b - 1), which is above ratio / 4; and ratio >= 1.
        """
        power = exp_power_of_two_lo(self.rational)
        return power + max(0, self.ratio.numerator.bit_length() - self.ratio.denominator.bit_length() - 1)


def _at_least(x: Fraction, least: int, name: str) -> Fraction:
    if x >= least:
        return x
    raise InputError(given=f"{name} = {_plain(x)}", needed=f"at least {least}", remedy="write such a number.")


def _plain(x: Fraction) -> str:
    return ratio_text(x).removesuffix("/1")


def exp_power_of_two_lo(x: Fraction) -> int:
    """An integer k with 2**k <= e^x, for rational x >= 0: floor(c x) with c = 14426950408889634 / 10**16.

    Claims: log2(e) = 1.44269504088896340735... exceeds c by less than 10**-16.
    """
    return x.numerator * 14426950408889634 // (x.denominator * 10**16)


def exp_near(x: Fraction, bits: int) -> tuple[int, int, int]:
    """Integers (lo, hi, w) with lo <= e^x * 2**w <= hi and hi - lo <= lo * 2**-bits, for rational x > 0.

    Claims: the width is measured before it is returned. Halvings beyond those that x needs save Taylor terms.
    """
    halvings = max(0, x.numerator.bit_length() - x.denominator.bit_length() + 2 + isqrt(bits))
    width = bits + halvings + 6
    while True:
        lo, hi = exp_fixed_point(x, halvings=halvings, width=width)
        if (hi - lo) << bits <= lo:
            return lo, hi, width
        width += 8


def exp_fixed_point(x: Fraction, *, halvings: int, width: int) -> tuple[int, int]:
    """Integers lo <= e^x * 2**width <= hi, for rational x.

    Requires: 0 < x <= 2**(halvings - 1).
    Claims:   y = x / 2**halvings is at most 1/2, and t <= y * 2**width < t + 1. Each Taylor term of e^y is
              rounded down from t for lo, up from t + 1 for hi; the terms after the last are together at
              most the last, as each is at most half of the one before. e^x is e^y squared `halvings` times,
              each square rounded outwards.
    Raises:   InputError.
    """
    if not 0 < 2 * x <= 1 << halvings:
        given = f"exp of {_plain(x)} with {halvings} halvings"
        raise InputError(given=given, needed="0 < x <= 2**(halvings - 1)", remedy="ask for more halvings.")
    t = (x.numerator << width) // (x.denominator << halvings)
    lo, term, index = 0, 1 << width, 0
    while term > 0:
        lo += term
        index += 1
        term = (term * t >> width) // index
    hi, term, index = 1 << width, 1 << width, 0
    while term > 1:
        index += 1
        term = -((-term * (t + 1) >> width) // index)
        hi += term
    hi += term
    for _ in range(halvings):
        lo, hi = lo * lo >> width, -(-hi * hi >> width)
    return lo, hi
