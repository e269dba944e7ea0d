"""What a sampling audit may spend: runs and time.

Time is of the processor, so that a busy machine gives the same verdicts; the clock counts where a program waits.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

SPARE = 0.7
"""Which part of the time left is planned for."""
WAITING = 10.0
"""How many seconds by the clock are at least one of those that may be spent."""


@dataclass(slots=True)
class Spending:
    """What may be spent, and how long runs took; `hurried` says whether time, and not the number, ever set the plan.

    Seconds are of the processor time of the thread that asks, which is always the same, and of what it has others do:
    `aside` says how many these are by now.
    """

    most_runs: int
    most_seconds: float
    aside: Callable[[], float] = lambda: 0.0
    runs: int = 0
    seconds: float = 0.0
    hurried: bool = False
    _began: tuple[float, float] = field(init=False)

    def __post_init__(self) -> None:
        self._began = self._read()

    def _read(self) -> tuple[float, float]:
        return time.thread_time() + self.aside(), time.monotonic()

    def elapsed(self) -> float:
        """Return how many seconds were spent since the beginning."""
        processor, clock = (now - began for now, began in zip(self._read(), self._began, strict=True))
        return max(processor, clock / WAITING)

    def left(self) -> int:
        """Return how many runs are left, by number and, as far as can be told, by time."""
        left = max(0, self.most_runs - self.runs)
        if self.runs and self.most_seconds < float("inf"):
            rate = max(self.seconds, 1e-9) / self.runs
            in_time = int(SPARE * max(0.0, self.most_seconds - self.elapsed()) / rate)
            self.hurried = self.hurried or in_time < left
            left = min(left, in_time)
        return left

    def late(self) -> bool:
        over = self.elapsed() >= self.most_seconds
        self.hurried = self.hurried or over
        return over

    def spent(self, runs: int, start: float) -> None:
        """Note that so many runs were made since `start`, in seconds that had elapsed."""
        self.runs += runs
        self.seconds += self.elapsed() - start
