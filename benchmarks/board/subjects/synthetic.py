"""Faults of synthetic data generators, told anew after the code of the repositories that rows.toml names.

Each is the step that is not private, without the networks around it; nothing here is copied. Noise is real numbers.
"""

from math import log, sqrt

import numpy
from retold import GAUSSIAN, SIGMA, claimed

import dpcert

PATE = dpcert.PureDP("2")
"""What the moments accountant of PATE charges for one label whose noise has scale 1."""


def label(votes, teachers, rng):
    """Release the label that most teachers vote for, with the noise of one vote."""
    return bool(votes + rng.laplace(0, 1) > teachers / 2)


@claimed(guarantee=GAUSSIAN, inputs=[[0.0, 1.0], [0.0, 1.0, 8.0]])
def range_of_the_data(data, rng):
    """Put what a generator makes in [0, 1] into the range of the data."""
    return min(data) + (max(data) - min(data)) * rng.random()


@claimed(guarantee=GAUSSIAN, inputs=[[0.0, 1.0], [0.0, 1.0, 8.0]])
def range_as_stated(_data, rng):
    return 8 * rng.random()


@claimed(guarantee=PATE, inputs=[[], [0], [1]])
def one_part_for_all(part, rng):
    """Train each of ten teachers on the same part of the data."""
    return label(10 * (1 in part), 10, rng)


@claimed(guarantee=PATE, inputs=[[], [0], [1]])
def a_part_for_each(part, rng):
    """Train one of ten teachers on this part; four of the others vote for 1."""
    return label(4 + (1 in part), 10, rng)


@claimed(guarantee=GAUSSIAN, inputs=[0.0, 1.0], neighbours="any")
def power_of_ten(value, rng):
    """Take 10 to the power of delta for its inverse in the scale of normal noise."""
    return value + rng.normal(0, sqrt(2 * log(1.25 * 10**1e-5)))


@claimed(guarantee=GAUSSIAN, inputs=[0.0, 1.0], neighbours="any")
def inverse_of_delta(value, rng):
    return value + rng.normal(0, sqrt(2 * log(1.25 / 1e-5)))


@claimed(guarantee=GAUSSIAN, inputs=[(1, 0), (0, 1)], neighbours="any")
def marginal_of_a_pair(counts, rng):
    """Measure the counts of two bins, where a row may move from one to the other, with the noise of sensitivity 1."""
    return tuple(count + rng.normal(0, SIGMA) for count in counts)


@claimed(guarantee=GAUSSIAN, inputs=[(1, 0), (0, 1)], neighbours="any")
def marginal_with_its_noise(counts, rng):
    return tuple(count + rng.normal(0, SIGMA * sqrt(2)) for count in counts)


@claimed(inputs=[0.0, 1.0], neighbours="any")
def weak_score(score, rng):
    """Choose of two by scores with noise for epsilon, and drop the choice if its score without noise is small."""
    chosen = score + rng.laplace(0, 1) > 0.5 + rng.laplace(0, 1)
    return bool(chosen), bool(chosen) and score <= 0.01


@claimed(inputs=[0.0, 1.0], neighbours="any")
def strong_score(score, rng):
    """Choose of two by scores with noise for epsilon."""
    return bool(score + rng.laplace(0, 1) > 0.5 + rng.laplace(0, 1))


@claimed(guarantee=GAUSSIAN, inputs=[(0, 0), (1, 1), (1, 0), (0, 1)], neighbours="linf")
def counts_of_two_columns(counts, rng):
    """Measure a count of each of two columns, with a third of rho = 0.0255, the first step of MST."""
    sigma = sqrt(3 / (2 * 0.0255)) * sqrt(2)
    return tuple(count + rng.normal(0, sigma) for count in counts)


FLOATS = dpcert.ApproxDP("1", "1e-6")


def measured(sigma):
    """Return a program that adds normal noise to a count in floats."""

    @dpcert.target(guarantee=FLOATS, inputs=[0, 1], neighbours="counts_differ_by_one")
    def count_in_floats(count, rng):
        return count + sigma * rng.normal(0, 1)

    return count_in_floats


mst_count, aim_count = measured(8.5), measured(36.0)


@dpcert.target(guarantee=FLOATS, inputs=[0.0, 1.0], neighbours="any")
def gradient_in_single(value, rng):
    """Add the half of four normal numbers in single precision."""
    noise = sum(numpy.float32(rng.normal(0, 5.3)) for _ in range(4)) / numpy.float32(2)
    return float(numpy.float32(value) + noise)
