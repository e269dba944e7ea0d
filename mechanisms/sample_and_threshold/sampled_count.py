"""The number of sampled people: its deltas bound those of sample-and-threshold on all greater counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from dpcert.mechanisms.domain import counts
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer, probability
from dpcert.mechanisms.sample_and_threshold.sample_threshold import kl_delta, sample_threshold, sample_threshold_form


def with_more_people(*, people: int, rate: Fraction, threshold: int) -> Callable[[int, Coins], int]:
    """Turn a sampled number into the release for `people` more: sample these too, add, apply the threshold.

    Claims: on the sampled number of k people it has the law that `sample_threshold` has on k + people.
    """
    more = sample_threshold(rate=rate, threshold=1)

    def release(sampled: int, coins: Coins) -> int:
        total = sampled + more(people, coins)
        return total if total >= threshold else 0

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    rate = probability(settings, "rate")
    least = integer(settings, "least", least=1, greatest=10**5)
    threshold = integer(settings, "threshold", least=1)
    ratio = 2 / (1 - rate)
    return Instance(
        program=sample_threshold(rate=rate, threshold=1),
        closed_form=sample_threshold_form(rate=rate, threshold=1),
        inputs=(least, least + 1),
        neighbours="counts_differ_by_one",
        epsilon=Epsilon.ln(ratio),
        delta=kl_delta(rate=rate, threshold=threshold, ratio=ratio),
        domain=counts(None),
    )


SAMPLED_COUNT = Mechanism(
    name="sampled-count",
    words="how many of a crowd were sampled: no less private than sample-threshold on any greater crowd",
    source="sample-and-threshold, Section 3.1; post-processing",
    parameters=(
        Parameter("rate", "1/10", "the probability p with which each person is sampled"),
        Parameter("threshold", "10", "the threshold whose delta is claimed; it is not applied"),
        Parameter("least", "30", "the count from which on sample-threshold is covered"),
    ),
    build=_build,
)
