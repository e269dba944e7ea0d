"""Evidence for decide.py: second computations, closed forms, and what a certificate says."""

import importlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import gcd
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpcert import ApproxDP, Coins, Dist, InputError, Limits, PureDP, Refuted, Report, Unauditable, Undecided, Verified
from dpcert.audit.certificates import MAX_EMBEDDED, certificate_of, text_of
from dpcert.audit.decide import decide
from dpcert.audit.kernel.certificate import Certificate
from dpcert.audit.kernel.check import check
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.passes import examined
from dpcert.audit.sources import certified_versions
from dpcert.audit.subject import Subject
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.reading.paths.repeated import hold_to_one_outcome, is_one_outcome

from .tables import Tables, audit, flip, heard_of, of_tables, reason, subject, weights


def test_a_law_that_differs_the_second_time_is_undecided() -> None:
    found = subject(flip)
    digests = found.digests()
    for again in ([], digests[:1], digests[::-1], [*digests, digests[0]]):
        report = decide(subject(flip), PureDP("ln(3)"), again=lambda again=again: again)
        assert "computed a second time, a law differs" in reason(report)
    assert reason(decide(subject(flip), PureDP("ln(3)"), again=lambda: None)) == "the laws were computed only once"


KEPT: list[int] = []


def counting(x: int, coins: Coins) -> int:
    """Count the runs, once some were made."""
    KEPT.append(0)
    return coins.below(2) + (len(KEPT) > 40) * len(KEPT)


def unbounded(x: int, coins: Coins) -> int:
    while coins.below(2):
        x += 1
    return x


def test_a_law_that_differs_is_said_to_be_of_hidden_state_only_with_two_runs_that_show_it() -> None:
    found = reason(decide(subject(flip), PureDP("ln(3)"), again=list))
    assert found.endswith("although none has a tail; no two runs were found that show why")
    found = reason(decide(subject(counting), PureDP(1), again=list))
    assert "the program keeps hidden state: on 0, with the same draws, it shows" in found
    found = reason(decide(subject(unbounded), ApproxDP(1, "9/10"), again=list))
    assert "a limit left a tail of at most 2^-" in found
    assert "hidden state" not in found


def failing() -> Sequence[str]:
    raise Unauditable("the process was ended")


def test_a_second_computation_that_fails_is_undecided() -> None:
    report = decide(subject(flip), PureDP("ln(3)"), again=failing)
    assert reason(report) == "computed a second time: the process was ended"


def test_a_refutation_needs_no_second_computation() -> None:
    def never() -> Sequence[str]:
        raise AssertionError

    assert isinstance(decide(subject(flip), PureDP(0), again=never).verdict, Refuted)
    assert "empty" in reason(decide(subject(flip, ()), PureDP(0), again=never))


@pytest.mark.points(1)
@pytest.mark.parametrize(
    ("again", "words"),
    [
        (lambda: None, "the laws were computed only once"),
        (list, "another process found other outcomes"),
        (lambda: ["", "", ""], "another process found other outcomes"),
        (failing, "computed a second time: the process was ended"),
    ],
)
def test_a_refutation_without_coins_needs_another_process_to_agree(
    again: Callable[[], Sequence[str] | None], words: str
) -> None:
    """And is not heard of before."""
    heard: list[Report] = []
    found = subject(lambda x, coins: x, (0, 1, 2), "counts_differ_by_one")
    assert words in reason(decide(found, PureDP("3"), again=again, early=heard.append))
    agreed = decide(replace(found), PureDP("3"), again=found.digests, early=heard.append)
    assert isinstance(agreed.verdict, Refuted)
    assert heard == []


@pytest.mark.parametrize("unlike", [0, 1])
def test_a_refutation_by_one_outcome_is_undecided_where_a_later_run_has_another(unlike: int) -> None:
    """As of C code that draws by itself: here in the tenth run on one of the inputs, which is no replay."""
    calls: list[int] = []

    def seldom(x: int, coins: Coins) -> int:
        calls.append(x)
        return 1 - x if x == unlike and calls.count(x) == 10 else x

    report = decide(subject(seldom), PureDP("3"), again=subject(lambda x, coins: x).digests)
    assert "no function of its input and coins" in reason(report)
    assert calls.count(unlike) == 10


def test_a_refutation_by_a_closed_form_needs_no_other_process() -> None:
    found = subject(lambda x, coins: x, closed_form=Dist.point, law_source="closed-form")
    assert isinstance(decide(found, PureDP("3"), again=failing).verdict, Refuted)


def test_later_runs_of_one_outcome_have_coins_of_their_own_and_ask_nothing_of_the_outside() -> None:
    drawn: list[int] = []

    def draws(x: int, coins: Coins) -> int:
        drawn.append(coins.below(1 << 60))
        return x

    def reads(x: int, coins: Coins) -> int:
        Path("/dev/null" if coins.below(2) else "/dev/zero").open().close()
        return x

    hold_to_one_outcome(draws, 0, Dist.point(0), draws=False)
    assert len(set(drawn)) == len(drawn) > 1
    with pytest.raises(Unauditable, match="'/dev/zero', a device"):
        hold_to_one_outcome(reads, 0, Dist.point(0), draws=False)


