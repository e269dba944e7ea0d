"""Laplace noise made by hand, by the logarithm of uniform noise or a random sign: what it is, and what is refused."""

import math
from fractions import Fraction
from math import log

import numpy as np
import pytest

from dpcert import Epsilon, Unauditable
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.folding import folded
from dpcert.mechanisms.ideal.noise import HALF, Law
from dpcert.mechanisms.ideal.path import Derived, split

from .claims import decided

COUNTS = range(4)


def inverse(count, rng):
    u = rng.uniform(-0.5, 0.5)
    return count - np.sign(u) * np.log(1 - 2 * abs(u))


def inverse_by_cases(count, rng):
    u = rng.random() - 0.5
    return count + (log(1 + 2 * u) if u < 0 else -log(1 - 2 * u))


def inverse_of_an_array(count, rng):
    u = rng.uniform(-0.5, 0.5, size=1)
    return (count - np.sign(u) * np.log(1 - 2 * np.abs(u)))[0]


def inverse_by_log1p(count, rng):
    u = rng.uniform(-0.5, 0.5)
    return count - np.sign(u) * np.log1p(-2 * abs(u))


def difference(count, rng):
    return count - math.log(rng.random()) + np.log(1 - rng.random())


@pytest.mark.parametrize("program", [inverse, inverse_by_cases, inverse_of_an_array, inverse_by_log1p, difference])
def test_laplace_noise_by_hand_needs_its_epsilon(program):
    found = decided(program, COUNTS, 1, neighbours="counts_differ_by_one")
    assert (found.verdict, found.epsilon) == ("verified", (Epsilon.of(1), Epsilon.of(1)))
    assert decided(program, COUNTS, "99/100", neighbours="counts_differ_by_one").verdict != "verified"


def test_the_inverse_of_laplace_noise_is_one_laplace_variable():
    paths = laws_of(inverse, [0])[0]
    assert {path.laws for path in paths} == {(Law("uniform"), Law("laplace"))}
    assert {path.derived for path in paths} == {(Derived(0, 1),)}
    assert len({path.outcome for path in paths}) == 1
    assert sorted(path.inequalities[0].above for path in paths) == [False, True]


@pytest.mark.parametrize(
    ("program", "least"),
    [
        (lambda count, rng: count - np.log(rng.random()) > 2, None),
        (lambda count, rng: count - math.log(rng.random()) + math.log(rng.random()) > 2, Epsilon.of(1)),
    ],
)
def test_comparisons_of_exponential_noise_by_hand(program, least):
    found = decided(lambda count, rng: bool(program(count, rng)), COUNTS, 1, neighbours="counts_differ_by_one")
    assert found.epsilon[1] == least
    assert found.verdict == ("refuted" if least is None else "verified")


def test_caught_one_sided_noise():
    found = decided(lambda count, rng: count - np.log(1 - rng.random()), COUNTS, 9, neighbours="counts_differ_by_one")
    assert (found.verdict, found.epsilon[1]) == ("refuted", None)


def sign_chosen(count, rng):
    return count + rng.choice([-1, 1]) * rng.exponential()


def sign_compared(count, rng):
    sign = 1 if rng.random() < 0.5 else -1
    return count - sign * math.log(rng.random())


def signs_of_two(count, rng):
    return [count + rng.choice([-1, 1]) * rng.exponential(2) for _ in range(2)]


@pytest.mark.parametrize("program", [sign_chosen, sign_compared, signs_of_two])
def test_exponential_noise_with_a_random_sign_is_laplace_noise(program):
    found = decided(program, COUNTS, 1, neighbours="counts_differ_by_one")
    assert (found.verdict, found.epsilon) == ("verified", (Epsilon.of(1), Epsilon.of(1)))


def sign_is_not_fair(count, rng):
    return count + rng.choice([-1, 1], p=[0.25, 0.75]) * rng.exponential()


def sign_is_released(count, rng):
    sign = int(rng.choice([-1, 1]))
    return sign, count + sign * rng.exponential()


def rate_of_the_sign(count, rng):
    return count + (rng.exponential() if rng.random() < 0.5 else -rng.exponential(0.5))


