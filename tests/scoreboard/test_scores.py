"""The runner counts what is right, missed and a false alarm; our auditors and the tester score so on small problems."""

import os
import sys
import time
from pathlib import Path

import pytest
from scoreboard.command import command
from scoreboard.known import Known, known
from scoreboard.ours import exact, ideal, sampling
from scoreboard.page import HEAD, TOGETHER, page, totals
from scoreboard.problem import NOT_PRIVATE, PRIVATE, UNDECIDED, Answer, Problem
from scoreboard.run import AUDITORS, Answers
from scoreboard.score import Scored, asked, together
from scoreboard.statdp import at_least, p_value, statdp

KNOWN = {each.problem.id: each for each in known()}
SMALL = ("randomized-response", "geosample-exponent", "library-shown-key", "library-shown-key-claimed-right")


def scored(name: str, verdict: str) -> Scored:
    return Scored(KNOWN[name], Answer(verdict), 1.0)


@pytest.mark.parametrize(
    ("name", "verdict", "row"),
    [
        ("randomized-response", PRIVATE, ("1", "0", "0", "0", "0")),
        ("randomized-response", NOT_PRIVATE, ("0", "0", "0", "1", "0")),
        ("randomized-response", UNDECIDED, ("0", "0", "0", "0", "1")),
        ("geosample-exponent", PRIVATE, ("0", "1", "1", "0", "0")),
        ("geosample-exponent", NOT_PRIVATE, ("1", "0", "0", "0", "0")),
        ("geosample-exponent", UNDECIDED, ("0", "1", "0", "0", "0")),
    ],
)
def test_every_answer_counts_once_and_for_what_it_is(name: str, verdict: str, row: tuple[str, ...]) -> None:
    assert totals("x", [scored(name, verdict)]) == ("x", *row, "1")


def test_an_answer_is_one_of_three_words() -> None:
    with pytest.raises(ValueError, match="none of private"):
        Answer("verified")


def test_the_first_way_that_decides_counts_with_the_time_of_all_before() -> None:
    ways = [[scored("geosample-exponent", verdict)] for verdict in (UNDECIDED, NOT_PRIVATE, PRIVATE)]
    (found,) = together(ways)
    assert (found.answer.verdict, found.seconds) == (NOT_PRIVATE, 2.0)


def test_an_auditor_that_fails_or_does_not_end_is_undecided() -> None:
    def fails(problem: Problem) -> Answer:
        raise RuntimeError("broken")

    def loops(problem: Problem) -> Answer:
        while True:
            time.process_time()

    def dies(problem: Problem) -> Answer:
        os._exit(7)

    each = KNOWN["randomized-response"]
    assert asked(dies, each).answer == Answer(UNDECIDED, "its process ended with status 7 and no answer")
    assert asked(fails, each).answer == Answer(UNDECIDED, "RuntimeError: broken")
    late = asked(loops, each, limit=1)
    assert late.answer == Answer(UNDECIDED, "no answer within 1 s of processor time")
    assert late.seconds > 0.5


@pytest.mark.parametrize("name", SMALL)
def test_the_exact_reader_is_right(name: str) -> None:
    each = KNOWN[name]
    assert exact(each.problem).verdict == (PRIVATE if each.private else NOT_PRIVATE)


@pytest.mark.parametrize("name", ["literature-laplace", "literature-noisyhist2", "dipc-svt5-n2", "dipc-svt1-c-1-n1"])
def test_ideal_noise_is_right_and_the_exact_reader_says_that_it_is_not_asked(name: str) -> None:
    each = KNOWN[name]
    assert ideal(each.problem).verdict == (PRIVATE if each.private else NOT_PRIVATE)
    assert exact(each.problem).verdict == UNDECIDED


@pytest.mark.parametrize("auditor", [sampling, statdp])
@pytest.mark.parametrize("name", ["geosample-exponent", "literature-svt5", "dipc-svt5-n2"])
def test_samplers_find_gross_faults_the_same_in_each_run(auditor: object, name: str) -> None:
    first, second = (auditor(KNOWN[name].problem) for _ in range(2))
    assert first == second
    assert first.verdict == NOT_PRIVATE


