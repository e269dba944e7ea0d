"""The faults of sparse-vector and parallel-sparse-vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.literature.lattice import Lattice, reached
from dpcert.mechanisms.literature.parallel_sparse_vectors import PARALLEL_SPARSE_VECTORS, in_parallel
from dpcert.mechanisms.literature.sparse_vector import (
    SPARSE_VECTOR,
    Answers,
    SparseVectorSetting,
    setting_of,
    sparse_vector,
    until,
)
from dpcert.mechanisms.literature.vectors import shape_of
from dpcert.mechanisms.mechanism import Expected, Instance

sparse_vector_fault = FaultsOf(SPARSE_VECTOR, defaults={"first": "1", "second": "2", "n": "2"})
parallel_sparse_vectors_fault = FaultsOf(PARALLEL_SPARSE_VECTORS)


def with_numbers(at: SparseVectorSetting) -> Callable[[Sequence[int], Coins], tuple[int | bool, ...]]:
    """Release the noisy number, which bounds the noisy threshold, where that it reaches the threshold is meant."""

    def release(queries: Sequence[int], coins: Coins) -> tuple[int | bool, ...]:
        level = at.lattice.noise(at.noise).cell(at.threshold, coins)
        cells = [at.lattice.noise(at.query).cell(value, coins) for value in queries]
        above = reached(cells, level, at.lattice, query=at.query, noise=at.noise, coins=coins)
        answers = until(above, at.cap)
        return tuple(cell if true else False for cell, true in zip(cells, answers, strict=False))

    return release


@sparse_vector_fault(
    "sparse-vector-number",
    source="the benchmark's SVT3, on the integers; Lyu, Su and Li 2017, Algorithm 3",
    fault="the noisy number that reached the threshold released for the answer",
    edit=("cell if true else False for", "true for"),
    place=with_numbers,
    defaults={"n": "3"},
    expected=Expected([0, 0, 0], [1, 1, 1], [(False, False, 0)], "2048/492125", "32/492125"),
)
def sparse_vector_number(settings: Settings) -> Program:
    """sparse-vector that releases the noisy number that was compared with the threshold"""
    return with_numbers(setting_of(settings))


def narrow(at: SparseVectorSetting) -> SparseVectorSetting:
    """Return a setting with noise on queries that is 2c times too narrow."""
    return replace(at, query=at.query ** (2 * at.cap))


@sparse_vector_fault(
    "sparse-vector-scale",
    source="the benchmark's SVT4, on the integers; Lyu, Su and Li 2017, Algorithm 4",
    fault="the scale 1/epsilon_2 for 2c/epsilon_2: neither the factor 2 nor the number of true answers",
    edit=("query=at.query ** (2 * at.cap)", "query=at.query"),
    place=narrow,
    defaults={"first": "2", "second": "3"},
    expected=Expected([0, 1], [1, 0], [(False, True)], "1149865984/1961181625", "418321/1961181625"),
)
def sparse_vector_scale(settings: Settings) -> Program:
    """sparse-vector whose noise on queries has scale 1/epsilon_2, epsilon_1 : epsilon_2 = 1 : 3"""
    return sparse_vector(narrow(setting_of(settings)))


@sparse_vector_fault(
    "sparse-vector-exact",
    source="the benchmark's SVT5, on the integers; Lyu, Su and Li 2017, Algorithm 5",
    fault="no noise on the queries that are compared with a noisy threshold",
    edit=("list(queries)", "[at.lattice.noise(at.query).cell(value, coins) for value in queries]"),
    defaults={"first": "2", "second": "1"},
    expected=Expected([0, 1], [0, 0], [(False, True)], "3/5", "0"),
)
def sparse_vector_exact(settings: Settings) -> Callable[[Sequence[int], Coins], Answers]:
    """sparse-vector with noise on the threshold alone"""
    given = setting_of(settings)
    at = replace(given, lattice=Lattice(given.lattice.low - 1, given.lattice.high + 1))

    def release(queries: Sequence[int], coins: Coins) -> Answers:
        level = at.lattice.noise(at.noise).cell(at.threshold, coins)
        cells = list(queries)
        above = reached(cells, level, at.lattice, query=at.query, noise=at.noise, coins=coins)
        return until(above, at.cap)

    return release


def in_halves(settings: Settings, meant: Instance) -> dict[str, Any]:
    """Return the scope of vectors whose first half is alike, and whose other half."""
    n, most = shape_of(settings)
    return {"inputs": tuple([a] * (n // 2) + [b] * (n - n // 2) for a, b in product((0, most), repeat=2))}


@sparse_vector_fault(
    "sparse-vector-uncapped",
    source="the benchmark's SVT6, on the integers; Lyu, Su and Li 2017, Algorithm 6",
    fault="no end after as many true answers as the claim allows",
    edit=("replace(at, cap=n)", "at"),
    claim=in_halves,
    defaults={"n": "4"},
    expected=Expected(
        [0, 0, 1, 1], [1, 1, 0, 0], [(False, False, True, True)], "187332352/1257379375", "1371787/1257379375"
    ),
)
def sparse_vector_uncapped(settings: Settings) -> Program:
    """sparse-vector without an end; audited on all 0, all 1, and half and half"""
    at, (n, _) = setting_of(settings), shape_of(settings)
    return sparse_vector(replace(at, cap=n))


@parallel_sparse_vectors_fault(
    "parallel-sparse-vectors-forms",
    source="the benchmark's SVT34Parallel, on the integers; Lyu, Su and Li 2017, Algorithms 3 and 4",
    fault="Algorithms 3 and 4 in parallel for Algorithm 1 twice",
    edit=("with_numbers(at), sparse_vector(narrow(at))", "sparse_vector(at), sparse_vector(at)"),
    defaults={"first": "1", "second": "2"},
    expected=Expected([0, 1], [1, 0], [((False, 1), (False, True))], "439005184/4967183165", "53705/993436633"),
)
def parallel_sparse_vectors_forms(settings: Settings) -> Program:
    """sparse-vector-number and sparse-vector-scale on the same queries, independent of each other"""
    at = setting_of(settings)
    return in_parallel(with_numbers(at), sparse_vector(narrow(at)))
