"""The lock: what is unchanged starts no process, what has changed is found again, and nothing forged counts."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import dpcert.run.lock.lock
import dpcert.run.lock.lockfile
from dpcert.mechanisms.exact.errors import InputError
from dpcert.run.lock.lockfile import entries_of, key_of, read_lock, rewrite
from dpcert.run.lock.seal import VARIABLE, key_file, own_key, seal_of
from dpcert.worker.exchange import Reply
from dpcert.worker.jobs import Job
from dpcert.worker.process import Children
from dpcert.worker.reads.record import record_from

Run = Callable[..., Any]

FILES = {
    "mechanism.py": """
        import helper, limits
        from pieces import piece
        try:
            import fast
        except ImportError:
            fast = None
        import os

        WIDTH = int(open(os.path.join(os.path.dirname(__file__), "width.txt")).read())
        LEVEL = os.environ.get("LEVEL", "0")
        MODE = os.environb.get(b"MODE")
        STRICT = os.path.isdir(os.path.join(os.path.dirname(__file__), "strict"))
        FLAG = os.path.exists(os.path.join(os.path.dirname(__file__), "flag"))

        @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
        def release(bit, coins):
            import late
            return helper.flip(bit, coins.below(late.SIDES) < limits.HEADS)

        @target(guarantee=PureDP("ln(2)"), inputs=[0, 1], neighbours="any")
        def leaks(bit, coins):
            return bit if coins.below(4) < 3 else 1 - bit
    """,
    "helper.py": "def flip(bit, kept): return bit if kept else 1 - bit",
    "limits.py": "HEADS = 3",
    "late.py": "SIDES = 4",
    "width.txt": "3",
    "pieces/__init__.py": "from . import piece",
    "pieces/piece.py": "ONE = 1",
}
READ = {*FILES, "strict", "flag"}


@pytest.fixture(autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.delenv("LEVEL", raising=False)


@pytest.fixture(autouse=True, scope="module")
def one_installation() -> Iterator[None]:
    """Hold the digest of this package's sources as it is, whoever edits them while the tests run."""
    found = dpcert.run.lock.lock.environment()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpcert.run.lock.lock.environment", lambda: dict(found))
        yield


