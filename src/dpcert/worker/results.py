"""Reports as the JSON of `dpcert audit --json`, the one form that every renderer reads."""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpcert.audit.certificates import text_of
from dpcert.audit.kernel.certificate import Certificate
from dpcert.audit.kernel.claim import Claim
from dpcert.audit.kernel.examine import Refuted, Undecided, Verified
from dpcert.audit.sources import versions
from dpcert.mechanisms.decimals import rounded_text
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.exact.outcome import canonical, show
from dpcert.mechanisms.forms import to_json
from dpcert.targets.spec import FileSpec, Spec
from dpcert.worker.jobs import Audited
from dpcert.worker.troubles import Trouble

if TYPE_CHECKING:
    from dpcert.audit.coverage import Unreached
    from dpcert.audit.decide import Report, Worst
    from dpcert.targets.cases import Case

BESIDE = "with ideal noise it is "
"""How a note begins that says what ideal noise would give."""
SAMPLED = {"method": "sampling", "law_source": None}
"""What a result from samples says instead of where its laws are from."""
NO_CERTIFICATE = "no certificate: samples cannot be recomputed"
"""What is noted where a certificate was asked for a result from samples."""
BY_FLOATS, BY_ROUNDING = "verified with ideal noise", "refuted by rounding"
"""The classes of results that one word does not say: of a program whose algorithm is private and whose floats are not
known to be, or are known not to be; and of a claim that holds with a little more epsilon."""
MAX_EVENT = 20
ANY_LENGTH = "lists of any length"
LAWS = "dpcert.laws/1"
"""The schema of a file of laws."""


def class_of(result: Mapping[str, Any]) -> str:
    """Return the class of a result: its verdict, or BY_FLOATS, or BY_ROUNDING."""
    if result["verdict"] == "refuted" and result.get("rounding") is not None:
        return BY_ROUNDING
    if result["verdict"] != "verified" and result.get("ideal") == "verified":
        return BY_FLOATS
    return str(result["verdict"])


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "epsilon": str(claim.guarantee.epsilon),
        "delta": ratio_text(claim.guarantee.delta),
        "neighbours": claim.neighbours.name,
        "inputs": claim.inputs_words(),
        "sentence": claim.sentence(),
        "parameters": dict(claim.parameters),
    }


def worst_event(worst: Worst) -> dict[str, Any]:
    """Return the `worst` of a result: a pair, an event, and its probabilities on both inputs."""
    return {
        "a": to_json(worst.a),
        "b": to_json(worst.b),
        "event": [to_json(outcome) for outcome in worst.event[:MAX_EVENT]],
        "event_size": len(worst.event),
        "p": ratio_text(worst.p),
        "q": ratio_text(worst.q),
    }


def _unreached(unreached: Unreached | None) -> dict[str, Any] | None:
    if unreached is None:
        return None
    branches = [list(branch) for branch in unreached.branches]
    return {"file": Path(unreached.file).name, "lines": list(unreached.lines), "branches": branches}


def with_ideal_noise(claim: Claim) -> str:
    """Return a claim in words as it is made about ideal noise."""
    return f"with ideal noise, {claim.sentence()}"


def described(case: Case) -> dict[str, Any]:
    """Return what a result says before anything is audited."""
    found: dict[str, Any] = {"target": case.label, "law_source": None, "claim": _claim(case.claim())}
    if case.ideal is None:
        return found
    claim, method = case.claim(), "ideal" if case.every is None else "every"
    sentence = with_ideal_noise(claim) if case.every is None else f"with ideal noise, {case.every.sentence(claim)}"
    scope = {"inputs": claim.inputs_words(), "sentence": sentence}
    if case.any_length:
        scope = {"inputs": ANY_LENGTH, "sentence": f"{sentence.removesuffix(claim.inputs_words())}{ANY_LENGTH}"}
    return {**found, "method": method, "claim": {**found["claim"], **scope}}


def undecided_result(description: dict[str, Any], reason: str) -> dict[str, Any]:
    """Return the result of a case that was not audited to the end."""
    return {
        **description,
        "method": description.get("method", "exact"),
        "verdict": "undecided",
        "reason": reason,
        "assumptions": [],
        "pairs": 0,
        "tail": "1/1",
        "delta": {"lo": "0/1", "hi": "1/1"},
        "epsilon": {"lo": "0", "hi": None},
        "worst": None,
        "confidence": None,
        "power": None,
        "certificate": None,
        "versions": versions(),
        "notes": [],
        "unreached": None,
        "rounding": None,
        "ideal": None,
    }


def result_of(case: Case, report: Report, certificate: Path | None) -> dict[str, Any]:
    """Return the result of an audit, with `certificate` as the path that its certificate was written to."""
    verdict = {Verified: "verified", Refuted: "refuted", Undecided: "undecided"}[type(report.verdict)]
    return {
        **undecided_result(described(case), ""),
        "law_source": ", ".join(report.law_source) or None,
        "verdict": verdict,
        "reason": report.verdict.reason if isinstance(report.verdict, Undecided) else None,
        "assumptions": list(report.assumptions),
        "pairs": report.pairs,
        "tail": rounded_text(report.tail, up=True),
        "delta": {"lo": rounded_text(report.delta_lo, up=False), "hi": rounded_text(report.delta_hi, up=True)},
        "epsilon": {
            "lo": str(report.epsilon_lo),
            "hi": None if report.epsilon_hi is None else str(report.epsilon_hi),
        },
        "worst": None if report.worst is None or not report.worst.event else worst_event(report.worst),
        "certificate": None if certificate is None else str(certificate),
        "notes": list(report.notes),
        "unreached": _unreached(report.unreached),
    }


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
    """Return where the laws behind a verdict are, if they were kept with its certificate."""
    return certificate.with_name(f"{certificate.stem}.laws.json")


def write_certificate(folder: Path, certificate: Certificate, spec: Spec, laws: str | None = None) -> Path:
    """Write the certificate of the case that a spec names into a folder, whole or not at all, and return its path.

    The text of its `laws`, if any, is written beside it. The name tells claims apart, and those of one name in several
    files, or bound to several names of one; the same claim again overwrites.

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
    """Return what an audit found with the path that its certificate was written to, or with why it could not be."""
    try:
        written = str(write())
    except InputError as error:
        return replace(audited, result={**audited.result, "certificate": None}, unwritten=Trouble.of(error))
    return replace(audited, result={**audited.result, "certificate": written})


def _words(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9.=+-]+", "_", text).lstrip(".")


def write_text(folder: Path, name: str, text: str) -> Path:
    """Write NAME.json into a folder, whole or not at all, and return its path.

    Raises: InputError where the folder cannot be written.
    """
    path = folder / f"{_words(name)}.json"
    temporary = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            temporary.write_text(text, encoding="utf-8")
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            given=f"--certificates {folder}: {error.strerror}",
            needed="a folder that can be written",
            remedy="name another, or make room",
        ) from error
    return path
