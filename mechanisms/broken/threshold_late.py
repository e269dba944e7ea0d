"""Sample-and-threshold that leaves the threshold out for crowds: no audit of smaller counts sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.sample_and_threshold.sample_threshold import SAMPLE_THRESHOLD

__all__ = ["THRESHOLD_LATE", "threshold_late"]


def threshold_late(*, rate: Fraction, threshold: int, late: int) -> Callable[[int, Coins], int]:
    """Report sampled counts at or above the threshold, and from `late` people on whatever was sampled."""

    def sample(sampled: int, person: int, coins: Coins) -> int:
        return sampled + 1 if coins.below(rate.denominator) < rate.numerator else sampled

    def release(count: int, coins: Coins) -> int:
        sampled = coins.fold(range(count), 0, sample)
        if count >= late:
            return sampled
        return sampled if sampled >= threshold else 0

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = SAMPLE_THRESHOLD.build({name: settings[name] for name in ("rate", "threshold", "kmax")})
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    late = integer(settings, "late", least=1)
    return replace(meant, program=threshold_late(rate=rate, threshold=threshold, late=late), closed_form=None)


THRESHOLD_LATE = Mechanism(
    name="sample-threshold-late",
    words="sample-threshold that reports any sampled count from some number of people on",
    source="sample-and-threshold, Section 3.1, where the threshold holds for every count",
    parameters=(
        Parameter("rate", "1/10", "the probability with which each person is sampled"),
        Parameter("threshold", "3", "the least count that is reported of fewer people"),
        Parameter("late", "6", "from how many people on the threshold is left out"),
        Parameter("kmax", "6", "the greatest count audited"),
    ),
    build=_build,
    expect="refuted",
    twin="sample-threshold",
    fault="no threshold from some count on",
)
