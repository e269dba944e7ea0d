"""Fork servers: a forked worker answers as a new process does, and nothing of one job reaches the next."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from marked import COMMAND, gone

from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec
from dpcert.worker.forking import Forked, ForkServers
from dpcert.worker.jobs import Audit, Audited, Job, ListTargets
from dpcert.worker.process import HASH_SEEDS, WORKER, Child, Children
from dpcert.worker.troubles import ChildEnded, TimedOut

TARGETS = ["randomized-response", "noisy-histogram"]
LEAKING = """
import random

import dpcert.mechanisms.randomized_response as module
from dpcert.mechanisms.exact import coins
from dpcert.targets import catalogue

catalogue.BUILT_IN = {}
catalogue._correct = None
coins.Coins.below = None
random.seed(1)
"""
"""What a program would do to make each later audit of its process fail."""


@pytest.fixture(scope="module")
def servers() -> Iterator[str]:
    """Start fork servers, and return the folder of their sockets."""
    started = ForkServers()
    started.start(WORKER, HASH_SEEDS)
    assert started.folder is not None
    yield started.folder
    started.end()


def child(job: Job[Any], servers: str | None, seconds: float | None = 60) -> Child[Any]:
    return Child(job, HASH_SEEDS[0], folder=None, seconds=seconds, servers=servers)


def forked(job: Job[Any], servers: str, seconds: float | None = 60) -> Child[Any]:
    found = child(job, servers, seconds)
    assert type(found.process) is Forked
    return found


def audit(name: str) -> Audit:
    return Audit(CatalogueSpec(name, {}), Options())


def test_forked_workers_answer_as_new_processes_do(servers: str) -> None:
    for name in TARGETS:
        running = child(audit(name), servers)
        assert type(running.process) is Forked
        alone = child(audit(name), None)
        assert type(alone.process) is subprocess.Popen
        found: Audited = running.reply().delivered()
        assert found == alone.reply().delivered()
        assert found.result.verdict == "verified"


def test_each_server_has_its_own_hash_seed(servers: str, write: Any) -> None:
    path = write("seeds.py", "import os\nopen(__file__ + os.environ['PYTHONHASHSEED'], 'w').write(str(hash('a')))\n")
    job = ListTargets(str(path))
    for seed in HASH_SEEDS:
        with pytest.raises(Exception, match=r"dpcert\.target"):
            Child(job, seed, folder=None, seconds=60, servers=servers).reply().delivered()
    first, second = (Path(f"{path}{seed}").read_text() for seed in HASH_SEEDS)
    assert first != second


def test_caught_nothing_of_one_job_is_left_for_the_next(servers: str, write: Any) -> None:
    leaking = ListTargets(str(write("leaking.py", LEAKING)))
    with pytest.raises(Exception, match=r"dpcert\.target"):
        forked(leaking, servers).reply().delivered()
    found: Audited = child(audit("randomized-response"), servers).reply().delivered()
    assert found.result.verdict == "verified"


@pytest.mark.parametrize(
    ("body", "status"), [("os._exit(3)", 3), ("os.kill(os.getpid(), 11)", -11), ("os.abort()", -6)]
)
def test_a_worker_that_crashes_ends_alone(servers: str, write: Any, body: str, status: int) -> None:
    crashing = ListTargets(str(write("crashing.py", f"import os\n{body}\n")))
    with pytest.raises(ChildEnded) as raised:
        forked(crashing, servers).reply()
    assert raised.value.status == status
    assert child(audit("moved-person"), servers).reply().delivered().result.verdict == "verified"


def test_a_worker_that_hangs_is_stopped_by_its_time_limit(servers: str, write: Any) -> None:
    endless = ListTargets(str(write("endless.py", "while True:\n    pass\n")))
    with pytest.raises(TimedOut, match=r"endless\.py"):
        forked(endless, servers, seconds=1).reply()
    assert child(audit("moved-person"), servers).reply().delivered().result.verdict == "verified"


def test_a_worker_that_is_let_go_of_is_killed_with_its_children(servers: str, write: Any, alive: Any) -> None:
    body = "import os, subprocess, time\nother = subprocess.Popen(['sleep', '600'])\n"
    path = write(
        "waiting.py", body + "open(__file__ + '.pids', 'w').write(f'{os.getpid()} {other.pid}\\n')\ntime.sleep(600)\n"
    )
    running = forked(ListTargets(str(path)), servers)
    noted = Path(f"{path}.pids")
    until = time.monotonic() + 30
    while not (noted.exists() and noted.read_text().endswith("\n")) and time.monotonic() < until:
        time.sleep(0.02)
    pids = [int(text) for text in noted.read_text().split()]
    assert alive(pids)
    running.close()
    assert gone(alive, pids)


STATES = """
import random, sys, uuid

