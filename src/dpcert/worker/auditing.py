"""Audits of one claim or of several in a worker process: exact, from samples or by the clock."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpcert.audit.certificates import EMPTY, NEVER
from dpcert.audit.decide import Report, decide
from dpcert.audit.float_outcomes import search_floats
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.kernel.examine import Refuted, Undecided, Verified
from dpcert.targets.cases import Case, case_of
from dpcert.unbounded.asked import is_unbounded
from dpcert.worker.attempt import Attempt
from dpcert.worker.codec import encode
from dpcert.worker.exchange import SO_FAR, Reply
from dpcert.worker.failure import Failure
from dpcert.worker.foresight import Foresight
from dpcert.worker.forks import Forks
from dpcert.worker.jobs import (
    Alone,
    Answers,
    Audit,
    Audited,
    AuditMany,
    Describe,
    Description,
    FindDigests,
    FindDigestsOfMany,
)
from dpcert.worker.limits import count_time
from dpcert.worker.reads.recorder import Recorder
from dpcert.worker.recomputed import Apart, Recomputation, Second
from dpcert.worker.result import Result
from dpcert.worker.results import (
    described,
    laws_text,
    result_of,
    with_certificate,
    write_certificate,
    write_text,
)
from dpcert.worker.rounding import by_rounding
from dpcert.worker.seeded import Seeds

if TYPE_CHECKING:
    from dpcert.audit.ideal.every_report import EveryReport
    from dpcert.audit.ideal.report import IdealReport

Again = Callable[[str], Sequence[str]]
"""A function of the digest of a claim's pairs that returns the digests of its laws from a second computation."""
DRAWS = (
    "what it draws is up to its generator, so that the bounds of draws can be observed of a program over coins alone"
)


@dataclass(frozen=True, slots=True)
class Workplace:
    """The process that carries out a job: its folder, its processor seconds (None for no limit), and its watchers.

    `own` says that it is a worker process: the system counts its time, and it keeps early refutations.
    """

    folder: Path
    seconds: float | None = None
    own: bool = False
    forks: Forks | None = None
    recorder: Recorder | None = None

    def again(self, job: Recomputation) -> Second:
        """Start the second computation of laws in a process that belongs to this one."""
        return Second(job, folder=str(self.folder), seconds=self.seconds)


def write_reply(path: Path, reply: Reply[Any]) -> None:
    """Write a reply, whole or not at all."""
    temporary = path.with_suffix(".part")
    temporary.write_text(json.dumps(encode(reply)), encoding="utf-8")
    os.replace(temporary, path)


def describe(job: Describe) -> Description:
    """Return the result of a claim before its audit, and the verdict that the target declares.

    For a file this runs its code.

    Raises: InputError where the spec names no claim.
    """
    if is_unbounded(job.spec, job.options):
        from dpcert.unbounded.auditing import describe_unbounded  # theorems come with it

        return Description(describe_unbounded(job.spec, job.options), "verified")
    case = case_of(job.spec, job.options)
    return Description(described(case), case.expect, case.coinless)


