"""`dpcert plan`: answers that the kernel bears out and that cannot be improved, and budgets that nothing meets."""

from fractions import Fraction
from math import ceil, comb, exp, log
from pathlib import Path
from typing import Any

import pytest

import dpcert
from dpcert import Epsilon, InputError, exact
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta
from dpcert.mechanisms.user_level.gaussian_profile import concentrated_delta
from dpcert.planning.families import proposal_for
from dpcert.planning.question import Question

GIVEN = ("--epsilon", "1", "--delta", "1e-4", "--neighbours", "add-remove")
BUDGET = ("plan", "sample-threshold", "--epsilon", "ln(2)", "--delta", "1e-4", "--neighbours")


pytestmark = pytest.mark.usefixtures("workers_inside")


def _exact(document: dict[str, Any]) -> tuple[Fraction, int]:
    answer = document["answer"]
    return exact(answer["rate"], "rate"), int(answer["threshold"])


def test_the_least_threshold_is_confirmed_and_one_less_is_too_little(inside: Any, tmp_path: Path) -> None:
    folder = tmp_path / "certificates"
    done = inside(*BUDGET, "add-remove", "--set", "rate=1/10", "--certificates", str(folder), "--json")
    assert done.status == 0
    document = done.document
    assert document["schema"] == "dpcert.plan/1"
    assert document["mechanism"] == "sample-threshold"
    assert document["budget"] == {"epsilon": "ln(2)", "delta": "1/10000", "neighbours": "add-remove"}
    rate, threshold = _exact(document)
    found = greatest_delta(rate=rate, threshold=threshold, ratio=Fraction(2))
    achieved = document["achieved"]["delta"]
    assert exact(achieved["lo"], "lo") == exact(achieved["hi"], "hi") == found.delta <= Fraction(1, 10**4)
    assert greatest_delta(rate=rate, threshold=threshold - 1, ratio=Fraction(2)).delta > Fraction(1, 10**4)
    assert int(document["paper"]["threshold"]) >= threshold
    assert document["certificates"] == [document["certificate"]]
    assert inside("recheck", document["certificate"]).status == 0


def test_the_greatest_rate_and_its_frontier(inside: Any) -> None:
    asked = ("--set", "threshold=5", "--set", "steps=50", "--frontier", "--json")
    document = inside(*BUDGET, "add-remove", *asked).document
    rate, threshold = _exact(document)
    assert threshold == 5
    assert greatest_delta(rate=rate, threshold=5, ratio=Fraction(2)).delta <= Fraction(1, 10**4)
    assert greatest_delta(rate=rate + Fraction(1, 50), threshold=5, ratio=Fraction(2)).delta > Fraction(1, 10**4)
    frontier = {row["threshold"]: exact(row["rate"], "rate") for row in document["frontier"]}
    assert frontier[5] == rate
    assert list(frontier.values()) == sorted(frontier.values())


@pytest.mark.nightly
def test_each_point_of_a_frontier_has_a_certificate_that_rechecks(inside: Any, tmp_path: Path) -> None:
    asked = ("--epsilon", "ln(2)", "--delta", "1/10", "--set", "threshold=2", "--set", "steps=4")
    for relation in ("add-remove", "substitute"):
        more = ("--neighbours", relation, "--frontier", "--certificates", str(tmp_path / relation), "--json")
        document = inside("plan", "sample-threshold", *asked, *more).document
        assert len(document["frontier"]) > 2
        for row in document["frontier"]:
            done = inside("recheck", row["certificate"])
            assert done.status == 0
            assert f"rate={row['rate']}, threshold={row['threshold']}, kmax=all" in done.out
            assert "(ln(2), 1/10)-differentially private" in done.out


def test_an_astronomic_epsilon_is_inside(inside: Any) -> None:
    asked = ("--epsilon", "1e9", "--delta", "1e-8", "--neighbours", "add-remove", "--set", "threshold=5")
    rate, _ = _exact(inside("plan", "sample-threshold", *asked, "--json").document)
    assert rate**5 <= Fraction(1, 10**8) < (rate + Fraction(1, 1000)) ** 5


