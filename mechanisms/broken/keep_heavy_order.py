"""Keep-heavy with its bins in the order in which their labels first occur: who came first is seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler, basic_histogram
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY, above, parameters, runner_up
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer

__all__ = ["KEEP_HEAVY_ORDER"]


def insertion_order(
    *, n: int, universe: int, sampler: Callable[[int, Coins], int]
) -> Callable[[Sequence[int], Coins], Bins]:
    """Release what `keep_heavy` does, as the labels first occur, where the order of labels is meant."""
    everything = basic_histogram(universe=universe, sampler=sampler)

    def release(people: Sequence[int], coins: Coins) -> Bins:
        bins = dict(everything(people, coins))
        order = dict.fromkeys([*people, *range(universe)])
        return above(tuple((label, bins[label]) for label in order), runner_up(bins.values(), n))

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = KEEP_HEAVY.build(settings)
    n, universe = integer(settings, "n", least=1), integer(settings, "universe", least=2)
    program = insertion_order(n=n, universe=universe, sampler=Sampler.of(settings).program)
    return replace(meant, program=program, closed_form=None)


KEEP_HEAVY_ORDER = Mechanism(
    name="keep-heavy-order",
    words="keep-heavy, the released bins in the order in which their labels first occur",
    source="finite-computers, Algorithm 6.1, without the order of Footnote 3",
    parameters=parameters(n=2, universe=3),
    build=_build,
    expect="refuted",
    twin="keep-heavy",
    fault="heavy bins in the order of their insertion",
)
