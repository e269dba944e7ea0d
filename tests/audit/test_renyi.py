"""Divergences, zCDP bounds and their conversions against mpmath, at many more orders than were evaluated."""

from fractions import Fraction
from itertools import product

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import Dist, Epsilon, InputError, epsilon_of_renyi, epsilon_of_zcdp, from_trade_off
from dpcert.audit.profile import Profile, profile
from dpcert.audit.recurrence import binomial
from dpcert.audit.renyi import renyi_bounds, zcdp
from dpcert.mechanisms.logarithm import epsilon_bounds, ln_bounds, root_bounds


def pair(a: list[int], b: list[int]) -> Profile:
    laws = [Dist.from_weights(enumerate(each), sum(each)) for each in (a, b)]
    return profile(*laws)


def number(x: Fraction) -> mpmath.mpf:
    return mpmath.mpf(x.numerator) / x.denominator


def divergence(one: Profile, order: mpmath.mpf) -> mpmath.mpf:
    return mpmath.log(mpmath.fsum(number(w) * number(r) ** order for r, w in one.rows())) / (order - 1)


PAIRS = {
    "randomized response": pair([3, 2], [2, 3]),
    "a weak one": pair([101, 100], [100, 101]),
    "a strong one": pair([10**6, 1], [1, 10**6]),
    "three outcomes": pair([1, 50, 3], [2, 49, 1]),
    "a rare outcome": pair([10**4, 10**4, 3], [10**4, 10**4, 1]),
    "binomial": profile(binomial(40, "1/2").exact(), binomial(40, "11/20").exact()),
}


@pytest.mark.parametrize("name", PAIRS)
def test_twin_divergences(name: str) -> None:
    with mpmath.workdps(60):
        for order in (Fraction(3, 2), Fraction(2), Fraction(1 + (1 << 12), 1 << 12), Fraction(77, 4), Fraction(3000)):
            bounds, expected = renyi_bounds(PAIRS[name], order), divergence(PAIRS[name], number(order))
            assert number(bounds[0]) <= expected <= number(bounds[1])
            assert bounds[1] - bounds[0] <= Fraction(1, 2**110)


@pytest.mark.points(5)
@pytest.mark.parametrize("name", PAIRS)
def test_twin_zcdp_at_many_orders(name: str) -> None:
    answer = zcdp(PAIRS[name])
    assert answer.lo <= answer.hi <= answer.lo * Fraction(257, 256)
    with mpmath.workdps(50):
        orders = [1 + mpmath.mpf(2) ** (mpmath.mpf(k) / 8) for k in range(-90, 90)]
        rates = [divergence(PAIRS[name], order) / order for order in orders]
        assert max(rates) <= number(answer.hi)
        assert number(answer.lo) <= max(rates) * (1 + mpmath.mpf(1) / 100)


@given(st.lists(st.integers(1, 30), min_size=2, max_size=4), st.lists(st.integers(1, 30), min_size=4, max_size=4))
def test_zcdp_is_between_its_orders_and_pure_privacy(a: list[int], b: list[int]) -> None:
    one = pair(a, b[: len(a)])
    answer, coarse = zcdp(one), zcdp(one, precision=Fraction(1), evaluations=3)
    greatest = max(*one.ratios, *(1 / ratio for ratio in one.ratios), Fraction(1))
    assert answer.lo <= coarse.hi
    assert 2 * answer.lo <= ln_bounds(greatest, 128)[1] ** 2
    for order in (Fraction(3, 2), Fraction(2), Fraction(16), Fraction(100)):
        bounds = renyi_bounds(one, order)
        assert bounds[0] / order <= answer.hi


def test_infinite_and_zero_divergences() -> None:
    one = pair([1, 1], [1, 0])
    assert (zcdp(one).lo, zcdp(one).hi, renyi_bounds(one, Fraction(2))) == (None, None, None)
    same = zcdp(pair([1, 2], [1, 2]))
    assert (same.lo, same.hi) == (0, 0)


def test_refused_orders() -> None:
    for order in (Fraction(1), Fraction(1, 2), Fraction(4, 3)):
        with pytest.raises(InputError, match="order"):
            renyi_bounds(PAIRS["binomial"], order)


@given(st.fractions(Fraction(1, 10**9), 10**9).filter(lambda x: x > 0), st.integers(8, 200))
def test_twin_logarithms_and_roots(x: Fraction, bits: int) -> None:
    lo, hi = ln_bounds(x, bits)
    low, high = root_bounds(x, bits)
    assert low**2 <= x <= high**2
    assert high - low <= Fraction(1, 2**bits)
    with mpmath.workdps(90):
        expected = mpmath.log(number(x))
        assert number(lo) <= expected <= number(hi)
        assert hi - lo <= (2 + abs(int(mpmath.ceil(mpmath.log(number(x), 2))))) * Fraction(1, 2**bits)


def test_exact_logarithms_and_roots() -> None:
    assert ln_bounds(Fraction(1), 64) == (0, 0)
    assert root_bounds(Fraction(9, 4), 64) == (Fraction(3, 2),) * 2
    assert epsilon_bounds(Epsilon.of("3/4"), 64) == (Fraction(3, 4),) * 2
    for top, bottom in product((10**400, 3), (7, 10**300)):
        with mpmath.workdps(90):
            lo, hi = ln_bounds(Fraction(top, bottom), 128)
            assert number(lo) <= mpmath.log(mpmath.mpf(top) / bottom) <= number(hi)


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
