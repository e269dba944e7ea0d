"""Verdicts in a few lines: no word broken, numbers that show the violation, and always a step to take."""

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import dpcert
import dpcert.audit.float_outcomes
import dpcert.audit.ideal.decide
import dpcert.audit.reasons
import dpcert.audit.sampling.decide
import dpcert.audit.timing.decide
import dpcert.worker.auditing
from dpcert import Epsilon, Options
from dpcert.audit.certificates import OF_FUNCTION
from dpcert.audit.kernel import examine
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.run.single import UNREAD
from dpcert.show.blocks import Blocks, parts_of
from dpcert.show.next_step import FLOATS, IDEAL, MACHINE, MEND, VERBS, WRITE, next_step, undecided_step
from dpcert.show.numbers import number_of
from dpcert.show.witness import broken, inequality, size
from dpcert.targets.cases import case_of
from dpcert.targets.spec import CatalogueSpec
from dpcert.worker.limits import spent_words, waited_words
from dpcert.worker.result import ClaimWords, DeltaEnds, EpsilonEnds, Result, SeenEvent
from dpcert.worker.results import described

INEQUALITY = re.compile(
    r"(?P<p>\S+) > (?P<ratio>\S+( \+ \S+\))?) \* (?P<q>\S+) \+ (?P<delta>[^ :]+)(: (?P<low>\S+) > (?P<high>\S+))?"
)
CHANCES = st.fractions(min_value=0, max_value=1, max_denominator=10**30)


PLAIN = replace(
    described(case_of(CatalogueSpec("randomized-response"), Options())),
    verdict="refuted",
    target="f.py:f",
    law_source="paths",
    tail="0/1",
    pairs=2,
    delta=DeltaEnds("1/2", "1/2"),
)


def refuted(p: Fraction, q: Fraction, epsilon: str, delta: Fraction = Fraction(0), **more: Any) -> Result:
    """Return a refuted result with its inequality."""
    claim = ClaimWords(epsilon, ratio_text(delta), "", "", "it is private", {})
    return replace(PLAIN, claim=claim, worst=SeenEvent(0, 1, [0], 1, ratio_text(p), ratio_text(q)), **more)


def claiming(result: Result, **words: Any) -> Result:
    return replace(result, claim=replace(result.claim, **words))


@given(CHANCES, CHANCES, st.sampled_from(["0", "1", "1/10", "ln(3)", "ln(3/2)", "1/2 + ln(2)"]), CHANCES)
@example(Fraction(3, 4), Fraction(0), "ln(3)", Fraction(0))
@example(Fraction(1, 2) + Fraction(1, 10**20), Fraction(1, 4), "ln(2)", Fraction(0))
@example(Fraction(12916, 10**7), Fraction(47518, 10**8) - Fraction(1, 10**5), "1", Fraction(0))
def test_the_printed_inequality_implies_the_violation(p: Fraction, q: Fraction, epsilon: str, delta: Fraction) -> None:
    lo, hi = Epsilon.of(epsilon).exp_bounds(256)
    assume(p > hi * q + delta)
    found = INEQUALITY.fullmatch(inequality(refuted(p, q, epsilon, delta)))
    assert Fraction(found["p"]) <= p
    assert Fraction(found["q"]) >= q
    assert Fraction(found["delta"]) >= delta
    if found["ratio"].startswith("e^"):
        assert found["ratio"] in (f"e^{epsilon}", f"e^({epsilon})")
    else:
        assert Fraction(found["ratio"]) >= lo
    if found["low"] is None:
        assert q == delta == 0
    else:
        assert p >= Fraction(found["low"]) > Fraction(found["high"]) >= lo * q + delta


def test_a_difference_beyond_all_digits_is_said_to_be_compared_exactly() -> None:
    text = inequality(refuted(Fraction(1, 2) + Fraction(1, 10**80), Fraction(1, 4), "ln(2)"))
    assert text.endswith(", compared exactly")


def test_a_huge_epsilon_is_not_raised_to_a_power() -> None:
    assert inequality(refuted(Fraction(1, 2), Fraction(0), "1e9")) == "1/2 > e^1000000000 * 0 + 0"


