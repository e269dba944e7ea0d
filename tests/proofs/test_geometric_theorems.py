"""The formulas of the theorems on geometric noise are the laws of the samplers."""

from fractions import Fraction
from itertools import product

import pytest

from dpcert.mechanisms.finite_computers.empty_bin import EmptyBin, response_zero
from dpcert.mechanisms.finite_computers.geometric import geometric_law


@pytest.mark.parametrize("ratio", [Fraction(6, 5), Fraction(3)])
def test_clamped_geometric_noise_is_within_its_ratio(ratio: Fraction) -> None:
    laws = [geometric_law(n=5, ratio=ratio)(c) for c in range(6)]
    ratios = {laws[c].prob(z) / laws[c + 1].prob(z) for c, z in product(range(5), range(6))}
    assert ratios == {ratio, 1 / ratio}


@pytest.mark.parametrize(("n", "d0"), [(1, 4), (2, 7), (3, 8)])
def test_the_preimages_are_those_of_the_empty_bin_sampler(n: int, d0: int) -> None:
    zero = response_zero(n=n, weight=2)
    d = zero.d
    sampler = EmptyBin(zero, d0)
    q, r = divmod(d0, d)
    found = [sum(sampler.narrowed(u0) == u for u0 in range(1, d0 + 1)) for u in range(1, d + 1)]
    assert found == [q + 1] * r + [q] * (d - r)
    for a in range(n + 1):
        m = zero.law().prob_of(lambda count, a=a: count <= a) * d
        assert sampler.law().prob_of(lambda count, a=a: count <= a) == (q * m + min(m, r)) / d0
