"""The bounds of releases: brute force over choices, densities by numerical integration, and known cases."""

from fractions import Fraction
from math import exp

import mpmath
import pytest
from pipelines.bounds import DeltaBounds, Number, Partition, between, chosen, laplace_epsilon, mixed, moved, root
from pipelines.run import put

ONE = Fraction(1)


def laplace(value: int, scale: int, *, keep: Fraction = ONE) -> Partition:
    return Partition(keep, (Number(Fraction(value), "laplace", Fraction(scale)),))


def gaussian(value: int, sigma: int, *, keep: Fraction = ONE) -> Partition:
    return Partition(keep, (Number(Fraction(value), "gaussian", Fraction(sigma)),))


def test_laplace_noise_spends_the_sum_of_distances_over_scales() -> None:
    a, b = {0: laplace(3, 2), 1: laplace(0, 4)}, {0: laplace(2, 2), 1: laplace(1, 4)}
    assert laplace_epsilon(a, b) == Fraction(3, 4)
    assert between(a, b, Fraction(3, 4)) == DeltaBounds(Fraction(0), Fraction(0))
    assert between(a, b, Fraction(1, 2)).low > 0


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(1, 4), Fraction(2, 5)])
def test_the_lower_bound_of_laplace_noise_is_below_the_integral(epsilon: Fraction) -> None:
    """At distance 1 and scale 2 the least delta is 1 - e^((epsilon - 1/2) / 2)."""
    found = between({0: laplace(1, 2)}, {0: laplace(0, 2)}, epsilon)
    true = 1 - exp((float(epsilon) - 0.5) / 2)
    assert 0 < float(found.low) <= true <= float(found.high)


def test_gaussian_noise_adds_squares() -> None:
    both = between({0: gaussian(3, 1), 1: gaussian(4, 1)}, {0: gaussian(0, 1), 1: gaussian(0, 1)}, ONE)
    one = between({0: gaussian(5, 1)}, {0: gaussian(0, 1)}, ONE)
    with mpmath.workdps(30):
        true = mpmath.quad(
            lambda x: max(0, mpmath.npdf(x, 5) - mpmath.e * mpmath.npdf(x)), [mpmath.mpf(27) / 10, 5, 9, 20]
        )
        assert abs(mpmath.mpf(both.low.numerator) / both.low.denominator - true) < 1e-12
    assert abs(both.low - one.low) < Fraction(1, 2**100)
    assert both.low <= both.high < both.low + Fraction(1, 2**100)


def test_choices_are_all_sets_of_partitions_that_differ() -> None:
    half, third = Fraction(1, 2), Fraction(1, 3)
    a = {0: Partition(half, ()), 1: Partition(third, ()), 2: Partition(third, ())}
    b = {0: Partition(third, ()), 2: Partition(third, ())}
    found = list(chosen(a, b))
    assert sum(p for p, _ in found) == sum(q for _, q in found) == 1
    assert sorted(found) == sorted(
        [(half * third, 0), (half * (1 - third), third), (half * third, 0), (half * (1 - third), 1 - third)]
    )


def test_a_new_partition_costs_its_chance_to_be_kept() -> None:
    a, b = {0: laplace(1, 1, keep=Fraction(1, 100))}, {}
    assert between(a, b, ONE) == DeltaBounds(Fraction(1, 100), Fraction(1, 100))
    assert between(b, a, ONE) == DeltaBounds(Fraction(0), Fraction(0))


def test_choices_and_noise_are_no_better_than_their_composition() -> None:
    """Numerical integration of one partition, kept with 1/2 and 1/3, with Laplace noise: it is between the bounds."""
    p, q, epsilon = Fraction(1, 2), Fraction(1, 3), Fraction(1, 2)
    a, b = {0: laplace(1, 4, keep=p)}, {0: laplace(0, 4, keep=q)}
    found = between(a, b, epsilon)

    def density(x: float) -> float:
        return max(0, exp(-abs(x - 1) / 4) / 16 - exp(0.5) * exp(-abs(x) / 4) / 24)

    true = float(mpmath.quad(density, [-80, 0, 1, 80]))
    assert float(found.low) <= true + 1e-12
    assert true <= float(found.high) + 1e-12


def test_a_mixture_is_bounded_by_its_parts_and_has_no_lower_bound() -> None:
    one = {0: laplace(0, 1)}
    parts = [({0: laplace(1, 1)}, Fraction(1, 2)), (one, Fraction(1, 2))]
    forth, back = mixed(parts, one, Fraction(1, 2))
    assert forth == back == DeltaBounds(Fraction(0), Fraction(1, 2))
    assert mixed([(one, ONE)], one, ONE) == (DeltaBounds(Fraction(0), Fraction(0)),) * 2


def test_caught_noise_that_depends_on_the_data() -> None:
    with pytest.raises(ValueError, match="depends on the data"):
        moved({0: laplace(1, 1)}, {0: laplace(1, 2)})


@pytest.mark.parametrize("square", [Fraction(2), Fraction(1, 7), Fraction(25)])
def test_a_root_is_between_its_bounds(square: Fraction) -> None:
    low, high = root(square, up=False), root(square, up=True)
    assert low * low <= square < high * high
    assert high - low == Fraction(1, 2**128)


def test_a_table_is_put_between_its_marks_and_nowhere_else() -> None:
    page = "a\n<!-- x: begin -->\n\nold\n\n<!-- x: end -->\nb"
    assert put(page, "x", r"| \1 |") == "a\n<!-- x: begin -->\n\n| \\1 |\n\n<!-- x: end -->\nb"
    with pytest.raises(ValueError, match="0 places"):
        put(page, "y", "")
