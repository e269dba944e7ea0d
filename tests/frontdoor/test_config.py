"""`[tool.dpcert]`: its keys, and findings that it accepts up to a day; all else is refused in one line."""

import json
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from dpcert.run.config import KEYS, Config, config_near, config_of

Run = Callable[..., Any]

MECHANISM = """
    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any", expect="refuted")
    def leaks(bit, coins): return bit

    @target(guarantee=PureDP(0), inputs=[0, 1], neighbours="any")
    def never_stops(bit, coins):
        while True: pass
"""


def test_the_nearest_table_counts_and_none_beyond_the_repository(tmp_path: Path) -> None:
    inner = tmp_path / "repository" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[tool.dpcert]\njobs = 3\n")
    assert config_near(inner).jobs == 3
    (inner.parent / "pyproject.toml").write_text("[tool.other]\n")
    assert config_near(inner).jobs == 3
    (inner.parent / ".git").mkdir()
    assert config_near(inner) == Config()
    (inner.parent / "pyproject.toml").write_text("[tool.dpcert]\njobs = 2\n")
    assert config_near(inner).jobs == 2


def test_paths_are_those_of_the_file_and_names_stay(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "zoo").mkdir()
    (tmp_path / "pyproject.toml").write_text(
        '[tool.dpcert]\ntargets = ["a.py", "b/c.py:f", "folder", "zoo", "geosample"]\nlock = "b/dpcert.lock"\n'
        'time-limit = 1.5\nexpect = true\nbudgets = { "a.py:f" = 3, "geosample" = 4 }\n'
    )
    found = config_of(tmp_path / "pyproject.toml")
    here = str(tmp_path.resolve())
    assert found.targets == (f"{here}/a.py", f"{here}/b/c.py:f", f"{here}/folder", "zoo", "geosample")
    assert found.lock == Path(here) / "b/dpcert.lock"
    assert found.budgets == {f"{here}/a.py:f": 3, "geosample": 4}
    assert (found.time_limit, found.expect, found.jobs) == (1.5, True, None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[tool.dpcert]\ntargts = []", "did you mean 'targets'?"),
        ("[tool.dpcert]\nxyzzy = 1", "jobs, lock, expect, rounding, accepted; see"),
        ("[tool.dpcert]\ntargets = 'a.py'", "needed: targets: a list of texts"),
        ("[tool.dpcert]\ntargets = ['']", "needed: targets: a list of texts"),
        ("[tool.dpcert]\ntime-limit = 0", "needed: time-limit: seconds above 0"),
        ("[tool.dpcert]\ntime-limit = inf", "needed: time-limit: seconds above 0"),
        (f"[tool.dpcert]\ntime-limit = {10**400}", "needed: time-limit: seconds above 0"),
        ("[tool.dpcert]\ntime-limit = true", "needed: time-limit: seconds above 0"),
        ("[tool.dpcert]\nbudgets = 3", "needed: budgets: a table of seconds"),
        ("[tool.dpcert]\nbudgets = { a = 'b' }", "needed: budgets: a table of seconds"),
        ("[tool.dpcert]\njobs = 0", "needed: jobs: a whole number from 1 on"),
        ("[tool.dpcert]\njobs = 1.0", "needed: jobs: a whole number from 1 on"),
        ("[tool.dpcert]\nlock = ''", "needed: lock: the name of a file"),
        ("[tool.dpcert]\nexpect = 'yes'", "needed: expect: true or false"),
        ("[tool.dpcert]\naccepted = 3", "needed: accepted: tables with all of: target, reason, until"),
        ("[[tool.dpcert.accepted]]\ntarget = 'a.py'\nuntil = 2030-01-31", "needed: accepted: tables"),
        ("[[tool.dpcert.accepted]]\ntarget = 'a.py'\nreason = 'it is known'", "needed: accepted: tables"),
        ("[[tool.dpcert.accepted]]\ntarget = 'a.py'\nreason = ' '\nuntil = 2030-01-31", "needed: accepted: tables"),
        ("[[tool.dpcert.accepted]]\ntarget = 'a.py'\nreason = 'x'\nuntil = '2030'", "needed: accepted: tables"),
        ("[[tool.dpcert.accepted]]\ntarget = 'a.py'\nreason = 'x'\nuntil = 2030-01-31T00:00:00", "accepted: tables"),
        ("[tool]\ndpcert = 3", "needed: a table"),
        ("[tool.dpcert", "needed: TOML"),
        ("tool = 3", None),
    ],
)
def test_refused_configuration(
    inside: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, words: str | None
) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    done = inside("audit", "missing.py")
    assert (words or "missing.py: no such file or folder") in done.refusal()


def test_refused_configuration_that_is_no_text(inside: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b"\xff\xfe")
    monkeypatch.chdir(tmp_path)
    assert "needed: TOML" in inside("audit", "missing.py").refusal()
    (tmp_path / "pyproject.toml").unlink()
    (tmp_path / "pyproject.toml").mkdir()
    assert "Is a directory" in inside("audit", "missing.py").refusal()


