"""Sweeps over grids, and releases of parts, by threads, processes and a cluster."""

import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster
from sweeps import CHECKED, EXECUTORS, UNREAD, expected, verdicts, without_place

import dpcert
from dpcert.mechanisms.exact.errors import InputError
from dpcert.run import pool
from dpcert.targets.cases import pick
from dpcert.worker.result import result_json


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["threads", pytest.param("processes", marks=pytest.mark.nightly), "dask"])
def test_a_sweep_is_the_same_through_any_executor(grid: Any, cluster: Any, name: str) -> None:
    target = grid(4)
    here = list(dpcert.sweep(target))
    assert verdicts(here) == [(d, keep, expected(d, keep)) for d in range(2, 6) for keep in (1, 3)]
    with EXECUTORS[name](cluster) as executor:
        assert without_place(list(dpcert.sweep(target, executor=executor, jobs=2))) == without_place(here)


@pytest.mark.nightly
def test_a_point_of_a_group_is_what_it_is_by_itself(grid: Any, command: Any) -> None:
    """One point ends its process, of a grid whose points share processes; the others do not notice."""
    target = grid(6, ends=4)
    swept = list(dpcert.sweep(target))
    assert verdicts(swept) == [
        (d, keep, "undecided" if d == 4 else expected(d, keep)) for d in range(2, 8) for keep in (1, 3)
    ]
    (ended,) = {point.result.reason for point in swept if point.parameters["d"] == 4}
    assert "the process ended with status 1" in ended
    path = target.function.__code__.co_filename
    for d in (4, 5):
        (alone,) = command("audit", f"{path}:answer", "--set", f"d={d}", "--set", "keep=3", "--json").document[
            "results"
        ]
        (same,) = [result_json(p.result) for p in swept if p.parameters == {"d": d, "keep": 3}]
        assert {**alone, "target": ""} == {**same, "target": ""}


def kill_one(pids: Callable[[], Sequence[int]], after: threading.Event) -> threading.Thread:
    """Kill the first worker as soon as the first result is there."""

    def wait_and_kill() -> None:
        after.wait(60)
        os.kill(pids()[0], signal.SIGKILL)

    thread = threading.Thread(target=wait_and_kill)
    thread.start()
    return thread


def swept_with_a_killed_worker(
    target: dpcert.Target, executor: Executor, pids: Callable[[], Sequence[int]], **options: Any
) -> list[dpcert.Swept]:
    first = threading.Event()
    killer = kill_one(pids, first)
    found = []
    for point in dpcert.sweep(target, executor=executor, **options):
        found.append(point)
        first.set()
    killer.join()
    return found


@pytest.mark.nightly
def test_a_sweep_survives_a_broken_pool_of_processes(grid: Any) -> None:
    target = grid(8)
    with pool.processes(2) as executor:
        found = swept_with_a_killed_worker(target, executor, lambda: list(executor._processes), jobs=2)
    assert verdicts(found) == [(d, keep, expected(d, keep)) for d in range(2, 10) for keep in (1, 3)]


@pytest.mark.nightly
def test_a_sweep_of_ten_thousand_points_survives_a_killed_worker(grid: Any) -> None:
    target = grid(5000)
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as own,
        Client(own) as client,
    ):
        executor = client.get_executor(pure=False)
        found = swept_with_a_killed_worker(target, executor, lambda: list(client.run(os.getpid).values()))
    assert verdicts(found) == [(d, keep, expected(d, keep)) for d in range(2, 5002) for keep in (1, 3)]


STOPS = """
    import os, rules

    @target(guarantee=PureDP(1), inputs=range(4), neighbours="counts_differ_by_one")
    def ends(count, coins):
        if count == 3:
            os._exit(0)
        return count + coins.below(rules.SIDES)
"""


@pytest.mark.nightly
def test_what_was_refuted_before_a_worker_s_process_stopped_is_refuted(write: Any) -> None:
    """The certificate comes home, and the files that were read until then are held to those here."""
    write("rules.py", "SIDES = 4", head="")
    target = pick(write("stops.py", STOPS), "ends")
    (here,) = dpcert.sweep(target)
    with ThreadPoolExecutor(1) as executor:
        (there,) = dpcert.sweep(target, executor=executor)
    assert (there.verdict, there.result) == ("refuted", here.result)
    assert there.result.notes[-1].endswith("the process ended with status 0")


@pytest.mark.nightly
def test_a_check_is_the_same_through_an_executor(write: Any) -> None:
    """What cannot be read is undecided in both places: a check never samples."""
    path = write("checked.py", CHECKED + UNREAD)
    with ThreadPoolExecutor(1) as executor:
        kinds = {"holds": "verified", "fails": "refuted", "opens": "undecided", "unread": "undecided"}
        for name, verdict in kinds.items():
            target = pick(path, name)
            here, there = dpcert.audit(target), dpcert.audit(target, executor=executor)
            assert there.verdict == here.verdict == verdict
            unlike = {"target", "notes", "ideal", "class"}  # a child process looks at ideal noise beside it
            one, other = ({k: v for k, v in each.as_json().items() if k not in unlike} for each in (there, here))
            assert one == other


def test_refused_what_no_other_process_finds() -> None:
    @dpcert.target(guarantee=dpcert.PureDP("1"), inputs=[0, 1], neighbours="any")
    def local(bit: int, coins: dpcert.Coins) -> int:
        return coins.below(2)

    with ThreadPoolExecutor(1) as executor:
        with pytest.raises(InputError, match="a target that other processes can find"):
            dpcert.audit(local, executor=executor)
        with pytest.raises(InputError, match="a target that other processes can find"):
            next(dpcert.sweep(local))


@pytest.mark.nightly
def test_refused_a_sweep_without_jobs_or_time(grid: Any) -> None:
    for jobs in (0, -1):
        with pytest.raises(InputError, match="at least one job"):
            next(dpcert.sweep(grid(2), jobs=jobs))
    for limit in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(InputError, match="seconds above 0"):
            next(dpcert.sweep(grid(2), time_limit=limit))


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
