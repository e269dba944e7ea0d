"""A worker among processes: it ends when its parent does, and no process that its program forks runs its code."""

import _thread
import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from dpcert.worker.whereabouts import Spot, is_own, stack, users_spot

LOOK = 0.5
"""The seconds between two looks of a worker for its parent."""


def end_with_parent(parent: int) -> None:
    """Have this process and the process group that it leads end when it is no longer a child of `parent`.

    The thread that looks for the parent is not in the lists of `threading`, and raises no audit events.
    """
    sleeping = _thread.allocate_lock()
    sleeping.acquire()

    def watch() -> None:
        while os.getppid() == parent:
            sleeping.acquire(timeout=LOOK)
        if os.getpgrp() == os.getpid():
            os.killpg(os.getpid(), signal.SIGKILL)
        os._exit(1)

    _thread.start_new_thread(watch, ())


class Forks:
    """Notes where this process is forked; a forked process ends as soon as code of this package would run in it.

    `folder` is the worker's own. A fork in C, of which Python does not know, goes unnoticed.
    """

    def __init__(self, folder: Path) -> None:
        self.place: Spot | None = None
        self.count = 0
        self._returned = str(folder / "returned")

    def start(self) -> None:
        os.register_at_fork(after_in_parent=self._forked, after_in_child=self._born)

    def reason(self, *, followed: bool) -> str | None:
        """Return why there is no verdict; None without a fork, or where no run is `followed` and no fork came back."""
        if not self.count or not (followed or os.path.exists(self._returned)):
            return None
        where = "" if self.place is None else f", at {self.place}"
        came = "what another process draws and releases is not seen" if followed else "both processes return an outcome"
        return f"the program forks its process (os.fork{where}): {came}; let it stay in one process"

    def _forked(self) -> None:
        if not _is_ours(sys._getframe(1)):
            self.count += 1
            self.place = self.place or users_spot(stack(sys._getframe(1)))

    def _born(self) -> None:
        if not _is_ours(sys._getframe(1)):
            sys.setprofile(self._end_in_ours)

    def _end_in_ours(self, frame: FrameType, event: str, argument: Any) -> None:
        """End this forked process when code of this package is called, calls a function or returns."""
        if is_own(frame.f_code.co_filename) and frame.f_code is not Forks._born.__code__:
            try:
                os.close(os.open(self._returned, os.O_WRONLY | os.O_CREAT, 0o600))
            finally:
                os._exit(1)


def _is_ours(frame: FrameType) -> bool:
    """Whether this package itself forks, without a call from user code: replays do so where runs leave state behind."""
    return is_own(frame.f_code.co_filename) and users_spot(stack(frame)) is None
