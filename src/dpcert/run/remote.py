"""Jobs on other machines: an executor of `concurrent.futures` carries each out in a child process of a worker."""

from __future__ import annotations

import functools
import importlib
import logging
import os
import platform
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from concurrent.futures import TimeoutError as NotYet
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dpcert.mechanisms.exact.errors import DpcertError, InputError, one_line
from dpcert.run.lock.lock import environment
from dpcert.targets.extras import need_package
from dpcert.worker.codec import decode, encode
from dpcert.worker.exchange import Reply, reply_from
from dpcert.worker.failure import Failure
from dpcert.worker.jobs import JOBS, Answers, Audited, Job, Listing, ListTargets, file_of
from dpcert.worker.process import Children
from dpcert.worker.reads.record import Record, digest_of, importable, installed, value_digest
from dpcert.worker.reads.recorder import ALWAYS
from dpcert.worker.results import with_certificate, write_text
from dpcert.worker.troubles import ChildEnded

if TYPE_CHECKING:
    from dpcert.run.single import Invocation


AnswerT = TypeVar("AnswerT")
Data = dict[str, Any]
LOOK = 0.2
"""Seconds between two looks for an interrupt."""
WAIT = 10
"""Seconds in which a scheduler must answer."""


Digests = dict[str, str | None]
"""By name, the SHA-256 of each file, None for a missing one, and each version."""


def read_on_import(file: str | None, ask: Callable[[ListTargets], Reply[Listing]]) -> Record:
    """Return the record of all files that the import of a target's file reads here; an empty one for no file.

    Where the import fails here, the record has that file alone.
    """
    itself: Digests = {} if file is None else {file: None}
    empty = Record(itself, {}, {}, (), {}, {})
    if file is None:
        return empty
    try:
        reads = ask(ListTargets(file)).reads
    except DpcertError:
        return empty
    return empty if reads is None else replace(reads.record, files={**itself, **reads.record.files})


def agreed(files: Iterable[str]) -> Digests:
    """Return the versions and the digests of files that must be the same elsewhere."""
    here = environment()
    python = ".".join(platform.python_version_tuple()[:2])
    versions = {"dpcert": here["dpcert"], "the source of dpcert": here["sources"], "Python": python}
    return {**versions, **{path: digest_of(Path(path)) for path in files}}


def differing(expected: Digests, here: Record, there: Record) -> str | None:
    """Return in words the first difference between this machine and the one that answered; None where they agree.

    `expected` comes from `agreed` and `here` from `read_on_import`, both on this machine; `there` is the record of the
    job. A package that is not installed here is not compared, unless the file was imported here without it.
    """
    for path in expected:
        if os.path.isabs(path) and path not in there.files:
            return f"{path}, in place of which a worker reads another"
    for path, digest in there.files.items():
        own = expected[path] if path in expected else digest_of(Path(path))
        if own != digest:
            return f"{path}, which is another on a worker"
    for package, version in there.packages.items():
        if installed(package) not in (None, version):
            return f"{package} {installed(package)}, which is {version} on a worker"
    for package in here.packages:
        if package not in there.packages:
            return f"{package} {installed(package)}, which a worker does without"
    for module in here.missing:
        if module not in there.missing:
            return f"the module {module}, which is not here and found on a worker"
    for module in there.missing:
        if importable(module):
            return f"the module {module}, which is here and not found on a worker"
    for name, digest in there.variables.items():
        if name not in ALWAYS and value_digest(os.environ.get(name)) != digest:
            return f"the variable {name}, which is another on a worker"
    return None


def asked(kind: str, data: Data, timeout: float | None, expected: Digests) -> Data:
    """Carry out a job in a child process of this one, and return the reply; job and reply are JSON data.

    This runs in the executor's worker, and refuses where a version or file is not as `expected`, from `agreed`.
    Certificates that the job asks for come back as texts, under `files`.
    """
    here = agreed(name for name in expected if os.path.isabs(name))
    for name, value in expected.items():
        if here.get(name) != value:
            words = "is not there" if value is not None and here.get(name) is None else "is another"
            reply: Reply[Any] = Reply(Failure.of(_unlike(f"{name}, which {words} on a worker")))
            return _encoded(reply)
    job: Any = decode(JOBS[kind], data)
    with tempfile.TemporaryDirectory(prefix="dpcert-", ignore_cleanup_errors=True) as folder:
        wanted = getattr(job, "certificates", None) is not None
        try:
            reply = Children().reply(
                replace(job, certificates=folder) if wanted else job,
                timeout=timeout,
                recording=file_of(job) is not None,
            )
        except DpcertError as error:
            reply = Reply(Failure.of(error))
        files = {path.stem: path.read_text("utf-8") for path in Path(folder).glob("*.json")}
        return _encoded(replace(reply, files=files) if wanted else reply)


