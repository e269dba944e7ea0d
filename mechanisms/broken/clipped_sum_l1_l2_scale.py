"""A clipped sum in l1 with noise for the sensitivity in l2."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from math import isqrt

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
from dpcert.mechanisms.user_level.clipping import clip_l1

__all__ = ["CLIPPED_SUM_L1_L2_SCALE"]

DEFAULTS = {"clip": "3", "grid": "1", "users": "1", "most": "3"}


def _build(settings: Mapping[str, str]) -> Instance:
    sums = sums_of(settings)
    steps = isqrt(clipping.square_sensitivity_l2(dimension=sums.dimension, clip=sums.clip, grid=sums.grid))
    program = clipped_sum_l1(
        clipped=partial(clip_l1, clip=sums.clip, grid=sums.grid),
        dimension=sums.dimension,
        greatest=sums.greatest,
        ratio=ratio_within(Epsilon.of(settings["epsilon"]), steps),
    )
    return replace(CLIPPED_SUM_L1.build(settings), program=program, closed_form=None)


CLIPPED_SUM_L1_L2_SCALE = Mechanism(
    name="clipped-sum-l1-l2-scale",
    words="clipped-sum-l1 with noise for sqrt(2) C, the sensitivity in l2, where 2C is meant",
    source="user-level-histograms, Algorithm 1, with the sensitivity of the other norm",
    parameters=tuple(replace(known, default=DEFAULTS.get(known.name, known.default)) for known in PARAMETERS),
    build=_build,
    expect="refuted",
    twin="clipped-sum-l1",
    fault="the sensitivity in l2 for the noise of l1",
)
