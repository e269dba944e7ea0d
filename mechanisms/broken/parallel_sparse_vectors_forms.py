"""Two sparse vectors in parallel, of the two forms that are not private: numbers, and too little noise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpcert.mechanisms.broken.sparse_vector_number import sparse_vector_number
from dpcert.mechanisms.broken.sparse_vector_scale import narrow
from dpcert.mechanisms.literature.parallel_sparse_vectors import PARALLEL_SPARSE_VECTORS, in_parallel
from dpcert.mechanisms.literature.sparse_vector import setting_of, sparse_vector, with_defaults
from dpcert.mechanisms.mechanism import Instance, Mechanism

__all__ = ["PARALLEL_SPARSE_VECTORS_FORMS"]


def _build(settings: Mapping[str, str]) -> Instance:
    at = setting_of(settings)
    program = in_parallel(sparse_vector_number(at), sparse_vector(narrow(at)))
    return replace(PARALLEL_SPARSE_VECTORS.build(settings), closed_form=None, program=program)


PARALLEL_SPARSE_VECTORS_FORMS = Mechanism(
    name="parallel-sparse-vectors-forms",
    words="sparse-vector-number and sparse-vector-scale on the same queries, independent of each other",
    source="the benchmark's SVT34Parallel, on the integers; Lyu, Su and Li 2017, Algorithms 3 and 4",
    parameters=with_defaults(first="1", second="2", n="2"),
    build=_build,
    expect="refuted",
    twin="parallel-sparse-vectors",
    fault="Algorithms 3 and 4 in parallel for Algorithm 1 twice",
)
