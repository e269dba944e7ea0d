"""Programs with primitives, which are replayed on neighbouring data sets: each function returns what was found.

Noise of the retold program is of a function here; that of diffprivlib is of its own mechanisms.
"""

import random
import warnings
from math import nan

import dpcert
from dpcert.pipelines.libraries import DIFFPRIVLIB

warnings.simplefilter("ignore")
ONE = dpcert.PureDP("1")


def laplace(value, scale):
    return value + scale * (random.expovariate(1) - random.expovariate(1))


def clipped_sum(data):
    """Clip by comparisons, which NaN passes."""
    return laplace(sum(5.0 if x > 5 else -5.0 if x < -5 else x for x in data), 5.0)


def clean_sum(data):
    """Clip, and take NaN for 0."""
    return laplace(sum(0.0 if x != x else 5.0 if x > 5 else -5.0 if x < -5 else x for x in data), 5.0)


def found(program):
    own = dpcert.Primitive(f"{__name__}.laplace", "laplace", "value", "scale")
    inputs = dpcert.databases([1.0, 9.0, nan], up_to=2)
    return dpcert.pipeline(program, primitives=[own], inputs=inputs, neighbours="add-remove", guarantee=ONE)


def not_a_number():
    return found(clipped_sum)


def no_number_is_zero():
    return found(clean_sum)


def fitted(rows, *, intercept):
    """Return the coefficients of a linear regression of diffprivlib."""
    import numpy
    from diffprivlib.models import LinearRegression

    points, values = numpy.array([[x] for x, _ in rows]), numpy.array([y for _, y in rows])
    bounds = {"bounds_X": (0.0, 100.0) if not intercept else (-100.0, 100.0), "bounds_y": (-100.0, 100.0)}
    return LinearRegression(epsilon=1.0, fit_intercept=intercept, **bounds).fit(points, values).coef_


def regression(*, intercept):
    rows = [(50.0, 10.0), (0.0, 0.0), (100.0, 100.0), (-100.0 * intercept, 100.0)]
    inputs = [[one, other] for one in rows for other in rows]

    def program(data):
        return fitted(data, intercept=intercept)

    return dpcert.pipeline(program, primitives=DIFFPRIVLIB, inputs=inputs, neighbours="substitute", guarantee=ONE)


def squares():
    return regression(intercept=False)


def centring():
    return regression(intercept=True)
