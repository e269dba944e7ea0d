"""Refuted by rounding, and verified with ideal noise alone, have words, documents and statuses; leaks stay refuted."""

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpcert import ApproxDP, Epsilon, Options, PureDP
from dpcert.show.severity import gravity, headed, label_of
from dpcert.targets.cases import case_of
from dpcert.targets.spec import CatalogueSpec
from dpcert.worker.result import BY_FLOATS, BY_ROUNDING, DeltaEnds, Result, Slack
from dpcert.worker.results import described
from dpcert.worker.rounding import MOST, by_rounding, slack_of

ROUNDED = """
    BITS = {"inputs": [0, 1], "neighbours": "any"}

    @target(guarantee=PureDP("ln(3)"), **BITS)
    def weights(bit, coins):
        return bit if coins.below(4 * 10**12) < 3 * 10**12 + 1 else 1 - bit

    @target(guarantee=PureDP(1), noise="ideal", **BITS)
    def literal(bit, rng):
        return bit if rng.random() < 0.7310585786300051 else 1 - bit

    @target(guarantee=PureDP("ln(3)"), **BITS)
    def more_than_rounded(bit, coins):
        return bit if coins.below(4 * 10**8) < 3 * 10**8 + 1 else 1 - bit

    @target(guarantee=PureDP("ln(3)"), **BITS)
    def leaks_rarely(bit, coins):
        if coins.below(10**13) == 0:
            return ("leak", bit)
        return bit if coins.below(4) < 3 else 1 - bit

    @target(guarantee=PureDP(1), noise="ideal", **BITS)
    def leaks_rarely_ideally(bit, rng):
        if rng.random() < 1e-13:
            return ("leak", bit)
        return bit if rng.random() < 0.7310585786300051 else 1 - bit

    @target(guarantee=ApproxDP("ln(3)", "1/10"), **BITS)
    def leaks_beside_a_slope(bit, coins):
        if coins.below(10**13) == 0:
            return ("leak", bit)
        return bit if coins.below(40) < 31 else 1 - bit
"""
"""In `leaks_beside_a_slope` delta is 1/10 without the leak: an epsilon larger by 1e-9 would pay for it."""


def outcome(inside: Callable[..., Any], path: Path, name: str, *options: str) -> Any:
    (result,) = inside("audit", f"{path}:{name}", "--json", *options).document["results"]
    return result


@pytest.mark.usefixtures("workers_inside")
@pytest.mark.parametrize(("name", "slack"), [("weights", "1.4e-12"), ("literal", "1.3e-15")])
def test_a_claim_that_fails_by_rounding_says_its_slack(inside: Any, write: Any, name: str, slack: str) -> None:
    path = write("f.py", ROUNDED)
    found = outcome(inside, path, name)
    assert (found["verdict"], found["class"], found["rounding"]["slack"]) == ("refuted", BY_ROUNDING, slack)
    lines = inside("audit", f"{path}:{name}", "--epsilon", found["rounding"]["epsilon"]).lines
    assert lines[0].startswith("verified")
    done = inside("audit", f"{path}:{name}")
    assert done.status == 1
    assert f"by rounding: holds with epsilon + {slack}" in done.lines[0]
    assert any(f"claim epsilon {found['rounding']['epsilon']}" in line for line in done.lines)


@pytest.mark.usefixtures("workers_inside")
@pytest.mark.parametrize("name", ["more_than_rounded", "leaks_rarely", "leaks_rarely_ideally", "leaks_beside_a_slope"])
def test_caught_leaks_are_never_refuted_by_rounding(inside: Any, write: Any, name: str) -> None:
    found = outcome(inside, write("f.py", ROUNDED), name)
    assert (found["verdict"], found["class"], found["rounding"]) == ("refuted", "refuted", None)


