"""The masses of noise and the chances of histograms in the theorems on accuracy are those of the mechanisms' laws."""

from fractions import Fraction
from itertools import product
from math import prod

import pytest

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.finite_computers.fastsample import cutoff, fastsample_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law


def beyond(ratio: Fraction, a: int) -> Fraction:
    """Return the mass of two-sided geometric noise beyond the distance a, as the statements have it."""
    return 2 / ratio**a / (ratio + 1)


SIZES = [(1, 1), (2, 2), (4, 1), (5, 3)]


@pytest.mark.parametrize(("n", "k"), SIZES)
def test_noise_is_as_far_off_as_stated(n: int, k: int) -> None:
    """Where no clamping helps the mass beyond a is the formula's; clamped counts have no more, and a ratio of r."""
    law, ratio = geosample_law(n=n, k=k), 1 + Fraction(1, 2**k)
    for count, a in product(range(n + 1), range(n + 1)):
        off = law(count).prob_of(lambda z, c=count, a=a: abs(z - c) > a)
        assert off <= beyond(ratio, a)
        if a < min(count, n - count):
            assert off == beyond(ratio, a)
    assert law(0).prob(0) == ratio * law(1).prob(0)


@pytest.mark.parametrize(("n", "inverse"), [(2, 1), (4, 2), (3, 3)])
def test_moved_noise_is_that_of_the_law(n: int, inverse: int) -> None:
    """The mass beyond the cut-off is at the count, and the law is within it of the noise; t is as the theorem asks."""
    epsilon, gamma = Fraction(1, inverse), Fraction(1, 2)
    t, k = cutoff(n=n, epsilon=epsilon, gamma=gamma), (2 * inverse - 1).bit_length()
    ratio, steps = 1 + Fraction(1, 2**k), 0
    while 2**steps * epsilon * gamma < 8 * (n + 1) * (1 - gamma):
        steps += 1
    assert 9 * steps <= 2 * epsilon * (t + 1)
    for at in (0, 1, t):
        far = n + 5 * t  # a count in the middle of so great a range that clamping takes nothing
        law = fastsample_law(n=2 * far, epsilon=epsilon, gamma=gamma, at=at)(far)
        cut = (law.prob(far) - gamma / (2 * far + 1)) / (1 - gamma) - (ratio - 1) / (ratio + 1)
        assert cut == beyond(ratio, at)
        short = fastsample_law(n=n, epsilon=epsilon, gamma=gamma, at=at)
        for count in range(n + 1):
            mixed = Dist.mix([(gamma, Dist.uniform(n + 1)), (1 - gamma, geosample_law(n=n, k=k)(count))])
            assert short(count).total_variation(mixed) <= (1 - gamma) * beyond(ratio, at)


@pytest.mark.parametrize(("n", "k"), SIZES[:3])
def test_all_counts_are_within_as_often_as_stated(n: int, k: int) -> None:
    law = geosample_law(n=n, k=k)
    for a in range(n + 1):
        within = [law(count).prob_of(lambda z, c=count, a=a: abs(z - c) <= a) for count in range(n + 1)]
        beta = 1 - min(within)
        for labels in range(1, 4):
            together = prod(within[count] for count in [n, *[0] * (labels - 1)])
            assert together >= (1 - beta) ** labels >= 1 - labels * beta
