"""The pytest plugin: every target of a test module, and every one that `[tool.dpcert] targets` names, is a test.

A refuted target fails with its pair, its event and both probabilities; an undecided one is an error, never a pass. A
target that declares `expect="refuted"` passes when it is refuted.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dpcert.cases import Options, Spec
from dpcert.mechanisms.exact.errors import InputError
from dpcert.render import regression_line, result_line, witness_lines
from dpcert.run import Outcome, Run, Trouble, audit_one, specs_of
from dpcert.targets import Target

__all__ = ["TargetItem"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the time limit of an audit."""
    group = parser.getgroup("dpcert")
    group.addoption("--dpcert-time-limit", type=float, default=30.0, help="seconds for each target (default 30)")


class WrongVerdict(Exception):
    """A target whose verdict is another than the one that it declares."""


class TargetItem(pytest.Item):
    """One claim as a test; it is audited in a child process, as by the command line."""

    def __init__(self, *, spec: Spec, **kwds: Any) -> None:
        super().__init__(**kwds)
        self.spec = spec
        self.result: dict[str, Any] = {}
        self.expected = "verified"

    def setup(self) -> None:
        """Audit the target; what leaves it undecided is an error of the test, not a failure."""
        run = Run(options=Options(), settings={}, time_limit=self.config.getoption("--dpcert-time-limit"))
        found = audit_one(self.nodeid, self.spec, run)
        if isinstance(found, Trouble):
            pytest.fail(found.line(), pytrace=False)
        self.result, self.expected = found
        if self.result["verdict"] == "undecided" != self.expected:
            pytest.fail(f"undecided: {result_line(self.result)}", pytrace=False)

    def runtest(self) -> None:
        """Compare the verdict with the declared one."""
        verdict = self.result["verdict"]
        if verdict == self.expected:
            return
        if verdict == "refuted":
            raise WrongVerdict("\n".join([*witness_lines(self.result), *regression_line(self.result, self.spec)]))
        raise WrongVerdict(f"{verdict}, but {self.expected} was expected: {result_line(self.result)}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the message alone: a traceback into the auditor helps nobody."""
        if isinstance(excinfo.value, WrongVerdict):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return where the test is, for pytest's headings."""
        return self.path, None, self.name


def _items(parent: pytest.Collector | pytest.Session, specs: Iterable[Spec], path: Path) -> Iterator[TargetItem]:
    for spec in specs:
        point = f"[{spec['point']}]" if spec["point"] else ""
        name = f"{spec['function']}{point}"
        place = f"{parent.nodeid}::" if parent.nodeid else f"{os.path.relpath(path, parent.config.rootpath)}::"
        yield TargetItem.from_parent(parent, name=name, spec=spec, path=path, nodeid=f"{place}{name}")


def pytest_pycollect_makeitem(collector: Any, name: str, obj: object) -> list[TargetItem] | None:
    """Turn each target of a test module into tests."""
    if not isinstance(obj, Target):
        return None
    module = collector.getparent(pytest.Module)
    specs: list[Spec] = [
        {"path": str(module.path), "function": name, "point": point} for point in range(len(obj.grid()))
    ]
    return list(_items(collector, specs, module.path))


def _named(config: pytest.Config) -> list[str]:
    file = config.rootpath / "pyproject.toml"
    if not file.is_file():
        return []
    targets = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {}).get("dpcert", {}).get("targets", [])
    if not isinstance(targets, list) or not all(isinstance(text, str) for text in targets):
        raise pytest.UsageError('[tool.dpcert] targets: needed: a list of texts; write targets = ["FILE.py:function"]')
    return targets


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the targets that the project's configuration names, unless only some files were asked for."""
    if config.args_source == pytest.Config.ArgsSource.ARGS:
        return
    run = Run(options=Options(), settings={}, time_limit=config.getoption("--dpcert-time-limit"))
    for text in _named(config):
        outcome = Outcome()
        try:
            specs = [spec for _, spec in specs_of(str(config.rootpath / text), run, outcome)]
        except InputError as error:
            outcome.troubles.append(Trouble.of(error))
            specs = []
        if outcome.troubles:
            raise pytest.UsageError(outcome.troubles[0].line())
        for spec in specs:
            items.extend(_items(session, [spec], Path(spec["path"])))
