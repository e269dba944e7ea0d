"""Reports as the JSON of `dpcert audit --json`, the one form that every renderer reads."""

from __future__ import annotations

import hashlib
import os
import re
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpcert.audit.certificates import text_of
from dpcert.audit.coverage import Unreached
from dpcert.audit.decide import Report, Worst, versions
from dpcert.audit.kernel.certificate import Certificate
from dpcert.audit.kernel.claim import Claim
from dpcert.audit.kernel.examine import Refuted, Undecided, Verified
from dpcert.audit.sampling.decide import Confirmed, Sampled
from dpcert.audit.sampling.limits import EventCounts
from dpcert.audit.sampling.power import CHANCE
from dpcert.mechanisms.exact.errors import InputError, one_line
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.mechanisms.forms import to_json
from dpcert.show.decimals import decimal_hi, decimal_lo
from dpcert.targets.cases import Case, Spec
from dpcert.worker.sampling import batched

__all__ = [
    "NO_CERTIFICATE",
    "SAMPLED",
    "described",
    "keep_certificate",
    "result_of",
    "rounded_text",
    "sampled_result",
    "undecided_result",
    "write_certificate",
    "write_text",
]

SAMPLED = {"method": "sampling", "law_source": None}
"""What a result from samples says instead of where its laws are from."""
NO_CERTIFICATE = "no certificate: samples cannot be recomputed"
"""What is noted where a certificate was asked for a result from samples."""
OWN = {
    "coins": "the runs, with its coins, are independent and of one law on each input",
    "rng": "the runs, with the generator that it is handed, are independent and of one law on each input",
    "nothing": "the program's own randomness is independent between runs, and of one law on each input: that it seeds "
    "none of its generators is not checked, and --seed replays those of the modules random and numpy.random alone",
}
"""What samples assume of a program, by what it takes."""
MAX_EVENT = 20
MAX_BITS = 4096


def rounded_text(value: Fraction, *, up: bool) -> str:
    """Return p/q, rounded outwards to 2^-4096 where its numbers are longer than that."""
    if value.denominator.bit_length() > MAX_BITS:
        scaled, rest = divmod(value.numerator << MAX_BITS, value.denominator)
        value = Fraction(scaled + (up and rest > 0), 1 << MAX_BITS)
    return ratio_text(value)


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "epsilon": str(claim.guarantee.epsilon),
        "delta": ratio_text(claim.guarantee.delta),
        "neighbours": claim.neighbours.name,
        "inputs": claim.inputs_words(),
        "sentence": claim.sentence(),
        "parameters": dict(claim.parameters),
    }


def _worst(worst: Worst) -> dict[str, Any]:
    return {
        "a": to_json(worst.a),
        "b": to_json(worst.b),
        "event": [to_json(outcome) for outcome in worst.event[:MAX_EVENT]],
        "event_size": len(worst.event),
        "p": ratio_text(worst.p),
        "q": ratio_text(worst.q),
    }


def _unreached(found: Unreached | None) -> dict[str, Any] | None:
    if found is None:
        return None
    branches = [list(branch) for branch in found.branches]
    return {"file": Path(found.file).name, "lines": list(found.lines), "branches": branches}


def described(case: Case) -> dict[str, Any]:
    """Return what a result says before anything is audited."""
    found = {"target": case.label, "law_source": case.subject.law_source, "claim": _claim(case.claim())}
    return {**found, **SAMPLED} if case.coinless else found


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
    }


def result_of(case: Case, report: Report, certificate: Path | None) -> dict[str, Any]:
    """Return the result of an audit, with `certificate` as the path that its certificate was written to."""
    verdict = {Verified: "verified", Refuted: "refuted", Undecided: "undecided"}[type(report.verdict)]
    return {
        **undecided_result(described(case), ""),
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
        "worst": None if report.worst is None or not report.worst.event else _worst(report.worst),
        "certificate": None if certificate is None else str(certificate),
        "notes": list(report.notes),
        "unreached": _unreached(report.unreached),
    }


