"""`import dpcert`: targets, checks, reports and events in one process; audits have one form for every method."""

import importlib
import inspect
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from json_forms import is_result

import dpcert
import dpcert.api
from dpcert.mechanisms.exact.number import ratio_text


def keeping(keep: int, of: int, **claim: Any) -> dpcert.Target:
    claim = {"guarantee": dpcert.PureDP("ln(3)"), "inputs": [0, 1], "neighbours": "any", **claim}

    @dpcert.target(**claim)
    def release(bit: int, coins: dpcert.Coins) -> int:
        """Release a bit, flipped now and then."""
        return bit if coins.below(of) < keep else 1 - bit

    return release


def test_a_target_is_still_its_function() -> None:
    release = keeping(3, 4)
    assert isinstance(release, dpcert.Target)
    assert release.__doc__ == "Release a bit, flipped now and then."
    assert repr(release) == "<dpcert target release>"
    assert {release(0, dpcert.seeded_coins(seed)) for seed in range(50)} == {0, 1}
    assert {release.sample(1) for _ in range(200)} == {0, 1}


def test_a_target_has_its_exact_law() -> None:
    release = keeping(3, 4)
    assert release.law(1).prob(1) == Fraction(3, 4)
    assert release.law(1) == release.law(1, eager=True)
    drawn = keeping(3, 4, observes="outcome and draws")
    assert drawn.law(1).prob((1, (4,))) == Fraction(3, 4)


def test_a_verdict_is_one_of_three_and_has_no_truth_value() -> None:
    found = [dpcert.audit(each) for each in (keeping(3, 4), keeping(4, 5), keeping(3, 4, inputs=[0]))]
    assert [each.verdict for each in found] == ["verified", "refuted", "undecided"]
    kinds = (dpcert.Verified, dpcert.Refuted, dpcert.Undecided)
    for audit, kind in zip(found, kinds, strict=True):
        assert type(audit.seen.verdict) is kind
        for answer in (audit, audit.seen.verdict):
            with pytest.raises(TypeError, match="has no truth value"):
                bool(answer)
    refuted = found[1].seen.verdict
    assert (refuted.a, refuted.b, refuted.event) == (0, 1, (0,))


def test_a_report_measures_more_than_the_verdict() -> None:
    found = dpcert.audit(keeping(3, 4, guarantee=dpcert.ApproxDP("ln(2)", "1/4"))).seen
    assert (found.delta_lo, found.delta_hi) == (Fraction(1, 4), Fraction(1, 4))
    assert (str(found.epsilon_lo), str(found.epsilon_hi)) == ("ln(2)", "ln(2)")
    assert (found.pairs, found.tail, found.worst.event if found.worst else None) == (2, 0, (0,))


def test_what_no_other_process_can_find_is_checked_with_an_assumption() -> None:
    verdict = dpcert.audit(keeping(3, 4)).seen.verdict
    assert isinstance(verdict, dpcert.Verified)
    (assumption,) = verdict.assumptions
    assert "computed in one process only" in assumption


