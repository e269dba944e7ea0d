"""The command, the head of a program that notes by which processes it is loaded, and how processes end."""

import signal
import sys
import time
from collections.abc import Callable, Iterator

import pytest

COMMAND = [sys.executable, "-m", "dpcert"]

MARKED = """
    import os, pathlib, subprocess, sys
    PIDS = pathlib.Path(__file__).with_suffix(".pids")

    def note(pid):
        with PIDS.open("a") as file:
            file.write(f"{pid}\\n")

    note(os.getpid())
"""


def gone(alive: Callable[[list[int]], list[int]], pids: list[int], seconds: float = 10) -> bool:
    """Whether processes end within some seconds."""
    until = time.monotonic() + seconds
    while alive(pids) and time.monotonic() < until:
        time.sleep(0.02)
    return not alive(pids)


@pytest.fixture
def heard() -> Iterator[None]:
    """Let commands hear signals even where these tests run in the background, which makes children ignore them."""
    numbers = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in numbers}
    for number in numbers:
        if before[number] is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