def audit(job: Audit, here: Workplace, *, other: Again | None = None, early: bool = True) -> Audited:
    """Audit a claim, and write its certificate where the job asks for it.

    A claim about a program that takes no coins, and that is undecided, may be sampled: `Audited.unread` says why.
    `other` returns the digests of a second computation; without it, the audit starts a process for that. With `early`,
    the first refutation is kept at once, in case the process is stopped.

    Raises: Apart where `other` is given and the claim is, or may be, sampled, since samples take all the time;
            InputError; Unauditable.
    """
    if is_unbounded(job.spec, job.options):
        return _audit_unbounded(job, here)
    case = case_of(job.spec, job.options)
    if case.ideal is not None or job.options.sampling:
        if other is not None:
            raise Apart(case.label)
        return _ideal(job, case, here) if case.ideal is not None else _sampled(job, case, here)
    if case.coinless and case.subject.observes != "outcome":
        return Audited(replace(described(case), reason=DRAWS), case.expect, unread=DRAWS)
    seeds = _seeds(job, here)
    if job.options.closed_forms and case.subject.closed_form is not None and here.own and here.seconds is not None:
        case.subject.before = Foresight(here.seconds)

    def audited(report: Report, folder: str | None) -> Audited:
        result, certificate = result_of(case, report), report.certificate
        reason = result.reason if case.coinless else None
        if reason is not None and (reason.startswith(EMPTY) or (reason.startswith(NEVER) and case.many is None)):
            reason = None  # no run shows more
        found = Audited(result, case.expect, unread=reason)
        if folder is None or certificate is None:
            return found
        text = laws_text(report) if job.laws and report.laws else None
        return with_certificate(found, lambda: write_certificate(Path(folder), certificate, job.spec, text))

    def keep(report: Report) -> None:
        if here.forks is not None and here.forks.count:
            return
        checked = seeds.checked(report)
        if not isinstance(checked.verdict, Refuted):
            return
        with suppress(OSError):  # where the folder is full, there is no early answer
            found = audited(checked, None if job.certificates is None else str(here.folder))
            reads = None if here.recorder is None else here.recorder.reads()
            write_reply(here.folder / SO_FAR, Reply(found, reads, early=True))

    with ExitStack() as stack:
        again = other or stack.enter_context(here.again(FindDigests(job.spec, job.options))).digests
        digests = cache(lambda: again(case.scope()))
        report = decide(
            case.subject,
            case.guarantee,
            again=digests,
            early=keep if early and here.own else None,
            keep_laws=job.laws,
            certifies=job.certificates is not None,
        )
        checked = seeds.checked(search_floats(report, case.subject, case.guarantee, keep_laws=job.laws))
        if other is not None and case.coinless and isinstance(checked.verdict, Undecided):
            raise Apart(case.label)
        found = audited(checked, job.certificates)
        if isinstance(checked.verdict, Refuted):
            rounding = by_rounding(case.guarantee, checked.epsilon_hi, lambda more: _holds(case, more, digests, seeds))
            found = replace(found, result=replace(found.result, rounding=rounding))
    told = isinstance(checked.verdict, Refuted) or (found.unread is not None and job.options.exact)
    return _beside_ideal(found, case, seeds, job, here) if told else found


def _holds(case: Case, guarantee: ApproxDP, digests: Callable[[], Sequence[str]], seeds: Seeds) -> bool:
    """Whether a case has another guarantee, by an audit of its own."""
    report = seeds.checked(decide(case.subject, guarantee, again=digests, certifies=False))
    return isinstance(report.verdict, Verified)


def audit_many(job: AuditMany, here: Workplace) -> Answers:
    """Audit several claims, one after the other; each answer, also a failure, is as for the claim by itself."""
    with here.again(FindDigestsOfMany(job.specs, job.options)) as others:
        answers: list[Audited | Alone | Failure] = []
        for position, spec in enumerate(job.specs):
            part = Audit(spec, job.options, job.certificates, job.laws)
            with Attempt[Audited]() as attempt:
                attempt.answer = audit(part, here, other=partial(others.digests, position=position), early=False)
            answers.append(attempt.answer)
        return Answers(answers)


def _sampled(job: Audit, case: Case, here: Workplace) -> Audited:
    from dpcert.worker.sampling import SHARE, sampled_case, sampled_result  # an exact audit never imports it

    seconds = None if here.seconds is None else here.seconds * SHARE
    if here.own and here.seconds is not None:
        count_time(here.seconds, threads=os.cpu_count() or 1)
    asked = job.certificates is not None
    if job.options.timing is not None:
        from dpcert.worker.timing import timed_case, timed_result  # numpy comes with it

        timed = timed_case(case, job.options, seconds=seconds)
        return Audited(timed_result(case, timed, job.options, asked_for_certificate=asked), case.expect)
    sampled = sampled_case(case, job.options, seconds=seconds)
    audited = Audited(sampled_result(case, sampled, asked_for_certificate=asked), case.expect)
    return _beside_ideal(audited, case, _seeds(job, here), job, here)


