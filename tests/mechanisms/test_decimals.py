from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpcert import InputError, exact
from dpcert.mechanisms.decimals import decimal_hi, decimal_lo

rationals = st.fractions() | st.builds(Fraction, st.integers(), st.integers(1, 10**40))


@given(rationals, st.integers(1, 30))
@example(Fraction(99999, 100000), 4)
@example(Fraction(10**16 - 1), 5)
@example(Fraction(-1, 3), 1)
def test_decimals_are_their_twins_in_decimal_with_the_same_rounding(x: Fraction, places: int) -> None:
    lo, hi = decimal_lo(x, places), decimal_hi(x, places)
    for text, rounding in ((lo, ROUND_FLOOR), (hi, ROUND_CEILING)):
        context = Context(prec=places, rounding=rounding)
        twin = context.divide(Decimal(x.numerator), Decimal(x.denominator))
        assert exact(text) == Fraction(twin)
    assert exact(lo) <= x <= exact(hi)
    assert (lo == hi) == (exact(lo) == x)


@given(rationals)
def test_decimals_show_at_most_the_digits_asked_for_and_none_in_vain(x: Fraction) -> None:
    for text in (decimal_lo(x, 5), decimal_hi(x, 5)):
        shown = text.partition("e")[0].lstrip("-").replace(".", "").strip("0")
        assert len(shown) <= 5
        assert "." not in text or not text.partition("e")[0].endswith("0")


@pytest.mark.parametrize(
    ("x", "lo", "hi"),
    [
        ("0", "0", "0"),
        ("1", "1", "1"),
        ("1/4", "0.25", "0.25"),
        ("-1/4", "-0.25", "-0.25"),
        ("1/3", "0.33333", "0.33334"),
        ("-1/3", "-0.33334", "-0.33333"),
        ("2/3", "0.66666", "0.66667"),
        ("123456", "123450", "123460"),
        ("0.00010001", "0.00010001", "0.00010001"),
        ("0.000010001", "1.0001e-5", "1.0001e-5"),
        ("1.00005e-8", "1e-8", "1.0001e-8"),
        ("9.99999", "9.9999", "10"),
        ("9.99999e-5", "9.9999e-5", "0.0001"),
        ("1e15", "1000000000000000", "1000000000000000"),
        ("1e16", "1e16", "1e16"),
        ("9999999999999999", "9999900000000000", "1e16"),
        ("-1e-300", "-1e-300", "-1e-300"),
    ],
)
def test_decimals_as_they_are_printed(x: str, lo: str, hi: str) -> None:
    assert (decimal_lo(exact(x)), decimal_hi(exact(x))) == (lo, hi)


def test_decimals_of_very_long_numbers() -> None:
    x = Fraction(10**100_000 - 1)
    assert (decimal_lo(x), decimal_hi(x)) == ("9.9999e99999", "1e100000")
    assert (decimal_lo(1 / x), decimal_hi(1 / x)) == ("1e-100000", "1.0001e-100000")


def test_decimals_refuse_no_digits() -> None:
    with pytest.raises(InputError, match="digits = 0: at least 1 digit; ask for more digits"):
        decimal_lo(Fraction(1), 0)
