"""Noise that is enclosed: each shape against itself, stars against mpmath, orders of Gumbel noise against softmax."""

import itertools
import math
from fractions import Fraction

import flint
import mpmath
import numpy as np
import pytest

from dpcert.audit.ideal.alignment import Region, aligned_part
from dpcert.audit.ideal.normal import ball
from dpcert.audit.ideal.stars import SHAPES, bounds_of
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.noise import Law, Rate
from dpcert.mechanisms.ideal.path import Inequality, Path

from .claims import decided, vectors
from .scipys import loaded

DENSITIES = {
    "normal": mpmath.npdf,
    "laplace": lambda x: mpmath.exp(-abs(x)) / 2,
    "exponential": lambda x: mpmath.exp(-x) if x > 0 else 0,
    "uniform": lambda x: 1 if 0 < x < 1 else 0,
    "gumbel": lambda x: mpmath.exp(-x - mpmath.exp(-x)),
    "logistic": lambda x: mpmath.exp(-x) / (1 + mpmath.exp(-x)) ** 2,
}


def law(kind, rate=1):
    return Law(kind, Rate(Fraction(rate)))


def chance(laws, *items):
    rows = tuple(
        Inequality(tuple((name, Fraction(c)) for name, c in form), Fraction(threshold), above)
        for form, threshold, above in items
    )
    low, high = bounds_of(Path(tuple(laws), rows, Fraction(1), None))
    assert high - low < Fraction(1, 10**25)
    return float(low)


@pytest.mark.parametrize("kind", SHAPES)
def test_a_shape_is_that_of_its_density(kind):
    shape, density = SHAPES[kind], DENSITIES[kind]
    for x in (Fraction(-7, 3), Fraction(-1, 5), Fraction(2, 7), Fraction(3, 2)):
        place, y = shape.piece(x), ball(x)
        assert float(shape.densities[place](y)) == pytest.approx(float(density(float(x))))
        below = mpmath.quad(density, sorted({-40, float(x), *(k for k in (-1, 0, 1) if k < x)}))
        assert float(shape.below[place](y)) == pytest.approx(float(below), abs=1e-9)
        assert float(shape.above[place](y)) == pytest.approx(1 - float(below), abs=1e-9)


@pytest.mark.parametrize("kind", SHAPES)
def test_what_is_not_integrated_is_less_than_the_rest(kind):
    shape = SHAPES[kind]
    with flint.ctx.workprec(400):
        outside = shape.below[0](ball(shape.low)) + shape.above[-1](ball(shape.high))
        assert not outside > shape.rest()
        assert float(shape.rest()) < 1e-60


@pytest.mark.points(3)
@pytest.mark.parametrize(
    ("centre", "leaf"),
    [
        ("normal", "laplace"),
        ("laplace", "uniform"),
        ("uniform", "gumbel"),
        ("gumbel", "logistic"),
        ("logistic", "exponential"),
        ("exponential", "normal"),
    ],
)
def test_a_star_equals_quadrature(centre, leaf):
    """The shared variable z of rate 2, and the chance that a leaf of rate 1/3 is above z - 1 and below z + 3/2."""
    laws = law(centre, 1 if centre == "uniform" else 2), law(leaf, 1 if leaf == "uniform" else "1/3")
    found = chance(laws, (((0, 1), (1, -1)), 1, False), (((0, 1), (1, -1)), "-3/2", True))
    first, second = (float(item.rate.factor) for item in laws)

    def between(z):
        ends = [(z - 1) * second, (z + mpmath.mpf(3) / 2) * second]
        cuts = sorted({*ends, *(k for k in (0, 1) if ends[0] < k < ends[1])})
        return mpmath.quad(DENSITIES[leaf], cuts, maxdegree=5)

    cuts = [-20, -1.5, -1, -0.5, 0, 0.5, 1, 2, 20]
    expected = mpmath.quad(lambda z: DENSITIES[centre](first * z) * first * between(z), cuts, maxdegree=5)
    assert found == pytest.approx(float(expected), abs=1e-6)


def test_an_order_of_gumbel_noise_is_softmax():
    laws = [law("gumbel", "1/2")] * 3
    first = chance(laws, (((0, 1), (1, -1)), -1, True), (((0, 1), (2, -1)), 2, True))
    weights = [1, math.exp(-1 / 2), math.exp(2 / 2)]
    assert first == pytest.approx(weights[0] / sum(weights), abs=1e-12)
    chain = chance(laws, (((0, 1), (1, -1)), -1, True), (((1, 1), (2, -1)), 3, True))
    assert chain == pytest.approx(first * weights[1] / (weights[1] + weights[2]), abs=1e-12)


