"""Evidence that calls of inner functions and of methods have exact laws, and none that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import closure_programs
import method_programs
import pytest
from closure_programs import READING_ON
from method_programs import NOISY_MAX
from short_calls import SHORT

import dpcert
from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.enumerator import exact_law
from dpcert.mechanisms.exact.explore import Limits
from dpcert.mechanisms.states.calls import closures
from dpcert.mechanisms.states.calls.handed import Handed
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.read import merged_law
from dpcert.mechanisms.states.tails.counts import Geometric

Program = Callable[[int, Coins], Any]


EXACT = closure_programs.EXACT | method_programs.EXACT
CHANGING = closure_programs.CHANGING | method_programs.CHANGING
EQUAL = (*closure_programs.EQUAL, method_programs.equal_attribute)


def name(program: Callable[..., Any]) -> str:
    return program.__name__


@pytest.mark.parametrize("program", EXACT, ids=name)
@pytest.mark.parametrize("reverse", [False, True])
def test_the_law_of_a_call_with_what_it_holds_is_that_of_the_formula(program: Program, reverse: bool) -> None:
    law = merged_law(program, 0, reverse=reverse).law
    assert law.tail == 0
    assert {outcome: law.prob(outcome) for outcome in law.outcomes()} == EXACT[program]


@pytest.mark.parametrize("program", CHANGING, ids=name)
def test_a_call_that_changes_what_it_was_handed_has_no_wrong_law(program: Program) -> None:
    law = merged_law(program, 0, limits=Limits(max_tail=Fraction(1, 10**9))).law
    assert law.tail > 0
    for outcome, p in CHANGING[program].items():
        assert law.prob(outcome) <= p <= law.prob(outcome) + law.tail


@pytest.mark.parametrize("program", EQUAL, ids=name)
def test_a_call_that_puts_what_is_equal_in_a_place_is_followed(program: Program) -> None:
    law = merged_law(program, 0, replay=False).law
    assert law.tail == 0
    assert [*law.outcomes()] == [1]


@pytest.mark.parametrize("program", EQUAL, ids=name)
def test_caught_what_is_handed_to_a_call_and_not_watched(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """The law would be wrong, as only replays could see."""
    monkeypatch.setattr("dpcert.mechanisms.states.replaying.replays.Replays.of", lambda self, *args: 0)
    monkeypatch.setattr(Handed, "unchanged", lambda self: self.world.unchanged())
    assert [*merged_law(program, 0).law.outcomes()] == [2]


@pytest.mark.parametrize("program", SHORT, ids=name)
def test_the_law_of_short_calls_is_that_of_the_paths(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nothing is replayed."""
    paths = exact_law(program, 0).law
    assert merged_law(program, 0).law == paths
    monkeypatch.setattr("dpcert.mechanisms.states.replaying.replays.Replays.of", lambda self, *args: 0)
    assert merged_law(program, 0).law == paths


@pytest.mark.parametrize("program", READING_ON, ids=name)
def test_a_function_in_progress_goes_on_with_the_variables_of_its_state(program: Program) -> None:
    assert merged_law(program, 0, replay=False).law == exact_law(program, 0).law


@pytest.mark.points(2)
@pytest.mark.parametrize("program", NOISY_MAX, ids=name)
def test_the_noisy_max_that_holds_its_noise_is_verified_where_it_is_tight(program: Callable[..., int]) -> None:
    inputs = [(a, b) for a in range(2) for b in range(2)]

    def one_apart(a: tuple[int, int], b: tuple[int, int]) -> bool:
        return sum(abs(x - y) for x, y in zip(a, b, strict=True)) == 1

    target = dpcert.target(guarantee=dpcert.PureDP("ln(11/7)"), inputs=inputs, neighbours=one_apart)
    report = dpcert.report(target(program))
    assert isinstance(report.verdict, dpcert.Verified)
    assert str(report.epsilon_lo) == str(report.epsilon_hi) == "ln(11/7)"


def test_far_numbers_are_tried_in_place_of_a_call_of_an_inner_function(monkeypatch: pytest.MonkeyPatch) -> None:
    exceeds = Geometric.exceeds
    monkeypatch.setattr(Geometric, "exceeds", lambda self, run, bound: bound < 100 and exceeds(self, run, bound))
    assert merged_law(closure_programs.far_away, 0).law.tail > 0
    monkeypatch.setattr("dpcert.mechanisms.states.replaying.replays.FAR", ())
    assert merged_law(closure_programs.far_away, 0).law.tail == 0  # nothing else sees it


@pytest.mark.nightly
def test_caught_closures_that_are_told_without_what_they_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls of two closures would have one key: replays, which execute the program's own code, refuse that, and
    what freezing forgets of them in states as well.
    """
    content = closures._content

    def forgets(variable: Any) -> Any:
        found = content(variable)
        return 2 if type(found) is int else found

    monkeypatch.setattr(closures, "_content", forgets)
    with pytest.raises(NotRead):
        merged_law(closure_programs.two_cells, 0)
    monkeypatch.setattr("dpcert.mechanisms.states.replaying.replays.Replays.of", lambda self, *args: 0)
    assert merged_law(closure_programs.two_cells, 0).law.prob("tie") == Fraction(1, 3)  # as of two halves


def test_an_inner_function_whose_law_has_a_tail_is_followed_so_that_its_loops_are_summed() -> None:
    def signed(n: int, coins: Coins) -> int:
        def noise() -> int:
            k = 0
            while coins.below(2):
                k += 1
            while coins.below(2):
                k -= 1
            return k

        return n + noise()

    assert enumerate_law(signed, 0, sums=True).ends is not None