@pytest.fixture
def project(write: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        write(name, text, **({} if name == "mechanism.py" else {"head": ""}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Asked:
    """The jobs that were given to child processes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.jobs: list[str] = []
        reply = Children.reply

        def counted(children: Children, job: Job[Any], **how: Any) -> Reply[Any]:
            self.jobs.append(type(job).__name__)
            return reply(children, job, **how)

        monkeypatch.setattr(Children, "reply", counted)

    def since(self) -> list[str]:
        jobs, self.jobs = self.jobs, []
        return jobs


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    return Asked(monkeypatch)


def without_notes(document: Any) -> Any:
    return {**document, "results": [{**result, "notes": []} for result in document["results"]]}


def test_an_unchanged_mechanism_starts_no_process_and_has_the_same_result(
    inside: Run, project: Path, asked: Asked, tmp_path: Path
) -> None:
    command = ("audit", "mechanism.py", "--lock", "dpcert.lock", "--json")
    first = inside(*command)
    assert (first.status, sorted(asked.since())) == (1, ["Audit", "Audit", "ListTargets"])
    lock = (project / "dpcert.lock").read_bytes()
    second = inside(*command)
    assert (second.status, asked.since(), second.err) == (1, [], "")
    assert without_notes(second.document) == without_notes(first.document)
    note = "as locked in dpcert.lock: nothing that it rests on has changed"
    assert [result["notes"] for result in second.document["results"]] == [[note], [note]]
    assert (project / "dpcert.lock").read_bytes() == lock
    found = inside(*command, "--certificates", "kept").document["results"]
    assert asked.since() == []
    for result in found:
        name = result["target"].rpartition(":")[2]
        done = inside("recheck", result["certificate"], "--target", f"mechanism.py:{name}")
        assert (done.status, result["verdict"]) == (0, done.out.split()[1].rstrip(":"))
    asked.since()
    assert inside(*command, "--relock").status == 1
    assert sorted(asked.since()) == ["Audit", "Audit", "ListTargets"]


def test_a_built_in_is_locked_by_its_settings_and_options(inside: Run, project: Path, asked: Asked) -> None:
    command = ("audit", "randomized-response", "--lock", "dpcert.lock")
    assert inside(*command).status == 0
    assert inside(*command).status == 0
    assert asked.since() == ["Audit"]
    assert inside(*command, "--epsilon", "1/10").status == 1
    assert inside(*command, "--set", "epsilon=1").status == 0
    assert asked.since() == ["Audit", "Audit"]


def change(path: str, text: str | None) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        (folder / path).parent.mkdir(exist_ok=True)
        if text is None:
            (folder / path).unlink()
        else:
            (folder / path).write_text(text)

    return apply


CHANGES = {
    "a module that is imported": change("helper.py", FILES["helper.py"] + "\n"),
    "a module of constants, which executes nothing in a run": change("limits.py", "HEADS = 4"),
    "a module imported while running": change("late.py", "SIDES = 3"),
    "a data file": change("width.txt", "4"),
    "a part of a package": change("pieces/piece.py", "ONE = 2"),
    "a package's own file": change("pieces/__init__.py", ""),
    "a file that is gone": change("helper.py", None),
    "a package that takes a module's place": change("helper/__init__.py", "def flip(bit, kept): return bit"),
    "a package that takes a submodule's place": change("pieces/piece/__init__.py", "ONE = 1"),
    "a module that was missing": change("fast.py", ""),
    "a folder that was looked for": change("strict/any", ""),
    "a file that was looked for and not opened": change("flag", ""),
    "a variable asked for in bytes": lambda folder: os.environ.update(MODE="1"),
    "which warnings are errors": lambda folder: os.environ.update(PYTHONWARNINGS="error"),
    "a variable": lambda folder: os.environ.update(LEVEL="1"),
    "the way to modules": lambda folder: os.environ.update(PYTHONPATH=str(folder)),
}


@pytest.fixture(scope="module")
def locked(
    inside: Run,
    writer: Callable[[Path], Callable[..., Path]],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Path, dict[str, Any], bytes]]:
    """A project, the entry of its target `release`, and the key that sealed it."""
    folder = tmp_path_factory.mktemp("locked")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        for name, text in FILES.items():
            writer(folder)(name, text, **({} if name == "mechanism.py" else {"head": ""}))
        done = inside("audit", folder / "mechanism.py", "--lock", folder / "dpcert.lock")
        assert (done.status, done.err) == (1, "")
        key, _ = own_key()
        assert key is not None
        entries = read_lock(folder / "dpcert.lock").values()
        (entry,) = (e for e in entries if e["job"].get("spec", {}).get("function") == "release")
        yield folder, entry, key


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_anything_that_it_rests_on_is_seen(
    locked: tuple[Path, dict[str, Any], bytes],
    name: str,
    writer: Callable[[Path], Callable[..., Path]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, entry, _ = locked
    record = record_from(entry["record"])
    assert record is not None
    assert set(record.files) == READ
    assert record.machine == {}
    for file, text in FILES.items():  # the same files, elsewhere
        writer(tmp_path)(file, text, **({} if file == "mechanism.py" else {"head": ""}))
    assert record.unchanged(tmp_path)
    for variable in ("LEVEL", "MODE", "PYTHONPATH", "PYTHONWARNINGS"):
        monkeypatch.setenv(variable, "")
        monkeypatch.delenv(variable)
    CHANGES[name](tmp_path)
    assert not record.unchanged(tmp_path)


LOOKS = """
    from importlib.util import find_spec

    HEADS = 3 if find_spec("fastnoise") is not None else 4

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def release(bit, coins):
        return bit if coins.below(4) < HEADS else 1 - bit
"""


def test_a_package_that_is_looked_for_and_not_imported_is_pinned(
    inside: Run, write: Callable[..., Path], tmp_path: Path, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("audit", write("looks.py", LOOKS), "--lock", tmp_path / "dpcert.lock")
    packages = tmp_path / "site-packages"
    write("site-packages/fastnoise/__init__.py", "", head="")
    write("site-packages/fastnoise-1.0.dist-info/METADATA", "Name: fastnoise\nVersion: 1.0\n", head="")
    monkeypatch.syspath_prepend(str(packages))
    assert (inside(*command).status, asked.since()) == (0, ["ListTargets", "Audit"])
    assert (inside(*command).status, asked.since()) == (0, [])
    shutil.rmtree(packages)
    assert (inside(*command).status, asked.since()) == (1, ["ListTargets", "Audit"])


def test_what_it_does_not_rest_on_may_change(locked: tuple[Path, dict[str, Any], bytes]) -> None:
    folder, entry, _ = locked
    record = record_from(entry["record"])
    (folder / "other.py").write_text("import helper")
    (folder / "NOTES.md").write_text("more")
    os.utime(folder / "mechanism.py", (0, 0))
    assert record is not None
    assert record.unchanged(folder)


def test_a_changed_mechanism_is_audited_again(inside: Run, project: Path, asked: Asked) -> None:
    command = ("audit", "mechanism.py:release", "--lock", "dpcert.lock")
    assert inside(*command).status == 0
    (project / "late.py").write_text("SIDES = 3")
    asked.since()
    done = inside(*command)
    assert (done.status, done.err, asked.since()) == (1, "", ["Audit"])
    assert inside(*command).status == 1
    assert asked.since() == []
    (project / "late.py").write_text("SIDES = 4")
    assert inside(*command).status == 0
    assert asked.since() == ["Audit"]


def leaves(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not isinstance(value, dict | list) or not value:
        yield way
    for name, part in parts:
        yield from leaves(part, (*way, name))


def test_every_edit_of_an_entry_breaks_its_seal(locked: tuple[Path, dict[str, Any], bytes]) -> None:
    _, entry, key = locked
    seal = seal_of(key)
    assert seal.holds(entry)
    ways = [way for way in leaves(entry) if way[0] != "seals"]
    assert len(ways) > 60
    for way in ways:
        forged = json.loads(json.dumps(entry))
        place = forged
        for name in way[:-1]:
            place = place[name]
        place[way[-1]] = [place[way[-1]]]
        assert not seal.holds(forged), way
    assert not seal.holds({**entry, "seals": {}})
    other = seal_of(b"another key")
    resealed = {**entry, "seals": {other.name: other.of(entry)}}
    assert not seal.holds(resealed)
    for text in (other.of(entry), "", "\ud800"):
        assert not seal.holds({**entry, "seals": {seal.name: text}})


def test_a_forged_lock_gives_no_verdict(inside: Run, project: Path, asked: Asked) -> None:
    """A refuted mechanism whose entry says verified, sealed again with a key of the forger's."""
    command = ("audit", "mechanism.py:leaks", "--lock", "dpcert.lock")
    assert inside(*command).status == 1
    lock = project / "dpcert.lock"
    forger = seal_of(b"the forger's own")
    honest = lock.read_text()
    for reseal in (False, True):
        data = json.loads(honest.replace('"verdict": "refuted"', '"verdict": "verified"'))
        for entry in data["entries"]:
            entry["seals"] = {forger.name: forger.of(entry)} if reseal else entry["seals"]
        lock.write_text(json.dumps(data))
        asked.since()
        done = inside(*command)
        assert (done.status, "Audit" in asked.since()) == (1, True)
        assert done.out.startswith("refuted")
        assert done.err == (
            "dpcert: dpcert.lock: 1 entry is not sealed with a key of this machine, or edited since; found again\n"
        )
        assert inside(*command).err == ""


def test_an_entry_of_another_version_or_python_is_found_again(inside: Run, project: Path, asked: Asked) -> None:
    command = ("audit", "randomized-response", "--lock", "dpcert.lock")
    assert inside(*command).status == 0
    lock = project / "dpcert.lock"
    key, _ = own_key()
    assert key is not None
    seal = seal_of(key)
    for name, value in (("dpcert", "0.0.9"), ("sources", "0" * 64), ("python", "CPython 3.10.1")):
        data = json.loads(lock.read_text())
        for entry in data["entries"]:
            entry["environment"][name] = value
            entry["seals"] = {seal.name: seal.of(entry)}
        lock.write_text(json.dumps(data))
        asked.since()
        done = inside(*command)
        assert (done.status, "Audit" in asked.since()) == (0, True)
        words = "1 entry is of another version of dpcert or Python, or another platform; found again"
        assert done.err == f"dpcert: dpcert.lock: {words}\n"
    pythons = {entry["environment"]["python"] for entry in read_lock(lock).values()}
    assert len(pythons) == 2  # those of another Python stay for it
    assert inside(*command).err == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Expecting value"),
        ('<<<<<<< ours\n{"schema": "dpcert.lock/1", "entries": []}\n', "Expecting value"),
        ('{"schema": "dpcert.lock/2", "entries": []}', "a lock of the form 'dpcert.lock/2'"),
        ("[]", "a lock of the form 'None'"),
        ('{"schema": "dpcert.lock/1", "entries": {}}', "a lock that was edited"),
        ('{"schema": "dpcert.lock/1", "entries": [], "more": 1}', "a lock that was edited"),
        ('{"schema": "dpcert.lock/1", "entries": [{"job": {}}]}', "a lock that was edited"),
        ('{"schema": "dpcert.lock/1", "entries": [], "entries": []}', "repeats a key"),
        ("[" * 100_000, "."),
        ("\ufffe\x00", "."),
    ],
)
def test_what_is_no_lock_is_refused_and_left_as_it_is(inside: Run, project: Path, text: str, words: str) -> None:
    lock = project / "dpcert.lock"
    lock.write_text(text)
    done = inside("audit", "mechanism.py", "--lock", "dpcert.lock")
    line = done.refusal()
    assert re.search(words, line)
    assert "dpcert.lock" in line
    assert lock.read_text() == text


def test_what_cannot_be_pinned_is_named_and_not_locked(inside: Run, write: Callable[..., Path], tmp_path: Path) -> None:
    path = write(
        "reads.py",
        """
        import os, posix, socket, subprocess
        os.listdir(".")
        dict(os.environ)
        dict(posix.environ) == posix.environ.copy()
        open("/proc/self/environ", "rb").close()
        subprocess.run(["true"])
        socket.getaddrinfo("localhost", 1)
        @target(guarantee=PureDP(0), inputs=[0, 1], neighbours="any")
        def nothing(bit, coins): return coins.below(2)
        """,
    )
    lock = tmp_path / "dpcert.lock"
    done = inside("audit", path, "--lock", lock)
    assert done.status == 0
    reasons = (
        "a folder's list of files (os.listdir), the whole environment, posix.environ, /proc/self/environ, "
        "subprocess.Popen, socket.getaddrinfo"
    )
    line = f"{path}:nothing is not locked: it reads what cannot be pinned: {reasons}"
    assert done.err == f"dpcert: dpcert.lock: {line}\n"
    assert not lock.exists()


def test_undecided_and_sampled_results_are_not_locked(inside: Run, write: Callable[..., Path], tmp_path: Path) -> None:
    path = write(
        "open.py",
        """
        @target(guarantee=PureDP(0), inputs=[0, 1], neighbours="any")
        def prints(bit, coins): return str(coins.below(2**64))
        """,
    )
    lock = tmp_path / "dpcert.lock"
    assert inside("audit", path, "--lock", lock).status == 3
    assert inside("audit", path, "--lock", lock, "--sampling", "--samples", "4000").status == 3
    assert [entry["job"]["op"] for entry in read_lock(lock).values()] == ["specs"]


# -- the key


def test_the_key_is_made_once_for_the_user_alone_and_not_handed_to_programs(
    inside: Run, write: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, reason = own_key()
    assert (key is not None, reason) == (True, "")
    assert own_key() == (key, "")
    assert key_file().stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv(VARIABLE, "the team's own, long enough")
    shared, _ = own_key()
    assert shared not in (None, key)
    assert VARIABLE not in os.environ
    monkeypatch.setenv(VARIABLE, "short")
    assert own_key() == (None, f"{VARIABLE} has fewer than 16 characters")
    path = write(
        "asks.py",
        f"""
        import os
        @target(guarantee=PureDP(0), inputs=[0, 1], neighbours="any")
        def secret(bit, coins): return os.environ.get({VARIABLE!r}) is not None and bit
        """,
    )
    monkeypatch.setenv(VARIABLE, "the team's own, long enough")
    assert inside("audit", path, "--lock", tmp_path / "dpcert.lock").status == 0


def test_without_a_key_nothing_is_trusted_or_locked(
    inside: Run, project: Path, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(project / "file"))
    command = ("audit", "mechanism.py:release", "--lock", "dpcert.lock")
    for _ in range(2):
        done = inside(*command)
        assert done.status == 0
        assert done.err.startswith("dpcert: dpcert.lock is not used, as there is no key to seal it: ")
        assert asked.since() == ["ListTargets", "Audit"]
    assert not (project / "dpcert.lock").exists()


def test_two_machines_seal_one_entry_and_each_trusts_its_own_seal(
    inside: Run, project: Path, asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("audit", "randomized-response", "--lock", "dpcert.lock")
    for state in ("one", "two"):
        monkeypatch.setenv("XDG_STATE_HOME", str(project / state))
        assert inside(*command).status == 0
        assert asked.since() == ["Audit"]
    for state in ("one", "two"):
        monkeypatch.setenv("XDG_STATE_HOME", str(project / state))
        assert inside(*command).status == 0
        assert asked.since() == []
    assert {len(entry["seals"]) for entry in read_lock(project / "dpcert.lock").values()} == {2}


# -- the file


def entry_of(name: str, size: int = 10) -> dict[str, Any]:
    return {
        "job": {"op": "audit", "spec": {"name": name}, "options": {}},
        "environment": {"python": "3"},
        "record": {},
        "answer": {"text": "x" * size},
        "certificate": None,
        "seals": {"key": "seal"},
    }


def index_of(*entries: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {key_of(entry["job"], entry["environment"]): entry for entry in entries}


ADD = """
import sys
sys.path.insert(0, sys.argv[3])
from pathlib import Path
from test_lock import entry_of, index_of, rewrite
print("ready", flush=True)
for i in range(int(sys.argv[4])):
    rewrite(Path(sys.argv[1]), index_of(entry_of(f"{sys.argv[2]}-{i}", 20_000)))
"""


def adding(lock: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", ADD, str(lock), name, str(Path(__file__).parent), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_runs_at_once_lose_no_entries(tmp_path: Path) -> None:
    lock = tmp_path / "dpcert.lock"
    running = [adding(lock, str(number), 12) for number in range(4)]
    assert [process.wait(60) for process in running] == [0, 0, 0, 0]
    names = {entry["job"]["spec"]["name"] for entry in read_lock(lock).values()}
    assert names == {f"{number}-{i}" for number in range(4) for i in range(12)}
    assert [path.name for path in tmp_path.iterdir()] == ["dpcert.lock"]


def test_a_killed_run_leaves_a_whole_file(tmp_path: Path) -> None:
    lock = tmp_path / "dpcert.lock"
    counts = []
    for round_ in range(4):
        process = adding(lock, str(round_), 1000)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.05 + 0.03 * round_)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
        process.stdout.close()
        counts.append(len(read_lock(lock)))
    assert counts == sorted(counts)
    assert counts[-1] >= 4


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_full_disk_or_a_folder_without_rights_is_named_and_loses_nothing(
    inside: Run, project: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    lock = project / "dpcert.lock"
    rewrite(lock, index_of(entry_of("kept")))
    before = lock.read_bytes()

    def refuse(*arguments: object) -> None:
        raise OSError(28, "No space left on device") if failing == "fsync" else PermissionError(13, "Permission denied")

    key, _ = own_key()
    monkeypatch.setattr(dpcert.run.lock.lockfile.os, failing, refuse)
    done = inside("audit", "mechanism.py:release", "--lock", "dpcert.lock")
    words = "No space left on device" if failing == "fsync" else "Permission denied"
    assert done.refusal() == (
        f"dpcert: {lock}: {words}; needed: a lock file that can be written; "
        "make room or name another with --lock; the lock is as it was"
    )
    assert done.lines[-1] == "1 verified, 0 refuted, 0 undecided"  # what was found is shown all the same
    assert lock.read_bytes() == before
    assert not list(project.glob(".dpcert.lock.*"))
    assert key is not None


def test_a_file_size_limit_of_the_system_loses_nothing(tmp_path: Path) -> None:
    lock = tmp_path / "dpcert.lock"
    rewrite(lock, index_of(entry_of("kept")))
    before = lock.read_bytes()
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
    command = [sys.executable, "-c", limit + ADD, str(lock), "much", str(Path(__file__).parent), "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "File too large: a lock file that can be written" in done.stderr
    assert lock.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["dpcert.lock"]


def test_a_lock_that_cannot_be_read_is_refused(inside: Run, project: Path) -> None:
    (project / "folder").mkdir()
    assert "Is a directory" in inside("audit", "mechanism.py", "--lock", "folder").refusal()
    assert "Not a directory" in inside("audit", "mechanism.py", "--lock", "late.py/dpcert.lock").refusal()


def test_entries_of_files_that_are_gone_are_dropped(tmp_path: Path) -> None:
    lock = tmp_path / "dpcert.lock"
    gone, there = entry_of("gone"), entry_of("there")
    gone["job"]["spec"] = {"path": "gone.py"}
    rewrite(lock, index_of(gone, there))
    rewrite(lock, index_of(entry_of("new")))
    assert {entry["job"]["spec"].get("name") for entry in read_lock(lock).values()} == {"there", "new"}
    with pytest.raises(InputError, match="a lock of the form"):
        entries_of(b"{}", "it")
