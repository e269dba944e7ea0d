"""Compositions of a sampled Gaussian in both directions: near every loss, and where one law alone has a little mass."""

from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from math import comb, exp, log

import pytest

import dpcert
from dpcert import Answer, Dist, Epsilon
from dpcert.audit.answer import WIDE
from dpcert.audit.composition import composed
from dpcert.audit.grids import OnGrids
from dpcert.audit.profile import Profile, profile

FINE, UNIT = 8, 1 << 60


def sampled(rate: Fraction, reach: int, step: int) -> tuple[Profile, Profile]:
    """Return a Gaussian of deviation 1, cut at `reach` on a grid of 1/step, sampled at a rate: each against the other.

    With one person in the sample it moves by 1, and so has outcomes beyond the end of the other one.
    """
    size = reach * step
    masses = [round(exp(-((i / step) ** 2) / 2) * UNIT) for i in range(-size, size + 1)]
    without = {i - size: mass for i, mass in enumerate(masses)}
    joined = {i: (rate.denominator - rate.numerator) * mass for i, mass in without.items()}
    for i, mass in without.items():
        joined[i + step] = joined.get(i + step, 0) + rate.numerator * mass
    total = sum(masses)
    p, q = Dist.from_weights(joined.items(), rate.denominator * total), Dist.from_weights(without.items(), total)
    return profile(p, q), profile(q, p)


def need_close(answer: Answer) -> None:
    assert answer.lo is not None
    assert answer.hi is not None
    assert answer.hi <= answer.lo * WIDE or (answer.why is not None and "grid=" in answer.why)


@pytest.mark.parametrize("way", [0, 1])
@pytest.mark.parametrize(("rate", "times"), [("1/100", 4), ("1/10", 3)])
def test_exact_twin_of_few(way: int, rate: str, times: int) -> None:
    """On grids the bounds hold the product of the laws, to within a hundredth of the greatest loss."""
    one = sampled(Fraction(rate), 5, 1)[way]
    exact = reduce(Profile.compose, [one] * times)
    curve = OnGrids.of([(one, one, times)])
    top = log(exact.ratios[0])
    for part in (Fraction(1, 4), Fraction(3, 4), Fraction(24, 25), Fraction(101, 100)):
        epsilon = Epsilon.of(Fraction(top) * part)
        found, (lo, hi) = curve.delta_at(epsilon), exact.delta_bounds(epsilon)
        assert found.lo <= lo <= hi <= found.hi
        need_close(found)


def three(far: Fraction, rate: Fraction) -> tuple[list[Fraction], list[Fraction]]:
    """Return p, that has one more outcome of mass about `far`, and q, on three outcomes."""
    q = [Fraction(61, 222), Fraction(100, 222), Fraction(61, 222)]
    moved = [(1 - far / rate) * Fraction(mass, 175) for mass in (14, 61, 100)]
    return [(1 - rate) * a + rate * b for a, b in zip(q, moved, strict=True)], q


def multinomial(p: list[Fraction], q: list[Fraction], times: int, ratio: Fraction) -> Fraction:
    """Return delta by the sum over how often each outcome occurs, and the chance of one that only p has."""
    a, b = ([round(mass * 10**60) for mass in law] for law in (p, q))
    top, bottom = ratio.numerator, ratio.denominator
    found = Fraction(sum(max(0, bottom * x - top * y) for x, y in _terms(a, b, times)), bottom)
    return found / 10 ** (60 * times) + 1 - Fraction(sum(a), 10**60) ** times


def _terms(a: list[int], b: list[int], times: int) -> Iterator[tuple[int, int]]:
    (u, v, w), (x, y, z) = ([[mass**k for k in range(times + 1)] for mass in law] for law in (a, b))
    for i in range(times + 1):
        for j in range(times + 1 - i):
            ways, k = comb(times, i) * comb(times - i, j), times - i - j
            yield ways * u[i] * v[j] * w[k], ways * x[i] * y[j] * z[k]


