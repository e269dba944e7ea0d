"""Samplers of diffprivlib 0.6.6: `Geometric` of epsilon 1, and `GaussianDiscrete` with the scale that it finds."""

from fractions import Fraction

from claimed import NEAR, discrete_gaussian, discrete_laplace
from diffprivlib import mechanisms

import dpcert
from dpcert.libraries import diffprivlib

NORMAL = mechanisms.GaussianDiscrete(epsilon=1.0, delta=1e-2, sensitivity=1)
VARIANCE = Fraction(NORMAL._scale) ** 2


def sampler(mechanism):
    """Return the program of a mechanism on coins."""
    return diffprivlib.target(mechanism, inputs=[0]).function


laplace = dpcert.same(sampler(mechanisms.Geometric(epsilon=1.0)), discrete_laplace(Fraction(1)), inputs=[0], delta=NEAR)
gaussian = dpcert.same(sampler(NORMAL), discrete_gaussian(VARIANCE), inputs=[0], delta=NEAR)
