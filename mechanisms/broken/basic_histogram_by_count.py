"""A basic histogram with the most frequent label first, by the true counts: the noise does not hide the order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import BASIC_HISTOGRAM, Bins, Sampler
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer

__all__ = ["BASIC_HISTOGRAM_BY_COUNT"]


def by_count(*, universe: int, sampler: Callable[[int, Coins], int]) -> Callable[[Sequence[int], Coins], Bins]:
    """Release every label with its noisy count, by falling true count, where the order of labels is meant."""

    def release(people: Sequence[int], coins: Coins) -> Bins:
        labels = sorted(range(universe), key=people.count, reverse=True)
        noisy = {label: sampler(people.count(label), coins) for label in range(universe)}
        return tuple((label, noisy[label]) for label in labels)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = BASIC_HISTOGRAM.build(settings)
    universe, sampler = integer(settings, "universe", least=2), Sampler.of(settings).program
    return replace(meant, program=by_count(universe=universe, sampler=sampler), closed_form=None)


BASIC_HISTOGRAM_BY_COUNT = Mechanism(
    name="basic-histogram-by-count",
    words="every label with its noisy count, the most frequent label first",
    source="finite-computers, Algorithm 5.1, sorted by c_x(D)",
    parameters=(
        Parameter("n", "2", "the number of people"),
        Parameter("universe", "2", "the number of labels"),
        Parameter("epsilon", "1/2", "1/epsilon is an integer"),
        Parameter("sampler", "geosample", "geosample or fastsample"),
        Parameter("gamma", "1/100", "fastsample's weight of the uniform count"),
    ),
    build=_build,
    expect="refuted",
    twin="basic-histogram",
    fault="bins in the order of their true counts",
)
