"""What a run prints beside its verdicts: those that are not as declared, where each is, and what was not audited."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
MIXED = """from dpcert import PureDP, target

claim = dict(guarantee=PureDP("ln(4)"), inputs=[0, 1], neighbours="any")


@target(**claim)
def honest(bit, coins):
    return bit if coins.below(5) else 1 - bit


@target(**claim, expect="refuted")
def shown(bit, coins):
    return bit


@target(**claim)
def leak(bit, coins):
    return bit


@target(**claim, expect="refuted")
def sound(bit, coins):
    return 0
"""
pytestmark = pytest.mark.usefixtures("workers_inside")


@pytest.fixture
def mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a file with a target for each pair of a verdict and a declaration."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.py").write_text(MIXED)


def heads(lines: list[str]) -> list[str]:
    """Return the first lines of blocks, and the last line."""
    return [line.partition(" is ")[0] for line in lines if not line.startswith(" ")]


@pytest.mark.usefixtures("mixed")
def test_what_is_not_as_declared_comes_first_and_is_marked(inside: Any) -> None:
    done = inside("audit", "f.py", "--expect")
    deviating = ["refuted    but declared verified: f.py:leak", "verified   but declared refuted: f.py:sound"]
    last = "2 of 4 claims not as declared: 2 verified, 2 refuted, 0 undecided"
    assert (done.status, heads(done.lines)) == (1, [*deviating, last])
    verbose = inside("audit", "f.py", "--expect", "--verbose")
    assert heads(verbose.lines) == [*deviating, "verified   f.py:honest", "refuted    f.py:shown", last]


@pytest.mark.usefixtures("mixed")
def test_a_run_that_goes_as_declared_is_one_line(inside: Any) -> None:
    done = inside("audit", "f.py:honest", "f.py:shown", "--expect")
    assert (done.status, done.lines) == (0, ["2 claims, all as declared: 1 verified, 1 refuted, 0 undecided"])


@pytest.mark.usefixtures("mixed")
@pytest.mark.parametrize(
    ("options", "last", "left"),
    [
        ((), "1 verified, 1 refuted, 0 undecided, 2 not audited", 2),
        (("--expect",), "1 of 3 claims not as declared: 1 verified, 2 refuted, 0 undecided, 1 not audited", 1),
    ],
)
def test_a_run_ends_after_the_first_failure(inside: Any, options: tuple[str, ...], last: str, left: int) -> None:
    done = inside("audit", "f.py", "--fail-fast", *options)
    assert (done.status, done.lines[-1]) == (1, last)
    document = inside("audit", "f.py", "--fail-fast", *options, "--json").document
    assert (document["not_audited"], len(document["results"])) == (left, 4 - left)
    assert "not_audited" not in inside("audit", "f.py:honest", "--fail-fast", "--json").document


@pytest.mark.usefixtures("mixed")
def test_editors_find_the_line_of_a_verdict(inside: Any) -> None:
    matcher = json.loads((ROOT / ".ci/problem-matcher.json").read_text())["problemMatcher"]
    lines = inside("audit", "f.py", "--format", "oneline").lines
    (pattern,) = next(each["pattern"] for each in matcher if each["severity"] == "error")
    found = [re.match(pattern["regexp"], line) for line in lines]
    places = [[match[pattern[name]] for name in ("file", "line", "column")] for match in found if match]
    defined = [str(MIXED.splitlines().index(f"def {name}(bit, coins):") + 1) for name in ("shown", "leak")]
    assert places == [["f.py", line, "1"] for line in defined]
    assert lines[0].startswith("f.py:7:1: verified: honest is (ln(4), 0)-differentially private")
    (pattern,) = next(each["pattern"] for each in matcher if each["severity"] == "warning")
    assert re.match(pattern["regexp"], lines[0].replace("verified", "undecided", 1))
    Path("g.py").write_text("from f import honest, target, claim\none = two = target(**claim)(honest.function)\n")
    assert inside("audit", "g.py:one", "--format", "oneline").lines[0].startswith("g.py:2:1: verified: one: honest is ")
    (line, _) = inside("audit", "randomized-response", "--format", "oneline").lines
    assert line.startswith("randomized-response: verified: randomized-response(epsilon=ln(3)) is")


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("adit", "did you mean dpcert audit?"),
        ("watching", "did you mean dpcert watch?"),
        ("f.py", "did you mean dpcert audit f.py?"),
        ("f.py:leak", "did you mean dpcert audit f.py:leak?"),
        ("geosample", "did you mean dpcert audit geosample?"),
        ("nonsense", "see dpcert --help"),
    ],
)
def test_refused_commands_name_the_nearest_and_all_others(inside: Any, given: str, meant: str) -> None:
    line = inside(given).refusal()
    assert line.endswith(meant)
    assert "needed: a command: audit, watch, law" in line


@pytest.mark.points(1)
@pytest.mark.parametrize(
    ("typed", "offered"), [("dpcert au", "plain,audit"), ("dpcert audit --fa", "plain,--fail-fast")]
)
def test_shells_complete_a_command_line(command: Any, typed: str, offered: str) -> None:
    words = {"COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    done = command(env={"_DPCERT_COMPLETE": "bash_complete", **words})
    assert (done.status, done.lines, done.err) == (0, [offered], "")
