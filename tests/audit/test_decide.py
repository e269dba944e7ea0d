"""Evidence for decide.py: programs with random laws beside a search of all pairs and events; small witnesses.

A program is a table: for each input the weights of its outcomes, drawn with one coin below their sum.
"""

import math
import signal
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import ApproxDP, Coins, Dist, Epsilon, Limits, PureDP, Refuted, Unauditable, Undecided, Verified
from dpcert.audit.certificates import certificate_of, text_of
from dpcert.audit.kernel.check import check
from dpcert.audit.kernel.examine import Answer
from dpcert.audit.passes import examined
from dpcert.audit.subject import Subject
from dpcert.mechanisms.exact.outcome import Raised

from .tables import OUTCOMES, Program, Tables, audit, flip, heard_of, of_tables, reason, subject, weights


def events() -> Iterator[tuple[int, ...]]:
    """All events, as places in OUTCOMES, since (True,) == (1,)."""
    places = range(len(OUTCOMES))
    return chain.from_iterable(combinations(places, size) for size in range(len(OUTCOMES) + 1))


def prob(law: Dist, event: tuple[int, ...]) -> Fraction:
    return sum((law.prob(OUTCOMES[place]) for place in event), Fraction(0))


deltas = st.sampled_from([Fraction(0), Fraction(1, 20), Fraction(1, 5)])


@pytest.mark.nightly
@given(
    st.lists(weights, min_size=2, max_size=4),
    st.sampled_from(["any", "counts_differ_by_one"]),
    st.fractions(1, 5, max_denominator=3),
    deltas,
)
def test_exact_twin_of_an_audit_is_a_search_of_all_pairs_and_events(
    tables: Tables, neighbours: str, ratio: Fraction, delta: Fraction
) -> None:
    inputs = tuple(range(len(tables)))
    laws = [Dist.from_weights(zip(OUTCOMES, table, strict=True), sum(table)) for table in tables]
    pairs = [(a, b) for a, b in permutations(inputs, 2) if neighbours == "any" or abs(a - b) == 1]
    at = {(a, b, e): (prob(laws[a], e), prob(laws[b], e)) for a, b in pairs for e in events()}
    least_delta = max(p - ratio * q for p, q in at.values())
    unbounded = any(q == 0 and p > delta for p, q in at.values())
    least_ratio = max([Fraction(1), *((p - delta) / q for p, q in at.values() if q > 0)])

    found = subject(of_tables(tables), inputs, neighbours)
    report = audit(found, ApproxDP(Epsilon.ln(ratio), delta))

    assert report.delta_lo == report.delta_hi == least_delta
    assert (report.pairs, report.tail) == (len(pairs), 0)
    if unbounded:
        assert report.epsilon_hi is None
    else:
        assert report.epsilon_lo == report.epsilon_hi == Epsilon.ln(least_ratio)
    worst = report.worst
    places = tuple(i for i, outcome in enumerate(OUTCOMES) if repr(outcome) in map(repr, worst.event))
    assert (worst.p, worst.q) == at[worst.a, worst.b, places]
    law, twin = laws[worst.b], {"True": 1, "1": True}
    alike = [x for x in worst.event if repr(x) in twin and law.prob(x) == 0 < law.prob(twin[repr(x)])]
    assert len(report.notes) == (isinstance(report.verdict, Refuted) and alike != [])
    again = check(certificate_of(text_of(report.certificate)), replace(found), examined)
    assert again == report.verdict
    violating = {key: value for key, value in at.items() if value[0] > ratio * value[1] + delta}
    if not violating:
        assert isinstance(report.verdict, Verified)
        assert report.verdict.pairs == len(pairs)
        if least_delta > 0:
            assert worst.p - ratio * worst.q == least_delta
        return
    assert isinstance(report.verdict, Refuted)
    verdict = report.verdict
    assert (verdict.a, verdict.b) == min(((a, b) for a, b, _ in violating), key=lambda pair: (max(pair), pair))
    sizes = {len(event) for a, b, event in violating if (a, b) == (verdict.a, verdict.b)}
    assert len(verdict.event) == min(sizes)
    assert verdict.p_lo > ratio * verdict.q_hi + delta
    assert (worst.a, worst.b, worst.event) == (verdict.a, verdict.b, verdict.event)
    assert (worst.p, worst.q) == (verdict.p_lo, verdict.q_hi)


