"""The n heaviest bins, ties broken in favour of labels that occur: a bin that wins a tie was not empty."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler, basic_histogram
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY, parameters
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer

__all__ = ["KEEP_HEAVY_TIES"]


def first_come(
    *, n: int, universe: int, sampler: Callable[[int, Coins], int]
) -> Callable[[Sequence[int], Coins], Bins]:
    """Release the n heaviest bins, in a stable sort of the labels as they first occur, but those of count 0."""
    everything = basic_histogram(universe=universe, sampler=sampler)

    def release(people: Sequence[int], coins: Coins) -> Bins:
        bins = dict(everything(people, coins))
        order = dict.fromkeys([*people, *range(universe)])
        heaviest = sorted(order, key=lambda label: -bins[label])[:n]
        return tuple((label, bins[label]) for label in sorted(heaviest) if bins[label])

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = KEEP_HEAVY.build(settings)
    n, universe = integer(settings, "n", least=1), integer(settings, "universe", least=2)
    program = first_come(n=n, universe=universe, sampler=Sampler.of(settings).program)
    return replace(meant, program=program, closed_form=None)


KEEP_HEAVY_TIES = Mechanism(
    name="keep-heavy-ties",
    words="the n heaviest bins, where of equal counts those of labels that occur come first",
    source="finite-computers, Algorithm 6.1, step 3, as Footnote 4 warns",
    parameters=parameters(n=1, universe=2),
    build=_build,
    expect="refuted",
    twin="keep-heavy",
    fault="the n heaviest bins, ties broken by the order of the input",
)
