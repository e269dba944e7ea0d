"""The faults of joined-count."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpcert.mechanisms.broken.fault import FaultsOf, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Expected, integer, probability
from dpcert.mechanisms.sample_and_threshold.joined_count import JOINED_COUNT
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold

fault = FaultsOf(JOINED_COUNT)


@fault(
    "joined-count-swapped",
    source="sample-and-threshold, Section 3.1; docs/explanation/all-counts.md",
    fault="`<` for `>=` where the bin before is withheld",
    edit=("below(keep.denominator) <", "below(keep.denominator) >="),
    expected=Expected([1, 0], [1, 1], [None], "3/4", "0"),
)
def joined_count_swapped(settings: Settings) -> Callable[[Sequence[int], Coins], int | None]:
    """joined-count with keeping and withholding exchanged"""
    rate, keep = probability(settings, "rate"), probability(settings, "keep")
    threshold = integer(settings, "threshold", least=1)
    release = sample_threshold(rate=rate, threshold=threshold)

    def joined(people: Sequence[int], coins: Coins) -> int | None:
        count, here = people
        if here:
            return release(count, coins)
        if coins.below(keep.denominator) < keep.numerator:
            return None
        return release(count - 1, coins)

    return joined