@pytest.mark.nightly
def test_people_who_move_take_as_much_or_more(inside: Any, tmp_path: Path) -> None:
    asked = ("--set", "threshold=5", "--certificates", str(tmp_path), "--json")
    alone = inside(*BUDGET, "add-remove", *asked).document
    moved = inside(*BUDGET, "substitute", *asked).document
    assert _exact(moved)[0] <= _exact(alone)[0]
    assert exact(moved["achieved"]["delta"]["hi"], "hi") <= Fraction(1, 10**4)
    accepted = inside("recheck", moved["certificate"])
    assert accepted.status == 0
    assert "for lists of one length that differ in one element, on all lists" in accepted.out
    lines = inside(*BUDGET, "substitute", "--set", "rate=1/10").lines
    assert " need >= " in lines[0]


def test_an_irrational_ratio_is_planned_on_the_safe_side(inside: Any) -> None:
    command = ("plan", "sample-threshold", "--epsilon", "1/2", "--delta", "1e-4", "--neighbours", "add-remove")
    document = inside(*command, "--set", "rate=1/20", "--json").document
    rate, threshold = _exact(document)
    below, _ = Epsilon.of("1/2").exp_bounds(64)
    assert greatest_delta(rate=rate, threshold=threshold, ratio=below).delta <= Fraction(1, 10**4)


def test_a_budget_that_no_parameter_meets(inside: Any) -> None:
    command = ("plan", "sample-threshold", "--epsilon", "1/2", "--delta", "1e-40", "--neighbours", "add-remove")
    done = inside(*command, "--set", "threshold=1")
    assert done.status == 3
    assert "no parameter meets (1/2, 1e-40)" in done.out
    document = inside(*command, "--set", "threshold=1", "--json").document
    assert document["answer"] is None
    assert document["notes"] == [
        "to have an answer, take a greater --epsilon or --delta, or other parameters with --set"
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--epsilon", "1", "--delta", "0", "--neighbours", "add-remove", "--set", "rate=1/10"), "at delta = 0"),
        (GIVEN, "neither"),
        ((*GIVEN, "--set", "rate=1"), "between 0 and 1"),
        ((*GIVEN, "--set", "rate=1/10", "--set", "threshold=3"), "both"),
        (("--delta", "1e-4", "--neighbours", "add-remove", "--set", "rate=1/10"), "--epsilon"),
        (("--epsilon", "1", "--delta", "1e-4", "--set", "rate=1/10"), "--neighbours"),
    ],
)
def test_refused_input_in_one_line(inside: Any, arguments: tuple[str, ...], words: str) -> None:
    done = inside("plan", "sample-threshold", *arguments)
    assert done.status == 2
    assert words in done.err
    assert len(done.err.splitlines()) == 1


def test_a_mechanism_without_a_planner_is_refused(inside: Any) -> None:
    done = inside("plan", "mixing", "--epsilon", "1", "--neighbours", "counts_differ_by_one")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert done.err.endswith("a name from `dpcert list --plans`; name one of these: its parameters are not planned\n")
    near = inside("plan", "sbh-sample", "--epsilon", "1", "--neighbours", "counts_differ_by_one")
    assert near.err.endswith("; did you mean 'sbh-sampled'?\n")


def test_a_plan_is_for_the_relation_of_its_release(inside: Any) -> None:
    asked = ("plan", "sbh", "--epsilon", "1", "--delta", "1e-5", "--json", "--neighbours")
    found, audited = (inside(*asked, relation).document for relation in ("add-remove", "counts_differ_by_one"))
    assert found["budget"].pop("neighbours") == "add-remove"
    assert found["notes"].pop() == (
        "one row more changes one count by one: the audits are for counts_differ_by_one neighbours"
    )
    del audited["budget"]["neighbours"]
    assert found == audited


def test_one_threshold_less_is_refuted_with_a_certificate_of_its_own(inside: Any, tmp_path: Path) -> None:
    asked = ("--set", "rate=1/10", "--certificates", str(tmp_path), "--json")
    document = inside(*BUDGET, "add-remove", *asked).document
    (beyond,) = document["beyond"]
    assert (document["kind"], beyond["verdict"]) == ("optimum", "refuted")
    assert int(beyond["parameters"]["threshold"]) == int(document["answer"]["threshold"]) - 1
    assert inside("recheck", beyond["certificate"]).status == 0


def test_what_exactness_buys_is_said_when_asked(inside: Any) -> None:
    asked = (*BUDGET, "add-remove", "--set", "rate=1/10")
    done = inside(*asked, "--against", "paper")
    assert sum(line.startswith("against the paper: ") for line in done.lines) == 3
    assert "against" not in inside(*asked, "--json").document
    document = inside(*asked, "--against", "paper", "--json").document
    assert document["against"]["source"] == "Theorem 2"
    people = [int(word) for word in document["against"]["bought"][0].split() if word.isdigit()]
    assert people == sorted(people)


