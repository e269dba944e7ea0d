"""KH' that takes the first labels that do not occur for a uniform choice among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY_SPARSE, above, parameters, runner_up
from dpcert.mechanisms.finite_computers.ordsample import ordsample, scaled_cumulative
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer

__all__ = ["KEEP_HEAVY_SPARSE_FIRST"]


def first_labels(
    *,
    n: int,
    universe: int,
    sampler: Callable[[int, Coins], int],
    order_statistics: Callable[[int, Coins], tuple[int, ...]],
) -> Callable[[Sequence[int], Coins], Bins]:
    """Release as `keep_heavy_sparse` does, with the first labels that do not occur, where random ones are meant."""

    def release(people: Sequence[int], coins: Coins) -> Bins:
        occur = sorted(set(people))
        empty = [label for label in range(universe) if label not in occur]
        noisy = [(label, sampler(people.count(label), coins)) for label in occur]
        counts = order_statistics(len(empty), coins)
        candidates = sorted([*noisy, *zip(empty, counts, strict=False)])
        return above(tuple(candidates), runner_up((count for _, count in candidates), n))

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = KEEP_HEAVY_SPARSE.build(settings)
    n, universe = integer(settings, "n", least=1), integer(settings, "universe", least=2)
    sampler = Sampler.of(settings)
    order_statistics = ordsample(cumulative=scaled_cumulative(sampler.law(0), n))
    program = first_labels(n=n, universe=universe, sampler=sampler.program, order_statistics=order_statistics)
    return replace(meant, program=program, closed_form=None)


KEEP_HEAVY_SPARSE_FIRST = Mechanism(
    name="keep-heavy-sparse-first",
    words="keep-heavy-sparse with the first empty labels for the heaviest empty bins",
    source="finite-computers, Algorithm 6.4, step 3, without coins",
    parameters=parameters(n=1, universe=3),
    build=_build,
    expect="refuted",
    twin="keep-heavy-sparse",
    fault="the first empty labels for uniformly drawn ones",
)
