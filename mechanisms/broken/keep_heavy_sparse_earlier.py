"""KH' with the order statistics of the earlier version, one from another as if no two could be equal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers import ordsample
from dpcert.mechanisms.finite_computers.basic_histogram import Sampler
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY_SPARSE, keep_heavy_sparse, parameters
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer

__all__ = ["KEEP_HEAVY_SPARSE_EARLIER"]


def continuous_order_statistics(*, cumulative: Sequence[int]) -> Callable[[int, Coins], tuple[int, ...]]:
    """Map m to n + 1 counts, the k-th after v at most z with probability (F(z)/F(v))^(m-k), where `ordsample` is meant.

    Given that the k greatest of m independent counts end with v, the others are *not* m - k counts at most v: how
    many of the m are v is not known to be one for each of the k.
    """
    n = len(cumulative) - 1

    def release(m: int, coins: Coins) -> tuple[int, ...]:
        counts: list[int] = []
        v = n
        for left in range(m, m - n - 1, -1):
            u = coins.below(cumulative[v] ** left)
            v = next(z for z in range(v + 1) if u < cumulative[z] ** left)
            counts.append(v)
        return tuple(counts)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = KEEP_HEAVY_SPARSE.build(settings)
    n, universe = integer(settings, "n", least=1), integer(settings, "universe", least=2)
    sampler = Sampler.of(settings)
    order_statistics = continuous_order_statistics(cumulative=ordsample.scaled_cumulative(sampler.law(0), n))
    program = keep_heavy_sparse(n=n, universe=universe, sampler=sampler.program, order_statistics=order_statistics)
    return replace(meant, program=program, closed_form=None)


KEEP_HEAVY_SPARSE_EARLIER = Mechanism(
    name="keep-heavy-sparse-earlier",
    words="keep-heavy-sparse with order statistics drawn as those of a continuous law",
    source="finite-computers, Section 6.1, the correction after Proposition 6.5",
    parameters=parameters(n=1, universe=3),
    build=_build,
    expect="refuted",
    twin="keep-heavy-sparse",
    fault="the conditional law of order statistics without ties, for counts with ties",
)
