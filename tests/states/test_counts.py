"""Evidence that counts which calls return are followed exactly where they are only compared, added and returned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import count_programs
import pytest
from count_programs import FOLLOWED, FORMS, NOT_FOLLOWED, REFUSED

import dpcert
from dpcert.audit.certificates import SUMMED
from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.states.errors import NotRead
from dpcert.mechanisms.states.read import merged_law
from dpcert.mechanisms.states.tails import counts
from dpcert.mechanisms.states.tails.counts import Geometric
from dpcert.reading.tails.far import Ends, Series, common_starts

EIGHTH, SIXTEENTH = Fraction(1, 8), Fraction(1, 16)


def name(program: Callable[..., Any]) -> str:
    return program.__name__


def ends_of(program: Callable[..., Any], n: int = 2, **how: Any) -> Ends:
    found = merged_law(program, n, sums=True, **how).ends
    assert found is not None
    return found


def on_numbers(program: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, n: int, most: int) -> Iterator[Any]:
    """Yield the outcomes of a program whose calls return plain numbers up to `most`, with their probabilities."""
    bounds = FOLLOWED[program]
    for numbers in product(range(most + 1), repeat=len(bounds)):
        left = iter(numbers)
        for each in ("geometric", "rarer"):
            monkeypatch.setattr(count_programs, each, lambda coins, left=left: next(left))
        outcome = program(n, None)
        taken = len(numbers) - len([*left])
        if any(numbers[taken:]):
            continue  # the program asked for fewer
        yield (
            outcome,
            prod(
                (1 - Fraction(1, bound)) * Fraction(1, bound) ** j
                for bound, j in zip(bounds[:taken], numbers, strict=False)
            ),
        )


@pytest.mark.parametrize("program", FOLLOWED, ids=name)
def test_the_law_by_counts_is_that_of_the_program_on_plain_numbers(
    program: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = ends_of(program)
    assert sum(p for _, p in ends.rows) == 1
    law = ends.listed(Fraction(1, 10**40))
    known: dict[Any, tuple[Any, Fraction]] = {}
    for outcome, p in on_numbers(program, monkeypatch, 2, 5):
        known[key(outcome)] = outcome, known.get(key(outcome), (None, Fraction(0)))[1] + p
    rest = 1 - sum(p for _, p in known.values())
    assert 0 < rest < Fraction(1, 2**14)
    assert len(known) > 1 or program is count_programs.far_away
    for outcome, p in known.values():
        assert p <= law.prob(outcome) + law.tail
        assert law.prob(outcome) <= p + rest


def test_the_difference_of_two_counts_is_two_series_by_its_formula() -> None:
    """i - j for ratios r and s: at x >= 0 (1 - r)(1 - s)/(1 - rs) r^x, and at -x as much with s."""
    law = ends_of(count_programs.difference).listed(Fraction(1, 10**40))
    zero = (1 - EIGHTH) * (1 - SIXTEENTH) / (1 - EIGHTH * SIXTEENTH)
    assert [law.prob(2 + x) for x in range(12)] == [zero * EIGHTH**x for x in range(12)]
    assert [law.prob(2 - x) for x in range(12)] == [zero * SIXTEENTH**x for x in range(12)]


def test_the_greater_of_two_counts_has_the_probabilities_of_its_formula() -> None:
    law = ends_of(count_programs.greatest).listed(Fraction(1, 10**60))

    def at_most(x: int) -> Fraction:
        return (1 - EIGHTH ** (x - 1)) * (1 - EIGHTH**x)  # of 2 + i and 1 + j

    assert [law.prob(x) for x in range(2, 20)] == [at_most(x) - at_most(x - 1) for x in range(2, 20)]


def test_a_comparison_with_a_far_number_is_exact() -> None:
    law = merged_law(count_programs.far_away, 2).law
    assert law.tail == 0
    assert law.prob(True) == EIGHTH**499


@pytest.mark.parametrize("program", [each for each in FOLLOWED if each is not count_programs.far_away], ids=name)
def test_the_law_is_the_same_in_the_other_order_of_branches(program: Callable[..., Any]) -> None:
    starts = common_starts([ends_of(program)])
    laws = [ends_of(program, reverse=reverse, replay=False) for reverse in (False, True)]
    assert laws[0].summed(starts) == laws[1].summed(starts) if starts else {*laws[0].rows} == {*laws[1].rows}


@pytest.mark.points(2)
@pytest.mark.parametrize("program", FORMS, ids=name)
def test_noise_in_other_forms_has_the_same_law(program: Callable[..., int]) -> None:
    target = dpcert.target(guarantee=dpcert.PureDP("ln(8)"), inputs=range(3), neighbours="counts_differ_by_one")
    report = dpcert.report(target(program))
    assert isinstance(report.verdict, dpcert.Verified)
    assert report.epsilon_hi == report.epsilon_lo
    assert any(SUMMED in each for each in report.assumptions)


@pytest.mark.parametrize("program", NOT_FOLLOWED, ids=name)
def test_what_needs_a_count_as_a_number_keeps_its_tail(program: Callable[..., Any]) -> None:
    found = enumerate_law(program, 2, sums=True)
    assert found.ends is None
    assert found.law.tail > 0


@pytest.mark.parametrize("program", REFUSED, ids=name)
def test_refused_or_with_a_tail_what_can_tell_a_count_from_a_number(program: Callable[..., Any]) -> None:
    try:
        found = enumerate_law(program, 2, sums=True)
    except Unauditable:
        return
    assert found.ends is None
    assert found.law.tail > 0


def test_what_replays_refuse_has_one_law_also_where_others_are_not_replayed() -> None:
    laws = [enumerate_law(count_programs.by_identity, 2, reverse=not each, replay=each).law for each in (True, False)]
    assert laws[0].tail > 0
    assert laws[0].digest() == laws[1].digest()


def test_a_series_that_a_program_returns_is_an_outcome_as_any_other() -> None:
    with pytest.raises(NotRead, match="a program returns a Series"):
        merged_law(count_programs.forged, 2)
    law = enumerate_law(count_programs.forged, 2, sums=True)
    assert law.ends is None
    assert [*law.law.outcomes()] == [Series(2, 1, ())]


def test_caught_a_count_that_is_split_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replays refuse it, and the program is read again without counts."""
    becomes = Geometric.becomes
    assert merged_law(count_programs.clamped, 2).law.tail == 0
    monkeypatch.setattr(Geometric, "becomes", lambda self, shift, terms: becomes(self, shift + 1, terms))
    found = merged_law(count_programs.clamped, 2)
    assert found.ends is None
    assert found.law.tail > 0


def test_caught_an_answer_that_is_wrong_for_far_numbers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    exceeds = Geometric.exceeds
    monkeypatch.setattr(Geometric, "exceeds", lambda self, run, bound: bound < 100 and exceeds(self, run, bound))
    assert merged_law(count_programs.far_away, 2).law.tail > 0
    monkeypatch.setattr("dpcert.mechanisms.states.replaying.replays.FAR", ())
    assert merged_law(count_programs.far_away, 2).law.tail == 0  # nothing else sees it


def test_far_numbers_are_tried_beside_small_ones() -> None:
    assert min(counts.FAR) >= 1_000
    assert max(counts.FAR) > 2**64
