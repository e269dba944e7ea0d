"""A clipped sum whose clipping rounds to the nearest, and so can raise a norm above the bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import isqrt

from dpcert.mechanisms.mechanism import Instance, Mechanism
from dpcert.mechanisms.user_level.clipped_sum_l1 import sums_of
from dpcert.mechanisms.user_level.clipped_sum_l2 import CLIPPED_SUM_L2, PARAMETERS, clipped_sum_l2, noise_of
from dpcert.mechanisms.user_level.clipping import square_sensitivity_l2

__all__ = ["CLIPPED_SUM_L2_NEAREST"]

DEFAULTS = {"grid": "1", "users": "1", "dimension": "3", "sigma": "1/2", "depth": "3", "reach": "2"}


def clip_near(counts: Sequence[int], *, clip: Fraction, grid: int) -> tuple[int, ...]:
    """Return h min(1, C/|h|_2) in units of 1/grid, each entry rounded to the nearest."""
    size = sum(count * count for count in counts)
    if size * clip.denominator**2 <= clip.numerator**2:
        return tuple(grid * count for count in counts)
    top, bottom = (grid * clip.numerator) ** 2, size * clip.denominator**2
    return tuple((isqrt(4 * count * count * top // bottom) + 1) // 2 for count in counts)


def _build(settings: Mapping[str, str]) -> Instance:
    sums = sums_of(settings)
    noise = noise_of(settings, square=square_sensitivity_l2(dimension=sums.dimension, clip=sums.clip, grid=sums.grid))
    clipped = partial(clip_near, clip=sums.clip, grid=sums.grid)
    program = clipped_sum_l2(clipped=clipped, dimension=sums.dimension, noise=noise.program())
    return replace(CLIPPED_SUM_L2.build(settings), program=program, closed_form=None)


CLIPPED_SUM_L2_NEAREST = Mechanism(
    name="clipped-sum-l2-nearest",
    words="clipped-sum-l2 with clipped counts rounded to the nearest, so that many small ones have a norm above C",
    source="user-level-histograms, Algorithm 1, on a lattice, rounded to the nearest",
    parameters=tuple(replace(known, default=DEFAULTS.get(known.name, known.default)) for known in PARAMETERS),
    build=_build,
    expect="refuted",
    twin="clipped-sum-l2",
    fault="clipping that rounds to the nearest, and can raise a norm",
)
