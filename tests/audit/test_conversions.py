"""Conversions: values of mpmath at fifty digits, curves that come back, and what is refused."""

from fractions import Fraction

import mpmath
import pytest

from dpcert import Dist, Epsilon, InputError, epsilon_of_renyi, epsilon_of_zcdp, from_trade_off
from dpcert.audit.profile import profile
from dpcert.audit.renyi import renyi_bounds


def by_mpmath(order: Fraction, divergence: Fraction, delta: Fraction) -> mpmath.mpf:
    with mpmath.workdps(50):
        a, d, small = (mpmath.mpf(x.numerator) / x.denominator for x in (order, divergence, delta))
        return d + (-mpmath.log(small) + (a - 1) * mpmath.log(1 - 1 / a) - mpmath.log(a)) / (a - 1)


@pytest.mark.parametrize("order", [Fraction(3, 2), Fraction(8), Fraction(101, 3)])
@pytest.mark.parametrize("delta", [Fraction(1, 10**6), Fraction(1, 10)])
def test_twin_of_renyi_by_mpmath(order: Fraction, delta: Fraction) -> None:
    found, value = epsilon_of_renyi(order, Fraction(1, 2), delta), by_mpmath(order, Fraction(1, 2), delta)
    with mpmath.workdps(50):
        gap = mpmath.mpf(found.numerator) / found.denominator - max(value, 0)
        assert 0 <= gap < mpmath.mpf(10) ** -30


def test_a_converted_divergence_is_enough_for_the_pair_that_has_it() -> None:
    pair = profile(Dist.of({0: "5/8", 1: "2/8", 2: "1/8"}), Dist.of({0: "1/8", 1: "3/8", 2: "4/8"}))
    for order in (Fraction(3, 2), Fraction(2), Fraction(5)):
        bounds = renyi_bounds(pair, order)
        for delta in (Fraction(1, 100), Fraction(1, 4)):
            epsilon = epsilon_of_renyi(order, bounds[1], delta)
            assert pair.delta_bounds(Epsilon.of(epsilon))[0] <= delta


@pytest.mark.parametrize("rho", [Fraction(1, 1000), Fraction(1, 8), Fraction(3)])
def test_zcdp_is_as_good_as_the_best_of_many_orders(rho: Fraction) -> None:
    delta = Fraction(1, 10**6)
    found = epsilon_of_zcdp(rho, delta)
    orders = [1 + Fraction(n, 16) for n in range(1, 4000, 7)]
    best = min(epsilon_of_renyi(order, order * rho, delta) for order in orders)
    assert found <= best * Fraction(1001, 1000)
    assert epsilon_of_zcdp(Fraction(0), delta) == 0


@pytest.mark.parametrize("weights", [([3, 1], [1, 3]), ([0, 2, 5], [1, 3, 3]), ([4, 2, 1], [0, 3, 4])])
def test_a_trade_off_curve_comes_back(weights: tuple[list[int], list[int]]) -> None:
    one = profile(*(Dist.from_weights(enumerate(side), sum(side)) for side in weights))
    assert from_trade_off(one.trade_off()) == one


@pytest.mark.parametrize(
    "curve",
    [
        [],
        [(Fraction(0), Fraction(1))],
        [(Fraction(1, 2), Fraction(1)), (Fraction(1), Fraction(0))],
        [(Fraction(0), Fraction(1)), (Fraction(1, 2), Fraction(3, 4)), (Fraction(1), Fraction(0))],
        [(Fraction(0), Fraction(1)), (Fraction(0), Fraction(1, 2)), (Fraction(1), Fraction(0))],
        [(Fraction(0), Fraction(2)), (Fraction(1), Fraction(0))],
    ],
)
def test_refused_curves(curve: list[tuple[Fraction, Fraction]]) -> None:
    with pytest.raises(InputError, match="convex"):
        from_trade_off(curve)


def test_refused_numbers() -> None:
    for order, divergence, delta in ((1, 1, Fraction(1, 2)), (2, -1, Fraction(1, 2)), (2, 1, Fraction(0))):
        with pytest.raises(InputError):
            epsilon_of_renyi(Fraction(order), Fraction(divergence), delta)
    for rho, delta in ((Fraction(-1), Fraction(1, 2)), (Fraction(1), Fraction(2))):
        with pytest.raises(InputError):
            epsilon_of_zcdp(rho, delta)