@pytest.mark.parametrize("width", [40, 80, 100])
def test_lines_fit_and_no_word_is_broken(width: int) -> None:
    result = refuted(Fraction(3, 4), Fraction(1, 8), "ln(3)", assumptions=["coins are fair"], notes=["a " * 60])
    sentence = "it_is_called_so is (ln(3), 0)-differentially private for " + "any two inputs " * 9
    result = claiming(result, sentence=sentence)
    blocks = Blocks(width=width)
    lines = [line for line in blocks.lines(result) if "def test_" not in line]
    assert max(map(len, lines)) <= width
    words = " ".join(lines).split()
    assert {"(ln(3),", "0)-differentially", "it_is_called_so", "note", "2", "3/8"} - set(words) == {"3/8"}
    assert "3/4 on 0 > 3 * 1/8 on 1 + 0: 0.75 > 0.375; makes even odds 6 to 1 for 0" in " ".join(words)


def test_what_claims_share_is_said_once() -> None:
    blocks = Blocks(notes=False)
    one = refuted(Fraction(1), Fraction(0), "0", assumptions=["coins are fair"])
    two = refuted(Fraction(1), Fraction(0), "0", assumptions=["coins are fair"], notes=["it raises"])
    first, *others = blocks.lines(one)
    assert (first.endswith("it is private"), others[-1]) == (True, "  note 1   assumed: coins are fair")
    first, *others = blocks.lines(two)
    assert (first.endswith("private; note 1 above"), others[-1]) == (True, "  note 2   it raises")
    assert not any("coins are fair" in line for line in others)
    assert blocks.lines(two)[0].endswith("private; notes 1-2 above")


@pytest.mark.parametrize(("notes", "shown"), [(3, 3), (4, 3), (9, 3)])
def test_notes_of_a_claim_take_three_lines_and_assumptions_are_whole(notes: int, shown: int) -> None:
    assumed, others = [f"fair {i}" for i in range(5)], [f"it raises {i}" for i in range(notes)]
    result = refuted(Fraction(1), Fraction(0), "0", assumptions=assumed, notes=others)
    lines = [line for line in Blocks(notes=False).lines(result) if line.startswith(("  note", "  ..."))]
    assert [line for line in lines if "assumed" in line] == [f"  note {i + 1}   assumed: fair {i}" for i in range(5)]
    assert len(lines) == 5 + shown
    rest = lines[-1] == "  ...      the rest of these notes with --notes"
    assert rest == (notes > 3)
    whole = [line for line in Blocks(notes=True).lines(result) if line.startswith(("  note", "  ..."))]
    assert len(whole) == 5 + notes


def test_a_claim_names_its_function_once_and_its_relation_by_name() -> None:
    words = "lists one of which is the other without one element"
    scope = {"neighbours": "add-remove", "inputs": "the inputs [], [1]"}
    sentence = f"f(n=3), its draws observed, is (0, 0)-differentially private for {words}, on the inputs [], [1]"
    result = claiming(refuted(Fraction(1), Fraction(0), "0"), sentence=sentence, **scope)
    blocks = Blocks(width=100)
    start = "refuted    f.py:f(n=3), its draws observed, is (0, 0)-differentially private for add-remove"
    lines = blocks.lines(result)
    assert lines[:2] == [f"{start}", "           neighbours on [], [1]"]
    assert lines[-1] == f"  where    add-remove neighbours are {words}"
    assert blocks.lines(replace(result, target="f.py:g"))[0].startswith("refuted    f.py:g: f(n=3), its draws")
    assert blocks.lines(replace(result, target="f.py:f(n"))[0].startswith("refuted    f.py:f(n: f(n=3)")
    assert not any(line.startswith("  where") for line in blocks.lines(result))
    sentence = "f is (0, 0)-differentially private for any two inputs, on 0"
    assert blocks.lines(claiming(result, neighbours="any", sentence=sentence))[0] == f"refuted    f.py:{sentence}"


@pytest.mark.parametrize(
    ("p", "q", "epsilon", "words"),
    [
        ("3/4", "0", "ln(3)", "3/4 on 0 > 3 * 0 on 1 + 0"),
        ("3/4", "1/8", "ln(3)", "3/4 on 0 > 3 * 1/8 on 1 + 0: 0.75 > 0.375"),
        ("3/4", "1/1000", "1", "3/4 on 0 > e^1 * 0.001 on 1 + 0"),
        ("3/4", "1/100000", "7", "3/4 on 0 > e^7 * 1e-5 on 1 + 0: 0.75 > 0.010967"),
    ],
)
def test_an_inequality_has_decimals_where_its_terms_do_not_show_it(p: str, q: str, epsilon: str, words: str) -> None:
    assert broken(refuted(Fraction(p), Fraction(q), epsilon)) == words


