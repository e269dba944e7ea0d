"""Sample-and-threshold that tests the true count and reports the sampled one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.sample_and_threshold.sample_threshold import SAMPLE_THRESHOLD

__all__ = ["THRESHOLD_TRUE_COUNT"]


def true_count(*, rate: Fraction, threshold: int) -> Callable[[int, Coins], int]:
    """Report the sampled count where the true one is at least the threshold; the sampled one is meant."""

    def sample(sampled: int, person: int, coins: Coins) -> int:
        return sampled + 1 if coins.below(rate.denominator) < rate.numerator else sampled

    def release(count: int, coins: Coins) -> int:
        sampled = coins.fold(range(count), 0, sample)
        return sampled if count >= threshold else 0

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    program = true_count(rate=rate, threshold=threshold)
    return replace(SAMPLE_THRESHOLD.build(settings), program=program, closed_form=None)


THRESHOLD_TRUE_COUNT = Mechanism(
    name="sample-threshold-true-count",
    words="sample-threshold with its threshold on the true count",
    source="sample-and-threshold, Section 3.1, with k >= threshold for v >= threshold",
    parameters=(
        Parameter("rate", "1/10", "the probability with which each person is sampled"),
        Parameter("threshold", "2", "the least count that is reported"),
        Parameter("kmax", "3", "the greatest count audited"),
    ),
    build=_build,
    expect="refuted",
    twin="sample-threshold",
    fault="a threshold on the true count for one on the sampled count",
)
