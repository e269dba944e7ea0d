"""Pairs of noise: their deltas against formulas, their compositions against exact ones and floats, what is refused."""

import math
import random
from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest

import dpcert
from dpcert import Dist, Epsilon, InputError, Noise
from dpcert.audit.between import Between
from dpcert.audit.noise import Greatest, bounds, convex, excess, profile_between
from dpcert.audit.profile import Profile, profile


def number(x: object) -> mpmath.mpf:
    found = Fraction(str(x))
    return mpmath.mpf(found.numerator) / found.denominator


def sampled(deviation: object, rate: object, epsilon: object, *, joined: bool) -> mpmath.mpf:
    """Return the delta of a sampled Gaussian by its formula: with the person against without, or the other way."""
    with mpmath.workdps(50):
        q, s, ratio = number(rate), number(deviation), mpmath.exp(number(epsilon))
        bound = ratio if joined else 1 / ratio
        if bound <= 1 - q:
            return mpmath.mpf(0)
        y = s**2 * mpmath.log((bound - 1 + q) / q) + mpmath.mpf(1) / 2
        if joined:
            return (1 - q) * mpmath.ncdf(-y / s) + q * mpmath.ncdf((1 - y) / s) - ratio * mpmath.ncdf(-y / s)
        return mpmath.ncdf(y / s) - ratio * ((1 - q) * mpmath.ncdf(y / s) + q * mpmath.ncdf((y - 1) / s))


def laplaces(scale: object, epsilon: object) -> mpmath.mpf:
    return max(0, 1 - mpmath.exp((number(epsilon) - 1 / number(scale)) / 2))


def discrete(deviation: int, epsilon: object, moved: int = 1) -> mpmath.mpf:
    with mpmath.workdps(50):
        weights = {k: mpmath.exp(-mpmath.mpf(k * k) / (2 * deviation**2)) for k in range(-400, 401)}
        whole, ratio = mpmath.fsum(weights.values()), mpmath.exp(number(epsilon))
        gains = (weights[k - moved] - ratio * weights[k] for k in range(-390, 400))
        return mpmath.fsum(max(0, gain) for gain in gains) / whole


def surrounds(noise: Between[Profile] | Noise, epsilon: object, expected: mpmath.mpf, width: float = 1e-3) -> None:
    """Hold that bounds surround a number closely; neighbouring ratios are apart by a part of a deviation."""
    found = noise.delta_at(epsilon)
    assert found.lo * (1 - Fraction(1, 10**30)) <= Fraction(mpmath.nstr(expected, 45)) <= found.hi + Fraction(1, 10**36)
    assert found.hi - found.lo <= found.hi * Fraction(width) + Fraction(1, 10**10)


EPSILONS = ["1/100", "1/10", "1/2", "1", "3"]


NOISE: list[tuple[Callable[[], Noise], Callable[[str], mpmath.mpf]]] = [
    (lambda: dpcert.gaussian("1/2"), lambda epsilon: sampled("1/2", 1, epsilon, joined=True)),
    (lambda: dpcert.gaussian(5), lambda epsilon: sampled(5, 1, epsilon, joined=True)),
    (lambda: dpcert.laplace("1/2"), lambda epsilon: laplaces("1/2", epsilon)),
    (lambda: dpcert.laplace(2), lambda epsilon: laplaces(2, epsilon)),
    (lambda: dpcert.discrete_gaussian(1), lambda epsilon: discrete(1, epsilon)),
    (lambda: dpcert.discrete_gaussian(4, sensitivity=3), lambda epsilon: discrete(4, epsilon, 3)),
]


@pytest.mark.parametrize(("build", "formula"), NOISE)
def test_pairs_surround_their_formulas(build: Callable[[], Noise], formula: Callable[[str], mpmath.mpf]) -> None:
    noise = build()
    with mpmath.workdps(50):
        for epsilon in EPSILONS:
            surrounds(noise, epsilon, formula(epsilon))


@pytest.mark.points(2)
@pytest.mark.parametrize("rate", ["1/2", "1", "1/100"])
def test_one_use_is_bounded_to_twenty_digits(rate: str) -> None:
    for epsilon in ("1/10", "1/2"):
        found = dpcert.sampled_gaussian(1, rate=rate).delta_at(epsilon)
        expected = max(sampled(1, rate, epsilon, joined=joined) for joined in (True, False))
        assert found.bits > 70
        assert float(found.hi or 0) == pytest.approx(float(expected), rel=1e-14)


def test_one_use_is_bounded_in_the_other_order() -> None:
    noise = dpcert.sampled_gaussian(1, rate="1/3")
    assert noise.event is not None
    low, high = bounds(excess(noise.event, Fraction(11, 10), turned=True))
    way = noise.ways()[1]
    assert way.lower.delta(Fraction(11, 10)) <= low <= high <= way.upper.delta(Fraction(11, 10))


@pytest.mark.points(2)
@pytest.mark.parametrize(("deviation", "rate"), [("1", "1/100"), ("2", "1/2"), ("3/4", "1/1000")])
def test_both_orders_of_a_sampled_gaussian_surround_their_formulas(deviation: str, rate: str) -> None:
    for way, joined in zip(dpcert.sampled_gaussian(deviation, rate=rate).ways(), (True, False), strict=True):
        for epsilon in EPSILONS:
            surrounds(way, epsilon, sampled(deviation, rate, epsilon, joined=joined))


