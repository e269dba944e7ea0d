"""Samplers of Tumult Core 0.20.0: its discrete Laplace of scale 1, and its discrete Gaussian of variance 1."""

from fractions import Fraction

from claimed import NEAR, discrete_gaussian, discrete_laplace

import dpcert
from dpcert.libraries.tmlt_core import sampler

ONE = Fraction(1)
laplace = dpcert.same(sampler("_sample_dlaplace", ONE), discrete_laplace(ONE), inputs=[0], delta=NEAR)
gaussian = dpcert.same(sampler("sample_dgauss", ONE), discrete_gaussian(ONE), inputs=[0], delta=NEAR)
