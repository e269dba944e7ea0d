"""One claim: what a call asked of its audit, and the audit in a child process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from dpcert.mechanisms.exact.errors import DpcertError, InputError, Unauditable
from dpcert.run.lock.lock import Lock
from dpcert.targets.cases import Options, Spec, case_of
from dpcert.unbounded.auditing import describe_unbounded, is_unbounded
from dpcert.worker.process import Children, delivered
from dpcert.worker.results import SAMPLED, described, undecided_result
from dpcert.worker.troubles import ChildEnded, ChildFailed, TimedOut, Trouble

__all__ = ["Run", "audit_one"]


@dataclass(frozen=True, slots=True)
class Run:
    """What one call of the command line asked for; `unwritten` collects which certificates could not be written."""

    options: Options
    settings: dict[str, str]
    time_limit: float
    certificates: str | None = None
    jobs: int = 1
    children: Children = field(default_factory=Children)
    lock: Lock | None = None
    budgets: Mapping[str, float] = field(default_factory=dict)
    unwritten: list[Trouble] = field(default_factory=list)

    def budgeted(self, spec: Spec) -> Run:
        """Return the run with the time limit that `budgets` has for a target, by FILE.py:function, FILE.py or name."""
        names = [spec["name"]] if "name" in spec else [f"{spec['path']}:{spec['function']}", spec["path"]]
        found = [self.budgets[name] for name in names if name in self.budgets]
        return replace(self, time_limit=found[0]) if found else self

    def ask(self, job: dict[str, Any]) -> dict[str, Any]:
        """Run a job in a child process within the time limit and return its answer."""
        return self.children.ask(job, timeout=self.time_limit)


def audit_one(
    label: str, spec: Spec, run: Run, *, answer: dict[str, Any] | None = None
) -> tuple[dict[str, Any], str] | Trouble:
    """Audit one claim in a child process; a child that fails or is stopped leaves an undecided result.

    With an `answer` that a child process gave already, nothing is run.
    """
    whole, run = run, run.budgeted(spec)
    job = {"op": "audit", "spec": spec, "options": asdict(run.options), "certificates": run.certificates}
    try:
        lock = None if run.options.sampling else run.lock
        if answer is not None:
            found = delivered(answer)
        else:
            found = run.ask(job) if lock is None else lock.audited(job, run.ask, label)
        found["result"]["target"] = label
        if "unwritten" in found:
            run.unwritten.append(Trouble(**found["unwritten"], status=2))
        return found["result"], found["expect"]
    except ChildEnded as error:
        if "name" in spec and error.status >= 0:  # a built-in does not end its process
            return Trouble.of(ChildFailed(str(error)))
        reason = str(error)
    except (TimedOut, Unauditable) as error:
        reason = str(error)
    except InputError as error:
        given = error.given if "name" in spec or spec["path"] in error.given else f"{label}: {error.given}"
        return Trouble(given, error.needed, error.remedy, 2)
    except DpcertError as error:
        return Trouble.of(error)
    try:
        found = _describe(spec, whole)
        how = SAMPLED if run.options.sampling else {}
        return undecided_result({**found["description"], **how, "target": label}, reason), found["expect"]
    except DpcertError as error:
        return Trouble.of(error)


def _describe(spec: Spec, run: Run) -> dict[str, Any]:
    if "name" in spec:
        if is_unbounded(spec, run.options):
            return {"description": describe_unbounded(spec, run.options), "expect": "verified"}
        case = case_of(spec, run.options)
        return {"description": described(case), "expect": case.expect}
    return run.ask({"op": "describe", "spec": spec, "options": asdict(run.options)})
