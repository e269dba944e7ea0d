"""Balls and debiasing: certified bounds against a second library and second forms, and what bad input raises."""

from fractions import Fraction

import mpmath
import pytest

from dpcert import Epsilon, InputError
from dpcert.mechanisms.adapters.balls import enclose, pi
from dpcert.mechanisms.user_level import debiasing

ZERO, FIVE = Fraction(0), Fraction(5)


def test_twin_of_exponentials_the_bounds_of_the_trusted_base() -> None:
    for power in (Fraction(1, 3), Fraction(2), Fraction(17, 5)):
        lo, hi = enclose(lambda x: x.exp(), power)
        low, high = Epsilon.of(power).exp_bounds(120)
        assert lo <= high
        assert low <= hi
        assert 0 < hi - lo < Fraction(1, 2**100)


@pytest.mark.parametrize("name", ["exp", "log", "sqrt", "erf", "atan"])
def test_twin_of_functions_another_library(name: str) -> None:
    with mpmath.workdps(60):
        for value in (Fraction(1, 7), Fraction(3, 2), Fraction(9)):
            lo, hi = enclose(lambda x: getattr(x, name)(), value)
            other = Fraction(str(getattr(mpmath, name)(mpmath.mpf(value.numerator) / value.denominator)))
            slack = Fraction(1, 10**35)
            assert lo - slack <= other <= hi + slack


def test_pi_is_enclosed() -> None:
    lo, hi = pi()
    assert lo < Fraction("3.14159265358979323846264338327950288420") < hi or hi - lo < Fraction(1, 10**35)
    assert Fraction(223, 71) < lo < hi < Fraction(22, 7)


def test_an_interval_gives_bounds_for_all_within() -> None:
    lo, hi = enclose(lambda x: x * x, (Fraction(1), Fraction(2)))
    assert lo <= 1
    assert hi >= 4
    low, high = enclose(lambda x: x + 1, (Fraction(1), Fraction(2)), bits=20)
    assert low <= 2 < 3 <= high


def test_a_number_that_is_exact_stays_exact() -> None:
    assert enclose(lambda x: x * 2, Fraction(3, 4)) == (Fraction(3, 2), Fraction(3, 2))
    assert enclose(lambda x: 5, 1) == (FIVE, FIVE)


def test_the_precision_of_the_library_is_left_as_it_was() -> None:
    coarse = enclose(lambda x: x.exp(), 1, bits=20)
    fine = enclose(lambda x: x.exp(), 1, bits=500)
    assert coarse[0] < fine[0] <= fine[1] < coarse[1]
    assert enclose(lambda x: x.exp(), 1, bits=20) == coarse


@pytest.mark.parametrize("bits", [0, 1, 10**6])
def test_refused_precision(bits: int) -> None:
    with pytest.raises(InputError, match="16384"):
        enclose(lambda x: x, 1, bits=bits)


def test_refused_bounds_that_are_not_finite() -> None:
    with pytest.raises(InputError, match="finite"):
        enclose(lambda x: 1 / x, (Fraction(-1), Fraction(1)))


def test_twin_of_the_clipped_mean_a_sum_over_many_counts() -> None:
    with mpmath.workdps(50):
        for rate, clip in ((Fraction(1, 2), 1), (Fraction(2), 3), (Fraction(7, 2), 8)):
            x = mpmath.mpf(rate.numerator) / rate.denominator
            masses = [mpmath.exp(-x) * x**k / mpmath.factorial(k) for k in range(120)]
            mean = sum(min(k, clip) * mass for k, mass in enumerate(masses))
            square = sum(min(k, clip) ** 2 * mass for k, mass in enumerate(masses))
            slope = sum(masses[:clip])
            for found, other in (
                (debiasing.clipped_mean(rate, clip), mean),
                (debiasing.clipped_variance(rate, clip), square - mean**2),
                (debiasing.clipped_slope(rate, clip), slope),
                (debiasing.poisson_mass(rate, clip), masses[clip]),
            ):
                assert found[0] - Fraction(1, 10**30) <= Fraction(str(other)) <= found[1] + Fraction(1, 10**30)
                assert 0 <= found[1] - found[0] < Fraction(1, 10**30)


def test_the_inverse_gives_back_the_rate() -> None:
    for rate, clip in ((Fraction(1, 2), 1), (Fraction(3), 2), (Fraction(10), 12)):
        mean = sum(debiasing.clipped_mean(rate, clip)) / 2
        lo, hi = debiasing.inverse(mean, clip, cap=Fraction(20))
        assert abs(lo - rate) < Fraction(1, 2**50)
        assert 0 < hi - lo <= Fraction(1, 2**64)


def test_noise_beyond_what_can_be_is_clamped() -> None:
    assert debiasing.debiased(-7, users=3, clip=2, cap=Fraction(5)) == (ZERO, ZERO)
    assert debiasing.debiased(0, users=3, clip=2, cap=Fraction(5)) == (ZERO, ZERO)
    assert debiasing.debiased(6, users=3, clip=2, cap=Fraction(5)) == (FIVE, FIVE)
    assert debiasing.debiased(10**9, users=3, clip=2, cap=Fraction(5)) == (FIVE, FIVE)


def test_debiasing_raises_a_mean_and_more_for_a_smaller_clip() -> None:
    means = [debiasing.debiased(3, users=5, clip=clip, cap=Fraction(5))[0] for clip in (4, 2, 1)]
    assert Fraction(3, 5) < means[0] < means[1] < means[2]


def test_a_vector_keeps_its_proportions() -> None:
    one, two, none = debiasing.debiased_vector([2, 4, -1], users=4, clip=2, cap=Fraction(9))
    assert two == (2 * one[0], 2 * one[1])
    assert none == (ZERO, ZERO)
    assert one[0] + two[0] == debiasing.debiased(6, users=4, clip=2, cap=Fraction(9))[0]
    assert debiasing.debiased_vector([0, -3], users=4, clip=2, cap=Fraction(9)) == ((ZERO, ZERO), (ZERO, ZERO))


@pytest.mark.parametrize(("clip", "cap"), [(0, 1), (-1, 1), (1, 0), (1, -1)])
def test_refused_clips_and_caps(clip: int, cap: int) -> None:
    with pytest.raises(InputError):
        debiasing.inverse(Fraction(1, 2), clip, cap=Fraction(cap))


def test_refused_no_users() -> None:
    with pytest.raises(InputError, match="at least one"):
        debiasing.debiased(1, users=0, clip=1, cap=Fraction(1))


@pytest.mark.parametrize("rate", [Fraction(1, 2), Fraction(7, 2)])
def test_coarse_bounds_hold_fine_ones_on_both_sides(rate: Fraction) -> None:
    for function in (
        debiasing.poisson_mass,
        debiasing.clipped_mean,
        debiasing.clipped_slope,
        debiasing.clipped_variance,
    ):
        coarse, fine = (function(rate, 2, bits=bits) for bits in (12, 200))
        assert coarse[0] < fine[0] < fine[1] < coarse[1]


def test_a_mean_between_coarse_bounds_is_compared_by_finer_ones() -> None:
    """The lower bound of psi_C(cap) is below psi_C(cap), so that its rate is below the cap."""
    cap = Fraction(7, 2)
    mean = debiasing.clipped_mean(cap, 2)[0]
    low, high = debiasing.inverse(mean, 2, cap=cap)
    assert low < high <= cap
