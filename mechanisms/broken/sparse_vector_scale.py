"""The sparse vector with noise on queries of scale 1/epsilon_2 where 2c/epsilon_2 is meant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpcert.mechanisms.literature.sparse_vector import SPARSE_VECTOR, Setting, setting_of, sparse_vector, with_defaults
from dpcert.mechanisms.mechanism import Instance, Mechanism

__all__ = ["SPARSE_VECTOR_SCALE", "narrow"]


def narrow(at: Setting) -> Setting:
    """Return a setting with noise on queries that is 2c times too narrow."""
    return replace(at, query=at.query ** (2 * at.cap))


def _build(settings: Mapping[str, str]) -> Instance:
    program = sparse_vector(narrow(setting_of(settings)))
    return replace(SPARSE_VECTOR.build(settings), closed_form=None, program=program)


SPARSE_VECTOR_SCALE = Mechanism(
    name="sparse-vector-scale",
    words="sparse-vector whose noise on queries has scale 1/epsilon_2, epsilon_1 : epsilon_2 = 1 : 3",
    source="the benchmark's SVT4, on the integers; Lyu, Su and Li 2017, Algorithm 4",
    parameters=with_defaults(first="2", second="3", n="2"),
    build=_build,
    expect="refuted",
    twin="sparse-vector",
    fault="the scale 1/epsilon_2 for 2c/epsilon_2: neither the factor 2 nor the number of true answers",
)
