"""A worker among processes: it ends when its parent does, and what its program forks never comes back into it.

Every program here forks once at the most: where nothing ended the forked process, it would run on as the first one.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FORK = """
    import multiprocessing, os, pathlib

    BITS = dict(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    FORKED = []

    def fork():
        if FORKED:
            return 1
        FORKED.append(1)
        return os.fork()
"""

WATCHED = f"""{FORK}
    @target(**BITS)
    def returns_twice(bit, coins):
        fork()
        return bit ^ (coins.below(4) == 0)

    @target(**BITS)
    def catches(bit, coins):
        try:
            fork()
        except BaseException:
            pass
        return bit ^ (coins.below(4) == 0)

    @target(**BITS)
    def draws_in_the_child(bit, coins):
        born = fork()
        keeps = coins.below(4) > 0
        if born == 0:
            os._exit(keeps)
        return bit if keeps else 1 - bit

    @target(**BITS)
    def has_a_pool(bit, coins):
        worker = multiprocessing.get_context("fork").Process(target=str)
        worker.start()
        worker.join()
        return bit ^ (coins.below(4) == 0)
"""


def test_a_followed_program_that_forks_is_undecided_by_name(audited: Any, write: Any) -> None:
    done = audited(write("watched.py", WATCHED))
    assert (done.status, done.err, set(done.verdicts().values())) == (3, "", {"undecided"})
    for result in done.document["results"]:
        assert "starts a process (os.fork)" in result["reason"]


SAMPLED = f"""{FORK}
    FOLDER = pathlib.Path(__file__).parent

    @target(**BITS)
    def returns(bit, coins):
        fork()
        return 0

    @target(**BITS)
    def raises(bit, coins):
        if fork() == 0:
            raise ValueError
        return 0

    @target(**BITS)
    def catches(bit, coins):
        try:
            if fork() == 0:
                raise SystemExit
        except BaseException:
            pass
        return 0

    @target(**BITS)
    def draws(bit, coins):
        if fork() == 0:
            (FOLDER / "born").touch()
            coins.below(4)
            (FOLDER / "drawn").touch()
            os._exit(0)
        return 0

    @target(**BITS)
    def works(bit, coins):
        born = fork()
        if born == 0:
            (FOLDER / "worked").touch()
            os._exit(0)
        if born > 1:
            os.waitpid(born, 0)
        return 0
"""


@pytest.mark.nightly
def test_a_process_of_a_sampled_program_ends_where_it_would_come_back(audited: Any, write: Any, tmp_path: Path) -> None:
    done = audited(write("sampled.py", SAMPLED), "--sampling", "--samples", "1000")
    assert (done.status, done.err) == (3, "")
    reasons = {result["target"].partition(":")[2]: result["reason"] for result in done.document["results"]}
    assert reasons.pop("works").startswith("no violation found")
    assert reasons.keys() == {"returns", "raises", "catches", "draws"}
    line = 1 + (tmp_path / "sampled.py").read_text().splitlines().index("    return os.fork()")
    where = f"the program forks its process (os.fork, at line {line} of sampled.py (fork))"
    for reason in reasons.values():
        assert reason == f"{where}: both processes return an outcome; let it stay in one process"
    assert {path.name for path in tmp_path.iterdir()} == {"sampled.py", "born", "worked"}


IN_A_THREAD = """
    import os, threading

    GO, DONE = threading.Event(), threading.Event()

    def fork():
        GO.wait()
        if os.fork() == 0:
            os._exit(0)
        DONE.set()

    def forked():
        GO.set()
        DONE.wait()

    threading.Thread(target=fork, daemon=True).start()

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def holds(bit, coins):
        forked()
        return bit ^ (coins.below(4) == 0)

    @target(guarantee=PureDP(1), inputs=range(4), neighbours="counts_differ_by_one")
    def ends(count, coins):
        forked()
        if count > 2:
            os._exit(0)
        return count + coins.below(4)
"""
"""Another thread forks, which no hook of a run sees; `ends` would be refuted before it ends."""


@pytest.mark.nightly
def test_a_process_that_another_thread_forks_is_not_seen_and_nothing_is_decided(audited: Any, write: Any) -> None:
    done = audited(write("thread.py", IN_A_THREAD))
    assert done.verdicts() == {"holds": "undecided", "ends": "undecided"}
    reason = done.result("holds")["reason"]
    assert reason.startswith("the program forks its process (os.fork, at line ")
    assert reason.endswith(
        " of thread.py (fork)): what another process draws and releases is not seen; let it stay in one process"
    )


LOADED = """
    import os

    if os.fork() == 0:
        {born}

    @target(guarantee=PureDP("ln(3)"), inputs=[0, 1], neighbours="any")
    def release(bit, coins):
        return bit ^ (coins.below(4) == 0)
"""


@pytest.mark.points(1)
@pytest.mark.parametrize("born", ["pass", "os._exit(0)"])
def test_a_file_that_forks_when_it_is_loaded_is_refused_by_its_line(inside: Any, write: Any, born: str) -> None:
    said = inside("audit", write("loaded.py", LOADED.format(born=born))).refusal()
    assert "loaded.py does not import: the program forks its process (os.fork, at line 7 of loaded.py" in said


CHILD = """
import os, subprocess, sys, time
from dpcert.worker.forks import end_with_parent

end_with_parent(os.getppid())
sleeper = subprocess.Popen(["sleep", "600"])
print(os.getpid(), sleeper.pid, flush=True)
time.sleep(600)
"""
PARENT = """
import subprocess, sys

child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], start_new_session=sys.argv[2] == "True", stdout=-1)
print(child.stdout.readline().decode(), flush=True)
input()
"""


@pytest.mark.parametrize("leads", [True, False])
def test_a_worker_ends_with_its_parent_and_a_group_with_the_worker_that_leads_it(
    alive: Callable[[list[int]], list[int]], leads: bool
) -> None:
    command = [sys.executable, "-c", PARENT, CHILD, str(leads)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        time.sleep(1)
        assert alive(pids) == pids
        parent.kill()
    expected = [] if leads else pids[1:]
    until = time.monotonic() + 10
    while alive(pids) != expected and time.monotonic() < until:
        time.sleep(0.02)
    found = alive(pids)
    for pid in found:
        os.kill(pid, signal.SIGKILL)
    assert found == expected


LEFT = """
    RUNS = []

    @target(guarantee=ApproxDP("1", "1/10"), inputs=[0, 1], neighbours="any")
    def leaves(n, coins):
        RUNS.append(n)
        return sum(coins.random() < 0.3 for _ in range(9))
"""


def test_replays_of_what_leaves_something_behind_are_no_fork_of_the_program(audited: Any, write: Any) -> None:
    done = audited(write("left.py", LEFT))
    (result,) = done.document["results"]
    assert result["verdict"] == "verified"
    assert any("left.RUNS" in each for each in result["assumptions"])
