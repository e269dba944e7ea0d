"""Samplers of IBM/discrete-gaussian-differential-privacy, which others descend from: scale 1, and variance 1."""

from fractions import Fraction

import discretegauss
from claimed import NEAR, discrete_gaussian, discrete_laplace

import dpcert


def dlaplace(scale, coins):
    return discretegauss.sample_dlaplace(scale, coins)


def dgauss(variance, coins):
    return discretegauss.sample_dgauss(variance, coins)


ONE = Fraction(1)
laplace = dpcert.same(dlaplace, discrete_laplace(ONE), inputs=[ONE], delta=NEAR)
gaussian = dpcert.same(dgauss, discrete_gaussian(ONE), inputs=[ONE], delta=NEAR)
