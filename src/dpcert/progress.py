"""A progress bar on standard error, where that is a terminal, and nowhere else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

__all__ = ["Progress"]


class Progress:
    """How many of `total` targets are done, and the one being waited for."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.bar: Any = None
        self.task: Any = None

    def __enter__(self) -> Progress:
        if sys.stderr.isatty() and self.total > 1:
            from rich.console import Console
            from rich.progress import Progress as Bar

            self.bar = Bar(console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task("", total=self.total)
            self.bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def at(self, label: str) -> None:
        """Show what is being waited for."""
        if self.bar is not None:
            self.bar.update(self.task, description=label[-40:])

    def step(self) -> None:
        """Count one more as done."""
        if self.bar is not None:
            self.bar.advance(self.task)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Take the bar away while a line is printed."""
        if self.bar is not None:
            self.bar.stop()
        yield
        if self.bar is not None:
            self.bar.start()
