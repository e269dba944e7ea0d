"""Exact twins: Algorithms 3 and 4 of weighted-sampling in doubles, and what these doubles need."""

from fractions import Fraction
from itertools import pairwise

import pytest

from dpcert import Dist, Epsilon
from dpcert.audit.profile import profile
from dpcert.libraries.doubles import double_probabilities, double_rows, keys_excess, rows_excess
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import discrete_rows

ONES = [1.0] * 30


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 1e-3), (1.0, 1e-6)])
def test_the_doubles_are_near_the_exact_iterates(epsilon: float, delta: float) -> None:
    ratio = Epsilon.of(Fraction(epsilon)).exp_bounds(256)[0]
    exact = reporting_probabilities(q=[Fraction(1)] * 30, ratio=ratio, delta=Fraction(delta))
    for found, wanted in zip(double_probabilities(ONES, epsilon=epsilon, delta=delta), exact, strict=True):
        assert abs(Fraction(found) - wanted) < Fraction(1, 10**12)
    rows = discrete_rows(q=[Fraction(1)] * 30, ratio=ratio, delta=Fraction(delta))
    for doubles, row in zip(double_rows(ONES, epsilon=epsilon, delta=delta), rows, strict=True):
        assert len(doubles) == len(row)
        assert all(abs(Fraction(x) - y) < Fraction(1, 10**9) for x, y in zip(doubles, row, strict=True))


@pytest.mark.parametrize(("epsilon", "delta", "rate"), [(0.5, 1e-3, 1.0), (1.0, 1e-6, 0.7), (10.0, 1e-12, 1.0)])
def test_what_keys_need_is_what_the_profiles_of_their_laws_say(epsilon: float, delta: float, rate: float) -> None:
    rates = [rate] * 20
    excess = keys_excess(rates, epsilon=epsilon, delta=delta)
    chances = [Fraction(0)]
    for pi in double_probabilities(rates, epsilon=epsilon, delta=delta):
        chances.append(Fraction(rate) * Fraction(pi / rate))
    laws = [Dist.of([("shown", chance), ("silent", 1 - chance)]) for chance in chances]
    found = []
    for a, b in pairwise(laws):
        for p, q in ((a, b), (b, a)):
            found.append(profile(p, q).delta_bounds(Epsilon.of(Fraction(epsilon)), bits=256)[1])
    assert abs(max(found) - excess.delta[1]) < Fraction(1, 10**60)
    assert excess.delta[0] <= excess.delta[1]


def test_doubles_miss_delta_by_most_of_it_at_epsilon_10_and_delta_1e_12() -> None:
    excess = keys_excess([1.0] * 9, epsilon=10.0, delta=1e-12)
    assert Fraction(186, 100) < excess.delta[0] / excess.claimed_delta < Fraction(187, 100)


def test_doubles_miss_delta_by_a_part_in_ten_to_the_thirteen_at_epsilon_1_and_delta_1e_3() -> None:
    excess = rows_excess([1.0] * 16, epsilon=1.0, delta=1e-3)
    assert 0 < excess.delta_excess < 1e-11
    assert excess.delta[0] > excess.claimed_delta


def test_the_least_epsilon_at_the_claimed_delta_is_met_and_no_less_would_do() -> None:
    excess = keys_excess(ONES, epsilon=1.0, delta=1e-6)
    chances = [Fraction(0), *map(Fraction, double_probabilities(ONES, epsilon=1.0, delta=1e-6))]
    for ratio, within in ((excess.ratio, True), (excess.ratio - Fraction(1, 10**20), False)):
        pairs = [(a, b) for pair in pairwise(chances) for a, b in (pair, pair[::-1])]
        most = max(max(a - ratio * b, 0) + max((1 - a) - ratio * (1 - b), 0) for a, b in pairs)
        assert (most <= Fraction(1e-6)) is within
