"""Sampled counts where two people share each coin: an odd count tells that somebody came alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Instance, Mechanism, probability
from dpcert.mechanisms.sample_and_threshold.sampled_count import SAMPLED_COUNT

__all__ = ["SAMPLED_COUNT_PAIRS"]


def sampled_pairs(*, rate: Fraction) -> Callable[[int, Coins], int]:
    """Sample people by twos, where each by itself is meant."""
    together = 2

    def release(count: int, coins: Coins) -> int:
        def sample(sampled: int, first: int, coins: Coins) -> int:
            chosen = coins.below(rate.denominator) < rate.numerator
            return sampled + min(together, count - first) if chosen else sampled

        return coins.fold(range(0, count, together), 0, sample)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = SAMPLED_COUNT.build(settings)
    return replace(meant, program=sampled_pairs(rate=probability(settings, "rate")), closed_form=None)


SAMPLED_COUNT_PAIRS = Mechanism(
    name="sampled-count-pairs",
    words="sampled-count with one coin for every two people",
    source="sample-and-threshold, Section 3.1, where each person is sampled independently",
    parameters=SAMPLED_COUNT.parameters,
    build=_build,
    expect="refuted",
    twin="sampled-count",
    fault="one coin for two people",
)
