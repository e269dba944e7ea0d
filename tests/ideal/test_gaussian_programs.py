"""Programs that release Gaussian noise at a delta: against formulas, wrong ones caught, others undecided by name."""

import math
from fractions import Fraction

import mpmath
import pytest

from dpcert.mechanisms.exact.epsilon import Epsilon

from .claims import decided
from .gaussians import fraction, number, sampled_delta

FOUR = [1, -1, -1, 1]
STEPS = [FOUR, FOUR[:-1]]
ACCOUNTED = sampled_delta("1/8", 2, "1/10", removed=True)
"""Of four rows that all weigh, less than that of the one that the accountant thinks of, whose other rows are zeros."""


def step(rows, rng, *, rate=0.125, deviation=2, bound=1, more=0):
    total = 0
    for row in rows:
        if rng.random() < rate:
            total += max(-bound, min(bound, row)) + more
    return total + rng.normal(0, deviation)


def near_zeros(**edited):
    """Return the verdict at the accountant's delta to ten digits, on one row beside two zeros."""
    rows = [[0, 0, 1], [0, 0]]
    delta = Fraction(f"{mpmath.nstr(ACCOUNTED, 10)}") + Fraction(1, 10**12)

    def program(data, rng):
        return step(data, rng, **edited)

    return decided(program, rows, "1/10", delta, neighbours="add-remove")


def test_a_step_meets_its_accountants_delta_to_ten_digits():
    report = near_zeros()
    assert report.verdict == "verified"
    assert float(report.delta[0]) == pytest.approx(float(ACCOUNTED), rel=1e-12)
    assert report.method == "normal release"


@pytest.mark.parametrize(
    "edited", [{"rate": 0.12500001}, {"bound": 2, "more": 1}, {"more": 1e-6}, {"deviation": 1.9999999}]
)
def test_caught_a_step_that_is_wrong(edited):
    assert near_zeros(**edited).verdict == "refuted"


def test_caught_a_delta_of_one_digit_less():
    found = decided(step, [[1], []], "1/10", "0.0076", neighbours="add-remove")
    exact = fraction(ACCOUNTED)
    assert found.delta[0] < exact < found.delta[1]
    for digits in (6, 12, 16):
        unit = Fraction(1, 10**digits)
        up = (exact // unit + 1) * unit
        assert decided(step, [[1], []], "1/10", up, neighbours="add-remove").verdict == "verified"
        assert decided(step, [[1], []], "1/10", up - unit, neighbours="add-remove").verdict == "refuted"


def test_a_refutation_has_an_event():
    found = decided(step, STEPS, "1/10", "1/1000", neighbours="add-remove")
    assert found.verdict == "refuted"
    ratio = Epsilon.of("1/10").exp_bounds(64)[1]
    assert found.worst.p[0] > ratio * found.worst.q[1] + Fraction(1, 1000)


def test_the_least_epsilon_is_bounded_from_both_sides():
    found = decided(step, STEPS, "1/10", "1/1000", neighbours="add-remove")
    low, high = found.epsilon
    assert 0 < high.rational - low.rational < Fraction(1, 10**8)
    for epsilon, verdict in ((low, "refuted"), (high, "verified")):
        again = decided(step, STEPS, epsilon.rational, "1/1000", neighbours="add-remove")
        assert again.verdict == verdict


def tagged(count, rng):
    """Say nothing of a count with the probability 1/2, and tell it exactly with 1/64."""
    u = rng.random()
    if u < 0.5:
        return None
    if u < 0.515625:
        return ("plain", count)
    return ("noisy", count + rng.normal(0, 2))


def test_tags_and_outcomes_without_noise_are_added():
    found = decided(tagged, [0, 1], "1/4", "1/2", neighbours="counts_differ_by_one")
    expected = mpmath.mpf(1) / 64 + mpmath.mpf(31) / 64 * sampled_delta(1, 2, "1/4", removed=True)
    assert [float(end) for end in found.delta] == pytest.approx([float(expected)] * 2, rel=1e-12)


def test_forms_of_several_variables_are_told_by_their_covariance():
    """Two numbers that share noise: their difference has the noise of one variable, their sum that of three."""

    def program(count, rng):
        shared, own, other = rng.normal(0, 3), rng.normal(), rng.normal(0, 2)
        return [count + shared + own, count + shared + other]

    found = decided(program, [0, 1], "1/4", "1/2", neighbours="counts_differ_by_one")
    a, b, c = Fraction(10), Fraction(9), Fraction(13)
    squared = (c - 2 * b + a) / (a * c - b * b)
    expected = sampled_delta(1, mpmath_root(1 / squared), "1/4", removed=True)
    assert [float(end) for end in found.delta] == pytest.approx([float(expected)] * 2, rel=1e-12)


def mpmath_root(x):
    with mpmath.workdps(60):
        return fraction(mpmath.sqrt(number(x)))


def compared(count, rng):
    noisy = count + rng.normal()
    return bool(noisy > 0), noisy


def sampled_by_noise(count, rng):
    return count + rng.normal() if rng.normal() > 0 else None


def test_a_weight_that_is_no_rational_number_is_the_float_that_it_is():
    def program(count, rng):
        return (count if rng.random() < 1 / (1 + math.exp(1)) else 0) + rng.normal()

    expected = sampled_delta(Fraction(1 / (1 + math.exp(1))), 1, "1/4", removed=True)
    assert [float(end) for end in counts(program).delta] == pytest.approx([float(expected)] * 2, rel=1e-12)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (compared, "released noise that is compared"),
        (lambda count, rng: count + rng.normal(0, 1 if rng.random() < 0.5 else 2), "released noise of two covariances"),
        (lambda count, rng: count + rng.normal() + rng.laplace(), "released noise that is not normal"),
        (sampled_by_noise, "a leaf whose probability is not integrated"),
    ],
)
def test_undecided_by_name_what_is_no_mixture_of_one_covariance(program, words):
    found = decided(program, [0, 1], "1/4", "1/3", neighbours="counts_differ_by_one")
    assert (found.verdict, found.reason.split(";")[0]) == ("undecided", words)


