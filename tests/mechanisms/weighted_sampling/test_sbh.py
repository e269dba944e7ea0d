"""Stability-based histograms against plain sums, their least threshold, and the sampled form."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from dpcert import Dist, Refuted, Report, Verified
from dpcert.mechanisms.finite_computers.geometric import geometric, geometric_law
from dpcert.mechanisms.finite_computers.stability_histogram import lone_label
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.weighted_sampling.pws_keys import sampling_probabilities
from dpcert.mechanisms.weighted_sampling.sbh import (
    SBH,
    SBH_SAMPLED,
    least_threshold,
    lone_key,
    printed_threshold,
    sbh,
    sbh_law,
    sbh_sampled,
)
from dpcert.reading.paths.enumerator import enumerate_law

RATIO = Fraction(3, 2)
MOST = 12


def noise(z: int) -> Fraction:
    """Return Pr[Z >= z] for two-sided geometric noise of this ratio, term by term where it is finite."""
    head = sum(((RATIO - 1) / (RATIO + 1) / RATIO ** abs(k) for k in range(min(z, 0), max(z, 0))), Fraction(0))
    return RATIO / (RATIO + 1) + head if z <= 0 else RATIO / (RATIO + 1) - head


def plain(frequency: int, threshold: int, q: list[Fraction]) -> Dist:
    """Return the law from Algorithm 6 by hand: sum over values, the last one standing for all above."""
    if frequency == 0:
        return Dist.point(0)
    masses = {j: noise(j - frequency) - noise(j + 1 - frequency) for j in range(threshold, MOST)}
    masses[MOST] = noise(MOST - frequency)
    kept = {j: mass * q[j - 1] for j, mass in masses.items()}
    return Dist.of([*kept.items(), (0, 1 - sum(kept.values()))])


@pytest.mark.points(1)
@pytest.mark.parametrize("text", ["1", "1/3", "1/10, 1/2, 1", "priority:1/8", "ppswor:1/10"])
@pytest.mark.parametrize("threshold", [1, 4, MOST])
def test_twin_the_program_is_algorithm_6_by_hand(text: str, threshold: int) -> None:
    q, sampler = sampling_probabilities(text, MOST), geometric(n=MOST, ratio=RATIO)
    closed = sbh_law(threshold=threshold, law=geometric_law(n=MOST, ratio=RATIO), q=q)
    for frequency in range(7):
        law = enumerate_law(sbh_sampled(threshold=threshold, sampler=sampler, q=q), frequency).law
        assert law == plain(frequency, threshold, q) == closed(frequency)
        if text == "1":
            assert law == enumerate_law(sbh(threshold=threshold, sampler=sampler), frequency).law


def test_twin_a_lone_key_is_the_lone_label_of_the_stability_histogram() -> None:
    law, ones = geometric_law(n=MOST, ratio=RATIO), [Fraction(1)] * MOST
    for threshold in range(1, MOST):
        found = lone_key(threshold=threshold, law=law, q=ones)
        assert found == lone_label(threshold=threshold - 1, law=law) == RATIO / (RATIO + 1) / RATIO ** (threshold - 1)


@pytest.mark.parametrize(
    ("ratio", "delta", "expected"),
    [("2", "1", 1), ("2", "1/2", 2), ("2", "1/1024", 11), ("2", "1/1025", 12), ("3", "1/2", 2), ("11/10", "1/2", 9)],
)
def test_twin_the_printed_threshold_by_hand(ratio: str, delta: str, expected: int) -> None:
    assert printed_threshold(ratio=Fraction(ratio), delta=Fraction(delta)) == expected


@pytest.mark.parametrize("text", ["1", "1/3", "priority:1/8"])
@pytest.mark.parametrize("delta", ["1", "1/2", "1/10", "1/100", "1/1000"])
def test_twin_the_least_threshold_is_the_first_that_is_private(text: str, delta: str) -> None:
    law, q = geometric_law(n=MOST, ratio=RATIO), sampling_probabilities(text, MOST)
    private = [t for t in range(1, MOST + 1) if lone_key(threshold=t, law=law, q=q) <= Fraction(delta)]
    found = least_threshold(law=law, q=q, delta=Fraction(delta))
    assert found == min(private, default=None)
    assert private == list(range(MOST + 1)[found:] if found else [])


@pytest.mark.points(1)
@pytest.mark.parametrize("mechanism", [SBH, SBH_SAMPLED], ids=lambda mechanism: mechanism.name)
@pytest.mark.parametrize("threshold", ["printed", "least"])
def test_verified_at_both_thresholds(audit: Callable[..., Report], mechanism: Mechanism, threshold: str) -> None:
    assert isinstance(audit(mechanism, {"threshold": threshold}).verdict, Verified)


def test_caught_a_threshold_below_the_least(audit: Callable[..., Report]) -> None:
    settings = {"epsilon": "ln(2)", "delta": "1/12", "imax": "6", "most": "12"}
    assert isinstance(audit(SBH, {**settings, "threshold": "4"}).verdict, Verified)  # 2^-2/3 = 1/12
    assert isinstance(audit(SBH, {**settings, "threshold": "3"}).verdict, Refuted)


def test_refuted_below_the_least_delta_and_epsilon(audit: Callable[..., Report]) -> None:
    settings = {"epsilon": "ln(2)", "delta": "1/12", "imax": "6", "most": "12", "threshold": "4"}
    assert isinstance(audit(SBH, settings, delta=Fraction(1, 12) - Fraction(1, 10**6)).verdict, Refuted)
    assert isinstance(audit(SBH, settings, epsilon="ln(3/2)").verdict, Refuted)
