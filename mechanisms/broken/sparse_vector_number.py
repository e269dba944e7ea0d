"""The sparse vector with the noisy number that was compared in place of a true answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.literature.lattice import reached
from dpcert.mechanisms.literature.sparse_vector import SPARSE_VECTOR, Setting, setting_of, until, with_defaults
from dpcert.mechanisms.mechanism import Instance, Mechanism

__all__ = ["SPARSE_VECTOR_NUMBER"]


def sparse_vector_number(at: Setting) -> Callable[[Sequence[int], Coins], tuple[int | bool, ...]]:
    """Release the noisy number, which bounds the noisy threshold, where that it reaches the threshold is meant."""

    def release(queries: Sequence[int], coins: Coins) -> tuple[int | bool, ...]:
        level = at.lattice.noise(at.noise).cell(at.threshold, coins)
        cells = [at.lattice.noise(at.query).cell(value, coins) for value in queries]
        above = reached(cells, level, at.lattice, query=at.query, noise=at.noise, coins=coins)
        answers = until(above, at.cap)
        return tuple(cell if true else False for cell, true in zip(cells, answers, strict=False))

    return release


def _build(settings: Mapping[str, str]) -> Instance:
    return replace(SPARSE_VECTOR.build(settings), closed_form=None, program=sparse_vector_number(setting_of(settings)))


SPARSE_VECTOR_NUMBER = Mechanism(
    name="sparse-vector-number",
    words="sparse-vector that releases the noisy number that was compared with the threshold",
    source="the benchmark's SVT3, on the integers; Lyu, Su and Li 2017, Algorithm 3",
    parameters=with_defaults(first="1", second="2"),
    build=_build,
    expect="refuted",
    twin="sparse-vector",
    fault="the noisy number that reached the threshold released for the answer",
)
