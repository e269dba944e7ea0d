"""A sample-and-threshold histogram that fails on no people: the exception tells the one person from none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer, probability
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import THRESHOLD_HISTOGRAM

__all__ = ["THRESHOLD_HISTOGRAM_EMPTY"]


def fails_on_none(*, rate: Fraction, threshold: int, universe: int) -> Callable[[Sequence[int], Coins], Bins]:
    """Release as `threshold_histogram` does, with as few bins as it can, where all of the universe is meant."""

    def sample(counts: tuple[int, ...], label: int, coins: Coins) -> tuple[int, ...]:
        if coins.below(rate.denominator) >= rate.numerator:
            return counts
        return (*counts[:label], counts[label] + 1, *counts[label + 1 :])

    def release(people: Sequence[int], coins: Coins) -> Bins:
        bins = sorted(people)[-1] + 1
        sampled = coins.fold(people, (0,) * bins, sample)
        return tuple((label, count) for label, count in enumerate(sampled) if count >= threshold)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    program = fails_on_none(rate=rate, threshold=threshold, universe=integer(settings, "universe", least=1))
    return replace(THRESHOLD_HISTOGRAM.build(settings), program=program, closed_form=None)


THRESHOLD_HISTOGRAM_EMPTY = Mechanism(
    name="sample-threshold-histogram-empty",
    words="sample-threshold-histogram that raises an error when there are no people",
    source="sample-and-threshold, Section 3.1, without its fixed bins",
    parameters=THRESHOLD_HISTOGRAM.parameters,
    build=_build,
    expect="refuted",
    twin="sample-threshold-histogram",
    fault="an exception on empty input",
)
