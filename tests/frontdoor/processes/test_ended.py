"""Processes: none is left behind, whatever ends the command, and nothing but results is on the streams."""

import contextlib
import errno
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from marked import COMMAND, MARKED, gone

import dpcert.cli

ENDLESS = f"""{MARKED}
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    note(sleeper.pid)

    @target(guarantee=PureDP(1), inputs=[0, 1], neighbours="any")
    def release(bit, coins):
        while True:
            pass
"""


def pids_of(path: Path, least: int, seconds: float = 30) -> list[int]:
    """Return the processes that noted themselves beside a file, as soon as there are so many."""
    until = time.monotonic() + seconds
    noted = path.with_suffix(".pids")
    while time.monotonic() < until:
        found = noted.read_text().split() if noted.exists() else []
        if len(found) >= least:
            return [int(text) for text in found]
        time.sleep(0.02)
    raise AssertionError(f"no {least} processes after {seconds} s")


def temporary(folder: Path) -> dict[str, str]:
    """Return an environment whose temporary files go into a folder."""
    folder.mkdir()
    return {**os.environ, "TMPDIR": str(folder)}


@pytest.mark.nightly
def test_the_time_limit_ends_children_and_their_children(command: Any, write: Any, alive: Any, tmp_path: Path) -> None:
    """On a busy machine eight processes may not have started within 5 seconds; then they are given more."""
    path = write("endless.py", ENDLESS)
    noted = path.with_suffix(".pids")
    env = temporary(tmp_path / "temporary")
    for limit in (5, 20, 80):
        noted.unlink(missing_ok=True)
        done = command("audit", path, "--time-limit", limit, env=env, timeout=3 * limit + 60)
        pids = [int(pid) for pid in noted.read_text().split()] if noted.exists() else []
        assert gone(alive, pids)
        assert list((tmp_path / "temporary").iterdir()) == []
        if len(pids) == 8:  # found, audited, computed again, described, each with its child
            break
    assert len(pids) == 8
    assert (done.status, done.err) == (3, "")
    assert f"stopped by the time limit of {limit} s" in done.out


def test_workers_end_when_the_command_is_killed(write: Any, alive: Any, tmp_path: Path) -> None:
    path = write("endless.py", ENDLESS)
    env = temporary(tmp_path / "temporary")
    with subprocess.Popen([*COMMAND, "audit", str(path), "--time-limit", "100"], env=env) as running:
        pids = pids_of(path, 6, seconds=60)  # what found it, the audit, its second process, and what they started
        running.kill()
    assert gone(alive, pids)


@pytest.mark.nightly
@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_the_command_and_its_children_at_once_and_silently(
    write: Any, alive: Any, tmp_path: Path, number: int, status: int
) -> None:
    path, other = write("endless.py", ENDLESS), write("other.py", ENDLESS)
    env = temporary(tmp_path / "temporary")
    arguments = [*COMMAND, "audit", str(path), str(other), "--time-limit", "100", "--jobs", "2"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as running:
        pids = [*pids_of(path, 6), *pids_of(other, 6)]
        begin = time.monotonic()
        running.send_signal(number)
        out, err = running.communicate(timeout=30)
        assert time.monotonic() - begin < 10
    assert (running.returncode, out, err) == (status, b"", b"")
    assert gone(alive, pids)
    assert list((tmp_path / "temporary").iterdir()) == []


AGAIN = """
import os, signal, sys

import dpcert.cli
from dpcert.worker.process import Children

end = Children.end


def interrupted(children):
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGTERM)
    end(children)


Children.end = interrupted
sys.exit(dpcert.cli.main())
"""
"""The command, to which more signals come while it ends its children."""


@pytest.mark.nightly
@pytest.mark.usefixtures("heard")
def test_further_signals_do_not_keep_the_command_from_ending_its_children(
    write: Any, alive: Any, tmp_path: Path
) -> None:
    path, other = write("endless.py", ENDLESS), write("other.py", ENDLESS)
    env = temporary(tmp_path / "temporary")
    command = [sys.executable, str(write("again.py", AGAIN, head="")), "audit", str(path), str(other), "--jobs", "2"]
    with subprocess.Popen(
        [*command, "--time-limit", "100"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
    ) as running:
        pids = [*pids_of(path, 6), *pids_of(other, 6)]
        running.send_signal(signal.SIGINT)
        try:
            out, err = running.communicate(timeout=30)
        finally:
            running.kill()
    assert (running.returncode, out, err) == (130, b"", b"")
    assert gone(alive, pids)
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.nightly
def test_a_hangup_that_is_ignored_ends_nothing(write: Any) -> None:
    path = write("endless.py", ENDLESS)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        running = subprocess.Popen([*COMMAND, "audit", str(path), "--time-limit", "3"], stdout=subprocess.PIPE)
    finally:
        signal.signal(signal.SIGHUP, before)
    with running:
        pids_of(path, 1)
        running.send_signal(signal.SIGHUP)
        out, _ = running.communicate(timeout=60)
    assert (running.returncode, out.splitlines()[-1]) == (3, b"0 verified, 0 refuted, 1 undecided")


@pytest.mark.points(1)
@pytest.mark.parametrize("arguments", [["list"], ["list", "--json"], ["audit", "randomized-response"]])
def test_a_closed_pipe_is_silent_and_no_verdict(arguments: list[str]) -> None:
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 128 + signal.SIGPIPE


@pytest.mark.nightly
def test_closed_streams_do_not_matter() -> None:
    arguments = "audit randomized-response >&- 2>&- <&-"
    done = subprocess.run(f'"{sys.executable}" -m dpcert {arguments}', shell=True, check=False)
    assert done.returncode == 0


class Full(io.StringIO):
    """A stream that nothing can be written to."""

    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("arguments", [["list"], ["audit", "--jobs", "0", "--json"]])
def test_a_full_disk_is_no_verdict(arguments: list[str]) -> None:
    err = io.StringIO()
    with contextlib.redirect_stdout(Full()), contextlib.redirect_stderr(err):
        assert dpcert.cli.main(arguments) == 2
    (line,) = err.getvalue().splitlines()
    assert f"what is printed: {os.strerror(errno.ENOSPC)}" in line


def test_a_system_without_room_for_another_process_keeps_the_verdicts_that_there_are(
    inside: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    start, started = subprocess.Popen, []

    def limited(*arguments: Any, **named: Any) -> Any:
        if started or "pass_fds" in named:  # neither a fork server nor a second worker
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        started.append(arguments)
        return start(*arguments, **named)

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("dpcert.worker.process.subprocess.Popen", limited)
    done = inside("audit", "randomized-response", "geosample", "geosample-strict", "--json")
    assert (done.status, done.document["verified"], len(done.document["errors"])) == (2, 1, 2)
    (given,) = {error["given"] for error in done.document["errors"]}
    assert given == f"a child process, which cannot be started: {os.strerror(errno.EAGAIN)}"
    assert list(tmp_path.iterdir()) == []


MANY = """
    @target(guarantee=PureDP(0), inputs=[0, 1], neighbours="any")
    def release(bit, coins):
        return str(coins.below(1000))
"""


@pytest.mark.nightly
def test_an_answer_that_there_is_no_room_for_is_no_fault_of_the_program(write: Any) -> None:
    limit = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))\n"
    run = limit + "import dpcert.cli; sys.exit(dpcert.cli.main())"
    command = [sys.executable, "-c", run, "law", str(write("many.py", MANY)), "--input", "0"]
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}  # it would be written as far as it may, and read by no one
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"dpcert: a child process, which cannot answer: {os.strerror(errno.EFBIG)}" in done.stderr
