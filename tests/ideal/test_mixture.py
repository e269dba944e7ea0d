"""Releases at a delta: against closed forms, against a sum over whole numbers, and forms of outcomes kept apart."""

import math
from fractions import Fraction

import pytest

from dpcert import Epsilon, Unauditable
from dpcert.audit.ideal.decide import rounded
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.mixture import Divergence, mixtures_of

from .claims import decided


def divergence(program, a, b, epsilon):
    units, (first, other) = mixtures_of(laws_of(program, [a, b]))
    low, high = Divergence(units, Fraction(1), Epsilon.of(epsilon)).of(first, other)
    assert 0 <= low <= high
    assert high - low < Fraction(1, 10**15)
    return float(low)


def count(scale):
    return lambda x, rng: x + rng.laplace(scale=scale)


@pytest.mark.parametrize(("scale", "epsilon"), [(1, "1/2"), (2, "1/4"), (2, 0), (1, "99/100")])
def test_a_laplace_release_has_the_known_delta(scale, epsilon):
    """The least delta of Laplace noise at epsilon is 1 - e^((epsilon - 1/scale)/2)."""
    expected = 1 - math.exp((float(Fraction(epsilon)) - 1 / scale) / 2)
    assert divergence(count(scale), 0, 1, epsilon) == pytest.approx(expected, abs=1e-12)
    assert divergence(count(scale), 1, 0, epsilon) == pytest.approx(expected, abs=1e-12)


def test_at_its_epsilon_a_laplace_release_needs_no_delta():
    units, (first, other) = mixtures_of(laws_of(count(1), [0, 1]))
    low, high = Divergence(units, Fraction(1), Epsilon.of(1)).of(first, other)
    assert low == 0
    assert high < Fraction(1, 10**25)


def test_uniform_noise_needs_what_does_not_overlap():
    assert divergence(lambda x, rng: x + rng.uniform(-10, 10), 0, 1, 3) == pytest.approx(1 / 20)
    assert divergence(lambda x, rng: x - 4 * rng.exponential(), 1, 0, "1/8") == pytest.approx(1 - math.exp(-1 / 4))


def above(threshold):
    def program(x, rng):
        if x == 0:
            return None
        noisy = x + rng.laplace()
        return noisy if noisy > threshold else None

    return program


def test_a_stability_threshold_needs_what_may_appear():
    assert divergence(above(5), 1, 0, 1) == pytest.approx(math.exp(-4) / 2)
    assert divergence(above(5), 0, 1, 1) == 0
    found = decided(above(5), range(3), 1, "1/100", neighbours="counts_differ_by_one")
    assert (found.verdict, found.method) == ("verified", "densities")
    found = decided(above(5), range(3), 1, "1/1000", neighbours="counts_differ_by_one")
    assert (found.verdict, found.worst.a, found.worst.b) == ("refuted", 1, 0)
    assert found.worst.q[1] == 0 < Fraction(1, 1000) < found.worst.p[0]


def test_a_released_number_under_a_noisy_threshold():
    def program(x, rng):
        threshold = rng.laplace(scale=2)
        noisy = x + rng.laplace(scale=2)
        return noisy if noisy > threshold else None

    exact = divergence(program, 0, 1, "1/4")
    released, step, kept = 0.0, 1e-3, [0.0, 0.0]
    for place in range(int(60 / step)):
        y = -30 + (place + 0.5) * step
        below = 1 - math.exp(-y / 2) / 2 if y > 0 else math.exp(y / 2) / 2
        p, q = (math.exp(-abs(y - x) / 2) / 4 * below for x in (0, 1))
        released += max(0, p - math.exp(0.25) * q) * step
        kept = [kept[0] + p * step, kept[1] + q * step]
    released += max(0, 1 - kept[0] - math.exp(0.25) * (1 - kept[1]))
    assert exact == pytest.approx(released, abs=1e-5)


def test_forms_of_outcomes_are_kept_apart():
    """A number before a None is another outcome than one behind it."""

    def program(x, rng):
        noisy = rng.laplace()
        return (None, noisy) if x else (noisy, None)

    assert divergence(program, 0, 1, 5) == pytest.approx(1)


def test_mirrored_and_scaled_numbers_are_the_same_release():
    assert divergence(lambda x, rng: [3 - 2 * (x + rng.laplace())], 0, 1, "1/2") == pytest.approx(1 - math.exp(-1 / 4))


def test_refused_several_variables_in_what_is_released():
    with pytest.raises(Unauditable, match="must be one noise variable"):
        mixtures_of(laws_of(lambda x, rng: rng.laplace() + rng.laplace(), [0]))


@pytest.mark.points(1)
@pytest.mark.parametrize(("noise", "scale"), [("logistic", 1), ("laplace", 2), ("normal", 3)])
def test_a_rounded_release_equals_a_sum_over_whole_numbers(noise, scale):
    below = {
        "laplace": lambda x: math.exp(x) / 2 if x < 0 else 1 - math.exp(-x) / 2,
        "normal": lambda x: math.erfc(-x / math.sqrt(2)) / 2,
        "logistic": lambda x: 1 / (1 + math.exp(-x)),
    }[noise]

    def chance(k):
        return below((k + 0.5) / scale) - below((k - 0.5) / scale)

    expected = sum(max(0, chance(k) - math.exp(0.25) * chance(k - 1)) for k in range(-60, 60))
    for program in (
        lambda x, rng: round(x + getattr(rng, noise)(scale=scale)),
        lambda x, rng: x + round(getattr(rng, noise)(scale=scale)),
    ):
        found = decided(
            program, range(2), "1/4", rounded(Fraction(expected) * 2, up=True), neighbours="counts_differ_by_one"
        )
        assert found.verdict == "verified"
        assert float(found.delta[0]) == pytest.approx(expected, abs=1e-9)
        assert float(found.delta[1]) == pytest.approx(expected, abs=1e-9)
        assert (
            decided(program, range(2), "1/4", Fraction(expected) / 2, neighbours="counts_differ_by_one").verdict
            == "refuted"
        )


def test_whole_noise_beside_an_integer_is_no_false_alarm():
    def program(x, rng):
        return x + round(rng.laplace())

    found = decided(program, range(3), 1, neighbours="counts_differ_by_one")
    assert (found.verdict, found.epsilon) == ("verified", (Epsilon.of(1), Epsilon.of(1)))
    assert found.notes == ("alignments give the bound 1 for all integer inputs that differ so",)
    assert decided(program, range(3), "9/10", neighbours="counts_differ_by_one").verdict == "refuted"
    halves = decided(program, [Fraction(0), Fraction(1, 2)], 9, neighbours="any")
    assert halves.verdict == "refuted"
