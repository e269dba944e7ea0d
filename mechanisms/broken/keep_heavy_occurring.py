"""Keep-heavy that keeps as many bins as there are labels in the input, where n is meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler, basic_histogram
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY, above, parameters, runner_up
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer

__all__ = ["KEEP_HEAVY_OCCURRING"]


def as_many_as_occur(*, universe: int, sampler: Callable[[int, Coins], int]) -> Callable[[Sequence[int], Coins], Bins]:
    """Release the bins above the (|A| + 1)-st greatest noisy count, A the labels that occur."""
    everything = basic_histogram(universe=universe, sampler=sampler)

    def release(people: Sequence[int], coins: Coins) -> Bins:
        bins = everything(people, coins)
        return above(bins, runner_up((count for _, count in bins), len(set(people))))

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = KEEP_HEAVY.build(settings)
    universe = integer(settings, "universe", least=2)
    program = as_many_as_occur(universe=universe, sampler=Sampler.of(settings).program)
    return replace(meant, program=program, closed_form=None)


KEEP_HEAVY_OCCURRING = Mechanism(
    name="keep-heavy-occurring",
    words="the bins above the (|A| + 1)-st greatest noisy count, for the number |A| of labels that occur",
    source="finite-computers, Algorithm 6.1, step 2, with |A| for n",
    parameters=parameters(n=2, universe=3),
    build=_build,
    expect="refuted",
    twin="keep-heavy",
    fault="as many bins as labels occur, for n",
)
