"""Answers: certified bounds of one number, and the method behind them."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Method = Literal["exact", "enclosed"]

WIDE = Fraction(21, 20)
"""The factor up to which bounds of a composition are close."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Bounds of the number asked for: at least `lo` and at most `hi`; None stands for infinity.

    `method` is "exact" where the laws were held as integers over one denominator; lo and hi then differ only by
    what bounds an irrational e^epsilon. It is "enclosed" where the laws themselves were held in mantissas of fixed
    length, every operation rounded to the safe side. `why` says why bounds of a composition are more than a factor of
    WIDE apart.
    """

    lo: Fraction | None
    hi: Fraction | None
    method: Method
    why: str | None = None

    @property
    def bits(self) -> int | None:
        """The precision: the greatest b with hi - lo <= 2**-b hi, at least 0; None where lo and hi are equal."""
        if self.lo == self.hi:
            return None
        if self.lo is None or self.hi is None or self.lo <= 0:
            return 0
        return (self.hi.numerator * self.lo.denominator // _gap(self.lo, self.hi)).bit_length() - 1


def wide(lo: Fraction | None, hi: Fraction | None) -> bool:
    """Whether bounds are more than a factor of WIDE apart."""
    return lo != hi and (lo is None or hi is None or hi > lo * WIDE)


def _gap(lo: Fraction, hi: Fraction) -> int:
    """Return the numerator of hi - lo over the product of the denominators."""
    return hi.numerator * lo.denominator - lo.numerator * hi.denominator