@pytest.mark.nightly
def test_a_module_is_checked_by_two_processes_and_assumes_nothing(write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(
        "a_module_of_a_user.py",
        """
        import random

        RNG = random.Random(5)

        @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
        def release(bit, coins):
            return bit if coins.below(4) < 3 else 1 - bit

        @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
        def unlike(bit, coins):
            return hash("text")

        @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
        @dpcert.redirect()
        def seeded(bit):
            return bit if RNG.random() < 0.75 else 1 - bit
        """,
    ).parent
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    module = importlib.import_module("a_module_of_a_user")
    verdict = dpcert.audit(module.release).seen.verdict
    assert isinstance(verdict, dpcert.Verified)
    assert verdict.assumptions == ()
    verdict = dpcert.audit(module.unlike).seen.verdict
    assert isinstance(verdict, dpcert.Undecided)
    assert "computed a second time, a law differs" in verdict.reason
    verdict = dpcert.audit(module.seeded).seen.verdict
    assert isinstance(verdict, dpcert.Undecided)
    assert "a generator that the module holds, is in the same state in each process" in verdict.reason


TOP = """
    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def release(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit
    print(dpcert.audit(release).reason)
"""


@pytest.mark.nightly
def test_a_script_that_checks_itself_is_not_run_without_end(write: Any) -> None:
    path = write("script.py", TOP)
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "dpcert.audit at the top level of an audited file" in done.stdout


PLAIN: Any = len
NUMBER: Any = 3
GRID: dict[str, Any] = {
    "guarantee": dpcert.PureDP("ln(3)"),
    "inputs": [0, 1],
    "neighbours": "any",
    "params": {"keep": [3, 4], "of": [4, 5]},
}


def grid() -> dpcert.Target:
    @dpcert.target(**GRID)
    def release(bit: int, coins: dpcert.Coins, *, keep: int, of: int) -> int:
        return bit if coins.below(of) < keep else 1 - bit

    return release


def test_a_point_of_a_grid_is_chosen_by_name() -> None:
    assert dpcert.audit(grid(), keep=3, of=5).verdict == "verified"
    assert dpcert.audit(grid(), keep=4, of=4).verdict == "refuted"
    assert grid().law(0, keep=3, of=4).prob(0) == Fraction(3, 4)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: dpcert.audit(grid()), "exactly one point of its params"),
        (lambda: dpcert.audit(grid(), keep=3), "exactly one point of its params"),
        (lambda: dpcert.audit(grid(), keep=3, of=6), "exactly one point of its params"),
        (lambda: dpcert.audit(grid(), rate=3), "exactly one point of its params"),
        (lambda: dpcert.audit(keeping(3, 4), rate=3), "none: it has no params"),
        (lambda: dpcert.audit(PLAIN), "a builtin_function_or_method: a dpcert target; decorate it"),
        (lambda: next(dpcert.sweep(PLAIN)), "a builtin_function_or_method: a dpcert target; decorate it"),
        (lambda: dpcert.assert_event(PLAIN, a=0, b=1, event=[0]), "a dpcert target; decorate it"),
        (lambda: dpcert.audit(keeping(3, 4), method="sampling"), "method='sampling': exact, ideal, samples or clock"),
        (lambda: dpcert.audit("geosample", epsilon=0.5), "a text, an int or a Fraction"),
        (
            lambda: dpcert.audit(keeping(3, 4), method="samples", options=dpcert.Options(seed=-1)),
            "an integer from 0 on",
        ),
        (lambda: grid().law(0), "missing a required"),
        (lambda: grid().law(0, keep=3, off=4), "missing a required|unexpected keyword"),
        (lambda: dpcert.assert_event(grid(), a=0, b=1, event=[0]), "exactly one point of its params"),
        (lambda: dpcert.assert_event(keeping(3, 4), a=0, b=0, event=[0]), "give two neighbours"),
        (lambda: dpcert.target(**GRID)(NUMBER), "@dpcert.target on a int: a function"),
        (lambda: dpcert.target(**GRID)(grid()), "@dpcert.target on a Target: a function"),
        (lambda: dpcert.profile("geosampel"), "did you mean 'geosample'"),
        (lambda: dpcert.profile("zoo"), "target 'zoo'"),
        (lambda: dpcert.profile("geosample", n=0.5), "a text, an int or a Fraction"),
        (lambda: dpcert.profile("geosample", n=True), "a text, an int or a Fraction"),
        (lambda: dpcert.profile("geosample", m=3), "one of its parameters"),
        (lambda: dpcert.profile(PLAIN), "a dpcert target; decorate it"),
        (lambda: dpcert.profile(grid(), keep=3), "exactly one point of its params"),
        (lambda: dpcert.profile(keeping(3, 4, inputs=[0])), "two inputs that are"),
    ],
)
def test_refused_calls(call: Callable[[], object], words: str) -> None:
    with pytest.raises(dpcert.InputError, match=words) as caught:
        call()
    assert str(caught.value).isprintable()


def test_an_event_is_asserted_with_both_probabilities() -> None:
    dpcert.assert_event(keeping(3, 4), a=0, b=1, event=[0])
    dpcert.assert_event(keeping(3, 4), a=0, b=1, event=[0, 0, 0])  # an event is a set
    dpcert.assert_event(grid(), a=0, b=1, event=[0], keep=3, of=4)
    dpcert.assert_event(keeping(4, 5), a=0, b=1, event=[1])  # the complement breaks the claim, and is not asked about
    with pytest.raises(
        AssertionError, match=r"Pr\[event\] is 4/5 on 0 and 1/5 on 1: more than e\^\(ln\(3\)\) \* q \+ 0"
    ):
        dpcert.assert_event(keeping(4, 5), a=0, b=1, event=[0])
    with pytest.raises(AssertionError, match="is 4/5 on 1 and 1/5 on 0"):
        dpcert.assert_event(grid(), a=1, b=0, event=[1], keep=4, of=5)
    drawn = keeping(4, 5, observes="outcome and draws")
    with pytest.raises(AssertionError):
        dpcert.assert_event(drawn, a=0, b=1, event=[(0, (5,))])


