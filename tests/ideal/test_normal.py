"""Normal noise: bounds against mpmath's quadrature, the analytic Gaussian mechanism, and what is undecided."""

from fractions import Fraction
from functools import partial

import mpmath
import numpy as np
import pytest

from dpcert import Epsilon, Unauditable
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.stars import bounds_of
from dpcert.mechanisms.ideal.noise import Law, Rate
from dpcert.mechanisms.ideal.path import Inequality, Path

from .claims import decided, vectors


def law(deviation):
    return Law("normal", Rate(1 / Fraction(deviation)))


def path(deviations, *items):
    return Path(tuple(map(law, deviations)), items, Fraction(1), None)


def below(form, threshold):
    return Inequality(tuple((name, Fraction(c)) for name, c in form), Fraction(threshold), False)


def near(bounds, expected):
    low, high = bounds
    assert high - low < Fraction(1, 10**12)
    assert float(low) == pytest.approx(float(expected), abs=1e-12)


def test_one_variable_is():
    near(bounds_of(path([2], below([(0, 1)], 3))), mpmath.ncdf(1.5))


def test_a_form_of_several_variables_is():
    near(bounds_of(path([3, 4], below([(0, 1), (1, -1)], 2))), mpmath.ncdf(mpmath.mpf(2) / 5))


def test_an_interval_is():
    items = below([(0, 1)], 2), Inequality(((0, Fraction(1)),), Fraction(1), True)
    near(bounds_of(path([1], *items)), mpmath.ncdf(2) - mpmath.ncdf(1))


def test_a_star_equals_quadrature():
    items = below([(0, 1), (1, -1)], 1), below([(0, 1), (2, -1)], Fraction(1, 2)), below([(0, 1)], 2)

    def chance(z):
        """A leaf y of deviation s is above z - c with the chance Phi((c - z)/s)."""
        return mpmath.npdf(z) * mpmath.ncdf((1 - z) / 2) * mpmath.ncdf((mpmath.mpf(1) / 2 - z) / 3)

    near(bounds_of(path([1, 2, 3], *items)), mpmath.quad(chance, [-14, -6, -2, 0, 2]))


def test_the_probabilities_of_all_paths_sum_to_1():
    def program(counts, rng):
        return int(np.argmax(np.array(counts) + rng.normal(0, 2, size=3)))

    (paths,) = laws_of(program, [[0, 1, 3]])
    bounds = [bounds_of(each) for each in paths]
    assert sum(low for low, _ in bounds) <= 1 <= sum(high for _, high in bounds)
    assert sum(high - low for low, high in bounds) < Fraction(1, 10**15)


def noisy(count, rng, deviation=1):
    return count + rng.normal(0, deviation)


def test_a_released_count_meets_its_delta_and_no_less():
    """Phi(-1/2) - e Phi(-3/2) is 0.12693."""
    assert decided(noisy, range(3), 1, "127/1000", neighbours="counts_differ_by_one").verdict == "verified"
    found = decided(noisy, range(3), 1, "126/1000", neighbours="counts_differ_by_one")
    assert found.verdict == "refuted"
    ratio = Epsilon.of(1).exp_bounds(64)[1]
    assert found.worst.p[0] > ratio * found.worst.q[1] + Fraction(126, 1000)


def test_caught_a_deviation_that_is_too_small():
    program = partial(noisy, deviation=Fraction(1, 2))
    assert decided(program, range(3), 1, "127/1000", neighbours="counts_differ_by_one").verdict == "refuted"


def test_a_vector_is_as_far_as_its_square():
    def program(counts, rng):
        return np.array(counts) + rng.normal(0, 2, size=2)

    root = mpmath.sqrt(2)
    one = mpmath.ncdf(1 / (2 * root) - root / 2) - mpmath.exp(0.5) * mpmath.ncdf(-1 / (2 * root) - root / 2)
    found = decided(program, vectors(2, (0, 1)), "1/2", 1)
    assert [float(end) for end in found.delta] == pytest.approx([float(one)] * 2, abs=1e-14)
    assert decided(program, vectors(2, (0, 1)), "1/2", found.delta[1]).verdict == "verified"
    assert decided(program, vectors(2, (0, 1)), "1/2", found.delta[0] - Fraction(1, 10**20)).verdict == "refuted"


def test_pure_privacy_of_a_normal_release_is_refuted_by_a_tail():
    assert decided(noisy, range(3), 5, neighbours="counts_differ_by_one").verdict == "refuted"


def test_a_threshold_is_decided_at_a_delta():
    def program(count, rng):
        return bool(noisy(count, rng) > 1)

    excess = float(mpmath.ncdf(0) - mpmath.exp(0.5) * mpmath.ncdf(-1))
    found = decided(program, [0, 1], "1/2", "1/4", neighbours="counts_differ_by_one")
    assert (found.verdict, found.delta[0] > 0) == ("verified", True)
    assert float(found.delta[0]) == pytest.approx(excess, abs=1e-12)
    assert decided(program, [0, 1], "1/2", "23/100", neighbours="counts_differ_by_one").verdict == "refuted"


def test_refused_what_is_no_star():
    def program(counts, rng):
        return tuple(int(i) for i in np.argsort(np.array(counts) + rng.normal(0, 1, size=4)))

    def mixed(counts, rng):
        return bool(counts[0] + rng.normal() + rng.laplace() + rng.logistic() > 0)

    for each, words in ((program, "are no star"), (mixed, "are no star")):
        with pytest.raises(Unauditable, match=words):
            decided(each, [(0, 0, 0, 0), (1, 0, 0, 0)], 1)
