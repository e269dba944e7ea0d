"""A job of a worker process, carried out while what it reads is recorded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from dpcert.run.agreement import file_of
from dpcert.worker.reads.recorder import ALWAYS, Recorder

__all__ = ["recorded"]

Job = dict[str, Any]


def recorded(job: Job, answer_of: Callable[[Job], Job]) -> Job:
    """Carry out a job and return its answer; where it asks so, with the `record` for a lock, or with what was `read`.

    An answer that is trouble has neither.
    """
    recorder = Recorder(str(Path(job["answer"]).parent))
    recorder.start()
    file = file_of(job)
    always = [] if file is None else [file]

    def reads() -> Job:
        """Return what was read until now, where the job asks for it."""
        if not job.get("reads"):
            return {}
        recorder.record(always)
        asked_for = {name: digest for name, digest in recorder.variables.items() if name not in ALWAYS}
        read = {"files": recorder.files, "packages": recorder.packages, "missing": recorder.missing}
        return {"read": {**read, "variables": asked_for}}

    answer = answer_of({**job, "read_so_far": reads})
    if "trouble" in answer:
        return answer
    if job.get("record"):
        record, unpinned = recorder.record(always)
        answer |= {"record": None if record is None else record.as_data(), "unpinned": unpinned}
    return answer | reads()
