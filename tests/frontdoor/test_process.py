"""Processes: a user's code in children with limits, none left behind, and nothing but results on the streams."""

import contextlib
import errno
import io
import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import dpcert.cli
from dpcert.run.lock.lockfile import read_lock

COMMAND = [sys.executable, "-m", "dpcert"]

MARKED = """
    import os, pathlib, subprocess, sys
    PIDS = pathlib.Path(__file__).with_suffix(".pids")

    def note(pid):
        with PIDS.open("a") as file:
            file.write(f"{pid}\\n")

    note(os.getpid())
"""

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


def gone(alive: Callable[[list[int]], list[int]], pids: list[int], seconds: float = 10) -> bool:
    until = time.monotonic() + seconds
    while alive(pids) and time.monotonic() < until:
        time.sleep(0.02)
    return not alive(pids)


def temporary(folder: Path) -> dict[str, str]:
    """Return an environment whose temporary files go into a folder."""
    folder.mkdir()
    return {**os.environ, "TMPDIR": str(folder)}


def test_the_time_limit_ends_children_and_their_children(
    command: Callable[..., Any], write: Callable[..., Path], alive: Callable[..., Any], tmp_path: Path
) -> None:
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


def test_workers_end_when_the_command_is_killed(
    write: Callable[..., Path], alive: Callable[..., Any], tmp_path: Path
) -> None:
    path = write("endless.py", ENDLESS)
    env = temporary(tmp_path / "temporary")
    with subprocess.Popen([*COMMAND, "audit", str(path), "--time-limit", "100"], env=env) as running:
        pids = pids_of(path, 6, seconds=60)  # what found it, the audit, its second process, and what they started
        running.kill()
    assert gone(alive, pids)


