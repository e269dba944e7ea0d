"""What was found in smartnoise-synth 1.0.8."""

from fractions import Fraction

import pytest

import dpcert
from dpcert.libraries import smartnoise_synth as adapter

SMALL = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 1), (1, 0, 1)]


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 5.0])
def test_the_exponential_mechanism_on_small_qualities_misses_at_most_rounding(epsilon: float) -> None:
    report = dpcert.audit(adapter.exponential_mechanism(epsilon, inputs=SMALL)).seen
    assert report.delta_hi < Fraction(1, 10**15)


def test_the_exponential_mechanism_is_refuted_at_epsilon_1() -> None:
    report = dpcert.audit(adapter.exponential_mechanism(1.0, inputs=[(1, 1, 0), (49, 1, 0), (50, 0, 0)])).seen
    assert isinstance(report.verdict, dpcert.Refuted)