@pytest.mark.nightly
@given(st.lists(weights, min_size=2, max_size=3), st.sampled_from(["1/10", "1/2", "1"]), deltas)
def test_at_a_transcendental_ratio_the_bounds_of_delta_enclose_and_the_verdict_follows_them(
    tables: Tables, epsilon: str, delta: Fraction
) -> None:
    inputs = tuple(range(len(tables)))
    laws = [Dist.from_weights(zip(OUTCOMES, table, strict=True), sum(table)) for table in tables]
    below, above = Epsilon.of(epsilon).exp_bounds(400)
    at = [(prob(laws[a], e), prob(laws[b], e)) for a, b in permutations(inputs, 2) for e in events()]
    lo, hi = (max(p - ratio * q for p, q in at) for ratio in (above, below))
    report = audit(subject(of_tables(tables), inputs), ApproxDP(epsilon, delta))
    assert report.delta_lo <= hi
    assert lo <= report.delta_hi
    assert isinstance(report.verdict, Verified if hi <= delta else Refuted)
    assert (report.delta_hi <= delta) is (hi <= delta)


def test_randomized_response_just_at_above_and_below_its_epsilon() -> None:
    unit = Fraction(1, 10**40)
    for ratio, kind in ((3, Verified), (3 + unit, Verified), (3 - unit, Refuted)):
        report = audit(subject(flip), PureDP(Epsilon.ln(ratio)))
        assert type(report.verdict) is kind
        assert report.epsilon_lo == report.epsilon_hi == Epsilon.ln(3)
        assert (report.worst.p, report.worst.q) == (Fraction(3, 4), Fraction(1, 4))


def test_a_refutation_names_the_smallest_pair_and_event() -> None:
    def leaks_above_2(x: int, coins: Coins) -> int:
        return coins.below(4) if x < 3 else 3 + coins.below(2)

    report = audit(subject(leaks_above_2, (9, 4, 3, 2, 1, 0), "counts_differ_by_one"), ApproxDP("ln(2)", "1/10"))
    assert isinstance(report.verdict, Refuted)
    assert (report.verdict.a, report.verdict.b) == (2, 3)
    assert report.verdict.event == (0,)
    smaller = audit(subject(leaks_above_2, (9, 4, 3, 2, 1, 0), "counts_differ_by_one"), ApproxDP("ln(2)", "1/2"))
    assert isinstance(smaller.verdict, Refuted)
    assert (smaller.verdict.a, smaller.verdict.b) == (2, 3)
    assert smaller.verdict.event == (0, 1, 2)


def test_a_leak_through_the_type_of_an_outcome_is_refuted() -> None:
    def typed(x: int, coins: Coins) -> Any:
        return bool(coins.below(2)) if x else int(coins.below(2))

    report = audit(subject(typed), PureDP(0))
    assert isinstance(report.verdict, Refuted)
    assert repr(report.verdict.event) in ("(0,)", "(False,)")
    assert report.epsilon_hi is None
    assert report.delta_lo == 1


def test_draws_are_seen_only_by_those_who_look() -> None:
    def early(x: int, coins: Coins) -> int:
        if x:
            coins.below(2)
        return coins.below(3)

    assert isinstance(audit(subject(early), PureDP(0)).verdict, Verified)
    report = audit(subject(early, observes="outcome and draws"), PureDP(0))
    assert isinstance(report.verdict, Refuted)
    assert report.claim.observes == "outcome and draws"
    assert ", its draws observed," in report.claim.sentence()


def test_inputs_are_merged_and_isolated_ones_are_audited() -> None:
    report = audit(subject(flip, (0, 1, 0, 1, 1)), PureDP("ln(3)"))
    assert report.claim.inputs == (0, 1)
    assert isinstance(report.verdict, Verified)

    def refuses_nine(x: int, coins: Coins) -> int:
        if x == 9:
            raise SystemExit
        return coins.below(2)

    assert "SystemExit" in reason(audit(subject(refuses_nine, (0, 1, 9), "counts_differ_by_one"), PureDP(0)))


@pytest.mark.parametrize("inputs", [(), (0,), (0, 5, 9)])
def test_an_empty_scope_is_undecided(inputs: tuple[int, ...]) -> None:
    report = audit(subject(flip, inputs, "counts_differ_by_one"), PureDP("1e9"))
    assert "the scope is empty" in reason(report)
    assert (report.pairs, report.worst, report.epsilon_hi) == (0, None, None)
    assert (report.delta_lo, report.delta_hi) == (0, 1)


