"""What of the machine an entry of a lock rests on: time zone, locale and processor, where a program may ask them."""

import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpcert.run.lock.lockfile import read_lock
from dpcert.worker.reads.machine import PARTS, machine_part, parts_asked
from dpcert.worker.reads.record import record_from
from dpcert.worker.reads.recorder import Recorder

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
    for path in ("/dev/null", "/proc/cpuinfo", "/sys/x", "/devel/x", "/process/x", "/system/x"):
        recorder.event("open", (path, "r", 0))
    assert recorder.files.keys() == {"/devel/x", "/process/x", "/system/x"}
    assert recorder.unpinned.keys() == {"/proc/cpuinfo", "/sys/x"}


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
