"""Evidence for epsilon.py and epsilons.py: mpmath as a second way, round trips, order, refused inputs, time guards."""

import operator
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import FrozenInstanceError
from fractions import Fraction
from functools import cmp_to_key
from itertools import product
from math import floor
from typing import Any

import mpmath
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from dpcert.mechanisms.epsilons import at_most, less, scaled
from dpcert.mechanisms.exact.epsilon import Epsilon, exp_fixed_point
from dpcert.mechanisms.exact.errors import InputError

FORM = (
    "a number, ln(number), or a sum of these, with the natural ln; "
    "write '1/10', 'ln(3)' or '1/2 + ln(3/2)'; for 2*ln(3) write 'ln(9)'."
)
ONE = Fraction(1)

rationals = st.fractions(min_value=0, max_value=300) | st.fractions(0, 2, max_denominator=9)
ratios = st.fractions(min_value=1, max_value=10**6) | st.fractions(1, 9, max_denominator=9)
epsilons = st.builds(Epsilon, rationals | st.just(Fraction(0)), ratios | st.just(ONE))


def enclosure(epsilon: Epsilon, *, bits: int) -> tuple[Fraction, Fraction]:
    """Bounds of e^epsilon by mpmath's interval arithmetic, at that many bits."""
    iv, saved = mpmath.iv, mpmath.iv.prec
    try:
        iv.prec = bits
        x = iv.exp(iv.mpf(epsilon.rational.numerator) / epsilon.rational.denominator)
        x = x * epsilon.ratio.numerator / epsilon.ratio.denominator
        return as_fraction(x.a), as_fraction(x.b)
    finally:
        iv.prec = saved


def as_fraction(point: Any) -> Fraction:
    """The number at which both ends of a degenerate interval of mpmath's lie."""
    sign, mantissa, exponent, _ = point._mpi_[0]
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent) * (-1 if sign else 1)


def value(epsilon: Epsilon) -> Any:
    """epsilon by mpmath in floating point, at the precision in force."""
    q, r = epsilon.rational, epsilon.ratio
    return mpmath.mpf(q.numerator) / q.denominator + mpmath.log(mpmath.mpf(r.numerator) / r.denominator)


@contextmanager
def at_once(seconds: float = 0.05) -> Iterator[None]:
    start = time.process_time()
    yield
    assert time.process_time() - start < seconds


def refusal(text: object, name: str = "epsilon") -> str:
    with pytest.raises(InputError) as caught:
        Epsilon.of(text, name)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


# -- texts


@pytest.mark.parametrize(
    ("text", "rational", "ratio", "printed"),
    [
        ("0", "0", "1", "0"),
        ("1", "1", "1", "1"),
        ("1/10", "1/10", "1", "1/10"),
        ("0.1", "1/10", "1", "1/10"),
        ("+1e-2", "1/100", "1", "1/100"),
        ("1e+2", "100", "1", "100"),
        ("ln(3)", "0", "3", "ln(3)"),
        ("ln(1)", "0", "1", "0"),
        ("ln( 1.5e+1 )", "0", "15", "ln(15)"),
        ("1/2 + ln(3/2)", "1/2", "3/2", "1/2 + ln(3/2)"),
        ("  ln(3)+1/2 ", "1/2", "3", "1/2 + ln(3)"),
        ("1 + 1E+1 + ln(2) + 1/2 + ln(3/2)", "23/2", "3", "23/2 + ln(3)"),
        (" + ".join(["ln(2)"] * 20), "0", "1048576", "ln(1048576)"),
    ],
)
def test_of_reads_the_documented_texts(text: str, rational: str, ratio: str, printed: str) -> None:
    epsilon = Epsilon.of(text)
    assert (epsilon.rational, epsilon.ratio) == (Fraction(rational), Fraction(ratio))
    assert str(epsilon) == printed
    assert repr(epsilon) == f"Epsilon('{printed}')"


@given(epsilons)
def test_text_reads_back(epsilon: Epsilon) -> None:
    assert Epsilon.of(str(epsilon)) == epsilon


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


