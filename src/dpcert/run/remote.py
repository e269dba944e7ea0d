"""Jobs carried out elsewhere: through any executor of `concurrent.futures`, each in a child process over there."""

from __future__ import annotations

import functools
import importlib
import logging
import os
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

from dpcert.mechanisms.exact.errors import DpcertError, InputError, Unauditable, one_line
from dpcert.run.agreement import alike, differing, file_of, read_on_import
from dpcert.targets.extras import MissingExtra, needs_extra
from dpcert.worker.process import Children, delivered
from dpcert.worker.results import keep_certificate, write_text
from dpcert.worker.troubles import ChildEnded, TimedOut

if TYPE_CHECKING:
    from dpcert.run.single import Run

__all__ = ["Remote", "asked", "dask_executor", "elsewhere"]

Job = dict[str, Any]
LOOK = 0.2
"""Every so many seconds it is seen whether an interrupt came."""
WAIT = 10
"""Seconds in which a scheduler must answer."""


def asked(job: Job, timeout: float | None, expected: dict[str, str | None]) -> Job:
    """Carry out a job in a child process of this one, and return its answer or, by name, why there is none.

    This runs in the executor's worker, if all is there as `expected` from `alike`. Certificates that were asked for
    come back as texts, under `files`; what the job read comes back under `read`.
    """
    found = alike(name for name in expected if os.path.isabs(name))
    for name, value in expected.items():
        if found.get(name) != value:
            words = "is not there" if value is not None and found.get(name) is None else "is another"
            return {"trouble": "input", **_unlike(f"{name}, which {words} on a worker")}
    with tempfile.TemporaryDirectory(prefix="dpcert-", ignore_cleanup_errors=True) as folder:
        wanted = job.get("certificates") is not None
        try:
            whole = {**job, "reads": file_of(job) is not None}
            answer = Children().ask({**whole, "certificates": folder} if wanted else whole, timeout=timeout)
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
        self._here: dict[str | None, tuple[dict[str, str | None], dict[str, Any]]] = {}
        self._reading = threading.Lock()

    def ask(self, job: Job, *, timeout: float | None = None) -> Job:
        """Run a job in a worker of the executor, in a child process with this time limit, and return its answer.

        Raises: as `Children.ask`.
        """
        if self.stopped.is_set():
            raise ChildEnded("interrupted", -signal.SIGINT)
        if self.lost is not None:
            return super().ask(job, timeout=timeout)
        expected, here = self._expected(file_of(job), timeout)
        try:
            answer = self._answer(self.executor.submit(asked, job, timeout, expected))
        except DpcertError:
            raise
        except (Exception, CancelledError) as error:
            self.lost = f"{type(error).__name__}: {error}".removesuffix(": ")
            return super().ask(job, timeout=timeout)
        return _settled(job, answer, expected, here)

    def _expected(self, file: str | None, timeout: float | None) -> tuple[dict[str, str | None], dict[str, Any]]:
        """Return what must be the same on the worker for a target's file, and all that was read to know it.

        The file is imported here once.
        """
        with self._reading:
            if file not in self._here:
                here = read_on_import(file, functools.partial(super().ask, timeout=timeout))
                self._here[file] = alike(here["files"]), here
            return self._here[file]

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


def _unlike(given: str) -> dict[str, str]:
    return {"given": given, "needed": "the same files and versions everywhere", "remedy": "install and share them"}


def _settled(job: Job, answer: Job, expected: dict[str, str | None], here: dict[str, Any]) -> Job:
    """Return an answer from elsewhere, its certificates written here.

    Raises: as `Children.ask`; and InputError where it rests on a file, package or variable that is another here.
    """
    match answer.get("trouble"):
        case "ended":
            raise ChildEnded(answer["message"], answer["status"])
        case "timed out":
            raise TimedOut(answer["message"])
    answer = delivered(answer)
    read = answer.pop("read", {})
    other = None if file_of(job) is None else differing(expected, here, read)
    if other is not None:
        raise InputError(**_unlike(other))
    files = answer.pop("files", {})
    folder = job.get("certificates")
    if folder is not None:
        for part in answer.get("answers", [answer]):
            written = part.get("result", {}).get("certificate")
            if written is not None:
                name = Path(written).stem
                keep_certificate(part, functools.partial(write_text, Path(folder), name, files[name]))
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
