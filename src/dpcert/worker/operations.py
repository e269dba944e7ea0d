"""What a worker process does with a job."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dpcert.audit.certificates import MAX_BYTES, certificate_of
from dpcert.audit.decide import Report
from dpcert.audit.float_outcomes import SEEN, decide_floats, seen_as_certified
from dpcert.audit.kernel.certificate import Certificate, Malformed
from dpcert.audit.kernel.check import Rejected, check
from dpcert.audit.kernel.claim import OBSERVABLES, distinct
from dpcert.audit.kernel.examine import Refuted
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.passes import examined
from dpcert.mechanisms.enumerator import enumerate_law
from dpcert.mechanisms.exact.errors import InputError, Unauditable
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.forms import lenient_json, order_key, to_json
from dpcert.targets.cases import Options, Spec, case_of, specs_of_file
from dpcert.targets.catalogue import BUILT_IN
from dpcert.targets.extras import MissingExtra
from dpcert.unbounded.auditing import audit_unbounded, describe_unbounded, is_unbounded
from dpcert.unbounded.bundle import Bundle, is_bundle, write_bundle
from dpcert.unbounded.premises import digests_of
from dpcert.unbounded.rechecking import check_bundle, needs_bundle, other_limits
from dpcert.worker.forks import Forks, end_with_parent
from dpcert.worker.limits import count_time, limit_memory, take_looks
from dpcert.worker.recomputed import Apart, Second, second, several
from dpcert.worker.results import described, keep_certificate, result_of, sampled_result, write_certificate
from dpcert.worker.sampling import SHARE, sampled_case
from dpcert.worker.seeded import Seeds, states_of

__all__ = ["answer_of", "main"]

Job = dict[str, Any]


def _specs(job: Job) -> Job:
    try:
        specs, lost = specs_of_file(Path(job["file"]), job["function"], job["settings"])
        return {"specs": specs, "lost": [missed.as_json() for missed in lost]}
    except MissingExtra as error:
        return {"skipped": str(error)}


def _describe(job: Job) -> Job:
    if is_unbounded(job["spec"], Options(**job["options"])):
        return {"description": describe_unbounded(job["spec"], Options(**job["options"])), "expect": "verified"}
    case = case_of(job["spec"], Options(**job["options"]))
    return {"description": described(case), "expect": case.expect}


def _audit(job: Job) -> Job:
    options = Options(**job["options"])
    if is_unbounded(job["spec"], options):
        return _audit_unbounded(job, options)
    case = case_of(job["spec"], options)
    if case.coinless and "other" in job:
        return {"alone": case.label}
    if (options.sampling or case.coinless) and "looks" in job and job["seconds"] is not None:
        count_time(job["seconds"], threads=os.cpu_count() or 1)
    if options.timing is not None:
        from dpcert.worker.timing import timed_case, timed_result  # numpy comes with it

        timed = timed_case(case, options, seconds=None if job["seconds"] is None else job["seconds"] * SHARE)
        result = timed_result(case, timed, options, asked_for_certificate=job["certificates"] is not None)
        return {"result": result, "expect": case.expect}
    if options.sampling or case.coinless:
        seconds = None if job["seconds"] is None else job["seconds"] * SHARE
        found = sampled_case(case, options, seconds=seconds)
        result = sampled_result(case, found, asked_for_certificate=job["certificates"] is not None)
        return {"result": result, "expect": case.expect}
    folder, other = str(Path(job["answer"]).parent), job.get("other")
    seeds = Seeds(job["spec"], options, folder=folder, seconds=job["seconds"])

    def answered(report: Report, certificates: str) -> Job:
        answer = {"result": result_of(case, report, None), "expect": case.expect}
        certificate = report.certificate
        if job["certificates"] is not None and certificate is not None:
            keep_certificate(answer, lambda: write_certificate(Path(certificates), certificate, job["spec"]))
        return answer

    def keep(report: Report) -> None:
        if job.get("forked", bool)():
            return
        checked = seeds.checked(report)
        if not isinstance(checked.verdict, Refuted):
            return
        with suppress(OSError):  # without it there is no answer before the last
            answer = answered(checked, folder)
            _write_answer(Path(job["so_far"]), {**answer, **job.get("read_so_far", dict)()})

    with (
        second(job["spec"], options, folder=folder, seconds=job["seconds"]) if other is None else nullcontext(other)
    ) as again:
        report = decide_floats(
            case.subject,
            case.guarantee,
            again=lambda: again.digests(case.scope()),
            early=keep if job.get("so_far") else None,
        )
    return answered(seeds.checked(report), job["certificates"])


def _audits(job: Job) -> Job:
    """Audit many claims, one after the other; each answer is what it would be by itself, trouble too.

    One without coins is not audited: it is sampled, which takes all the time there is, and so `alone`.
    """
    options, folder = Options(**job["options"]), str(Path(job["answer"]).parent)
    with several(job["specs"], options, folder=folder, seconds=job["seconds"]) as others:
        alone = {**job, "op": "audit", "so_far": None}
        jobs = [{**alone, "spec": spec, "other": others.at(i)} for i, spec in enumerate(job["specs"])]
        return {"answers": [answer_of(part) for part in jobs]}


def _audit_unbounded(job: Job, options: Options) -> Job:
    """Audit inputs without end; a claim that a premise refutes is refuted by the audit of that premise."""

    def again(spec: Spec, options: Options) -> AbstractContextManager[Second]:
        return second(spec, options, folder=str(Path(job["answer"]).parent), seconds=job["seconds"])

    answer = audit_unbounded(job["spec"], options, again)
    bundle = answer.bundle
    if answer.refutes is None:
        whole: Job = {"result": answer.result, "expect": "verified"}
        if job["certificates"] is not None and bundle is not None:
            keep_certificate(whole, lambda: write_bundle(Path(job["certificates"]), bundle))
        return whole
    premise, own = answer.refutes
    found = _audit({**job, "spec": premise, "options": asdict(own), "so_far": None})
    result = found["result"]
    if result["verdict"] != "refuted":
        reason = f"{result['claim']['sentence']} was to refute it and is {result['verdict']}"
        return {"result": {**answer.result, "reason": reason}, "expect": "verified"}
    note = f"so it is false that {answer.result['claim']['sentence']}"
    return {**found, "result": {**result, "notes": [note, *result["notes"]]}, "expect": "verified"}


def _digests(job: Job) -> Job:
    if "premises" in job["spec"]:
        return {"digests": digests_of(job["spec"]["premises"]), "scope": ""}
    case = case_of(job["spec"], Options(**job["options"]))
    case.subject.inputs = distinct(case.subject.inputs)
    return {"digests": case.subject.digests(), "scope": case.scope()}


def _states(job: Job) -> Job:
    return {"states": states_of(job["spec"], Options(**job["options"]))}


def _all_digests(job: Job) -> Job:
    answers = [answer_of({**job, "op": "digests", "spec": spec}) for spec in reversed(job["specs"])]
    return {"answers": answers[::-1]}


def _law(job: Job) -> Job:
    options = Options(**job["options"])
    case = case_of(job["spec"], options)
    if case.coinless:
        given = f"{case.label}, which takes no coins"
        raise InputError(given=given, needed="a program over coins, which has a law", remedy="audit it: it is sampled")
    value = lenient_json(job["input"])
    if case.domain is not None:
        case.domain.require(value, "--input")
    if options.law_source == "closed-form" and case.subject.closed_form is not None:
        law = case.subject.closed_law(value)
        notes = tuple(case.subject.notes)
    else:
        draws = case.subject.observes == "outcome and draws"
        limits = options.limits()
        found = enumerate_law(case.subject.program, value, limits=limits, eager=options.eager, draws=draws)
        law, notes = found.law, (*found.notes, *found.assumptions)
    rows = sorted(law.items(), key=lambda row: order_key(row[0]))
    weights = [[to_json(outcome), ratio_text(p)] for outcome, p in rows]
    answer: Job = {"law": weights, "tail": ratio_text(law.tail), "notes": list(notes)}
    if case.subject.observes != "outcome":
        drawn = [sum((bound - 1).bit_length() for bound in outcome[1]) for outcome, _ in rows]
        answer["bits"] = {"lo": min(drawn), "hi": max(drawn)}
    return answer


def _recheck(job: Job) -> Job:
    path = Path(job["certificate"])
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1)
        if is_bundle(text):
            return _recheck_bundle(Bundle.from_text(text), job)
        certificate = certificate_of(text)
    except OSError as error:
        return {"malformed": f"{path}: {error.strerror}"}
    except Malformed as error:
        return {"malformed": f"{path}: {error}"}
    options = Options(
        epsilon=certificate.epsilon,
        delta=ratio_text(certificate.delta),
        neighbours=certificate.neighbours if certificate.neighbours in RELATIONS else None,
        observes=certificate.observes if certificate.observes in OBSERVABLES else None,
        law_source=certificate.law_source,
        **job["limits"],
    )
    reason = other_limits(certificate, options) or (needs_bundle(certificate) if job["file"] is None else None)
    if reason is not None:
        return {"rejected": reason}
    try:
        seen = {name: certificate.parameters.pop(name) for name in SEEN if name in certificate.parameters}
        subject = case_of(_spec_for(certificate, job), options).subject
        certificate.parameters.update(seen)
        verdict = check(certificate, seen_as_certified(subject, seen, certificate.verdict), examined)
    except (Rejected, Unauditable) as error:
        return {"rejected": str(error)}
    return {"accepted": certificate.verdict, "sentence": verdict.claim.sentence()}


def _recheck_bundle(bundle: Bundle, job: Job) -> Job:
    if job["file"] is not None:
        given = f"--target {job['file']} for a bundle"
        raise InputError(given=given, needed="no program: it is about a built-in", remedy="leave it out")
    try:
        return {"accepted": "verified", "sentence": check_bundle(bundle, job["limits"]).sentence}
    except (Rejected, Unauditable) as error:
        return {"rejected": str(error)}


def _spec_for(certificate: Certificate, job: Job) -> Job:
    """Return the spec of the program that a certificate is checked against: the one named, or the built-in."""
    if job["file"] is None:
        if certificate.target not in BUILT_IN:
            given = f"the certificate is about {certificate.target!r}, which is no built-in"
            remedy = f"add --target FILE.py:{certificate.target}"
            raise InputError(given=given, needed="its program", remedy=remedy)
        return {"name": certificate.target, "settings": certificate.parameters}
    function = job["function"] or certificate.target
    specs, _ = specs_of_file(Path(job["file"]), function, {})
    for spec in specs:
        case = case_of(spec, Options())
        if dict(case.subject.parameters) == certificate.parameters:
            return spec
    raise Rejected(f"{job['file']}:{function} has no claim with parameters {certificate.parameters}")


def _plan(job: Job) -> Job:
    from dpcert.planning.families import proposal_for
    from dpcert.planning.question import Question

    return {"proposal": proposal_for(Question(**job["question"])).as_json()}


def _picture(job: Job) -> Job:
    from dpcert.show.pages.picture import picture_of

    options = Options(**job["options"])
    if is_unbounded(job["spec"], options):
        return {"witness": None, "profile": {"reason": "a profile is of finitely many inputs: see printed bounds"}}
    return picture_of(case_of(job["spec"], options), job["worst"])


OPERATIONS: dict[str, Callable[[Job], Job]] = {
    "specs": _specs,
    "describe": _describe,
    "audit": _audit,
    "audits": _audits,
    "all-digests": _all_digests,
    "digests": _digests,
    "states": _states,
    "law": _law,
    "picture": _picture,
    "recheck": _recheck,
    "plan": _plan,
}


def answer_of(job: Job) -> Job:
    """Carry out a job and return its answer, which may be trouble of any kind."""
    try:
        return OPERATIONS[job["op"]](job)
    except MissingExtra as error:  # of a file that is not listed first, as for a recheck
        given = f"a program that {str(error).partition(':')[0]}"
        return {"trouble": "input", "given": given, "needed": "its extra installed", "remedy": error.command}
    except Apart as error:
        return {"alone": str(error)}
    except InputError as error:
        return {"trouble": "input", "given": error.given, "needed": error.needed, "remedy": error.remedy}
    except Unauditable as error:
        return {"trouble": "unauditable", "message": str(error)}
    except MemoryError:
        return {"trouble": "unauditable", "message": "the process ran out of memory"}
    except (SystemExit, KeyboardInterrupt) as error:
        return {
            "trouble": "unauditable",
            "message": f"the program ended with {type(error).__name__}, which is no outcome",
        }
    except Exception as error:
        places = traceback.extract_tb(error.__traceback__)
        where = f" ({Path(places[-1].filename).name}, line {places[-1].lineno})" if places else ""
        return {"trouble": "failed", "message": f"{type(error).__name__}: {error}{where}"}


def _write_answer(path: Path, answer: Job) -> None:
    """Write an answer, whole or not at all."""
    temporary = path.with_suffix(".part")
    temporary.write_text(json.dumps(answer), encoding="utf-8")
    os.replace(temporary, path)


def main() -> None:
    """Read a job, carry it out within its limits, and write the answer, whole or not at all."""
    job = json.loads(sys.stdin.buffer.read())
    process = os.getpid()
    end_with_parent(job["parent"])
    for path in job["path"]:
        if path not in sys.path:
            sys.path.append(path)
    forks = Forks(Path(job["answer"]).parent)
    forks.start()
    job["forked"] = lambda: forks.count > 0
    limit_memory(job["memory"])
    take_looks(job["looks"])
    if job["seconds"] is not None:
        count_time(job["seconds"])
    if job.get("record") or job.get("reads"):
        from dpcert.worker.reads.recorded import recorded

        answer = recorded(job, answer_of)
    else:
        answer = answer_of(job)
    if os.getpid() == process:  # else it was forked where Python does not hear of it
        _write_answer(Path(job["answer"]), _of_one_process(answer, forks, Path(job["so_far"])))
    os._exit(0)  # whatever threads or exit handlers the user's code left behind


def _of_one_process(answer: Job, forks: Forks, so_far: Path) -> Job:
    """Return an answer if it comes of one process, and the trouble that it does not otherwise."""
    reason = forks.reason(followed=answer.get("result", {}).get("method") != "sampling")
    if reason is None or answer.get("trouble") in ("input", "unauditable"):
        return answer
    so_far.unlink(missing_ok=True)
    return {"trouble": "unauditable", "message": reason}
