"""A stability histogram that tests the noisy counts and releases the true ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler
from dpcert.mechanisms.finite_computers.stability_histogram import STABILITY_HISTOGRAM
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer

__all__ = ["STABILITY_HISTOGRAM_TRUE"]


def true_counts(*, threshold: int, sampler: Callable[[int, Coins], int]) -> Callable[[Sequence[int], Coins], Bins]:
    """Release as `stability_histogram` does, but the true counts where the noisy ones are meant."""

    def release(people: Sequence[int], coins: Coins) -> Bins:
        counts = {label: people.count(label) for label in sorted(set(people))}
        noisy = {label: sampler(count, coins) for label, count in counts.items()}
        return tuple((label, counts[label]) for label in counts if noisy[label] > threshold)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = STABILITY_HISTOGRAM.build(settings)
    threshold, sampler = integer(settings, "threshold", least=0), Sampler.of(settings).program
    return replace(meant, program=true_counts(threshold=threshold, sampler=sampler), closed_form=None)


STABILITY_HISTOGRAM_TRUE = Mechanism(
    name="stability-histogram-true",
    words="stability-histogram that releases true counts where the noisy ones pass the threshold",
    source="finite-computers, Algorithm 5.4, step 3, with c_x(D) for its noisy count",
    parameters=(
        Parameter("n", "2", "the number of people"),
        Parameter("universe", "2", "the number of labels"),
        Parameter("epsilon", "1", "1/epsilon is an integer"),
        Parameter("sampler", "geosample", "geosample or fastsample"),
        Parameter("gamma", "1/100", "fastsample's weight of the uniform count"),
        Parameter("threshold", "1", "noisy counts at or below it are not released"),
    ),
    build=_build,
    expect="refuted",
    twin="stability-histogram",
    fault="the true count released for the noisy one that was tested",
)
