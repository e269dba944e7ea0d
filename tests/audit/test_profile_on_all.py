"""The profile on all counts: the least delta of all counts lies between its sides, and it composes."""

from fractions import Fraction

import pytest

import dpcert
from dpcert.audit.profile import profile
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law


@pytest.mark.parametrize(("rate", "threshold"), [("1/10", 10), ("1/2", 3), ("9/10", 2)])
def test_the_least_delta_of_all_counts_lies_between_the_sides(rate: str, threshold: int) -> None:
    found = dpcert.profile_on_all("sample-threshold", rate=rate, threshold=threshold)
    for ratio in (Fraction(11, 10), Fraction(3, 2), Fraction(20, 9), Fraction(30)):
        needed = greatest_delta(rate=Fraction(rate), threshold=threshold, ratio=ratio).delta
        assert found.lower.delta(ratio) <= needed <= found.upper.delta(ratio)
    law = sample_threshold_law(rate=Fraction(rate), threshold=threshold)
    for count in (1, 2, 5, 17, 60, 300):
        for pair in (profile(law(count), law(count - 1)), profile(law(count - 1), law(count))):
            for ratio in (Fraction(1, 20), Fraction(4, 5), Fraction(1), Fraction(6, 5), Fraction(5)):
                assert pair.delta(ratio) <= found.upper.delta(ratio)


def test_it_composes_from_both_sides() -> None:
    """With counts to 4.7 times the threshold alone, the bounds were 1.4 to 6 times apart."""
    one = dpcert.profile_on_all("sample-threshold")
    for uses in ([(one, 10), dpcert.PureDP("1/10")], [(one, 100)], [(one, 10_000)]):
        answer = dpcert.compose(uses).epsilon_at("1e-6")
        assert 0 < answer.lo <= answer.hi < answer.lo * Fraction(6, 5)


@pytest.mark.points(1)
@pytest.mark.parametrize(("rate", "threshold"), [("1/10", 100), ("1/2", 100), ("1/1000", 20)])
def test_bounds_of_many_rounds_are_near_each_other(rate: str, threshold: int) -> None:
    """With points that were as far apart about 1 as elsewhere, they were 1.2 and 2.5 times apart."""
    one = dpcert.profile_on_all("sample-threshold", rate=rate, threshold=threshold)
    answer = dpcert.compose([(one, 1000)]).epsilon_at("1e-6")
    assert 0 < answer.lo <= answer.hi < answer.lo * Fraction(10 + (rate == "1/1000"), 9)


def test_refused_without_a_theorem() -> None:
    with pytest.raises(InputError, match="theorem for all inputs"):
        dpcert.profile_on_all("geosample")
    with pytest.raises(InputError, match="theorem for all inputs"):
        dpcert.profile_on_all("sample-threshold", kmax=30)