def _seeds(job: Audit, here: Workplace) -> Seeds:
    return Seeds(job.spec, job.options, folder=str(here.folder), seconds=here.seconds)


def _beside_ideal(audited: Audited, case: Case, seeds: Seeds, job: Audit, here: Workplace) -> Audited:
    """Return an audit on the machine's noise with the verdict on ideal noise, and a note about it."""
    if case.beside is None:
        return audited
    from dpcert.worker.ideal import beside  # numpy comes with it

    def again() -> Sequence[str]:
        options = replace(job.options, noise="ideal", sampling=False)
        with here.again(FindDigests(job.spec, options)) as other:
            return other.digests(case.scope())

    ideal = beside(case, seeds.reason, again)
    if ideal is None:
        return audited
    notes = [ideal[1], *audited.result.notes]
    return replace(audited, result=replace(audited.result, ideal=ideal[0], notes=notes))


def _ideal(job: Audit, case: Case, here: Workplace) -> Audited:
    from dpcert.worker.ideal import every_case, ideal_case, ideal_certificate, ideal_result  # numpy comes with it

    with here.again(FindDigests(job.spec, job.options)) as other:
        seeded = _seeds(job, here).reason
        report: IdealReport | EveryReport
        if case.every is not None:
            result, report = every_case(case, case.every, lambda: other.digests(case.scope()), seeded)
        else:
            report = found = ideal_case(case, again=lambda: other.digests(case.scope()), seeded=seeded)
            result = ideal_result(case, found)
    audited = Audited(result, case.expect)
    certificate = None if job.certificates is None else ideal_certificate(case, report)
    if certificate is None:
        return audited
    claim = hashlib.sha256(f"{job.spec}\n{certificate.sentence}".encode("utf-8", "surrogatepass")).hexdigest()
    name = f"{certificate.target}-ideal-{certificate.verdict}-{claim[:8]}"
    return with_certificate(audited, lambda: write_text(Path(job.certificates or ""), name, certificate.to_text()))


def _audit_unbounded(job: Audit, here: Workplace) -> Audited:
    """Audit a claim on infinitely many inputs; where a premise refutes it, the answer is the premise's audit."""
    from dpcert.unbounded.auditing import audit_unbounded  # theorems come with it
    from dpcert.unbounded.bundle import write_bundle

    answer = audit_unbounded(job.spec, job.options, here.again)
    if answer.report is not None:
        return _refuted(job, here, answer.report, answer.result)
    bundle = answer.bundle
    if answer.refutes is None:
        whole = Audited(answer.result, "verified")
        if job.certificates is None or bundle is None:
            return whole
        folder = Path(job.certificates)
        return with_certificate(whole, lambda: write_bundle(folder, bundle))
    found = audit(Audit(*answer.refutes, job.certificates, job.laws), here, early=False)
    result = found.result
    if result.verdict != "refuted":
        reason = f"{result.claim.sentence} was to refute it and is {result.verdict}"
        return Audited(replace(answer.result, reason=reason), "verified")
    note = f"so it is false that {answer.result.claim.sentence}"
    return replace(found, result=replace(result, notes=[note, *result.notes]), expect="verified")


def _refuted(job: Audit, here: Workplace, report: Report, result: Result) -> Audited:
    """Return the refutation by one pair, with its certificate, and the slack where rounding alone refutes."""
    claimed = ApproxDP(result.claim.epsilon, result.claim.delta)

    def holds(more: ApproxDP) -> bool:
        other = replace(job, options=replace(job.options, epsilon=str(more.epsilon)), certificates=None)
        return audit(other, here, early=False).result.verdict == "verified"

    found = Audited(replace(result, rounding=by_rounding(claimed, report.epsilon_hi, holds)), "verified")
    certificate = report.certificate
    if job.certificates is None or certificate is None:
        return found
    folder = Path(job.certificates)
    return with_certificate(found, lambda: write_certificate(folder, certificate, job.spec))