def test_a_law_with_a_tail_or_of_two_outcomes_is_not_that_of_one() -> None:
    laws = Dist.point(1), Dist.from_weights([(1, 3)], 4), Dist.uniform([1, 2])
    assert [is_one_outcome(law) for law in laws] == [True, False, False]


def test_a_program_that_remembers_its_runs_is_undecided() -> None:
    calls: list[int] = []

    def counts(x: int, coins: Coins) -> int:
        calls.append(x)
        return len(calls) // 7 + coins.below(2)

    assert isinstance(audit(subject(counts), ApproxDP(0, 1)).verdict, Undecided)


def test_a_program_that_changes_once_audited_never_refutes_by_halves() -> None:
    """It leaks until its laws are known, and cannot be followed any more when the witness is computed."""
    calls: list[int] = []

    def turns(x: int, coins: Coins) -> Any:
        calls.append(x)
        return object() if len(calls) > before else x

    before = 10**9
    audit(subject(turns), PureDP(0))
    before, _ = len(calls) // 2, calls.clear()
    assert "not in the registry" in reason(audit(subject(turns), PureDP(0)))


def test_a_program_that_changes_once_refuted_is_undecided_at_the_end() -> None:
    """What was heard of before all pairs were examined does not stand against what is found last."""
    calls: list[int] = []

    def turns(x: int, coins: Coins) -> Any:
        calls.append(x)
        return object() if len(calls) > before else (x, coins.below(2))

    inputs, before = (0, 1, 2), 10**9
    heard_of(subject(turns, inputs, "counts_differ_by_one"), PureDP(0))
    before, _ = len(calls) - 2, calls.clear()
    heard, last = heard_of(subject(turns, inputs, "counts_differ_by_one"), PureDP(0))
    assert [type(report.verdict) for report in heard] == [Refuted]
    assert "not in the registry" in reason(last)


def test_laws_of_all_inputs_are_computed_anew_once_and_without_replays() -> None:
    """A refutation is not heard of early then, and one that is found otherwise in these last runs is none."""
    calls: list[int] = []

    def turns(x: int, coins: Coins) -> Any:
        calls.append(x)
        return object() if len(calls) > before else (x, coins.below(2))

    before = 10**9
    heard, last = heard_of(subject(turns), PureDP(0))
    assert isinstance(last.verdict, Refuted)
    assert heard == []
    assert calls.count(0) == calls.count(1)
    alone = len(calls)
    found = subject(turns)
    calls.clear()
    laws = [found.law(place).digest() for place in (0, 1)]
    replayed, files = len(calls), set(found.coverage.files)
    found.forget(but=(0, 1))
    assert [found.law(place).digest() for place in (0, 1)] == laws
    assert len(calls) == alone
    assert found.coverage.files == files
    found.forget(but=(1, 0))
    assert found.coverage.files == set()
    assert [found.law(place).digest() for place in (0, 1)] == laws
    assert len(calls) == alone + replayed
    before, _ = alone - 1, calls.clear()
    assert "not in the registry" in reason(audit(subject(turns), PureDP(0)))


def test_laws_are_replayed_that_follow_those_of_an_early_refutation(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, bool]] = []

    def noted(program: Any, value: int, *, replay: bool = True, **how: Any) -> Any:
        asked.append((value, replay))
        return enumerate_law(program, value, replay=replay, **how)

    monkeypatch.setattr("dpcert.audit.subject.enumerate_law", noted)
    found = subject(lambda x, coins: (x, coins.below(2)), (0, 1, 2))
    heard, last = heard_of(found, PureDP(0))
    assert heard
    assert isinstance(last.verdict, Refuted)
    assert {replay for value, replay in asked if value == 2} == {True}
    assert found.reader.replays


