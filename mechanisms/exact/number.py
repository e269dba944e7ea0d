"""Exact rational numbers: the one door through which they enter, and the texts in which they leave."""

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import lcm
from typing import Any

from dpcert.mechanisms.exact.errors import InputError

# The most decimal digits that a numerator or a denominator may have on entry.
MAX_DIGITS = 100_000
# The largest decimal exponent, of either sign, that a text may have on entry.
MAX_EXPONENT = 10_000
# The most bits that a numerator or a denominator may have in the hexadecimal text of a certificate.
MAX_HEX_BITS = 400_000

_TEXT = re.compile(r"([+-]?)(?=[.\d])(?:(\d+)/(\d+)|(\d*)(?:\.(\d+))?(?:[eE]([+-]?)(\d+))?)", re.ASCII)
_HEX = re.compile(rf"(-?0x[0-9a-f]{{1,{MAX_HEX_BITS // 4}}})/(0x[1-9a-f][0-9a-f]{{0,{MAX_HEX_BITS // 4 - 1}}})")
_LONGEST = f"at most {MAX_DIGITS:,} digits"
_FORMS = "an exact number is an int, a Fraction, or a text such as '1/10', '0.1' or '1e-6'"


def short_text(x: int | Fraction) -> str:
    """The text of a number; for a long number, how many bits it has."""
    if isinstance(x, Fraction):
        return f"{short_text(x.numerator)}/{short_text(x.denominator)}"
    return str(x) if x.bit_length() <= 400 else f"<integer of {x.bit_length()} bits>"


def need(holds: bool, given: object, needed: str, remedy: str) -> None:
    """Raise the InputError of these parts unless a requirement holds.

    `given` is a text or a number; for anything else, the error names its type.
    """
    if not holds:
        shown = short_text(given) if type(given) is int or type(given) is Fraction else given
        given = shown if type(shown) is str else f"a value of type {type(given).__qualname__}"
        raise InputError(given=given, needed=needed, remedy=remedy)


def exact(value: object, name: str = "value") -> Fraction:
    """The rational number that `value` denotes, exactly.

    Requires: an int, a `Fraction`, or a text: [sign] p/q, or [sign] decimal [e exponent], in ASCII digits
              with blanks around it only; exponents within +-10,000; at most 100,000 digits in the text's
              parts and in the numerator and the denominator that it denotes.
    Raises:   InputError for anything else, subclasses included, before any large number is computed;
              `name` says which argument it was.
    """
    if type(value) is str:
        return _from_text(value, name)
    if type(value) is int or type(value) is Fraction:
        longest = max(abs(value.numerator), value.denominator)
        if longest.bit_length() > 332_192 and longest >= 10**MAX_DIGITS:  # which is above 2**332_192
            given = f"{name} of {longest.bit_length():,} bits"
            raise InputError(given=given, needed=_LONGEST, remedy="round it first.")
        return value if type(value) is Fraction else Fraction(value)
    raise _refusal(value, name)


def _from_text(text: str, name: str) -> Fraction:
    given, text = f"{name} = {text[:300]!r}", text.strip()
    if text.lstrip("+-").lower() in {"nan", "inf", "infinity"}:
        raise InputError(given=given, needed="a finite number", remedy="write it as a ratio or a decimal.")
    match = _TEXT.fullmatch(text)
    if match is None:
        extra = " without underscores" if "_" in text else ""
        raise InputError(given=given, needed=_FORMS, remedy=f"write it in one of these forms{extra}.")
    sign, top, bottom, whole, part, exponent_sign, exponent = (group or "" for group in match.groups())
    power, exponent = 0, exponent.lstrip("0") or "0"
    if not bottom:
        near = len(exponent) <= 5 and int(exponent) <= MAX_EXPONENT
        need(near, given, f"an exponent within +-{MAX_EXPONENT:,}", "write a number nearer to 1.")
        top, bottom, power = whole + part, "1", int(exponent_sign + exponent) - len(part)
    length = max(len(top) + max(power, 0), len(bottom) + max(-power, 0))
    need(length <= MAX_DIGITS, given, _LONGEST, "round it first.")
    # By way of Decimal, which is exact: CPython may refuse to convert more than 640 digits.
    denominator = int(Decimal(bottom)) * 10 ** max(-power, 0)
    need(denominator != 0, given, "a denominator that is not zero", "correct the ratio.")
    return Fraction(int(Decimal(top)) * 10 ** max(power, 0) * (-1 if sign == "-" else 1), denominator)


