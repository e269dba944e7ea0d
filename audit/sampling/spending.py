"""The budget of a sampling audit: runs and time."""

from __future__ import annotations

import time
from dataclasses import dataclass

__all__ = ["Spending"]

SPARE = 0.7
"""The part of the time left that plans use."""


@dataclass(slots=True)
class Spending:
    """The runs and the time left, and the time that runs took. `hurried` says whether time ever set a plan."""

    most_runs: int
    deadline: float
    runs: int = 0
    seconds: float = 0.0
    hurried: bool = False

    def left(self) -> int:
        """Return how many runs are left, by number and, as far as can be told, by time."""
        left = max(0, self.most_runs - self.runs)
        if self.runs and self.deadline < float("inf"):
            rate = max(self.seconds, 1e-9) / self.runs
            in_time = int(SPARE * max(0.0, self.deadline - time.monotonic()) / rate)
            self.hurried = self.hurried or in_time < left
            left = min(left, in_time)
        return left

    def late(self) -> bool:
        """Whether the time is over."""
        over = time.monotonic() > self.deadline
        self.hurried = self.hurried or over
        return over

    def spent(self, runs: int, start: float) -> None:
        """Note that `runs` runs were made since `start`."""
        self.runs += runs
        self.seconds += time.monotonic() - start
