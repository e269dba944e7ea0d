"""The faults of sampled-sum-l1."""

from functools import partial

from dpcert.mechanisms.broken.fault import FaultsOf, Program, Settings
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.mechanism import Expected, probability
from dpcert.mechanisms.user_level.clipped_sum_l1 import sums_of
from dpcert.mechanisms.user_level.clipping import clip_l1
from dpcert.mechanisms.user_level.sampled_sum_l1 import SAMPLED_SUM_L1, noise_within, sampled_sum_l1

fault = FaultsOf(SAMPLED_SUM_L1)


@fault(
    "sampled-sum-l1-joined",
    source="user-level-histograms, Algorithm 1, on a sample, with the amplification for users who join",
    fault="the amplification for a user who joins where one is replaced",
    edit=("noise_within(asked, rate, dimension=1,", "noise_within(asked, rate, dimension=sums.dimension,"),
    defaults={"clip": "1", "grid": "1", "users": "1", "dimension": "2", "most": "1", "epsilon": "ln(4)"},
    expected=Expected(((0, 1),), ((0, 0),), [(0, 1)], "13/49", "13/196"),
)
def sampled_sum_l1_joined(settings: Settings) -> Program:
    """sampled-sum-l1 with noise by ln(1 - rate + rate e^epsilon), which a user who joins or leaves needs"""
    sums, rate, asked = sums_of(settings), probability(settings, "rate"), Epsilon.of(settings["epsilon"])
    return sampled_sum_l1(
        rate=rate,
        clipped=partial(clip_l1, clip=sums.clip, grid=sums.grid),
        dimension=sums.dimension,
        greatest=sums.greatest,
        ratio=noise_within(asked, rate, dimension=1, clip=sums.clip, grid=sums.grid),
    )