def sign_of_less_than_half(count, rng):
    return count + (1 if rng.random() < 0.25 else -1) * rng.exponential()


@pytest.mark.parametrize("program", [sign_is_not_fair, sign_is_released, rate_of_the_sign, sign_of_less_than_half])
def test_caught_signs_that_make_no_laplace_noise(program):
    paths = laws_of(program, [0])[0]
    assert len(folded(paths)) == len(paths) == 2
    assert decided(program, COUNTS, 1, neighbours="counts_differ_by_one").verdict == "refuted"


def test_the_same_logarithm_twice_is_one_number():
    (path,) = laws_of(lambda count, rng: np.log(u := rng.random()) - np.log(u), [0])[0]
    assert path.outcome == 0


def tells_of_the_uniform(count, rng):
    u = rng.random()
    return count - np.log(u), bool(u < 0.5)


def releases_both(count, rng):
    u = rng.random()
    return count - np.log(u), u


def of_what_was_compared(count, rng):
    u = rng.random()
    return count if u < 0.25 else count - np.log(u)


def of_two_compared(count, rng):
    u, v = rng.random(2)
    return count - np.log(u) if u < v else count


def two_logarithms(count, rng):
    u = rng.random()
    return count - np.log(u) + np.log(1 - u)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (tells_of_the_uniform, "a uniform number beside its own logarithm"),
        (releases_both, "a uniform number beside its own logarithm"),
        (of_what_was_compared, "not uniform between 0 and 1"),
        (of_two_compared, "not uniform between 0 and 1"),
        (two_logarithms, "not uniform between 0 and 1"),
        (lambda count, rng: np.log(rng.laplace()), "gives NaN or an infinite number"),
        (lambda count, rng: np.log(rng.random() + rng.random()), "not uniform between 0 and 1"),
        (lambda count, rng: np.log(3 * rng.random()), "not uniform between 0 and 1"),
        (lambda count, rng: math.log(rng.random(), 2), "needed as a plain number"),
    ],
)
def test_caught_logarithms_that_are_no_noise(program, words):
    with pytest.raises(Unauditable, match=words):
        laws_of(program, [0])


def test_laplace_noise_beside_paths_that_take_no_logarithm_makes_no_region():
    """Below 1/2 the outcome is noise, above it a number: these must stay two regions."""

    def program(count, rng):
        u = rng.random()
        return count + math.log(2 * u) if u < 0.5 else -7

    assert decided(program, COUNTS, 1, neighbours="counts_differ_by_one").verdict == "refuted"
    assert (
        decided(lambda count, rng: program(0, rng), COUNTS, 1, neighbours="counts_differ_by_one").verdict == "verified"
    )


@pytest.mark.parametrize("value", [-3.0, -0.1, 0.2, 4.0])
def test_a_uniform_number_at_a_value_of_its_logarithm(value):
    u = Derived(0, 1).uniform_at(value)
    assert math.isclose(math.log(2 * u) if value < 0 else -math.log(2 - 2 * u), value)
    if value > 0:
        assert math.isclose(-math.log(1 - Derived(0, 1, -1, 1).uniform_at(value)), value)


@pytest.mark.parametrize(
    ("low", "high", "factor", "offset", "kind"),
    [
        (0, 1, 1, 0, "exponential"),
        (0, 1, -1, 1, "exponential"),
        (0, HALF, 2, 0, "laplace"),
        (HALF, 1, -2, 2, "laplace"),
        (0, HALF, -2, 1, "exponential"),
        (Fraction(1, 4), 1, Fraction(4, 3), Fraction(-1, 3), "exponential"),
        (0, 1, 2, 0, None),
        (0, 1, 1, Fraction(1, 2), None),
        (0, 1, 2, -1, None),
    ],
)
def test_a_logarithm_is_noise_where_its_number_is_uniform(low, high, factor, offset, kind):
    found = split(low, high, factor, offset)
    assert (None if found is None else found[0].kind) == kind


def test_logarithms_of_numbers_stay_as_they_are():
    (path,) = laws_of(lambda count, rng: (math.log(8, 2), math.log(3), float(np.log(2.0))), [0])[0]
    assert path.outcome == (math.log(8, 2), math.log(3), math.log(2))
    assert math.log is log
