"""Contacted clients of whom it is shown how many abstained: so the suppressed counts have a known sum."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter
from dpcert.mechanisms.sample_and_threshold.contact import (
    CONTACTED_HISTOGRAM,
    settings_of,
    taken_and_shown,
)

__all__ = ["CONTACTED_HISTOGRAM_ABSTENTIONS"]


def announced(
    *, n: int, m: int, asked: int, threshold: int, universe: int
) -> Callable[[Sequence[int], Coins], tuple[int, Bins]]:
    """Show how many of those asked abstained, where only the labels are meant."""

    def count(size: int, person: int, coins: Coins) -> int:
        return size + (coins.below(n) < m)

    def release(people: Sequence[int], coins: Coins) -> tuple[int, Bins]:
        size = min(coins.fold(range(n), 0, count), asked)
        return asked - size, taken_and_shown(people, size, threshold, universe, coins)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = CONTACTED_HISTOGRAM.build(settings)
    n, m, asked, threshold, universe = settings_of(settings)
    program = announced(n=n, m=m, asked=asked, threshold=threshold, universe=universe)
    return replace(meant, program=program, closed_form=None)


CONTACTED_HISTOGRAM_ABSTENTIONS = Mechanism(
    name="contacted-histogram-abstentions",
    words="contacted-histogram that tells how many of those contacted abstained",
    source="sample-and-threshold, Section 3.2, Lemma 4, abstentions seen by the aggregator",
    parameters=(
        Parameter("n", "4", "the number of people"),
        Parameter("m", "3", "the mean of the sample's size"),
        Parameter("asked", "4", "how many people are contacted"),
        Parameter("threshold", "2", "the least count that is reported"),
        Parameter("universe", "2", "the number of labels, 0 to universe - 1"),
    ),
    build=_build,
    expect="refuted",
    twin="contacted-histogram",
    fault="the number of abstentions is shown",
)