import dpcert


@dpcert.target(guarantee=dpcert.PureDP("1"), inputs=[0, 1], neighbours="any")
def release(bit, coins):
    return bit


with open(f"{__file__}.txt", "a") as file:
    print(random.getrandbits(64), uuid.uuid4(), "numpy" in sys.modules, file=file)
"""
"""A file that notes draws, which are alike in two forks of one state."""


def test_forked_workers_draw_apart_and_see_nothing_of_the_servers(servers: str, write: Any) -> None:
    path = write("states.py", STATES)
    for _ in range(2):
        assert len(forked(ListTargets(str(path)), servers).reply().delivered().specs) == 1
    first, second = (line.split() for line in Path(f"{path}.txt").read_text().splitlines())
    assert first[0] != second[0]
    assert first[1] != second[1]
    assert (first[2], second[2]) == ("False", "False")  # of which a server would have the generator's state
    body = "import os\nassert not [name for name in os.environ if name.startswith('DPCERT')]\n"
    with pytest.raises(Exception, match=r"dpcert\.target"):
        forked(ListTargets(str(write("variables.py", body))), servers).reply().delivered()


def test_what_a_forked_worker_reads_is_recorded_as_in_a_new_process(servers: str, write: Any) -> None:
    write("beside.py", "import numpy\n")
    path = write("reading.py", STATES.replace("import random, sys", "import beside, random, sys"))
    job = ListTargets(str(path))
    first, second = (
        Child(job, HASH_SEEDS[0], folder=None, seconds=60, recording=True, servers=each).reply().reads
        for each in (servers, None)
    )
    assert first == second
    assert any(name.endswith("beside.py") for name in first.record.files)


def test_without_a_server_a_job_goes_on_in_a_new_process(tmp_path: Path) -> None:
    running = child(audit("moved-person"), str(tmp_path))
    assert type(running.process) is subprocess.Popen
    assert running.reply().delivered().result.verdict == "verified"


def test_a_server_without_room_for_a_process_leaves_the_job_to_a_new_one(
    write: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The server's own `os.fork` fails, as where the system has no room."""
    write(
        "sitecustomize.py",
        "import errno, os\n\ndef fork():\n    raise BlockingIOError(errno.EAGAIN)\n\nos.fork = fork\n",
        head="",
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    full = ForkServers()
    full.start(WORKER, HASH_SEEDS)
    for _ in range(2):  # the server goes on
        running = child(audit("moved-person"), full.folder)
        assert type(running.process) is subprocess.Popen
        running.close()
    assert all(server.poll() is None for server in full._servers)
    full.end()


def test_one_server_alone_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    start, started = subprocess.Popen, []

    def limited(*arguments: Any, **named: Any) -> Any:
        if started:
            raise BlockingIOError
        started.append(start(*arguments, **named))
        return started[0]

    monkeypatch.setattr("dpcert.worker.forking.subprocess.Popen", limited)
    servers = ForkServers()
    servers.start(WORKER, HASH_SEEDS)
    assert servers.folder is None
    assert started[0].returncode == 0


def test_workers_of_a_server_that_ends_are_over() -> None:
    ending = ForkServers()
    ending.start(WORKER, HASH_SEEDS)
    running = child(audit("compact-histogram"), ending.folder)
    ending.end()
    with pytest.raises(ChildEnded) as raised:
        running.reply()
    assert raised.value.status == -signal.SIGKILL


def test_servers_end_with_the_command_however_it_ends(alive: Any) -> None:
    with subprocess.Popen(
        [*COMMAND, "audit", "compact-histogram", "moved-person"], stdout=subprocess.DEVNULL
    ) as running:
        until = time.monotonic() + 30
        while len(found := _below(running.pid)) < 3 and time.monotonic() < until:
            time.sleep(0.02)
        assert len(found) >= 3  # two servers, and a worker
        running.kill()
    assert gone(alive, found)


def _below(process: int) -> list[int]:
    """Return the children of a process, and theirs."""
    listed = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True)
    pairs = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
    children = [pid for pid, parent in pairs if parent == process]
    return [*children, *(pid for pid, parent in pairs if parent in children)]


def test_the_servers_processor_time_is_counted_with_the_commands() -> None:
    before = os.times().children_user
    children = Children()
    with children.forking():
        assert children.reply(audit("noisy-histogram"), timeout=60).delivered().result.verdict == "verified"
    assert os.times().children_user > before
