"""Intervals around released numbers: certified, so that each misses with probability beta at most."""

from fractions import Fraction
from math import ceil, isqrt

from dpcert.audit.sampling.binomial import UpperSum
from dpcert.mechanisms.exact.number import need
from dpcert.mechanisms.logarithm import ln_bounds
from dpcert.planning.bisection import least
from dpcert.planning.fixed import power_bounds
from dpcert.planning.lone import POWER_BITS

GRID = 96
MOST = 1 << 60
"""The greatest count, and the greatest distance, that is looked for."""


def need_beta(beta: Fraction) -> Fraction:
    """Return a beta between 0 and 1/2.

    Raises: InputError for another.
    """
    need(0 < beta < Fraction(1, 2), f"beta = {beta}", "a number above 0 and below 1/2", "write 1/20")
    return beta


def rare(n: int, k: int, p: Fraction, beta: Fraction) -> bool:
    """Whether Pr[B(n, p) >= k] <= beta is certain."""
    if k <= 0 or k > n:
        return k > n
    return UpperSum.of(n, k).at_most(-(-(p.numerator << GRID) // p.denominator), GRID, beta)


def least_count(sampled: int, rate: Fraction, beta: Fraction) -> int:
    """Return a count C below which at least `sampled` are sampled with probability beta at most.

    Claims: C is at most the least one of which at least `sampled` are sampled with probability above beta.
    """
    found = least(lambda count: not rare(count, sampled, rate, beta), sampled, MOST)
    return sampled if found is None else found


def most_count(sampled: int, rate: Fraction, beta: Fraction) -> int:
    """Return a count above which at most `sampled` are sampled with probability beta at most."""
    found = least(lambda count: rare(count, count - sampled, 1 - rate, beta), sampled + 1, MOST)
    return MOST if found is None else found - 1


def sampled_interval(sampled: int, rate: Fraction, beta: Fraction) -> tuple[int, int]:
    """Return counts between which a count lies of which so many are sampled, each with probability `rate`.

    Claims: for each count C, the probability that it is outside the interval of B(C, rate) is at most beta: each end
            is that of Clopper and Pearson for half of beta, or further out where rounding leaves it open.
    """
    return least_count(sampled, rate, beta / 2), most_count(sampled, rate, beta / 2)


def geometric_reach(ratio: Fraction, beta: Fraction) -> int:
    """Return the least t at which Pr[|Z| > t] <= beta is certain, for two-sided geometric noise of this ratio.

    The probability is 2 a^(t + 1)/(1 + a) for a = 1/ratio.
    """
    alpha = 1 / ratio
    found = least(lambda t: 2 * power_bounds(alpha, t + 1, POWER_BITS)[1] <= beta * (1 + alpha), 0, MOST)
    return MOST if found is None else found


def gaussian_reach(variance: Fraction, beta: Fraction) -> int:
    """Return a t with Pr[|X| > t] <= beta for the discrete Gaussian, which is sub-Gaussian: 2 exp(-t^2/(2 variance)).

    Source: Canonne, Kamath, Steinke 2020, Section 2, taken from the literature.
    """
    return isqrt(ceil(2 * variance * ln_bounds(2 / beta, 64)[1])) + 1
