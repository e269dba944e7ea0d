"""Mixing and the histograms of two papers at their defaults: verified, sampled as audited, and refused parameters."""

from collections.abc import Callable

import pytest

from dpcert.audit.decide import Report
from dpcert.audit.kernel.examine import Verified
from dpcert.mechanisms.coins import seeded_coins
from dpcert.mechanisms.finite_computers.basic_histogram import BASIC_HISTOGRAM, basic_histogram
from dpcert.mechanisms.finite_computers.mixing import MIXING
from dpcert.mechanisms.finite_computers.stability_histogram import STABILITY_HISTOGRAM, stability_histogram
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import THRESHOLD_HISTOGRAM
from dpcert.reading.paths.enumerator import enumerate_law

from .histograms import built

# All of them


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
    audit: Callable[..., Report], mechanism: Mechanism, neighbours: str, inputs: int, pairs: int
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


@pytest.mark.parametrize(
    ("mechanism", "settings", "given"),
    [
        (MIXING, {"n": "0"}, "n=0"),
        (MIXING, {"n": "101"}, "n=101"),
        (MIXING, {"epsilon": "2/3"}, "2/3"),
        (MIXING, {"bits": "0"}, "bits=0"),
        (MIXING, {"bits": "5000"}, "bits=5000"),
        (MIXING, {"gamma": "1"}, "gamma=1"),
        (MIXING, {"gamma": "2/5"}, "2/5"),
        (MIXING, {"delta": "1"}, "delta=1"),
        (BASIC_HISTOGRAM, {"n": "0"}, "n=0"),
        (BASIC_HISTOGRAM, {"n": "3/2"}, "3/2"),
        (BASIC_HISTOGRAM, {"universe": "1"}, "universe=1"),
        (BASIC_HISTOGRAM, {"universe": "many"}, "many"),
        (BASIC_HISTOGRAM, {"n": "61"}, "n=61, universe=3"),
        (BASIC_HISTOGRAM, {"universe": str((1 << 64) + 1)}, "universe=18446744073709551617"),
        (BASIC_HISTOGRAM, {"epsilon": "0.3"}, "0.3"),
        (BASIC_HISTOGRAM, {"sampler": "laplace"}, "laplace"),
        (BASIC_HISTOGRAM, {"gamma": "1"}, "gamma=1"),
        (BASIC_HISTOGRAM, {"sampler": "fastsample", "gamma": "0"}, "0"),
        (BASIC_HISTOGRAM, {"threshold": "1"}, "threshold=1"),
        (STABILITY_HISTOGRAM, {"threshold": "-1"}, "-1"),
        (STABILITY_HISTOGRAM, {"threshold": "1/2"}, "1/2"),
        (STABILITY_HISTOGRAM, {"universe": "0"}, "universe=0"),
        (STABILITY_HISTOGRAM, {"n": "1001", "universe": "2"}, "n=1001"),
        (STABILITY_HISTOGRAM, {"n": "61", "universe": "2"}, "n=61, universe=2"),
        (STABILITY_HISTOGRAM, {"sampler": ""}, "sampler="),
        (THRESHOLD_HISTOGRAM, {"rate": "0"}, "rate=0"),
        (THRESHOLD_HISTOGRAM, {"rate": "1"}, "rate=1"),
        (THRESHOLD_HISTOGRAM, {"rate": "often"}, "often"),
        (THRESHOLD_HISTOGRAM, {"threshold": "0"}, "threshold=0"),
        (THRESHOLD_HISTOGRAM, {"universe": "0"}, "universe=0"),
        (THRESHOLD_HISTOGRAM, {"n": "0"}, "n=0"),
        (THRESHOLD_HISTOGRAM, {"n": "99"}, "n=99, universe=2"),
        (THRESHOLD_HISTOGRAM, {"epsilon": "1"}, "epsilon=1"),
    ],
)
def test_refused_parameters(
    refused: Callable[..., None], mechanism: Mechanism, settings: dict[str, str], given: str
) -> None:
    refused(mechanism, settings, given)
