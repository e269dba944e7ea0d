"""A variance that smartnoise-synth releases, of values said to lie from 0 to 1: one of them is another; epsilon = 1.

It is rounded to an integer, so that the bits of floats are no matter.
"""

import pandas
from loading import loaded

import dpcert

MODULE = loaded("snsynth/models/dp_covariance.py", "dp_covariance")  # its package asks for a scikit-learn of long ago


@dpcert.target(guarantee=dpcert.PureDP("1"), inputs=[(0.0, 1.0), (0.0, 100.0)], neighbours="any")
def variance(values):
    data = pandas.DataFrame({"x": values, "y": values})
    covariance = MODULE.DPcovariance(2, ["x", "y"], pandas.DataFrame([[0.0, 0.0], [1.0, 1.0]]), 1.0)
    return round(covariance.release(data)[0])
