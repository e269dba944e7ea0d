"""The pool of processes behind `dpcert claims`: after an interrupt no process is left, and the status says which."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing import active_children

import pytest
from marked import gone

from dpcert.run.pool import processes

CLAIMS = [sys.executable, "-m", "dpcert", "claims", "--jobs", "2"]
DEFAULTS = """
import os, signal, sys
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Starts a command that hears signals, even where these tests run in the background, which ignores some."""


def children_of(pid: int, seconds: float = 30) -> list[int]:
    """Return the workers that a process has started, as soon as there are two, and what else it has started."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        listed = subprocess.run(
            ["ps", "-A", "-ww", "-o", "ppid=,pid=,args="], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        mine = [fields for fields in (line.split(None, 2) for line in listed) if fields[0] == str(pid)]
        if sum("spawn_main" in fields[2] for fields in mine) >= 2:
            return [int(fields[1]) for fields in mine]
        time.sleep(0.05)
    raise AssertionError(f"no two workers after {seconds} s")


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("number", "whole_group", "status"),
    [
        (signal.SIGINT, False, 130),
        (signal.SIGINT, True, 130),  # as a terminal sends it
        (signal.SIGTERM, False, 143),
        (signal.SIGHUP, False, 129),
        (signal.SIGKILL, False, -9),
    ],
)
def test_a_signal_ends_claims_and_its_workers_at_once_and_silently(
    alive: Callable[[list[int]], list[int]], number: signal.Signals, whole_group: bool, status: int
) -> None:
    arguments = [sys.executable, "-c", DEFAULTS, *CLAIMS]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as running:
        pids = children_of(running.pid)
        time.sleep(0.5)
        begin = time.monotonic()
        if whole_group:
            os.killpg(running.pid, number)
        else:
            running.send_signal(number)
        running.wait(timeout=30)
        assert time.monotonic() - begin < 5
        assert gone(alive, pids)
        out, err = running.communicate(timeout=30)
    assert (running.returncode, out) == (status, b"")
    assert err == b"" or number == signal.SIGKILL  # of which Python's own tracker of resources complains


def test_an_error_kills_the_pools_own_workers_and_no_other(alive: Callable[[list[int]], list[int]]) -> None:
    with processes(1) as kept:
        assert kept.submit(abs, -1).result() == 1
        before = set(active_children())
        begin = time.monotonic()

        def fails() -> None:
            with processes(2) as pool:
                pool.submit(time.sleep, 100)
                pool.submit(time.sleep, 100)
                raise KeyError("stop")

        with pytest.raises(KeyError, match="stop"):
            fails()
        assert time.monotonic() - begin < 30
        others = [process.pid for process in active_children() if process not in before]
        assert alive([pid for pid in others if pid is not None]) == []
        assert kept.submit(abs, -2).result() == 2


def test_leaving_waits_for_what_was_submitted() -> None:
    with processes(2) as pool:
        waiting = pool.submit(time.sleep, 0.2)
    assert waiting.done()
    assert waiting.result() is None
