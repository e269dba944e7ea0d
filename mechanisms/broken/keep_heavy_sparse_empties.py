"""KH' with |X| - n for the number of labels that do not occur, of which there are more where one occurs twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.finite_computers.basic_histogram import Sampler
from dpcert.mechanisms.finite_computers.keep_heavy import KEEP_HEAVY_SPARSE, keep_heavy_sparse, parameters
from dpcert.mechanisms.finite_computers.ordsample import ordsample, scaled_cumulative
from dpcert.mechanisms.mechanism import Instance, Mechanism, integer

__all__ = ["KEEP_HEAVY_SPARSE_EMPTIES"]


def of_fewer(
    order_statistics: Callable[[int, Coins], tuple[int, ...]], m: int
) -> Callable[[int, Coins], tuple[int, ...]]:
    """Map any number of empty bins to the greatest counts of m of them."""

    def release(empty: int, coins: Coins) -> tuple[int, ...]:
        return order_statistics(m, coins)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    meant = KEEP_HEAVY_SPARSE.build(settings)
    n, universe = integer(settings, "n", least=1), integer(settings, "universe", least=2)
    sampler = Sampler.of(settings)
    order_statistics = ordsample(cumulative=scaled_cumulative(sampler.law(0), n))
    fewer = of_fewer(order_statistics, universe - n)
    program = keep_heavy_sparse(n=n, universe=universe, sampler=sampler.program, order_statistics=fewer)
    return replace(meant, program=program, closed_form=None)


KEEP_HEAVY_SPARSE_EMPTIES = Mechanism(
    name="keep-heavy-sparse-empties",
    words="keep-heavy-sparse with order statistics of |X| - n counts for those of m",
    source="finite-computers, Algorithm 6.4, step 1, with n for |A|",
    parameters=parameters(n=2, universe=5),
    build=_build,
    expect="refuted",
    twin="keep-heavy-sparse",
    fault="empty bins counted as if all people had different labels",
)