@pytest.mark.usefixtures("workers_inside")
def test_a_project_may_accept_rounding_and_no_leak(inside: Any, write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write("f.py", ROUNDED).parent
    monkeypatch.chdir(folder)
    (folder / "pyproject.toml").write_text('[tool.dpcert]\nrounding = "accept"\n')
    done = inside("audit", "f.py:weights", "--sarif", "it.sarif")
    assert done.status == 0
    assert '  accepted by [tool.dpcert] rounding = "accept"' in done.lines
    (result,) = json.loads((folder / "it.sarif").read_text())["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("dpcert/rounding", "warning")
    assert result["suppressions"][0]["justification"] == 'accepted by [tool.dpcert] rounding = "accept"'
    assert inside("audit", "f.py:leaks_rarely").status == 1
    (folder / "pyproject.toml").write_text('[tool.dpcert]\nrounding = "fail"\n')
    assert inside("audit", "f.py:weights").status == 1
    (folder / "pyproject.toml").write_text("[tool.dpcert]\nrounding = true\n")
    assert inside("audit", "f.py:weights").status == 2


@pytest.mark.usefixtures("workers_inside")
def test_reports_have_leaks_first(inside: Any, write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write("f.py", ROUNDED).parent
    monkeypatch.chdir(folder)
    names = ("weights", "leaks_rarely", "more_than_rounded")
    inside("audit", *(f"f.py:{name}" for name in names), "--sarif", "it.sarif")
    results = json.loads((folder / "it.sarif").read_text())["runs"][0]["results"]
    levels = [(result["message"]["text"].partition(" ")[0], result["level"]) for result in results]
    assert levels == [("refuted:", "error"), ("refuted:", "error"), ("refuted", "warning")]
    assert "more_than_rounded" in results[0]["message"]["text"]


def test_slack_is_rounded_up_and_at_most_a_billionth() -> None:
    one = Epsilon.of(1)
    assert slack_of(PureDP(1), None) is None
    assert slack_of(PureDP(1), one) is None
    assert slack_of(PureDP(1), one + Epsilon.of("1.21e-16")) == Fraction("1.3e-16")
    assert slack_of(PureDP(1), one + Epsilon.of(MOST)) == MOST
    assert slack_of(PureDP(1), one + Epsilon.of("1.01e-9")) is None
    assert slack_of(ApproxDP(1, "1e-6"), one + Epsilon.of("1e-16")) is None


def test_caught_a_slack_that_no_audit_confirms() -> None:
    near = Epsilon.of("1.0000000001")
    asked: list[ApproxDP] = []
    assert by_rounding(PureDP(1), near, lambda more: bool(asked.append(more))) is None
    assert asked == [PureDP("1.0000000001")]
    assert by_rounding(PureDP(1), near, lambda more: True) == Slack("1e-10", "1.000000001")
    third = by_rounding(PureDP("1/3 + ln(2)"), Epsilon.of("1/3 + 1e-10 + ln(2)"), lambda more: True)
    assert Epsilon.of(third.epsilon) == Epsilon.of("1/3 + 1e-9 + ln(2)")


RESULT = described(case_of(CatalogueSpec("randomized-response"), Options()))


@pytest.mark.parametrize(
    ("parts", "kind", "words"),
    [
        ({"verdict": "refuted"}, "refuted", "refuted "),
        ({"verdict": "refuted", "ideal": "refuted"}, "refuted", "refuted "),
        ({"verdict": "verified", "ideal": None}, "verified", "verified "),
        ({"verdict": "refuted", "ideal": "verified"}, BY_FLOATS, "verified with ideal noise; its floats tell: "),
        (
            {"verdict": "undecided", "ideal": "verified"},
            BY_FLOATS,
            "verified with ideal noise; its floats are not read: ",
        ),
        (
            {"verdict": "refuted", "ideal": "verified", "rounding": Slack("1e-16", "1")},
            BY_ROUNDING,
            "refuted by rounding: holds with epsilon + 1e-16; ",
        ),
    ],
)
def test_each_class_has_its_words(parts: dict[str, Any], kind: str, words: str) -> None:
    result = replace(RESULT, **parts)
    assert result.kind == kind
    assert f"{label_of(result)} {headed(result)}" == words


def test_pages_have_leaks_of_a_greater_delta_first() -> None:
    def leak(delta: str, **more: Any) -> Result:
        return replace(RESULT, **{"verdict": "refuted", "delta": DeltaEnds(delta, "1/1"), **more})

    rounded = leak("1/2", rounding=Slack("1e-16", "1"))
    rows = [leak("1/3", verdict="undecided"), rounded, leak("1/3", ideal="verified"), leak("0/1"), leak("1/3")]
    assert sorted(rows, key=gravity) == [rows[4], rows[3], rows[2], rows[1], rows[0]]
