"""Evidence for epsilon.py: texts, round trips, sums and multiples, refused inputs."""

from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpcert import Epsilon, InputError
from dpcert.mechanisms.epsilons import scaled

from .epsilons import ONE, epsilons, ratios

FORM = (
    "a number, ln(number), or a sum of these, with the natural ln; "
    "write '1/10', 'ln(3)' or '1/2 + ln(3/2)'; for 2*ln(3) write 'ln(9)'."
)


def refusal(text: object, name: str = "epsilon") -> str:
    with pytest.raises(InputError) as caught:
        Epsilon.of(text, name)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


@pytest.mark.parametrize(("text", "rational", "ratio", "printed"), [
    ("0", "0", "1", "0"), ("1", "1", "1", "1"), ("1/10", "1/10", "1", "1/10"), ("0.1", "1/10", "1", "1/10"),
    ("+1e-2", "1/100", "1", "1/100"), ("1e+2", "100", "1", "100"), ("ln(3)", "0", "3", "ln(3)"),
    ("ln(1)", "0", "1", "0"), ("ln( 1.5e+1 )", "0", "15", "ln(15)"),
    ("1/2 + ln(3/2)", "1/2", "3/2", "1/2 + ln(3/2)"), ("  ln(3)+1/2 ", "1/2", "3", "1/2 + ln(3)"),
    ("1 + 1E+1 + ln(2) + 1/2 + ln(3/2)", "23/2", "3", "23/2 + ln(3)"),
    (" + ".join(["ln(2)"] * 20), "0", "1048576", "ln(1048576)"),
])  # fmt: skip
def test_of_reads_the_documented_texts(text: str, rational: str, ratio: str, printed: str) -> None:
    epsilon = Epsilon.of(text)
    assert (epsilon.rational, epsilon.ratio) == (Fraction(rational), Fraction(ratio))
    assert str(epsilon) == printed
    assert repr(epsilon) == f"Epsilon('{printed}')"


@given(epsilons)
def test_text_reads_back(epsilon: Epsilon) -> None:
    assert Epsilon.of(str(epsilon)) == epsilon


@pytest.mark.nightly
def test_text_of_a_long_epsilon_reads_back() -> None:
    epsilon = Epsilon(Fraction(1, 10**90_000 + 1), 1 + Fraction(1, 7**90_000))
    assert Epsilon.of(str(epsilon)) == epsilon


@given(st.integers(0) | st.fractions(0))
def test_of_takes_numbers_and_epsilons(number: int | Fraction) -> None:
    epsilon = Epsilon.of(number)
    assert epsilon == Epsilon(Fraction(number), ONE)
    assert Epsilon.of(epsilon) is epsilon


@given(ratios)
def test_ln_takes_what_exact_takes(ratio: Fraction) -> None:
    assert Epsilon.ln(ratio) == Epsilon.ln(str(ratio)) == Epsilon.of(f"ln({ratio})") == Epsilon(Fraction(0), ratio)


@pytest.mark.parametrize(("given_value", "line"), [
    (0.1, "epsilon = 0.1: A float is not the number it prints as; write '0.1' or Fraction(1, 10)."),
    (True, "epsilon = True: a truth value is not a number; write 0 or 1."),
    (-1, "epsilon = -1: at least 0; write such a number."),
    ("-1/2", "epsilon = -1/2: at least 0; write such a number."),
    ("1 + -1/2", "epsilon = -1/2: at least 0; write such a number."),
    ("ln(1/2)", "the argument of ln in epsilon = 1/2: at least 1; write such a number."),
    ("1 + ln(-2)", "the argument of ln in epsilon = -2: at least 1; write such a number."),
    ("inf", "epsilon = 'inf': a finite number; write it as a ratio or a decimal."),
    ("nan", "epsilon = 'nan': a finite number; write it as a ratio or a decimal."),
    ("ln(inf)", "the argument of ln in epsilon = 'inf': a finite number; write it as a ratio or a decimal."),
    ("1e10001", "epsilon = '1e10001': an exponent within +-10,000; write a number nearer to 1."),
    ("2*ln(3)", f"epsilon = '2*ln(3)': {FORM}"),
    ("2 ln(3)", f"epsilon = '2 ln(3)': {FORM}"),
    ("ln 3", f"epsilon = 'ln 3': {FORM}"),
    ("ln(3", f"epsilon = 'ln(3': {FORM}"),
    ("ln(ln(3))", f"epsilon = 'ln(ln(3))': {FORM}"),
    ("log(3)", f"epsilon = 'log(3)': {FORM}"),
    ("exp(1)", f"epsilon = 'exp(1)': {FORM}"),
    ("1 - ln(3)", f"epsilon = '1 - ln(3)': {FORM}"),
    ("-ln(3)", f"epsilon = '-ln(3)': {FORM}"),
    ("ln(1 + 1)", f"epsilon = 'ln(1 + 1)': {FORM}"),
    ("1+" * 20 + "1", f"epsilon = '{'1+' * 20}1': at most 20 terms; add them up."),
])  # fmt: skip
def test_of_refuses_and_says_what_to_write(given_value: object, line: str) -> None:
    assert refusal(given_value) == line


