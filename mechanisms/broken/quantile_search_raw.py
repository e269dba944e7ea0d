"""A quantile search led by the sampled counts before the threshold: where it goes tells of a lone person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.sample_and_threshold.quantile_search import QUANTILE_SEARCH, Steps

__all__ = ["QUANTILE_SEARCH_RAW"]


def quantile_search_raw(
    *, rate: Fraction, threshold: int, phi: Fraction, halvings: int
) -> Callable[[Sequence[int], Coins], Steps]:
    """Choose each half by the sampled counts, where the counts that are shown are meant."""

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


def _build(settings: Mapping[str, str]) -> Instance:
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    program = quantile_search_raw(
        rate=rate,
        threshold=threshold,
        phi=probability(settings, "phi"),
        halvings=integer(settings, "halvings", least=1, greatest=10),
    )
    return replace(
        QUANTILE_SEARCH.build(settings), program=program, closed_form=None, delta=exact(settings["delta"], "delta")
    )


QUANTILE_SEARCH_RAW = Mechanism(
    name="quantile-search-raw",
    words="quantile-search that goes where the counts before the threshold say",
    source="sample-and-threshold, Section 4.2",
    parameters=(
        Parameter("rate", "1/10", "the probability with which each person is sampled"),
        Parameter("threshold", "2", "the least count that is shown"),
        Parameter("phi", "1/2", "the quantile looked for"),
        Parameter("halvings", "2", "how many steps are made"),
        Parameter("delta", "199/10000", "the delta that the shown counts need"),
        Parameter("n", "2", "the greatest number of people audited"),
    ),
    build=_build,
    expect="refuted",
    twin="quantile-search",
    fault="the next split chosen by counts that are hidden",
)
