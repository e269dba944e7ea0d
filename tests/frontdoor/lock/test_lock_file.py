"""The file of a lock: no entry is lost, whoever writes it, and whatever ends a run."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from locked_project import Run, entry_of, index_of

import dpcert.run.lock.lock
import dpcert.run.lock.lockfile
from dpcert.mechanisms.exact.errors import InputError
from dpcert.run.lock.lockfile import entries_of, read_lock, rewrite
from dpcert.run.lock.seal import own_key

ADD = """
import sys
sys.path.insert(0, sys.argv[3])
from pathlib import Path
from dpcert.run.lock.lockfile import rewrite
from locked_project import entry_of, index_of
print("ready", flush=True)
for i in range(int(sys.argv[4])):
    rewrite(Path(sys.argv[1]), index_of(entry_of(f"{sys.argv[2]}-{i}", 20_000)))
"""


def adding(lock: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", ADD, str(lock), name, str(Path(__file__).parents[1]), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.nightly
def test_runs_at_once_lose_no_entries(tmp_path: Path) -> None:
    lock = tmp_path / "dpcert.lock"
    running = [adding(lock, str(number), 12) for number in range(4)]
    assert [process.wait(60) for process in running] == [0, 0, 0, 0]
    names = {entry["job"]["spec"]["name"] for entry in read_lock(lock).values()}
    assert names == {f"{number}-{i}" for number in range(4) for i in range(12)}
    assert [path.name for path in tmp_path.iterdir()] == ["dpcert.lock"]


@pytest.mark.nightly
def test_a_killed_run_leaves_a_whole_file(tmp_path: Path) -> None:
    lock = tmp_path / "dpcert.lock"
    counts = []
    for round_ in range(4):
        process = adding(lock, str(round_), 1000)
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.05 + 0.03 * round_)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
        process.stdout.close()
        counts.append(len(read_lock(lock)))
    assert counts == sorted(counts)
    assert counts[-1] >= 4


@pytest.mark.points(1)
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
    # -B: Python writes what it compiled as far as it may, and would read no such file again
    command = [sys.executable, "-B", "-c", limit + ADD, str(lock), "much", str(Path(__file__).parents[1]), "1"]
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
