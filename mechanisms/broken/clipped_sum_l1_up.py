"""A clipped sum whose clipping rounds up, and so can raise a norm above the bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
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
from dpcert.mechanisms.user_level.clipping import sensitivity_l1

__all__ = ["CLIPPED_SUM_L1_UP"]

DEFAULTS = {"grid": "1", "users": "1", "dimension": "3", "most": "1"}


def clip_up(counts: Sequence[int], *, clip: Fraction, grid: int) -> tuple[int, ...]:
    """Return h min(1, C/|h|_1) in units of 1/grid, each entry rounded up."""
    size = sum(counts)
    if size * clip.denominator <= clip.numerator:
        return tuple(grid * count for count in counts)
    top, bottom = grid * clip.numerator, size * clip.denominator
    return tuple(-(-count * top // bottom) for count in counts)


def _build(settings: Mapping[str, str]) -> Instance:
    sums = sums_of(settings)
    steps = sensitivity_l1(dimension=sums.dimension, clip=sums.clip, grid=sums.grid)
    program = clipped_sum_l1(
        clipped=partial(clip_up, clip=sums.clip, grid=sums.grid),
        dimension=sums.dimension,
        greatest=sums.greatest,
        ratio=ratio_within(Epsilon.of(settings["epsilon"]), steps),
    )
    return replace(CLIPPED_SUM_L1.build(settings), program=program, closed_form=None)


CLIPPED_SUM_L1_UP = Mechanism(
    name="clipped-sum-l1-up",
    words="clipped-sum-l1 with clipped counts rounded up, so that many small ones add up to more than C",
    source="user-level-histograms, Algorithm 1, on a lattice, rounded the other way",
    parameters=tuple(replace(known, default=DEFAULTS.get(known.name, known.default)) for known in PARAMETERS),
    build=_build,
    expect="refuted",
    twin="clipped-sum-l1",
    fault="clipping that rounds up, and can raise a norm",
)
