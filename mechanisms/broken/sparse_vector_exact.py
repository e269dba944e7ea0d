"""The sparse vector without noise on the queries: only the threshold is noisy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.literature.lattice import Lattice, reached
from dpcert.mechanisms.literature.sparse_vector import SPARSE_VECTOR, Answers, Setting, setting_of, until, with_defaults
from dpcert.mechanisms.mechanism import Instance, Mechanism

__all__ = ["SPARSE_VECTOR_EXACT"]


def sparse_vector_exact(at: Setting) -> Callable[[Sequence[int], Coins], Answers]:
    """Compare the queries themselves with a noisy threshold: equal ones have equal answers."""

    def release(queries: Sequence[int], coins: Coins) -> Answers:
        level = at.lattice.noise(at.noise).cell(at.threshold, coins)
        cells = list(queries)
        above = reached(cells, level, at.lattice, query=at.query, noise=at.noise, coins=coins)
        return until(above, at.cap)

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    at = setting_of(settings)
    wider = replace(at, lattice=Lattice(at.lattice.low - 1, at.lattice.high + 1))
    return replace(SPARSE_VECTOR.build(settings), closed_form=None, program=sparse_vector_exact(wider))


SPARSE_VECTOR_EXACT = Mechanism(
    name="sparse-vector-exact",
    words="sparse-vector with noise on the threshold alone",
    source="the benchmark's SVT5, on the integers; Lyu, Su and Li 2017, Algorithm 5",
    parameters=with_defaults(n="2"),
    build=_build,
    expect="refuted",
    twin="sparse-vector",
    fault="no noise on the queries that are compared with a noisy threshold",
)
