"""What the tests of coverage share: work that no other tracer watches."""

import _thread
from collections.abc import Callable
from typing import Any, TypeVar

from dpcert.audit.coverage import Coverage
from dpcert.reading.paths.watch import refuse_hidden_randomness

R = TypeVar("R")


def alone(work: Callable[[], R]) -> R:
    """Do some work in a thread that no tracer follows: the tests themselves may be traced."""
    found: list[R] = []
    done = _thread.allocate_lock()

    def run() -> None:
        try:
            found.append(work())
        finally:
            done.release()

    done.acquire()
    _thread.start_new_thread(run, ())
    with done:
        (result,) = found
    return result


def loops(x: int) -> int:
    total = 0
    for i in range(x):
        total += i
        if i > 50:
            break
    else:
        total = -1
    while x > 0:
        x -= 1
        if x == 77:
            continue
        total += 1
    return total


def watch(program: Callable[[int], Any], *inputs: int) -> Coverage:
    def work() -> Coverage:
        coverage = Coverage(program)
        for x in inputs:
            with coverage.observe() as observer, refuse_hidden_randomness(observer):
                program(x)
        return coverage

    return alone(work)