@pytest.mark.parametrize("text", ["", "+", "1 +", "++1", "1 ++ 2", "1 2", "one", "1 - 1/2", "1_0", "ln()", "\u0661"])
def test_of_refuses_text_in_another_form(text: str) -> None:
    assert refusal(text, "budget").startswith(("budget = ", "the argument of ln in budget = "))


@given(st.text(max_size=12) | st.text("0123/.+-ln() *", max_size=16))
@example("1+" * 50_000)
@example("ln(" * 50_000)
def test_of_any_text_is_an_epsilon_or_an_input_error(text: str) -> None:
    try:
        epsilon = Epsilon.of(text)
    except InputError as error:
        line = str(error)
    else:
        line = str(epsilon)
        assert Epsilon.of(line) == epsilon
    assert len(line.splitlines()) == 1
    assert len(line) < 600


@pytest.mark.parametrize(("rational", "ratio", "line"), [
    (1, ONE, "the rational part of epsilon of type int: a Fraction; write Epsilon.of(...)."),
    (ONE, 0.5, "the ratio of epsilon of type float: a Fraction; write Epsilon.of(...)."),
    (ONE, True, "the ratio of epsilon of type bool: a Fraction; write Epsilon.of(...)."),
    (Fraction(-1), ONE, "the rational part of epsilon = -1: at least 0; write such a number."),
    (ONE, Fraction(99, 100), "the ratio of epsilon = 99/100: at least 1; write such a number."),
])  # fmt: skip
def test_the_constructor_takes_exact_fractions_in_range_only(rational: Any, ratio: Any, line: str) -> None:
    with pytest.raises(InputError) as caught:
        Epsilon(rational, ratio)
    assert str(caught.value) == line


def test_the_constructor_refuses_too_many_digits() -> None:
    for rational, ratio in ((Fraction(10**100_000), ONE), (ONE, Fraction(10**100_000))):
        with pytest.raises(InputError, match="at most 100,000 digits"):
            Epsilon(rational, ratio)


def test_an_epsilon_does_not_change() -> None:
    epsilon = Epsilon.of(1)
    field = "rational"
    with pytest.raises(FrozenInstanceError):
        setattr(epsilon, field, Fraction(2))


@given(epsilons, epsilons)
def test_the_sum_adds_rational_parts_and_multiplies_ratios(a: Epsilon, b: Epsilon) -> None:
    total = a + b
    assert (total.rational, total.ratio) == (a.rational + b.rational, a.ratio * b.ratio)
    assert Epsilon.of(f"{a} + {b}") == total == b + a


@given(epsilons, st.integers(0, 12))
def test_a_multiple_is_the_repeated_sum(epsilon: Epsilon, k: int) -> None:
    total = Epsilon.of(0)
    for _ in range(k):
        total += epsilon
    assert scaled(epsilon, k) == total


@pytest.mark.usefixtures("at_once")
def test_a_multiple_of_a_rational_epsilon_may_be_huge() -> None:
    assert scaled(Epsilon.of("1/10"), 10**5000) == Epsilon.of(10**4999)


def test_nothing_but_an_epsilon_is_added() -> None:
    assert Epsilon.of(1).__add__(1) is NotImplemented


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(("k", "line"), [
    (-1, "the multiple of epsilon = -1: at least 0; write such a number."),
    (True, "the multiple of epsilon = True: a truth value is not a number; write 0 or 1."),
    (Fraction(2), "the multiple of epsilon = 2: an int; write int(x)."),
    (2.0, "the multiple of epsilon = 2.0: A float is not the number it prints as; "
          "write '2.0' or Fraction(2, 1)."),
    (10**9, "the multiple of epsilon = 1000000000: a k with r**k of at most 100,000 digits, "
            "where r >= 2**2; write a rational epsilon in place of the logarithm."),
])  # fmt: skip
def test_a_multiple_is_refused_before_it_is_computed(k: Any, line: str) -> None:
    with pytest.raises(InputError) as caught:
        scaled(Epsilon.ln(5), k)
    assert str(caught.value) == line


def test_a_multiple_just_above_the_limit_is_refused() -> None:
    assert scaled(Epsilon.ln(10), 99_999).ratio == 10**99_999
    with pytest.raises(InputError, match="at most 100,000 digits"):
        scaled(Epsilon.ln(10), 100_000)
