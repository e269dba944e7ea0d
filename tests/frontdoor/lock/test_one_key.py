"""One key for all doors: what one of them has audited, the others find in the lock, and nothing else."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from locked_project import Asked, Run

from dpcert.run.lock.lock import identity_of
from dpcert.run.lock.lockfile import read_lock
from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec, FileSpec
from dpcert.worker.jobs import Audit
from dpcert.worker.reads.record import Record

OTHER = Options(
    *("1", "1/2", "l1", "closed-form", True, True, "outcome and draws", 7, "1/8", 9, True, True, 10_000, "0.99", 3),
    *("both", 5, 2, "ideal", "epsilon"),
)
"""Another value of every option."""
NOT_ASKED = {"closed_forms", "exact", "samples", "confidence", "seed", "claims"}
"""Options that no exact verdict depends on."""


def test_every_option_that_an_exact_verdict_depends_on_is_in_the_key_and_no_other(tmp_path: Path) -> None:
    values = {field.name: getattr(OTHER, field.name) for field in fields(Options)}
    assert all(value != getattr(Options(), name) for name, value in values.items())
    for spec in (CatalogueSpec("geosample"), FileSpec(str(tmp_path / "it.py"), "release")):
        keys = {
            name: identity_of(Audit(spec, replace(Options(), **{name: value})), tmp_path)
            for name, value in values.items()
        }
        key = identity_of(Audit(spec, Options()), tmp_path)
        assert {name for name, other in keys.items() if other == key} == NOT_ASKED


def test_a_key_tells_files_functions_and_points_apart_and_no_ways_to_a_file(tmp_path: Path) -> None:
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text("")
    (tmp_path / "link").symlink_to(tmp_path)
    spec = FileSpec(str(tmp_path / "one.py"), "release")
    others = [replace(spec, path=str(tmp_path / "two.py")), replace(spec, function="other"), replace(spec, point=1)]
    key = identity_of(Audit(spec, Options()), tmp_path)
    assert key not in [identity_of(Audit(other, Options()), tmp_path) for other in others]
    by_link = replace(spec, path=str(tmp_path / "link" / "one.py"))
    assert identity_of(Audit(by_link, Options()), tmp_path) == key


PROJECT = """
[tool.pytest.ini_options]
pythonpath = ["src"]
[tool.dpcert]
targets = ["src/noise.py", "test_mechanisms.py"]
lock = "dpcert.lock"
"""
NOISE = """
    import numpy as np

    @target(guarantee=PureDP("1/2"), inputs=[0, 1], neighbours="any", noise="ideal")
    def laplace(bit, rng: np.random.Generator):
        return bit + rng.laplace(0, 1.0)
"""
TESTS = """
    @target(guarantee=PureDP(0), inputs=[0, 1], neighbours="any")
    def leaks(bit, coins):
        return bit

    def test_plain():
        import noise
"""


@pytest.fixture
def shared(write: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write("pyproject.toml", PROJECT, head="")
    write("src/noise.py", NOISE)
    write("test_mechanisms.py", TESTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_pytest(folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:benchmark"],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST")},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


@pytest.mark.nightly
@pytest.mark.parametrize("first", ["command line", "pytest"])
def test_what_one_door_has_audited_the_other_finds_locked(
    command: Run, inside: Run, shared: Path, asked: Asked, first: str
) -> None:
    """Both targets are refuted, so that pytest prints the notes of both."""
    out = run_pytest(shared) if first == "pytest" else command("audit").out
    assert "as locked in" not in out
    asked.since()
    done = inside("audit", "--json").document
    assert [result["verdict"] for result in done["results"]] == ["refuted", "refuted"]
    assert asked.since() == []
    assert len(re.findall("as locked in dpcert.lock", run_pytest(shared))) == 2
    assert len([entry for entry in read_lock(shared / "dpcert.lock").values() if entry["job"]["op"] == "audit"]) == 2


@pytest.mark.nightly
def test_a_target_that_a_test_module_imports_has_the_key_of_its_own_file(
    inside: Run, write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("pyproject.toml", '[tool.dpcert]\ntargets = ["made.py"]\nlock = "dpcert.lock"', head="")
    write("made.py", TESTS.partition("    def test")[0])
    write("test_it.py", "from made import leaks as again\n\ndef test_plain(): pass", head="")
    monkeypatch.chdir(tmp_path)
    assert "as locked in" not in inside("audit").out
    out = run_pytest(tmp_path)
    assert len(re.findall("as locked in dpcert.lock", out)) == 1
    assert "FAILED test_it.py::again" in out


def test_a_module_that_another_process_finds_elsewhere_or_nowhere_is_noticed(
    write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("lent/aided.py", "", head="")
    write("other/aided.py", "", head="")
    record = Record({}, {}, {}, (), {}, {}, lent={"aided": ("lent",)})
    assert not record.unchanged(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path / "lent"))
    assert record.unchanged(tmp_path)
    sys.path.append(str(tmp_path / "other"))
    assert not record.unchanged(tmp_path)


AIDED = """
    import statistics
    try:
        import aided
    except ImportError:
        aided = None

    @target(guarantee=PureDP(0), inputs=[0, 1], neighbours="any")
    def release(bit, coins):
        return bit if aided is None else statistics.KEPT
"""


@pytest.mark.nightly
def test_a_module_that_only_this_process_knows_of_is_recorded_and_a_files_own_folder_comes_first(
    inside: Run, write: Any, tmp_path: Path, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("lent/aided.py", "", head="")
    write("own/statistics.py", "KEPT = 0", head="")
    command = ("audit", write("own/it.py", AIDED), "--lock", tmp_path / "dpcert.lock")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "path", [*sys.path, str(tmp_path / "lent"), str(tmp_path / "own")])
        assert inside(*command).status == 0
        assert inside(*command).status == 0
        assert asked.since() == ["ListTargets", "Audit"]
    assert inside(*command).status == 1
    assert asked.since() == ["ListTargets", "Audit"]
