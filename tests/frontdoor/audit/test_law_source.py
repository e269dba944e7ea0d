"""Where the laws of what ships come from: the program while it fits in the limits, else its closed form, by itself."""

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from in_process import NOWHERE

from dpcert import Coins, Dist, Epsilon, InputError, Options, Unauditable
from dpcert.mechanisms.mechanism import Instance, Mechanism
from dpcert.targets import catalogue
from dpcert.targets.spec import CatalogueSpec
from dpcert.worker.auditing import Workplace
from dpcert.worker.jobs import Compare
from dpcert.worker.operations import apart, compare

Law = Callable[[int], Dist]
Use = Callable[..., None]
FEW = ("--max-runs", "4")
HELD = "tests/mechanisms/test_every_mechanism.py holds both equal at small parameters"


def digits(count: int, coins: Coins) -> int:
    """Draw one of 2^count numbers, each on a path of its own."""
    return coins.below(1 << count)


def uniform(count: int) -> Dist:
    return Dist.from_weights([(number, 1) for number in range(1 << count)], 1 << count)


def greedy(count: int, coins: Coins) -> int:
    if count == 3:
        raise MemoryError
    return coins.below(1 << count)


def off_at_one(count: int) -> Dist:
    return Dist.point(0) if count == 1 else uniform(count)


def off_at_three(count: int) -> Dist:
    return Dist.point(0) if count == 3 else uniform(count)


def with_tail(count: int) -> Dist:
    return Dist.from_weights([(number, 1) for number in range(1 << count)], 1 + (1 << count))


@pytest.fixture(name="use", autouse=True)
def use_fixture(monkeypatch: pytest.MonkeyPatch) -> Use:
    """Register a mechanism `digits` with a program and a closed form, beside what ships."""
    shipped = catalogue._correct()

    def use(program: Any = digits, closed_form: Law | None = uniform) -> None:
        def build(settings: Mapping[str, str]) -> Instance:
            return Instance(
                program=program,
                closed_form=closed_form,
                inputs=(0, 1, 2, 3),
                neighbours="counts_differ_by_one",
                epsilon=Epsilon.of(0),
                delta=Fraction(1, 2),
            )

        mechanism = Mechanism("digits", "draw digits", "a test", (), build)
        monkeypatch.setattr(catalogue, "_correct", lambda: {**shipped, "digits": mechanism})

    use()
    return use