@pytest.fixture
def heard() -> Iterator[None]:
    """Let commands hear SIGINT even where these tests run in the background, which makes children ignore it."""
    numbers = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in numbers}
    for number in numbers:
        if before[number] is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_the_command_and_its_children_at_once_and_silently(
    write: Callable[..., Path], alive: Callable[..., Any], tmp_path: Path, number: int, status: int
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


@pytest.mark.usefixtures("heard")
def test_signals_that_follow_do_not_keep_the_command_from_ending_its_children(
    write: Callable[..., Path], alive: Callable[..., Any], tmp_path: Path
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


def test_a_hangup_that_is_ignored_ends_nothing(write: Callable[..., Path]) -> None:
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


@pytest.mark.parametrize("arguments", [["list"], ["list", "--json"], ["audit", "randomized-response"]])
def test_a_closed_pipe_is_silent_and_no_verdict(arguments: list[str]) -> None:
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        running.stdout.close()
        assert running.stderr is not None
        assert running.stderr.read() == b""
    assert running.returncode == 128 + signal.SIGPIPE


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
    inside: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    start, started = subprocess.Popen, []

    def limited(*arguments: Any, **named: Any) -> Any:
        if started:
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


def test_an_answer_that_there_is_no_room_for_is_no_fault_of_the_program(write: Callable[..., Path]) -> None:
    limit = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))\n"
    run = limit + "import dpcert.cli; sys.exit(dpcert.cli.main())"
    command = [sys.executable, "-c", run, "law", str(write("many.py", MANY)), "--input", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"dpcert: a child process, which cannot answer: {os.strerror(errno.EFBIG)}" in done.stderr


NOISY = """
    import os, sys
    print("verified everything")
    print("refuted nothing", file=sys.stderr)
    os.write(1, b"{}")
    text = sys.stdin.read()

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def release(bit, coins):
        print("a secret:", bit, flush=True)
        os.write(1, b"verified")
        os.write(2, b"Traceback")
        sys.stdout = sys.stderr = None
        return bit if coins.below(4) < 3 else 1 - bit
"""


def test_what_a_program_prints_goes_nowhere(audited: Callable[..., Any], write: Callable[..., Path]) -> None:
    done = audited(write("noisy.py", NOISY))
    assert (done.status, done.err, done.verdicts()) == (0, "", {"release": "verified"})


ENDING = """
    import os, signal, sys, threading
    BITS = dict(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")

    @target(**BITS)
    def exits(bit, coins):
        os._exit(0)

    @target(**BITS)
    def exits_with_1(bit, coins):
        os._exit(1)

    @target(**BITS)
    def sys_exits(bit, coins):
        sys.exit("verified")

    @target(**BITS)
    def is_interrupted(bit, coins):
        raise KeyboardInterrupt

    @target(**BITS)
    def kills_itself(bit, coins):
        os.kill(os.getpid(), signal.SIGKILL)

    @target(**BITS)
    def ends_by_a_signal_without_a_name(bit, coins):
        signal.raise_signal(getattr(signal, "SIGRTMIN", 34) + 3)

    @target(**BITS)
    def crashes(bit, coins):
        import faulthandler
        return faulthandler._sigsegv()

    @target(**BITS)
    def takes_all_memory(bit, coins):
        return len(bytearray(10**12))

    @target(**BITS)
    def leaves_a_thread(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit

    threading.Thread(target=threading.Event().wait).start()
"""


def test_a_program_that_ends_its_process_is_undecided_and_the_others_go_on(
    audited: Callable[..., Any], write: Callable[..., Path]
) -> None:
    done = audited(write("ending.py", ENDING))
    verdicts = done.verdicts()
    assert verdicts.pop("leaves_a_thread") == "verified"
    assert set(verdicts.values()) == {"undecided"}
    assert (done.status, done.err, len(verdicts)) == (3, "", 8)
    for name, words in {
        "exits": "the process ended with status 0",
        "exits_with_1": "the process ended with status 1",
        "sys_exits": "SystemExit, which is no outcome",
        "is_interrupted": "KeyboardInterrupt, which is no outcome",
        "kills_itself": "ended by signal 9 (SIGKILL)",
        "ends_by_a_signal_without_a_name": "ended by signal ",
        "crashes": "ended by signal 11 (SIGSEGV)",
        "takes_all_memory": "MemoryError, which is no outcome",
    }.items():
        assert words in done.result(name)["reason"]


STOPS = """
    import itertools, os

    SCOPE = dict(inputs=range(4), neighbours="element", params={"last": [2, 1]})

    def stopping(stop):
        def release(count, coins, last):
            if count > last:
                stop()
            return count + coins.below(4)
        return release

    spins = target(guarantee=PureDP(1), **SCOPE)(stopping(lambda: sum(itertools.repeat(0))))
    ends = target(guarantee=PureDP(1), **SCOPE)(stopping(lambda: os._exit(0)))
    within = target(guarantee=ApproxDP(1, "1/2"), **SCOPE)(stopping(lambda: os._exit(0)))
"""
"""On the third or second input of four the program stops; those before refute the claim, but for the last target's."""


def test_what_was_refuted_before_the_process_stopped_is_refuted(
    audited: Callable[..., Any],
    command: Callable[..., Any],
    write: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = write("stops.py", STOPS)
    certificates, lock = tmp_path / "certificates", tmp_path / "dpcert.lock"
    arguments = ("--certificates", certificates, "--lock", lock, "--time-limit", 4)
    done = audited(path, *arguments)
    assert (done.status, done.err) == (1, "")
    for name, words in {
        "spins": "stopped by the time limit of 4 s",
        "ends": "the process ended with status 0",
    }.items():
        for last in (1, 2):
            (result,) = [
                found
                for found in done.document["results"]
                if found["target"].endswith(f":{name}") and found["claim"]["parameters"]["last"] == str(last)
            ]
            assert (result["verdict"], result["pairs"], result["reason"]) == ("refuted", 1, None)
            assert (result["delta"]["hi"], result["epsilon"]["hi"], result["tail"]) == ("1/1", None, "1/1")
            assert f"refuted before every pair was examined: {words}" in result["notes"][-1]
            recheck = command("recheck", result["certificate"], "--target", f"{path}:{name}")
            assert (recheck.status, "accepted: refuted" in recheck.out) == (0, True)
    within = [found for found in done.document["results"] if found["target"].endswith(":within")]
    assert [(found["verdict"], found["reason"]) for found in within] == 2 * [
        ("undecided", "the process ended with status 0")
    ]
    assert [entry["job"]["op"] for entry in read_lock(lock).values()] == ["specs"]


MOODY = """
    SEEN = []

    @target(guarantee=PureDP(1), inputs=range(4), neighbours="element")
    def release(count, coins):
        if count == 3:
            SEEN.append(count)
        return coins.below(4) + (0 if SEEN else count)
"""
"""What refutes the claim on the first inputs is there no more after the last."""


def test_what_was_refuted_on_the_way_and_is_not_at_the_end_leaves_no_certificate(
    audited: Callable[..., Any], write: Callable[..., Path], tmp_path: Path
) -> None:
    done = audited(write("moody.py", MOODY), "--certificates", tmp_path / "certificates")
    assert (done.status, done.verdicts()) == (3, {"release": "undecided"})
    assert not (tmp_path / "certificates").exists()


INTERRUPTED = """
    @target(guarantee=PureDP(1), inputs=range(4), neighbours="element", params={"sides": range(2, 11)})
    def release(count, coins, sides):
        if count == 3:
            raise KeyboardInterrupt
        return count + coins.below(sides)
"""


def test_a_point_that_shares_its_process_is_refuted_as_by_itself(
    audited: Callable[..., Any], write: Callable[..., Path]
) -> None:
    """Nine points share processes by twos: in eight of them the program ends after the first pairs refuted it."""
    results = audited(write("interrupted.py", INTERRUPTED), jobs=1).document["results"]
    assert [result["verdict"] for result in results] == 9 * ["refuted"]
    assert all("KeyboardInterrupt, which is no outcome" in result["notes"][-1] for result in results)


ENDING_LATER = """
    import os

    @target(guarantee=PureDP(1), inputs=[0, 1], neighbours="any", params={"sides": range(2, 11)})
    def release(bit, coins, sides):
        if sides in ENDS and os.environ["PYTHONHASHSEED"] != "1":
            os._exit(1)
        return coins.below(sides)
"""


@pytest.mark.parametrize("ends", [(7,), (6, 7)])
def test_a_point_that_ends_the_second_process_leaves_the_others_their_verdicts(
    audited: Callable[..., Any], write: Callable[..., Path], ends: tuple[int, ...]
) -> None:
    done = audited(write("ending.py", ENDING_LATER.replace("ENDS", str(ends))), jobs=1)
    found = {
        int(result["claim"]["parameters"]["sides"]): (result["verdict"], result["reason"])
        for result in done.document["results"]
    }
    lost = ("undecided", "computed a second time: the process ended with status 1")
    assert found == {sides: lost if sides in ends else ("verified", None) for sides in range(2, 11)}
    assert (done.status, done.err) == (3, "")


@pytest.mark.parametrize("text", ["import os; os._exit(0)", "import os; os.kill(os.getpid(), 9)"])
def test_a_file_that_ends_its_process_does_not_import(
    command: Callable[..., Any], write: Callable[..., Path], text: str
) -> None:
    path = write("ending.py", text, head="")
    assert f"{path} does not import: the process " in command("audit", path).refusal()


def test_a_file_with_lines_in_its_name_is_one_line(command: Callable[..., Any], write: Callable[..., Path]) -> None:
    text = """
        def release(bit, coins):
            return bit if coins.below(4) < 3 else 1 - bit
        release.__name__ = "release\\nverified   everything \\x1b[2J"
        other = target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")(release)
    """
    path = write("漢\nverified  b.py", text)
    done = command("audit", path, env={"PYTHONIOENCODING": "latin-1"})
    assert (done.status, done.err, len(done.lines)) == (0, "", 2)
    assert all(line.isprintable() for line in done.lines)
    assert (
        "does not import" in command("audit", write("漢\nb.py", "x = ("), env={"PYTHONIOENCODING": "latin-1"}).refusal()
    )


# -- terminals


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


def test_a_terminal_gets_colours_and_progress_unless_it_says_no() -> None:
    status, shown = on_terminal(["audit", "geosample-strict", "randomized-response"], {})
    assert status == 1
    assert b"\x1b[31mrefuted" in shown
    assert b"\x1b[?25l" in shown  # the progress bar hides the cursor
    status, shown = on_terminal(["audit", "randomized-response"], {"NO_COLOR": "1"})
    assert status == 0
    assert b"\x1b[3" not in shown
    assert b"verified   randomized-response" in shown


def test_elsewhere_there_is_neither(command: Callable[..., Any]) -> None:
    done = command("audit", "geosample-strict", "randomized-response", env={"FORCE_COLOR": "1", "TERM": "xterm"})
    assert "\x1b" not in done.out + done.err
    assert done.err == ""


# -- second computations


HEAD = "from dpcert import PureDP, target\n" + dedent(MARKED)


def test_the_laws_are_found_again_with_another_hash_seed_and_in_reverse(
    audited: Callable[..., Any], write: Callable[..., Path]
) -> None:
    path = write(
        "seeds.py",
        """
        @target(guarantee=PureDP(1), inputs=[0, 1], neighbours="any")
        def release(bit, coins):
            note(f"{os.environ['PYTHONHASHSEED']}:{bit}")
            return coins.below(2)
        """,
        head=HEAD,
    )
    for seed in ("1", "271828", "random"):
        path.with_suffix(".pids").unlink(missing_ok=True)
        assert audited(path, env={"PYTHONHASHSEED": seed}).verdicts() == {"release": "verified"}
        runs = [text.split(":") for text in path.with_suffix(".pids").read_text().split() if ":" in text]
        first: dict[str, str] = {}
        for name, bit in runs:
            first.setdefault(name, bit)
        assert first == {"1": "0", "271828": "1"}


def test_a_file_that_changes_from_one_import_to_the_next_is_not_verified(
    audited: Callable[..., Any], write: Callable[..., Path]
) -> None:
    path = write(
        "changing.py",
        """
        TURN = len(PIDS.read_text().split())

        @target(guarantee=PureDP(1), inputs=[0, 1], neighbours="any")
        def release(bit, coins):
            return coins.below(TURN + 1)
        """,
        head=HEAD,
    )
    done = audited(path)
    assert done.verdicts() == {"release": "undecided"}
    assert "computed a second time, a law differs" in done.result("release")["reason"]


def test_a_relation_that_changes_its_mind_is_not_verified(
    audited: Callable[..., Any], write: Callable[..., Path]
) -> None:
    path = write(
        "moody.py",
        """
        ASKED = []

        def near(a, b):
            ASKED.append((a, b))
            return abs(a - b) == 1 and ({a, b} != {1, 2} or len(ASKED) > 12)

        @target(guarantee=PureDP(1), inputs=range(4), neighbours=near)
        def release(count, coins):
            return count > 1
        """,
    )
    done = audited(path)
    assert done.verdicts() == {"release": "undecided"}
    assert "it must depend on its two arguments alone" in done.result("release")["reason"]


SLOW = """
    import time
    time.sleep(4)

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def release(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit
"""


@pytest.mark.parametrize("arguments", [["audit"], ["law", "--input", "1"]])
def test_a_single_target_over_a_second_shows_that_it_is_worked_on(
    write: Callable[..., Path], arguments: list[str]
) -> None:
    path = write("slow[/x].py", SLOW)
    status, shown = on_terminal([arguments[0], str(path), *arguments[1:]], {"COLUMNS": "40"})
    assert status == 0
    assert b"\x1b[?25l" in shown  # the spinner hides the cursor
    assert b"slow[/x]" in shown
    assert b"Traceback" not in shown
