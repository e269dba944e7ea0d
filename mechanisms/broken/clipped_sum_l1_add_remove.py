"""A clipped sum with the noise for one user more or less, where one user is replaced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Instance, Mechanism
from dpcert.mechanisms.user_level.clipped_sum_l1 import (
    CLIPPED_SUM_L1,
    PARAMETERS,
    clipped_sum_l1,
    ratio_within,
    sums_of,
)
from dpcert.mechanisms.user_level.clipping import clip_l1, sensitivity_l1

__all__ = ["CLIPPED_SUM_L1_ADD_REMOVE"]

DEFAULTS = {"grid": "1", "users": "1", "most": "1", "epsilon": "ln(4)"}


def _build(settings: Mapping[str, str]) -> Instance:
    sums = sums_of(settings)
    steps = sensitivity_l1(dimension=1, clip=sums.clip, grid=sums.grid)
    program = clipped_sum_l1(
        clipped=partial(clip_l1, clip=sums.clip, grid=sums.grid),
        dimension=sums.dimension,
        greatest=sums.greatest,
        ratio=ratio_within(Epsilon.of(settings["epsilon"]), steps),
    )
    return replace(CLIPPED_SUM_L1.build(settings), program=program, closed_form=None)


CLIPPED_SUM_L1_ADD_REMOVE = Mechanism(
    name="clipped-sum-l1-add-remove",
    words="clipped-sum-l1 with noise for the sensitivity C of a user who joins, where 2C of a replaced one is meant",
    source="user-level-histograms, Algorithm 1, with the scale C/epsilon for two items or more",
    parameters=tuple(replace(known, default=DEFAULTS.get(known.name, known.default)) for known in PARAMETERS),
    build=_build,
    expect="refuted",
    twin="clipped-sum-l1",
    fault="the noise of an added or removed user where one is replaced",
)
