"""Gaussian mixtures for the tests, and their deltas by mpmath."""

from fractions import Fraction
from itertools import pairwise

import flint
import mpmath

from dpcert.audit.ideal.certificates import checker, gauss
from dpcert.audit.ideal.gaussian import Mixtures
from dpcert.mechanisms.exact.epsilon import Epsilon


def fmpq(x):
    x = Fraction(x)
    return flint.fmpq(x.numerator, x.denominator)


def vector(mean):
    return tuple(map(fmpq, mean if isinstance(mean, tuple) else (mean,)))


def mixture(rows, variance=1):
    """Return the mixture of rows (weight, mean), the same variance in each coordinate."""
    size = len(vector(rows[0][1]))
    covariance = tuple(tuple(fmpq(variance if i == j else 0) for j in range(size)) for i in range(size))
    return gauss.Mixture(covariance, [({checker.ZERO: fmpq(w)}, vector(mean)) for w, mean in rows])


def bounds(p, q, epsilon, variance=1):
    """Return the bounds of delta, and the search that finds them."""
    search = Mixtures([{"x": mixture(p, variance)}, {"x": mixture(q, variance)}])
    return search.bounds(0, 1, Epsilon.of(epsilon)), search


def fraction(x):
    """Return a number of mpmath as it is."""
    mantissa, exponent = x.man_exp
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def truth(p, q, epsilon, variance=1):
    """Return delta by the zeros of the difference of densities, in 30 digits."""
    with mpmath.workdps(30):
        ratio, deviation = mpmath.exp(number(epsilon)), mpmath.sqrt(number(variance))
        rows = [(number(w), number(m)) for w, m in p] + [(-ratio * number(w), number(m)) for w, m in q]

        def excess(y):
            return mpmath.fsum(a * mpmath.npdf(y, m, deviation) for a, m in rows)

        def below(y):
            return mpmath.fsum(a * mpmath.ncdf((y - m) / deviation) for a, m in rows)

        means = [float(m) for _, m in rows]
        grid = list(mpmath.linspace(min(means) - 13 * deviation, max(means) + 13 * deviation, 601))
        signs = [excess(y) > 0 for y in grid]
        found = [pair for *pair, a, b in zip(grid, grid[1:], signs, signs[1:], strict=False) if a != b]
        ends = [grid[0], *(mpmath.findroot(excess, pair, solver="anderson") for pair in found), grid[-1]]
        return fraction(mpmath.fsum(below(b) - below(a) for a, b in pairwise(ends) if excess((a + b) / 2) > 0))


def number(x):
    x = Fraction(x)
    return mpmath.mpf(x.numerator) / x.denominator


def sampled(rate, mean=1):
    return [(1 - Fraction(rate), 0), (Fraction(rate), mean)]


def sampled_delta(rate, deviation, epsilon, *, removed):
    """Return the delta of a sampled Gaussian by its formula, in 60 digits.

    With the noise, the density with the person over that without is 1 - rate + rate e^((2y - 1)/(2 deviation^2)).
    """
    with mpmath.workdps(60):
        q, s, ratio = number(rate), number(deviation), mpmath.exp(number(epsilon))
        bound = ratio if removed else 1 / ratio
        if bound <= 1 - q:
            return mpmath.mpf(0)
        y = s**2 * mpmath.log((bound - 1 + q) / q) + mpmath.mpf(1) / 2
        if removed:
            with_one = (1 - q) * mpmath.ncdf(-y / s) + q * mpmath.ncdf((1 - y) / s)
            return with_one - ratio * mpmath.ncdf(-y / s)
        with_one = (1 - q) * mpmath.ncdf(y / s) + q * mpmath.ncdf((y - 1) / s)
        return mpmath.ncdf(y / s) - ratio * with_one
