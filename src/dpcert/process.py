"""Child processes: every file of a user's runs in one, with limits, and every law is found again in another."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dpcert.cases import Options, Spec
from dpcert.mechanisms.exact.errors import DpcertError, InputError, Unauditable

__all__ = ["ChildFailed", "TimedOut", "ask", "second", "start"]

HASH_SEEDS = ("1", "271828")
MEMORY = 8 << 30


class TimedOut(DpcertError):
    """A child process exceeded its time and was ended."""


class ChildFailed(DpcertError):
    """A child process ended without an answer; the message says how."""


class Child:
    """A running worker process and the file it answers into."""

    def __init__(self, job: dict[str, Any], hash_seed: str, group: bool) -> None:
        self.group = group
        self.folder = tempfile.TemporaryDirectory(prefix="dpcert-")
        self.answer = Path(self.folder.name) / "answer.json"
        self.errors = Path(self.folder.name) / "errors.txt"
        job = {**job, "answer": str(self.answer), "path": [p for p in sys.path if p], "memory": MEMORY}
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "dpcert.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env={**os.environ, "PYTHONHASHSEED": hash_seed},
                start_new_session=group,
            )
        with contextlib.suppress(BrokenPipeError), self.process.stdin as stdin:  # type: ignore[union-attr]
            stdin.write(json.dumps(job).encode())

    def stop(self) -> None:
        """End the process and those that it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self.group:
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        self.process.wait()

    def result(self, timeout: float | None) -> dict[str, Any]:
        """Wait for the answer and return it.

        Raises: TimedOut, ChildFailed, or the InputError or Unauditable that the child met.
        """
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise TimedOut(f"stopped by the time limit of {timeout:g} s (--time-limit)") from None
        finally:
            self.stop()
        try:
            if not self.answer.exists():
                raise ChildFailed(self._last_words())
            found: dict[str, Any] = json.loads(self.answer.read_text(encoding="utf-8"))
        finally:
            self.folder.cleanup()
        trouble = found.get("trouble")
        if trouble == "input":
            raise InputError(given=found["given"], needed=found["needed"], remedy=found["remedy"])
        if trouble == "unauditable":
            raise Unauditable(found["message"])
        if trouble is not None:
            raise ChildFailed(found["message"])
        return found

    def _last_words(self) -> str:
        status = self.process.returncode
        if status < 0:
            return f"the process was ended by signal {-status} ({signal.Signals(-status).name})"
        lines = self.errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return f"the process ended with status {status}" + (f": {lines[-1][:200]}" if lines else "")


def start(job: dict[str, Any], *, hash_seed: str = HASH_SEEDS[0], group: bool = True) -> Child:
    """Start a worker process on a job, by default with its own children in a group of its own."""
    return Child(job, hash_seed, group)


def ask(job: dict[str, Any], *, timeout: float | None = None) -> dict[str, Any]:
    """Run a job in a worker process and return its answer.

    Raises: as `Child.result`.
    """
    child = start(job)
    try:
        return child.result(timeout)
    finally:
        child.stop()


class Second:
    """The second computation of a case's laws, in a process with another PYTHONHASHSEED, started at once."""

    def __init__(self, spec: Spec, options: Options) -> None:
        own = os.environ.get("PYTHONHASHSEED")
        seed = HASH_SEEDS[0] if own == HASH_SEEDS[1] else HASH_SEEDS[1]
        self.child = start({"op": "digests", "spec": spec, "options": asdict(options)}, hash_seed=seed, group=False)

    def digests(self) -> Sequence[str]:
        """Wait for the digests and return them.

        Raises: Unauditable where the other process could not compute them.
        """
        try:
            found: list[str] = self.child.result(None)["digests"]
        except (ChildFailed, InputError) as error:
            raise Unauditable(str(error)) from None
        return found


@contextlib.contextmanager
def second(spec: Spec, options: Options) -> Iterator[Second]:
    """Start the second computation and end it on leaving, however that happens."""
    running = Second(spec, options)
    try:
        yield running
    finally:
        running.child.stop()
        running.child.folder.cleanup()


