"""A stability histogram that also releases counts at the threshold, for which delta does not allow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler
from dpcert.mechanisms.finite_computers.stability_histogram import STABILITY_HISTOGRAM
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer

__all__ = ["STABILITY_HISTOGRAM_AT"]


def released_at(*, threshold: int, sampler: Callable[[int, Coins], int]) -> Callable[[Sequence[int], Coins], Bins]:
    """Release as `stability_histogram` does, counts >= threshold where those > threshold are meant."""

    def release(people: Sequence[int], coins: Coins) -> Bins:
        noisy = ((label, sampler(people.count(label), coins)) for label in sorted(set(people)))
        return tuple((label, count) for label, count in noisy if count >= threshold)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = STABILITY_HISTOGRAM.build(settings)
    threshold, sampler = integer(settings, "threshold", least=0), Sampler.of(settings).program
    return replace(meant, program=released_at(threshold=threshold, sampler=sampler), closed_form=None)


STABILITY_HISTOGRAM_AT = Mechanism(
    name="stability-histogram-at",
    words="stability-histogram that releases the counts equal to the threshold as well",
    source="finite-computers, Algorithm 5.4, step 3, misread",
    parameters=(
        Parameter("n", "2", "the number of people"),
        Parameter("universe", "2", "the number of labels"),
        Parameter("epsilon", "1", "1/epsilon is an integer"),
        Parameter("sampler", "geosample", "geosample or fastsample"),
        Parameter("gamma", "1/100", "fastsample's weight of the uniform count"),
        Parameter("threshold", "1", "noisy counts at or below it are not to be released"),
    ),
    build=_build,
    expect="refuted",
    twin="stability-histogram",
    fault="`>=` for `>` at the threshold",
)
