"""The counts that a mechanism of dpmm measures of a column without a stated domain, replayed on neighbouring columns.

Its own noise is drawn by a compiled library; here it is a function of ours, with the same scale.
"""

import random

import numpy
import pandas
from dpmm.models.base.mechanisms import Mechanism, mechanism

import dpcert

SIGMA = 4.75
mechanism.gaussian_noise = lambda sigma, size: numpy.zeros(size)


def noisy(count, scale):
    return count + random.gauss(0, scale)


class FirstStep(Mechanism):
    """Measure each column, as the mechanisms of dpmm begin."""

    sigma = SIGMA

    def _fit(self, data, public=False):
        self.cliques = [(column,) for column in data.domain]
        return data, self.measure(data)


def measured(domain):
    def marginal(column):
        model = FirstStep(1.0, 1e-5, n_jobs=1)
        model.set_domain(domain)
        model.fit(pandas.DataFrame({"x": column}), marginals_only=True)
        return [noisy(float(count), SIGMA) for count in model.measures[0][1]]

    own = dpcert.Primitive(f"{__name__}.noisy", "gaussian", "count", "scale")
    claim = dpcert.ApproxDP("1", "1e-5")
    inputs = [[0, 1], [0, 1, 5]]
    return dpcert.pipeline(marginal, primitives=[own], inputs=inputs, neighbours="add-remove", guarantee=claim, runs=3)


def without_domain():
    return measured(None)


def with_domain():
    return measured({"x": 6})
