"""The faults of clipped-sum-l1."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from math import floor, isqrt

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Expected
from dpcert.mechanisms.user_level import clipping
from dpcert.mechanisms.user_level.clipped_sum_l1 import (
    CLIPPED_SUM_L1,
    clipped_sum_l1,
    ratio_within,
    sums_of,
)

fault = FaultsOf(CLIPPED_SUM_L1, defaults={"grid": "1", "users": "1", "most": "1"})


def noisy_sum(settings: Settings, clip: Callable[..., tuple[int, ...]], steps: int | None = None) -> Program:
    """Return the sum of clipped histograms, with noise for so many units of 1/grid, or for as many as are needed."""
    sums = sums_of(settings)
    if steps is None:
        steps = clipping.sensitivity_l1(dimension=sums.dimension, clip=sums.clip, grid=sums.grid)
    return clipped_sum_l1(
        clipped=partial(clip, clip=sums.clip, grid=sums.grid),
        dimension=sums.dimension,
        greatest=sums.greatest,
        ratio=ratio_within(Epsilon.of(settings["epsilon"]), steps),
    )


@fault(
    "clipped-sum-l1-add-remove",
    source="user-level-histograms, Algorithm 1, with the scale C/epsilon for two items or more",
    fault="the noise of an added or removed user where one is replaced",
    edit=("sensitivity_l1(dimension=1,", "sensitivity_l1(dimension=sums.dimension,"),
    defaults={"epsilon": "ln(4)"},
    expected=Expected(((0, 1),), ((1, 0),), [(0, 1)], "16/25", "1/25"),
)
def clipped_sum_l1_add_remove(settings: Settings) -> Program:
    """clipped-sum-l1 with noise for the sensitivity C of a user who joins, where 2C of a replaced one is meant"""
    sums = sums_of(settings)
    steps = clipping.sensitivity_l1(dimension=1, clip=sums.clip, grid=sums.grid)
    return noisy_sum(settings, clipping.clip_l1, steps)


@fault(
    "clipped-sum-l1-l2-scale",
    source="user-level-histograms, Algorithm 1, with the sensitivity of the other norm",
    fault="the sensitivity in l2 for the noise of l1",
    edit=(
        "isqrt(clipping.square_sensitivity_l2(dimension=sums.dimension, clip=sums.clip, grid=sums.grid))",
        "clipping.sensitivity_l1(dimension=sums.dimension, clip=sums.clip, grid=sums.grid)",
    ),
    defaults={"clip": "3", "most": "3"},
    expected=Expected(((0, 3),), ((2, 0),), [(0, 3)], "9/25", "32/675"),
)
def clipped_sum_l1_l2_scale(settings: Settings) -> Program:
    """clipped-sum-l1 with noise for sqrt(2) C, the sensitivity in l2, where 2C is meant"""
    sums = sums_of(settings)
    steps = isqrt(clipping.square_sensitivity_l2(dimension=sums.dimension, clip=sums.clip, grid=sums.grid))
    return noisy_sum(settings, clipping.clip_l1, steps)


@fault(
    "clipped-sum-l1-by-l2",
    source="user-level-histograms, Algorithm 1, with the clipping of l2 and the noise of l1",
    fault="clipping in l2 for the noise of l1",
    edit=("clipping.clip_l2", "clipping.clip_l1"),
    defaults={"grid": "2", "dimension": "4"},
    expected=Expected(((0, 1, 1, 1),), ((1, 0, 0, 0),), [(0, 2, 2, 2)], "24/625", "256/50625"),
)
def clipped_sum_l1_by_l2(settings: Settings) -> Program:
    """clipped-sum-l1 of histograms clipped in l2, whose sum in l1 may be greater"""
    return noisy_sum(settings, clipping.clip_l2)


def each_count(counts: Sequence[int], *, clip: Fraction, grid: int) -> tuple[int, ...]:
    """Return h with each entry at most C, in units of 1/grid, where its norm at most C is meant."""
    return tuple(min(grid * count, floor(grid * clip)) for count in counts)


@fault(
    "clipped-sum-l1-coordinates",
    source="user-level-histograms, Algorithm 1, with a bound on each count",
    fault="each count clipped by itself, not the norm",
    edit=(
        "tuple(min(grid * count, floor(grid * clip)) for count in counts)",
        "clipping.clip_l1(counts, clip=clip, grid=grid)",
    ),
    place=each_count,
    defaults={"dimension": "3"},
    expected=Expected(((0, 1, 1),), ((1, 0, 0),), [(0, 1, 1)], "8/27", "1/27"),
)
def clipped_sum_l1_coordinates(settings: Settings) -> Program:
    """clipped-sum-l1 of histograms clipped count by count, whose norm grows with the number of items"""
    return noisy_sum(settings, each_count)


def clip_up(counts: Sequence[int], *, clip: Fraction, grid: int) -> tuple[int, ...]:
    """Return h min(1, C/|h|_1) in units of 1/grid, each entry rounded up."""
    size = sum(counts)
    if size * clip.denominator <= clip.numerator:
        return tuple(grid * count for count in counts)
    top, bottom = grid * clip.numerator, size * clip.denominator
    return tuple(-(-count * top // bottom) for count in counts)


@fault(
    "clipped-sum-l1-up",
    source="user-level-histograms, Algorithm 1, on a lattice, rounded the other way",
    fault="clipping that rounds up, and can raise a norm",
    edit=("-(-count * top // bottom)", "count * top // bottom"),
    place=clip_up,
    defaults={"dimension": "3"},
    expected=Expected(((0, 1, 1),), ((1, 0, 0),), [(0, 1, 1)], "8/27", "1/27"),
)
def clipped_sum_l1_up(settings: Settings) -> Program:
    """clipped-sum-l1 with clipped counts rounded up, so that many small ones add up to more than C"""
    return noisy_sum(settings, clip_up)
