"""What holds for all tests: how many examples a property is tried on, what is nightly, what a run costs, and that
programs know of no other test.

A plain run tries each property on 10 examples, the same in every run; `--hypothesis-profile=thorough` on 400 new ones.
Of a grid marked `points(n)` it takes n points, spread evenly over the grid; the others are nightly.
"""

import gc
import resource
import signal
import sys
from collections.abc import Generator, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import settings

# A time limit on each example tells how busy the machine is, and nothing of the property.
settings.register_profile("short", deadline=None, max_examples=10, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=400)
settings.load_profile("short")


BUDGET = 600
"""Seconds of processor time for a plain run of all tests: 5 minutes on two processors."""
DEAR = 2.0
"""Seconds from which a test is named after the run."""
COST = "processor seconds"
BEGIN = pytest.StashKey[float]()


def spent() -> float:
    """Return the processor seconds of this process and of those that it started and waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in used)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[BEGIN] = spent()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    if call.when == "teardown":
        item.user_properties.append((COST, round(spent() - item.stash[BEGIN], 3)))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what the run cost, so that growth is seen, and which tests cost much."""
    reports = [report for some in terminalreporter.stats.values() for report in some]
    costs = {
        report.nodeid: dict(report.user_properties)[COST]
        for report in reports
        if getattr(report, "when", None) == "teardown" and COST in dict(report.user_properties)
    }
    terminalreporter.section(f"processor time: {spent():.0f} s; a plain run of all tests has {BUDGET} s")
    for name, cost in sorted(costs.items(), key=lambda item: -item[1]):
        if cost >= DEAR:
            terminalreporter.line(f"{cost:7.1f} s  {name}")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect the tests without collecting garbage: all that is made then is kept, and never looked at again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Mark as nightly what `points` leaves of each grid."""
    grids: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("points") is not None:
            grids.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for grid in grids.values():
        mark = grid[0].get_closest_marker("points")
        assert mark is not None
        (points,) = mark.args
        plain = {position * len(grid) // points for position in range(points)}
        for position, item in enumerate(grid):
            if position not in plain:
                item.add_marker(pytest.mark.nightly)


@pytest.fixture
def at_once() -> Iterator[None]:
    """End a test after 20 seconds of processor time: for work that is short, or else takes hours.

    The limit is a hundred times what the slowest needs, so that no busy machine reaches it.
    """

    def late(number: int, frame: object) -> None:
        raise AssertionError("it takes 20 seconds of processor time, and was to take none to speak of")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, 20)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


@pytest.fixture(scope="session", autouse=True)
def alone() -> Iterator[None]:
    """Hide from the programs that a test starts, pytest among them, that it is one of several workers."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_XDIST_TESTRUNUID"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(scope="module", autouse=True)
def without_others(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hide the modules of all other tests: a program that looks up names among modules would reach what they hold."""
    tests = {name: module for name, module in sys.modules.items() if name.startswith("tests.") and ".test_" in name}
    others = {name: module for name, module in tests.items() if module is not request.module}
    for name in others:
        del sys.modules[name]
    yield
    sys.modules.update(others)
