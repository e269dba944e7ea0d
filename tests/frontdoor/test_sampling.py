"""The front door of sampling audits: verdicts, statuses, JSON to the letter; alpha = 1e-3 for each run."""

import random
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from in_process import answer_of

import dpcert
from dpcert import InputError, Options
from dpcert.show.lines import result_line
from dpcert.targets.cases import file_case
from dpcert.targets.spec import FileSpec
from dpcert.worker.auditing import Workplace
from dpcert.worker.jobs import Alone, Answers, AuditMany
from dpcert.worker.sampling import sampled_result

TEXT = """
    import random

    from numpy.random import Generator


    @target(guarantee=PureDP("1"), inputs=[0, 1], neighbours="counts_differ_by_one", expect="refuted")
    def half(count):
        return round(count + random.gauss(0, 0.5))


    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="counts_differ_by_one")
    def response(bit):
        return bit if random.random() < 0.7 else 1 - bit


    @target(guarantee=PureDP("1"), inputs=[0, 1], neighbours="any", params={"p": [0.2, 0.9]}, expect="refuted")
    def generated(bit, rng, p):
        assert type(rng) is Generator
        return bit if rng.random() < p else -1


    @target(guarantee=PureDP("1"), inputs=[0, 1], neighbours="any", expect="refuted", observes="outcome and draws")
    def timed(bit, coins):
        return 0 * sum(coins.below(2) for _ in range(1 + bit))
"""


def test_targets_without_coins_are_read_and_where_they_cannot_be_sampled(quick: Any, write: Any) -> None:
    path = write("user.py", TEXT)
    done = quick(path, "--expect", "--samples", "20000")
    assert done.status == 0
    methods = {r["target"].rpartition(":")[2]: (r["method"], r["verdict"]) for r in done.document["results"]}
    assert methods == {
        "half": ("sampling", "refuted"),
        "response": ("exact", "verified"),
        "generated": ("exact", "refuted"),
        "timed": ("exact", "refuted"),
    }
    notes = {r["target"].rpartition(":")[2]: r["notes"] for r in done.document["results"]}
    assert notes["half"][0].startswith(
        "not read exactly, so it was sampled: a random() is needed as a plain float, at "
    )
    assert re.search(r" at line \d+ of random.py, in gauss, .*; draw in integers", notes["half"][0])


def test_exact_refuses_to_sample_and_sampling_to_read(quick: Any, write: Any) -> None:
    path = write("user.py", TEXT)
    (read,) = quick(f"{path}:half", "--exact").document["results"]
    assert (read["method"], read["verdict"]) == ("exact", "undecided")
    assert "at line" in read["reason"]
    (sampled,) = quick(f"{path}:response", "--sampling", "--samples", "9000").document["results"]
    assert (sampled["method"], sampled["verdict"], sampled["law_source"]) == ("sampling", "undecided", None)
    assert not any("not read exactly" in note for note in sampled["notes"])


def test_statuses_and_counts(quick: Any, write: Any, tmp_path: Path) -> None:
    path = write("user.py", TEXT)
    refuted = quick(f"{path}:half", "--certificates", tmp_path / "c", "--confidence", "0.99")
    assert refuted.status == 1
    (result,) = refuted.document["results"]
    assert result["confidence"] == "99/100"
    assert result["certificate"] is None
    assert not (tmp_path / "c").exists()
    assert any("no certificate" in note for note in result["notes"])
    counts = result["sampling"]["counts"]
    assert counts["a"] > counts["b"]
    assert Fraction(result["worst"]["p"]) < Fraction(counts["a"], counts["of_a"])
    assert Fraction(result["worst"]["p"]) > 2 * Fraction(result["worst"]["q"]) > 0
    undecided = quick(f"{path}:response", "--sampling", "--samples", "9000")
    assert undecided.status == 3
    (result,) = undecided.document["results"]
    assert result["reason"].startswith("no violation found; ")
    assert "with probability 0.9" in result["power"]
    assert result["sampling"]["runs"] <= 9040


