"""Sample-and-threshold that means to report counts above the threshold and reports those at it as well."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.number import exact
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.sample_and_threshold.sample_threshold import SAMPLE_THRESHOLD

__all__ = ["THRESHOLD_STRICT"]


def threshold_strict(*, rate: Fraction, threshold: int) -> Callable[[int, Coins], int]:
    """Suppress sampled counts with `threshold > sampled` where `threshold >= sampled` is meant."""

    def sample(sampled: int, person: int, coins: Coins) -> int:
        return sampled + 1 if coins.below(rate.denominator) < rate.numerator else sampled

    def release(count: int, coins: Coins) -> int:
        sampled = coins.fold(range(count), 0, sample)
        return 0 if threshold > sampled else sampled

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    rate, threshold = probability(settings, "rate"), integer(settings, "threshold", least=1)
    above = {"rate": settings["rate"], "threshold": str(threshold + 1), "kmax": settings["kmax"]}
    meant = SAMPLE_THRESHOLD.build(above)
    return replace(
        meant,
        program=threshold_strict(rate=rate, threshold=threshold),
        closed_form=None,
        delta=exact(settings["delta"], "delta"),
    )


THRESHOLD_STRICT = Mechanism(
    name="sample-threshold-strict",
    words="report sampled counts above a threshold, tested with > for >=",
    source="sample-and-threshold, Section 3.1, with the threshold off by one",
    parameters=(
        Parameter("rate", "1/10", "the probability with which each person is sampled"),
        Parameter("threshold", "2", "counts at or below it are not to be reported"),
        Parameter("kmax", "8", "the greatest count audited"),
        Parameter("delta", "1/500", "the claimed delta, which the mechanism as meant has"),
    ),
    build=_build,
    expect="refuted",
    twin="sample-threshold",
    fault="`>` for `>=` at the threshold: the count equal to it is reported",
)
