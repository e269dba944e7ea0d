"""Durations of single runs: a monotonic clock around the program alone, garbage collection off."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from typing import Any

from dpcert.audit.sampling.failures import Failures
from dpcert.mechanisms.exact.coins import Coins, Plain
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import call
from dpcert.mechanisms.exact.outcome import fresh

Stopwatch = Callable[[Sequence[int]], tuple[list[int], list[Any]]]
"""Runs a mechanism on the inputs at these positions, one after the other; returns nanoseconds and outcomes."""


def stopwatch(
    program: Callable[[Any, Coins], Any],
    failures: Failures,
    draw: Callable[[int], int],
    *,
    clock: Callable[[], int] = time.perf_counter_ns,
) -> Stopwatch:
    """Return a stopwatch of a program on the inputs of `failures`, whose below(d) is draw(d).

    Copies of the inputs are made before the first run and outcomes copied after the last, so that neither is timed.
    Garbage is not collected while the clock runs, but before. An exception that escapes is an outcome, and one of the
    `failures`.

    Raises: Unauditable, when running, where the program ends with anything but an outcome, or ends most runs on an
            input in one exception.
    """
    coins = Coins(Plain(draw))

    def run(value: Any) -> Any:
        return program(value, coins)

    def timed(positions: Sequence[int]) -> tuple[list[int], list[Any]]:
        copies = [fresh(failures.inputs[position]) for position in positions]
        durations = [0] * len(copies)
        ended: list[tuple[Any, Exception | None]] = [(None, None)] * len(copies)
        collecting = gc.isenabled()
        gc.collect()
        gc.disable()
        try:
            for i, value in enumerate(copies):
                start = clock()
                outcome = call(run, value)
                durations[i] = clock() - start
                ended[i] = outcome
        except Unauditable as refusal:
            raise failures.named(positions[i], refusal) from None
        finally:
            if collecting:
                gc.enable()
        return durations, [failures.kept(position, *found) for position, found in zip(positions, ended, strict=True)]

    return timed