@pytest.mark.parametrize(
    ("given_value", "line"),
    [
        (0.1, "epsilon = 0.1: A float is not the number it prints as; write '0.1' or Fraction(1, 10)."),
        (True, "epsilon = True: a truth value is not a number; write 0 or 1."),
        (-1, "epsilon = -1: at least 0; write such a number."),
        ("-1/2", "epsilon = -1/2: at least 0; write such a number."),
        ("1 + -1/2", "epsilon = -1/2: at least 0; write such a number."),
        ("ln(1/2)", "the argument of ln in epsilon = 1/2: at least 1; write such a number."),
        ("1 + ln(-2)", "the argument of ln in epsilon = -2: at least 1; write such a number."),
        ("inf", "epsilon = 'inf': a finite number; write it as a ratio or a decimal."),
        ("nan", "epsilon = 'nan': a finite number; write it as a ratio or a decimal."),
        (
            "ln(inf)",
            "the argument of ln in epsilon = 'inf': a finite number; write it as a ratio or a decimal.",
        ),
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
    ],
)
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


@pytest.mark.parametrize(
    ("rational", "ratio", "line"),
    [
        (1, ONE, "the rational part of epsilon of type int: a Fraction; write Epsilon.of(...)."),
        (ONE, 0.5, "the ratio of epsilon of type float: a Fraction; write Epsilon.of(...)."),
        (ONE, True, "the ratio of epsilon of type bool: a Fraction; write Epsilon.of(...)."),
        (Fraction(-1), ONE, "the rational part of epsilon = -1: at least 0; write such a number."),
        (ONE, Fraction(99, 100), "the ratio of epsilon = 99/100: at least 1; write such a number."),
    ],
)
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


# -- sums and multiples


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


def test_a_multiple_of_a_rational_epsilon_may_be_huge() -> None:
    with at_once():
        assert scaled(Epsilon.of("1/10"), 10**5000) == Epsilon.of(10**4999)


def test_nothing_but_an_epsilon_is_added() -> None:
    assert Epsilon.of(1).__add__(1) is NotImplemented


@pytest.mark.parametrize(
    ("k", "line"),
    [
        (-1, "the multiple of epsilon = -1: at least 0; write such a number."),
        (True, "the multiple of epsilon = True: a truth value is not a number; write 0 or 1."),
        (Fraction(2), "the multiple of epsilon = 2: an int; write int(x)."),
        (2.0, "the multiple of epsilon = 2.0: A float is not the number it prints as; "
              "write '2.0' or Fraction(2, 1)."),
        (10**9, "the multiple of epsilon = 1000000000: a k with r**k of at most 100,000 digits, "
                "where r >= 2**2; write a rational epsilon in place of the logarithm."),
    ],
)  # fmt: skip
def test_a_multiple_is_refused_before_it_is_computed(k: Any, line: str) -> None:
    with at_once(), pytest.raises(InputError) as caught:
        scaled(Epsilon.ln(5), k)
    assert str(caught.value) == line


def test_a_multiple_just_above_the_limit_is_refused() -> None:
    assert scaled(Epsilon.ln(10), 99_999).ratio == 10**99_999
    with pytest.raises(InputError, match="at most 100,000 digits"):
        scaled(Epsilon.ln(10), 100_000)


# -- bounds of e^epsilon


@given(epsilons, st.integers(0, 400))
@example(Epsilon.of("1e-300"), 0)
@example(Epsilon.of("1e-300"), 400)
@example(Epsilon.of("1e-300"), 4000)
@example(Epsilon.of("1/3"), 10_000)
@example(Epsilon.of("99999.9 + ln(7/3)"), 100)
@example(Epsilon.of("100000"), 0)
def test_exp_bounds_enclose_and_are_as_narrow_as_asked(epsilon: Epsilon, bits: int) -> None:
    lo, hi = epsilon.exp_bounds(bits)
    assert lo <= hi
    assert hi - lo <= lo * Fraction(1, 2**bits)
    if epsilon.rational == 0:
        assert lo == hi == epsilon.ratio
    else:
        inner_lo, inner_hi = enclosure(epsilon, bits=2 * bits + 1200)
        assert lo < inner_lo < inner_hi < hi


@given(epsilons, st.integers(0, 300))
def test_exp_bounds_are_integers_over_a_power_of_two_times_ratio(epsilon: Epsilon, bits: int) -> None:
    for bound in epsilon.exp_bounds(bits):
        dyadic = bound / epsilon.ratio
        assert dyadic.denominator.bit_count() == 1
        size = 1.45 * floor(epsilon.rational) + 4 * bits + 400
        assert max(dyadic.numerator.bit_length(), dyadic.denominator.bit_length()) < size