@pytest.mark.points(3)
@pytest.mark.parametrize("way", [0, 1])
@pytest.mark.parametrize("far", ["1e-15", "1e-6", "0"])
@pytest.mark.parametrize("epsilon", ["1/10", "3/10", "59/100"])
def test_exact_twin_of_sixty_by_multinomials(way: int, far: str, epsilon: str) -> None:
    p, q = three(Fraction(far), Fraction(1, 100))
    ends = (1 - sum(p), Fraction(0))
    rows = [(x / y, y) for x, y in zip(*((p, q), (q, p))[way], strict=True)]
    one = Profile.from_ratios(rows, *ends[:: -1 if way else 1])
    spend = Epsilon.of(epsilon)
    below, above = spend.exp_bounds(128)
    found = OnGrids.of([(one, one, 60)]).delta_at(spend)
    sides = (p, q) if way == 0 else (q, p)
    exact = [multinomial(*sides, 60, ratio) for ratio in (above, below)]
    slack = Fraction(1, 10**50)
    assert found.lo <= exact[1] * (1 + slack) + slack
    assert found.hi >= exact[0] * (1 - slack) - slack
    need_close(found)


def chernoff(one: Profile, times: int, epsilon: float) -> float:
    """Return the logarithm of a bound of delta, by moments of the loss: the least of 2,000, in floats."""
    rows = [(log(ratio), log(ratio * weight)) for ratio, weight in one.rows()]
    most = 0.0
    for step in range(2000):
        theta = 2.0 ** (step / 100 - 5)
        heights = [mass + theta * loss for loss, mass in rows]
        top = max(heights)
        moment = top + log(sum(exp(height - top) for height in heights))
        most = min(most, times * moment - theta * epsilon)
    return most


@pytest.mark.points(2)
@pytest.mark.parametrize(("times", "epsilon"), [(100, "1/2"), (100, "1"), (300, "1"), (1000, "3/2"), (100, "11/10")])
def test_of_many_reversed_observations_are_narrow_and_below_the_bound_by_moments(times: int, epsilon: str) -> None:
    """At epsilon = 1 a hundred losses are within half a percent of the greatest; above 1.005 there are none."""
    _, one = sampled(Fraction(1, 100), 8, FINE)
    found = composed([(one, times)]).delta_at(Epsilon.of(epsilon))
    assert 0 < one.zero < Fraction(1, 10**13)
    assert found.hi is not None
    assert (found.hi == 0) == (epsilon == "11/10")
    assert found.hi == 0 or log(found.hi.numerator) - log(found.hi.denominator) <= chernoff(
        one, times, float(Fraction(epsilon))
    )
    need_close(found)


def test_what_only_one_law_has_counts_at_every_epsilon_and_nothing_else_does() -> None:
    one, _ = sampled(Fraction(1, 100), 8, 1)
    found = composed([(one, 100)]).delta_at(Epsilon.of(900))
    exact = 1 - (1 - one.infinite) ** 100
    assert found.lo <= exact <= found.hi <= found.lo * (1 + Fraction(1, 10**12))


def test_the_least_ratio_is_infinite_below_what_only_one_law_has() -> None:
    one, _ = sampled(Fraction(1, 100), 8, 1)
    curve = composed([(one, 100)])
    infinite = 1 - (1 - one.infinite) ** 100
    assert curve.ratio_at(infinite * Fraction(99, 100)) == Answer(None, None, "enclosed")
    assert isinstance(curve, OnGrids)
    assert curve.ratio_bound(infinite * Fraction(99, 100), above=True) is None


@pytest.mark.nightly
def test_without_a_delta_the_least_ratio_is_the_greatest_product() -> None:
    _, other = sampled(Fraction(1, 100), 8, 1)
    found = composed([(other, 100)]).ratio_at(0)
    greatest = other.ratios[0] ** 100
    assert found.lo <= greatest <= found.hi <= greatest * (1 + Fraction(1, 10**9))


@pytest.mark.nightly
def test_an_answer_says_why_its_bounds_are_apart() -> None:
    _, one = sampled(Fraction(1, 100), 8, FINE)
    found = dpcert.compose([(one, 100)]).delta_at("99/100")
    assert found.hi < Fraction(1, 10**100)
    assert found.why.endswith("takes a finer one")
    assert dpcert.compose([(one, 300)]).delta_at(1).why is None