def sampled_result(case: Case, found: Sampled, *, asked_for_certificate: bool = False) -> dict[str, Any]:
    """Return the result of a sampling audit; its probabilities are bounds at the stated confidence."""
    notes = [*found.notes, f"{found.runs} runs in all, at {found.looks} {'look' if found.looks == 1 else 'looks'}"]
    if asked_for_certificate:
        notes.append(NO_CERTIFICATE)
    worst = found.worst
    batches = ["a row of a batch is a run of the target"] if batched(case) else []
    return {
        **undecided_result(described(case), ""),
        **SAMPLED,
        "verdict": "refuted" if found.refuted else "undecided",
        "reason": found.reason,
        "assumptions": [OWN[case.takes], *batches],
        "pairs": found.pairs,
        "delta": {"lo": rounded_text(found.delta_lo, up=False), "hi": "1/1"},
        "epsilon": {"lo": str(found.epsilon_lo), "hi": None},
        "worst": None if worst is None else _sampled_worst(worst),
        "confidence": ratio_text(found.confidence),
        "power": None if found.refuted else _power_words(found),
        "notes": notes,
        "sampling": {
            "runs": found.runs,
            "looks": found.looks,
            "claims": found.claims,
            "seed": found.seed,
            "event": None if worst is None else one_line(worst.event.words()),
            "counts": None if worst is None else _counts(worst.counts),
            "again": None if worst is None or worst.again is None else _counts(worst.again),
        },
    }


def _counts(counts: EventCounts) -> dict[str, int]:
    """Return how often an event was seen on a and on b, and in how many runs on each."""
    return {"a": counts.x, "of_a": counts.n, "b": counts.y, "of_b": counts.m}


def _sampled_worst(worst: Confirmed) -> dict[str, Any]:
    """Return the event in the form of exact ones; outcomes may be examples, and none where none are at hand.

    p is a lower bound, and q the greatest beside it that the limits allow: no p and q within them are nearer the claim.
    """
    members = worst.event.members
    return _worst(Worst(a=worst.a, b=worst.b, event=members, p=worst.limits.p_lo, q=worst.limits.q_nearest))


def _power_words(found: Sampled) -> str | None:
    """Return in a line what the last look would have found."""
    if not found.power:
        return None
    least = max(power.excess for power in found.power)
    cases = " or ".join(f">= {decimal_hi(power.p)} against {decimal_lo(power.q)}" for power in found.power)
    chance = f"would have found with probability {decimal_lo(CHANCE)}, once proposed,"
    return f"{chance} an event of probability {cases}: a violation of delta by {decimal_hi(least)}"


def write_certificate(folder: Path, certificate: Certificate, spec: Spec) -> Path:
    """Write the certificate of the case that a spec names into a folder, whole or not at all, and return its path.

    Its name tells claims apart, and those of one name in several files, or bound to several names of one; the same
    claim again overwrites.

    Raises: InputError where the folder cannot be written.
    """
    parameters = [f"{name}={value}" for name, value in certificate.parameters.items()]
    home = f"{spec['path']}:{spec['function']}" if "path" in spec else ""
    claim = hashlib.sha256(f"{home}\n{certificate.sentence}".encode("utf-8", "surrogatepass")).hexdigest()
    words = _words("-".join([certificate.target, *parameters]))[:100]
    return write_text(folder, f"{words}-{certificate.verdict}-{claim[:8]}", text_of(certificate))


def keep_certificate(answer: dict[str, Any], write: Callable[[], Path]) -> None:
    """Put into an answer where its result's certificate was written, or beside the result why it could not be."""
    try:
        answer["result"]["certificate"] = str(write())
    except InputError as error:
        answer["result"]["certificate"] = None
        answer["unwritten"] = {"given": error.given, "needed": error.needed, "remedy": error.remedy}


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
