"""What was found in PyDP 1.1.5."""

from fractions import Fraction

import pytest
from pydp.algorithms.partition_selection import create_partition_strategy
from pydp.ml.mechanisms.geometric import Geometric

import dpcert
from dpcert.libraries import pydp as adapter


def test_truncated_geometric_misses_delta_by_rounding() -> None:
    report = dpcert.audit(
        adapter.kept(create_partition_strategy("truncated_geometric", 1.0, 1e-5, 1), counts=range(40))
    ).seen
    assert isinstance(report.verdict, dpcert.Refuted)
    assert 0 < report.delta_lo / Fraction(1e-5) - 1 < Fraction(1, 10**10)


def test_truncated_geometric_misses_a_small_delta_by_most_of_it() -> None:
    made = create_partition_strategy("truncated_geometric", 10.0, 1e-12, 1)
    report = dpcert.audit(adapter.kept(made, counts=range(20))).seen
    assert isinstance(report.verdict, dpcert.Refuted)
    assert report.delta_lo / Fraction(1e-12) > Fraction(18, 10)


def test_truncated_geometric_keeps_always_from_two_users_on_at_epsilon_50() -> None:
    made = create_partition_strategy("truncated_geometric", 50.0, 1e-5, 1)
    report = dpcert.audit(adapter.kept(made, counts=range(5))).seen
    assert isinstance(report.verdict, dpcert.Refuted)
    assert report.delta_lo > Fraction(99, 100)


@pytest.mark.parametrize("name", ["laplace", "gaussian"])
def test_thresholds_are_verified_at_epsilon_1_and_delta_1e_5(name: str) -> None:
    target = adapter.kept(create_partition_strategy(name, 1.0, 1e-5, 1), counts=range(61))
    assert dpcert.audit(target).verdict == "verified"


def test_the_geometric_mechanism_of_the_ml_package_adds_one_sided_noise() -> None:
    mechanism = Geometric().set_epsilon(1.0).set_sensitivity(1).set_probability(0.5)
    found = dpcert.audit(adapter.randomised(mechanism, epsilon="1", inputs=[10, 11]), method="samples").seen
    assert found.refuted
    assert min(mechanism.randomise(10) for _ in range(1000)) == 10
