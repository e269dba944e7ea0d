"""Mixing and the histograms of two papers at their defaults: verified, and sampled as audited."""

from typing import Any

import pytest

from dpcert import Verified, seeded_coins
from dpcert.mechanisms.finite_computers.basic_histogram import BASIC_HISTOGRAM, basic_histogram
from dpcert.mechanisms.finite_computers.mixing import MIXING
from dpcert.mechanisms.finite_computers.stability_histogram import STABILITY_HISTOGRAM, stability_histogram
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import THRESHOLD_HISTOGRAM
from dpcert.reading.paths.enumerator import enumerate_law

from .histograms import built


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("mechanism", "neighbours", "inputs", "pairs"),
    [
        (MIXING, "counts_differ_by_one", 9, 16),
        (BASIC_HISTOGRAM, "substitute", 27, 162),
        pytest.param(STABILITY_HISTOGRAM, "substitute", 81, 648, marks=pytest.mark.nightly),
        (THRESHOLD_HISTOGRAM, "add-remove", 31, 128),
    ],
)
def test_verified_at_the_defaults_over_the_whole_scope(
    audit: Any, mechanism: Mechanism, neighbours: str, inputs: int, pairs: int
) -> None:
    instance = built(mechanism, {})
    assert (instance.neighbours, len(instance.inputs)) == (neighbours, inputs)
    report = audit(mechanism, {})
    assert isinstance(report.verdict, Verified)
    assert report.pairs == pairs
    assert report.tail == 0
    assert report.unreached is None


@pytest.mark.parametrize("mechanism", [MIXING, BASIC_HISTOGRAM, STABILITY_HISTOGRAM, THRESHOLD_HISTOGRAM])
def test_they_sample_as_they_are_audited(mechanism: Mechanism) -> None:
    instance = built(mechanism, {})
    value = instance.inputs[-1]
    law = enumerate_law(instance.program, value).law
    drawn = [instance.program(value, seeded_coins(seed)) for seed in range(100)]
    assert set(drawn) <= set(law.outcomes())
    assert len(set(drawn)) > 1


def test_labels_of_a_histogram_are_in_order_whoever_comes_first() -> None:
    basic = basic_histogram(universe=3, sampler=lambda count, coins: count)
    stable = stability_histogram(threshold=0, sampler=lambda count, coins: count)
    coins = seeded_coins(1)
    assert basic([2, 0, 2], coins) == ((0, 1), (1, 0), (2, 2))
    assert stable([2, 0, 2], coins) == ((0, 1), (2, 2))
