"""The formulas of the theorems on clipped histograms are what the clipping and the noise compute."""

from fractions import Fraction
from itertools import product
from math import floor

import pytest

from dpcert import Coins, Epsilon, Limits
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
from dpcert.mechanisms.user_level.gaussian_profile import concentrated_delta, enclose
from dpcert.reading.paths.enumerator import enumerate_law


def entry_l1(count: int, norm: int, clip: Fraction, grid: int) -> int:
    """Return `clipped norm_1` of Clipping.v: the count, in units, times the lesser of 1 and C/norm, rounded down."""
    return floor(count * grid * (min(Fraction(1), clip / norm) if norm else 1))


@pytest.mark.parametrize("grid", [1, 3])
@pytest.mark.parametrize("clip", [Fraction(1), Fraction(5, 2)])
def test_the_entries_and_distances_are_those_of_clipped_histograms(clip: Fraction, grid: int) -> None:
    most = grid * clip
    for counts in histograms(dimension=2, most=4):
        l1, square = sum(counts), sum(count * count for count in counts)
        assert clip_l1(counts, clip=clip, grid=grid) == tuple(entry_l1(count, l1, clip, grid) for count in counts)
        for entry, count in zip(clip_l2(counts, clip=clip, grid=grid), counts, strict=True):
            share = min(Fraction(1), clip**2 / square) if square else 1
            assert entry**2 <= count**2 * grid**2 * share < (entry + 1) ** 2
    for dimension in (1, 2):
        users = histograms(dimension=dimension, most=4)
        first, second = (
            [clipping(counts, clip=clip, grid=grid) for counts in users] for clipping in (clip_l1, clip_l2)
        )
        assert max(map(sum, first)) <= floor(most)
        l1 = max(sum(abs(x - y) for x, y in zip(a, b, strict=True)) for a, b in product(first, repeat=2))
        assert l1 == sensitivity_l1(dimension=dimension, clip=clip, grid=grid) <= min(dimension, 2) * most
        l2 = max(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) for a, b in product(second, repeat=2))
        assert l2 == max(sum(x * x for x in shift) for shift in shifts(second))
        assert l2 <= square_sensitivity_l2(dimension=dimension, clip=clip, grid=grid) <= dimension * most * most


def noise(ratio: Fraction, distance: int) -> Fraction:
    """Return `noise` of GeoSample.v at alpha = 1/ratio."""
    alpha = 1 / ratio
    return (1 - alpha) / (1 + alpha) * alpha**distance


@pytest.mark.points(1)
@pytest.mark.parametrize("ratio", [Fraction(4), Fraction(3, 2)])
def test_the_stage_and_what_is_beyond_it_are_the_noise(ratio: Fraction) -> None:
    greatest, limits = 3, Limits(max_tail=Fraction(1, 10**3))
    stage, inner = geometric_law(n=greatest, ratio=ratio), range(1, greatest)

    def drawn(_: object, coins: Coins) -> int:
        return finish((greatest,), coins, greatest=greatest, ratio=ratio)[0]

    beyond = enumerate_law(drawn, None, limits=limits).law
    for count in range(greatest + 1):
        assert all(stage(count).prob(z) == noise(ratio, abs(z - count)) for z in inner)
        for i in range(4):
            both = stage(count).prob(greatest) * beyond.prob(greatest + i)
            assert both == noise(ratio, greatest - count + i)


def delta_of_order(n: int, rho: Fraction, epsilon: Epsilon) -> tuple[Fraction, Fraction]:
    """Return bounds of `concentrated_delta` of Clipping.v, of the order n + 1."""
    share = Fraction(n, n + 1) ** (n + 1) / n
    grown, e = Epsilon.of(n * (n + 1) * rho).exp_bounds(128), epsilon.exp_bounds(128)
    return grown[0] / e[1] ** n * share, grown[1] / e[0] ** n * share


@pytest.mark.parametrize("epsilon", [Epsilon.of(1), Epsilon.ln(3)])
@pytest.mark.parametrize("sigma", [Fraction(1, 3), Fraction(1), Fraction(9, 2)])
def test_the_delta_is_that_of_a_release(sigma: Fraction, epsilon: Epsilon) -> None:
    rho = 1 / (2 * sigma**2)
    bounds = [delta_of_order(n, rho, epsilon) for n in range(1, 60)]
    found = concentrated_delta(rho, epsilon)
    assert (
        min(1, min(lo for lo, _ in bounds)) <= found <= min(1, min(hi for _, hi in bounds)) * (1 + Fraction(1, 2**50))
    )
    for clip, grid in ((Fraction(1), 1), (Fraction(7, 2), 3)):
        units = floor(grid * clip) ** 2, 2 * floor((grid * clip) ** 2)
        for dimension, squared in zip((1, 3), units, strict=True):
            variance = sigma**2 * square_sensitivity_l2(dimension=dimension, clip=clip, grid=grid)
            assert squared / (2 * variance) == rho


@pytest.mark.parametrize(("a", "b"), [((0, 0), (1, 1)), ((3, -2), (1, 0))])
def test_three_shifts_of_the_noise_are_in_the_line_of_the_proof(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    """p <= E q + delta t at every point: p is about a, q about b, and t about (n + 1) a - n b."""
    variance, epsilon = Fraction(5), Epsilon.ln(2)
    rho = Fraction(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)), 1) / (2 * variance)
    noise = enclose(variance=variance, bits=64)

    def weight(about: tuple[int, ...], point: tuple[int, ...]) -> tuple[Fraction, Fraction]:
        square = sum((x - c) ** 2 for x, c in zip(point, about, strict=True))
        lo, hi = Epsilon.of(square / (2 * variance)).exp_bounds(128)
        return 1 / hi, 1 / lo

    for n in (1, 2, 4):
        delta = delta_of_order(n, rho, epsilon)
        beyond = tuple((n + 1) * x - n * y for x, y in zip(a, b, strict=True))
        for point in product(range(-noise.reach // 3, noise.reach // 3 + 1, 3), repeat=2):
            assert weight(a, point)[0] <= 2 * weight(b, point)[1] + delta[1] * weight(beyond, point)[1]