def test_laws_that_are_computed_anew_name_all_that_they_execute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also what was executed for another input already, whose states they share."""
    (tmp_path / "helps_at_last.py").write_text("def more(k):\n    return k + 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    more = importlib.import_module("helps_at_last").more

    def kept(n: int, coins: Coins) -> int:
        k = 0
        while n:
            n -= 1
            k += coins.below(2)
            k = more(k) if n < 3 else k
        return k

    found = subject(kept, range(9, 13))
    laws = [found.law(place).digest() for place in range(4)]
    found.forget()
    assert found.law(3).digest() == laws[3]
    assert str(tmp_path / "helps_at_last.py") in found.coverage.files
    assert found.digests() == laws


def closed(bit: int) -> Dist:
    return Dist.of({bit: "3/4", 1 - bit: "1/4"})


def test_a_closed_form_takes_the_programs_place_and_the_report_says_so() -> None:
    def broken(bit: int, coins: Coins) -> int:
        raise AssertionError

    found = subject(broken, law_source="closed-form", closed_form=closed)
    report = audit(found, PureDP("ln(3)"))
    assert isinstance(report.verdict, Verified)
    assert (report.law_source, report.unreached) == (("closed-form",), None)
    assert report.certificate.law_source == ["closed-form"]
    assert "test_decide_again.py" in report.certificate.sources
    elsewhere = subject(len, law_source="closed-form", closed_form=Dist.bernoulli)
    assert "test_decide_again.py" not in elsewhere.sources()
    assert isinstance(check(report.certificate, found, examined), Verified)


@pytest.mark.parametrize("more", [{}, {"closed_form": closed, "observes": "outcome and draws"}])
def test_refused_closed_form_that_is_none_or_says_nothing_of_draws(more: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="take the law from the program"):
        audit(subject(flip, law_source="closed-form", **more), PureDP("ln(3)"))
    with pytest.raises(InputError):
        subject(flip, law_source="closed-form", **more).digests()


def test_refused_closed_form_that_gives_no_law() -> None:
    report = audit(subject(flip, law_source="closed-form", closed_form=lambda bit: {bit: 1}), PureDP("ln(3)"))
    assert reason(report) == "the closed form on 0 is of type dict, not a law"
    malformed = subject(flip, law_source="closed-form", closed_form=lambda bit: Dist({}, 1, 0))
    assert "a malformed law" in reason(audit(malformed, PureDP("ln(3)")))


def test_a_certificate_says_what_was_audited() -> None:
    limits = Limits(max_runs=77, max_tail=Fraction(1, 3), max_draws=55)
    found = subject(flip, (0, 1, 2), parameters=(("n", "2"),), limits=limits)
    report = audit(replace(found, stated=("it is sunny",)), ApproxDP("1 + ln(3)", 1))
    certificate = report.certificate
    assert (certificate.target, certificate.parameters, certificate.inputs) == ("program", {"n": "2"}, 3)
    assert (certificate.epsilon, certificate.delta, certificate.neighbours) == ("1 + ln(3)", 1, "any")
    assert (certificate.max_runs, certificate.max_tail, certificate.max_draws) == (77, Fraction(1, 3), 55)
    assert (certificate.verdict, certificate.pairs, certificate.tail) == ("verified", 6, 0)
    assert certificate.sentence == report.claim.sentence()
    assert certificate.assumptions == ["it is sunny"]
    assert report.assumptions == ("it is sunny",)
    assert certificate.versions == certified_versions(["hypothesis"])  # as tables.py imports it
    assert len(certificate.embedded) == 3
    assert "tables.py" in certificate.sources
    assert any(name.startswith("dpcert/audit/kernel/") for name in certificate.sources)
    assert any(name.startswith("dpcert/mechanisms/exact/") for name in certificate.sources)


def test_laws_are_embedded_below_a_mebibyte_in_all() -> None:
    def heavy(outcomes: int) -> Certificate:
        weight = 1 << 40_000

        def law(x: int) -> Dist:
            return Dist.from_weights([(i, weight - x) for i in range(outcomes)], outcomes * weight)

        found = subject(flip, law_source="closed-form", closed_form=law)
        certificate = audit(found, ApproxDP(1, 1)).certificate
        assert isinstance(check(certificate_of(text_of(certificate)), found, examined), Verified)
        return certificate

    small, large = heavy(40), heavy(60)
    assert small.embedded is not None
    assert len(json.dumps(small.embedded)) < MAX_EMBEDDED
    assert large.embedded is None


@pytest.mark.nightly
@settings(max_examples=settings.default.max_examples // 5)
@given(st.lists(weights, min_size=2, max_size=3))
def test_eager_and_lazy_programs_have_one_certificate(tables: Tables) -> None:
    tables = [[weight // (gcd(*table) or 1) for weight in table] for table in tables]  # as lazy laws, in lowest terms
    assume(all(sum(table) > 1 for table in tables))
    inputs = tuple(range(len(tables)))
    lazy, eager = (subject(of_tables(tables), inputs, eager=eager) for eager in (False, True))
    one, two = audit(lazy, ApproxDP("1", "1/2")), audit(eager, ApproxDP("1", "1/2"))
    assert one.verdict == two.verdict
    assert check(one.certificate, eager, examined) == one.verdict


def test_a_mechanism_that_only_raises_is_undecided() -> None:
    def program(value: int, coins: Coins) -> int:
        raise NameError("name 'nosie' is not defined")

    subject = Subject(name="program", program=program, inputs=(0, 1), neighbours=RELATIONS["any"])
    found = decide(subject, PureDP("1"), again=subject.digests)
    assert isinstance(found.verdict, Undecided)
    assert found.verdict.reason.startswith("it never returns an outcome: on 0 it raises NameError(")
    assert found.certificate is None
