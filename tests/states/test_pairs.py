"""Evidence that two counts of turns that are both needed are summed exactly, and nothing that asks more of them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pair_programs
import pytest
from pair_programs import DIFFERENCES, KEPT, OTHERS

import dpcert
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.explore import Limits
from dpcert.mechanisms.states.read import merged_law
from dpcert.mechanisms.states.tails import series
from dpcert.mechanisms.states.turns import Both, Second
from dpcert.reading.tails.far import Ends, common_starts

Program = Callable[[int, Coins], Any]
R, S = Fraction(1, 2), Fraction(1, 4)
FEW = Limits(max_tail=Fraction(1, 10**9))
"""Limits with which few states are explored where a tail stays."""


def name(program: Callable[..., Any]) -> str:
    return program.__name__


def ends_of(program: Program, **how: Any) -> Ends:
    found = merged_law(program, 2, sums=True, **how).ends
    assert found is not None
    return found


def probability(i: int, j: int) -> Fraction:
    return (1 - R) * R**i * (1 - S) * S**j


@pytest.mark.parametrize("program", DIFFERENCES, ids=name)
@pytest.mark.parametrize("reverse", [False, True])
def test_the_difference_of_two_counts_has_the_law_of_its_formula(program: Program, reverse: bool) -> None:
    """i - j for ratios r and s: at x >= 0 (1 - r)(1 - s)/(1 - rs) r^x, and at -x as much with s."""
    law = ends_of(program, reverse=reverse).listed(Fraction(1, 10**40))
    zero = (1 - R) * (1 - S) / (1 - R * S)
    assert [law.prob(2 + x) for x in range(40)] == [zero * R**x for x in range(40)]
    assert [law.prob(2 - x) for x in range(40)] == [zero * S**x for x in range(40)]


@pytest.mark.parametrize("program", OTHERS, ids=name)
def test_the_sum_of_two_counts_has_the_law_of_their_pairs(program: Program) -> None:
    law = ends_of(program).listed(Fraction(1, 10**40))
    expected: dict[int, Fraction] = {}
    for i, j in product(range(30), repeat=2):
        if i + j < 30:
            outcome = OTHERS[program](2, i, j)
            expected[outcome] = expected.get(outcome, Fraction(0)) + probability(i, j)
    assert {outcome: law.prob(outcome) for outcome in expected} == expected


@pytest.mark.parametrize("program", KEPT, ids=name)
def test_what_asks_more_of_two_counts_has_no_wrong_law(program: Program) -> None:
    found = merged_law(program, 2, sums=True, limits=FEW)
    law, returned = (found.ends.listed(Fraction(1, 10**40)) if found.ends else found.law), KEPT[program]
    if returned is None:
        assert found.ends is None
        return
    assert found.ends is None
    expected: dict[Any, Fraction] = {}
    for i, j in product(range(40), repeat=2):
        outcome = returned(2, i, j)
        expected[outcome] = expected.get(outcome, Fraction(0)) + probability(i, j)
    rest = 1 - sum(expected.values())
    assert all(p <= law.prob(outcome) + law.tail for outcome, p in expected.items())
    assert all(law.prob(outcome) <= p + rest for outcome, p in expected.items())


@pytest.mark.parametrize("kind", [Second, Both])
def test_caught_two_counts_that_are_taken_for_one(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs on plain numbers go elsewhere."""
    assert merged_law(pair_programs.in_the_program, 2, sums=True).ends is not None
    monkeypatch.setattr(kind, "terms", property(lambda self: (1, 0, 0)))
    assert merged_law(pair_programs.in_the_program, 2, sums=True, limits=FEW).ends is None


def test_caught_a_sum_of_two_series_whose_probabilities_are_not_all(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = series._of_series
    monkeypatch.setattr(series, "_of_series", lambda *args: rows(*args)[1:])
    assert merged_law(pair_programs.in_the_program, 2, sums=True, limits=FEW).ends is None


def test_the_noisy_max_whose_noise_is_of_two_loops_is_verified_where_it_is_tight() -> None:
    inputs = [(a, b) for a in range(2) for b in range(2)]

    def one_apart(a: tuple[int, int], b: tuple[int, int]) -> bool:
        return sum(abs(x - y) for x, y in zip(a, b, strict=True)) == 1

    target = dpcert.target(guarantee=dpcert.PureDP("ln(11/7)"), inputs=inputs, neighbours=one_apart)
    report = dpcert.report(target(pair_programs.noisy_max))
    assert isinstance(report.verdict, dpcert.Verified)
    assert str(report.epsilon_hi) == "ln(11/7)"


@pytest.mark.nightly
def test_a_pure_claim_of_noise_of_two_loops_is_verified_where_it_is_tight() -> None:
    def released(n: int, coins: Coins) -> int:
        k = j = 0
        while coins.below(2):
            k += 1
        while coins.below(2):
            j += 1
        return n + k - j

    for epsilon, kind in (("ln(2)", dpcert.Verified), ("ln(199/100)", dpcert.Refuted)):
        target = dpcert.target(guarantee=dpcert.PureDP(epsilon), inputs=range(3), neighbours="counts_differ_by_one")
        assert isinstance(dpcert.report(target(released)).verdict, kind)


def test_series_that_are_found_soon_have_the_starts_of_those_of_all_states() -> None:
    laws = [ends_of(program) for program in DIFFERENCES]
    starts = common_starts(laws)
    assert starts
    assert all(law.summed(starts) == laws[0].summed(starts) for law in laws)
