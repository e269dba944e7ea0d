"""Texts of exact numbers, rounded in a stated direction, in integer arithmetic."""

from fractions import Fraction

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import digits, ratio_text

MAX_BITS = 4096


def decimal_lo(x: Fraction, places: int = 5) -> str:
    """A decimal text of at most x: x rounded towards -infinity to so many significant digits.

    Claims: exact when x has that few digits, and then short ("0.25", "1"); scientific ("1.0001e-8") when
            the decimal exponent is below -4 or at least 16; integer arithmetic alone.
    """
    return _decimal(x, places, up=False)


def decimal_hi(x: Fraction, places: int = 5) -> str:
    """A decimal text of at least x: x rounded towards +infinity to so many significant digits.

    Claims: as for `decimal_lo`.
    """
    return _decimal(x, places, up=True)


def _decimal(x: Fraction, places: int, *, up: bool) -> str:
    if places < 1:
        raise InputError(given=f"digits = {places}", needed="at least 1 digit", remedy="ask for more digits.")
    if x == 0:
        return "0"
    if x < 0:
        return "-" + _decimal(-x, places, up=not up)
    # log10(x) exceeds this guess, as log10(2) is 0.30103 to 5e-9; the loop ends at floor(log10(x)).
    exponent = (x.numerator.bit_length() - x.denominator.bit_length() - 1) * 30103 // 100_000 - 1
    while _scaled(x, -exponent - 1, up=False) >= 1:
        exponent += 1
    shown = digits(_scaled(x, places - 1 - exponent, up=up))
    exponent += len(shown) - places
    shown = shown.rstrip("0")
    if not -4 <= exponent < 16:
        return shown[0] + ("." + shown[1:] if shown[1:] else "") + f"e{exponent}"
    if exponent < 0:
        return "0." + "0" * (-exponent - 1) + shown
    whole, part = shown[: exponent + 1].ljust(exponent + 1, "0"), shown[exponent + 1 :]
    return whole + ("." + part if part else "")


def _scaled(x: Fraction, power: int, *, up: bool) -> int:
    """x * 10**power rounded to an integer, down or up."""
    top: int = x.numerator * 10 ** max(power, 0)
    bottom: int = x.denominator * 10 ** max(-power, 0)
    return -(-top // bottom) if up else top // bottom


def rounded_text(value: Fraction, *, up: bool) -> str:
    """Return p/q, rounded outwards to 2^-4096 where its numbers are longer than that."""
    if value.denominator.bit_length() > MAX_BITS:
        scaled, rest = divmod(value.numerator << MAX_BITS, value.denominator)
        value = Fraction(scaled + (up and rest > 0), 1 << MAX_BITS)
    return ratio_text(value)
