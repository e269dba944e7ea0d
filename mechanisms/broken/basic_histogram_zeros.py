"""A basic histogram that leaves empty bins at zero: a label with noise on it is one that occurs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import BASIC_HISTOGRAM, Bins, Sampler
from dpcert.mechanisms.mechanism import Instance, Mechanism, Parameter, integer

__all__ = ["BASIC_HISTOGRAM_ZEROS"]


def kept_zeros(*, universe: int, sampler: Callable[[int, Coins], int]) -> Callable[[Sequence[int], Coins], Bins]:
    """Release every label with its noisy count, an empty one with 0, where noise on all counts is meant."""

    def release(people: Sequence[int], coins: Coins) -> Bins:
        counts = [people.count(label) for label in range(universe)]
        return tuple((label, sampler(c, coins) if c > 0 else 0) for label, c in enumerate(counts))

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = BASIC_HISTOGRAM.build(settings)
    universe, sampler = integer(settings, "universe", least=2), Sampler.of(settings).program
    return replace(meant, program=kept_zeros(universe=universe, sampler=sampler), closed_form=None)


BASIC_HISTOGRAM_ZEROS = Mechanism(
    name="basic-histogram-zeros",
    words="every label with its noisy count, empty ones with 0",
    source="finite-computers, Algorithm 5.1, with noise for c_x(D) > 0 only",
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
    fault="no noise on empty bins",
)
