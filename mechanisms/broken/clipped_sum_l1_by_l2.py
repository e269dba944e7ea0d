"""A clipped sum with noise for l1, of histograms that were clipped in l2."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

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
from dpcert.mechanisms.user_level.clipping import sensitivity_l1

__all__ = ["CLIPPED_SUM_L1_BY_L2"]

DEFAULTS = {"users": "1", "dimension": "4", "most": "1"}


def _build(settings: Mapping[str, str]) -> Instance:
    sums = sums_of(settings)
    steps = sensitivity_l1(dimension=sums.dimension, clip=sums.clip, grid=sums.grid)
    program = clipped_sum_l1(
        clipped=partial(clipping.clip_l2, clip=sums.clip, grid=sums.grid),
        dimension=sums.dimension,
        greatest=sums.greatest,
        ratio=ratio_within(Epsilon.of(settings["epsilon"]), steps),
    )
    return replace(CLIPPED_SUM_L1.build(settings), program=program, closed_form=None)


CLIPPED_SUM_L1_BY_L2 = Mechanism(
    name="clipped-sum-l1-by-l2",
    words="clipped-sum-l1 of histograms clipped in l2, whose sum in l1 may be greater",
    source="user-level-histograms, Algorithm 1, with the clipping of l2 and the noise of l1",
    parameters=tuple(replace(known, default=DEFAULTS.get(known.name, known.default)) for known in PARAMETERS),
    build=_build,
    expect="refuted",
    twin="clipped-sum-l1",
    fault="clipping in l2 for the noise of l1",
)
