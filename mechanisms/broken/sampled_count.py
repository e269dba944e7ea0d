"""The faults of sampled-count."""

from __future__ import annotations

from collections.abc import Callable

from dpcert.mechanisms.broken.fault import FaultsOf, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Expected, probability
from dpcert.mechanisms.sample_and_threshold.sampled_count import SAMPLED_COUNT

fault = FaultsOf(SAMPLED_COUNT)


@fault(
    "sampled-count-pairs",
    source="sample-and-threshold, Section 3.1, where each person is sampled independently",
    fault="one coin for two people",
    edit=("together = 2", "together = 1"),
    expected=Expected(31, 30, [3], "68630377364883/2000000000000000", "0"),
)
def sampled_count_pairs(settings: Settings) -> Callable[[int, Coins], int]:
    """sampled-count with one coin for every two people"""
    rate = probability(settings, "rate")
    together = 2

    def release(count: int, coins: Coins) -> int:
        def sample(sampled: int, first: int, coins: Coins) -> int:
            chosen = coins.below(rate.denominator) < rate.numerator
            return sampled + min(together, count - first) if chosen else sampled

        return coins.fold(range(0, count, together), 0, sample)

    return release
