"""What a terminal gets that a pipe does not: colours and progress."""

import os
import pty
import select
import subprocess
from typing import Any

import pytest
from marked import COMMAND


def on_terminal(arguments: list[str], env: dict[str, str]) -> tuple[int, bytes]:
    """Run a command with both streams on a terminal; return its status and what was shown."""
    master, slave = pty.openpty()
    full = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen(
        [*COMMAND, *arguments], stdin=slave, stdout=slave, stderr=slave, env={**full, "TERM": "xterm", **env}
    ) as running:
        os.close(slave)
        shown = b""
        while True:
            select.select([master], [], [], 60)
            try:
                more = os.read(master, 65536)
            except OSError:  # the other side is closed
                break
            if not more:
                break
            shown += more
    os.close(master)
    return running.returncode, shown


@pytest.mark.nightly
def test_a_terminal_gets_colours_and_progress_unless_it_says_no() -> None:
    status, shown = on_terminal(["audit", "geosample-strict", "randomized-response"], {})
    assert status == 1
    assert b"\x1b[31mrefuted" in shown
    assert b"\x1b[?25l" in shown  # the progress bar hides the cursor
    status, shown = on_terminal(["audit", "randomized-response"], {"NO_COLOR": "1"})
    assert status == 0
    assert b"\x1b[3" not in shown
    assert b"verified   randomized-response" in shown
    _, dumb = on_terminal(["audit", "randomized-response"], {"TERM": "dumb"})
    assert b"\x1b[2K" not in dumb


@pytest.mark.usefixtures("workers_inside")
def test_elsewhere_there_is_neither(inside: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    done = inside("audit", "geosample-strict")
    assert "\x1b" not in done.out + done.err
    assert done.err == ""


def test_a_target_is_named_at_once_and_its_name_goes_when_there_is_more_to_say() -> None:
    status, shown = on_terminal(["audit", "randomized-response"], {})
    assert status == 0
    assert shown.startswith(b"\r\x1b[2Krandomized-response\r\x1b[2K")
    before, _, _ = shown.partition(b"\x1b[32mverified")
    assert before.endswith(b"\x1b[2K")


SLOW = """
    import time
    time.sleep(4)

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def release(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit
"""


@pytest.mark.nightly
@pytest.mark.parametrize("arguments", [["audit"], ["law", "--input", "1"]])
def test_a_single_target_over_a_second_shows_that_it_is_worked_on(write: Any, arguments: list[str]) -> None:
    path = write("slow[/x].py", SLOW)
    status, shown = on_terminal([arguments[0], str(path), *arguments[1:]], {"COLUMNS": "40"})
    assert status == 0
    assert b"\x1b[?25l" in shown  # the spinner hides the cursor
    assert b"slow[/x]" in shown
    assert b"Traceback" not in shown
