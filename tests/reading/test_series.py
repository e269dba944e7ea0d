"""Evidence that tails are summed where they are geometric, exactly, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
import series_programs
from count_programs import of_a_capped_call
from series_programs import LONG, NOT_SUMMED, SUMMED, of_two_ratios, paired, signed, two_sided

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.reading.explore import Limits, Reading, read_law
from dpcert.reading.tails.far import Ends, Series, Start, common_starts

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


@cache
def followed(program: Callable[..., Any]) -> Reading:
    return read_law(program, 3, Limits(states=1_500, tail=Fraction(1, 10**20)), sums=True)


def ends_of(program: Callable[..., Any]) -> Ends | None:
    return followed(program).ends


def listed(ends: Ends, count: int) -> dict[int, Fraction]:
    """The single outcomes, and some of each series, with their probabilities."""
    found: dict[int, Fraction] = {}
    for outcome, p in ends.rows:
        for value, share in outcome.listed(count) if type(outcome) is Series else [(outcome, Fraction(1))]:
            found[value] = found.get(value, Fraction(0)) + p * share
    return found


def series_of(ends: Ends) -> dict[int, Series]:
    """The series by step."""
    return {each.step: each for each, _ in ends.rows if type(each) is Series}


def name(program: Callable[..., Any]) -> str:
    return program.__name__


@pytest.mark.points(9)
@pytest.mark.parametrize("program", SUMMED, ids=name)
def test_probabilities_of_a_summed_law_lie_where_the_law_by_states_says(program: Callable[..., Any]) -> None:
    found = followed(program)
    law, ends = Dist.like(found.law), found.ends
    assert ends is not None
    assert law.tail > 0
    for outcome, probability in listed(ends, 40).items():
        assert type(outcome) is int
        assert probability <= law.prob(outcome) + law.tail
    summed = ends.listed(Fraction(1, 10**30))
    assert all(law.prob(outcome) <= summed.prob(outcome) + summed.tail for outcome in law.outcomes())


def test_the_two_sided_geometric_law_is_that_of_its_formula() -> None:
    ends = ends_of(two_sided)
    assert ends is not None
    assert listed(ends, 30) == {3 + x: THIRD * HALF ** abs(x) for x in range(-31, 32) if 3 + x in listed(ends, 30)}
    assert {each.step: each.ratios for each, _ in ends.rows} == {1: (HALF,), -1: (HALF,)}


def test_the_difference_of_two_ratios_is_that_of_its_formula() -> None:
    """P(up - down = x) for up with ratio 2/3 and down with 3/4: 1/12 / (1 - 1/2), times 2/3 or 3/4 a step."""
    ends = ends_of(of_two_ratios)
    assert ends is not None
    found = listed(ends, 20)
    assert found == {
        x: Fraction(1, 6) * (Fraction(2, 3) ** (x - 3) if x > 3 else Fraction(3, 4) ** (3 - x)) for x in found
    }


def test_minus_zero_drawn_again_leaves_two_series() -> None:
    ends = ends_of(signed)
    assert ends is not None
    assert listed(ends, 20)[3] == THIRD


MARKED = [pytest.param(each, marks=[pytest.mark.nightly] * (each in LONG)) for each in NOT_SUMMED]


@pytest.mark.parametrize("program", MARKED, ids=name)
def test_what_looks_geometric_and_is_not_or_asks_for_a_number_keeps_its_tail(program: Callable[..., Any]) -> None:
    found = followed(program)
    assert found.ends is None
    assert found.law.tail > 0


@pytest.mark.parametrize("program", [series_programs.bounded, of_a_capped_call], ids=name)
def test_a_loop_up_to_some_number_of_turns_is_followed_to_its_end(program: Callable[..., int]) -> None:
    found = followed(program)
    law = Dist.like(found.law)
    assert found.ends is None
    assert law.tail == 0
    most = max(map(int, law.outcomes())) - 3
    assert most in (1_000, 1_001)
    expected = {3 + k: Fraction(1, 2 ** (k + 1)) for k in range(most)} | {3 + most: Fraction(1, 2**most)}
    assert {outcome: law.prob(outcome) for outcome in expected} == expected


def test_two_counts_that_are_returned_are_two_series() -> None:
    ends = ends_of(paired)
    assert ends is not None
    law, r = ends.listed(Fraction(1, 10**40)), Fraction(1, 64)
    assert all(law.prob((3 + i, j)) == (1 - r) ** 2 * r ** (i + j) for i in range(8) for j in range(8))


# -- laws of series


def far(first: int, mass: Fraction, *, step: int = 1, ratio: Fraction = HALF) -> tuple[Series, Fraction]:
    return Series(first, step, (ratio,)), mass


def test_integers_before_a_series_that_continue_it_are_part_of_it() -> None:
    ends = Ends.of([(1, Fraction(1, 4)), (0, Fraction(1, 4)), (2, Fraction(1, 4)), far(3, Fraction(1, 4))])
    assert ends == Ends((far(2, HALF), (1, Fraction(1, 4)), (0, Fraction(1, 4))))


def test_series_of_one_place_are_summed_beyond_all_integers_and_series_of_the_other_direction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("dpcert.reading.tails.far.MARGIN", 0)
    law = Ends(((7, Fraction(1, 4)), far(5, HALF), far(6, Fraction(1, 4), step=-1)))
    assert {each.kind[0]: each.first for each in common_starts([law])} == {1: 8, -1: 4}
    alone = Ends(((None, Fraction(1, 4)), (7.0, Fraction(1, 4)), far(1, HALF)))
    assert [each.first for each in common_starts([alone])] == [1]
    places = Ends((((9, Series(1, 1, (HALF,))), Fraction(1)),))
    assert [each.first for each in common_starts([places])] == [1]
    below = Ends((((9, 8), HALF), ((9, Series(1, 1, (HALF,))), HALF)))
    assert [each.first for each in common_starts([below])] == [9]


def test_outcomes_with_several_series_are_summed_place_by_place() -> None:
    both = Series(0, 1, (HALF,)), Series(0, -1, (THIRD,))
    law = Ends(((both, HALF), ((0, Series(2, -1, (THIRD,))), HALF)))
    starts = common_starts([law])
    found = law.summed(starts)
    assert found.tail == 0
    assert found.prob(("1, 2, 3, ...", "0, -1, -2, ...")) == HALF * HALF
    assert found.prob((0, "0, -1, -2, ...")) == HALF * HALF + HALF * THIRD**2
    assert found.prob((0, 1)) == HALF * (1 - THIRD) * THIRD
    listed_ = law.listed(Fraction(1, 10**6))
    assert listed_.prob((3, -2)) == HALF * HALF**4 * (1 - THIRD) * THIRD**2
    assert 0 < listed_.tail < Fraction(1, 10**5)


def test_a_sum_of_geometric_numbers_is_listed_by_its_formula() -> None:
    """P(i + j = n) for ratios r and s: (1 - r)(1 - s)(r^(n+1) - s^(n+1))/(r - s)."""
    found = Series(0, 1, (THIRD, HALF)).listed(10)
    assert found == [(n, Fraction(1, 3) * (HALF ** (n + 1) - THIRD ** (n + 1)) / (HALF - THIRD)) for n in range(10)]


@pytest.mark.parametrize("rows", [[far(0, HALF)], [(0, HALF), far(1, Fraction(3, 4))]], ids=["too little", "too much"])
def test_refused_what_is_no_law_of_series(rows: list[Any]) -> None:
    assert Ends.of(rows) is None


def law(first: int, **how: Any) -> Ends:
    return Ends(((0, HALF), far(first, HALF, **how)))


def test_laws_begin_their_series_where_the_last_of_them_can() -> None:
    (start,) = common_starts([law(1), law(4), law(2)])
    assert start.first >= 4
    for each in (law(1), law(4)):
        summed = each.summed([start])
        assert summed.tail == 0
        assert summed.prob(start.first) == 0
        words = f"{start.first}, {start.first + 1}, {start.first + 2}, ..."
        assert summed.prob(words) == HALF ** (start.first - series_of(each)[1].first + 1)
    (down,) = common_starts([law(-1, step=-1), law(-4, step=-1)])
    assert down.first <= -4


@pytest.mark.parametrize(
    "laws",
    [
        [],
        [law(1), None],
        [law(1), law(1, ratio=THIRD)],
        [law(1), law(1, step=2)],
        [law(1), Ends((("1, 2, 3, ...", HALF), far(1, HALF)))],
        [law(1), law(1_000_000)],
        [Ends(((Series(1, 1, (HALF, THIRD)), Fraction(1)),))],
        [Ends(((tuple(Series(n, 1, (HALF,)) for n in range(1, 60, 7)), Fraction(1)), ((90,) * 9, Fraction(0))))],
    ],
    ids=["none", "a tail", "ratios", "steps", "a text", "far apart", "a sum of two", "many"],
)
def test_refused_series_that_are_no_single_outcomes_of_all_laws(laws: list[Ends | None]) -> None:
    assert common_starts(laws) == ()


@pytest.mark.parametrize(
    "starts",
    [
        [],
        [Start((), (1, 0), 5, THIRD)],
        [Start((), (1, 0), 0, HALF)],
        [Start((0,), (1, 0), 5, HALF)],
    ],
)
def test_refused_starts_of_other_series(starts: list[Start]) -> None:
    with pytest.raises(Unauditable, match="other series"):
        law(1).summed(starts)
