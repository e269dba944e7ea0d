"""The formulas of the theorems on clipped histograms are what the clipping and the noise compute."""

from fractions import Fraction
from itertools import product

import pytest

from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.explore import Limits
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.user_level.clipped_sum_l1 import finish
from dpcert.mechanisms.user_level.clipping import (
    clip_l1,
    clip_l2,
    histograms,
    sensitivity_l1,
    shifts,
    square_sensitivity_l2,
)
from dpcert.proofs.user_level.theorems.clipping import noise, reaches, released, step_l1, step_l2


@pytest.mark.parametrize("grid", [1, 3])
@pytest.mark.parametrize("clip", [Fraction(1), Fraction(5, 2)])
def test_the_steps_are_those_of_clipped_histograms(clip: Fraction, grid: int) -> None:
    most = grid * clip
    for counts in histograms(dimension=2, most=4):
        l1, square = sum(counts), sum(count * count for count in counts)
        for entry, count in zip(clip_l1(counts, clip=clip, grid=grid), counts, strict=True):
            assert l1 <= clip or (reaches(entry, count, l1, most) and not reaches(entry + 1, count, l1, most))
        for entry, count in zip(clip_l2(counts, clip=clip, grid=grid), counts, strict=True):
            small, large = (reaches(more**2, count**2, square, most * most) for more in (entry, entry + 1))
            assert square <= clip * clip or (small and not large)
    for dimension in (1, 2):
        users = histograms(dimension=dimension, most=4)
        first, second = (
            [clipping(counts, clip=clip, grid=grid) for counts in users] for clipping in (clip_l1, clip_l2)
        )
        l1 = max(sum(map(step_l1, a, b)) for a, b in product(first, repeat=2))
        assert l1 == sensitivity_l1(dimension=dimension, clip=clip, grid=grid) <= min(dimension, 2) * most
        l2 = max(sum(map(step_l2, a, b)) for a, b in product(second, repeat=2))
        assert l2 == max(sum(x * x for x in shift) for shift in shifts(second))
        assert l2 <= square_sensitivity_l2(dimension=dimension, clip=clip, grid=grid) <= dimension * most * most


@pytest.mark.parametrize("ratio", [Fraction(3, 2), Fraction(4)])
def test_the_stage_and_what_is_beyond_it_are_the_noise(ratio: Fraction) -> None:
    greatest, limits = 3, Limits(max_tail=Fraction(1, 10**4))
    stage, inner = geometric_law(n=greatest, ratio=ratio), range(1, greatest)

    def drawn(_: object, coins: Coins) -> int:
        return finish((greatest,), coins, greatest=greatest, ratio=ratio)[0]

    beyond = enumerate_law(drawn, None, limits=limits).law
    for count in range(greatest + 1):
        assert all(stage(count).prob(z) == noise(ratio, ratio ** -abs(z - count)) for z in inner)
        for i in range(4):
            both = stage(count).prob(greatest) * beyond.prob(greatest + i)
            assert both == released(ratio, ratio ** (count - greatest), ratio**-i)
