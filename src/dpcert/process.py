"""Child processes: every file of a user's runs in one, with limits, and every law is found again in another."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dpcert.cases import Options, Spec
from dpcert.mechanisms.exact.errors import DpcertError, InputError, Unauditable

__all__ = ["ChildEnded", "ChildFailed", "Children", "TimedOut", "delivered", "inside_worker", "second", "several"]

HASH_SEEDS = ("1", "271828")
MEMORY = 8 << 30
WORKER = "dpcert.worker"


class TimedOut(DpcertError):
    """A child process exceeded its time and was ended."""


class ChildEnded(DpcertError):
    """A child process ended without an answer: the program in it, or the system, ended it with `status`."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class ChildFailed(DpcertError):
    """A child process met an error of our own; the message says which."""


def inside_worker() -> bool:
    """Whether this process is a worker."""
    spec = getattr(sys.modules.get("__main__"), "__spec__", None)
    return spec is not None and spec.name == WORKER


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
    """A running worker process and the folder that it answers into.

    Without `folder` it leads a process group of its own; with it, it belongs to the worker whose folder that is.
    """

    def __init__(self, job: dict[str, Any], hash_seed: str, *, folder: str | None, seconds: float | None) -> None:
        self.leads = folder is None
        self.over = False
        self.folder = tempfile.TemporaryDirectory(prefix="dpcert-", dir=folder, ignore_cleanup_errors=True)
        here = Path(self.folder.name)
        self.answer, self.errors, question = here / "answer.json", here / "errors.txt", here / "job.json"
        self.so_far, self.built_in = here / "so-far.json", "path" not in job.get("spec", {})
        path = [entry for entry in sys.path if entry]
        places = {"answer": str(self.answer), "so_far": str(self.so_far)}
        whole = {**job, **places, "path": path, "memory": MEMORY, "seconds": seconds}
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
        """End the process and those that it started, once."""
        if self.over:
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
        self.folder.cleanup()

    def result(self, timeout: float | None) -> dict[str, Any]:
        """Wait for the answer and return it, or the refutation there was before the child stopped short of one.

        The process is over afterwards.

        Raises: TimedOut, ChildEnded, ChildFailed, or the InputError or Unauditable that the child met.
        """
        try:
            return delivered(self._answered(timeout))
        except (TimedOut, ChildEnded, Unauditable) as error:
            ours = self.built_in and isinstance(error, ChildEnded) and error.status >= 0
            found = None if ours else self._refuted_before(str(error))
            if found is None:
                raise
            return found
        finally:
            self.close()

    def _answered(self, timeout: float | None) -> dict[str, Any]:
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.end()
            raise TimedOut(f"stopped by the time limit of {timeout:g} s (--time-limit)") from None
        if not self.answer.exists():
            raise ChildEnded(self._last_words(), self.process.returncode)
        found: dict[str, Any] = json.loads(self.answer.read_text(encoding="utf-8"))
        return found

    def _refuted_before(self, reason: str) -> dict[str, Any] | None:
        """Return what the child had refuted before it stopped for this reason, which is noted; None if nothing."""
        if not self.so_far.exists():
            return None
        found: dict[str, Any] = json.loads(self.so_far.read_text(encoding="utf-8"))
        found["result"]["notes"].append(f"refuted before every pair was examined: {reason}")
        return found

    def _last_words(self) -> str:
        status = self.process.returncode
        if status < 0:
            names = {int(number): f" ({number.name})" for number in signal.Signals}
            return f"the process was ended by signal {-status}{names.get(-status, '')}"
        lines = self.errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return f"the process ended with status {status}" + (f": {lines[-1][:200]}" if lines else "")


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
            return child.result(timeout)
        finally:
            with self._lock:
                self._running.discard(child)

    def end(self) -> None:
        """End every child; no other will start."""
        with self._lock:
            self._over = True
            for child in self._running:
                child.end()


class Second:
    """The second computation of a case's laws, in a process with another PYTHONHASHSEED, started at once."""

    def __init__(self, spec: Spec, options: Options, folder: str | None, seconds: float | None) -> None:
        seed = HASH_SEEDS[os.environ.get("PYTHONHASHSEED") != HASH_SEEDS[1]]
        job = {"op": "digests", "spec": spec, "options": asdict(options)}
        self.child = Child(job, seed, folder=folder, seconds=seconds)

    def digests(self, scope: str) -> Sequence[str]:
        """Wait for the digests and return them.

        Raises: Unauditable where the other process could not compute them, or found another `scope` of pairs.
        """
        return _digests(lambda: self.child.result(None), scope)


class Several:
    """The second computations of many cases' laws, in one process, in reverse; each is asked for by its position."""

    def __init__(self, specs: Sequence[Spec], options: Options, folder: str | None, seconds: float | None) -> None:
        seed = HASH_SEEDS[os.environ.get("PYTHONHASHSEED") != HASH_SEEDS[1]]
        job = {"op": "all-digests", "specs": list(specs), "options": asdict(options)}
        self.child = Child(job, seed, folder=folder, seconds=seconds)
        self.answers: list[dict[str, Any]] | None = None

    def at(self, position: int) -> Part:
        """Return the second computation of one case."""
        return Part(self, position)

    def answer(self, position: int) -> dict[str, Any]:
        """Wait for all, and return the answer about one case.

        Raises: as `Child.result`.
        """
        if self.answers is None:
            self.answers = self.child.result(None)["answers"]
        return delivered(self.answers[position])


@dataclass(frozen=True, slots=True)
class Part:
    """The second computation of one of several cases."""

    several: Several
    position: int

    def digests(self, scope: str) -> Sequence[str]:
        """Return the digests, as `Second.digests` does."""
        return _digests(lambda: self.several.answer(self.position), scope)


def _digests(answer: Callable[[], dict[str, Any]], scope: str) -> Sequence[str]:
    """Return the digests of an answer of the other process.

    Raises: Unauditable where it could not compute them, or found another `scope` of pairs.
    """
    try:
        found = answer()
    except (ChildEnded, ChildFailed, InputError) as error:
        raise Unauditable(str(error)) from None
    if found["scope"] != scope:
        raise Unauditable("the neighbour relation answered otherwise: it must depend on its two arguments alone")
    laws: list[str] = found["digests"]
    return laws


@contextlib.contextmanager
def several(
    specs: Sequence[Spec], options: Options, *, folder: str | None = None, seconds: float | None = None
) -> Iterator[Several]:
    """Start the second computations of many cases and end them on leaving, as `second` does for one."""
    running = Several(specs, options, folder, seconds)
    try:
        yield running
    finally:
        running.child.close()


@contextlib.contextmanager
def second(
    spec: Spec, options: Options, *, folder: str | None = None, seconds: float | None = None
) -> Iterator[Second]:
    """Start the second computation and end it on leaving, however that happens.

    A worker gives its own `folder`, for the process to belong to it, and the `seconds` that it was given itself.
    """
    running = Second(spec, options, folder, seconds)
    try:
        yield running
    finally:
        running.child.close()
