"""Sample-and-threshold that takes every tenth person from a random start: far fewer samples than there seem."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, inverse
from dpcert.mechanisms.sample_and_threshold.sample_threshold import SAMPLE_THRESHOLD

__all__ = ["THRESHOLD_SYSTEMATIC"]


def systematic(*, period: int, threshold: int) -> Callable[[int, Coins], int]:
    """Report how many were sampled, every period-th person, where one in `period` of them at random is meant."""

    def release(count: int, coins: Coins) -> int:
        start = coins.below(period)
        sampled = sum((person + start) % period == 0 for person in range(count))
        return sampled if sampled >= threshold else 0

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    rate, threshold = inverse(settings, "rate", least=2), integer(settings, "threshold", least=1)
    program = systematic(period=rate.denominator, threshold=threshold)
    return replace(SAMPLE_THRESHOLD.build(settings), program=program, closed_form=None)


THRESHOLD_SYSTEMATIC = Mechanism(
    name="sample-threshold-systematic",
    words="sample-threshold with one random start and every (1/rate)-th person from there",
    source="sample-and-threshold, Section 3.1, with systematic for Poisson sampling",
    parameters=(
        Parameter("rate", "1/4", "the inverse of an integer: the share of the people who are sampled"),
        Parameter("threshold", "3", "the least count that is reported"),
        Parameter("kmax", "10", "the greatest count audited"),
    ),
    build=_build,
    expect="refuted",
    twin="sample-threshold",
    fault="one draw for all people for one draw each",
)