def test_every_as_written_refutation_takes_six_lines_at_most() -> None:
    result = refuted(Fraction(19673, 100000), Fraction(1, 10**33), "1", target="examples/as_written.py:sparse_vector")
    words = "integer vectors whose entries differ by at most one"
    inputs = "the inputs [0, 0, 0], [1, 1, 1], [0, 1, 0]"
    a, b = ({"list": [0, middle, 0]} for middle in (1, 0))
    event = [{"list": [False, True, False]}]
    sentence = f"sparse_vector is (1, 0)-differentially private for {words}, on {inputs}"
    result = claiming(result, neighbours="linf", inputs=inputs, sentence=sentence)
    result = replace(result, worst=replace(result.witness, a=a, b=b, event=event))
    blocks = Blocks(width=80)
    lines = blocks.lines(result)
    assert lines[6:] == [
        "  where    linf neighbours are integer vectors whose entries differ by at most",
        "           one",
    ]
    assert lines[:6] == blocks.lines(result)
    assert lines[5].startswith(
        "  test     def test_sparse_vector_event(): dpcert.assert_event(sparse_vector, a=[0, 1, 0]"
    )


REASONS = [
    "the scope is empty: there are no inputs",
    "the scope is empty: no two of the inputs 0, 2 are counts that differ by one",
    "the laws were computed only once",
    examine.CHANGED,
    examine.NO_VIOLATION,
    "the process ran out of memory",
    "the program ended with SystemExit, which is no outcome",
    "it never returns an outcome: on 0 it raises ValueError()",
    "no two of the inputs are neighbours",
    "the program is no function of its input and coins: run again, it drew fewer coins",
    "a pair violates the bound, but no event was found that shows it",
    dpcert.audit.reasons.NOTHING_DRAWN,
    dpcert.audit.float_outcomes.OPEN,
    dpcert.audit.float_outcomes.UNFOLLOWED.format(""),
    dpcert.audit.ideal.decide.TOO_NEAR,
    dpcert.audit.sampling.decide.NOTHING,
    dpcert.audit.sampling.decide.LATE,
    dpcert.audit.timing.decide.NOTHING,
    dpcert.worker.auditing.DRAWS,
    spent_words(30, Path("none")),
    waited_words(30, Path("none")),
]


@pytest.mark.parametrize("reason", REASONS, ids=lambda reason: reason[:40])
def test_an_undecided_claim_says_what_to_change(reason: str) -> None:
    why, step = undecided_step(reason)
    assert step not in ("", WRITE)
    assert why
    assert step.partition(" ")[0].strip(",") in {*VERBS.split(), "report"}


def test_what_was_sampled_for_want_of_reading_says_how_it_can_be_read() -> None:
    result = refuted(Fraction(0), Fraction(0), "0", verdict="undecided", method="sampling", reason="no violation found")
    note = f"{UNREAD}numpy.argmax is not followed: line 3; compare each with plain numbers"
    result = replace(result, notes=[note], reason=dpcert.audit.sampling.decide.NOTHING)
    step = next_step(result)
    assert step.startswith("compare each with plain numbers; then it is read exactly. Or take more --samples")
    step = next_step(replace(result, ideal="verified"))
    assert step == "compare each with plain numbers; then it is read exactly"
    step = str(next_step(replace(result, notes=[], ideal="verified")))
    assert step == IDEAL["verified"]
    assert "--noise ideal" not in step  # which was just asked beside it
    result = replace(result, notes=[f"{UNREAD}{dpcert.audit.float_outcomes.OPEN}"])
    assert "--sampling" not in str(next_step(result))


def test_a_step_names_sampling_only_where_it_was_not_done() -> None:
    result = refuted(Fraction(0), Fraction(0), "0", verdict="undecided", reason="numpy.argmax is not followed: line 3")
    assert next_step(result) == "write that line in another way, or sample it with --sampling"
    assert next_step(replace(result, method="sampling")) == "write that line in another way"
    assert next_step(replace(result, method="ideal")) == MACHINE
    assert "--noise machine" not in undecided_step("numpy.argmax is not followed: line 3 of noisy")[1]


