"""Numbers of results as text: each rounded once, with its direction."""

from fractions import Fraction

from dpcert.mechanisms.decimals import decimal_hi, decimal_lo
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.logarithm import epsilon_bounds

LONG = 24
BITS = 40
SHORT_FRACTION = 12
"""Of how many characters a number is at the most that is printed as it is."""


def about(text: str) -> str:
    """Return p/q with its decimal value: exact where that is short, else between which decimals it lies."""
    value = number_of(text)
    fraction = str(value) if len(text) <= LONG else ""
    low, high = decimal_lo(value), decimal_hi(value)
    if low == high:
        return low if not fraction or fraction == low else f"{fraction} = {low}"
    return f"{fraction} <= {high}" if fraction else f"<= {high}"


def number_of(text: str) -> Fraction:
    """Return the number of a text "p/q" of any length."""
    top, _, bottom = text.partition("/")
    return Fraction(_integer(top), _integer(bottom))


def _integer(digits: str) -> int:
    """Return the integer of decimal digits; by halves, as CPython may refuse to convert long ones."""
    if len(digits) <= 512:
        return int(digits)
    half = len(digits) // 2
    unit: int = 10**half
    return _integer(digits[:-half]) * unit + _integer(digits[-half:])


def epsilon_text(text: str, *, up: bool) -> str:
    """Return an epsilon as it is where that is short, else its decimal value rounded in the given direction."""
    if len(text) <= LONG:
        return text
    low, high = epsilon_bounds(Epsilon.of(text), BITS)
    return f"<= {decimal_hi(high)}" if up else f">= {decimal_lo(low)}"


def short(x: Fraction) -> str:
    """Return a number as it is, p/q or in decimals, whichever is shorter; nothing where both are long."""
    fraction, low = ratio_text(x).removesuffix("/1"), decimal_lo(x)
    exact = [fraction, low] if low == decimal_hi(x) else [fraction]
    found = min(exact, key=len)
    return found if len(found) <= SHORT_FRACTION else ""


def at_most(x: Fraction) -> str:
    """Return a number as it is where that is short, else its decimal value rounded up."""
    return short(x) or decimal_hi(x)
