"""The sparse vector that answers every query, however many answers are true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpcert.mechanisms.literature.sparse_vector import SPARSE_VECTOR, setting_of, sparse_vector, with_defaults
from dpcert.mechanisms.literature.vectors import shape_of
from dpcert.mechanisms.mechanism import Instance, Mechanism

__all__ = ["SPARSE_VECTOR_UNCAPPED"]


def _build(settings: Mapping[str, str]) -> Instance:
    at, (n, most) = setting_of(settings), shape_of(settings)
    half = n // 2
    inputs = [[0] * n, [0] * half + [most] * (n - half), [most] * half + [0] * (n - half), [most] * n]
    program = sparse_vector(replace(at, cap=n))
    return replace(SPARSE_VECTOR.build(settings), closed_form=None, program=program, inputs=tuple(inputs))


SPARSE_VECTOR_UNCAPPED = Mechanism(
    name="sparse-vector-uncapped",
    words="sparse-vector without an end; audited on all 0, all 1, and half and half",
    source="the benchmark's SVT6, on the integers; Lyu, Su and Li 2017, Algorithm 6",
    parameters=with_defaults(first="1", second="2", n="4"),
    build=_build,
    expect="refuted",
    twin="sparse-vector",
    fault="no end after as many true answers as the claim allows",
)
