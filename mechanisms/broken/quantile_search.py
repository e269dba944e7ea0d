"""The faults of quantile-search."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dpcert.mechanisms.broken.fault import FaultsOf, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Expected, integer, probability
from dpcert.mechanisms.sample_and_threshold.quantile_search import QUANTILE_SEARCH, Steps

fault = FaultsOf(QUANTILE_SEARCH)


@fault(
    "quantile-search-raw",
    source="sample-and-threshold, Section 4.2",
    fault="the next split chosen by counts that are hidden",
    edit=("below, above = sampled", "below, above = shown"),
    defaults={"delta": "199/10000", "n": "2"},
    names=("rate", "threshold", "phi", "halvings", "delta", "n"),
    about={"delta": "the delta that the shown counts need"},
    expected=Expected([2], [], [((2, ()), (3, ()))], "1/10", "0"),
)
def quantile_search_raw(settings: Settings) -> Callable[[Sequence[int], Coins], Steps]:
    """quantile-search that goes where the counts before the threshold say"""
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    phi = probability(settings, "phi")
    halvings = integer(settings, "halvings", least=1, greatest=10)

    def sample(counts: tuple[int, int], side: int, coins: Coins) -> tuple[int, int]:
        if coins.below(rate.denominator) >= rate.numerator:
            return counts
        return (counts[0] + 1 - side, counts[1] + side)

    def release(people: Sequence[int], coins: Coins) -> Steps:
        def halve(state: tuple[int, Steps], step: int, coins: Coins) -> tuple[int, Steps]:
            start, steps = state
            split = start + (1 << halvings - step - 1)
            sampled = coins.fold([int(value >= split) for value in people], (0, 0), sample)
            shown = tuple(count if count >= threshold else 0 for count in sampled)
            steps = (*steps, (split, tuple((side, count) for side, count in enumerate(shown) if count)))
            below, above = sampled
            return (split if below < phi * (below + above) else start), steps

        start: tuple[int, Steps] = (0, ())
        return coins.fold(range(halvings), start, halve)[1]

    return release
