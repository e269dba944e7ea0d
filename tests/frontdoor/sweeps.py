"""Executors to sweep through, what a sweep is to find, and a file of three claims."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

from distributed import Client

import dpcert
from dpcert.run import pool
from dpcert.worker.result import result_json

CHECKED = """
    BITS = dict(inputs=[0, 1], neighbours="any")

    def keep(bit, coins):
        return bit if coins.below(4) < 3 else 1 - bit

    def prints(bit, coins):
        return str(coins.below(2**64))

    holds = target(guarantee=PureDP("ln(3)"), **BITS)(keep)
    fails = target(guarantee=PureDP("ln(2)"), **BITS)(keep)
    opens = target(guarantee=PureDP(0), **BITS)(prints)
"""

UNREAD = """
    @target(guarantee=PureDP("1/100"), **BITS)
    def unread(bit, rng):
        return bit + rng.normal()
"""


@contextlib.contextmanager
def dask(cluster: Any) -> Iterator[Executor]:
    with Client(cluster) as client:
        yield client.get_executor(pure=False)


EXECUTORS: dict[str, Callable[[Any], Any]] = {
    "threads": lambda cluster: ThreadPoolExecutor(2),
    "processes": lambda cluster: pool.processes(2),
    "dask": dask,
}


def expected(d: int, keep: int) -> str:
    """Return the verdict in one line of arithmetic; above d the bit is always kept, which refutes."""
    kept = min(keep, d)
    return "verified" if kept <= 3 * (d - kept) and d - kept <= 3 * kept else "refuted"


def verdicts(swept: Sequence[dpcert.Swept]) -> list[tuple[int, int, str]]:
    return [(point.parameters["d"], point.parameters["keep"], point.verdict) for point in swept]


def without_place(swept: Sequence[dpcert.Swept]) -> list[dict[str, Any]]:
    return [{**result_json(point.result), "versions": None} for point in swept]