def test_targets_with_coins_are_sampled_where_asked(quick: Any, write: Any) -> None:
    path = write("user.py", TEXT)
    options = ("--sampling", "--seed", "1", "--samples", "10000")
    done = quick(f"{path}:timed", "geosample-exponent", "randomized-response", "sample-threshold", *options)
    assert {r["method"] for r in done.document["results"]} == {"sampling"}
    assert [r["verdict"] for r in done.document["results"]] == ["refuted", "refuted", "undecided", "undecided"]


def test_a_line_for_a_person(inside: Any, workers_inside: None) -> None:
    two = ("geosample-exponent", "randomized-response")
    done = inside("audit", "--sampling", *two, "--samples", "10000", "--format", "oneline")
    refuted, undecided, _ = done.lines
    assert refuted.startswith("geosample-exponent: refuted: ")
    assert "at confidence 0.999999: epsilon >= " in refuted
    times = r"\d+ of \d+"
    assert re.search(rf", in {times} runs on \d and {times} runs on \d, confirmed in {times} and {times}; ", refuted)
    assert "reason: no violation found; more --samples see smaller ones; at confidence 0.999999: " in undecided
    whole = "; false alarm at most 1e-6 for this whole run of 2 claims; "
    assert whole in refuted
    assert whole in undecided
    assert re.search(r"of proposed events, one of probability .* is found with probability 0\.9", undecided)


