"""The pytest plugin: every target of a test module, and every one that `[tool.dpcert] targets` names, is a test.

A refuted target fails with its pair, its event and both probabilities, an undecided one with a remedy. A target that
declares `expect="refuted"` passes when it is refuted. `[tool.dpcert]` sets time limits and the lock. Under pytest-xdist
the workers audit, each with the same lock, and the process that started them writes the report.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpcert.mechanisms.exact.errors import InputError
from dpcert.run.audits import Outcome, specs_of
from dpcert.run.config import Config, config_of
from dpcert.run.lock.lock import Lock
from dpcert.run.lock.seal import own_key
from dpcert.run.single import Invocation, audit_one
from dpcert.show.blocks import block_text, width_of_terminal
from dpcert.show.findings import findings_of, write_report
from dpcert.show.lines import result_line
from dpcert.show.place import place_of
from dpcert.show.sarif import sarif_text
from dpcert.targets.lost import lost_in, targets_in
from dpcert.targets.made import Lost, Made, noting
from dpcert.targets.named import split_target
from dpcert.targets.options import Options
from dpcert.targets.spec import FileSpec
from dpcert.targets.target import Target
from dpcert.worker.codec import decode, encode
from dpcert.worker.troubles import Trouble


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the time limit of an audit, the lock, and the report."""
    group = parser.getgroup("dpcert")
    group.addoption("--dpcert-time-limit", type=float, help="seconds of processor time for each target (default 30)")
    group.addoption("--dpcert-no-lock", action="store_true", help="neither read nor write the project's lock")
    group.addoption("--dpcert-sarif", metavar="FILE", help="write the verdicts as SARIF 2.1.0")


TOLD = "dpcert"
"""The name under which a worker of pytest-xdist gets the lock's key, and returns its results."""


class Audits:
    """The audits of one session: their options and their results; `lines` names files that could not be written."""

    def __init__(self, config: pytest.Config) -> None:
        found = config_of(config.rootpath / "pyproject.toml")
        self.config = Config() if found is None else found
        self.outcome = Outcome()
        self.made: list[Made] = []
        self.collected: list[tuple[Target, Path, str]] = []
        self.lines: list[str] = []
        self.notices: list[str] = []
        asked: float | None = config.getoption("--dpcert-time-limit")
        if asked is not None and not 0 < asked < float("inf"):
            given, remedy = f"--dpcert-time-limit {asked:g}", "write --dpcert-time-limit 60"
            raise InputError(given=given, needed="seconds above 0", remedy=remedy)
        limit = self.config.time_limit if asked is None else asked
        lock = None if config.getoption("--dpcert-no-lock") else self.config.lock
        started: dict[str, Any] = getattr(config, "workerinput", {})
        key = None if lock is None else started[TOLD] if TOLD in started else own_key()[0]
        self.run = Invocation(
            options=Options(),
            settings={},
            time_limit=30.0 if limit is None else float(limit),
            lock=None if lock is None else Lock(lock, key=key),
            budgets=self.config.budgets if asked is None else {},
            accepted=self.config.accepted,
            rounding=self.config.rounding,
        )

    def is_new(self, target: Target, path: Path, name: str) -> bool:
        """Whether a target was not collected yet under another name of its module; if so, note it."""
        homes = [(file, other) for known, file, other in self.collected if known is target]
        if not homes:
            self.collected.append((target, path, name))
        return not homes or homes[0] == (path, name)

    def has(self, spec: FileSpec) -> bool:
        """Whether the target of a spec is collected already, as where a test module imports it."""
        modules = [module for module in list(sys.modules.values()) if getattr(module, "__file__", None) == spec.path]
        meant = [vars(module).get(spec.function) for module in modules]
        return any(known is target for known, _, _ in self.collected for target in meant)

    def spec_of(self, target: Target, path: Path, name: str) -> FileSpec:
        """Return the spec of a target that a test module names.

        Where the configuration names the file that makes the target, the spec has that file, as on the command line, so
        that the lock has one key for it.
        """
        spaces = [each.space for each in self.made if each.target is target and each.space is not None]
        named = [file for text in self.config.targets if (file := split_target(text)[0]) is not None]
        for space in spaces:
            home = Path(space["__file__"]).resolve()
            names = [key for key, value in space.items() if value is target]
            if names and home != path.resolve() and any(home.is_relative_to(file) for file in named):
                return FileSpec(str(home), names[0])
        return FileSpec(str(path), name)

    def noticed(self) -> list[str]:
        """Return lines about entries of the lock that did not count and why, and about results that were not locked."""
        own = [] if self.run.lock is None else self.run.lock.notices()
        return list(dict.fromkeys([*own, *self.notices]))

    def told(self) -> str:
        """Return the results of this process, as text for `hear`."""
        return json.dumps({"outcome": encode(self.outcome), "notices": self.noticed(), "lines": self.lines})

    def hear(self, text: str) -> None:
        """Add the results of another process."""
        heard = json.loads(text)
        outcome: Outcome = decode(Outcome, heard["outcome"])
        for name in ("results", "expected", "specs", "seconds", "accepted", "troubles"):
            getattr(self.outcome, name).extend(getattr(outcome, name))
        self.notices += heard["notices"]
        self.lines += heard["lines"]


