"""KH' that draws the labels of its greatest empty bins from all labels, those that occur among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Bins, Sampler
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY_SPARSE, above, distinct, parameters, runner_up
from dpcert.mechanisms.finite_computers.ordsample import ordsample, scaled_cumulative
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer

__all__ = ["KEEP_HEAVY_SPARSE_LABELS"]


def from_all_labels(
    *,
    n: int,
    universe: int,
    sampler: Callable[[int, Coins], int],
    order_statistics: Callable[[int, Coins], tuple[int, ...]],
) -> Callable[[Sequence[int], Coins], Bins]:
    """Release as `keep_heavy_sparse` does, with labels drawn from the universe, where those of empty bins are meant.

    A drawn label that occurs keeps its own count.
    """

    def release(people: Sequence[int], coins: Coins) -> Bins:
        occur = sorted(set(people))
        noisy = {label: sampler(people.count(label), coins) for label in occur}
        pool = list(range(universe))
        places = distinct(n + 1, len(pool), coins)
        counts = order_statistics(universe - len(occur), coins)
        drawn = zip((pool[place] for place in places(n + 1)), counts, strict=True)
        candidates = {**dict(drawn), **noisy}
        return above(tuple(sorted(candidates.items())), runner_up(candidates.values(), n))

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = KEEP_HEAVY_SPARSE.build(settings)
    n, universe = integer(settings, "n", least=1), integer(settings, "universe", least=2)
    sampler = Sampler.of(settings)
    order_statistics = ordsample(cumulative=scaled_cumulative(sampler.law(0), n))
    program = from_all_labels(n=n, universe=universe, sampler=sampler.program, order_statistics=order_statistics)
    return replace(meant, program=program, closed_form=None)


KEEP_HEAVY_SPARSE_LABELS = Mechanism(
    name="keep-heavy-sparse-labels",
    words="keep-heavy-sparse with the labels of empty bins drawn from the whole universe",
    source="finite-computers, Algorithm 6.4, step 3, with X for X without A",
    parameters=parameters(n=1, universe=3),
    build=_build,
    expect="refuted",
    twin="keep-heavy-sparse",
    fault="labels of empty bins from all labels",
)