def test_escaped_exceptions_are_outcomes_and_named() -> None:
    def fails(x: int, coins: Coins) -> int:
        if coins.below(3) == 0:
            raise ValueError(f"no {x}", x)
        return 0

    report = audit(subject(fails), ApproxDP(0, "1/3"))
    assert isinstance(report.verdict, Verified)
    assert report.notes == ("on 0 it raises ValueError('no 0', 0)", "on 1 it raises ValueError('no 1', 1)")
    steep = audit(subject(fails), ApproxDP(0, "1/4"))
    assert isinstance(steep.verdict, Refuted)
    assert steep.verdict.event == (Raised("ValueError", ("no 0", 0)),)
    assert "ValueError" in steep.notes[0]
    drawn = audit(subject(fails, observes="outcome and draws"), ApproxDP(0, "1/3"))
    assert drawn.notes == report.notes


def unauditable_on(bad: int) -> Program:
    def program(x: int, coins: Coins) -> Any:
        return object() if x == bad else (x > 0) + coins.below(2)

    return program


@pytest.mark.parametrize("bad", [0, 1, 2])
def test_an_input_that_cannot_be_followed_makes_it_undecided(bad: int) -> None:
    report = audit(subject(unauditable_on(bad), (0, 1, 2), "counts_differ_by_one"), ApproxDP(0, 1))
    assert "type object is not in the registry of outcomes" in reason(report)
    assert (report.delta_hi, report.epsilon_hi, report.tail) == (1, None, 1)


def test_a_violation_found_before_is_refuted_all_the_same() -> None:
    report = audit(subject(unauditable_on(2), (0, 1, 2), "counts_differ_by_one"), ApproxDP(0, "1/4"))
    assert isinstance(report.verdict, Refuted)
    assert (report.verdict.a, report.verdict.b) == (0, 1)
    assert (report.pairs, report.delta_hi, report.epsilon_hi) == (2, 1, None)
    assert report.delta_lo == Fraction(1, 2)
    assert isinstance(
        check(report.certificate, subject(unauditable_on(2), (0, 1, 2), "counts_differ_by_one"), examined), Refuted
    )