@pytest.fixture(name="audit")
def audit_fixture(quick: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    def audit(*arguments: object) -> dict[str, Any]:
        done = quick("digits", *arguments)
        (result,) = done.document["results"]
        assert isinstance(result, dict)
        assert done.status == {"verified": 0, "refuted": 1, "undecided": 3}[result["verdict"]]
        return result

    return audit


def test_the_program_is_taken_while_it_fits(audit: Any) -> None:
    result = audit()
    assert (result["verdict"], result["law_source"], result["notes"]) == ("verified", "paths", [])


def test_beyond_the_limits_the_closed_form_decides_and_the_verdict_says_where_they_were_compared(
    audit: Any, inside: Any, tmp_path: Path
) -> None:
    result = audit(*FEW, "--certificates", tmp_path)
    assert (result["verdict"], result["law_source"], result["assumptions"]) == ("verified", "closed-form", [])
    (note,) = result["notes"]
    assert note.startswith("by the closed form, since the program is undecided within the limits (a tail of at most")
    assert note.endswith(f"; {HELD}, and on the 3 smallest inputs, 0 to 2, they are equal here, too")
    assert json.loads(Path(result["certificate"]).read_text())["law_source"] == ["closed-form"]
    done = inside("recheck", result["certificate"], *FEW)
    assert (done.status, done.out.startswith("accepted: verified: digits")) == (0, True)


def test_a_source_that_is_named_is_taken(audit: Any) -> None:
    forced = audit(*FEW, "--law-source", "program")
    assert (forced["verdict"], forced["law_source"], forced["notes"]) == ("undecided", "paths", forced["notes"][:1])
    assert not any("closed form" in note for note in forced["notes"])
    closed = audit("--law-source", "closed-form")
    assert (closed["verdict"], closed["law_source"], closed["notes"]) == ("verified", "closed-form", [])
    assert audit(*FEW, "--eager")["law_source"] == "paths"


def test_what_has_no_closed_form_is_undecided_by_its_program(audit: Any, use: Use) -> None:
    use(closed_form=None)
    result = audit(*FEW)
    assert (result["verdict"], result["law_source"]) == ("undecided", "paths")
    assert result["reason"].startswith("a tail of at most")
    use()
    assert audit(*FEW, "--observe", "draws")["law_source"] == "paths"


def test_a_refutation_by_the_program_stands(audit: Any) -> None:
    result = audit(*FEW, "--delta", "1/4")
    assert (result["verdict"], result["law_source"]) == ("refuted", "paths")


def test_caught_closed_form_that_is_not_the_programs_law(audit: Any, use: Use) -> None:
    use(closed_form=off_at_one)
    result = audit(*FEW)
    assert (result["verdict"], result["law_source"], result["certificate"]) == ("undecided", "paths", None)
    assert result["notes"][0] == "nothing is taken from the closed form: on 1 its law is not the program's"


def test_beyond_the_inputs_that_the_note_names_the_closed_form_is_trusted(audit: Any, use: Use) -> None:
    use(closed_form=off_at_three)
    result = audit(*FEW, "--delta", "9/10")
    assert (result["verdict"], result["law_source"]) == ("verified", "closed-form")
    assert result["notes"][0].endswith("on the 3 smallest inputs, 0 to 2, they are equal here, too")


def test_a_program_out_of_memory_leaves_it_to_the_closed_form(audit: Any, use: Use) -> None:
    use(program=greedy)
    result = audit()
    assert (result["verdict"], result["law_source"]) == ("verified", "closed-form")
    assert "(the program ended with MemoryError, which is no outcome)" in result["notes"][0]
    assert result["notes"][0].endswith("on these inputs none was compared")


def test_a_second_computation_beyond_limits_takes_the_closed_form(audit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    once = Workplace.again

    class Late:
        def digests(self, scope: str) -> list[str]:
            raise Unauditable("stopped by the time limit of 30 s")

    def again(here: Workplace, job: Any) -> AbstractContextManager[Any]:
        return nullcontext(Late()) if job.options.law_source == "program" else once(here, job)

    monkeypatch.setattr(Workplace, "again", again)
    result = audit()
    assert (result["verdict"], result["law_source"]) == ("verified", "closed-form")
    assert "(computed a second time: stopped by the time limit of 30 s)" in result["notes"][0]


def test_where_the_closed_form_leaves_it_open_too_the_program_says_why(audit: Any, use: Use) -> None:
    use(closed_form=with_tail)
    result = audit(*FEW)
    assert (result["verdict"], result["law_source"]) == ("undecided", "paths")
    assert result["notes"][0].startswith("by the closed form it is undecided, too: a tail of at most")


def test_what_is_undecided_for_another_reason_stays_so(audit: Any) -> None:
    result = audit("--neighbours", "add-remove")
    assert (result["verdict"], result["law_source"]) == ("undecided", "paths")
    assert not any("closed form" in note for note in result["notes"])


def test_laws_are_apart_where_no_tail_allows_both() -> None:
    half = Dist.from_weights([(0, 1), (1, 1)], 2)
    assert not apart(half, half)
    assert apart(half, Dist.point(0))
    assert apart(Dist.point(0), half)
    assert apart(Dist.point(0), Dist.point(1))
    assert not apart(Dist.from_weights([(0, 1)], 2), half)
    assert not apart(half, Dist.from_weights([(0, 1)], 2))
    assert apart(Dist.from_weights([(0, 1)], 2), Dist.from_weights([(1, 3)], 4))
    assert not apart(Dist.from_weights([(0, 1)], 4), Dist.from_weights([(1, 1)], 8))


def test_the_smallest_inputs_are_compared_first_as_long_as_there_is_time(use: Use) -> None:
    job = Compare(CatalogueSpec("digits", {}), Options(law_source="closed-form"))
    found = compare(job, NOWHERE)
    assert (found.inputs, found.words, found.differs) == (4, "the 4 smallest inputs, 0 to 3,", None)
    assert compare(job, replace(NOWHERE, seconds=0.0)).inputs == 0
    one = compare(replace(job, options=replace(job.options, max_runs=1)), NOWHERE)
    assert (one.inputs, one.words) == (1, "the input 0")
    use(closed_form=off_at_three)
    assert (compare(job, NOWHERE).inputs, compare(job, NOWHERE).differs) == (3, "3")
    use(closed_form=None)
    with pytest.raises(InputError, match="closed form"):
        compare(job, NOWHERE)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time limits under which closed forms are compared and audited."""
    from dpcert.worker.process import Children

    found: list[float] = []
    reply = Children.reply

    def noted(children: Children, job: Any, *, timeout: float | None = None, recording: bool = False) -> Any:
        found.append(-1 if timeout is None else timeout)
        return reply(children, job, timeout=timeout, recording=recording)

    monkeypatch.setattr(Children, "reply", noted)
    return found


def test_the_whole_takes_little_more_than_twice_the_limit(quick: Any, seen: list[float]) -> None:
    quick("digits", *FEW, "--time-limit", "20")
    assert seen == [20, 2, 20]


@pytest.mark.nightly
def test_a_program_that_is_too_slow_is_verified_by_its_closed_form(audited: Any, command: Any, tmp_path: Path) -> None:
    done = audited("geosample", "--set", "n=1000", "--time-limit", "5", "--certificates", tmp_path)
    (result,) = done.document["results"]
    assert (done.status, result["verdict"], result["law_source"]) == (0, "verified", "closed-form, theorem")
    assert "since the program is undecided within the limits" in result["notes"][0]
    assert command("recheck", result["certificate"]).status == 0


def test_a_report_draws_the_laws_of_the_source_that_decided(inside: Any, workers_inside: None, use: Use) -> None:
    use(program=greedy)
    (result,) = inside("report", "digits", "--json").document["results"]
    assert (result["verdict"], result["law_source"]) == ("verified", "closed-form")
    assert "reason" not in result["picture"]["profile"]


def law_of_three(inside: Callable[..., Any], *options: str) -> Any:
    done = inside("law", "digits", "--input", "3", "--json", *options)
    assert (done.status, done.err) == (0, "")
    return done.document


def test_a_law_that_does_not_fit_is_the_closed_forms_and_says_so(inside: Any, workers_inside: None, use: Use) -> None:
    document = law_of_three(inside, *FEW)
    assert (document["tail"], [row[1] for row in document["law"]]) == ("0/1", ["1/8"] * 8)
    lines = inside("law", "digits", "--input", "3", *FEW).lines
    assert lines[-1].startswith("note: by the closed form, since the program does not fit in the limits (a tail of ")
    assert HELD in lines[-1]
    assert "note" not in inside("law", "digits", "--input", "1", *FEW).out  # that fits


@pytest.mark.parametrize("form", [None, off_at_one])
def test_a_law_without_its_closed_form_keeps_its_tail(
    inside: Any, workers_inside: None, use: Use, form: Law | None
) -> None:
    use(closed_form=form)
    assert law_of_three(inside, *FEW)["tail"] != "0/1"


def test_a_law_that_was_asked_of_the_program_is_the_programs(inside: Any, workers_inside: None, use: Use) -> None:
    assert law_of_three(inside, *FEW, "--law-source", "program")["tail"] != "0/1"


def test_a_program_out_of_memory_has_the_law_of_its_closed_form(inside: Any, workers_inside: None, use: Use) -> None:
    use(program=greedy)
    assert law_of_three(inside)["tail"] == "0/1"
    use(program=greedy, closed_form=None)
    assert "MemoryError" in inside("law", "digits", "--input", "3").refusal(3)
