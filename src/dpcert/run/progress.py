"""A progress bar on standard error, where that is a terminal, and nowhere else."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from dpcert.mechanisms.exact.errors import one_line

AFTER = 1.0
"""Seconds after which a single target is shown as being worked on."""


class Progress:
    """How many of `total` targets are done, and the one being waited for; of a single one, after a second, how long."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.bar: Any = None
        self.task: Any = None
        self.lock = threading.Lock()
        self.timer: threading.Timer | None = None
        self.over = False

    def __enter__(self) -> Progress:
        if sys.stderr.isatty() and self.total > 0:
            from rich.console import Console
            from rich.progress import Progress as Bar
            from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

            one = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
            self.bar = Bar(*(one if self.total == 1 else ()), console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task("", total=self.total)
            if self.total == 1:
                self.timer = threading.Timer(AFTER, self._show)
                self.timer.daemon = True
                self.timer.start()
            else:
                self.bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def _show(self) -> None:
        with self.lock:
            if not self.over:
                self.bar.start()

    def _stop(self) -> None:
        with self.lock:
            self.over = True
            if self.timer is not None:
                self.timer.cancel()
            if self.bar is not None:
                self.bar.stop()

    def at(self, label: str) -> None:
        """Show what is being waited for."""
        if self.bar is not None:
            from rich.markup import escape

            self.bar.update(self.task, description=escape(one_line(label[-40:])))

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
