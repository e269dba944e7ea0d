"""Jobs carried out elsewhere: through any executor of `concurrent.futures`, each in a child process over there."""

from __future__ import annotations

import hashlib
import importlib
import logging
import platform
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, Future
from concurrent.futures import TimeoutError as NotYet
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpcert.audit.decide import versions
from dpcert.extras import MissingExtra, needs_extra
from dpcert.mechanisms.exact.errors import DpcertError, InputError, Unauditable, one_line
from dpcert.process import ChildEnded, Children, TimedOut, delivered
from dpcert.result import write_text

if TYPE_CHECKING:
    from dpcert.run import Run

__all__ = ["Remote", "asked", "dask_executor", "elsewhere"]

Job = dict[str, Any]
LOOK = 0.2
"""Every so many seconds it is seen whether an interrupt came."""
WAIT = 10
"""Seconds in which a scheduler must answer."""


def identity(job: Job) -> dict[str, str]:
    """Return what must be the same over there: the versions, and the digest of the user's file."""
    spec = (job.get("specs") or [job.get("spec", {})])[0]
    path = job.get("file") or spec.get("path")
    found = {"dpcert": versions()["dpcert"], "Python": ".".join(platform.python_version_tuple()[:2])}
    if path is not None:
        try:
            found[path] = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        except OSError as error:
            found[path] = error.strerror or "unreadable"
    return found


def asked(job: Job, timeout: float | None, expected: dict[str, str]) -> Job:
    """Carry out a job in a child process of this one, and return its answer or, by name, why there is none.

    This runs in the executor's worker. Certificates that were asked for come back as texts, under `files`.
    """
    other = [name for name, value in identity(job).items() if expected.get(name) != value]
    if other:
        needed = "the same files and versions everywhere"
        given = f"{other[0]}, which is another on a worker"
        return {"trouble": "input", "given": given, "needed": needed, "remedy": "install and share them"}
    with tempfile.TemporaryDirectory(prefix="dpcert-", ignore_cleanup_errors=True) as folder:
        wanted = job.get("certificates") is not None
        try:
            answer = Children().ask({**job, "certificates": folder} if wanted else job, timeout=timeout)
        except InputError as error:
            return {"trouble": "input", "given": error.given, "needed": error.needed, "remedy": error.remedy}
        except ChildEnded as error:
            return {"trouble": "ended", "message": str(error), "status": error.status}
        except TimedOut as error:
            return {"trouble": "timed out", "message": str(error)}
        except Unauditable as error:
            return {"trouble": "unauditable", "message": str(error)}
        except DpcertError as error:
            return {"trouble": "failed", "message": str(error)}
        files = {path.stem: path.read_text("utf-8") for path in Path(folder).glob("*.json")}
        return {**answer, "files": files} if wanted else answer


class Remote(Children):
    """The jobs of one command, carried out through an executor; what the executor loses is carried out here.

    `lost` says in words why the executor lost a job, or is None.
    """

    def __init__(self, executor: Executor) -> None:
        super().__init__()
        self.executor = executor
        self.lost: str | None = None
        self.stopped = threading.Event()

    def ask(self, job: Job, *, timeout: float | None = None) -> Job:
        """Run a job in a worker of the executor, in a child process with this time limit, and return its answer.

        Raises: as `Children.ask`.
        """
        if self.stopped.is_set():
            raise ChildEnded("interrupted", -signal.SIGINT)
        if self.lost is not None:
            return super().ask(job, timeout=timeout)
        try:
            answer = self._answer(self.executor.submit(asked, job, timeout, identity(job)))
        except DpcertError:
            raise
        except (Exception, CancelledError) as error:
            self.lost = f"{type(error).__name__}: {error}".removesuffix(": ")
            return super().ask(job, timeout=timeout)
        return _settled(job, answer)

    def _answer(self, future: Future[Job]) -> Job:
        while True:
            try:
                return future.result(timeout=LOOK)
            except NotYet:
                if future.done():
                    raise
            if self.stopped.is_set():
                future.cancel()
                raise ChildEnded("interrupted", -signal.SIGINT)

    def end(self) -> None:
        """Give up every job; no other will start."""
        self.stopped.set()
        super().end()


def _settled(job: Job, answer: Job) -> Job:
    """Return an answer from elsewhere, its certificates written here.

    Raises: as `Children.ask`.
    """
    match answer.get("trouble"):
        case "ended":
            raise ChildEnded(answer["message"], answer["status"])
        case "timed out":
            raise TimedOut(answer["message"])
    answer = delivered(answer)
    files = answer.pop("files", {})
    folder = job.get("certificates")
    if folder is not None:
        for part in answer.get("answers", [answer]):
            written = part.get("result", {}).get("certificate")
            if written is not None:
                name = Path(written).stem
                part["result"]["certificate"] = str(write_text(Path(folder), name, files[name]))
    return answer


@contextmanager
def elsewhere(address: str | None, run: Run) -> Iterator[Run]:
    """Give the run, its jobs carried out on the Dask cluster at an address; here, where that is None.

    Raises: InputError as `dask_executor` does.
    """
    if address is None:
        yield run
        return
    with dask_executor(address) as (executor, threads):
        children = Remote(executor)
        yield replace(run, children=children, jobs=max(run.jobs, 2 * threads))
        if children.lost is not None:
            print(one_line(f"dpcert: --dask {address} lost jobs, which ran here: {children.lost}"), file=sys.stderr)


@contextmanager
def dask_executor(address: str) -> Iterator[tuple[Executor, int]]:
    """Give an executor on the Dask cluster whose scheduler is at an address, and how many threads its workers have.

    Raises: InputError where `distributed` is not installed, or no scheduler answers.
    """
    try:
        needs_extra("distributed", extra="dask")
    except MissingExtra as error:
        given = "--dask without the package distributed"
        raise InputError(given=given, needed="its extra", remedy=error.command) from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    distributed: Any = importlib.import_module("distributed")
    try:
        client = distributed.Client(address, timeout=WAIT)
    except (OSError, ValueError, TypeError) as error:
        words = str(error).splitlines()[0] if str(error) else type(error).__name__
        given = f"--dask {address}: no scheduler answers ({words})"
        remedy = "start one with `dask scheduler`, or leave --dask out"
        raise InputError(given=given, needed="the address of a running Dask scheduler", remedy=remedy) from None
    try:
        threads = sum(client.nthreads().values())
        yield client.get_executor(pure=False), max(1, threads)
    finally:
        client.close(timeout=WAIT)
