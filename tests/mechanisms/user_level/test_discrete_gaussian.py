"""The discrete Gaussian: its coins against its law, cut against uncut, certified bounds against sums in decimals."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from math import factorial
from typing import Any

import mpmath
import pytest

from dpcert import Coins, Dist, Epsilon, InputError, seeded_coins
from dpcert.audit.profile import profile
from dpcert.audit.renyi import renyi_bounds, zcdp
from dpcert.mechanisms.user_level.clipped_sum_l2 import shift_delta
from dpcert.mechanisms.user_level.discrete_gaussian import CutGaussian, discrete_gaussian, exp_coin, exp_cut
from dpcert.mechanisms.user_level.gaussian_profile import (
    concentrated_delta,
    delta_bounds,
    distance_bounds,
    enclose,
    exp_minus,
)
from dpcert.reading.paths.enumerator import enumerate_law

VARIANCES = [Fraction(1, 2), Fraction(1), Fraction(9, 4), Fraction(7)]
"""Among them those for which a proposal has scale 1, 2 and 3."""


def decimals(x: Fraction) -> mpmath.mpf:
    return mpmath.mpf(x.numerator) / x.denominator


def on_no_input(program: Callable[[Coins], int], _: object, coins: Coins) -> int:
    return program(coins)


def by_sum(variance: Fraction, shift: Sequence[int], epsilon: Fraction) -> mpmath.mpf:
    """The hockey-stick divergence of the moved noise from the noise, summed over a box in 40 decimals."""
    with mpmath.workdps(40):
        width = int(16 * decimals(variance) ** 0.5) + 8
        weights = {x: mpmath.exp(-x * x / (2 * decimals(variance))) for x in range(-width, width + 1)}
        total = mpmath.fsum(weights.values())
        ratio, rows = mpmath.exp(decimals(epsilon)), []
        for point in product(weights, repeat=len(shift)):
            p = mpmath.fprod(weights.get(x - v, 0) for x, v in zip(point, shift, strict=True))
            q = mpmath.fprod(weights[x] for x in point)
            if p > ratio * q:
                rows.append(p - ratio * q)
        return mpmath.fsum(rows) / total ** len(shift)


@pytest.mark.parametrize("gamma", ["0", "1/3", "1", "7/5", "3"])
@pytest.mark.parametrize("depth", [1, 2, 3, 8])
def test_twin_a_cut_chain_has_the_series_cut_there(gamma: str, depth: int) -> None:
    law = enumerate_law(lambda _, coins: exp_coin(Fraction(gamma), depth, coins), None).law
    assert law == Dist.bernoulli(exp_cut(Fraction(gamma), depth))


@pytest.mark.parametrize("gamma", [Fraction(1, 7), Fraction(1, 2), Fraction(1), Fraction(5, 2)])
@pytest.mark.parametrize("depth", [1, 4, 9, 20])
def test_a_series_ends_within_its_next_term(gamma: Fraction, depth: int) -> None:
    lo, hi = exp_minus(gamma, 200)
    whole = int(gamma) + 1
    assert Fraction(lo, 2**200) - Fraction(whole, factorial(depth + 1)) <= exp_cut(gamma, depth)
    assert exp_cut(gamma, depth) <= Fraction(hi, 2**200) + Fraction(whole, factorial(depth + 1))


@pytest.mark.points(3)
@pytest.mark.parametrize("variance", VARIANCES, ids=str)
@pytest.mark.parametrize(("depth", "reach"), [(1, 2), (4, 0), (6, 3), (12, 3)])
def test_twin_the_sampler_the_one_draw_and_the_law(variance: Fraction, depth: int, reach: int) -> None:
    """Depth 1 cuts exp(-1) to 0 where the scale is 1; what is drawn then is still a law."""
    cut = CutGaussian.of(variance=variance, depth=depth, reach=reach)
    chains = discrete_gaussian(variance=variance, depth=depth, reach=reach)
    for program in (chains, cut.draw()):
        found = enumerate_law(partial(on_no_input, program), None).law
        assert found == cut.law()
        assert found.tail == 0
    assert cut.law().map(lambda x: -x) == cut.law()


@pytest.mark.points(1)
@pytest.mark.parametrize("variance", VARIANCES, ids=str)
def test_twin_uncut_weights_are_the_exponentials(variance: Fraction) -> None:
    """As depth and reach grow, the cut law comes as near to the bounds of the uncut one as these are to one another."""
    noise = enclose(variance=variance, bits=100)
    with mpmath.workdps(60):
        for x in range(-5, 6):
            value = mpmath.exp(-x * x / (2 * decimals(variance))) * mpmath.mpf(2) ** noise.bits
            assert noise.lo[x + noise.reach] <= value <= noise.hi[x + noise.reach]
        outside = 2 * mpmath.nsum(
            lambda x: mpmath.exp(-x * x / (2 * decimals(variance))), [noise.reach + 1, noise.reach + 400]
        )
        assert outside * mpmath.mpf(2) ** noise.bits <= noise.rest <= 2**20
    near = [
        distance_bounds(CutGaussian.of(variance=variance, depth=depth, reach=reach), noise)
        for depth, reach in ((2, 3), (8, 8), (20, 16), (40, noise.reach))
    ]
    assert all(lo <= hi <= lo + Fraction(1, 2**90) for lo, hi in near)
    assert near[0][0] > near[1][1] >= near[1][0] > near[2][1]
    assert near[3][1] < Fraction(1, 2**90)


@pytest.mark.points(27)
@pytest.mark.parametrize("shift", [(1,), (3,), (1, 1), (2, 1), (-1, 2)])
@pytest.mark.parametrize("variance", [Fraction(1, 4), Fraction(1), Fraction(3)])
@pytest.mark.parametrize("epsilon", ["1/4", "1", "3"])
def test_twin_delta_is_the_sum_over_all_points(shift: tuple[int, ...], variance: Fraction, epsilon: str) -> None:
    lo, hi = delta_bounds(enclose(variance=variance), shift, Epsilon.of(epsilon))
    assert 0 <= hi - lo < Fraction(1, 2**110)
    if len(shift) == 1 or variance == 1:
        with mpmath.workdps(40):
            assert abs(by_sum(variance, shift, Fraction(epsilon)) - decimals(lo)) < mpmath.mpf(10) ** -30


@pytest.mark.parametrize("shift", [(1,), (2, 2), (1, 1, 1)])
@pytest.mark.parametrize("epsilon", ["1/2", "2"])
def test_twin_delta_of_the_cut_noise_is_near_that_of_the_uncut(shift: tuple[int, ...], epsilon: str) -> None:
    """Nearer than (1 + e^epsilon) times the distance of the noises, for each count that is moved."""
    variance, claim = Fraction(2), Epsilon.of(epsilon)
    noise = enclose(variance=variance)
    lo, hi = delta_bounds(noise, shift, claim)
    ratio = claim.exp_bounds(64)[1]
    for depth, reach in ((3, 4), (12, 6), (20, 7)):
        cut = CutGaussian.of(variance=variance, depth=depth, reach=reach)
        found = shift_delta(cut, shift, claim.exp_bounds(64)[0])
        room = (1 + ratio) * len(shift) * distance_bounds(cut, noise)[1] + Fraction(1, 2**60)
        assert lo - room <= found <= hi + room


@pytest.mark.parametrize("shift", [(1,), (1, 2), (0, 3), (1, 0, 1)])
def test_twin_delta_of_a_shift_is_that_of_the_joint_laws(shift: tuple[int, ...]) -> None:
    cut = CutGaussian.of(variance=Fraction(2), depth=4, reach=3)
    here = cut.law().product(*[cut.law() for _ in shift[1:]])
    there = cut.law(shift[0]).product(*[cut.law(step) for step in shift[1:]])
    for ratio in (Fraction(1), Fraction(3, 2), Fraction(9)):
        assert shift_delta(cut, shift, ratio) == profile(there, here).delta(ratio) == profile(here, there).delta(ratio)


def test_a_longer_shift_may_need_less() -> None:
    """The lattice matters: of |(1, 1, 1)| < |(2)|, and of (1, 3) and (2, 3), the shorter needs more at some epsilon."""
    noise = enclose(variance=Fraction(1, 2))
    short, long = (delta_bounds(noise, shift, Epsilon.of("4")) for shift in ((1, 1, 1), (2,)))
    assert short[0] > Fraction(245, 1000) > Fraction(215, 1000) > long[1]


def test_the_continuous_gaussian_may_need_less() -> None:
    """At variance 4, a shift of 1 and epsilon = 2: 1.07e-5 for the discrete one, 9.44e-6 for the continuous one."""
    lo, _ = delta_bounds(enclose(variance=Fraction(4)), (1,), Epsilon.of("2"))
    with mpmath.workdps(40):
        d, e = mpmath.mpf(1) / 2, mpmath.mpf(2)
        continuous = mpmath.ncdf(d / 2 - e / d) - mpmath.exp(e) * mpmath.ncdf(-d / 2 - e / d)
    assert continuous < mpmath.mpf("9.45e-6")
    assert lo > Fraction("1.07e-5")


@pytest.mark.parametrize("shift", [(1,), (2,), (1, 1), (2, 1)])
@pytest.mark.parametrize("variance", [Fraction(1, 2), Fraction(2), Fraction(8)])
@pytest.mark.parametrize("epsilon", ["1/2", "2", "5"])
def test_zcdp_bounds_the_delta_of_every_shift(shift: tuple[int, ...], variance: Fraction, epsilon: str) -> None:
    rho = Fraction(sum(step * step for step in shift)) / (2 * variance)
    bound = concentrated_delta(rho, Epsilon.of(epsilon))
    assert delta_bounds(enclose(variance=variance, bits=200), shift, Epsilon.of(epsilon))[1] <= bound <= 1


@pytest.mark.points(1)
@pytest.mark.parametrize("variance", [Fraction(1), Fraction(4)])
def test_the_renyi_divergences_are_those_of_zcdp_and_equal_at_integer_orders(variance: Fraction) -> None:
    """Clamped to where both laws have mass, and cut so far out that little is moved."""
    rho, reach = 1 / (2 * variance), 10 * int(variance)
    cut = CutGaussian.of(variance=variance, depth=24, reach=reach)
    here, there = cut.law().clamp(1 - reach, reach), cut.law(1).clamp(1 - reach, reach)
    pair = profile(there, here)
    for order in (2, 3):
        found = renyi_bounds(pair, Fraction(order))
        assert abs(found[0] - order * rho) < Fraction(1, 2**30)
    between = renyi_bounds(pair, Fraction(3, 2))
    assert between[1] <= Fraction(3, 2) * rho
    least = zcdp(pair)
    assert least.lo > rho * Fraction(999, 1000)


@pytest.mark.parametrize("center", [Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)])
@pytest.mark.parametrize("variance", [Fraction(1, 8), Fraction(1), Fraction(2)])
def test_a_sum_about_a_fraction_is_less_than_about_zero(variance: Fraction, center: Fraction) -> None:
    """What makes the discrete Gaussian concentrated: sum exp(-(x - c)^2/(2 v)) is greatest at integers c."""
    assert enclose(variance=variance, center=center).total[1] < enclose(variance=variance).total[0]
    about_one = enclose(variance=variance, center=1).total
    assert about_one[0] <= enclose(variance=variance).total[1]
    assert about_one[1] >= enclose(variance=variance).total[0]


def test_it_samples_the_uncut_law() -> None:
    """2,000 draws at variance 9: the mean square is within 6 deviations (1.7) of 9; alpha below 1e-8."""
    draw, coins = discrete_gaussian(variance=Fraction(9)), seeded_coins(7)
    found = [draw(coins) for _ in range(2000)]
    assert abs(sum(x * x for x in found) - 9 * 2000) < 2000 * 6 * Fraction(285, 1000)
    assert {type(x) for x in found} == {int}
    assert {*range(-3, 4)} <= set(found)


@pytest.mark.parametrize("variance", [0, Fraction(-1), 1.5, "x", True])
def test_refused_variances(variance: Any) -> None:
    for build in (discrete_gaussian, enclose, partial(CutGaussian.of, depth=2, reach=2)):
        with pytest.raises(InputError, match="variance"):
            build(variance=variance)


def test_twin_a_whole_variance_is_a_fraction() -> None:
    one, other = (CutGaussian.of(variance=variance, depth=3, reach=3) for variance in (7, Fraction(7)))
    assert one == other
    coins = [seeded_coins(5), seeded_coins(5)]
    draws = [discrete_gaussian(variance=variance) for variance in (7, Fraction(7))]
    assert [draws[0](coins[0]) for _ in range(50)] == [draws[1](coins[1]) for _ in range(50)]