AUDITS = pytest.StashKey[Audits]()


def pytest_configure(config: pytest.Config) -> None:
    """Read the project's configuration, and the lock that it names; from now on note each target that is made."""
    try:
        audits = config.stash[AUDITS] = Audits(config)
    except InputError as error:
        raise pytest.UsageError(Trouble.of(error).line()) from None
    whole = ExitStack()
    audits.made = whole.enter_context(noting())
    config.add_cleanup(whole.close)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Hand the lock's key to a worker of pytest-xdist: it is no longer in the environment."""
    lock = node.config.stash[AUDITS].run.lock
    node.workerinput[TOLD] = None if lock is None else lock.key


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: Any) -> None:
    """Add the results of a worker of pytest-xdist; for a lost worker, add a trouble."""
    audits, text = node.config.stash[AUDITS], getattr(node, "workeroutput", {}).get(TOLD)
    if text is None:
        given = f"a worker of pytest-xdist was lost, with what it had found: {error}"
        audits.outcome.troubles.append(Trouble(given, "all results", "see its tests", 70))
    else:
        audits.hear(text)


class WrongVerdict(Exception):
    """A target whose verdict is not the declared one, or that could not be audited."""


class TargetItem(pytest.Item):
    """One claim as a test; it is audited in a child process, as by the command line."""

    def __init__(self, *, spec: FileSpec, **kwds: Any) -> None:
        super().__init__(**kwds)
        self.spec = spec

    def runtest(self) -> None:
        """Audit the target, and compare the verdict with the declared one."""
        audits = self.config.stash[AUDITS]
        found = audit_one(self.nodeid, self.spec, audits.run).answer
        if isinstance(found, Trouble):
            audits.outcome.troubles.append(found)
            raise WrongVerdict(found.line())
        audits.outcome.add(found, self.spec, 0.0, audits.run.acceptance(self.spec, found.result))
        verdict = found.result.verdict
        if verdict == found.expect:
            return
        if audits.outcome.accepted[-1] is not None:
            audits.notices.append(f"dpcert: {self.nodeid} is {verdict}, accepted {audits.outcome.accepted[-1]}")
            return
        if verdict == "verified":
            raise WrongVerdict(f"verified, but {found.expect} was expected: {result_line(found.result)}")
        raise WrongVerdict(block_text(found.result, width=width_of_terminal()))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the message alone: a traceback into the auditor helps nobody."""
        if isinstance(excinfo.value, WrongVerdict):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the place of the mechanism's definition, for pytest's headings and its JUnit XML."""
        place = place_of(self.spec, self.config.rootpath)
        return self.path, None if place is None else place.line - 1, self.name