@given(epsilons, epsilons, st.integers(0, 200))
def test_exp_bounds_are_monotone_up_to_their_width(a: Epsilon, b: Epsilon, bits: int) -> None:
    assume(at_most(a, b))
    assert a.exp_bounds(bits)[0] <= b.exp_bounds(bits)[1]


@pytest.mark.parametrize("halvings", range(5))
def test_every_rounding_is_outwards_where_it_matters(halvings: int) -> None:
    """At a few bits each rounding decides some case: all x = a/b with b <= 60, at widths 1 to 9."""
    with mpmath.workdps(40):
        for b in range(1, 61):
            for a in range(1, b * 2**halvings // 2 + 1, 1 + b * 2**halvings // 50):
                e_x = mpmath.exp(mpmath.mpf(a) / b)
                for width in range(1, 10):
                    lo, hi = exp_fixed_point(Fraction(a, b), halvings=halvings, width=width)
                    assert lo < e_x * 2**width < hi


@pytest.mark.parametrize(("x", "halvings"), [("0", 0), ("-1/4", 0), ("51/100", 0), ("1", 0), ("5", 3)])
def test_the_fixed_point_refuses_what_its_remainder_does_not_cover(x: str, halvings: int) -> None:
    with pytest.raises(InputError, match=f"exp of {x} with {halvings} halvings: 0 < x <= 2"):
        exp_fixed_point(Fraction(x), halvings=halvings, width=8)


def test_exp_bounds_of_a_rational_with_100_000_digits() -> None:
    epsilon = Epsilon(1 + Fraction(1, 10**99_999), ONE)
    lo, hi = epsilon.exp_bounds(200)
    one_lo, one_hi = Epsilon.of(1).exp_bounds(1000)
    assert lo <= one_lo < one_hi <= hi <= lo + lo / 2**200


def test_exp_bounds_refuse_a_large_exponent_at_once() -> None:
    for text in ("100001", "1e9", "1e9999"):
        with (
            at_once(),
            pytest.raises(InputError, match="at most 100,000 to bound e\\^epsilon; ask power_of_two_lo"),
        ):
            Epsilon.of(text).exp_bounds(64)
    Epsilon.of("100000 + ln(2)").exp_bounds(64)


def test_exp_bounds_stay_quick_at_many_bits() -> None:
    with at_once(2):
        Epsilon.of("1/10").exp_bounds(20_000)


# -- a power of two below


@given(st.builds(Epsilon, st.fractions(0, 10**12), st.fractions(min_value=1)))
@example(Epsilon.of(0))
@example(Epsilon.of("0.6931471805599453"))
@example(Epsilon.of("0.6931471805599454"))
@example(Epsilon.ln(2**64))
@example(Epsilon.ln(2**64 - 1))
def test_power_of_two_lo_is_below_and_within_three(epsilon: Epsilon) -> None:
    k = epsilon.power_of_two_lo()
    with mpmath.workdps(200):
        log2 = value(epsilon) / mpmath.log(2)
        assert 0 <= k <= log2 + mpmath.mpf(10) ** -150
        assert k >= log2 - 3 - mpmath.mpf(epsilon.rational.numerator) / epsilon.rational.denominator / 10**16


@given(st.builds(Epsilon, rationals, ratios))
def test_power_of_two_lo_is_below_the_bounds(epsilon: Epsilon) -> None:
    assert 2 ** epsilon.power_of_two_lo() <= epsilon.exp_bounds(64)[1]


# -- order


@given(epsilons, epsilons)
@example(Epsilon.of("1"), Epsilon.of("ln(2.7182818284590452353602874713526624977572470936999)"))
@example(Epsilon.of("1"), Epsilon.of("ln(2.7182818284590452353602874713526624977572470937)"))
@example(Epsilon.of("1 + ln(2)"), Epsilon.of("2 + ln(2/2)"))
@example(Epsilon.of("ln(2)"), Epsilon.of("0.69314718055994530941723212145817656807550013436025"))
@example(Epsilon.of("1e-100"), Epsilon(Fraction(0), 1 + Fraction(1, 10**100)))
@example(Epsilon.of(0), Epsilon.of("1e-170"))
def test_order_is_that_of_the_numbers_at_200_digits(a: Epsilon, b: Epsilon) -> None:
    with mpmath.workdps(400):
        gap = value(b) - value(a)
        if a == b:
            assert abs(gap) < mpmath.mpf(10) ** -390
        else:
            assert abs(gap) > mpmath.mpf(10) ** -380
        below, above = a != b and bool(gap > 0), a != b and bool(gap < 0)
    assert (less(a, b), less(b, a), at_most(a, b), at_most(b, a)) == (below, above, not above, not below)


@given(epsilons, epsilons, epsilons)
def test_a_sum_keeps_the_order(a: Epsilon, b: Epsilon, c: Epsilon) -> None:
    assert less(a, b) == less(a + c, b + c)


@given(epsilons)
def test_equal_epsilons_are_neither_less_nor_greater(epsilon: Epsilon) -> None:
    twin = Epsilon.of(str(epsilon))
    assert (twin == epsilon, at_most(twin, epsilon), at_most(epsilon, twin)) == (True, True, True)
    assert (less(twin, epsilon), less(epsilon, twin)) == (False, False)
    assert hash(twin) == hash(epsilon)


def test_order_is_found_past_the_first_refinements() -> None:
    """Convergents of e within 2^-1500 of it and farther, from both sides."""
    h, k, h1, k1 = 1, 0, 2, 1
    seen = set()
    for n in range(1, 350):
        t = 2 * (n + 1) // 3 if n % 3 == 2 else 1
        h, k, h1, k1 = h1, k1, t * h1 + h, t * k1 + k
        seen.add((k1.bit_length() > 750, less(Epsilon.of(1), Epsilon.ln(Fraction(h1, k1))), n % 2 == 1))
    assert seen == {(False, True, True), (False, False, False), (True, True, True), (True, False, False)}


@pytest.mark.parametrize("other", [1, "1", None, Fraction(1), 1.0])
@pytest.mark.parametrize("compare", [less, at_most])
def test_order_against_other_types_is_refused(compare: Callable[[Any, Any], bool], other: object) -> None:
    for pair in ((Epsilon.of(1), other), (other, Epsilon.of(1))):
        with pytest.raises(InputError, match="an Epsilon; write Epsilon"):
            compare(*pair)
    assert Epsilon.of(1) != other


@pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.gt, operator.ge])
def test_epsilons_have_no_operators_of_order(compare: Callable[[Any, Any], bool]) -> None:
    with pytest.raises(TypeError):
        compare(Epsilon.of(1), Epsilon.of(2))