@pytest.mark.parametrize("error", [MemoryError, Unauditable])
def test_no_room_for_an_early_refutation_leaves_the_last_one(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The third law is found while two are held: the first, once more."""
    asked: list[int] = []
    source = Subject.source

    def limited(found: Subject, read: Any, value: int) -> Answer:
        asked.append(value)
        if len(asked) == 3:
            raise error("no room")
        return source(found, read, value)

    expected = audit(subject(unauditable_on(9), (0, 1, 2), "counts_differ_by_one"), ApproxDP(0, "1/4"))
    monkeypatch.setattr(Subject, "source", limited)
    heard, last = heard_of(subject(unauditable_on(9), (0, 1, 2), "counts_differ_by_one"), ApproxDP(0, "1/4"))
    assert (heard, last) == ([], expected)
    assert asked == [0, 1, 0, 2, 0, 1]


def grows(x: int, coins: Coins) -> int:
    """Its first input alone is like the next: only (1, 2) and later pairs tell a difference."""
    return coins.below(2) if x < 2 else coins.below(2) + x


def test_a_refutation_is_heard_of_once_and_before_the_other_pairs() -> None:
    heard, last = heard_of(subject(grows, tuple(range(6)), "counts_differ_by_one"), ApproxDP(0, "1/4"))
    (first,) = heard
    assert isinstance(first.verdict, Refuted)
    assert isinstance(last.verdict, Refuted)
    assert (first.verdict.a, first.verdict.b, first.pairs, last.pairs) == (1, 2, 3, 10)
    assert (first.delta_lo, first.delta_hi, first.epsilon_hi, first.tail) == (1, 1, None, 1)
    assert first.verdict == last.verdict
    assert first.certificate == last.certificate
    assert isinstance(
        check(first.certificate, subject(grows, tuple(range(6)), "counts_differ_by_one"), examined), Refuted
    )
    assert last == audit(subject(grows, tuple(range(6)), "counts_differ_by_one"), ApproxDP(0, "1/4"))


def test_the_last_report_names_the_smallest_pair_and_the_first_heard_of_is_the_first_met() -> None:
    """Inputs in falling order: the pair met first is the greatest."""
    heard, last = heard_of(
        subject(lambda x, coins: (x, coins.below(2)), (3, 2, 1, 0), "counts_differ_by_one"), ApproxDP(0, 0)
    )
    (first,) = heard
    assert isinstance(first.verdict, Refuted)
    assert isinstance(last.verdict, Refuted)
    assert {first.verdict.a, first.verdict.b} == {2, 3}
    assert {last.verdict.a, last.verdict.b} == {0, 1}


def test_nothing_is_heard_of_what_holds_or_where_no_pair_is_left() -> None:
    assert heard_of(subject(grows, (0, 1, 2), "counts_differ_by_one"), ApproxDP(0, 1))[0] == []
    last_of_all = subject(lambda x, coins: coins.below(2) if x else 1)
    heard, last = heard_of(last_of_all, PureDP("ln(2)"))
    assert isinstance(last.verdict, Refuted)
    assert ((last.verdict.a, last.verdict.b), heard) == ((1, 0), [])


def test_what_the_kernel_does_not_confirm_is_not_heard_of() -> None:
    """It leaks in its first runs alone."""
    calls: list[int] = []

    def turns(x: int, coins: Coins) -> int:
        calls.append(x)
        return x if len(calls) <= 4 else 0

    heard, last = heard_of(subject(turns, (0, 1, 2), "counts_differ_by_one"), PureDP(0))
    assert heard == []
    assert isinstance(last.verdict, Undecided)


@pytest.mark.nightly
def test_a_plain_loop_leaves_a_tail() -> None:
    def geometric(x: int, coins: Coins) -> int:
        count = 0
        while coins.below(2):
            count += 1
        return count

    limits = Limits(max_tail=Fraction(1, 1000))
    report = audit(subject(geometric, limits=limits), PureDP("ln(2)"))
    assert "pure differential privacy is never verified with one" in reason(report)
    assert 0 < report.tail <= Fraction(1, 1000)
    assert report.epsilon_hi is None
    loose = audit(subject(geometric, limits=limits), ApproxDP("ln(2)", "1/1000"))
    assert isinstance(loose.verdict, Verified)
    assert loose.verdict.tail == loose.tail == report.tail
    assert (loose.delta_lo, loose.delta_hi) == (0, loose.tail)
    tight = audit(subject(geometric, limits=limits), ApproxDP("ln(2)", loose.tail / 2))
    assert reason(tight).startswith("a tail of at most 2^-")


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (1, True, "on 1 it may show True (bool), another outcome than 1 (int): types and bits count"),
        (1, 1.0, "on 1 it may show 1.0 (float), another outcome than 1 (int): types and bits count"),
        ("a", np.str_("a"), "on 1 it may show np.str_('a') (numpy.str_), another outcome than 'a' (str): types"),
        ((0, [1]), (0, [True]), "on 1 it may show (0, [True]), another outcome than (0, [1]): types and bits count"),
        ({1: 2, 3: 4}, {3: 4, 1: 2}, ""),
        (-math.nan, math.nan, "on 1 it may show nan, another outcome than nan: types and bits count"),
        (np.ones(2, "i4"), np.ones(2, "i8"), "on 1 it may show np.ndarray([1, 1], '<i8'), another outcome than np.nd"),
        (signal.SIGINT, 2, "on 1 it may show 2 (int), another outcome than Signals.SIGINT (signal.Signals): types"),
        (Raised("ValueError", (1,)), Raised("ValueError", (True,)), "on 1 it may show raises ValueError(True), anoth"),
        (Raised("ValueError", (1,)), Raised("TypeError", (1,)), ""),
        (1, "1", ""),
        (1, 2, ""),
    ],
)
def test_an_outcome_of_another_type_alone_is_named_with_its_type(one: object, other: object, words: str) -> None:
    report = audit(subject(lambda bit, coins: [(one, other)[bit], None][coins.below(2)]), PureDP("ln(3)"))
    assert isinstance(report.verdict, Refuted)
    notes = [note for note in report.notes if "it raises" not in note]
    assert [note[: len(words)] for note in notes] == ([words] if words else [])


def test_a_limit_on_runs_is_noted() -> None:
    def wide(x: int, coins: Coins) -> list[int]:
        return [coins.below(2) for _ in range(8)]

    report = audit(subject(wide, limits=Limits(max_runs=5)), ApproxDP(0, "1/2"))
    assert "or raise --max-runs" in reason(report)
    assert report.tail > Fraction(1, 2)
    assert report.notes[0] == "more than 5 runs are needed"


def test_a_certificate_that_nobody_asked_for_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = audit(subject(flip), PureDP("ln(3)"))
    kept = audit(subject(flip), PureDP("ln(3)"), certifies=False, keep_laws=True)
    assert asked.certificate is not None
    assert kept.certificate == asked.certificate
    assert len(kept.laws) == 2
    monkeypatch.setattr(Subject, "sources", None)
    found = audit(subject(flip), PureDP("ln(3)"), certifies=False)
    assert found.certificate is None
    assert replace(found, certificate=asked.certificate) == asked
