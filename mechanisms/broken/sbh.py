"""The faults of sbh and sbh-sampled."""

from __future__ import annotations

from collections.abc import Callable

from dpcert.mechanisms.broken.fault import FaultsOf, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.stability_histogram import stability_histogram
from dpcert.mechanisms.mechanism import Expected
from dpcert.mechanisms.weighted_sampling.sbh import SBH, SBH_SAMPLED, sbh, settled

sbh_fault = FaultsOf(SBH)
sbh_sampled_fault = FaultsOf(SBH_SAMPLED)


@sbh_fault(
    "sbh-early",
    source="weighted-sampling, Algorithm 6, misread",
    fault="a threshold that is off by one",
    edit=("threshold=threshold - 2", "threshold=threshold - 1"),
    defaults={"epsilon": "ln(2)", "delta": "1/6", "threshold": "least", "imax": "1", "most": "3"},
    expected=Expected(1, 0, [2, 3], "1/3", "0"),
)
def sbh_early(settings: Settings) -> Callable[[int, Coins], int]:
    """sbh with a threshold that is off by one"""
    sampler, _, _, threshold = settled({"q": "1", **settings})
    histogram = stability_histogram(threshold=threshold - 2, sampler=sampler)
    return lambda frequency, coins: next((noisy for _, noisy in histogram([0] * frequency, coins)), 0)


@sbh_sampled_fault(
    "sbh-sampled-first",
    source="weighted-sampling, Section 8.1, sampled and sanitized in the other order",
    fault="sampling by the true frequency for sampling by the noisy one",
    edit=("q[frequency - 1]", "q[value - 1]"),
    defaults={"epsilon": "ln(2)", "delta": "1/6", "threshold": "least", "imax": "2", "most": "3", "q": "1/10, 1"},
    expected=Expected(2, 1, [3], "1/3", "1/60"),
)
def sbh_sampled_first(settings: Settings) -> Callable[[int, Coins], int]:
    """sbh on a sample that was taken by the true frequencies"""
    sampler, _, q, threshold = settled(settings)
    private = sbh(threshold=threshold, sampler=sampler)

    def release(frequency: int, coins: Coins) -> int:
        value = private(frequency, coins)
        return value if value and coins.bernoulli(q[frequency - 1]) else 0

    return release