def _encoded(reply: Reply[Any]) -> Data:
    data: Data = encode(reply)
    return data


class Remote(Children):
    """The jobs of one command: an executor carries them out, and this process does a job that the executor loses.

    `lost` says in words why the executor lost a job, or is None.
    """

    def __init__(self, executor: Executor) -> None:
        super().__init__()
        self.executor = executor
        self.lost: str | None = None
        self.stopped = threading.Event()
        self._here: dict[str | None, tuple[Digests, Record]] = {}
        self._reading = threading.Lock()

    def reply(self, job: Job[AnswerT], *, timeout: float | None = None, recording: bool = False) -> Reply[AnswerT]:
        """Run a job in a worker of the executor, in a child process with this time limit, and return its reply.

        Raises: as `Children.reply`; InputError where the answer rests on a file or version that differs here.
        """
        if self.stopped.is_set():
            raise ChildEnded("interrupted", -signal.SIGINT)
        if self.lost is not None:
            return super().reply(job, timeout=timeout, recording=recording)
        expected, here = self._expected(file_of(job), timeout)
        try:
            future = self.executor.submit(asked, type(job).__name__, encode(job), timeout, expected)
            reply = reply_from(job, self._data(future))
        except DpcertError:
            raise
        except (Exception, CancelledError) as error:
            self.lost = f"{type(error).__name__}: {error}".removesuffix(": ")
            return super().reply(job, timeout=timeout, recording=recording)
        reply.delivered()
        other = None if reply.reads is None else differing(expected, here, reply.reads.record)
        if other is not None:
            raise _unlike(other)
        return _with_certificates(job, reply)

    def _expected(self, file: str | None, timeout: float | None) -> tuple[Digests, Record]:
        """Return the digests that a worker must have for a target's file, and the record of its import here.

        The file is imported here once.
        """
        with self._reading:
            if file not in self._here:
                ask = functools.partial(super().reply, timeout=timeout, recording=True)
                here = read_on_import(file, ask)
                self._here[file] = agreed(here.files), here
            return self._here[file]

    def _data(self, future: Future[Data]) -> Data:
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
        """Give up every job, and start no other."""
        self.stopped.set()
        super().end()


def _unlike(given: str) -> InputError:
    return InputError(given=given, needed="the same files and versions everywhere", remedy="install and share them")


def _with_certificates(job: Job[AnswerT], reply: Reply[AnswerT]) -> Reply[AnswerT]:
    """Write the certificates of a reply from elsewhere into the job's folder, and return the reply with their paths."""
    folder: str | None = getattr(job, "certificates", None)
    if folder is None:
        return reply
    home, files = Path(folder), reply.files or {}

    def kept(audited: Any) -> Any:
        if not isinstance(audited, Audited) or audited.result.certificate is None:
            return audited
        name = Path(audited.result.certificate).stem
        return with_certificate(audited, functools.partial(write_text, home, name, files[name]))

    answer: Any = reply.answer
    several = isinstance(answer, Answers)
    whole = replace(answer, answers=[kept(part) for part in answer.answers]) if several else kept(answer)
    return replace(reply, answer=whole)


@contextmanager
def elsewhere(address: str, run: Invocation) -> Iterator[Invocation]:
    """Give the run as one whose jobs the Dask cluster at an address carries out.

    Raises: InputError as `dask_executor` does.
    """
    with dask_executor(address) as (executor, threads):
        children = Remote(executor)
        yield replace(run, children=children, jobs=max(run.jobs, 2 * threads))
        if children.lost is not None:
            print(one_line(f"dpcert: --dask {address} lost jobs, which ran here: {children.lost}"), file=sys.stderr)


@contextmanager
def dask_executor(address: str) -> Iterator[tuple[Executor, int]]:
    """Give an executor on the Dask cluster whose scheduler is at an address, and its workers' number of threads.

    Raises: InputError where `distributed` is not installed, or no scheduler answers.
    """
    need_package("distributed", "--dask", extra="dask")
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
