"""Sample-and-threshold that reports the size of its sample as well: a lone person can be seen in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import THRESHOLD_HISTOGRAM

__all__ = ["THRESHOLD_HISTOGRAM_SIZE"]


def with_size(*, rate: Fraction, threshold: int, universe: int) -> Callable[[Sequence[int], Coins], tuple[int, Bins]]:
    """Release as `threshold_histogram` does, with how many were sampled, where how many are reported is meant."""

    def sample(counts: tuple[int, ...], label: int, coins: Coins) -> tuple[int, ...]:
        if coins.below(rate.denominator) >= rate.numerator:
            return counts
        return (*counts[:label], counts[label] + 1, *counts[label + 1 :])

    def release(people: Sequence[int], coins: Coins) -> tuple[int, Bins]:
        sampled = coins.fold(people, (0,) * universe, sample)
        bins = tuple((label, count) for label, count in enumerate(sampled) if count >= threshold)
        return sum(sampled), bins

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    program = with_size(rate=rate, threshold=threshold, universe=integer(settings, "universe", least=1))
    return replace(THRESHOLD_HISTOGRAM.build(settings), program=program, closed_form=None)


THRESHOLD_HISTOGRAM_SIZE = Mechanism(
    name="sample-threshold-histogram-size",
    words="sample-threshold-histogram with the size of the sample",
    source="sample-and-threshold, Section 3.2, the size before thresholding",
    parameters=(
        Parameter("rate", "1/10", "the probability with which each person is sampled"),
        Parameter("threshold", "2", "the least count that is reported"),
        Parameter("universe", "1", "the number of labels"),
        Parameter("n", "2", "the greatest number of people audited"),
    ),
    build=_build,
    expect="refuted",
    twin="sample-threshold-histogram",
    fault="the size of the sample released before the threshold",
)
