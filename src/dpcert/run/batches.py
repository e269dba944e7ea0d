"""Many audits: several at a time, the claims of one grid in one child process, the results in order."""

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
"""The most points of a grid that share a child process."""
SPREAD = 4
"""The fewest chunks for each job, so that no job waits long for the last chunk of another."""

Labelled = tuple[str, Spec]


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """The answer about one claim, and the seconds by the clock that it took."""

    label: str
    spec: Spec
    answer: Audited | Trouble
    seconds: float


def chunks(specs: Sequence[Labelled], run: Invocation) -> list[list[Labelled]]:
    """Return the claims in order, in groups of neighbours from one function where these are many.

    There are no groups with a lock or with budgets of time, which belong to single targets, or with sampling, which
    takes all the time that it gets.
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
    """Audit the claims of one invocation, `run.jobs` chunks at a time, and yield the answers in order.

    The samples of all these claims share one confidence. `waiting` is called with the label of the claim that comes
    next. Leaving early, also by an exception, ends all child processes.
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
    """Audit a group in one child process; where it does not end in the time of one audit, halve it, down to singles."""
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
    audited = []
    for (label, spec), reply in zip(group, answers, strict=True):
        # An unauditable claim gets a process of its own: earlier claims may have left too little memory, or another one
        # may have ended the second computation of all. And only a process of its own reports an early refutation.
        if isinstance(reply, Alone) or (isinstance(reply, Failure) and reply.kind == "unauditable"):
            audited += _together([(label, spec)], run)
        else:
            audited.append(TimedAnswer(label, spec, audit_one(label, spec, run, answer=reply), each))
    return audited
