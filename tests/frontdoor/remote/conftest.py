"""What tests of executors share: a target with a grid, and a cluster."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster

import dpcert
from dpcert.targets.cases import pick

GRID = """
    import os

    @target(
        guarantee=PureDP("ln(3)"),
        inputs=[0, 1],
        neighbours="any",
        params={"d": list(range(2, 2 + POINTS)), "keep": KEEP},
    )
    def answer(bit, coins, d, keep):
        if d == ENDS:
            os._exit(1)
        return bit if coins.below(d) < keep else 1 - bit
"""
"""Points d, keep: within ln(3) where d/4 <= keep <= 3d/4."""


@pytest.fixture(name="grid")
def grid_fixture(write: Callable[..., Path]) -> Callable[..., dpcert.Target]:
    def grid(points: int, *, ends: int = -1, keep: str = "[1, 3]") -> dpcert.Target:
        text = GRID.replace("POINTS", str(points)).replace("ENDS", str(ends)).replace("KEEP", keep)
        return pick(write("grid.py", text), "answer")

    return grid


@pytest.fixture(name="cluster", scope="module")
def cluster_fixture() -> Iterator[Any]:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as cluster:
        yield cluster
