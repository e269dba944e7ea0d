"""A clipped sum with the noise for one user more or less, where one user is replaced, in l2."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from dpcert.mechanisms.mechanism import Instance, Mechanism
from dpcert.mechanisms.user_level.clipped_sum_l1 import sums_of
from dpcert.mechanisms.user_level.clipped_sum_l2 import CLIPPED_SUM_L2, PARAMETERS, clipped_sum_l2, noise_of
from dpcert.mechanisms.user_level.clipping import clip_l2, square_sensitivity_l2

__all__ = ["CLIPPED_SUM_L2_ADD_REMOVE"]

DEFAULTS = {"grid": "1", "users": "1", "depth": "3", "reach": "3"}


def _build(settings: Mapping[str, str]) -> Instance:
    sums = sums_of(settings)
    noise = noise_of(settings, square=square_sensitivity_l2(dimension=1, clip=sums.clip, grid=sums.grid))
    clipped = partial(clip_l2, clip=sums.clip, grid=sums.grid)
    program = clipped_sum_l2(clipped=clipped, dimension=sums.dimension, noise=noise.program())
    return replace(CLIPPED_SUM_L2.build(settings), program=program, closed_form=None)


CLIPPED_SUM_L2_ADD_REMOVE = Mechanism(
    name="clipped-sum-l2-add-remove",
    words="clipped-sum-l2 with noise for C, what a user who joins adds, where sqrt(2) C of a replaced one is meant",
    source="user-level-histograms, Algorithm 1, with the sensitivity C for two items or more",
    parameters=tuple(replace(known, default=DEFAULTS.get(known.name, known.default)) for known in PARAMETERS),
    build=_build,
    expect="refuted",
    twin="clipped-sum-l2",
    fault="the deviation of an added or removed user where one is replaced",
)
