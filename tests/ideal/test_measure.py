"""Probabilities of paths: elimination, cells, quadrature and a lattice agree; those of all paths sum to 1."""

import random
from fractions import Fraction
from math import exp, isclose

import mpmath
import pytest

from dpcert.audit.ideal.compare import Exponentials, at
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.measure import Measure, Units, integral
from dpcert.mechanisms.ideal.noise import Law, Rate
from dpcert.mechanisms.ideal.path import Inequality, Path
from dpcert.mechanisms.ideal.terms import total

from .programs import noisy_max, order, sparse_vector


def number(value, h):
    low, high = Exponentials().enclose(at(value, h))
    assert high - low < Fraction(1, 10**30)
    return float(low)


def some_path(seed):
    """Return a random path whose inequalities make a tree, each variable in at least one of them."""
    chosen = random.Random(seed)
    n = chosen.randint(1, 4)
    kinds = ["laplace", "laplace", "exponential", "uniform"]
    laws = [Law(chosen.choice(kinds), Rate(Fraction(chosen.randint(1, 3), chosen.randint(1, 2)))) for _ in range(n)]
    items = [Inequality(((0, Fraction(1)),), Fraction(chosen.randint(-4, 1), 2), True)]
    for j in range(1, n):
        slope = Fraction(chosen.choice([-1, -1, 1, -2]), chosen.choice([1, 1, 2]))
        threshold = Fraction(chosen.randint(-2, 2), chosen.randint(1, 2))
        form = (chosen.randrange(j), Fraction(1)), (j, slope)
        items.append(Inequality(form, threshold, chosen.random() < 0.5))
    return Path(tuple(laws), tuple(items), Fraction(1), None)


def rows_of(path, units):
    found = []
    for item in path.inequalities:
        form, offset = item.inward()
        found.append((tuple(form.items()), offset * units.lengths))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_elimination_equals_cells(seed):
    path = some_path(seed)
    units = Units.of([path])
    kinds = [(law.kind, units.rate(law)) for law in path.laws]
    assert Measure(units).probability(path) == integral(kinds, rows_of(path, units), units.lengths)


DENSITIES = {
    "laplace": lambda x, rate: rate / 2 * exp(-rate * abs(x)),
    "exponential": lambda x, rate: rate * exp(-rate * x) if x >= 0 else 0.0,
}


@pytest.mark.points(3)
@pytest.mark.parametrize("kinds", [("laplace", "laplace"), ("laplace", "exponential"), ("exponential", "laplace")])
@pytest.mark.parametrize("above", [True, False])
def test_elimination_equals_quadrature(kinds, above):
    rates = Fraction(1, 2), Fraction(3, 4)
    laws = tuple(Law(kind, Rate(rate)) for kind, rate in zip(kinds, rates, strict=True))
    path = Path(laws, (Inequality(((0, Fraction(1)), (1, Fraction(-1))), Fraction(1, 3), above),), Fraction(1), None)
    units = Units.of([path])
    found = number(Measure(units).probability(path), units.h(Fraction(1)))

    def density(which):
        return lambda x: DENSITIES[kinds[which]](float(x), float(rates[which]))

    def tail(y):
        return mpmath.quad(density(0), [y + mpmath.mpf(1) / 3, *([0] if y < -1 / 3 else []), 40, 200], maxdegree=5)

    expected = mpmath.quad(lambda y: density(1)(y) * tail(y), [-120, -20, -1 / 3, 0, 20, 120], maxdegree=5)
    assert isclose(found, expected if above else 1 - expected, abs_tol=1e-9)


def test_elimination_is_the_limit_of_a_lattice():
    (paths,) = laws_of(sparse_vector, [[0, 1]])
    units = Units.of(paths)
    measure = Measure(units)
    exact = {tuple(path.outcome): number(measure.probability(path), units.h(Fraction(1))) for path in paths}
    step = 0.02
    grid = [step * (k + 0.5) for k in range(-2000, 2000)]

    def cdf(x, rate):
        return exp(rate * x) / 2 if x < 0 else 1 - exp(-rate * x) / 2

    first = sum(
        step * 0.25 * exp(-0.5 * abs(rho)) * (1 - cdf(rho, 0.25)) for rho in grid
    )  # the first query is 0, and the threshold is rho
    second = sum(step * 0.25 * exp(-0.5 * abs(rho)) * cdf(rho, 0.25) * (1 - cdf(rho - 1, 0.25)) for rho in grid)
    assert isclose(exact[True, False], first, abs_tol=1e-4)
    assert isclose(exact[False, True], second, abs_tol=1e-4)


@pytest.mark.parametrize("program", [sparse_vector, noisy_max, order])
@pytest.mark.parametrize("value", [[0, 0, 0], [0, 1, 0], [2, 0, 1]])
def test_the_probabilities_of_all_paths_sum_to_1(program, value):
    (paths,) = laws_of(program, [value])
    measure = Measure(Units.of(paths))
    assert total(map(measure.probability, paths)) == {(0, 0): 1}


def test_equal_counts_are_in_any_order_with_the_same_probability():
    (paths,) = laws_of(order, [[1, 1, 1]])
    measure = Measure(Units.of(paths))
    assert {path.outcome for path in paths} == {(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)}
    assert all(measure.probability(path) == {(0, 0): Fraction(1, 6)} for path in paths)
