"""`dpcert audit --changed`: what is as it was at a commit is passed over, by the lock that stood there or by git."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from dpcert.guard.changed import Unchanged, base_of
from dpcert.process import Children

Run = Callable[..., Any]

MECHANISM = """
    import dpcert, {helper}

    @dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def {name}(bit, coins):
        import late_{name}
        return bit if coins.below(4) < {helper}.HEADS else 1 - bit
"""


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "a step")


@pytest.fixture
def project(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    for name, helper in (("one", "first"), ("two", "second")):
        (tmp_path / f"{name}.py").write_text(dedent(MECHANISM).format(name=name, helper=helper))
        (tmp_path / f"{helper}.py").write_text("HEADS = 3\n")
        (tmp_path / f"late_{name}.py").write_text("")
    (tmp_path / "README.md").write_text("a project\n")
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def audited(inside: Run, *arguments: object) -> tuple[set[str], set[str]]:
    """Return which of the two files were audited, and which passed over."""
    done = inside("audit", "one.py", "two.py", *arguments, "--json")
    results = {result["target"].partition(".")[0] for result in done.document["results"]}
    return results, {row["target"].partition(".")[0] for row in done.document.get("skipped", [])}


def changed(folder: Path, imports: dict[str, Any]) -> set[str]:
    """Return which of the two targets are not as they were at the commit, says git; `imports` keeps what they read."""

    def ask(job: dict[str, Any]) -> dict[str, Any]:
        if job["file"] not in imports:
            imports[job["file"]] = Children().ask(job)
        found: dict[str, Any] = imports[job["file"]]
        return found

    found = Unchanged(base_of("HEAD", folder), None, {}, ask)
    specs = {name: {"path": str(folder / f"{name}.py"), "function": name, "point": 0} for name in ("one", "two")}
    return {name for name, spec in specs.items() if found.reason(spec) is None}


def test_without_a_lock_git_says_what_changed(inside: Run, project: Path) -> None:
    none, both, one, two = set[str](), {"one", "two"}, {"one"}, {"two"}
    assert audited(inside, "--changed") == (none, both)
    imports: dict[str, Any] = {}
    assert changed(project, imports) == none
    for path, text, expected in (
        ("one.py", (project / "one.py").read_text() + "\n", one),
        ("second.py", "HEADS = 2\n", two),
        ("late_one.py", "x = 1", one),
        ("README.md", "other words", none),
        ("unrelated.py", "x = 1", none),
        ("levels.csv", "1", both),
    ):
        file = project / path
        before = file.read_text() if file.exists() else None
        file.write_text(text)
        assert changed(project, imports) == expected, path
        if before is None:
            file.unlink()
        else:
            file.write_text(before)
    (project / "second.py").write_text("HEADS = 2\n")
    assert audited(inside, "--changed") == (two, one)


def test_with_a_lock_the_one_at_the_commit_counts_and_no_other(inside: Run, project: Path) -> None:
    none, both = set[str](), {"one", "two"}
    lock = ("--lock", "dpcert.lock")
    assert audited(inside, *lock, "--changed") == (both, none)  # never locked
    assert (project / "dpcert.lock").exists()
    assert audited(inside, *lock, "--changed") == (both, none)  # the lock is not at the commit yet
    commit(project)
    assert audited(inside, *lock, "--changed") == (none, both)
    (project / "first.py").write_text("HEADS = 4\n")
    assert audited(inside, *lock, "--changed") == ({"one"}, {"two"})
    git(project, "checkout", "-q", "-b", "work")
    commit(project)
    assert audited(inside, *lock, "--changed=main") == ({"one"}, {"two"})
    forged = json.loads((project / "dpcert.lock").read_text().replace("refuted", "verified"))
    (project / "dpcert.lock").write_text(json.dumps(forged))
    commit(project)
    done = inside("audit", "one.py", *lock, "--changed=main")
    assert (done.status, done.out.split()[0]) == (1, "refuted")


def test_a_target_whose_verdict_at_the_commit_was_not_the_declared_one_is_audited(inside: Run, project: Path) -> None:
    (project / "first.py").write_text("HEADS = 4\n")
    assert inside("audit", "one.py", "--lock", "dpcert.lock").status == 1
    commit(project)
    done = inside("audit", "one.py", "--lock", "dpcert.lock", "--changed")
    assert (done.status, done.out.split()[0]) == (1, "refuted")


def test_what_changed_on_the_other_branch_meanwhile_is_no_change_here(inside: Run, project: Path) -> None:
    git(project, "checkout", "-q", "-b", "work")
    (project / "first.py").write_text("HEADS = 2\n")
    commit(project)
    git(project, "checkout", "-q", "main")
    (project / "second.py").write_text("HEADS = 2\n")
    commit(project)
    git(project, "checkout", "-q", "work")
    assert audited(inside, "--changed=main") == ({"one"}, {"two"})


def test_the_line_says_since_when(inside: Run, project: Path) -> None:
    done = inside("audit", "one.py", "--changed")
    (line, last) = done.lines
    assert line.startswith("skipped    one.py:one: unchanged since HEAD (")
    assert last == "0 verified, 0 refuted, 0 undecided, 1 skipped"
    assert done.status == 0


@pytest.mark.parametrize(
    ("base", "words"),
    [
        ("nowhere", "--changed=nowhere: "),
        ("--output=x", "dpcert audit --help"),
        ("", "needed: a commit with a history in common"),
        ("HEAD:one.py", "needed: a commit with a history in common"),
    ],
)
def test_a_base_that_is_no_commit_is_refused(inside: Run, project: Path, base: str, words: str) -> None:
    assert words in inside("audit", "one.py", f"--changed={base}").refusal()
    assert not (project / "x").exists()


def test_a_folder_without_a_repository_or_a_system_without_git_is_refused(
    inside: Run, project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("bare"))
    assert "needed: a git repository" in inside("audit", "geosample", "--changed").refusal()
    monkeypatch.chdir(project)
    monkeypatch.setenv("PATH", "")
    assert "needed: a git repository" in inside("audit", "geosample", "--changed").refusal()
