"""Samplers of OpenDP 0.16.0, which are compiled: sampled, so that only a difference can be shown."""

from fractions import Fraction

import opendp.prelude as dp
from claimed import NEAR, discrete_gaussian, discrete_laplace

import dpcert

dp.enable_features("contrib")
INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
LAPLACE, GAUSSIAN = dp.m.make_laplace(*INTEGERS, scale=1.0), dp.m.make_gaussian(*INTEGERS, scale=1.0)


def dlaplace(value):
    return LAPLACE(value)


def dgauss(value):
    return GAUSSIAN(value)


laplace = dpcert.same(dlaplace, discrete_laplace(Fraction(1)), inputs=[0], delta=NEAR)
gaussian = dpcert.same(dgauss, discrete_gaussian(Fraction(1)), inputs=[0], delta=NEAR)
