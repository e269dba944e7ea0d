"""The bin before a person joins, withheld as often as it is to be released."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer, probability
from dpcert.mechanisms.sample_and_threshold.joined_count import JOINED_COUNT
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold

__all__ = ["JOINED_COUNT_SWAPPED"]


def joined_swapped(*, rate: Fraction, threshold: int, keep: Fraction) -> Callable[[Sequence[int], Coins], int | None]:
    """Withhold the bin before with the probability with which it is to be released."""
    release = sample_threshold(rate=rate, threshold=threshold)

    def joined(people: Sequence[int], coins: Coins) -> int | None:
        count, here = people
        if here:
            return release(count, coins)
        if coins.below(keep.denominator) < keep.numerator:
            return None
        return release(count - 1, coins)

    return joined


def _build(settings: Mapping[str, str]) -> Instance:
    rate, keep = probability(settings, "rate"), probability(settings, "keep")
    threshold = integer(settings, "threshold", least=1)
    program = joined_swapped(rate=rate, threshold=threshold, keep=keep)
    return replace(JOINED_COUNT.build(settings), program=program, closed_form=None)


JOINED_COUNT_SWAPPED = Mechanism(
    name="joined-count-swapped",
    words="joined-count with keeping and withholding exchanged",
    source="sample-and-threshold, Section 3.1; docs/all-counts.md",
    parameters=JOINED_COUNT.parameters,
    build=_build,
    expect="refuted",
    twin="joined-count",
    fault="`<` for `>=` where the bin before is withheld",
)
