"""Many audits: several at a time, the claims of one grid in one child process, the results in order."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

from dpcert.mechanisms.exact.errors import DpcertError
from dpcert.run.single import Invocation, TimedAnswer, audit_one
from dpcert.targets.spec import FileSpec, Spec
from dpcert.worker.failure import Failure
from dpcert.worker.jobs import Alone, AuditMany

MOST_TOGETHER = 32
"""The most points of a grid that share a child process."""
SPREAD = 4
"""The fewest chunks for each job, so that no job waits long for the last chunk of another."""

Labelled = tuple[str, Spec]
Coming = Future[TimedAnswer] | Future[list[TimedAnswer]]
"""The answer about one claim, or those about several, which a thread waits for."""


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


@contextmanager
def auditing(specs: Sequence[Labelled], run: Invocation) -> Iterator[list[tuple[str, Coming]]]:
    """Audit the claims of one invocation, `run.jobs` chunks at a time.

    Give in order, for each chunk, the label of its first claim and the answer to come. The samples of all these claims
    share one confidence. Leaving before the last answer has come, also by an exception, ends all child processes.
    """
    run = replace(run, options=run.options.among(len(specs)))
    with run.children.forking(certifies=run.certificates is not None), ThreadPoolExecutor(run.jobs) as pool:
        coming: list[tuple[str, Coming]] = []
        try:
            for group in chunks(specs, run):
                alone = len(group) == 1
                future: Coming = pool.submit(audit_one, *group[0], run) if alone else pool.submit(_together, group, run)
                coming.append((group[0][0], future))
            yield coming
        finally:
            # A thread waits for its process and hears of no exception: only the end of the process ends the wait.
            if not all(future.done() for _, future in coming):
                run.children.end()
                pool.shutdown(wait=False, cancel_futures=True)


def _together(group: list[Labelled], run: Invocation) -> list[TimedAnswer]:
    """Audit a group in one child process; where it does not end in the time of one audit, halve it, down to singles."""
    groups, audited = [group], list[TimedAnswer]()
    while groups:
        (label, spec), *others = group = groups.pop(0)
        if not others:
            audited.append(audit_one(label, spec, run))
            continue
        begin, half = time.monotonic(), len(group) // 2
        try:
            answers = run.ask(AuditMany([spec for _, spec in group], run.options, run.certificates, run.laws)).answers
        except DpcertError:
            groups[:0] = group[:half], group[half:]
            continue
        each = (time.monotonic() - begin) / len(group)
        for (label, spec), reply in zip(group, answers, strict=True):
            # An unauditable claim gets a process of its own: earlier claims may have left too little memory, or another
            # one may have ended the second computation of all. And only a process of its own reports an early
            # refutation.
            if isinstance(reply, Alone) or (isinstance(reply, Failure) and reply.kind == "unauditable"):
                audited.append(audit_one(label, spec, run))
            else:
                audited.append(replace(audit_one(label, spec, run, answer=reply), seconds=each))
    return audited
