"""Durations of single runs: a monotonic clock around the program alone, garbage collection off."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from typing import Any

from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.explore import call
from dpcert.mechanisms.exact.outcome import fresh

__all__ = ["Stopwatch", "stopwatch"]

Stopwatch = Callable[[Sequence[int]], tuple[list[int], list[Any]]]
"""Runs a mechanism on the inputs at these positions, one after the other; returns nanoseconds and outcomes."""


def stopwatch(
    program: Callable[[Any, Coins], Any],
    inputs: Sequence[Any],
    draw: Callable[[int], int],
    *,
    clock: Callable[[], int] = time.perf_counter_ns,
) -> Stopwatch:
    """Return a stopwatch of a program whose below(d) is draw(d).

    Copies of the inputs are made before the first run and outcomes copied after the last, so that neither is timed.
    Garbage is not collected while the clock runs, but before. An exception that escapes is an outcome.

    Raises: Unauditable, when running, where the program ends with what is no outcome.
    """
    coins = Coins(Plain(draw))

    def run(value: Any) -> Any:
        return program(value, coins)

    def timed(positions: Sequence[int]) -> tuple[list[int], list[Any]]:
        copies = [fresh(inputs[position]) for position in positions]
        durations, outcomes = [0] * len(copies), [None] * len(copies)
        collecting = gc.isenabled()
        gc.collect()
        gc.disable()
        try:
            for i, value in enumerate(copies):
                start = clock()
                outcome = call(run, value)
                durations[i] = clock() - start
                outcomes[i] = outcome[0]
        finally:
            if collecting:
                gc.enable()
        return durations, [fresh(outcome) for outcome in outcomes]

    return timed
