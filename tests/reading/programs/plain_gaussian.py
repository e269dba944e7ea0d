"""The discrete Gaussian of Canonne, Kamath and Steinke 2020 as one writes it: nested plain loops over fractions."""

from __future__ import annotations

from fractions import Fraction
from math import floor, isqrt

from dpcert.mechanisms.exact.coins import Coins


def bernoulli(p: Fraction, coins: Coins) -> int:
    return 1 if coins.randrange(p.denominator) < p.numerator else 0


def bernoulli_exp_fraction(x: Fraction, coins: Coins) -> int:
    k = 1
    while True:
        if bernoulli(x / k, coins) == 1:
            k = k + 1
        else:
            break
    return k % 2


def bernoulli_exp(x: Fraction, coins: Coins) -> int:
    while x > 1:
        if bernoulli_exp_fraction(Fraction(1), coins) == 1:
            x = x - 1
        else:
            return 0
    return bernoulli_exp_fraction(x, coins)


def geometric(x: Fraction, coins: Coins) -> int:
    k = 0
    while True:
        if bernoulli_exp(x, coins) == 1:
            k = k + 1
        else:
            return k


def geometric_fast(x: Fraction, coins: Coins) -> int:
    t = x.denominator
    while True:
        u = int(coins.randrange(t))
        if bernoulli_exp(Fraction(u, t), coins) == 1:
            break
    return (geometric(Fraction(1), coins) * t + u) // x.numerator


def laplace(scale: int, coins: Coins) -> int:
    while True:
        sign = bernoulli(Fraction(1, 2), coins)
        magnitude = geometric_fast(Fraction(1, scale), coins)
        if sign == 1 and magnitude == 0:
            continue
        return magnitude * (1 - 2 * sign)


def gaussian(variance: Fraction, coins: Coins) -> int:
    t = isqrt(floor(variance)) + 1
    while True:
        candidate = laplace(t, coins)
        bias = (abs(candidate) - variance / t) ** 2 / (2 * variance)
        if bernoulli_exp(bias, coins) == 1:
            return candidate