def test_no_ratio_is_above_or_below_the_truth() -> None:
    """At ratios of all sizes, below the least node and above the greatest as well."""
    noise = dpcert.sampled_gaussian("1", rate="1/10").profile
    dice = random.Random(7)
    with mpmath.workdps(60):
        for _ in range(200):
            ratio = Fraction(math.exp(dice.uniform(-3, 12)))
            E, q = mpmath.mpf(ratio.numerator) / ratio.denominator, mpmath.mpf(1) / 10
            if 1 - q >= E:
                expected = 1 - E
            else:
                y = mpmath.log((E - 1 + q) / q) + mpmath.mpf(1) / 2
                expected = (1 - q) * mpmath.ncdf(-y) + q * mpmath.ncdf(1 - y) - E * mpmath.ncdf(-y)
            exact = Fraction(mpmath.nstr(expected, 50))
            slack = Fraction(1, 10**40)
            assert noise.lower.delta(ratio) <= exact + slack
            assert noise.upper.delta(ratio) >= exact - slack


def test_a_sensitivity_is_a_scale() -> None:
    one, other = dpcert.gaussian(6, sensitivity=3), dpcert.gaussian(2)
    assert one.delta_at("1/2") == other.delta_at("1/2")


@pytest.mark.points(2)
@pytest.mark.parametrize(
    ("deviation", "rate", "epsilon"), [("2", "1/10", "1"), ("10", "1/4", "1/2"), ("1", "1/100", "1/4")]
)
def test_a_hundred_steps_are_within_a_thousandth_in_both_orders(deviation: str, rate: str, epsilon: str) -> None:
    curve = dpcert.compose([(dpcert.sampled_gaussian(deviation, rate=rate), 100)]).upper
    assert isinstance(curve, Greatest)
    for way in curve.curves:
        found = way.delta_at(Epsilon.of(epsilon))
        assert found.hi <= found.lo * Fraction(1001, 1000)


def test_composed_gaussians_are_one_gaussian() -> None:
    """So many steps of a deviation s are one of s / sqrt(times)."""
    found = dpcert.compose([(dpcert.gaussian(20), 100)]).delta_at("1")
    expected = Fraction(mpmath.nstr(sampled(2, 1, 1, joined=True), 14))
    assert found.lo < expected < found.hi < found.lo * Fraction(1001, 1000)


def test_caught_an_order_that_is_left_out() -> None:
    """Below epsilon = 0 the other order is the worse: each is composed, and the greater delta counts."""
    noise = dpcert.sampled_gaussian(1, rate="1/2")
    curve = dpcert.compose([(noise, 4)]).upper
    assert isinstance(curve, Greatest)
    first, other = (way.delta_at(Epsilon.of("1/2")) for way in curve.curves)
    assert first.lo > other.hi
    both = curve.delta_at(Epsilon.of("1/2"))
    assert (both.lo, both.hi) == (first.lo, first.hi)


def test_noise_composes_with_guarantees_and_profiles() -> None:
    response = profile(Dist.of({0: "3/4", 1: "1/4"}), Dist.of({0: "1/4", 1: "3/4"}))
    noise = dpcert.sampled_gaussian(2, rate="1/4")
    both = dpcert.compose([(noise, 2), response, dpcert.PureDP("ln(3)")]).delta_at("1")
    alone = dpcert.compose([response, dpcert.PureDP("ln(3)")]).delta_at("1")
    assert alone.hi < both.lo <= both.hi < both.lo * Fraction(101, 100)


def test_noise_that_is_alike_is_a_profile() -> None:
    assert dpcert.subsampled(dpcert.laplace(1), "1/10").delta_at(Epsilon.of("1/10")).hi is not None
    with pytest.raises(InputError, match="a profile"):
        dpcert.zcdp(dpcert.sampled_gaussian(1, rate="1/2"))


def test_caught_half_the_deviation_and_other_rates() -> None:
    right = dpcert.sampled_gaussian(2, rate="1/10").delta_at("1/4").hi
    for wrong in (dpcert.sampled_gaussian("1", rate="1/10"), dpcert.sampled_gaussian(2, rate="1001/10000")):
        low = wrong.delta_at("1/4").lo
        assert low > right


@pytest.mark.parametrize(
    "build",
    [
        lambda: dpcert.gaussian("1/10"),
        lambda: dpcert.gaussian(2000),
        lambda: dpcert.gaussian(1, sensitivity=0),
        lambda: dpcert.laplace(0),
        lambda: dpcert.sampled_gaussian(1, rate=0),
        lambda: dpcert.sampled_gaussian(1, rate="11/10"),
        lambda: dpcert.discrete_gaussian(1, sensitivity=0),
        lambda: dpcert.gaussian(0.5),
    ],
)
def test_refused_parameters(build: object) -> None:
    assert callable(build)
    with pytest.raises(InputError):
        build()


def test_convex_nodes_keep_what_is_above() -> None:
    nodes = [(Fraction(0), Fraction(1)), (Fraction(1), Fraction(1, 2)), (Fraction(2), Fraction(2, 5))]
    nodes += [(Fraction(3), Fraction(1, 10)), (Fraction(4), Fraction(1, 5))]
    assert convex(nodes) == [nodes[0], nodes[1], nodes[3], (Fraction(4), Fraction(1, 10))]


def test_refused_a_probability_without_bounds() -> None:
    import flint

    with pytest.raises(ArithmeticError):
        profile_between([(Fraction(1), flint.arb("nan"), flint.arb(0))])
