"""What was found in PipelineDP 0.3.1."""

import random
from fractions import Fraction

import numpy
import pytest

import dpcert
from dpcert.libraries import pipeline_dp as adapter
from dpcert.libraries.numpy_choice import fixed_generator

pytestmark = pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value", "ignore:divide by zero")


def test_the_exponential_mechanism_raises_on_scores_above_1419_and_so_reveals_them() -> None:
    report = dpcert.report(adapter.exponential_mechanism(1.0, inputs=[(1419, 0), (1420, 0)]))
    assert isinstance(report.verdict, dpcert.Refuted)
    assert report.delta_lo == 1


def test_the_exponential_mechanism_raises_on_low_scores_too() -> None:
    report = dpcert.report(adapter.exponential_mechanism(1.0, inputs=[(-1490, -1490), (-1491, -1491)]))
    assert isinstance(report.verdict, dpcert.Refuted)
    assert report.delta_lo == 1


def test_the_exponential_mechanism_on_small_scores_misses_at_most_rounding() -> None:
    report = dpcert.report(adapter.exponential_mechanism(1.0, inputs=[(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 0, 1)]))
    assert report.delta_hi < Fraction(1, 10**15)


def test_partition_selection_is_audited_with_its_pre_threshold() -> None:
    report = dpcert.report(adapter.kept("LAPLACE_THRESHOLDING", 1.0, 1e-5, pre_threshold=5, counts=range(30)))
    assert isinstance(report.verdict, dpcert.Verified)


def test_a_choice_by_numpy_is_by_sums_of_probabilities() -> None:
    source = random.Random(5)
    for _ in range(200):
        k = source.getrandbits(53)
        chosen = fixed_generator(k).choice([0, 1, 2], p=numpy.array([0.25, 0.25, 0.5]))
        assert chosen == (0 if k < 2**51 else 1 if k < 2**52 else 2)
