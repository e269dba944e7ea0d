"""The levels of the theorem on rounded powers are those of Algorithm 6.16 as it ships, with the power in binary."""

from fractions import Fraction
from itertools import product
from math import floor

import pytest

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.finite_computers.approx_sampling import approx_bin_law, approx_conv_exp
from dpcert.proofs.finite_computers.checks.approximation import binomial_law

Vector = list[Fraction]


def convolution(a: Vector, b: Vector) -> Vector:
    """Return number k as the sum over i up to k of a(i) b(k + 1 - i), from 1 on."""
    return [sum((a[i - 1] * b[k - i] for i in range(1, k + 1)), Fraction(0)) for k in range(1, len(a) + 1)]


@pytest.mark.parametrize(("t", "s"), [(1, 7), (2, 5), (3, 4)])
def test_levels_are_those_of_the_algorithm(t: int, s: int) -> None:
    for whole in product(range(s + 1), repeat=t):
        if sum(whole) > s:
            continue
        a = [Fraction(number, s) for number in whole]
        for power in range(1, 20):
            rounded, exact, i = a, a, 1
            for digit in f"{power:b}"[1:]:
                w, exact = convolution(rounded, rounded), convolution(exact, exact)
                if digit == "1":
                    w, exact = convolution(a, w), convolution(a, exact)
                i = 2 * i + int(digit)
                rounded = [Fraction(number, s) for number in approx_conv_exp(whole, i, s=s)]
                assert rounded == [Fraction(floor(s * number), s) for number in w]
            assert i == power
            error = sum(abs(b - c) for b, c in zip(rounded, exact, strict=True))
            assert sum(rounded) <= 1
            assert error <= Fraction(t * (i - 1), s)


@pytest.mark.parametrize("m", [1, 2, 4])
@pytest.mark.parametrize("s", [4, 7])
def test_rounded_binomials_are_within_the_parts(m: int, s: int) -> None:
    """The law that ships has the rounded numbers below the cap and the rest there, and coins of two rates differ so."""
    for q, cap in product((2, 3), range(4)):
        for p in range(q + 1):
            hit = s * p // q
            exact, near = binomial_law(m=m, p=p, q=q, cap=m), binomial_law(m=m, p=hit, q=s, cap=m)
            assert exact.total_variation(near) <= m * (Fraction(p, q) - Fraction(hit, s)) <= Fraction(m, s)
            law = approx_bin_law(m=m, p=p, q=q, s=s, cap=cap)
            below = approx_conv_exp([s - hit, hit, *[0] * cap][:cap], m, s=s) if cap else []
            assert law == Dist.from_weights([*enumerate(below), (cap, s - sum(below))], s)
            rounding = law.total_variation(binomial_law(m=m, p=hit, q=s, cap=cap))
            assert rounding <= Fraction(cap * (m - 1), s)
            capped = binomial_law(m=m, p=p, q=q, cap=cap)
            assert law.total_variation(capped) <= rounding + m * (Fraction(p, q) - Fraction(hit, s))