@pytest.mark.nightly
def test_a_tail_counts_against_an_event() -> None:
    @dpcert.target(guarantee=dpcert.PureDP(0), inputs=[0, 1], neighbours="any")
    def until_heads(bit: int, coins: dpcert.Coins) -> str:
        n = 0
        while coins.below(2):
            n += 1
        return "done"

    with pytest.raises(AssertionError):
        dpcert.assert_event(until_heads, a=0, b=1, event=["done"])


def test_inputs_and_params_are_copies_that_no_program_can_change() -> None:
    rows, weights = [[0], [1]], [1, 1]

    @dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=rows, neighbours="any", params={"weights": [weights]})
    def release(row: list[int], coins: dpcert.Coins, weights: list[int]) -> int:
        rows[0][0] = rows[1][0] = 7
        released = row[0] + sum(weights)
        row.clear()
        weights.clear()
        return released

    rows[0][0] = rows[1][0] = 5
    weights.append(3)
    verdict = dpcert.audit(release).seen.verdict
    assert isinstance(verdict, dpcert.Refuted)
    assert (verdict.a, verdict.b, verdict.event) == ([0], [1], (2,))


def test_inputs_are_materialised_once_and_duplicates_merged() -> None:
    assert keeping(3, 4, inputs=(bit % 2 for bit in range(10))).inputs == (0, 1)
    kept = keeping(3, 4, inputs=[1, True, 1.0, 1]).inputs
    assert [type(value) for value in kept] == [int, bool, float]


def test_a_script_whose_outcomes_are_of_its_own_classes_checks_itself(write: Any) -> None:
    path = write(
        "script.py",
        """
        import enum
        from dataclasses import dataclass

        class Answer(enum.Enum):
            YES = 1
            NO = 0

        @dataclass
        class Sheet:
            answer: Answer

        @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
        def release(bit, coins):
            return Sheet(Answer(bit if coins.below(4) < 3 else 1 - bit))

        if __name__ == "__main__":
            found = dpcert.audit(release)
            print(found.verdict, found.assumptions)
        """,
    )
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("verified ()\n", "")


def test_the_profile_of_a_target_at_a_point_of_its_grid() -> None:
    found = dpcert.profile(grid(), keep=3, of=5)
    assert found.delta_at("ln(1)") == dpcert.Answer(Fraction(1, 5), Fraction(1, 5), "exact")
    assert found.ratio_at(0).hi == Fraction(3, 2)
    assert found.claim.sentence().startswith("release(keep=3, of=5) is (ln(3), 0)")
    assert (found.worst_at(0), len(found.pairs), found.tail, found.law_source) == ((0, 1), 2, 0, ("paths",))
    assert isinstance(found, dpcert.ClaimProfile)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["randomized-response", "geosample-strict", "geosample", "sampled-count"])
def test_the_profile_of_a_mechanism_by_name_is_what_its_audit_measures(name: str, audited: Any) -> None:
    (result,) = audited(name).document["results"]
    found = dpcert.profile(name)
    answer = found.delta_at(result["claim"]["epsilon"])
    assert answer.method == "exact"
    assert answer.lo is not None
    assert answer.hi is not None
    assert result["delta"] == {"lo": ratio_text(answer.lo), "hi": ratio_text(answer.hi)}
    assert len(found.pairs) == result["pairs"]
    least = found.ratio_at(result["claim"]["delta"])
    assert str(dpcert.Epsilon.ln(least.hi)) == result["epsilon"]["hi"]


@pytest.mark.nightly
def test_the_profile_of_a_mechanism_at_settings_and_options() -> None:
    program = dpcert.profile("geosample", n=5, epsilon=Fraction(1, 4))
    form = dpcert.profile("geosample", n="5", epsilon="1/4", options=dpcert.Options(law_source="closed-form"))
    assert program.sides == form.sides
    assert (program.law_source, form.law_source) == (("paths",), ("closed-form",))
    large = dpcert.profile("sample-threshold", kmax=300, options=dpcert.Options(law_source="closed-form"))
    assert (large.method, large.tail > 0) == ("enclosed", True)
    assert "rounded down to" in large.notes[0]
    exact, answer = dpcert.profile("sample-threshold", kmax=30).delta_at("ln(20/9)").lo, large.delta_at("ln(20/9)")
    assert answer.lo <= exact <= answer.hi <= answer.lo * (1 + Fraction(1, 10**12))


