"""The worker process: one job from standard input, one reply into a file. `python -m dpcert.worker`.

With the number of a listening socket as its argument, it is a fork server: each process that it forks is a worker. More
arguments name parts that the server prepares for its workers.

The prints of the user's code go nowhere, so that none can pass for an answer.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from dpcert.audit.sources import read_imports
from dpcert.targets.load import dotted
from dpcert.worker.attempt import Attempt
from dpcert.worker.auditing import Workplace, write_reply
from dpcert.worker.exchange import ANSWER, LOOKS, SO_FAR, Assignment, Reply
from dpcert.worker.failure import Failure
from dpcert.worker.forking import serve
from dpcert.worker.forks import Forks, end_with_parent
from dpcert.worker.jobs import Audited, file_of
from dpcert.worker.limits import count_time, limit_memory, take_looks
from dpcert.worker.operations import OPERATIONS
from dpcert.worker.process import BUILT_INS, HASH_SEEDS, IMPORTS
from dpcert.worker.reads.recorder import Recorder

CATALOGUE = "dpcert.mechanisms.catalogue"
YOUNG = 20_000
"""The number of new objects after which the collector looks for cycles; laws have few."""


def main() -> None:
    """Read an assignment, carry its job out within its limits, and write the reply, whole or not at all."""
    server = _server()
    task = Assignment.from_data(json.loads(sys.stdin.buffer.read()))
    folder, process = Path(task.folder), os.getpid()
    end_with_parent(task.parent if server is None else server)
    lent = [path for path in task.path if path not in sys.path]
    sys.path += lent
    gc.set_threshold(YOUNG)
    forks = Forks(folder)
    forks.start()
    limit_memory(task.memory)
    take_looks(str(folder / LOOKS))
    if task.seconds is not None:
        count_time(task.seconds)
    here = Workplace(folder, task.seconds, own=True, forks=forks)
    if task.recording:
        file = file_of(task.job)
        files = [] if file is None else [Path(file)]
        lent = [path for path in lent if Path(path) not in [dotted(file)[0] for file in files]]
        recorder = Recorder(task.folder, map(str, files), lent)
        recorder.start()
        here = replace(here, recorder=recorder)
    with Attempt[Any]() as attempt:
        attempt.answer = OPERATIONS[type(task.job)](task.job, here)
    if os.getpid() == process:  # a process that was forked in C, unnoticed by Python, writes no reply
        write_reply(folder / ANSWER, _reply(attempt.answer, here, forks))
    os._exit(0)  # whatever threads or exit handlers the user's code left behind


def _server() -> int | None:
    """Return the fork server of this process; None where no server forked it."""
    if not sys.argv[1:]:
        return None
    number, *warm = sys.argv[1:]
    del sys.argv[1:]
    if BUILT_INS in warm:
        import_module(CATALOGUE)
    if IMPORTS in warm and os.environ.get("PYTHONHASHSEED") == HASH_SEEDS[0]:  # these workers write certificates
        read_imports(CATALOGUE)
    gc.freeze()  # so that no worker looks for cycles among the server's objects
    return serve(int(number))


def _reply(answer: object, here: Workplace, forks: Forks) -> Reply[object]:
    """Return the reply with an answer; where the program forked, a failure stands in place of the answer."""
    sampled = isinstance(answer, Audited) and answer.result.method == "sampling"
    reason = forks.reason(followed=not sampled)
    if reason is not None and not (isinstance(answer, Failure) and answer.kind in ("input", "unauditable")):
        (here.folder / SO_FAR).unlink(missing_ok=True)
        answer = Failure("unauditable", reason)
    failed = isinstance(answer, Failure)
    return Reply(answer, None if failed or here.recorder is None else here.recorder.reads())


if __name__ == "__main__":
    main()
