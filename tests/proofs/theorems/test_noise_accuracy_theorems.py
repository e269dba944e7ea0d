"""The masses of noise and the chances of histograms in the theorems on accuracy are those of the mechanisms' laws."""

from fractions import Fraction
from itertools import product
from math import prod

import pytest

from dpcert.mechanisms.finite_computers.geosample import geosample_law
from dpcert.proofs.finite_computers.theorems.accuracy import beyond

SIZES = [(1, 1), (2, 2), (4, 1), (5, 3)]


@pytest.mark.parametrize(("n", "k"), SIZES)
def test_noise_is_as_far_off_as_stated(n: int, k: int) -> None:
    """Where no clamping helps the mass beyond a is the formula's; clamped counts have no more, and a ratio of r."""
    law, ratio = geosample_law(n=n, k=k), 1 + Fraction(1, 2**k)
    for count, a in product(range(n + 1), range(n + 1)):
        off = law(count).prob_of(lambda z, c=count, a=a: abs(z - c) > a)
        assert off <= beyond(ratio, ratio**-a)
        if a < min(count, n - count):
            assert off == beyond(ratio, ratio**-a)
    assert law(0).prob(0) == ratio * law(1).prob(0)


@pytest.mark.parametrize(("n", "k"), SIZES[:3])
def test_all_counts_are_within_as_often_as_stated(n: int, k: int) -> None:
    law = geosample_law(n=n, k=k)
    for a in range(n + 1):
        within = [law(count).prob_of(lambda z, c=count, a=a: abs(z - c) <= a) for count in range(n + 1)]
        beta = 1 - min(within)
        for labels in range(1, 4):
            together = prod(within[count] for count in [n, *[0] * (labels - 1)])
            assert together >= (1 - beta) ** labels >= 1 - labels * beta