@pytest.mark.parametrize("auditor", [sampling, statdp])
@pytest.mark.parametrize("name", ["randomized-response", "literature-laplace", "dipc-svt1-c-1-n1"])
def test_samplers_leave_true_claims_alone(auditor: object, name: str) -> None:
    assert auditor(KNOWN[name].problem).verdict == UNDECIDED


def test_fishers_test_is_that_of_all_tables() -> None:
    """Of 3 hits in twice 4 runs, at least 2 on one side: (C(4,2) C(4,1) + C(4,3)) / C(8,3)."""
    assert at_least(2, 3, 4) == pytest.approx((6 * 4 + 4) / 56)
    assert at_least(0, 3, 4) == pytest.approx(1)


def test_a_p_value_is_small_only_where_the_ratio_is_broken() -> None:
    import numpy as np

    kept, broken = (p_value(c1, 100, 1000, 0.7, np.random.default_rng(1)) for c1 in (200, 400))
    assert kept > 0.1
    assert broken < 1e-6


def test_a_command_is_an_auditor_too(tmp_path: Path) -> None:
    script = tmp_path / "auditor.py"
    script.write_text(
        "import json, sys\n"
        "told = json.load(sys.stdin)\n"
        "print('not private' if told['id'] == 'geosample-exponent' else 'undecided')\n"
        "print(told['budget'], told['inputs'][0], told['pairs'][0])\n"
    )
    auditor = command([sys.executable, str(script)])
    assert auditor(KNOWN["geosample-exponent"].problem) == Answer(NOT_PRIVATE, "10000 0 [0, 1]")
    assert auditor(KNOWN["randomized-response"].problem).verdict == UNDECIDED
    assert command([sys.executable, "-c", "print('maybe')"])(KNOWN["geosample-exponent"].problem).verdict == UNDECIDED


def test_answers_that_are_kept_are_not_asked_for_again(tmp_path: Path) -> None:
    def once(problem: Problem) -> Answer:
        return Answer(PRIVATE, "asked")

    def never(problem: Problem) -> Answer:
        raise AssertionError

    path, each = tmp_path / "answers.jsonl", KNOWN["randomized-response"]
    first = Answers(path).of("x", once, each, 5)
    assert Answers(path).of("x", never, each, 5) == first


def test_the_page_has_the_totals_and_names_what_was_wrong() -> None:
    problems: list[Known] = [KNOWN[name] for name in SMALL]
    wrong = {"x": [Scored(each, Answer(NOT_PRIVATE if each.private else PRIVATE), 2.0) for each in problems]}
    text = page(wrong, problems)
    assert "| x | 0 | 2 | 2 | 2 | 0 | 8 |" in text
    assert "- **x**, false proofs: `geosample-exponent`, `library-shown-key`." in text
    assert "- **x**, false alarms: `randomized-response`, `library-shown-key-claimed-right`." in text


def test_the_page_in_the_docs_is_about_these_problems_and_auditors() -> None:
    """And it has no false proof of dpcert: one would have to be explained before it is written."""
    text = (Path(__file__).resolve().parents[2] / "docs" / "findings" / "scoreboard.md").read_text(encoding="utf-8")
    assert f"about {len(KNOWN)} claims" in text
    start = text.index("## The totals")
    table = text[start : text.index("\n\n- **right**", start)]
    found = {line.split("|")[1].strip(): line.split("|")[2:-1] for line in table.splitlines() if line.startswith("| ")}
    assert set(found) - {"", "---"} == {*AUDITORS, TOGETHER}
    for name in (*AUDITORS, TOGETHER):
        right, misses, proofs, alarms, left, _ = (int(cell) for cell in found[name])
        assert right + misses + alarms + left == len(KNOWN)
        assert not name.startswith("dpcert") or proofs == 0
    assert len(HEAD) == 7
