"""Evidence that claims are decided on laws whose tails are summed as they would be outcome by outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from series_programs import steep

import dpcert
from dpcert.audit.certificates import SUMMED as SUMMED_NOTE
from dpcert.audit.decide import Report, decide
from dpcert.audit.kernel.claim import PureDP
from dpcert.audit.kernel.neighbours import RELATIONS, counts_differ_by_one
from dpcert.audit.subject import Subject
from dpcert.show.witness import kept_as_test


def decided(program: Callable[..., Any], epsilon: str, neighbours: str = "any") -> Report:
    """The report without a second process."""
    subject = Subject("program", program, (0, 1), RELATIONS[neighbours], sums=True)
    return decide(subject, PureDP(epsilon), again=replace(subject).digests)


def test_a_pure_claim_of_two_sided_noise_is_verified_where_it_is_tight_and_refuted_below() -> None:
    claim: Any = {"guarantee": dpcert.PureDP("ln(8)"), "inputs": range(3), "neighbours": "counts_differ_by_one"}
    found = dpcert.report(dpcert.target(**claim)(steep))
    assert isinstance(found.verdict, dpcert.Verified)
    assert found.tail == 0
    assert any("geometric series" in each for each in found.assumptions)
    below = decided(steep, "ln(799/100)", "counts_differ_by_one")
    assert isinstance(below.verdict, dpcert.Refuted)


def both_ratios(n: int, coins: Any) -> int:
    k = 0
    while not coins.below(8 + n):
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
    worst = {"a": 0, "b": 1, "event": ["2, 3, 4, ..."], "event_size": 1}
    result: dict[str, Any] = {"worst": worst, "claim": {"parameters": {}}, "method": "exact", "notes": []}
    assert kept_as_test({**result, "assumptions": [SUMMED_NOTE]}, "halved") is None
    assert kept_as_test({**result, "assumptions": []}, "halved") is not None


def test_the_digests_of_a_second_reading_are_those_of_the_laws() -> None:
    subject = Subject("steep", steep, (0, 4), counts_differ_by_one, keeps=True, sums=True)
    digests = [subject.law(place).digest() for place in range(2)]
    assert subject.digests() == digests
    assert [subject.law(place).tail for place in range(2)] == [0, 0]
    alone = replace(subject, sums=False)
    assert alone.law(0).tail > 0
    assert alone.law(0).digest() != digests[0]
