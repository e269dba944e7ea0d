"""Evidence that claims are decided on laws whose tails are summed as they would be outcome by outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pair_programs
import pytest
from count_programs import FORMS
from series_programs import steep

import dpcert
from dpcert.audit.certificates import SUMMED as SUMMED_NOTE
from dpcert.audit.decide import Report, decide
from dpcert.audit.kernel.claim import PureDP
from dpcert.audit.kernel.neighbours import RELATIONS, counts_differ_by_one
from dpcert.audit.subject import Subject
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.explore import Limits
from dpcert.show.witness import kept_as_test

FEW = Limits(max_runs=20)
"""So that few states are explored in vain for a law without a tail."""


def decided(program: Callable[..., Any], epsilon: str, neighbours: str = "any") -> Report:
    """The report without a second process."""
    subject = Subject("program", program, (0, 1), RELATIONS[neighbours], limits=FEW, sums=True)
    return decide(subject, PureDP(epsilon), again=replace(subject).digests)


def test_a_pure_claim_of_two_sided_noise_is_verified_where_it_is_tight_and_refuted_below() -> None:
    found = decided(steep, "ln(64)", "counts_differ_by_one")
    assert isinstance(found.verdict, dpcert.Verified)
    assert found.tail == 0
    assert any("geometric series" in each for each in found.assumptions)
    below = decided(steep, "ln(6399/100)", "counts_differ_by_one")
    assert isinstance(below.verdict, dpcert.Refuted)


def both_ratios(n: int, coins: Any) -> int:
    k = 0
    while not coins.below(64 - 16 * n):
        k += 1
    return k


def test_laws_of_other_ratios_are_compared_by_single_outcomes() -> None:
    found = decided(both_ratios, "ln(2)")
    assert isinstance(found.verdict, dpcert.Refuted)
    assert all(type(outcome) is int for outcome in found.verdict.event)


def halved(n: int, coins: Any) -> int:
    k = 0
    while not coins.below(8):
        k += 1
    return k if k > 1 and (n == 0 or coins.below(2)) else 0


def test_a_refutation_by_far_outcomes_names_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpcert.reading.tails.far.MARGIN", 0)
    found = decided(halved, "ln(3/2)")
    assert isinstance(found.verdict, dpcert.Refuted)
    assert any(type(outcome) is str and outcome.endswith(", ...") for outcome in found.verdict.event)


def test_no_test_is_written_of_an_event_of_far_outcomes() -> None:
    claim: Any = {"guarantee": dpcert.PureDP("ln(3)"), "inputs": [0, 1], "neighbours": "any"}
    shown = dpcert.audit(dpcert.target(**claim)(lambda bit, coins: bit)).result
    result = replace(shown, worst=replace(shown.witness, event=["2, 3, 4, ..."]))
    assert kept_as_test(replace(result, assumptions=[SUMMED_NOTE]), "halved") is None
    assert kept_as_test(replace(result, assumptions=[]), "halved") is not None


def test_the_digests_of_a_second_reading_are_those_of_the_laws() -> None:
    subject = Subject("steep", steep, (0, 4), counts_differ_by_one, limits=FEW, keeps=True, sums=True)
    laws = [subject.law(place) for place in range(2)]
    assert subject.digests() == [law.digest() for law in laws]
    assert [law.tail for law in laws] == [0, 0]
    alone = replace(subject, sums=False)
    law = alone.law(0)
    assert law.tail > 0
    assert law.digest() != laws[0].digest()


@pytest.mark.points(1)
@pytest.mark.parametrize("program", FORMS, ids=lambda each: each.__name__)
def test_noise_in_other_forms_has_the_same_law(program: Callable[..., int]) -> None:
    target = dpcert.target(guarantee=dpcert.PureDP("ln(8)"), inputs=range(3), neighbours="counts_differ_by_one")
    report = dpcert.audit(target(program)).seen
    assert isinstance(report.verdict, dpcert.Verified)
    assert report.epsilon_hi == report.epsilon_lo
    assert any(SUMMED_NOTE in each for each in report.assumptions)


@pytest.mark.nightly
def test_the_noisy_max_whose_noise_is_of_two_loops_is_verified_where_it_is_tight() -> None:
    inputs = [(a, b) for a in range(2) for b in range(2)]

    def one_apart(a: tuple[int, int], b: tuple[int, int]) -> bool:
        return sum(abs(x - y) for x, y in zip(a, b, strict=True)) == 1

    target = dpcert.target(guarantee=dpcert.PureDP("ln(11/7)"), inputs=inputs, neighbours=one_apart)
    report = dpcert.audit(target(pair_programs.noisy_max)).seen
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
        assert isinstance(dpcert.audit(target(released)).seen.verdict, kind)