class LostItem(pytest.Item):
    """A target that a test module makes, while no name of the module means it: always an error."""

    def __init__(self, *, lost: Lost, **kwds: Any) -> None:
        super().__init__(**kwds)
        self.lost = lost

    def setup(self) -> None:
        """Fail with the reason why nothing audits the target, and the remedy."""
        trouble = Trouble.of(self.lost.error(os.path.relpath(self.path, self.config.rootpath)))
        self.config.stash[AUDITS].outcome.troubles.append(trouble)
        pytest.fail(trouble.line(), pytrace=False)

    def runtest(self) -> None:
        """Do nothing: `setup` fails."""

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the place at which the target is made."""
        return self.path, self.lost.line - 1, self.name


def _items(
    parent: pytest.Collector | pytest.Session, specs: Iterable[FileSpec], path: Path, function: str = ""
) -> Iterator[TargetItem]:
    for spec in specs:
        point = f"[{spec.point}]" if spec.point else ""
        name = f"{function or spec.function}{point}"
        place = f"{parent.nodeid}::" if parent.nodeid else f"{os.path.relpath(path, parent.config.rootpath)}::"
        yield TargetItem.from_parent(parent, name=name, spec=spec, path=path, nodeid=f"{place}{name}")


def pytest_pycollect_makeitem(collector: Any, name: str, obj: object) -> list[TargetItem] | list[LostItem] | None:
    """Turn each target of a test module into tests with its marks; a target in a class is lost, an error."""
    if not isinstance(obj, Target):
        return None
    if not isinstance(collector, pytest.Module):
        module = collector.getparent(pytest.Module).obj
        said = any(each.target is obj and each.space is vars(module) for each in collector.config.stash[AUDITS].made)
        if said or any(obj is found for found in targets_in(module).values()):
            return []
        lost = Lost(name, 1, f"is in the class {collector.name}", "bind it to a name of its own in the test module")
        return [LostItem.from_parent(collector, name=name, lost=lost)]
    if not collector.config.stash[AUDITS].is_new(obj, collector.path, name):
        return []
    spec = collector.config.stash[AUDITS].spec_of(obj, collector.path, name)
    specs = [replace(spec, point=point) for point in range(len(obj.grid()))]
    items = list(_items(collector, specs, collector.path, name))
    for item in items:
        for mark in getattr(obj, "pytestmark", []):
            item.add_marker(getattr(pytest.mark, mark.name).with_args(*mark.args, **mark.kwargs))
    return items


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Add a test that is an error for each target of a test module that no name of it means."""
    outcome: Any = yield
    report: pytest.CollectReport = outcome.get_result()
    if isinstance(collector, pytest.Module) and report.passed:
        made = collector.config.stash[AUDITS].made
        for lost in lost_in(collector.obj, made, threads=False):
            name = f"{lost.name}[line {lost.line}]"
            report.result.append(LostItem.from_parent(collector, name=name, lost=lost))


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the targets that the project's configuration names, unless only some files were asked for."""
    if config.args_source == pytest.Config.ArgsSource.ARGS:
        return
    audits = config.stash[AUDITS]
    for text in audits.config.targets:
        outcome = Outcome()
        try:
            specs = [spec for _, spec in specs_of(text, audits.run, outcome)]
        except InputError as error:
            raise pytest.UsageError(Trouble.of(error).line()) from None
        if outcome.troubles:
            raise pytest.UsageError(outcome.troubles[0].line())
        for spec in specs:
            if not isinstance(spec, FileSpec):
                given, remedy = f"[tool.dpcert] target {text!r}", "audit what ships with `dpcert audit`"
                raise pytest.UsageError(Trouble(given, "a file or a folder", remedy, 2).line())
            if not audits.has(spec):
                items.extend(_items(session, [spec], Path(spec.path)))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Let the samples of all targets of the session share one confidence."""
    audits = session.config.stash[AUDITS]
    claims = sum(isinstance(item, TargetItem) for item in session.items)
    audits.run = replace(audits.run, options=audits.run.options.among(claims))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Write the lock and the report; a file that cannot be written is a usage error beside the results."""
    audits = session.config.stash[AUDITS]
    output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)

    def locked() -> None:
        if audits.run.lock is not None:
            audits.run.lock.save()

    def reported() -> None:
        file: str | None = session.config.getoption("--dpcert-sarif")
        if file is not None and output is None:
            findings = findings_of(audits.outcome, expect=True, folder=session.config.rootpath)
            write_report(file, sarif_text(findings, audits.outcome.status(expect=True)), "--dpcert-sarif")

    for write in (locked, reported):
        try:
            write()
        except InputError as error:
            audits.lines.append(Trouble.of(error).line())
    if audits.lines:
        session.exitstatus = pytest.ExitCode.USAGE_ERROR
    if output is not None:
        output[TOLD] = audits.told()


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: pytest.Config) -> None:
    """Print the notices of the lock, and the files that could not be written."""
    audits = config.stash[AUDITS]
    for line in [*audits.noticed(), *dict.fromkeys(audits.lines)]:
        terminalreporter.write_line(line)