def counts(program, epsilon="1/4", delta="1/3"):
    return decided(program, [0, 1], epsilon, delta, neighbours="counts_differ_by_one")


def test_caught_a_leak_that_is_seldom():
    def program(count, rng):
        return ("leak", count) if rng.random() < 1e-13 else ("noise", rng.normal())

    assert counts(program, delta="1e-14").verdict == "refuted"
    assert counts(program, delta="2e-13").verdict == "verified"


def test_caught_noise_that_is_released_beside_a_number_with_it():
    def program(count, rng):
        noise = rng.normal()
        return count + noise, noise

    assert counts(program, delta="1/2").verdict == "refuted"


@pytest.mark.parametrize("told", [lambda count: True if count else 1, lambda count: float(count > 5) if count else 0])
def test_caught_a_type_that_tells(told):
    assert counts(lambda count, rng: (count + rng.normal(), told(count))).verdict == "refuted"


def test_tags_by_other_noise_are_weighed():
    """The release itself and the tag are independent, given the count."""

    def program(count, rng):
        return bool(count + rng.laplace() > 0), count + rng.normal(0, 3)

    p, q = [mpmath.mpf(1) / 2] * 2, [1 - mpmath.exp(-1) / 2, mpmath.exp(-1) / 2]
    with mpmath.workdps(30):
        ratio = mpmath.exp(mpmath.mpf(1) / 4)

        def part(first, other):
            """Return the integral of the positive part of first N(0 or 1) - ratio other N(1 or 0)."""
            cut = 9 * mpmath.log(ratio * other / first) + mpmath.mpf(1) / 2
            return first * mpmath.ncdf((1 - cut) / 3) - ratio * other * mpmath.ncdf(-cut / 3)

        both = [part(a, b) + part(c, d) for (a, c), (b, d) in ((q, p), (p, q))]
    found = counts(program)
    assert [float(end) for end in found.delta] == pytest.approx([float(max(both))] * 2, rel=1e-12)


@pytest.mark.parametrize(("distance", "epsilon", "delta"), [(10**6, 1, "999/1000"), (30, 300, "1/1000")])
def test_numbers_that_floats_do_not_hold_are_decided(distance, epsilon, delta):
    assert counts(lambda count, rng: count * distance + rng.normal(), epsilon, delta).verdict == "refuted"
