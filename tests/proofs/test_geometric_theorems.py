"""The formulas of the theorems on geometric noise are the laws of the samplers."""

from fractions import Fraction
from itertools import product

import pytest

from dpcert.mechanisms.finite_computers.empty_bin import EmptyBin, response_zero
from dpcert.mechanisms.finite_computers.fastsample import cutoff, fastsample_law
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.finite_computers.geosample import geosample_law, noise_exponent
from dpcert.proofs.finite_computers.theorems.geometric import (
    above,
    below,
    mass,
    mixed_scaled,
    scaled_above,
    scaled_below,
    short_above,
    short_below,
)


@pytest.mark.parametrize(("n", "k"), [(1, 0), (4, 1), (5, 3)])
def test_the_scaled_functions_are_those_of_geosample(n: int, k: int) -> None:
    K, B = 2**k, 2**k + 1
    d = (2 * K + 1) * B ** (n - 1)
    for c in range(n + 1):
        law = geosample_law(n=n, k=k)(c)
        for z in range(n):
            j = abs(z - c)
            share = Fraction(K, B) ** j
            if z < c:
                scaled, noise = scaled_below(K, K**j, B ** (n - j)), below(Fraction(K), share)
            else:
                scaled, noise = scaled_above(K, d, K ** (j + 1), B ** (n - 1 - j)), above(Fraction(K), share)
            assert law.prob_of(lambda y, z=z: y <= z) == Fraction(scaled, d) == noise
            if 0 < z < n:
                assert law.prob(z) == mass(Fraction(K), share)


@pytest.mark.parametrize("ratio", [Fraction(6, 5), Fraction(3)])
def test_clamped_geometric_noise_is_within_its_ratio(ratio: Fraction) -> None:
    laws = [geometric_law(n=5, ratio=ratio)(c) for c in range(6)]
    ratios = {laws[c].prob(z) / laws[c + 1].prob(z) for c, z in product(range(5), range(6))}
    assert ratios == {ratio, 1 / ratio}


@pytest.mark.parametrize(
    ("n", "epsilon", "gamma"), [(2, Fraction(1), Fraction(1, 2)), (3, Fraction(1), Fraction(1, 5))]
)
def test_the_short_functions_are_those_of_fastsample(n: int, epsilon: Fraction, gamma: Fraction) -> None:
    k, t = noise_exponent(epsilon), cutoff(n=n, epsilon=epsilon, gamma=gamma)
    K, B = 2**k, 2**k + 1
    short, w = (2 * K + 1) * B**t, K ** (t + 1)
    for c, z in product(range(n + 1), range(n)):
        j = abs(z - c)
        if z < c:
            inner = short_below(K, K**j, B ** (t + 1 - j), w)
        else:
            inner = short_above(K, short, K ** (j + 1), B ** (t - j), w)
        scaled = mixed_scaled(1 / gamma, (z + 1) * short, (n + 1) * inner)
        law = fastsample_law(n=n, epsilon=epsilon, gamma=gamma)(c)
        assert j < t
        assert law.prob_of(lambda y, z=z: y <= z) == scaled / ((n + 1) * short / gamma)


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
