"""Child processes: every file of a user's runs in one, with limits."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from dpcert.worker.limits import LOOK, SPENT, spent_words, waited_words, wall_limit
from dpcert.mechanisms.exact.errors import InputError, Unauditable
from dpcert.worker.results import keep_certificate, write_text
from dpcert.worker.troubles import ChildEnded, ChildFailed, TimedOut

__all__ = ["Child", "Children", "delivered", "inside_worker"]

HASH_SEEDS = ("1", "271828")
MEMORY = 8 << 30
ROOM = 1 << 16
"""Bytes that an answer is given room for at the least."""
WORKER = "dpcert.worker"
PAUSE = 0.05
"""Seconds for a worker to write down where it is."""


def inside_worker() -> bool:
    """Whether this process is a worker."""
    spec = getattr(sys.modules.get("__main__"), "__spec__", None)
    return spec is not None and spec.name == f"{WORKER}.__main__"


def delivered(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer of a worker, if it is no trouble.

    Raises: the InputError or Unauditable that the worker met, or ChildFailed.
    """
    match answer.get("trouble"):
        case None:
            return answer
        case "input":
            raise InputError(given=answer["given"], needed=answer["needed"], remedy=answer["remedy"])
        case "unauditable":
            raise Unauditable(answer["message"])
    raise ChildFailed(answer["message"])


class Child:
    """A running worker process and the folder that it answers into; `seconds` of processor time end it.

    Without `folder` it leads a process group of its own; with it, it belongs to the worker whose folder that is.

    Raises: InputError where the system has no room for the folder or the process.
    """

    def __init__(self, job: dict[str, Any], hash_seed: str, *, folder: str | None, seconds: float | None) -> None:
        self.leads = folder is None
        self.seconds = seconds
        self.parent = os.getpid()
        self.over = False
        try:
            self.folder = tempfile.TemporaryDirectory(prefix="dpcert-", dir=folder, ignore_cleanup_errors=True)
            try:
                self._start(job, hash_seed, seconds)
            except OSError:
                self.folder.cleanup()
                raise
        except OSError as error:
            raise _no_room("which cannot be started", folder or tempfile.gettempdir(), error) from None

    def _start(self, job: dict[str, Any], hash_seed: str, seconds: float | None) -> None:
        here = Path(self.folder.name)
        self.answer, self.errors, question = here / "answer.json", here / "errors.txt", here / "job.json"
        self.so_far, self.looks = here / "so-far.json", here / "looks.txt"
        self.built_in = "path" not in job.get("spec", {})
        self.certificates: str | None = job.get("certificates")
        path = [entry for entry in sys.path if entry]
        places = {"answer": str(self.answer), "so_far": str(self.so_far), "looks": str(self.looks)}
        limits = {"memory": MEMORY, "seconds": seconds, "parent": self.parent}
        whole = {**job, **places, **limits, "path": path}
        question.write_text(json.dumps(whole), encoding="utf-8")
        with question.open("rb") as stdin, self.errors.open("wb") as stderr:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", WORKER],
                stdin=stdin,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                env={**os.environ, "PYTHONHASHSEED": hash_seed},
                start_new_session=self.leads,
            )

    def end(self) -> None:
        """End the process and those that it started, once, if it is this process that started it."""
        if self.over or os.getpid() != self.parent:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self.leads:
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

    def result(self, *, waits: bool = True) -> dict[str, Any]:
        """Wait for the answer and return it, or the refutation there was before the child stopped short of one.

        With `waits` False it is another process that ends this one where it takes too long by the clock. The process
        is over afterwards.

        Raises: TimedOut, ChildEnded, ChildFailed, or the InputError or Unauditable that the child met.
        """
        try:
            return delivered(self._answered(None if self.seconds is None or not waits else self.seconds))
        except (TimedOut, ChildEnded, Unauditable) as error:
            ours = self.built_in and isinstance(error, ChildEnded) and error.status >= 0
            found = None if ours else self._refuted_before(str(error))
            if found is None:
                if isinstance(error, ChildEnded) and error.status > 0:
                    self._need_room()
                raise
            return found
        finally:
            self.close()

    def _answered(self, seconds: float | None) -> dict[str, Any]:
        try:
            self.process.wait(None if seconds is None else wall_limit(seconds))
        except subprocess.TimeoutExpired:
            for _ in range(3):
                self.process.send_signal(LOOK)
                time.sleep(PAUSE)
            self.end()
            raise TimedOut(waited_words(seconds or 0.0, self.looks)) from None
        if not self.answer.exists():
            if self.seconds is not None and self.process.returncode in SPENT:
                raise TimedOut(spent_words(self.seconds, self.looks))
            raise ChildEnded(self._last_words(), self.process.returncode)
        found: dict[str, Any] = json.loads(self.answer.read_text(encoding="utf-8"))
        return found

    def _refuted_before(self, reason: str) -> dict[str, Any] | None:
        """Return what the child had refuted before it stopped for this reason, which is noted; None if nothing.

        Its certificate, which lay in the child's own folder for as long as another answer could come, is kept now.
        """
        if not self.so_far.exists():
            return None
        found: dict[str, Any] = json.loads(self.so_far.read_text(encoding="utf-8"))
        result = found["result"]
        if self.certificates is not None and result["certificate"] is not None:
            folder, path = Path(self.certificates), Path(result["certificate"])
            keep_certificate(found, lambda: write_text(folder, path.stem, path.read_text("utf-8")))
        result["notes"].append(f"refuted before every pair was examined: {reason}")
        return found

    def _need_room(self) -> None:
        """Return if an answer could be written here.

        Raises: InputError otherwise: that was why there is none.
        """
        try:
            (Path(self.folder.name) / "room").write_bytes(bytes(ROOM))
        except OSError as error:
            raise _no_room("which cannot answer", tempfile.gettempdir(), error) from None

    def _last_words(self) -> str:
        status = self.process.returncode
        if status < 0:
            names = {int(number): f" ({number.name})" for number in signal.Signals}
            return f"the process was ended by signal {-status}{names.get(-status, '')}"
        lines = self.errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return f"the process ended with status {status}" + (f": {lines[-1][:200]}" if lines else "")


def _no_room(what: str, folder: str, error: OSError) -> InputError:
    """Return the error of a child process for which the system has no room."""
    given = f"a child process, {what}: {error.strerror or error}"
    return InputError(
        given=given, needed=f"room for its files in {folder}, and for itself", remedy="make room, or set TMPDIR"
    )


class Children:
    """The child processes of one command, so that an interrupt ends them all."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[Child] = set()
        self._over = False

    def ask(self, job: dict[str, Any], *, timeout: float | None = None) -> dict[str, Any]:
        """Run a job in a worker process, with its own children in a group of its own, and return its answer.

        Raises: as `Child.result`.
        """
        with self._lock:
            if self._over:
                raise ChildEnded("interrupted", -signal.SIGINT)
            child = Child(job, HASH_SEEDS[0], folder=None, seconds=timeout)
            self._running.add(child)
        try:
            return child.result()
        finally:
            with self._lock:
                self._running.discard(child)

    def end(self) -> None:
        """End every child; no other will start."""
        with self._lock:
            self._over = True
            for child in self._running:
                child.end()
