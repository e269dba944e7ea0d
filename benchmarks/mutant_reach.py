"""Note which test runs which line of a package, and for how long."""

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import coverage
import pytest


@dataclass(slots=True)
class Reached:
    """What a run of all tests found: the seconds of each test, and the tests that reach each line."""

    seconds: dict[str, float]
    tests: dict[tuple[str, int], list[str]]
    early: set[tuple[str, int]]  # lines that imports or collection reach


class Tracer:
    """A pytest plugin that notes which test runs which line of some files, and for how long."""

    def __init__(self, package: Path, paths: Iterable[str]) -> None:
        self.package, files = package, [str(package / path) for path in paths]
        self.coverage = coverage.Coverage(data_file=None, config_file=False, include=files, messages=False)
        self.contexts = [""]  # that of imports and of files named conftest.py
        self.early = {""}
        self.stopped = False
        self.fixtures: dict[str, list[str]] = {}
        self.seconds: dict[str, float] = {}

    @contextmanager
    def noted(self, name: str) -> Iterator[None]:
        """Note what runs inside under the name of a test, a fixture or a file, until the tracer is stopped."""
        if self.stopped:
            yield
            return
        self.contexts.append(name)
        self.coverage.switch_context(name)
        try:
            yield
        finally:
            self.contexts.pop()
            if not self.stopped:
                self.coverage.switch_context(self.contexts[-1])

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: Any) -> Any:
        self.early.add(str(collector.nodeid))
        with self.noted(str(collector.nodeid)):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Any:
        with self.noted(f"fixture {fixturedef.argname}"):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Any:
        start = time.process_time()
        with self.noted(item.nodeid):
            result = yield
        self.seconds[item.nodeid] = time.process_time() - start
        self.fixtures[item.nodeid] = [f"fixture {name}" for name in item.fixturenames]
        return result

    def stop(self) -> None:
        """Note nothing any more."""
        self.coverage.stop()
        self.stopped = True

    def lines(self) -> dict[str, set[tuple[str, int]]]:
        """Return the lines noted under each name."""
        found: dict[str, set[tuple[str, int]]] = defaultdict(set)
        data = self.coverage.get_data()
        for file in data.measured_files():
            path = str(Path(file).relative_to(self.package))
            for line, names in data.contexts_by_lineno(file).items():
                for name in names:
                    found[name].add((path, line))
        return found

    def reached(self, before: dict[str, set[tuple[str, int]]]) -> dict[str, Any]:
        """Return the fields of `Reached`; what a test shares with others is reached by each of them."""
        lines = self.lines()
        for name, places in before.items():
            lines[name] |= places
        tests: dict[tuple[str, int], list[str]] = defaultdict(list)
        for test, fixtures in self.fixtures.items():
            for place in set().union(*(lines[name] for name in ("", test.partition("::")[0], *fixtures, test))):
                tests[place].append(test)
        early = [list(place) for name in self.early for place in lines[name]]
        return {"seconds": self.seconds, "tests": [[*place, names] for place, names in tests.items()], "early": early}
