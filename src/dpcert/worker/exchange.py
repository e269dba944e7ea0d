"""Messages of a process and its worker: the process sends an assignment, and the worker a reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from dpcert.worker.codec import decode, encode
from dpcert.worker.failure import Failure
from dpcert.worker.jobs import JOBS, Job, Json
from dpcert.worker.reads.record import Reads

AnswerT = TypeVar("AnswerT")

ANSWER, SO_FAR, LOOKS = "answer.json", "so-far.json", "looks.txt"
"""The files of a worker's own folder: its reply, an early refutation, and the lines at which looks met it."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """A job with the circumstances of the process that carries it out.

    `folder` is the process's own; `memory` is in bytes; `seconds` are of processor time, None for no limit; `parent`
    is the process that waits for the answer; `path` is its `sys.path`. With `recording`, the reply records the files
    and variables that the job read.
    """

    job: Job[Any]
    folder: str
    memory: int
    seconds: float | None
    parent: int
    path: list[str]
    recording: bool

    def to_data(self) -> Json:
        return {**encode(self), "kind": type(self.job).__name__}

    @classmethod
    def from_data(cls, data: Json) -> Assignment:
        kind = JOBS[data.pop("kind")]
        return cls(**{**data, "job": decode(kind, data["job"])})


@dataclass(frozen=True, slots=True)
class Reply(Generic[AnswerT]):
    """The answer to a job, the record of the job's reads, and the certificates that another machine wrote, by name.

    `early` says that the process ended before its answer, and that this reply is its early refutation.
    """

    answer: AnswerT | Failure
    reads: Reads | None = None
    early: bool = False
    files: dict[str, str] | None = None

    def delivered(self) -> AnswerT:
        """Return the answer.

        Raises: the error that a failure stands for.
        """
        if isinstance(self.answer, Failure):
            raise self.answer.error()
        return self.answer


def reply_from(job: Job[AnswerT], data: Json) -> Reply[AnswerT]:
    """Return the reply to a job that JSON data spell out."""
    answer = decode(job.answer | Failure, data["answer"])
    return Reply(answer, decode(Reads | None, data["reads"]), data["early"], data["files"])
