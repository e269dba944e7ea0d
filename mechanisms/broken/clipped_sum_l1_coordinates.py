"""A clipped sum of histograms of which each count was clipped by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import floor

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Instance, Mechanism
from dpcert.mechanisms.user_level import clipping
from dpcert.mechanisms.user_level.clipped_sum_l1 import (
    CLIPPED_SUM_L1,
    PARAMETERS,
    clipped_sum_l1,
    ratio_within,
    sums_of,
)

__all__ = ["CLIPPED_SUM_L1_COORDINATES"]

DEFAULTS = {"grid": "1", "users": "1", "dimension": "3", "most": "1"}


def each_count(counts: Sequence[int], *, clip: Fraction, grid: int) -> tuple[int, ...]:
    """Return h with each entry at most C, in units of 1/grid, where its norm at most C is meant."""
    return tuple(min(grid * count, floor(grid * clip)) for count in counts)


def _build(settings: Mapping[str, str]) -> Instance:
    sums = sums_of(settings)
    steps = clipping.sensitivity_l1(dimension=sums.dimension, clip=sums.clip, grid=sums.grid)
    program = clipped_sum_l1(
        clipped=partial(each_count, clip=sums.clip, grid=sums.grid),
        dimension=sums.dimension,
        greatest=sums.greatest,
        ratio=ratio_within(Epsilon.of(settings["epsilon"]), steps),
    )
    return replace(CLIPPED_SUM_L1.build(settings), program=program, closed_form=None)


CLIPPED_SUM_L1_COORDINATES = Mechanism(
    name="clipped-sum-l1-coordinates",
    words="clipped-sum-l1 of histograms clipped count by count, whose norm grows with the number of items",
    source="user-level-histograms, Algorithm 1, with a bound on each count",
    parameters=tuple(replace(known, default=DEFAULTS.get(known.name, known.default)) for known in PARAMETERS),
    build=_build,
    expect="refuted",
    twin="clipped-sum-l1",
    fault="each count clipped by itself, not the norm",
)
