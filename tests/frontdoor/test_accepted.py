"""Accepted findings: they fail nothing up to their day, and as ever after it, and are never said to be verified."""

import json
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

TODAY = date.today()
MECHANISM = """
@target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
def leaks(bit, coins):
    return bit if coins.below(5) else 1 - bit


@target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
def honest(bit, coins):
    return bit if coins.below(4) else 1 - bit
"""
ENTRY = '[[tool.dpcert.accepted]]\ntarget = "{target}"\nreason = "known since May, ticket 7"\nuntil = {until}\n'

Run = Callable[..., Any]


@pytest.fixture
def project(write: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write("f.py", MECHANISM)
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
