"""`law`, `audit` and `recheck` work where flint, sympy, mpmath, numpy, hypothesis and z3 cannot be imported.

The block is a sitecustomize.py on PYTHONPATH, so that child processes are blocked too. It logs each attempt:
a program that catches the ImportError and goes on is caught all the same.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

BLOCKED = ("flint", "hypothesis", "mpmath", "numpy", "sympy", "z3")

BLOCKER = f"""
import sys

class Blocker:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in {BLOCKED!r}:
            with open({{log!r}}, "a") as log:
                print(name, file=log)
            raise ModuleNotFoundError(f"{{name}} is blocked by this test", name=name)

sys.meta_path.insert(0, Blocker)
"""

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "attempts.log"


@pytest.fixture
def run(tmp_path: Path, log: Path) -> Run:
    """Give a function that runs python with the block in place and returns the finished process."""
    (tmp_path / "sitecustomize.py").write_text(BLOCKER.replace("{log!r}", repr(str(log))))

    def run_python(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run_python


@pytest.fixture
def dpcert_json(run: Run) -> Callable[..., Any]:
    """Give a function that runs `dpcert` with --json, demands exit status 0, and returns the answer."""

    def command(*arguments: str) -> Any:
        program = "import sys; from dpcert.cli import main; sys.exit(main())"
        done = run("-c", program, *arguments, "--json")
        assert (done.returncode, done.stderr) == (0, ""), done
        return json.loads(done.stdout)

    return command


@pytest.mark.parametrize("name", BLOCKED)
def test_caught_a_blocked_import(run: Run, log: Path, name: str) -> None:
    child = f"import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', 'import {name}']))"
    done = run("-c", child)
    assert done.returncode == 1
    assert f"{name} is blocked by this test" in done.stderr
    assert log.read_text().split() == [name]


def test_law_imports_no_large_package(dpcert_json: Callable[..., Any], log: Path) -> None:
    answer = dpcert_json("law", "randomized-response", "--input", "0")
    assert answer["schema"] == "dpcert.law/1"
    assert sum(Fraction(weight) for _, weight in answer["law"]) == 1
    assert not log.exists()


@pytest.mark.nightly
def test_audit_and_recheck_import_no_large_package(dpcert_json: Callable[..., Any], log: Path, tmp_path: Path) -> None:
    answer = dpcert_json("audit", "randomized-response", "--certificates", str(tmp_path / "certificates"))
    assert answer["schema"] == "dpcert.audit/1"
    assert (answer["verified"], answer["refuted"], answer["undecided"]) == (len(answer["results"]), 0, 0)
    certificates = [result["certificate"] for result in answer["results"]]
    assert certificates
    for certificate in certificates:
        dpcert_json("recheck", certificate)
    assert not log.exists()
