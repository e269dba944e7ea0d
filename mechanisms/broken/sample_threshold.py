"""The faults of sample-threshold."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dpcert.mechanisms.broken.fault import FaultsOf, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.mechanism import Expected, integer, inverse, probability
from dpcert.mechanisms.sample_and_threshold.sample_threshold import SAMPLE_THRESHOLD

fault = FaultsOf(SAMPLE_THRESHOLD, defaults={"threshold": "2", "kmax": "8"})


def poisson(count: int, rate: Fraction, coins: Coins) -> int:
    """Return how many of the people are sampled, each with probability `rate`."""

    def sample(sampled: int, person: int, coins: Coins) -> int:
        return sampled + 1 if coins.below(rate.denominator) < rate.numerator else sampled

    return coins.fold(range(count), 0, sample)


@fault(
    "sample-threshold-strict",
    source="sample-and-threshold, Section 3.1, with the threshold off by one",
    fault="`>` for `>=` at the threshold: the count equal to it is reported",
    edit=("0 if threshold > sampled", "0 if threshold >= sampled"),
    meant=lambda settings: {**settings, "threshold": str(integer(settings, "threshold", least=1) + 1)},
    defaults={"delta": "1/500"},
    about={"delta": "the claimed delta, which the mechanism as meant has"},
    expected=Expected(2, 1, [2], "1/100", "0"),
)
def threshold_strict(settings: Settings) -> Callable[[int, Coins], int]:
    """report sampled counts above a threshold, tested with > for >="""
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)

    def release(count: int, coins: Coins) -> int:
        sampled = poisson(count, rate, coins)
        return 0 if threshold > sampled else sampled

    return release


@fault(
    "sample-threshold-systematic",
    source="sample-and-threshold, Section 3.1, with systematic for Poisson sampling",
    fault="one draw for all people for one draw each",
    edit=("(person + start) % period == 0", "coins.below(period) == 0"),
    defaults={"rate": "1/4", "threshold": "3", "kmax": "10"},
    about={"rate": "the inverse of an integer: the share of the people who are sampled"},
    expected=Expected(9, 8, [3], "1/4", "0"),
)
def threshold_systematic(settings: Settings) -> Callable[[int, Coins], int]:
    """sample-threshold with one random start and every (1/rate)-th person from there"""
    rate, threshold = inverse(settings, "rate", least=2), integer(settings, "threshold", least=1)
    period = rate.denominator

    def release(count: int, coins: Coins) -> int:
        start = coins.below(period)
        sampled = sum((person + start) % period == 0 for person in range(count))
        return sampled if sampled >= threshold else 0

    return release


@fault(
    "sample-threshold-true-count",
    source="sample-and-threshold, Section 3.1, with k >= threshold for v >= threshold",
    fault="a threshold on the true count for one on the sampled count",
    edit=("if count >= threshold", "if sampled >= threshold"),
    defaults={"kmax": "3"},
    expected=Expected(2, 1, [1], "9/50", "0"),
)
def threshold_true_count(settings: Settings) -> Callable[[int, Coins], int]:
    """sample-threshold with its threshold on the true count"""
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)

    def release(count: int, coins: Coins) -> int:
        sampled = poisson(count, rate, coins)
        return sampled if count >= threshold else 0

    return release


@fault(
    "sample-threshold-late",
    source="sample-and-threshold, Section 3.1, where the threshold holds for every count",
    fault="no threshold from some count on",
    edit=("if count >= late:\n            return sampled\n        return", "return"),
    defaults={"threshold": "3", "late": "6", "kmax": "6"},
    names=("rate", "threshold", "late", "kmax"),
    about={
        "threshold": "the least count that is reported of fewer people",
        "late": "from how many people on the threshold is left out",
    },
    expected=Expected(6, 5, [1], "177147/500000", "0"),
)
def threshold_late(settings: Settings) -> Callable[[int, Coins], int]:
    """sample-threshold that reports any sampled count from some number of people on"""
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    late = integer(settings, "late", least=1)

    def release(count: int, coins: Coins) -> int:
        sampled = poisson(count, rate, coins)
        if count >= late:
            return sampled
        return sampled if sampled >= threshold else 0

    return release
