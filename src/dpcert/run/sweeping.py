"""`dpcert.sweep`: every point of a target's grid, audited in child processes, here or through an executor."""

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

from dpcert.mechanisms.exact.errors import InputError
from dpcert.run.batches import auditing
from dpcert.run.remote import Remote
from dpcert.run.single import Invocation, audit_one
from dpcert.targets.cases import Case
from dpcert.targets.locating import locate, located, need_target
from dpcert.targets.options import Options
from dpcert.targets.target import Target
from dpcert.worker.process import Children
from dpcert.worker.result import Result
from dpcert.worker.troubles import Trouble

IN_FLIGHT = 8
"""The number of jobs that an executor gets at a time by default."""
LIMIT = 30.0


@dataclass(frozen=True, slots=True)
class Swept:
    """One point of a sweep: its parameters, and the result of its audit."""

    parameters: dict[str, Any]
    result: Result

    @property
    def verdict(self) -> str:
        """ "verified", "refuted" or "undecided"."""
        return self.result.verdict


def sweep(
    target: Target,
    *,
    options: Options | None = None,
    executor: Executor | None = None,
    jobs: int | None = None,
    time_limit: float = LIMIT,
) -> Iterator[Swept]:
    """Audit a target at every point of its `params` grid, and yield the results in the order of the grid.

    Audits run in child processes, `jobs` at a time: 1 by default, or 8 with an executor, whose workers then start the
    processes. A job that the executor loses, as when a worker is killed, runs here. Points that follow each other share
    a process; a point that ends it, or takes more than `time_limit` seconds of processor time, is audited by itself.

    Raises: InputError, at the first result, for an object that is no target or lies in no file, for fewer than one job,
            or no time; the errors of the audit.
    """
    need_target(target)
    if jobs is not None and jobs < 1:
        raise InputError(given=f"jobs={jobs}", needed="at least one job", remedy="write jobs=2")
    if not 0 < time_limit < float("inf"):
        raise InputError(given=f"time_limit={time_limit:g}", needed="seconds above 0", remedy="write time_limit=60")
    first = located(target, locate(target, 0))
    children = Children() if executor is None else Remote(executor)
    jobs = (1 if executor is None else IN_FLIGHT) if jobs is None else jobs
    run = Invocation(options or Options(), {}, time_limit, jobs=jobs, children=children)
    grid = target.grid()
    specs = [(target.name, replace(first, point=i)) for i in range(len(grid))]
    points = iter(grid)
    with auditing(specs, run) as coming:
        for _, future in coming:
            found = future.result()
            for timed in found if isinstance(found, list) else [found]:
                if isinstance(timed.answer, Trouble):
                    raise timed.answer.error()
                yield Swept(next(points), timed.answer.result)


def result_elsewhere(case: Case, options: Options, executor: Executor, time_limit: float = LIMIT) -> Result:
    """Return the result of a case from a worker of an executor, which runs the kernel and the second computation.

    Raises: InputError as the audit does; ChildFailed for an error of our own.
    """
    run = Invocation(replace(options, exact=True), {}, time_limit, children=Remote(executor))
    answer = audit_one(case.subject.name, case.spec, run).answer
    if isinstance(answer, Trouble):
        raise answer.error()
    return answer.result
