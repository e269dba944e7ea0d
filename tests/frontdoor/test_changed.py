"""`dpcert audit --changed` and `dpcert watch`: targets that are as they were are passed over."""

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from dpcert.commands.watch import looked_at, saves
from dpcert.run.lock.changed import Unchanged, base_of
from dpcert.run.lock.seal import seal_of
from dpcert.targets.options import Options
from dpcert.targets.spec import FileSpec
from dpcert.worker.exchange import Reply
from dpcert.worker.jobs import Listing, ListTargets
from dpcert.worker.process import Children

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

    def ask(job: ListTargets) -> Reply[Listing]:
        if job.file not in imports:
            imports[job.file] = Children().reply(job, recording=True)
        return imports[job.file]

    found = Unchanged(base_of("HEAD", folder), None, Options(), ask)
    specs = {name: FileSpec(str(folder / f"{name}.py"), name) for name in ("one", "two")}
    return {name for name, spec in specs.items() if found.reason(spec) is None}


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_a_target_whose_verdict_at_the_commit_was_not_the_declared_one_is_audited(inside: Run, project: Path) -> None:
    (project / "first.py").write_text("HEADS = 4\n")
    assert inside("audit", "one.py", "--lock", "dpcert.lock").status == 1
    commit(project)
    done = inside("audit", "one.py", "--lock", "dpcert.lock", "--changed")
    assert (done.status, done.out.split()[0]) == (1, "refuted")


def resealed(folder: Path, seals: str) -> None:
    """Commit the lock with each verdict forged to `verified`, its seals kept, none, of another key, or a text."""
    lock = folder / "dpcert.lock"
    data = json.loads(lock.read_text().replace('"verdict": "refuted"', '"verdict": "verified"'))
    forger = seal_of(b"the forger's own")
    for entry in data["entries"]:
        ways = {"kept": entry["seals"], "none": {}, "other": {forger.name: forger.of(entry)}}
        entry["seals"] = ways[seals] if seals in ways else dict.fromkeys(entry["seals"], seals)
    lock.write_text(json.dumps(data))
    commit(folder)


@pytest.mark.nightly
@pytest.mark.parametrize("seals", ["kept", "none", "other", "", "\ud800"])
def test_caught_forged_lock_that_is_committed(inside: Run, project: Path, seals: str) -> None:
    """A pull request commits a mechanism that leaks, and a lock that calls it verified; the last commit is its own."""
    (project / "first.py").write_text("HEADS = 4\n")
    lock = ("--lock", "dpcert.lock")
    assert inside("audit", "one.py", *lock).status == 1
    resealed(project, seals)
    done = inside("audit", "one.py", *lock, "--changed")
    assert (done.status, done.out.split()[0]) == (1, "refuted")
    words = "1 entry is not sealed with a key of this machine, or edited since; audited"
    assert done.err.splitlines()[0] == f"dpcert: dpcert.lock at HEAD: {words}"


@pytest.mark.nightly
def test_a_lock_that_another_machine_sealed_and_one_that_has_no_key_pass_nothing_over(
    inside: Run, project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = ("--lock", "dpcert.lock")
    assert audited(inside, *lock) == ({"one", "two"}, set())
    commit(project)
    assert audited(inside, *lock, "--changed") == (set(), {"one", "two"})
    monkeypatch.setenv("DPCERT_LOCK_KEY", "too short")
    assert audited(inside, *lock, "--changed") == ({"one", "two"}, set())
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("elsewhere")))
    assert audited(inside, *lock, "--changed") == ({"one", "two"}, set())


@pytest.mark.nightly
def test_a_lock_outside_the_repository_is_named_with_its_folder(
    inside: Run, project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    lock = tmp_path_factory.mktemp("outside") / "dpcert.lock"
    done = inside("audit", "one.py", "--lock", lock, "--changed")
    assert done.status == 0
    assert done.err == f"dpcert: {lock} is outside the repository: every target is audited\n"


@pytest.mark.nightly
def test_without_a_lock_a_file_that_git_does_not_hold_is_changed(
    inside: Run, project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What git ignores, and what lies outside, can be another file than at the commit without git's knowing."""
    assert changed(project, {}) == set()
    (project / ".gitignore").write_text("second.py\n")
    git(project, "rm", "-q", "--cached", "second.py")
    commit(project)
    assert changed(project, {}) == {"two"}
    outside = tmp_path_factory.mktemp("outside")
    (project / "first.py").rename(outside / "first.py")
    commit(project)
    monkeypatch.syspath_prepend(str(outside))
    assert changed(project, {}) == {"one", "two"}


@pytest.mark.nightly
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


ONE = """
@target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
def {name}(bit, coins):
    return bit if coins.below({sides}) else 1 - bit
"""


@pytest.mark.nightly
def test_only_changes_are_audited_again(
    inside: Any, write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write("a.py", ONE.format(name="first", sides=4))
    write("b.py", ONE.format(name="second", sides=4))

    def steps(folders: Sequence[Path]) -> Iterator[None]:
        yield
        write("b.py", ONE.format(name="second", sides=50))
        yield
        write("a.py", "x = (", head="")
        yield
        write("a.py", ONE.format(name="first", sides=3))
        yield
        raise KeyboardInterrupt

    monkeypatch.setattr("dpcert.commands.watch.saves", steps)
    done = inside("watch", "a.py", "b.py")
    assert done.status == 130
    heads = [line.split(":")[0] for line in done.lines if line.startswith(("verified", "refuted"))]
    assert heads == ["verified   a.py", "verified   b.py", "refuted    b.py", "verified   a.py"]
    counted = [line.partition(", at ")[0] for line in done.lines if ", at " in line]
    assert counted == [
        "2 verified, 0 refuted, 0 undecided",
        "1 verified, 1 refuted, 0 undecided",
        "0 verified, 1 refuted, 0 undecided",
        "1 verified, 1 refuted, 0 undecided",
    ]
    (line,) = done.err.splitlines()
    assert "a.py does not import" in line


def test_a_save_is_noticed_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slept = []
    texts = ["x = 1", "x = 1", "x = 22", "x = 22"]

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if not texts:
            raise KeyboardInterrupt
        text = texts.pop(0)
        if not (tmp_path / "a.py").exists() or (tmp_path / "a.py").read_text() != text:
            (tmp_path / "a.py").write_text(text)
        (tmp_path / "log.txt").write_text(str(slept))

    monkeypatch.setattr("dpcert.commands.watch.time.sleep", sleep)
    seen = []
    with suppress(KeyboardInterrupt):
        for _ in saves([tmp_path]):
            seen.append(len(slept))
    assert seen == [0, 1, 3]


def test_hidden_files_and_installed_ones_are_not_looked_at(tmp_path: Path) -> None:
    for name in ("a.py", "below/b.toml", ".git/c.py", "site-packages/d.py", ".e.py", "f.log"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    found = looked_at([tmp_path])
    assert {path.relative_to(tmp_path).as_posix() for path in found} == {"a.py", "below/b.toml"}
    os.utime(tmp_path / "a.py", ns=(time.time_ns(), time.time_ns() + 10**9))
    assert looked_at([tmp_path]) != found
