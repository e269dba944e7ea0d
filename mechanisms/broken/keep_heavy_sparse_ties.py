"""KH' that releases its n heaviest candidates: in a tie, those that occur come first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY_SPARSE, distinct, parameters
from dpcert.mechanisms.finite_computers.ordsample import ordsample, scaled_cumulative
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer

__all__ = ["KEEP_HEAVY_SPARSE_TIES"]


def n_heaviest(
    *,
    n: int,
    universe: int,
    sampler: Callable[[int, Coins], int],
    order_statistics: Callable[[int, Coins], tuple[int, ...]],
) -> Callable[[Sequence[int], Coins], Bins]:
    """Release the n heaviest candidates, where those strictly heavier than the next one are meant."""

    def release(people: Sequence[int], coins: Coins) -> Bins:
        occur = sorted(set(people))
        empty = [label for label in range(universe) if label not in occur]
        noisy = [(label, sampler(people.count(label), coins)) for label in occur]
        places = distinct(n + 1, len(empty), coins)
        counts = order_statistics(len(empty), coins)
        drawn = zip(places(n + 1), counts, strict=True)
        candidates = [*noisy, *((empty[place], count) for place, count in drawn)]
        heaviest = sorted(candidates, key=lambda one: -one[1])[:n]
        return tuple(sorted((label, count) for label, count in heaviest if count))

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = KEEP_HEAVY_SPARSE.build(settings)
    n, universe = integer(settings, "n", least=1), integer(settings, "universe", least=2)
    sampler = Sampler.of(settings)
    order_statistics = ordsample(cumulative=scaled_cumulative(sampler.law(0), n))
    program = n_heaviest(n=n, universe=universe, sampler=sampler.program, order_statistics=order_statistics)
    return replace(meant, program=program, closed_form=None)


KEEP_HEAVY_SPARSE_TIES = Mechanism(
    name="keep-heavy-sparse-ties",
    words="the n heaviest candidates of keep-heavy-sparse, those that occur first where counts are equal",
    source="finite-computers, Algorithm 6.4, step 6, as Footnote 4 warns",
    parameters=parameters(n=1, universe=3),
    build=_build,
    expect="refuted",
    twin="keep-heavy-sparse",
    fault="the n heaviest candidates, ties included",
)