@pytest.mark.parametrize("text", ["1e8", "1e9", "1e9 + ln(3)", "1e9999", "1e9999 + ln(1e10000)"])
def test_huge_epsilons_are_answered_at_once(text: str) -> None:
    small = [Epsilon.of(t) for t in ("0", "1/10", "1", "ln(3)", "1/2 + ln(3/2)", "ln(1e10000)", "100000")]
    with at_once():
        huge = Epsilon.of(text)
        assert 2 * huge.power_of_two_lo() > 28 * huge.rational // 10
        assert all(less(e, huge) and at_most(e, huge) for e in small)
        assert not any(less(huge, e) or at_most(huge, e) for e in small)
        assert at_most(huge, Epsilon.of(text))
        assert less(huge, huge + Epsilon.ln("1.000001"))


def test_large_and_close_epsilons_are_ordered_quickly() -> None:
    """e^150000 lies between 2^216404 and 2^216405: no power of two by bit lengths alone tells them apart."""
    with at_once(1):
        assert less(Epsilon.ln(2**216404), Epsilon.of(150000))
        assert less(Epsilon.of(150000), Epsilon.ln(2**216405))


def test_order_of_epsilons_whose_difference_is_too_long_to_be_an_epsilon() -> None:
    """The difference of these rational parts, or the quotient of these ratios, has 200,000 digits."""
    small, tiny = Fraction(1, 10**99_999 - 1), Fraction(1, 10**99_999)
    with at_once(2):
        assert less(Epsilon(tiny, ONE), Epsilon(small, ONE))
        assert less(Epsilon(tiny, 2 * ONE), Epsilon(small, 2 * ONE))
        assert less(Epsilon(Fraction(0), 1 + tiny), Epsilon(Fraction(0), 1 + small))
        assert less(Epsilon(small, 1 + tiny), Epsilon(tiny, 2 + small))


def test_order_sorts_as_the_numbers_do() -> None:
    grid = [Epsilon(Fraction(q, 4), Fraction(r, 3)) for q, r in product(range(9), range(3, 12))]
    ordered = sorted(grid, key=cmp_to_key(lambda a, b: less(b, a) - less(a, b)))
    with mpmath.workdps(50):
        assert ordered == sorted(grid, key=value)