def _refusal(value: object, name: str) -> InputError:
    """The error for a value of a type that `exact` does not take; it says what to write instead."""
    numpy_kinds = {base.__name__ for base in type(value).__mro__ if base.__module__ == "numpy"}
    given, needed, remedy = f"{name} of type {type(value).__qualname__}", _FORMS, "write one of these."
    if isinstance(value, float) or "floating" in numpy_kinds:
        given, needed, remedy = _float_refusal(float.__repr__(value) if isinstance(value, float) else str(value), name)
    elif isinstance(value, Decimal):
        given, needed = f"{name} = Decimal('{value}')", "a Decimal depends on its context"
        remedy = "write its text: str(x)."
    elif isinstance(value, bool) or numpy_kinds & {"bool", "bool_"}:
        given, needed, remedy = f"{name} = {value!r}", "a truth value is not a number", "write 0 or 1."
    elif isinstance(value, int) or "integer" in numpy_kinds:
        needed, remedy = "a plain int, not a look-alike", "write int(x)."
    return InputError(given=given, needed=needed, remedy=remedy)


def _float_refusal(text: str, name: str) -> tuple[str, str, str]:
    if text.lstrip("-") in {"nan", "inf"}:
        return f"{name} = {text}", "a finite number", "write it as a ratio or a decimal."
    value = Fraction(text)
    short = max(value.numerator.bit_length(), value.denominator.bit_length()) <= 100
    ratio = f" or Fraction({value.numerator}, {value.denominator})" if short else ""
    return f"{name} = {text}", "A float is not the number it prints as", f"write '{text}'{ratio}."


def on_one_denominator(ratios: Sequence[Any]) -> tuple[list[int], int]:
    """The weights and the denominator of ratios, or of anything else with a numerator and a denominator."""
    common = lcm(*{ratio.denominator for ratio in ratios})
    return [ratio.numerator * (common // ratio.denominator) for ratio in ratios], common


def digits(n: int) -> str:
    """The decimal text of n, whatever CPython's limit on such conversions."""
    return str(Decimal(n))


def ratio_text(x: Fraction) -> str:
    """The text "p/q" of x in lowest terms, always with the slash; `exact` reads it back."""
    return f"{digits(x.numerator)}/{digits(x.denominator)}"


def hex_text(x: Fraction) -> str:
    """The text "0x1f/0x20" of x in lowest terms; `from_hex` reads it back, up to MAX_HEX_BITS."""
    return f"{x.numerator:#x}/{x.denominator:#x}"


def from_hex(text: object, name: str) -> Fraction:
    """The number x of which `text` is the one and only `hex_text(x)`.

    Raises: InputError for any other value: another type, capitals, blanks, leading zeros, a minus on zero,
            a ratio not in lowest terms, or more than 400,000 bits (decided by the text's length).
    """
    match = _HEX.fullmatch(text) if type(text) is str else None
    if match is not None:
        x = Fraction(int(match[1], 16), int(match[2], 16))
        if hex_text(x) == text:
            return x
    given = f"{name} = {text[:300]!r}" if type(text) is str else f"{name} of type {type(text).__qualname__}"
    needed = "a ratio '0x1f/0x20': lowercase, no leading zeros, in lowest terms, at most 400,000 bits each"
    raise InputError(given=given, needed=needed, remedy="write the output of hex_text.")
