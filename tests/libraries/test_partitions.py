"""Exact twins: a public probability of keeping a partition as a law."""

from fractions import Fraction

import dpcert
from dpcert.libraries.comparison import Comparison, least_delta
from dpcert.libraries.pydp import one_user_more, selection

CHANCES = {0: 0.0, 1: 0.25, 2: 0.5, 3: 1.0}


def test_each_partition_is_kept_with_the_double_itself() -> None:
    claimed = dpcert.ApproxDP("ln(2)", "1/2")
    found = selection(CHANCES.__getitem__, counts=range(4), partitions=2, guarantee=claimed, name="kept")
    law = found.law((1, 1))
    assert law.prob((True, True)) == Fraction(1, 16)
    assert law.prob((False, True)) == Fraction(3, 16)
    verdict = dpcert.audit(found).seen.verdict
    assert isinstance(verdict, dpcert.Refuted)
    assert dpcert.audit(found).seen.assumptions[0].startswith("partitions are kept independently")
    single = selection(CHANCES.__getitem__, counts=range(4), partitions=1, guarantee=claimed, name="kept")
    assert dpcert.audit(single).verdict == "verified"


def test_a_number_that_is_no_probability_is_an_outcome() -> None:
    claimed = dpcert.ApproxDP("1", "1/2")
    found = selection(lambda count: 1.5 * count, counts=[0, 1], partitions=1, guarantee=claimed, name="wild")
    verdict = dpcert.audit(found).seen.verdict
    assert isinstance(verdict, dpcert.Refuted)


def test_neighbours_are_one_user_more_in_any_of_the_partitions() -> None:
    assert one_user_more((1, 1), (1, 2))
    assert one_user_more((1, 1), (2, 2))
    assert not one_user_more((1, 1), (1, 1))
    assert not one_user_more((1, 1), (2, 0))
    assert not one_user_more((1, 1), (1, 3))


def test_normal_noise_has_the_known_least_delta() -> None:
    lo, hi = least_delta(sigma=Fraction(1), epsilon=Fraction(1))
    assert Fraction(12693673, 10**8) < lo <= hi < Fraction(12693674, 10**8)
    alone, _ = least_delta(sigma=Fraction(1), epsilon=Fraction(0))
    assert Fraction(38292492, 10**8) < alone < Fraction(38292493, 10**8)  # 2 Phi(1/2) - 1


def test_a_comparison_has_three_answers() -> None:
    least = Fraction(1, 3), Fraction(1, 2)
    answers = [Comparison("", Fraction(claimed, 10), least).verdict for claimed in (3, 4, 5)]
    assert answers == ["too small", "open", "holds"]
