"""Results of audits, made of the reports, and the files that are written with them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpcert.audit.certificates import NEVER, text_of
from dpcert.audit.kernel.certificate import Certificate
from dpcert.audit.kernel.claim import Claim
from dpcert.audit.kernel.examine import Refuted, Undecided, Verified
from dpcert.audit.sampling.failures import Failures
from dpcert.audit.sources import versions
from dpcert.mechanisms.decimals import rounded_text
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError, Unauditable
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.exact.outcome import canonical, show
from dpcert.mechanisms.forms import to_json
from dpcert.targets.files import file_errors, replace_file
from dpcert.targets.spec import FileSpec, Spec
from dpcert.worker.jobs import Audited
from dpcert.worker.result import ClaimWords, DeltaEnds, EpsilonEnds, Result, SeenEvent, UnreachedCode
from dpcert.worker.troubles import Trouble

if TYPE_CHECKING:
    from dpcert.audit.decide import Report, Worst
    from dpcert.targets.cases import Case

BESIDE = "with ideal noise it is "
"""The beginning of a note on the verdict with ideal noise."""
NO_CERTIFICATE = "no certificate: samples cannot be recomputed"
"""The note where the user asked for a certificate of a result from samples."""
MAX_EVENT = 20
ANY_LENGTH = "lists of any length"
LAWS = "dpcert.laws/1"
"""The schema of a file of laws."""


def _claim(claim: Claim) -> ClaimWords:
    return ClaimWords(
        epsilon=str(claim.guarantee.epsilon),
        delta=ratio_text(claim.guarantee.delta),
        neighbours=claim.neighbours.name,
        inputs=claim.inputs_words(),
        sentence=claim.sentence(),
        parameters=dict(claim.parameters),
    )


def seen_event(a: Any, b: Any, event: Sequence[Any], p: str, q: str) -> SeenEvent:
    """Return an event in the form of a result, with the first MAX_EVENT of its outcomes."""
    outcomes = [to_json(outcome) for outcome in event[:MAX_EVENT]]
    return SeenEvent(to_json(a), to_json(b), outcomes, len(event), p, q)


def worst_event(worst: Worst) -> SeenEvent:
    """Return the `worst` of a result: a pair, an event, and its probabilities on both inputs."""
    return seen_event(worst.a, worst.b, worst.event, ratio_text(worst.p), ratio_text(worst.q))


def delta_ends(lo: Fraction, hi: Fraction) -> DeltaEnds:
    """Return bounds of a delta as texts, rounded outwards."""
    return DeltaEnds(rounded_text(lo, up=False), rounded_text(hi, up=True))


def epsilon_ends(lo: Epsilon, hi: Epsilon | None) -> EpsilonEnds:
    """Return bounds of an epsilon as texts."""
    return EpsilonEnds(str(lo), None if hi is None else str(hi))


def with_ideal_noise(claim: Claim) -> str:
    """Return in words a claim about ideal noise."""
    return f"with ideal noise, {claim.sentence()}"


def described(case: Case) -> Result:
    """Return the result of a case before its audit: undecided, without a reason."""
    claim = case.claim()
    words, method = _claim(claim), "exact"
    if case.ideal is not None:
        method = "ideal" if case.every is None else "every"
        sentence = with_ideal_noise(claim) if case.every is None else f"with ideal noise, {case.every.sentence(claim)}"
        words = replace(words, sentence=sentence)
        if case.any_length:
            sentence = f"{sentence.removesuffix(claim.inputs_words())}{ANY_LENGTH}"
            words = replace(words, inputs=ANY_LENGTH, sentence=sentence)
    return Result(target=case.label, method=method, claim=words, versions=versions())


def sampled(result: Result) -> Result:
    """Return a result as one from samples, which has no laws."""
    return replace(result, method="sampling", law_source=None)


def result_of(case: Case, report: Report) -> Result:
    """Return the result of an audit, before its certificate is written."""
    missed = report.unreached
    return replace(
        described(case),
        law_source=", ".join(report.law_source) or None,
        verdict={Verified: "verified", Refuted: "refuted", Undecided: "undecided"}[type(report.verdict)],
        reason=raised(case, report.verdict.reason) if isinstance(report.verdict, Undecided) else None,
        assumptions=list(report.assumptions),
        pairs=report.pairs,
        tail=rounded_text(report.tail, up=True),
        delta=delta_ends(report.delta_lo, report.delta_hi),
        epsilon=epsilon_ends(report.epsilon_lo, report.epsilon_hi),
        worst=None if report.worst is None or not report.worst.event else worst_event(report.worst),
        notes=list(report.notes),
        unreached=None
        if missed is None
        else UnreachedCode(Path(missed.file).name, list(missed.lines), list(missed.branches)),
    )


def raised(case: Case, reason: str | None) -> str | None:
    """Return why a case is undecided; for a program that only raises, by the exception of a plain run and its line."""
    if reason is None or not reason.startswith(NEVER):
        return reason
    failures = Failures(case.subject.inputs, case.handed)
    with suppress(Unauditable):
        failures.run(0, case.run_plainly)
    return failures.reason() or reason


def laws_text(report: Report) -> str:
    """Return the laws behind a verdict as JSON, with the claim's inputs and its ordered pairs of neighbours.

    `docs/reference/evidence-format.md` describes the form.
    """
    claim = report.claim
    document = {
        "schema": LAWS,
        "sentence": claim.sentence(),
        "inputs": [[show(value), canonical(value).hex()] for value in claim.inputs],
        "pairs": sorted(claim.pairs()),
        "laws": [report.laws.get(position) for position in range(len(claim.inputs))],
    }
    return json.dumps(document, indent=1) + "\n"


def laws_beside(certificate: Path) -> Path:
    """Return the path of the laws behind a verdict, which lie beside its certificate if they were kept."""
    return certificate.with_name(f"{certificate.stem}.laws.json")


def write_certificate(folder: Path, certificate: Certificate, spec: Spec, laws: str | None = None) -> Path:
    """Write the certificate of the case that a spec names into a folder, whole or not at all, and return its path.

    The text of its `laws`, if any, is written beside it. The file's name tells claims apart, also targets of one name
    in several files, and names of one file for one target; the same claim again overwrites.

    Raises: InputError where the folder cannot be written.
    """
    parameters = [f"{name}={value}" for name, value in certificate.parameters.items()]
    home = spec.label if isinstance(spec, FileSpec) else ""
    claim = hashlib.sha256(f"{home}\n{certificate.sentence}".encode("utf-8", "surrogatepass")).hexdigest()
    words = _words("-".join([certificate.target, *parameters]))[:100]
    name = f"{words}-{certificate.verdict}-{claim[:8]}"
    if laws is not None:
        write_text(folder, f"{name}.laws", laws)
    return write_text(folder, name, text_of(certificate))


def with_certificate(audited: Audited, write: Callable[[], Path]) -> Audited:
    """Write an audit's certificate, and return the audit with its path, or with the reason why writing failed."""
    try:
        written = str(write())
    except InputError as error:
        return replace(audited, result=replace(audited.result, certificate=None), unwritten=Trouble.of(error))
    return replace(audited, result=replace(audited.result, certificate=written))


def _words(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9.=+-]+", "_", text).lstrip(".")


def write_text(folder: Path, name: str, text: str) -> Path:
    """Write NAME.json into a folder, whole or not at all, and return its path.

    Raises: InputError where the folder cannot be written.
    """
    path = folder / f"{_words(name)}.json"
    with file_errors(f"--certificates {folder}", "a folder that can be written"):
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(path, text)
    return path
