"""Evidence for epsilon.py and epsilons.py: bounds of e^epsilon and order, with mpmath as a second way."""

import operator
from collections.abc import Callable
from fractions import Fraction
from functools import cmp_to_key
from itertools import product
from math import floor
from typing import Any

import mpmath
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from dpcert import Epsilon, InputError
from dpcert.mechanisms.epsilons import at_most, less
from dpcert.mechanisms.exact.epsilon import exp_fixed_point

from .epsilons import ONE, epsilons, rationals, ratios


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


@pytest.mark.points(3)
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


@pytest.mark.usefixtures("at_once")
def test_exp_bounds_refuse_a_large_exponent_at_once() -> None:
    for text in ("100001", "1e9", "1e9999"):
        with pytest.raises(InputError, match="at most 100,000 to bound e\\^epsilon; ask power_of_two_lo"):
            Epsilon.of(text).exp_bounds(64)
    Epsilon.of("100000 + ln(2)").exp_bounds(64)


@pytest.mark.usefixtures("at_once")
def test_exp_bounds_stay_quick_at_many_bits() -> None:
    Epsilon.of("1/10").exp_bounds(20_000)


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


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("text", ["1e8", "1e9", "1e9 + ln(3)", "1e9999", "1e9999 + ln(1e10000)"])
def test_huge_epsilons_are_answered_at_once(text: str) -> None:
    small = [Epsilon.of(t) for t in ("0", "1/10", "1", "ln(3)", "1/2 + ln(3/2)", "ln(1e10000)", "100000")]
    huge = Epsilon.of(text)
    assert 2 * huge.power_of_two_lo() > 28 * huge.rational // 10
    assert all(less(e, huge) and at_most(e, huge) for e in small)
    assert not any(less(huge, e) or at_most(huge, e) for e in small)
    assert at_most(huge, Epsilon.of(text))
    assert less(huge, huge + Epsilon.ln("1.000001"))


@pytest.mark.usefixtures("at_once")
def test_large_and_close_epsilons_are_ordered_quickly() -> None:
    """e^150000 lies between 2^216404 and 2^216405: no power of two by bit lengths alone tells them apart."""
    assert less(Epsilon.ln(2**216404), Epsilon.of(150000))
    assert less(Epsilon.of(150000), Epsilon.ln(2**216405))


@pytest.mark.usefixtures("at_once")
def test_order_of_epsilons_whose_difference_is_too_long_to_be_an_epsilon() -> None:
    """The difference of these rational parts, or the quotient of these ratios, has 200,000 digits."""
    small, tiny = Fraction(1, 10**99_999 - 1), Fraction(1, 10**99_999)
    assert less(Epsilon(tiny, ONE), Epsilon(small, ONE))
    assert less(Epsilon(tiny, 2 * ONE), Epsilon(small, 2 * ONE))
    assert less(Epsilon(Fraction(0), 1 + tiny), Epsilon(Fraction(0), 1 + small))
    assert less(Epsilon(small, 1 + tiny), Epsilon(tiny, 2 + small))


def test_order_sorts_as_the_numbers_do() -> None:
    grid = [Epsilon(Fraction(q, 4), Fraction(r, 3)) for q, r in product(range(9), range(3, 12))]
    ordered = sorted(grid, key=cmp_to_key(lambda a, b: less(b, a) - less(a, b)))
    with mpmath.workdps(50):
        assert ordered == sorted(grid, key=value)
