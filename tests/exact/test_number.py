"""Evidence for errors.py and number.py: exact twins, round trips, refused inputs, time guards."""

import multiprocessing
import sys
from decimal import Decimal
from enum import IntEnum, StrEnum
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpcert import DpcertError, InputError, Unauditable, exact
from dpcert.mechanisms.exact.errors import one_line
from dpcert.mechanisms.exact.number import digits, from_hex, hex_text, ratio_text

FORMS = "an exact number is an int, a Fraction, or a text such as '1/10', '0.1' or '1e-6'"
HEX_FORM = "a ratio '0x1f/0x20': lowercase, no leading zeros, in lowest terms, at most 400,000 bits each"
LONG = "at most 100,000 digits"

rationals = st.fractions() | st.builds(Fraction, st.integers(), st.integers(1, 10**40))
decimal_texts = st.from_regex(r"[+-]?([0-9]{1,30}(\.[0-9]{1,30})?|\.[0-9]{1,30})([eE][+-]?[0-9]{1,3})?", fullmatch=True)


class Three(IntEnum):
    VALUE = 3


class Tenth(StrEnum):
    VALUE = "1/10"


class MyFloat(float):
    def __repr__(self) -> str:
        return "7"


class MyFraction(Fraction):
    pass


class Hostile:
    def __repr__(self) -> str:
        raise RuntimeError("repr was asked for")


def refusal(value: object, name: str = "value") -> InputError:
    with pytest.raises(InputError) as caught:
        exact(value, name)
    assert len(str(caught.value).splitlines()) == 1
    return caught.value


