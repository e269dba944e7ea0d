"""What the tests of enclosures share: laws, and their profiles."""

from fractions import Fraction
from math import comb

from dpcert.mechanisms.dist import Dist


def law(values: list[int]) -> Dist:
    return Dist.from_weights(enumerate(values), sum(values))


def binomial_probability(n: int, k: int, p: Fraction) -> Fraction:
    return comb(n, k) * p**k * (1 - p) ** (n - k)
