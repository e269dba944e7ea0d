"""Exact numbers: arithmetic without loss, and signs that no root is missed by."""

import math
from fractions import Fraction

import pytest

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.exact import ONE, UNIT, Exact, over_one_denominator, product_of, simplest, total
from dpcert.mechanisms.ideal.signs import sign_of, signs_over

E = Exact.power(number=1)
TINY = Fraction(1, 10**40)


def x(power=1, factor=1):
    """Return factor e^(power epsilon) for an open epsilon."""
    return Exact.power(epsilon=Fraction(power), factor=Fraction(factor))


def number(value):
    return Exact.of(Fraction(value))


def test_quotients_are_reduced():
    assert E / (ONE + E) + ONE / (ONE + E) == ONE
    assert (x() - ONE) * (x() + ONE) / (x() - ONE) == x() + ONE
    assert (ONE - x()) / (x(-1) - ONE) == x()
    weights = [x(Fraction(c, 4)) for c in range(4)]
    assert total(each / total(weights) for each in weights) == ONE


def test_one_number_written_in_two_ways_is_the_same():
    first, other = E / (ONE + E), ONE / (ONE + Exact.power(number=-1))
    assert first.same(other)
    assert not first.same(other + number(TINY))


def test_quotients_are_near_to_what_floats_find():
    found = (x(2) - number(3) * x()) / (x() + number("1/7"))
    e = math.exp(0.3)
    assert found.near(0.3) == pytest.approx((e**2 - 3 * e) / (e + 1 / 7))
    assert float(found.at(Fraction(3, 10)).enclosed().mid()) == pytest.approx(found.near(0.3))


def test_powers_of_epsilon_are_kept_apart():
    h = Exact((((1, Fraction(0), Fraction(0)), Fraction(1)),))
    assert h * h / h == h
    assert h.sign() == 1
    with pytest.raises(Unauditable):
        (h - ONE).sign()
    with pytest.raises(Unauditable):
        sign_of(dict((x() - ONE - h).above))


DIGITS = "2.7182818284590452353602874713526624977572470936999595749669676277240766303535"


@pytest.mark.parametrize(("value", "sign"), [(E - number(DIGITS), 1), (number(DIGITS) - E, -1), (E - E, 0)])
def test_signs_of_sums_that_are_nearly_0(value, sign):
    assert value.sign() == sign


@pytest.mark.parametrize(
    ("value", "low", "high", "signs"),
    [
        (x() - number(2), 0, None, {-1, 0, 1}),
        (x() - number(2), 0, "69/100", {-1}),
        (x() - number(2), "7/10", None, {1}),
        ((x() - number(2)) * (x() - number(2)), 0, None, {0, 1}),
        ((x() - number(2)) * (x() - number(2)) - number(TINY), 0, None, {-1, 0, 1}),
        ((x() - number(2)) * (x() - number(2)) + number(TINY), 0, None, {1}),
        ((x() - number(2)) * (x() - number(2) - number(TINY)), 0, None, {-1, 0, 1}),
        (x() - ONE, 0, None, {1}),
        (x() - number(1 + TINY), 0, None, {-1, 0, 1}),
        (x(Fraction(1, 3)) - x(Fraction(1, 2)), 0, None, {-1}),
        ((x() - number(2)) * (x() - number(3)) * (x() - number(4)), 1, "5/4", {-1, 0, 1}),
    ],
)
def test_signs_over_a_range(value, low, high, signs):
    """A gap of 10^-20 between two roots has a sample of its own."""
    found = signs_over(dict(value.above), Fraction(low), None if high is None else Fraction(high))
    assert set(found) == signs
    assert all(Fraction(low) <= h and (high is None or h <= Fraction(high)) for h in found.values())


def test_refused_a_division_by_what_is_0_somewhere():
    with pytest.raises(ZeroDivisionError):
        ONE / (E - E)
    for zero in (x() - number(2), (x() - number(2)) * (x() - number(2))):
        with pytest.raises(Unauditable):
            ONE / zero
        with pytest.raises(Unauditable):
            (E - E) / zero


@pytest.mark.parametrize("step", [Fraction(1, 4), Fraction(0.1)])
def test_numbers_over_one_denominator(step):
    """With exponents that are small multiples of one number, and with floats, whose common factors are not seen."""
    powers = [Exact.power(number=step * n + (Fraction(0.3) if n else 0)) for n in range(3)]
    values = [ONE / total(powers), powers[1] / (total(powers) * total(powers)), powers[2] / (ONE + powers[1]), ONE]
    sums, whole = over_one_denominator(values)
    for value, found in zip(values, sums, strict=True):
        assert value.same(Exact.quotient(found, whole))


def test_weights_are_fractions_where_they_are_rational():
    assert simplest(E / E) == 1
    assert type(simplest(E / E)) is Fraction
    assert product_of(Fraction(1, 2), E / (ONE + E)) == Exact.of(Fraction(1, 2)) * (E / (ONE + E))
    assert type(product_of(E, Exact.power(number=-1))) is Fraction
    assert Exact.of(2).above == ((UNIT, Fraction(2)),)
