"""The mechanisms of the literature, from their programs on ideal noise, against formulas made for each by hand."""

from fractions import Fraction

import pytest
from ideal.literature import LONG, NAMES, WITHOUT_REAL_NOISE, verdict
from literature.registry import BENCHMARK
from literature.truth import truths

from dpcert.mechanisms.logarithm import epsilon_bounds

SLOW = ("SVT6", "NumericalSVT", *LONG)
DEAR = ("ReportNoisyMax3", "ReportNoisyMax4")
BOUNDED = ("LaplaceParallel",)
"""Of these, the least epsilon is known between two bounds, which are no nearer."""
QUICK = [name for name in NAMES if name not in (*SLOW, *BOUNDED, *DEAR)]
CASES = [*QUICK[::2], *(pytest.param(name, marks=pytest.mark.nightly) for name in (*QUICK[1::2], *DEAR))]
DIGITS = Fraction(1, 10**10)


@pytest.fixture(scope="module")
def formulas():
    return truths()


def test_all_mechanisms_are_here():
    assert set(NAMES) | WITHOUT_REAL_NOISE == set(BENCHMARK)
    assert len(NAMES) == 17


@pytest.mark.parametrize(
    "name", [*QUICK[::2], *(pytest.param(x, marks=pytest.mark.nightly) for x in (*QUICK[1::2], *DEAR))]
)
def test_a_program_needs_what_its_formula_says(name, formulas):
    found, truth = verdict(name), formulas[name]
    assert found.verdict == ("verified" if BENCHMARK[name].correct else "refuted")
    low, high = found.epsilon
    if truth.epsilon is None:
        assert high is None
        return
    assert epsilon_bounds(low, 64)[0] <= truth.epsilon[1]
    assert epsilon_bounds(high, 64)[1] >= truth.epsilon[0]
    assert epsilon_bounds(high, 64)[1] - epsilon_bounds(low, 64)[0] < DIGITS


@pytest.mark.parametrize("name", BOUNDED)
def test_a_program_needs_no_more_than_its_formula_says(name, formulas):
    found, truth = verdict(name), formulas[name]
    assert found.verdict == "verified"
    assert epsilon_bounds(found.epsilon[0], 64)[0] <= truth.epsilon[0]
    assert epsilon_bounds(found.epsilon[1], 64)[1] == truth.epsilon[1]
