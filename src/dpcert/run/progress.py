"""A progress bar on standard error, where that is a terminal, and nowhere else."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from dpcert.mechanisms.exact.errors import one_line

AFTER = 1.0
"""Seconds after which the bar of a single target shows how long the wait is."""
ERASED = "\r\x1b[2K"
"""The sequence at which a terminal clears its line."""


class Progress:
    """The number of `total` targets that are done, and the name of the next.

    The name of a single target is shown at once, and after a second the time that it has taken.
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self.shown = sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and total > 0
        self.label = ""
        self.began = time.monotonic()
        self.bar: Any = None
        self.task: Any = None
        self.lock = threading.Lock()
        self.timer: threading.Timer | None = None
        self.over = False

    def __enter__(self) -> Progress:
        if self.shown and self.total == 1:
            self.timer = threading.Timer(AFTER, self._show)
            self.timer.daemon = True
            self.timer.start()
        elif self.shown:
            self._show()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            SpinnerColumn,
            TaskProgressColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
        from rich.progress import Progress as Bar

        with self.lock:
            if not self.over:
                name = TextColumn("{task.description}", markup=False)
                one = (SpinnerColumn(), name, TimeElapsedColumn())
                several = (name, BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
                columns = one if self.total == 1 else several
                self.bar = Bar(*columns, console=Console(stderr=True), transient=True)
                self.task = self.bar.add_task(self.label, total=self.total)
                self.bar.tasks[0].start_time = self.began
                self.bar.start()

    def _stop(self) -> None:
        with self.lock:
            if self.over:
                return
            self.over = True
            if self.timer is not None:
                self.timer.cancel()
            if self.bar is not None:
                self.bar.stop()
            elif self.shown:
                sys.stderr.write(ERASED)
                sys.stderr.flush()

    def at(self, label: str) -> None:
        """Show the label of the target that runs now."""
        if not self.shown:
            return
        with self.lock:
            self.label = one_line(label[-40:])
            if self.bar is not None:
                self.bar.update(self.task, description=self.label)
            elif not self.over:
                sys.stderr.write(f"{ERASED}{self.label}")
                sys.stderr.flush()

    def step(self) -> None:
        """Count one more as done."""
        if self.bar is not None:
            self.bar.advance(self.task)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Take the bar away while a line is printed; that of a single target does not come back."""
        if self.total == 1:
            self._stop()
        elif self.bar is not None:
            self.bar.stop()
        yield
        if self.bar is not None and self.total > 1:
            self.bar.start()
