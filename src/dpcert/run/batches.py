"""Many audits: so many at a time, those of one target's grid together in one child process, results in order."""

import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from dpcert.mechanisms.exact.errors import DpcertError
from dpcert.run.single import Invocation, audit_one
from dpcert.targets.spec import FileSpec, Spec
from dpcert.worker.failure import Failure
from dpcert.worker.jobs import Alone, Audited, AuditMany
from dpcert.worker.troubles import Trouble

MOST_TOGETHER = 32
"""How many points of a grid share a child process at the most."""
SPREAD = 4
"""How many chunks there are for each job at the least, so that none waits long for the last."""

Labelled = tuple[str, Spec]


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """What came of one claim, and in how many seconds by the clock."""

    label: str
    spec: Spec
    answer: Audited | Trouble
    seconds: float


def chunks(specs: Sequence[Labelled], run: Invocation) -> list[list[Labelled]]:
    """Return the claims in order, those of one function that follow each other grouped where they are many.

    A lock or a budget is of single targets, and sampling takes all the time there is: then there are no groups.
    """
    most = max(1, min(MOST_TOGETHER, len(specs) // (SPREAD * run.jobs)))
    if run.lock is not None or run.budgets or run.options.sampling:
        most = 1
    groups: list[list[Labelled]] = []
    for label, spec in specs:
        last = groups[-1][0][1] if groups else None
        same = isinstance(spec, FileSpec) and isinstance(last, FileSpec) and last.label == spec.label
        if same and len(groups[-1]) < most:
            groups[-1].append((label, spec))
        else:
            groups.append([(label, spec)])
    return groups


def audited(
    specs: Sequence[Labelled], run: Invocation, *, waiting: Callable[[str], None] = lambda label: None
) -> Generator[TimedAnswer, None, None]:
    """Audit claims, `run.jobs` chunks at a time, and yield what came of each, in order.

    These are the claims of one invocation: what samples show of them shares its confidence. `waiting`
    hears which claim is waited for. Leaving early, by an exception too, ends all child processes.
    """
    run = replace(run, options=run.options.among(len(specs)))
    groups = chunks(specs, run)
    forking = run.children.forking(certifies=run.certificates is not None)
    with forking, ThreadPoolExecutor(run.jobs) as pool:
        futures = [pool.submit(_together, group, run) for group in groups]
        try:
            for group, future in zip(groups, futures, strict=True):
                waiting(group[0][0])
                for timed in future.result():
                    waiting(timed.label)
                    yield timed
        except BaseException:
            run.children.end()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _together(group: list[Labelled], run: Invocation) -> list[TimedAnswer]:
    """Audit a group in one child process; where that gives no answer in the time of one, halve it, down to singles."""
    begin = time.monotonic()
    if len(group) == 1:
        ((label, spec),) = group
        answer = audit_one(label, spec, run)
        return [TimedAnswer(label, spec, answer, time.monotonic() - begin)]
    try:
        answers = run.ask(AuditMany([spec for _, spec in group], run.options, run.certificates, run.laws)).answers
    except DpcertError:
        half = len(group) // 2
        return _together(group[:half], run) + _together(group[half:], run)
    each = (time.monotonic() - begin) / len(group)
    found = []
    for (label, spec), told in zip(group, answers, strict=True):
        # Those before it may have left too little memory, another may have ended the second computation of all; and
        # what was refuted before a program ended is heard of a claim by itself alone.
        if isinstance(told, Alone) or (isinstance(told, Failure) and told.kind == "unauditable"):
            found += _together([(label, spec)], run)
        else:
            found.append(TimedAnswer(label, spec, audit_one(label, spec, run, answer=told), each))
    return found
