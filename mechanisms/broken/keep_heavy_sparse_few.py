"""KH' with the noisy counts of n + 1 empty bins for the greatest n + 1 of all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Sampler
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY_SPARSE, keep_heavy_sparse, parameters
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer

__all__ = ["KEEP_HEAVY_SPARSE_FEW"]


def any_counts(*, n: int, sampler: Callable[[int, Coins], int]) -> Callable[[int, Coins], tuple[int, ...]]:
    """Map m to n + 1 noisy counts of 0 in descending order, where the greatest n + 1 of m are meant."""

    def release(m: int, coins: Coins) -> tuple[int, ...]:
        return tuple(sorted((sampler(0, coins) for _ in range(n + 1)), reverse=True))

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = KEEP_HEAVY_SPARSE.build(settings)
    n, universe = integer(settings, "n", least=1), integer(settings, "universe", least=2)
    sampler = Sampler.of(settings)
    program = keep_heavy_sparse(
        n=n, universe=universe, sampler=sampler.program, order_statistics=any_counts(n=n, sampler=sampler.program)
    )
    return replace(meant, program=program, closed_form=None)


KEEP_HEAVY_SPARSE_FEW = Mechanism(
    name="keep-heavy-sparse-few",
    words="keep-heavy-sparse with noisy counts for n + 1 empty bins, whichever these are",
    source="finite-computers, Algorithm 6.4, step 4, without order statistics",
    parameters=parameters(n=1, universe=4),
    build=_build,
    expect="refuted",
    twin="keep-heavy-sparse",
    fault="n + 1 noisy counts for the greatest n + 1 of m",
)
