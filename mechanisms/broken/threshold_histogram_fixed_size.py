"""Sample-and-threshold with a sample of fixed size: what the threshold suppressed is what is missing from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpcert.mechanisms.domain import label_lists
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.number import exact, ratio_text
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, lists
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import THRESHOLD_HISTOGRAM

__all__ = ["THRESHOLD_HISTOGRAM_FIXED_SIZE"]


def fixed_size(*, size: int, threshold: int) -> Callable[[Sequence[int], Coins], Bins]:
    """Sample `size` of the people, where each by itself with probability size / people is meant."""

    def release(people: Sequence[int], coins: Coins) -> Bins:
        sampled = Counter(coins.sample(people, size))
        return tuple((label, sampled[label]) for label in sorted(sampled) if sampled[label] >= threshold)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    n = integer(settings, "n", least=2, greatest=1000)
    size, universe = integer(settings, "size", least=1, greatest=n - 1), integer(settings, "universe", least=2)
    meant = THRESHOLD_HISTOGRAM.build({**settings, "rate": ratio_text(Fraction(size, n))})
    return replace(
        meant,
        program=fixed_size(size=size, threshold=integer(settings, "threshold", least=1)),
        closed_form=None,
        inputs=tuple(lists(n, universe)),
        neighbours="substitute",
        delta=exact(settings["delta"], "delta"),
        domain=label_lists(n, universe),
    )


THRESHOLD_HISTOGRAM_FIXED_SIZE = Mechanism(
    name="sample-threshold-histogram-fixed-size",
    words="sample-threshold-histogram with a sample of fixed size, for people who move",
    source="sample-and-threshold, Section 3.2, where delta >= size/n",
    parameters=(
        Parameter("size", "2", "the size of the sample, less than n"),
        Parameter("threshold", "2", "the least count that is reported"),
        Parameter("universe", "2", "the number of labels"),
        Parameter("n", "4", "the number of people"),
        Parameter("delta", "1/4", "the claimed delta, which Poisson sampling has"),
    ),
    build=_build,
    expect="refuted",
    twin="sample-threshold-histogram",
    fault="a sample of fixed size, which tells how many were suppressed",
)
