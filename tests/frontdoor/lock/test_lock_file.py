"""The entries of a lock: none is lost, whoever writes it; and the properties of the machine that each rests on."""

import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

import pytest
from locked_project import Run, entry_of, index_of

import dpcert.run.lock.lock
import dpcert.run.lock.lockfile
from dpcert.mechanisms.exact.errors import InputError
from dpcert.run.lock.lockfile import entries_of, read_lock, rewrite
from dpcert.run.lock.seal import own_key
from dpcert.worker.reads.machine import PARTS, machine_part, parts_asked
from dpcert.worker.reads.record import record_from
from dpcert.worker.reads.recorder import Recorder

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


Run = Callable[..., Any]

CPUINFO = """processor : 0
flags     : fpu sse sse2 {} rdrand
processor : 1
flags     : none
"""


@pytest.mark.nightly
def test_the_time_zone_locale_and_processor_count_where_they_may_be_asked(
    inside: Run, write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = write(
        "asks.py",
        """
        import math, time
        @target(guarantee=PureDP(0), inputs=[0, 1], neighbours="any")
        def nothing(bit, coins):
            from locale import localeconv
            return coins.below(2)
        """,
    )
    assert inside("audit", path, "--lock", tmp_path / "dpcert.lock").status == 0
    (entry,) = (e for e in read_lock(tmp_path / "dpcert.lock").values() if e["job"]["op"] == "audit")
    record = record_from(entry["record"])
    assert set(record.machine) == set(PARTS)
    assert record.unchanged(tmp_path)
    for name, value in (("TZ", "Asia/Tokyo"), ("LC_TIME", "de_DE.UTF-8"), ("LANG", "eo")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(name, value)
            assert not record.unchanged(tmp_path), name
    assert record.unchanged(tmp_path)
    monkeypatch.setattr("dpcert.worker.reads.machine.CPU", write("cpuinfo", CPUINFO.format("avx2"), head=""))
    assert not record.unchanged(tmp_path)
    assert machine_part("processor") == "avx2 sse sse2"
    monkeypatch.setattr("dpcert.worker.reads.machine.CPU", tmp_path / "none")
    assert machine_part("processor") == f"{platform.machine()} {platform.processor()}"
    assert machine_part("its colour") is None


def test_files_of_the_system_are_not_recorded_and_those_of_folders_with_like_names_are(tmp_path: Path) -> None:
    recorder = Recorder(str(tmp_path))
    for path in ("/dev/null", "/dev/shm/x", "/proc/cpuinfo", "/sys/x", "/devel/x", "/process/x", "/system/x"):
        recorder.event("open", (path, "r", 0))
    assert recorder.files.keys() == {"/devel/x", "/process/x", "/system/x"}
    assert recorder.unpinned.keys() == {"/dev/shm/x", "/proc/cpuinfo", "/sys/x"}


def test_a_compiled_file_counts_as_its_source_and_without_one_as_itself(tmp_path: Path) -> None:
    recorder = Recorder(str(tmp_path / "own"))
    source = tmp_path / "there.py"
    source.touch()
    compiled = [cache_from_source(str(tmp_path / name)) for name in ("there.py", "alone.py")]
    for path in compiled:
        recorder.event("open", (path, "r", 0))
    assert recorder.files.keys() == {str(source), compiled[1]}


def test_the_environment_below_os_is_read_as_a_whole_and_is_a_dictionary_as_before() -> None:
    """In a process of its own, as it is watched until the process ends."""
    text = """
import posix, sys
from dpcert.worker.reads.recorder import watch_environment
found, real = [], dict(posix.environ)
watch_environment(lambda frame: frame.f_globals is globals(), found.append, found.append)
name = next(iter(real))
for ask in (
    lambda e: e[name], lambda e: e.get(name), lambda e: name in e, dict, lambda e: {**e}, list,
    lambda e: e.copy(), lambda e: e | {}, lambda e: {} | e, lambda e: len(e), lambda e: list(e.items()), repr,
    lambda e: list(e.values()), lambda e: e == {}, lambda e: e != {}, lambda e: list(reversed(e)), lambda e: [*e],
):
    assert ask(posix.environ) == ask(real)
    assert "posix.environ" in found, ask
    found.clear()
assert isinstance(posix.environ, dict)
posix.environ[b"X"] = b"1"
assert found == []
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("import os, json", set()),
        ("from fractions import Fraction", set()),
        ("from .time import x", set()),
        ("def f():\n    from datetime import date", {"time zone"}),
        ("import locale as l", {"locale"}),
        ("import os.path, math", {"processor"}),
        ("x = 2.0 ** y", {"processor"}),
        ("x **= y", {"processor"}),
        ("x = map(pow, y)", {"processor"}),
        ("importlib.import_module(x)", set(PARTS)),
        ("__import__(x)", set(PARTS)),
        ("def f(:", set()),
    ],
)
def test_what_a_file_may_ask_of_the_machine(tmp_path: Path, text: str, parts: set[str]) -> None:
    (tmp_path / "it.py").write_text(text)
    assert set(parts_asked([str(tmp_path / "it.py"), str(tmp_path / "data.txt")], [])) == parts
    assert set(parts_asked([str(tmp_path / "it.py")], ["numpy"])) == parts | {"processor"}