def through_a_pipe(error: Exception) -> Exception:
    """The error as another process would receive it: pickled and read back."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    with receiver, sender:
        sender.send(error)
        received = receiver.recv()
    assert isinstance(received, Exception)
    return received


def test_input_error_is_one_line_of_its_three_parts() -> None:
    error = InputError(given="a\nb", needed="c\r\n d", remedy="e\u2028f")
    assert (error.given, error.needed, error.remedy) == ("a b", "c d", "e f")
    assert str(error) == "a b: c d; e f"
    assert isinstance(error, ValueError)
    assert isinstance(error, DpcertError)


def test_input_error_shortens_what_was_given_and_nothing_else() -> None:
    assert InputError(given="x" * 200, needed="n", remedy="r").given == "x" * 200
    assert InputError(given="x" * 201, needed="n", remedy="r").given == "x" * 197 + "..."
    assert InputError(given="a" + " " * 10**6, needed="n", remedy="r").given == "a..."
    assert InputError(given="g", needed="n" * 500, remedy="r" * 500).needed == "n" * 500


def test_input_error_pickles() -> None:
    error = InputError(given="x" * 300, needed="n", remedy="r")
    error.add_note("seen")
    twin = through_a_pipe(error)
    assert isinstance(twin, InputError)
    assert (twin.given, twin.needed, twin.remedy) == (error.given, "n", "r")
    assert (str(twin), twin.__notes__) == (str(error), ["seen"])


def test_unauditable_is_one_line_and_pickles() -> None:
    error = Unauditable("the program\nnever stops")
    assert str(error) == "the program never stops"
    assert isinstance(error, DpcertError)
    twin = through_a_pipe(error)
    assert (type(twin), str(twin)) == (Unauditable, str(error))


@given(st.text(st.characters(), max_size=60))
@example("\x1b[31mred\x00\ud800\u202e")
def test_one_line_prints_on_any_terminal(text: str) -> None:
    line = one_line(text)
    assert line.isprintable()
    assert one_line(line) == line
    line.encode("utf-8")


@given(decimal_texts)
def test_exact_of_a_decimal_text_is_its_twin_in_decimal(text: str) -> None:
    assert exact(text) == Fraction(Decimal(text))


@given(st.integers(), st.integers(1), st.sampled_from(["", " ", "\t\n "]))
def test_exact_of_a_ratio_text_is_the_ratio(top: int, bottom: int, blank: str) -> None:
    assert exact(f"{blank}{top}/{bottom}{blank}") == Fraction(top, bottom)


@given(st.integers() | st.fractions())
def test_exact_of_a_number_is_the_number(value: int | Fraction) -> None:
    assert exact(value) == value
    assert type(exact(value)) is Fraction


@pytest.mark.parametrize(("text", "value"), [
    ("1/10", Fraction(1, 10)), ("0.1", Fraction(1, 10)), ("1e-6", Fraction(1, 10**6)), ("-3", Fraction(-3)),
    ("+2", Fraction(2)), ("+2/4", Fraction(1, 2)), (" .5E+1 ", Fraction(5)), ("-0", Fraction(0)),
    ("007", Fraction(7)), ("1e-0000000000006", Fraction(1, 10**6)), ("1e10000", Fraction(10**10000)),
    ("1e-10000", Fraction(1, 10**10000)),
])  # fmt: skip
def test_exact_reads_the_documented_forms(text: str, value: Fraction) -> None:
    assert exact(text) == value


@pytest.mark.nightly
def test_exact_takes_100_000_digits_and_not_one_more() -> None:
    top = 10**100_000
    nines = top - 1
    for value in (nines, -nines, Fraction(nines), Fraction(1, nines), Fraction(nines, top // 10)):
        assert exact(value) == value
    assert exact("9" * 100_000) == nines
    assert exact("1/" + "9" * 100_000) == Fraction(1, nines)
    assert exact("0." + "9" * 99_999) == 1 - Fraction(1, top // 10)
    assert exact("9" * 90_000 + "e10000") == (10**90_000 - 1) * 10**10_000
    for value in (top, -top, Fraction(top), Fraction(1, top), 1 << 332_193, 1 << 10**7):
        assert refusal(value).needed == LONG
    for text in ("9" * 100_001, "1/" + "1" * 100_001, "." + "1" * 100_000, "9" * 90_001 + "e10000"):
        assert refusal(text).needed == LONG
    assert refusal("0." + "1" * 90_001 + "e-10000").needed == LONG
    assert refusal("1" * 10**6).needed == LONG
    assert str(refusal(Fraction(1, 1 << 400_000), "delta")) == (
        "delta of 400,001 bits: at most 100,000 digits; round it first."
    )


def test_texts_convert_both_ways_under_the_strictest_limit_of_cpython() -> None:
    limit = sys.get_int_max_str_digits()
    text = "".join(str(k) for k in range(10, 20_000))[:80_000]
    try:
        sys.set_int_max_str_digits(640)
        assert digits(exact(text).numerator) == text
        assert digits(10**70_000) == "1" + "0" * 70_000
    finally:
        sys.set_int_max_str_digits(limit)


@pytest.mark.parametrize(("value", "line"), [
    (0.1, "epsilon = 0.1: A float is not the number it prints as; write '0.1' or Fraction(1, 10)."),
    (-2.5, "epsilon = -2.5: A float is not the number it prints as; write '-2.5' or Fraction(-5, 2)."),
    (1e300, "epsilon = 1e+300: A float is not the number it prints as; write '1e+300'."),
    (MyFloat(0.5), "epsilon = 0.5: A float is not the number it prints as; write '0.5' or Fraction(1, 2)."),
    (np.float64(0.1), "epsilon = 0.1: A float is not the number it prints as; write '0.1' or Fraction(1, 10)."),
    (np.float32(0.1), "epsilon = 0.1: A float is not the number it prints as; write '0.1' or Fraction(1, 10)."),
    (np.longdouble("1e4900"), "epsilon = 1e+4900: A float is not the number it prints as; write '1e+4900'."),
    (float("nan"), "epsilon = nan: a finite number; write it as a ratio or a decimal."),
    (float("-inf"), "epsilon = -inf: a finite number; write it as a ratio or a decimal."),
    (np.float16("inf"), "epsilon = inf: a finite number; write it as a ratio or a decimal."),
    (True, "epsilon = True: a truth value is not a number; write 0 or 1."),
    (np.bool_(False), "epsilon = np.False_: a truth value is not a number; write 0 or 1."),
    (Decimal("0.10"), "epsilon = Decimal('0.10'): a Decimal depends on its context; write its text: str(x)."),
    (Three.VALUE, "epsilon of type Three: a plain int, not a look-alike; write int(x)."),
    (np.int64(3), "epsilon of type int64: a plain int, not a look-alike; write int(x)."),
    (np.uint8(3), "epsilon of type uint8: a plain int, not a look-alike; write int(x)."),
    (Tenth.VALUE, f"epsilon of type Tenth: {FORMS}; write one of these."),
    (MyFraction(1, 2), f"epsilon of type MyFraction: {FORMS}; write one of these."),
    (np.str_("1"), f"epsilon of type str_: {FORMS}; write one of these."),
    (np.array(1), f"epsilon of type ndarray: {FORMS}; write one of these."),
    (None, f"epsilon of type NoneType: {FORMS}; write one of these."),
    (1j, f"epsilon of type complex: {FORMS}; write one of these."),
    (b"1", f"epsilon of type bytes: {FORMS}; write one of these."),
    (Hostile(), f"epsilon of type Hostile: {FORMS}; write one of these."),
    ("1_000", f"epsilon = '1_000': {FORMS}; write it in one of these forms without underscores."),
    ("1/0", "epsilon = '1/0': a denominator that is not zero; correct the ratio."),
    ("-1/000", "epsilon = '-1/000': a denominator that is not zero; correct the ratio."),
    ("NaN", "epsilon = 'NaN': a finite number; write it as a ratio or a decimal."),
    (" -Infinity", "epsilon = ' -Infinity': a finite number; write it as a ratio or a decimal."),
    ("1e10001", "epsilon = '1e10001': an exponent within +-10,000; write a number nearer to 1."),
    ("0e-10001", "epsilon = '0e-10001': an exponent within +-10,000; write a number nearer to 1."),
    ("1e999999999", "epsilon = '1e999999999': an exponent within +-10,000; write a number nearer to 1."),
])  # fmt: skip
def test_exact_refuses_and_says_what_to_write(value: object, line: str) -> None:
    assert str(refusal(value, "epsilon")) == line


@pytest.mark.parametrize("text", [
    "", " ", "+", ".", "/", "e5", ".e5", "1.", "1e", "1e+", "1/", "/2", "1//2", "1/2/3", "1 / 2", "1 2",
    "--1", "1/-2", "1.5/2", "1/2e3", "1,5", "0x10", "10%", "1e1.5", "\u0661", "1\u0662", "\u00bd",
    "\uff11", "1\n2", "ln(3)", "1+1", "nan1",
])  # fmt: skip
def test_exact_refuses_text_in_another_form(text: str) -> None:
    error = refusal(text, "delta")
    assert error.needed == FORMS
    assert error.given == f"delta = {text!r}"


@given(st.text(max_size=12) | st.text("0123456789+-./eE _", max_size=12))
def test_exact_of_any_text_is_what_fraction_reads_or_an_input_error(text: str) -> None:
    try:
        value = exact(text)
    except InputError:
        return
    assert value == Fraction(text.strip())


@given(st.floats())
def test_exact_refuses_every_float_and_its_remedy_denotes_what_it_prints(value: float) -> None:
    error = refusal(value)
    if "Fraction(" in error.remedy:
        text, ratio = error.remedy.removeprefix("write '").removesuffix(").").split("' or Fraction(")
        assert float(text) == value
        assert exact(text) == exact(ratio.replace(", ", "/"))


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("text", [
    "1e" + "9" * 150_000, "1e" + "0" * 150_000 + "x", "1" * 150_000 + "x", "." + "1" * 150_000 + "x",
    "1" * 99_000 + "/" + "1" * 99_000 + "x", "1/" + "0" * 100_000, "+-" * 90_000, "e" * 10**7,
], ids=["exponent", "exponent-zeros", "digits", "part", "ratio", "zeros", "signs", "letters"])  # fmt: skip
def test_long_bad_text_is_refused_at_once(text: str) -> None:
    assert len(str(refusal(text))) < 500


def piece_by_piece(n: int) -> str:
    """The twin of `digits`: 600 of them at a time."""
    pieces, rest = "", abs(n)
    while rest:
        rest, piece = divmod(rest, 10**600)
        pieces = f"{piece:0600d}{pieces}"
    return "-" * (n < 0) + (pieces.lstrip("0") or "0")


@given(st.integers() | st.integers(-(10**6000), 10**6000))
@example(10**512)
@example(10**512 - 1)
def test_exact_twin_digits_come_piece_by_piece(n: int) -> None:
    assert digits(n) == piece_by_piece(n)


@pytest.mark.nightly
def test_digits_of_very_long_numbers() -> None:
    for n in (10**100_000 - 1, -(10**100_000), 7**118_000):
        same = digits(n) == piece_by_piece(n)
        assert same, f"another text for a number of {n.bit_length()} bits"


def test_digits_of_small_numbers() -> None:
    assert [digits(n) for n in (0, 7, -7, 2**1700)] == ["0", "7", "-7", str(2**1700)]


@given(rationals)
def test_ratio_text_always_has_its_slash_and_reads_back(x: Fraction) -> None:
    text = ratio_text(x)
    assert text == f"{x.numerator}/{x.denominator}"
    assert exact(text) == x


def test_ratio_text_of_whole_numbers() -> None:
    assert [ratio_text(Fraction(n)) for n in (0, 3, -3)] == ["0/1", "3/1", "-3/1"]


@given(rationals)
@example(Fraction(-1, 16))
def test_hex_text_reads_back(x: Fraction) -> None:
    assert from_hex(hex_text(x), "p") == x


def test_hex_text_as_certificates_write_it() -> None:
    numbers = Fraction(31, 32), Fraction(-31, 32), Fraction(0)
    assert [hex_text(x) for x in numbers] == ["0x1f/0x20", "-0x1f/0x20", "0x0/0x1"]


def test_from_hex_takes_400_000_bits_and_not_one_more() -> None:
    most = (1 << 400_000) - 1
    for x in (Fraction(most), Fraction(1, most), Fraction(-most, most - 1)):
        assert from_hex(hex_text(x), "p") == x
    for x in (Fraction(most + 1), Fraction(1, most + 1), Fraction(-most - 1, most)):
        with pytest.raises(InputError, match="400,000 bits"):
            from_hex(hex_text(x), "p")


@pytest.mark.parametrize("text", [
    "", "0x1", "1/2", "0x1/2", "0x2/0x4", "0x0/0x2", "-0x0/0x1", "0x01/0x2", "0x1/0x02", "0x1/0x0",
    "0x1/-0x2", "+0x1/0x2", "0X1/0x2", "0xF/0x10", "0x1 /0x2", " 0x1/0x2", "0x1/0x2\n", "0x1_0/0x11",
    "0x/0x1", "0x1/0x", "--0x1/0x2", "0x\u0661/0x2", "0x1/0x2/0x3",
])  # fmt: skip
def test_from_hex_refuses_every_other_text(text: str) -> None:
    with pytest.raises(InputError) as caught:
        from_hex(text, "p")
    assert caught.value.given == one_line(f"p = {text!r}")
    assert str(caught.value).endswith(f": {HEX_FORM}; write the output of hex_text.")


@pytest.mark.parametrize("value", [None, 1, 0.5, True, b"0x1/0x2", np.str_("0x1/0x2"), ["0x1/0x2"]])
def test_from_hex_refuses_every_other_type(value: object) -> None:
    with pytest.raises(InputError) as caught:
        from_hex(value, "p")
    assert caught.value.given == f"p of type {type(value).__qualname__}"


@given(st.text("-0x123af/", max_size=12))
def test_from_hex_takes_only_what_hex_text_writes(text: str) -> None:
    try:
        x = from_hex(text, "p")
    except InputError:
        return
    assert hex_text(x) == text


@pytest.mark.usefixtures("at_once")
def test_from_hex_refuses_a_million_digits_at_once() -> None:
    for text in ("0x" + "f" * 10**6 + "/0x1", "0x1/0x" + "f" * 10**6, "-" * 10**6):
        with pytest.raises(InputError):
            from_hex(text, "p")