def test_refused_a_profile_of_counts_without_end() -> None:
    """At epsilon = 1/100 the counts 0 to 30 need 0.00012, and 83 people need 0.0103: no profile is that of all."""
    with pytest.raises(dpcert.InputError, match="write kmax=30"):
        dpcert.profile("sample-threshold")
    with pytest.raises(dpcert.InputError, match="write kmax=30"):
        dpcert.profile("sample-threshold", kmax="all")
    few, many = (
        dpcert.profile("sample-threshold", kmax=kmax, options=dpcert.Options(law_source="closed-form"))
        for kmax in (30, 83)
    )
    lo, hi = many.delta_at("1/100").lo, few.delta_at("1/100").hi
    assert lo > 80 * hi


def test_the_profile_of_a_program_that_goes_on_has_the_tail_against_it() -> None:
    @dpcert.target(guarantee=dpcert.ApproxDP(0, "1/2"), inputs=[0, 1], neighbours="any")
    def until(bit: int, coins: dpcert.Coins) -> str:
        n = 0
        while coins.below(2 + bit):
            n += 1
        return "done"

    found = dpcert.profile(until, options=dpcert.Options(max_tail="1/10"))
    answer = found.delta_at(0)
    assert (found.method, answer.lo) == ("enclosed", 0)
    assert 0 < found.tail <= answer.hi <= Fraction(1, 5)


CLAIM: dict[str, Any] = {"guarantee": dpcert.PureDP("ln(2)"), "inputs": [0, 1], "neighbours": "any"}


def test_an_audit_has_one_form_for_every_method() -> None:
    by_coins = dpcert.target(**CLAIM)(lambda bit, coins: bit if coins.below(4) else 1 - bit)
    by_noise = dpcert.target(**CLAIM)(lambda bit, rng: bit + rng.laplace(scale=1) >= 1)
    few, clock = dpcert.Options(samples=4000), dpcert.Options(samples=2000, timing="duration")
    refuted = dpcert.audit(by_coins)
    assert (refuted.method, refuted.source, refuted.reason) == ("exact", "paths", None)
    assert (refuted.witness.a, refuted.witness.b, refuted.witness.p) == (0, 1, "3/4")
    assert refuted.assumptions[0].startswith("the laws were computed in one process only")
    assert refuted.next_step is not None
    assert str(refuted).startswith("refuted    <lambda>")
    assert repr(refuted) == f"<dpcert audit, refuted: {refuted.sentence}>"
    ideal = dpcert.audit(by_noise, method="ideal")
    assert (ideal.verdict, ideal.method, ideal.source) == ("refuted", "ideal", "ideal")
    assert ideal.witness == ideal.result.worst is not None
    assert ideal.sentence.startswith("with ideal noise, ")
    sampled = dpcert.audit(by_coins, method="samples", options=few)
    timed = dpcert.audit(by_coins, method="clock", options=clock)
    assert (sampled.method, sampled.source, type(sampled.seen)) == ("sampling", None, dpcert.Sampled)
    assert (timed.method, timed.verdict, timed.next_step is None) == ("sampling", "undecided", False)
    shipped = dpcert.audit("sample-threshold", threshold=3, rate="1/4", options=dpcert.Options("ln(3)", "1/50"))
    assert (shipped.verdict, shipped.next_step, shipped.seen) == ("verified", None, None)
    assert shipped.sentence.endswith("on all counts")
    assert "theorem" in str(shipped.source)
    for audit in (refuted, ideal, sampled, timed, shipped):
        is_result(audit.as_json())


def test_the_name_of_the_package_is_called_as_the_function() -> None:
    called, defined = (inspect.signature(each).parameters.values() for each in (dpcert.audit, dpcert.api.audit))
    first, second = ([(each.name, each.kind, each.default) for each in part] for part in (called, defined))
    assert first == second


def test_what_a_method_cannot_follow_is_undecided_by_name() -> None:
    fails = dpcert.target(**CLAIM)(lambda bit, coins: bit // 0)
    found = dpcert.audit(fails, method="samples", options=dpcert.Options(samples=2000))
    assert (found.verdict, found.method, found.seen) == ("undecided", "sampling", None)
    assert "end in ZeroDivisionError" in str(found.reason)