def test_a_frequency_file_is_evaluated(inside: Any, tmp_path: Path) -> None:
    file = tmp_path / "counts.csv"
    file.write_text("key,frequency\na,1\nb,40\nc,40\nd,0\n")
    asked = (*BUDGET, "add-remove", "--set", "rate=1/2", "--frequencies", str(file))
    document = inside(*asked, "--json").document
    threshold = int(document["answer"]["threshold"])
    kept = sum(comb(40, v) for v in range(threshold, 41)) / 2**40
    assert document["utility"]["keys"] == "3"
    assert abs(float(document["utility"]["keys shown"]) - 2 * kept) < 1e-5
    assert document["notes"] == ["1 rows of frequency 0 were left out"]


def test_a_plan_from_python_is_that_of_the_command_line_and_is_released(inside: Any, tmp_path: Path) -> None:
    budget: dict[str, Any] = {"epsilon": "ln(2)", "delta": Fraction(1, 10**4), "neighbours": "add-remove"}
    found = dpcert.plan("sample-threshold", **budget, settings={"rate": "1/10"})
    said = inside(*BUDGET, "add-remove", "--set", "rate=1/10", "--json").document
    assert found.as_json() == said
    released = dpcert.release(None, [("cat", 400)], tmp_path / "out.json", plan=found)
    assert released.parameters == said["answer"]
    with pytest.raises(dpcert.InputError, match="dpcert list --plans"):
        dpcert.plan("unknown", epsilon=1, neighbours="counts_differ_by_one")


@pytest.mark.parametrize(("rate", "threshold"), [("1/10", 15), ("1/20", 9), ("1/2", None)])
def test_the_papers_recommendation_stands_beside_the_optimum(rate: str, threshold: int | None) -> None:
    """tau >= ln(1/delta)/C for alpha = p/(1 - e^-epsilon) and C = ln(1/alpha) - 1/(1 + alpha)."""
    alpha = float(Fraction(rate)) / (1 - exp(-1))
    least = log(1 / alpha) - 1 / (1 + alpha)
    assert threshold == (ceil(log(1e6) / least) if least > 0 else None)
    question = Question("sample-threshold", "1", "1e-6", "add-remove", {"rate": rate}, against="paper")
    (line,) = (line for line in proposal_for(question).bought if "Lemma 3" in line)
    assert line.endswith(f"it would be threshold={threshold}") or threshold is None
    assert ("has no threshold" in line) == (threshold is None)


def test_the_least_sigma_of_uncut_noise_is_released_at_any_size(inside: Any, tmp_path: Path) -> None:
    budget: dict[str, Any] = {"epsilon": 1, "delta": "1e-6", "neighbours": "replace-user"}
    found = dpcert.plan("clipped-sum-l2", **budget, settings={"clip": 30, "steps": 10})
    sigma = Fraction(found.proposal.answer["sigma"])

    def needed(at: Fraction) -> Fraction:
        return concentrated_delta(1 / (2 * at**2), dpcert.Epsilon.of(1))

    assert needed(sigma) <= Fraction(1, 10**6) < needed(sigma - Fraction(1, 10))
    path = tmp_path / "users.csv"
    path.write_text("".join(f"u{place % 7},{place % 3}\n" for place in range(50)))
    released = dpcert.release(None, path, tmp_path / "out.json", plan=found, labels=["0", "1", "2"])
    assert released.parameters["sigma"] == str(sigma)
    scales = [float(word.rstrip(",")) for word in found.proposal.notes[0].split() if word[0].isdigit()]
    variance = float(Fraction(released.parameters["variance"]))
    assert scales[0] == float(30 * sigma)
    assert abs(scales[1] ** 2 / variance - 1) < 1e-4
    with pytest.raises(InputError, match="finer grid"):
        dpcert.plan("clipped-sum-l2", epsilon=1, delta="1e-6", neighbours="replace-user", settings={"clip": "1/2"})
    asked = "clipped-sum-l2 --epsilon 1 --delta 1e-6 --neighbours replace-user --set noise=loud"
    done = inside("plan", *asked.split())
    assert (done.status, "cut or uncut" in done.err) == (2, True)