@pytest.mark.nightly
def test_a_sampled_target_beyond_its_time_is_undecided_by_sampling(
    inside: Any, write: Any, check_json: Callable[[str, Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpcert.worker.limits.BEGIN", 1.0)
    monkeypatch.setattr("dpcert.worker.limits.PATIENCE", 1.0)
    path = write(
        "slow.py",
        """
        import time

        @target(guarantee=PureDP("1"), inputs=[0, 1], neighbours="any", expect="undecided")
        def slow(bit):
            time.sleep(60)
        """,
    )
    done = inside("audit", path, "--json", "--time-limit", "3")
    assert done.status == 3
    (result,) = done.document["results"]
    assert (result["method"], result["law_source"], result["verdict"]) == ("sampling", None, "undecided")
    check_json("result", result)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--samples", "10"), "at least 1000"),
        (("--confidence", "1"), "a number in [1/2, 1)"),
        (("--seed", "-1"), "an integer from 0 on"),
        (("--eager",), "--eager with --sampling"),
        (("--exact",), "--exact with --sampling"),
        (("--law-source", "closed-form"), "--law-source closed-form with --sampling"),
    ],
)
def test_refused_options(inside: Any, options: tuple[str, ...], words: str) -> None:
    assert words in inside("audit", "randomized-response", "--sampling", *options).refusal()


def test_an_event_without_examples_is_refuted_all_the_same() -> None:
    """A result says the inputs and both bounds of a refutation also where no outcome stands for the event."""
    found = dpcert.target(guarantee=dpcert.PureDP("1"), inputs=[0, 1], neighbours="any")(release)
    case = file_case(Path("user.py"), "release", found, 0, dpcert.Options())
    report = dpcert.audit(found, method="samples", options=dpcert.Options(samples=5000)).seen
    bare = replace(report, worst=replace(report.worst, event=replace(report.worst.event, members=())))
    result = sampled_result(case, bare)
    assert (result.verdict, result.witness.event, result.witness.event_size) == ("refuted", [], 0)
    assert re.search(r"in \d+ of \d+ runs on \d and 0 of \d+ runs on \d", result_line(result))


OWN = """
    import random

    import numpy


    @target(guarantee=PureDP("1"), inputs=[0, 1], neighbours="any")
    def by_module(bit):
        return bit if random.random() < 0.78 else 1 - bit if numpy.random.random() < 0.8 else 2


    @target(guarantee=PureDP("1"), inputs=[0, 1], neighbours="any")
    def by_rng(bit, rng):
        return bit if rng.random() < 0.78 else 1 - bit


    def many(bit, n, rng):
        return (rng.random(n) < 0.22 + 0.56 * bit) * 1


    @target(guarantee=PureDP("1"), inputs=[0, 1], neighbours="any", batch=many)
    def by_batch(bit, rng):
        return many(bit, 1, rng)[0]


    @target(guarantee=PureDP("1"), inputs=[0, 1], neighbours="any")
    def by_coins(bit, coins):
        return bit if coins.random() < 0.78 else 1 - bit
"""


@pytest.mark.nightly
def test_samples_are_the_same_in_every_run_until_the_code_changes(quick: Any, command: Any, write: Any) -> None:
    """The same verdicts, events and numbers, two at a time; with another text of the file others, from other seeds."""
    path = write("own.py", OWN)
    options = (path, "--sampling", "--samples", "6000", "--time-limit", "100")
    first = quick(*options).document["results"]
    assert command("audit", *options, "--json", "--jobs", "2").document["results"] == first
    seeds = [result["sampling"]["seed"] for result in first]
    assert len({*seeds}) == 4
    assert [result["sampling"]["claims"] for result in first] == [4] * 4
    write("own.py", f"{OWN}\n    # changed")
    other = quick(*options).document["results"]
    assert not {*seeds} & {result["sampling"]["seed"] for result in other}
    assert [result["sampling"]["counts"] for result in other] != [result["sampling"]["counts"] for result in first]
    chosen = quick(*options, "--seed", str(seeds[0])).document["results"]
    assert {result["sampling"]["seed"] for result in chosen} == {seeds[0]}


def test_what_is_assumed_of_a_program_s_own_randomness_is_said(inside: Any, workers_inside: None, write: Any) -> None:
    path = write("own.py", OWN)
    options = ("--sampling", "--samples", "2000", "--format", "oneline")
    line, *_ = inside("audit", f"{path}:by_module", *options).lines
    assert "; the program's own randomness is independent between runs, and of one law on each input: " in line
    named = {"by_module": "own randomness", "by_rng": "generator that it is handed", "by_coins": "coins"}
    for name, words in named.items():
        done = inside("audit", f"{write('own.py', OWN)}:{name}", "--sampling", "--samples", "2000", "--json")
        (assumption,) = done.document["results"][0]["assumptions"]
        assert words in assumption


def test_the_generators_of_modules_are_put_back() -> None:
    random.seed(1)
    expected = random.random()
    random.seed(1)
    found = dpcert.target(guarantee=dpcert.PureDP("1"), inputs=[0, 1], neighbours="any")(drawing)
    options = dpcert.Options(samples=2000, seed=3)
    reports = [dpcert.audit(found, method="samples", options=options).seen for _ in range(2)]
    assert random.random() == expected
    assert reports[0] == reports[1]
    assert reports[0].seed == 3


def drawing(bit: int) -> float:
    return random.random()


def test_a_program_that_fails_is_undecided_by_name(quick: Any, inside: Any, workers_inside: None, write: Any) -> None:
    """As the verdict, in text and JSON, with what was handed in; by the clock as well."""
    path = write(
        "fails.py",
        """
        @target(guarantee=PureDP("1"), inputs=[0, 1], neighbours="any")
        def renamed(bit, rng):
            return bit + rng.randint(3)
        """,
    )
    read, sampled = "it never returns an outcome: on 0 it ends in", "32 of the first 32 runs on 0 end in"
    for options, method, words in (((), "exact", read), (("--timing", "both"), "sampling", sampled)):
        done = quick(path, *options)
        assert done.status == 3
        (result,) = done.document["results"]
        assert (result["method"], result["confidence"]) == (method, None)
        assert result["reason"].startswith(f"{words} AttributeError: ")
        assert "rng is a numpy Generator; it has no .randint; write rng.integers, or name " in result["reason"]
        assert re.search(r"\(fails.py, line \d+\)", result["reason"])
    assert f"; reason: {read} AttributeError: " in inside("audit", path, "--format", "oneline").lines[0]


def test_points_without_coins_are_sampled_each_by_itself(inside: Any, workers_inside: None, write: Any) -> None:
    """Points of a grid may share a process and its time; each that cannot be read there is audited alone."""
    path = write(
        "grid.py",
        """
        import random

        @target(guarantee=PureDP("1"), inputs=[0, 1], neighbours="any", params={"k": range(2)}, expect="undecided")
        def loose(bit, k):
            return bit if random.random() < 0.3 + 0.3 * random.random() else 1 - bit
        """,
    )
    found = inside("audit", path, "--samples", "2000", "--json", "--expect")
    assert found.status == 0
    assert all(1000 < result["sampling"]["runs"] <= 2000 for result in found.document["results"])
    job = AuditMany([FileSpec(str(path), "loose", 1)], Options())
    assert answer_of(job, Workplace(path.parent)) == Answers([Alone(f"{path}:loose")])


def release(bit: int) -> int:
    return bit


def test_a_target_without_coins_has_a_law_where_it_can_be_read(inside: Any, workers_inside: None, write: Any) -> None:
    found = dpcert.target(guarantee=dpcert.PureDP("1"), inputs=[0, 1], neighbours="any")(release)
    assert found.law(1) == dpcert.Dist.of([(1, Fraction(1))])
    assert dpcert.audit(found).verdict == "refuted"
    assert dpcert.profile(found).delta_at(5).lo == 1
    assert found.sample(1) == 1
    report = dpcert.audit(found, method="samples", options=dpcert.Options(samples=5000)).seen
    assert report.refuted
    path = write("user.py", TEXT)
    law = inside("law", f"{path}:response", "--input", "0", "--json").document["law"]
    assert [outcome for outcome, _ in law] == [0, 1]


@pytest.mark.nightly
def test_vector_patterns_are_inputs(quick: Any, write: Any) -> None:
    """Report-noisy-max that publishes the noisy maximum; all five queries move at once."""
    path = write(
        "max.py",
        """
        import random

        import dpcert

        @target(guarantee=PureDP("1"), inputs=dpcert.vector_patterns(5), neighbours="linf", expect="refuted")
        def greatest(queries):
            return max(x + random.expovariate(2) for x in queries)
        """,
    )
    done = quick(path, "--expect")
    assert done.status == 0
    assert done.result("greatest")["pairs"] > 20


def noisy(x: int, n: int, rng: Any) -> Any:
    return x + rng.laplace(0, 2, (n, 3))


def test_a_batch_is_sampled_in_its_place(quick: Any, write: Any) -> None:
    """The function itself would raise: nothing but the batch is run; and the seed fixes all."""
    path = write(
        "many.py",
        """
        def many(x, n, rng, low):
            return (rng.integers(0, 100, (n, 3)) < 50 + low * x) * 1

        @target(
            guarantee=PureDP("1"), inputs=[0, 1], neighbours="any", params={"low": [1, 40]}, batch=many
        )
        def one(x, rng, low):
            raise RuntimeError("not to be called")
        """,
    )
    done = quick(path, "--samples", "200000", "--seed", "4")
    undecided, refuted = done.document["results"]
    assert (refuted["verdict"], undecided["verdict"]) == ("refuted", "undecided")
    assert "a row of a batch is a run of the target" in refuted["assumptions"]
    assert quick(path, "--samples", "200000", "--seed", "4").document["results"][0]["sampling"] == undecided["sampling"]


def test_batches_of_a_target() -> None:
    def one(x: int, rng: Any) -> Any:
        return noisy(x, 1, rng)[0]

    found = dpcert.target(guarantee=dpcert.PureDP("1"), inputs=[0, 1], neighbours="any", batch=noisy)(one)
    report = dpcert.audit(found, method="samples", options=dpcert.Options(samples=100_000, seed=1)).seen
    assert report.refuted
    wrong: Any = 3
    with pytest.raises(InputError, match="batch of type int"):
        dpcert.target(guarantee=dpcert.PureDP("1"), inputs=[0, 1], neighbours="any", batch=wrong)
