"""A basic histogram in the order in which a dict of counts has its labels: who came first is seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import BASIC_HISTOGRAM, Bins, Sampler
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer

__all__ = ["BASIC_HISTOGRAM_INSERTION_ORDER"]


def insertion_order(*, universe: int, sampler: Callable[[int, Coins], int]) -> Callable[[Sequence[int], Coins], Bins]:
    """Release every label with its noisy count, as they first occur, where the order of labels is meant."""

    def release(people: Sequence[int], coins: Coins) -> Bins:
        labels = list(dict.fromkeys([*people, *range(universe)]))
        return tuple((label, sampler(people.count(label), coins)) for label in labels)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = BASIC_HISTOGRAM.build(settings)
    universe, sampler = integer(settings, "universe", least=2), Sampler.of(settings).program
    return replace(meant, program=insertion_order(universe=universe, sampler=sampler), closed_form=None)


BASIC_HISTOGRAM_INSERTION_ORDER = Mechanism(
    name="basic-histogram-insertion-order",
    words="every label with its noisy count, in the order in which labels first occur",
    source="finite-computers, Algorithm 5.1, without the in-order traversal of Section 2.4",
    parameters=(
        Parameter("n", "1", "the number of people"),
        Parameter("universe", "2", "the number of labels"),
        Parameter("epsilon", "1/2", "1/epsilon is an integer"),
        Parameter("sampler", "geosample", "geosample or fastsample"),
        Parameter("gamma", "1/100", "fastsample's weight of the uniform count"),
    ),
    build=_build,
    expect="refuted",
    twin="basic-histogram",
    fault="bins in the order of their insertion",
)
