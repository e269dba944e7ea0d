"""The faults of clipped-sum-l2."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import isqrt

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.mechanism import Expected
from dpcert.mechanisms.user_level.clipped_sum_l1 import sums_of
from dpcert.mechanisms.user_level.clipped_sum_l2 import CLIPPED_SUM_L2, clipped_sum_l2, noise_of
from dpcert.mechanisms.user_level.clipping import clip_l2, square_sensitivity_l2

fault = FaultsOf(CLIPPED_SUM_L2, defaults={"grid": "1", "users": "1", "depth": "3", "reach": "3"})


@fault(
    "clipped-sum-l2-add-remove",
    source="user-level-histograms, Algorithm 1, with the sensitivity C for two items or more",
    fault="the deviation of an added or removed user where one is replaced",
    edit=("square_sensitivity_l2(dimension=1,", "square_sensitivity_l2(dimension=sums.dimension,"),
    expected=Expected(((0, 1),), ((1, 0),), [(-1, 2)], "5517801/90402064", "11664/5650129"),
)
def clipped_sum_l2_add_remove(settings: Settings) -> Program:
    """clipped-sum-l2 with noise for C, what a user who joins adds, where sqrt(2) C of a replaced one is meant"""
    sums = sums_of(settings)
    noise = noise_of(settings, square=square_sensitivity_l2(dimension=1, clip=sums.clip, grid=sums.grid))
    clipped = partial(clip_l2, clip=sums.clip, grid=sums.grid)
    return clipped_sum_l2(clipped=clipped, dimension=sums.dimension, noise=noise.program())


def clip_near(counts: Sequence[int], *, clip: Fraction, grid: int) -> tuple[int, ...]:
    """Return h min(1, C/|h|_2) in units of 1/grid, each entry rounded to the nearest."""
    size = sum(count * count for count in counts)
    if size * clip.denominator**2 <= clip.numerator**2:
        return tuple(grid * count for count in counts)
    top, bottom = (grid * clip.numerator) ** 2, size * clip.denominator**2
    return tuple((isqrt(4 * count * count * top // bottom) + 1) // 2 for count in counts)


@fault(
    "clipped-sum-l2-nearest",
    source="user-level-histograms, Algorithm 1, on a lattice, rounded to the nearest",
    fault="clipping that rounds to the nearest, and can raise a norm",
    edit=("(isqrt(4 * count * count * top // bottom) + 1) // 2", "isqrt(count * count * top // bottom)"),
    place=clip_near,
    defaults={"dimension": "3", "sigma": "1/2", "reach": "2"},
    expected=Expected(
        ((0, 1, 1),),
        ((1, 0, 0),),
        [(0, 1, 1), (0, 1, 2), (0, 2, 1), (-1, 1, 1), (0, 0, 2), (0, 2, 0), (0, 2, 2)],
        "63/125",
        "1/125",
    ),
)
def clipped_sum_l2_nearest(settings: Settings) -> Program:
    """clipped-sum-l2 with clipped counts rounded to the nearest, so that many small ones have a norm above C"""
    sums = sums_of(settings)
    noise = noise_of(settings, square=square_sensitivity_l2(dimension=sums.dimension, clip=sums.clip, grid=sums.grid))
    clipped = partial(clip_near, clip=sums.clip, grid=sums.grid)
    return clipped_sum_l2(clipped=clipped, dimension=sums.dimension, noise=noise.program())