def test_what_samples_or_the_clock_saw_makes_no_test() -> None:
    result = refuted(Fraction(3, 4), Fraction(0), "0", method="sampling")
    assert next_step(result) == next_step(replace(result, worst=None)) == MEND


def test_an_event_that_is_no_set_of_outcomes_makes_no_test() -> None:
    result = refuted(Fraction(3, 4), Fraction(0), "0")
    assert "def test_f_event()" in str(next_step(result))
    notes = [f"{OF_FUNCTION}, which tells one float apart"]
    assert "def test" not in str(next_step(replace(result, notes=notes)))
    assert next_step(replace(result, notes=notes, ideal="refuted")) != FLOATS
    for method in ("exact", "sampling"):
        assert next_step(replace(result, notes=notes, method=method, ideal="verified")) == FLOATS
    told = replace(result, ideal="verified")
    assert str(next_step(told)).startswith(f"{FLOATS}, and keep this as a test:")
    assert [[label for label, _ in parts_of(each)[2:]] for each in (told, result)] == [["next", "test"], ["test"]]


@pytest.mark.parametrize(
    ("q", "more", "words"),
    [
        ("0", {}, "no epsilon is enough, least delta 1/2"),
        ("1/5", {}, "no epsilon is enough, least delta 1/2"),
        ("1/5", {"delta": DeltaEnds("1/5", "1/1")}, "more than epsilon ln(3) is needed, least delta >= 0.2"),
        ("1/5", {"tail": "1/8", "epsilon": EpsilonEnds("ln(7/2)", None)}, "least epsilon >= ln(7/2), least delta 1/2"),
        ("1/5", {"epsilon": EpsilonEnds("ln(4)", "ln(4)")}, "least epsilon ln(4), least delta 1/2"),
        ("0", {"tail": "1/8", "delta": DeltaEnds("1/2", "5/8")}, "no epsilon is enough, least delta >= 0.5"),
        ("0", {"delta": DeltaEnds("0/1", "1/1")}, "no epsilon is enough"),
    ],
)
def test_no_more_is_said_of_the_least_epsilon_than_is_known(q: str, more: dict[str, Any], words: str) -> None:
    assert size(replace(refuted(Fraction(4, 5), Fraction(q), "ln(3)"), **more)) == words


def test_a_reason_of_any_other_kind_has_a_step_too() -> None:
    assert undecided_step("numpy.argmax is not followed: line 3") == ("numpy.argmax is not followed: line 3", WRITE)
    assert undecided_step("it does a; b; compare each with numbers; or not") == (
        "it does a; b",
        "compare each with numbers; or not",
    )


LEAK = """
import dpcert


@dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
def answer(bit, coins):
    return bit if coins.below(4) else not bit


@dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
def honest(bit, coins):
    return bit if coins.below(4) else 1 - bit
"""


@pytest.mark.usefixtures("workers_inside")
def test_a_run_has_the_form_that_is_asked_for(inside: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.py").write_text(LEAK)
    blocks = inside("audit", "f.py").lines
    assert [line.partition(" ")[0] for line in blocks if not line.startswith(" ")] == ["refuted", "verified", "1"]
    assert max(len(line) for line in blocks if "def test_" not in line) <= 80
    assert "3/4 on 0 > 3 * 0 on 1 + 0; rules out 1" in "\n".join(blocks)
    (kept,) = (line.removeprefix("  test     ") for line in blocks if line.startswith("  test     def test_"))
    names: dict[str, Any] = {"dpcert": dpcert}
    FunctionType(compile(f"{LEAK}\n{kept}\n", "f.py", "exec"), names)()
    with pytest.raises(AssertionError, match=r"3/4 on 0 and 0 on 1"):
        names["test_answer_event"]()
    quiet = inside("audit", "f.py", "--quiet").lines
    assert "verified" not in "\n".join(quiet[:-1])
    assert quiet[0].startswith("refuted")
    assert "(exactly 3/4 and 0/1)" in inside("audit", "f.py", "-v").out
    assert "leave one out" in inside("audit", "f.py", "-v", "-q").refusal()


def test_numbers_of_any_length_are_read() -> None:
    assert number_of("1/" + "9" * 5000) == Fraction(1, 10**5000 - 1)
