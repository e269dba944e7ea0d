"""`dpcert plan` as a process: its time limit, an interrupt, a narrow terminal, and none."""

import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from fcntl import ioctl
from pathlib import Path
from typing import Any

import pytest
from marked import gone

COMMAND = [sys.executable, "-m", "dpcert", "plan"]
LONG = ("privhist", "--epsilon", "1/2", "--neighbours", "sorted-l1", "--set", "runs=10000", "--frequencies")
SHORT = ("geosample", "--epsilon", "1/10", "--neighbours", "counts_differ_by_one", "--against", "paper")


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    path = tmp_path / "counts.csv"
    path.write_text("".join(f"key{place},{1 + place * place // 50}\n" for place in range(500)))
    return path


@pytest.mark.nightly
def test_the_time_limit_ends_the_search_with_one_line(inside: Callable[..., Any], counts: Path) -> None:
    line = inside("plan", *LONG, counts, "--time-limit", "1").refusal(status=3)
    assert "stopped by the time limit of 1 s of processor time (--time-limit)" in line


def workers_of(pid: int) -> list[int]:
    """Return the children of a process."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(text) for text in found.stdout.split()]


@pytest.mark.usefixtures("heard")
def test_an_interrupt_ends_the_search_and_its_process(alive: Callable[..., Any], counts: Path) -> None:
    with subprocess.Popen([*COMMAND, *LONG, str(counts)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        until = time.monotonic() + 60
        while not (workers := workers_of(running.pid)) and time.monotonic() < until:
            time.sleep(0.05)
        assert workers
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert (running.returncode, out, err) == (130, b"", b"")
    assert gone(alive, workers)  # the signal that ends them may take a moment


@pytest.mark.nightly
def test_a_terminal_of_40_columns_gets_the_same_lines(command: Callable[..., Any]) -> None:
    plain = command("plan", *SHORT)
    assert (plain.status, plain.err) == (0, "")
    main, side = pty.openpty()
    ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 40, 0, 0))
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "40"}
    done = subprocess.run(
        [*COMMAND, *SHORT], stdin=side, stderr=side, stdout=subprocess.PIPE, env=env, timeout=100, check=False
    )
    os.close(side)
    shown = b""
    try:
        while chunk := os.read(main, 4096):
            shown += chunk
    except OSError:  # the terminal has no writer any more
        pass
    os.close(main)
    assert done.returncode == 0
    assert done.stdout.decode() == plain.out
    assert b"Traceback" not in shown