@pytest.mark.nightly
def test_targets_limits_and_expectations_are_the_projects_unless_the_command_line_has_them(
    inside: Run, write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("src/mechanism.py", MECHANISM)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.dpcert]\ntargets = ["src/mechanism.py"]\nexpect = true\n'
        'jobs = 2\ntime-limit = 40\nbudgets = { "src/mechanism.py:never_stops" = 1.5 }\n'
    )
    monkeypatch.chdir(tmp_path)
    done = inside("audit", "--json")
    assert done.verdicts() == {"leaks": "refuted", "never_stops": "undecided"}
    assert [result["target"] for result in done.document["results"]] == [
        "src/mechanism.py:leaks",
        "src/mechanism.py:never_stops",
    ]
    assert done.result("never_stops")["reason"].startswith("stopped by the time limit of 1.5 s")
    assert done.status == 3
    monkeypatch.chdir(tmp_path / "src")
    done = inside("audit", "mechanism.py:never_stops", "--time-limit", "6", "--json")
    assert done.result("never_stops")["reason"].startswith("stopped by the time limit of 6 s")
    done = inside("audit", "mechanism.py:leaks", "--json")
    assert done.status == 0  # as declared


def test_every_key_is_documented(repository: Path) -> None:
    text = (repository / "docs" / "how-to" / "guard-a-repository.md").read_text()
    for key in KEYS:
        assert f"| `{key}` |" in text


@pytest.fixture
def repository() -> Path:
    return Path(__file__).parents[2]


TODAY = date.today()
LEAKING = """
@target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
def leaks(bit, coins):
    return bit if coins.below(5) else 1 - bit


@target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
def honest(bit, coins):
    return bit if coins.below(4) else 1 - bit
"""
ENTRY = '[[tool.dpcert.accepted]]\ntarget = "{target}"\nreason = "known since May, ticket 7"\nuntil = {until}\n'


@pytest.fixture
def project(write: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write("f.py", LEAKING)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def accept(folder: Path, target: str, until: date) -> None:
    (folder / "pyproject.toml").write_text(ENTRY.format(target=target, until=until))


@pytest.mark.usefixtures("workers_inside")
@pytest.mark.parametrize("target", ["f.py", "f.py:leaks"])
def test_an_accepted_finding_fails_nothing_and_is_said(inside: Run, project: Path, target: str) -> None:
    assert inside("audit", "f.py:leaks").status == 1
    accept(project, target, TODAY)
    options = ("--sarif", "it.sarif", "--junit", "it.xml", "--code-quality", "it.json")
    done = inside("audit", "f.py:leaks", *options)
    assert (done.status, done.err) == (0, "")
    assert done.lines[0].startswith("refuted")
    assert f"  accepted until {TODAY}: known since May, ticket 7" in done.lines
    assert done.lines[-1] == "0 verified, 1 refuted, 0 undecided"
    line = inside("audit", "f.py:leaks", "--format", "oneline").lines[0]
    assert line.endswith(f"; accepted until {TODAY}: known since May, ticket 7")
    (result,) = json.loads((project / "it.sarif").read_text())["runs"][0]["results"]
    (suppression,) = result["suppressions"]
    assert suppression["kind"] == "external"
    assert suppression["status"] == "accepted"
    assert "ticket 7" in suppression["justification"]
    suite = ElementTree.parse(project / "it.xml").getroot()[0]
    assert (suite.attrib["failures"], suite.attrib["skipped"]) == ("0", "1")
    assert json.loads((project / "it.json").read_text()) == []


@pytest.mark.usefixtures("workers_inside")
def test_a_finding_is_no_longer_accepted_after_its_day(inside: Run, project: Path) -> None:
    accept(project, "f.py:leaks", TODAY - timedelta(days=1))
    done = inside("audit", "f.py:leaks", "--sarif", "it.sarif")
    assert done.status == 1
    assert ", which is over: known since May" in " ".join(done.out.split())
    assert "suppressions" not in (project / "it.sarif").read_text()


@pytest.mark.usefixtures("workers_inside")
def test_only_the_named_target_is_accepted(inside: Run, project: Path) -> None:
    accept(project, "f.py:honest", TODAY)
    done = inside("audit", "f.py")
    assert done.status == 1
    assert "accepted" not in done.out
    (line,) = done.err.splitlines()
    assert line.startswith("dpcert: f.py:honest is verified, and accepted until")


@pytest.mark.nightly
def test_under_pytest_an_accepted_finding_is_told_at_the_end(command: Run, project: Path) -> None:
    import subprocess
    import sys

    accept(project, "test_f.py:leaks", TODAY)
    (project / "f.py").rename(project / "test_f.py")
    arguments = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:benchmark"]
    done = subprocess.run(arguments, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "2 passed" in done.stdout
    assert "dpcert: test_f.py::leaks is refuted, accepted until" in done.stdout
