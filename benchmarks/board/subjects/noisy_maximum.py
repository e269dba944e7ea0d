"""The noisy maximum of OpenDP, with the epsilon that its bound of zero-concentrated privacy gives at delta = 0.15."""

from fractions import Fraction

import opendp.prelude as dp

import dpcert
from dpcert.libraries import opendp

dp.enable_features("contrib", "honest-but-curious")
SCORES = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
MADE = dp.m.make_noisy_max(*SCORES, dp.zero_concentrated_divergence(), 4.0)
EPSILON = dp.c.make_zCDP_to_approxDP(MADE).map(1).epsilon(0.15)
noisy_max = opendp.sampled(
    MADE, inputs=[[0, 0], [1, -1]], neighbours="any", claimed=dpcert.ApproxDP(Fraction(EPSILON), Fraction(0.15))
)