def test_an_order_equals_integration():
    """The closed form is taken for equal rates only: rates that hardly differ are integrated, to nearly the same."""
    items = (((0, 1), (1, -1)), -1, True), (((0, 1), (2, -1)), 2, True)
    closed = chance([law("gumbel", "1/2")] * 3, *items)
    near = Fraction(1, 2) + Fraction(1, 10**9)
    integrated = chance([law("gumbel", "1/2"), law("gumbel", near), law("gumbel", near)], *items)
    assert closed == pytest.approx(integrated, abs=1e-8)


def test_the_exponential_mechanism_by_gumbel_noise():
    def program(scores, rng):
        return int(np.argmax(np.array(scores) + rng.gumbel(scale=2, size=len(scores))))

    def ratio(x, y):
        shares = [[math.exp(v / 2) for v in row] for row in (x, y)]
        return max(p / sum(shares[0]) / (q / sum(shares[1])) for p, q in zip(*shares, strict=True))

    found = decided(program, vectors(3, (0, 1)), 1)
    expected = max(math.log(ratio(x, y)) for x, y in itertools.product(vectors(3, (0, 1)), repeat=2))
    assert found.verdict == "verified"
    assert float(found.epsilon[0].exp_bounds(64)[0]) == pytest.approx(math.exp(expected))
    assert decided(program, vectors(3, (0, 1)), "1/2").verdict == "refuted"


def test_a_ranking_by_gumbel_noise_is_decided():
    def program(scores, rng):
        return [int(i) for i in np.argsort(np.array(scores) + rng.gumbel(size=3))]

    assert decided(program, vectors(3, (0, 1)), 2).verdict == "verified"
    assert decided(program, vectors(3, (0, 1)), "3/2").verdict == "refuted"


def test_a_logistic_release_is_aligned():
    def program(count, rng):
        return count + rng.logistic(scale=2)

    found = decided(program, range(3), "1/2", neighbours="counts_differ_by_one")
    assert (found.verdict, str(found.epsilon[1])) == ("verified", "1/2")
    assert decided(program, range(3), "49/100", neighbours="counts_differ_by_one").verdict == "refuted"


def test_a_gumbel_release_is_not_private():
    found = decided(lambda count, rng: count + rng.gumbel(), range(3), 5, neighbours="counts_differ_by_one")
    assert (found.verdict, found.epsilon[1]) == ("refuted", None)


@pytest.mark.parametrize("kind", ["normal", "uniform", "unheard-of"])
def test_caught_an_alignment_of_noise_that_has_no_bound(kind):
    region = Region((law(kind),), (), None)
    with pytest.raises(ArithmeticError, match="no bound"):
        aligned_part(region, region, {0: Fraction(1)})


def test_caught_an_alignment_of_gumbel_noise_down():
    region = Region((law("gumbel"),), (), None)
    with pytest.raises(ArithmeticError, match="down"):
        aligned_part(region, region, {0: Fraction(-1)})
    assert aligned_part(region, region, {0: Fraction(1)}) == (1, region)


def test_tiny_chances_are_bounded():
    low, high = bounds_of(Path((law("gumbel"),), (Inequality(((0, 1),), -(10**3), False),), Fraction(1), None))
    assert low == 0 < high < Fraction(1, 10**1000)


@pytest.fixture
def stats():
    with loaded() as module:
        yield module


def test_scipys_noise_is_ideal(stats):
    def drawn(count, rng):
        return bool(count + stats.laplace.rvs(scale=1) > 1)

    def handed(count, rng):
        return bool(count + stats.laplace.rvs(scale=2, size=2, random_state=rng)[1] > 1)

    def seeded(count, rng):
        return bool(count + stats.norm.rvs(random_state=3) > 1)

    def refused(count, rng):
        return bool(stats.norm.rvs(scale=-1 if count else 1) > 0)

    own = type(stats.laplace).rvs
    assert str(decided(drawn, range(3), 1, neighbours="counts_differ_by_one").epsilon[1]) == "1"
    assert str(decided(handed, range(3), 1, neighbours="counts_differ_by_one").epsilon[1]) == "1/2"
    assert decided(refused, range(2), 9, neighbours="counts_differ_by_one").verdict == "refuted"
    with pytest.raises(Unauditable, match="a random_state with a seed"):
        decided(seeded, range(3), 1, neighbours="counts_differ_by_one")
    assert type(stats.laplace).rvs is own
