"""Verdicts on ideal noise at one epsilon: least epsilon and delta in closed form, and wrong programs refuted."""

from fractions import Fraction
from math import exp, log

import numpy as np
import pytest

from dpcert.mechanisms.exact.epsilon import Epsilon

from .claims import decided, vectors
from .programs import noisy_max, sparse_vector, threshold, without_query_noise


def bounds(report):
    low, high = report.epsilon
    return float(low.exp_bounds(64)[0]), float(high.exp_bounds(64)[1])


def test_a_threshold_of_laplace_noise_needs_exactly_its_epsilon():
    found = decided(threshold, range(-2, 4), 1, neighbours="counts_differ_by_one")
    assert found.verdict == "verified"
    assert found.epsilon == (Epsilon.of(1), Epsilon.of(1))
    assert found.delta == (0, 0)


def test_a_claim_below_the_least_epsilon_is_refuted():
    found = decided(threshold, range(-2, 4), "999999/1000000", neighbours="counts_differ_by_one")
    assert found.verdict == "refuted"
    assert found.worst.p[0] > Epsilon.of("999999/1000000").exp_bounds(128)[1] * found.worst.q[1]


def test_the_least_delta_of_a_threshold_is():
    """On 1 and 0 the event has the probabilities 1/2 and e^-1/2."""
    found = decided(threshold, [0, 1], "1/2", "1/10", neighbours="counts_differ_by_one")
    expected = 0.5 - exp(0.5) * exp(-1) / 2
    assert found.verdict == "refuted"
    assert float(found.delta[0]) == pytest.approx(expected, abs=1e-12)
    assert (
        decided(threshold, [0, 1], "1/2", Fraction(found.delta[1]), neighbours="counts_differ_by_one").verdict
        == "verified"
    )


def test_the_least_epsilon_at_a_delta_is():
    found = decided(threshold, [0, 1], 1, "1/10", neighbours="counts_differ_by_one")
    low, high = bounds(found)
    assert low <= (0.5 - 0.1) / (exp(-1) / 2) <= high
    assert high - low < 1e-9


def test_the_least_epsilon_of_a_noisy_maximum_is_a_rational_function():
    """Of two counts with Laplace noise of scale 2: e^(1/2) (1 + ...)/2, from the law of a difference."""
    found = decided(noisy_max, vectors(2), 1)
    low, high = bounds(found)

    def wins(gap):
        return 1 - exp(-gap / 2) * (2 + gap / 2) / 4 if gap >= 0 else exp(gap / 2) * (2 - gap / 2) / 4

    ratios = [wins(gap) / wins(other) for gap in range(-2, 3) for other in range(-2, 3) if abs(gap - other) <= 2]
    assert low <= max(ratios) * (1 + 1e-12)
    assert high >= max(ratios) * (1 - 1e-12)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_sparse_vector_is_private(n):
    assert decided(sparse_vector, vectors(n), 1).verdict == "verified"


def test_caught_a_sparse_vector_without_noise_on_queries():
    found = decided(without_query_noise, vectors(2), 1)
    assert found.verdict == "refuted"
    assert found.worst.q == (0, 0)
    assert found.epsilon[1] is None


def test_caught_a_sparse_vector_that_does_not_stop():
    assert decided(lambda q, rng: sparse_vector(q, rng, stop=3), vectors(3), 1).verdict == "verified"

    def goes_on(queries, rng):
        rho = rng.laplace(0, 2)
        return [query + rng.laplace(0, 2) >= rho for query in queries]

    assert decided(goes_on, vectors(3), "1/2").verdict == "refuted"


def test_caught_half_of_the_noise():
    def half(count, rng):
        return bool(count + rng.laplace(0, 0.5) > 1)

    found = decided(half, range(3), 1, neighbours="counts_differ_by_one")
    assert found.verdict == "refuted"
    assert found.epsilon == (Epsilon.of(2), Epsilon.of(2))


def test_caught_a_scale_that_is_a_double():
    """math.log(3) is a double below ln 3 by 1e-17 or so: its own epsilon is met exactly, ln(3) is not."""
    scale = 1 / log(3)

    def program(count, rng):
        return bool(count + rng.laplace(0, scale) > 1)

    exact = 1 / Fraction(scale)
    assert decided(program, range(3), exact, neighbours="counts_differ_by_one").verdict == "verified"
    found = decided(program, range(3), exact - Fraction(1, 10**30), neighbours="counts_differ_by_one")
    assert found.verdict == "refuted"


def test_randomized_response_with_uniform_draws():
    def program(bit, rng):
        return bit if rng.random() < Fraction(3, 4) else 1 - bit

    assert decided(program, [0, 1], "ln(3)", neighbours="counts_differ_by_one").epsilon == (
        Epsilon.ln(3),
        Epsilon.ln(3),
    )
    assert decided(program, [0, 1], "ln(2)", neighbours="counts_differ_by_one").verdict == "refuted"


def test_an_exception_is_an_outcome():
    def program(count, rng):
        if count + rng.laplace(0, 1) > 1:
            raise ValueError("too many")
        return 0

    assert decided(program, range(3), 1, neighbours="counts_differ_by_one").epsilon[1] == Epsilon.of(1)
    assert decided(program, range(3), "1/2", neighbours="counts_differ_by_one").verdict == "refuted"


def test_caught_a_scale_of_zero_on_one_input():
    def program(count, rng):
        return bool(rng.laplace(0, count - 1) > 0)

    assert decided(program, range(3), 1, neighbours="counts_differ_by_one").verdict == "refuted"


def test_a_program_that_only_raises_is_undecided():
    def program(count, rng):
        raise ValueError(rng.standard_normal() > 0 and 0)

    found = decided(program, range(3), 1, neighbours="counts_differ_by_one")
    assert found.verdict == "undecided"
    assert "never returns an outcome" in found.reason


def test_no_neighbours_are_undecided():
    assert decided(threshold, [0], 1, neighbours="counts_differ_by_one").verdict == "undecided"


def test_a_mixture_of_atoms_and_clipped_noise():
    def program(count, rng):
        noisy = np.clip(np.array([count]) + rng.laplace(0, 1, size=1), 0, 0)
        return bool(noisy[0] == 0)

    found = decided(program, range(3), 0, neighbours="counts_differ_by_one")
    assert found.verdict == "verified"


def test_outcomes_of_equal_probabilities_count_as_often_as_they_are():
    """Against 1/8 each stand 1/16 once and 3/16 once on input 1, and each three times on input -1."""
    weights = {0: [2] * 8, 1: [1, *[2] * 6, 3], -1: [1, 1, 1, 2, 2, 3, 3, 3]}

    def program(which, rng):
        return int(rng.choice(8, p=[weight / 16 for weight in weights[which]]))

    assert decided(program, [0, 1], 0, "1/16", neighbours="counts_differ_by_one").verdict == "verified"
    found = decided(program, [0, 1, -1], 0, "1/10", neighbours="counts_differ_by_one")
    assert (found.verdict, found.delta) == ("refuted", (Fraction(3, 16), Fraction(3, 16)))


def test_noise_that_cancels_leaves_no_trace_of_floats():
    def program(count, rng):
        noise = rng.laplace(size=3)
        rest = noise[0] + noise[1] + noise[2] - noise[2] - noise[1] - noise[0]
        return (rest, bool(rng.laplace() > 1))

    found = decided(program, range(3), 0, neighbours="counts_differ_by_one")
    assert found.verdict == "verified"
    assert found.outcomes == 2
