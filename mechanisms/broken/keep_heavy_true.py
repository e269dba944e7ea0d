"""Keep-heavy with the true counts of the bins that it keeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler, basic_histogram
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY, above, parameters, runner_up
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer

__all__ = ["KEEP_HEAVY_TRUE"]


def true_counts(
    *, n: int, universe: int, sampler: Callable[[int, Coins], int]
) -> Callable[[Sequence[int], Coins], Bins]:
    """Release the labels that `keep_heavy` does, with their true counts, where the noisy ones are meant."""
    everything = basic_histogram(universe=universe, sampler=sampler)

    def release(people: Sequence[int], coins: Coins) -> Bins:
        bins = everything(people, coins)
        heavy = above(bins, runner_up((count for _, count in bins), n))
        return tuple((label, people.count(label)) for label, _ in heavy)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = KEEP_HEAVY.build(settings)
    n, universe = integer(settings, "n", least=1), integer(settings, "universe", least=2)
    program = true_counts(n=n, universe=universe, sampler=Sampler.of(settings).program)
    return replace(meant, program=program, closed_form=None)


KEEP_HEAVY_TRUE = Mechanism(
    name="keep-heavy-true",
    words="the labels that keep-heavy releases, with their true counts",
    source="finite-computers, Algorithm 6.1, step 3, with c for the noisy count",
    parameters=parameters(n=1, universe=2),
    build=_build,
    expect="refuted",
    twin="keep-heavy",
    fault="the true counts released for the noisy ones that were compared",
)
