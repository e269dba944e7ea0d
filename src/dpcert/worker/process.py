"""Child processes with limits: each file of a user runs in one."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from dpcert.mechanisms.exact.errors import DpcertError, InputError, Unauditable
from dpcert.targets.spec import FileSpec
from dpcert.worker.exchange import ANSWER, LOOKS, SO_FAR, Assignment, Reply, reply_from
from dpcert.worker.forking import ERRORS, FOLDER, QUESTION, STARTED, Forked, ForkServers
from dpcert.worker.jobs import Job, file_of
from dpcert.worker.limits import LOOK, SPENT, spent_words, waited_words, wall_limit
from dpcert.worker.results import laws_beside, with_certificate, write_text
from dpcert.worker.troubles import ChildEnded, TimedOut

AnswerT = TypeVar("AnswerT")

HASH_SEEDS = ("1", "271828")
MEMORY = 8 << 30
ROOM = 1 << 16
"""The least bytes of room for an answer."""
WORKER = "dpcert.worker"
BUILT_INS, IMPORTS = "built-ins", "imports"
"""Parts that a fork server may prepare: the built-ins, and the lists of their files and packages."""
SERVERS = os.environ.pop(FOLDER, None)
"""The folder of the fork servers of this worker, removed from the environment before its program runs; None without."""
PAUSE = 0.05
"""Seconds for a worker to write down the line that it runs."""


def inside_worker() -> bool:
    """Whether this process is a worker."""
    spec = getattr(sys.modules.get("__main__"), "__spec__", None)
    return spec is not None and spec.name == f"{WORKER}.__main__"


class Child(Generic[AnswerT]):
    """A running worker process and the folder for its answer; `seconds` of processor time end it.

    Without `folder` it leads a process group of its own; with `folder` it belongs to the worker of that folder. Where
    fork servers run, with sockets in the folder `servers`, one of them forks the process.

    Raises: InputError where the system has no room for the folder or the process.
    """

    def __init__(
        self,
        job: Job[AnswerT],
        hash_seed: str,
        *,
        folder: str | None,
        seconds: float | None,
        recording: bool = False,
        servers: str | None = SERVERS,
    ) -> None:
        self.job, self.leads, self.seconds = job, folder is None, seconds
        self.parent, self.over = os.getpid(), False
        process: Forked | None = None
        try:
            with contextlib.ExitStack() as undo:
                self.folder = tempfile.TemporaryDirectory(prefix="dpcert-", dir=folder, ignore_cleanup_errors=True)
                undo.callback(self.folder.cleanup)
                here = Path(self.folder.name)
                self.answer, self.so_far, self.looks, self.errors = map(here.joinpath, (ANSWER, SO_FAR, LOOKS, ERRORS))
                path = [entry for entry in sys.path if entry]
                task = Assignment(job, str(here), MEMORY, seconds, self.parent, path, recording)
                (here / QUESTION).write_text(json.dumps(task.to_data()), encoding="utf-8")
                if servers is not None:
                    server = socket.socket(socket.AF_UNIX)
                    with contextlib.suppress(OSError):  # the server may have ended
                        server.connect(os.path.join(servers, hash_seed))
                        server.sendall(f"{here}\n".encode())
                        process = Forked(server) if server.recv(len(STARTED)) == STARTED else None
                    if process is None:
                        server.close()
                self.process = process or self._new_process(hash_seed)
                undo.pop_all()
        except OSError as error:
            raise _no_room("which cannot be started", folder or tempfile.gettempdir(), error) from None

    def _new_process(self, hash_seed: str) -> subprocess.Popen[bytes]:
        with open(f"{self.folder.name}/{QUESTION}", "rb") as stdin, self.errors.open("wb") as stderr:
            return subprocess.Popen(
                [sys.executable, "-P", "-m", WORKER],
                stdin=stdin,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                env={**os.environ, "PYTHONHASHSEED": hash_seed},
                start_new_session=self.leads,
            )

    def end(self) -> None:
        """End the process and its children, once, if this process started it."""
        if self.over or os.getpid() != self.parent:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self.leads and not isinstance(self.process, Forked):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        self.process.wait()
        self.over = True

    def close(self) -> None:
        """End the process and remove its folder."""
        self.end()
        if os.getpid() == self.parent:
            self.folder.cleanup()

    def reply(self, *, waits: bool = True) -> Reply[AnswerT]:
        """Wait for the reply and return it, or the early refutation of a child that ended without a reply.

        With `waits` False, another process ends the child where it takes too long by the clock. The child has ended
        afterwards.

        Raises: TimedOut, ChildEnded, ChildFailed, or the InputError or Unauditable of the child.
        """
        try:
            reply = self._replied(None if self.seconds is None or not waits else self.seconds)
            reply.delivered()
            return reply
        except (TimedOut, ChildEnded, Unauditable) as error:
            early = None if self._is_ours(error) else self._refuted_before(str(error))
            if early is None:
                if isinstance(error, ChildEnded) and error.status > 0:
                    self._need_room()
                raise
            return early
        finally:
            self.close()

    def _is_ours(self, error: DpcertError) -> bool:
        """Whether a process that runs a built-in ended by itself: built-ins do not, so the error is our own."""
        builtin = not isinstance(getattr(self.job, "spec", None), FileSpec)
        return builtin and isinstance(error, ChildEnded) and error.status >= 0

    def _replied(self, seconds: float | None) -> Reply[AnswerT]:
        try:
            status = self.process.wait(None if seconds is None else wall_limit(seconds))
        except subprocess.TimeoutExpired:
            for _ in range(3):
                self.process.send_signal(LOOK)
                time.sleep(PAUSE)
            self.end()
            raise TimedOut(waited_words(seconds or 0.0, self.looks)) from None
        if not self.answer.exists():
            if self.seconds is not None and status in SPENT:
                raise TimedOut(spent_words(self.seconds, self.looks))
            raise ChildEnded(self._last_words(status), status)
        return reply_from(self.job, json.loads(self.answer.read_text(encoding="utf-8")))

    def _refuted_before(self, reason: str) -> Reply[AnswerT] | None:
        """Return the child's early refutation with a note of the reason why the child stopped; None without one.

        Its certificate lay in the child's own folder while another answer could come; now it is kept.
        """
        if not self.so_far.exists():
            return None
        reply = reply_from(self.job, json.loads(self.so_far.read_text(encoding="utf-8")))
        audited: Any = reply.delivered()
        certificates, certificate = getattr(self.job, "certificates", None), audited.result.certificate
        if certificates is not None and certificate is not None:
            folder, path = Path(certificates), Path(certificate)
            laws = laws_beside(path)
            audited = with_certificate(audited, lambda: write_text(folder, path.stem, path.read_text("utf-8")))
            if laws.exists() and audited.unwritten is None:
                write_text(folder, laws.stem, laws.read_text("utf-8"))
        notes = [*audited.result.notes, f"refuted before every pair was examined: {reason}"]
        return replace(reply, answer=replace(audited, result=replace(audited.result, notes=notes)))

    def _need_room(self) -> None:
        """Return if the system has room for an answer.

        Raises: InputError otherwise: this explains why the child gave none.
        """
        try:
            (Path(self.folder.name) / "room").write_bytes(bytes(ROOM))
        except OSError as error:
            raise _no_room("which cannot answer", tempfile.gettempdir(), error) from None

    def _last_words(self, status: int) -> str:
        if status < 0:
            names = {int(number): f" ({number.name})" for number in signal.Signals}
            memory = ", as the system does where memory runs out" if -status == getattr(signal, "SIGKILL", None) else ""
            return f"the process was ended by signal {-status}{names.get(-status, '')}{memory}"
        lines = self.errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return f"the process ended with status {status}" + (f": {lines[-1][:200]}" if lines else "")


def _no_room(trouble: str, folder: str, error: OSError) -> InputError:
    given = f"a child process, {trouble}: {error.strerror or error}"
    return InputError(
        given=given, needed=f"room for its files in {folder}, and for itself", remedy="make room, or set TMPDIR"
    )


class Children:
    """The child processes of one command, so that an interrupt ends them all."""

    def __init__(self) -> None:
        self._servers = ForkServers()
        self._warm: tuple[str, ...] = ()
        self._lock = threading.Lock()
        self._running: set[Child[Any]] = set()
        self._over = False

    def reply(self, job: Job[AnswerT], *, timeout: float | None = None, recording: bool = False) -> Reply[AnswerT]:
        """Run a job in a worker process, with its own children in a group of its own, and return its reply.

        Raises: as `Child.reply`.
        """
        with self._lock:
            if self._over:
                raise ChildEnded("interrupted", -signal.SIGINT)
            if self._warm and not self._servers.asked:
                self._servers.start(WORKER, HASH_SEEDS, *([] if file_of(job) else self._warm))
            servers = self._servers.folder
            child = Child(job, HASH_SEEDS[0], folder=None, seconds=timeout, recording=recording, servers=servers)
            self._running.add(child)
        try:
            return child.reply()
        finally:
            with self._lock:
                self._running.discard(child)

    @contextlib.contextmanager
    def forking(self, *, certifies: bool = False) -> Iterator[None]:
        """Run the body with fork servers from its first job on, so that no worker starts Python anew.

        With `certifies`, for workers that write certificates, a server reads once which files the built-ins need.
        """
        outer, self._warm = self._warm, self._warm or (BUILT_INS, *([IMPORTS] if certifies else []))
        try:
            yield
        finally:
            self._warm = outer
            if not outer:
                self._servers.end()

    def end(self) -> None:
        """End every child, and start no other."""
        with self._lock:
            self._over = True
            for child in self._running:
                child.end()
