"""A release over parts of the data: workers count, one process draws; the same answer when a worker is killed."""

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster
from sweeps import EXECUTORS

import dpcert
from dpcert.mechanisms.exact.errors import InputError

GIVEN: dict[str, Any] = {"settings": {"rate": "1/2", "threshold": "5"}, "epsilon": "ln(3)"}


def parts(folder: Path, many: int, rows: int) -> list[Path]:
    made = [folder / f"part-{part}.txt" for part in range(many)]
    for part, path in enumerate(made):
        path.write_text("".join(f"w{(part + row * row) % 97}\n" for row in range(rows)))
    return made


def released(data: list[Path], out: Path, **given: Any) -> dpcert.Release:
    return dpcert.release("sample-threshold-histogram", data, out, coins=dpcert.seeded_coins(6), **{**GIVEN, **given})


@pytest.mark.parametrize("name", ["threads", pytest.param("dask", marks=pytest.mark.nightly)])
def test_parts_are_released_as_one_through_any_executor(tmp_path: Path, request: Any, name: str) -> None:
    data = parts(tmp_path, 5, 300)
    here = released(data, tmp_path / "here.json")
    with EXECUTORS[name](request.getfixturevalue("cluster") if name == "dask" else None) as executor:
        there = released(data, tmp_path / "there.json", executor=executor)
    assert there == here
    whole = tmp_path / "whole.txt"
    whole.write_text("".join(path.read_text() for path in data))
    assert released([whole], tmp_path / "out.json").released == here.released


def test_a_bad_row_of_a_part_is_named_and_nothing_is_spent(tmp_path: Path) -> None:
    data, budget = parts(tmp_path, 3, 20), tmp_path / "budget.json"
    dpcert.Budget.create(budget, epsilon=10, delta="1/10", neighbours="add-remove")
    data[1].write_text("cat\n\n")
    with ThreadPoolExecutor(2) as executor, pytest.raises(InputError, match=r"part-1\.txt, line 2: no value"):
        released(data, tmp_path / "out.json", executor=executor, budget=budget)
    assert dpcert.Budget.open(budget).spent().rounds == 0
    assert not (tmp_path / "out.json").exists()


@pytest.mark.nightly
def test_a_release_survives_a_killed_worker_of_a_cluster(tmp_path: Path) -> None:
    data, budget = parts(tmp_path, 12, 200_000), tmp_path / "budget.json"
    here = released(data, tmp_path / "here.json")
    dpcert.Budget.create(budget, epsilon=10, delta="1/10", neighbours="add-remove")
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as own,
        Client(own) as client,
    ):
        victim = next(iter(client.run(os.getpid).values()))

        def kill() -> None:
            time.sleep(0.3)
            os.kill(victim, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        there = released(data, tmp_path / "there.json", executor=client.get_executor(pure=False), budget=budget)
        killer.join()
    assert there.released == here.released
    assert dpcert.Budget.open(budget).spent().rounds == 1
