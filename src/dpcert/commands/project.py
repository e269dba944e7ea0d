"""The options of `dpcert audit` for a project: its defaults, a lock, --changed, and reports for other tools."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpcert.commands.options import is_given, not_both
from dpcert.mechanisms.exact.errors import InputError
from dpcert.run.audits import Outcome
from dpcert.run.config import Config, config_near
from dpcert.run.single import Invocation
from dpcert.targets.spec import Spec
from dpcert.worker.troubles import Trouble

if TYPE_CHECKING:
    from dpcert.run.lock.changed import Unchanged
    from dpcert.run.lock.lock import Lock


def project_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command with the options of this module."""
    for option in (
        click.option("--lock", metavar="FILE", help="Keep verdicts here, and find only what has changed."),
        click.option("--no-lock", is_flag=True, help="Neither read nor write the project's lock."),
        click.option("--relock", is_flag=True, help="Find everything anew, and write the lock."),
        click.option(
            "--changed",
            is_flag=False,
            flag_value="HEAD",
            metavar="[BASE]",
            help="Only what has changed since this commit; HEAD by default.",
        ),
        click.option("--junit", metavar="FILE", help="Write the results as JUnit XML, too."),
        click.option("--sarif", metavar="FILE", help="Write the results as SARIF 2.1.0, too."),
        click.option("--code-quality", metavar="FILE", help="Write the findings for GitLab's merge requests, too."),
    ):
        command = option(command)
    return command


def lock_of(path: Path, *, trusting: bool = True) -> tuple[Lock, list[str]]:
    """Return a lock with the user's key, and lines to print where there is no key.

    Raises: InputError where the file is no lock.
    """
    from dpcert.run.lock.lock import Lock
    from dpcert.run.lock.seal import own_key

    key, reason = own_key()
    lines = [] if key is not None else [f"dpcert: {path.name} is not used, as there is no key to seal it: {reason}"]
    return Lock(path, trusting=trusting, key=key), lines


@dataclass(frozen=True, slots=True)
class Project:
    """One run of `dpcert audit` in a project: the options of the command line, and else those of the project."""

    targets: tuple[str, ...]
    run: Invocation
    expect: bool
    change: Unchanged | None
    reports: dict[str, str]
    lines: tuple[str, ...]

    @classmethod
    def of(cls, targets: tuple[str, ...], run: Invocation, *, expect: bool, chosen: dict[str, Any]) -> Project:
        """Return the project that a command line audits; `chosen` has the options of `project_options`, and `dask`.

        Raises: InputError for an invalid configuration or lock, and for an unknown commit.
        """
        here = Path.cwd()
        config = config_near(here)
        if chosen["lock"] is not None and chosen["no_lock"]:
            raise not_both(f"--lock {chosen['lock']}", "--no-lock")
        reports = {
            option: chosen[name]
            for option, name in (("--junit", "junit"), ("--sarif", "sarif"), ("--code-quality", "code_quality"))
            if chosen[name] is not None
        }
        files: dict[str, str] = {}
        for option, name in reports.items():
            if files.setdefault(os.path.realpath(name), option) != option:
                given = f"{files[os.path.realpath(name)]} and {option} {name}"
                raise InputError(given=given, needed="a file for each", remedy="name another for one of them")
        if chosen["dask"] is not None and (chosen["lock"] is not None or chosen["relock"]):
            raise not_both("a lock", "--dask", "what is found elsewhere is not locked")
        if chosen["changed"] is not None and chosen["relock"]:
            raise not_both("--changed", "--relock", "what is unchanged is not found anew")
        if run.options.sampling and chosen["relock"]:
            how = "--sampling" if run.options.timing is None else "--timing"
            raise not_both("--relock", how, "what samples show is never locked")
        path = None if chosen["lock"] is None else Path(chosen["lock"])
        if path is None and not chosen["no_lock"] and chosen["dask"] is None:
            path = config.lock
        if chosen["relock"] and path is None:
            remedy = "add --lock FILE, or lock to [tool.dpcert]"
            raise InputError(given="--relock", needed="a lock to write", remedy=remedy)
        run = with_defaults(run, config)
        lock, lines = (None, []) if path is None else lock_of(path, trusting=not chosen["relock"])
        run = replace(run, lock=lock)
        change = None
        if chosen["changed"] is not None:
            from dpcert.run.lock.changed import Unchanged, base_of

            key = None if lock is None else lock.key
            change = Unchanged(base_of(chosen["changed"], here), path, run.options, run.recorded, key)
        return cls(
            targets=targets or tuple(_near(text, here) for text in config.targets) or ("",),
            run=run,
            expect=expect or bool(config.expect),
            change=change,
            reports=reports,
            lines=tuple(lines),
        )

    def unchanged(self, spec: Spec) -> str | None:
        """Return why a target need not be audited; None for one to audit."""
        return None if self.change is None else self.change.reason(spec)

    def report(self, outcome: Outcome) -> None:
        """Write the reports that the options name; a report that cannot be written is trouble of the outcome."""
        if not self.reports:
            return
        from dpcert.show.findings import code_quality_text, findings_of, junit_text, sarif_text, write_report

        status = outcome.status(expect=self.expect)
        findings = findings_of(outcome, expect=self.expect, folder=Path.cwd())
        texts: dict[str, Callable[[], str]] = {
            "--junit": lambda: junit_text(findings),
            "--sarif": lambda: sarif_text(findings, status),
            "--code-quality": lambda: code_quality_text(findings),
        }
        for option, path in self.reports.items():
            try:
                write_report(path, texts[option](), option)
            except InputError as error:
                outcome.troubles.append(Trouble.of(error))

    def notices(self, outcome: Outcome) -> list[str]:
        """Return lines for standard error: the skipped entries of the lock, and accepted findings that are verified."""
        changed = [] if self.change is None else self.change.notices()
        stale = [
            f"dpcert: {result.target} is verified, and accepted {accepted.words()}; remove that entry"
            for result, spec in zip(outcome.results, outcome.specs, strict=True)
            if result.verdict == "verified" and (accepted := self.run.acceptance(spec, result)) is not None
        ]
        return [*self.lines, *changed, *stale, *([] if self.run.lock is None else self.run.lock.notices())]


def with_defaults(run: Invocation, config: Config) -> Invocation:
    """Return the run with the project's accepted findings, and its time limits and jobs as defaults."""
    run = replace(run, accepted=config.accepted, rounding=config.rounding)
    if config.jobs is not None and not is_given("jobs"):
        run = replace(run, jobs=config.jobs)
    if is_given("time_limit"):
        return run
    limit = run.time_limit if config.time_limit is None else float(config.time_limit)
    return replace(run, time_limit=limit, budgets=config.budgets)


def _near(text: str, here: Path) -> str:
    """Return a target's text with its absolute path written relative to a folder above it."""
    if not os.path.isabs(text) or not text.startswith(f"{here}{os.sep}"):
        return text
    short = os.path.relpath(text, here)
    return short if os.sep in short or short.rpartition(":")[0].endswith(".py") else os.path.join(".", short)
