"""The small experiments draw what they say: exact twins of their noise, their samples, and their estimates."""

import math
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from dpcert.proofs.sample_and_threshold.checks import experiments
from dpcert.proofs.sample_and_threshold.checks.experiments import DELTA, bucket, least_noise, masses, measured
from dpcert.proofs.sample_and_threshold.checks.sampling import binomial

from .faults import Given


def shift_delta(n: int, q: Fraction, ratio: Fraction) -> Fraction:
    """Return, exactly, the delta between Bin(n, q) and one more than it."""
    mass = [Fraction(0), *(binomial(n, q, v, v) for v in range(n + 1)), Fraction(0)]
    pairs = list(pairwise(mass))
    return max(
        sum(max(Fraction(0), b - ratio * a) for a, b in pairs), sum(max(Fraction(0), a - ratio * b) for a, b in pairs)
    )


@pytest.mark.parametrize(("clients", "epsilon"), [(120, 1.0), (200, 1.5)])
def test_exact_twin_of_the_least_noise(clients: int, epsilon: float) -> None:
    ratio, least = Fraction(math.exp(epsilon)), Fraction(least_noise(clients=clients, epsilon=epsilon))
    assert 0 < least < Fraction(1, 2)
    assert shift_delta(clients, least * Fraction(100_001, 100_000), ratio) <= DELTA
    assert shift_delta(clients, least * Fraction(99_999, 100_000), ratio) > DELTA


def test_no_noise_is_enough_for_few_clients() -> None:
    assert least_noise(clients=10, epsilon=0.1) == 0.5
    assert shift_delta(10, Fraction(1, 2), Fraction(math.exp(0.1))) > DELTA


@pytest.mark.parametrize(("n", "p"), [(1, 0.25), (7, 0.5), (30, 0.1), (30, 0.9)])
def test_exact_twin_of_binomial_draws(n: int, p: float) -> None:
    grid = 4000
    drawn = [experiments._binomial(Given((j + 0.5) / grid), n, p) for j in range(grid)]
    for v in range(n + 1):
        assert abs(drawn.count(v) / grid - binomial(n, Fraction(p), v, v)) <= Fraction(1, grid)


def test_geometric_draws_by_inversion() -> None:
    for k in range(1, 6):
        edge = -math.expm1(-0.7 * k)
        assert experiments._geometric(Given(edge - 1e-9), 0.7) == k - 1
        assert experiments._geometric(Given(edge + 1e-9), 0.7) == k


def test_the_local_estimate_has_the_count_as_its_mean() -> None:
    rng, count, clients = Random(5), 300, 1000
    found = [experiments._local(rng, count, clients, 1.0) for _ in range(2000)]
    spread = math.sqrt(clients) / math.tanh(0.5) / math.sqrt(len(found))
    assert abs(sum(found) / len(found) - count) < 5 * spread


def test_buckets_are_those_of_every_machine() -> None:
    """The SHA-256 of `the` begins with b9776d7ddf459c9a, as `sha256sum` says."""
    assert bucket("the", 2**14) == 0xB9776D7DDF459C9A % 2**14
    assert bucket("the", 1000) == 0xB9776D7DDF459C9A % 1000


@pytest.mark.parametrize("name", experiments.DATA)
def test_populations_have_a_million_clients(name: str) -> None:
    counts = masses(name, 256)
    assert len(counts) == 256
    assert abs(sum(counts) - experiments.CLIENTS) <= 128


def test_the_same_arguments_measure_the_same() -> None:
    assert measured.__wrapped__("Geometric", 256, 0.1) == measured("Geometric", 256, 0.1)


def test_caught_a_threshold_that_nothing_reaches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "THRESHOLD", 10**9)
    nothing_shown = measured.__wrapped__("Geometric", 256, 0.1)
    assert nothing_shown.recall["threshold"] == 0
    assert nothing_shown.error["threshold"] == pytest.approx(experiments.CLIENTS / 256, rel=1e-3)
