"""Measurements of OpenDP as a user makes them, with the bounds that their maps state."""

from fractions import Fraction

import opendp.prelude as dp

import dpcert
from dpcert.libraries import opendp

dp.enable_features("contrib", "honest-but-curious", "idealized-numerics")
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)


def stated(measurement, distance, delta=None):
    """Return the bound of a measurement's map at a distance."""
    if delta is None:
        return dpcert.PureDP(Fraction(measurement.map(distance)))
    converted = dp.c.make_zCDP_to_approxDP(measurement)
    return dpcert.ApproxDP(Fraction(converted.map(distance).epsilon(delta)), Fraction(delta))


LAPLACE = dp.m.make_laplace(*FLOATS, scale=1.0)
GAUSSIAN = dp.m.make_gaussian(*FLOATS, scale=4.0)
laplace = opendp.sampled(LAPLACE, inputs=[0.0, 1.0], neighbours="any", claimed=stated(LAPLACE, 1.0))
gaussian = opendp.sampled(GAUSSIAN, inputs=[0.0, 1.0], neighbours="any", claimed=stated(GAUSSIAN, 1.0, 1e-6))
threshold = opendp.threshold_target(0.5, 3)
BITS = dp.m.make_randomized_response_bitvec(dp.bitvector_domain(max_weight=1), dp.discrete_distance(), f=0.5)
bits = opendp.sampled(BITS, inputs=[b"\x01", b"\x01\x00"], neighbours="any", claimed=stated(BITS, 1))
