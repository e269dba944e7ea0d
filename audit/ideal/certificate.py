"""Certificates of verdicts on ideal noise, and their check: paths and integrals are computed again from the program.

What was searched for is not searched again: the event that refutes is integrated, and shifts are substituted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from dpcert.audit.certificates import strict_json
from dpcert.audit.ideal.alignment import Alignment, check_alignments
from dpcert.audit.ideal.decide import Decision, IdealReport
from dpcert.audit.ideal.explore import laws_of
from dpcert.audit.ideal.merge import open_steps, pair_steps
from dpcert.audit.ideal.release import is_at_least, left_over, opened_paths
from dpcert.audit.ideal.run import Path
from dpcert.audit.ideal.verdict import decide_ideal, digests_of, held_by
from dpcert.audit.kernel.certificate import Malformed
from dpcert.audit.kernel.check import Rejected
from dpcert.audit.kernel.claim import Claim
from dpcert.audit.kernel.examine import name_outcome
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, ratio_text
from dpcert.mechanisms.exact.outcome import key
from dpcert.mechanisms.floating.held import sentence as sentence_of

SCHEMA = "dpcert.ideal-certificate/1"
KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("parameters", "sources", "versions"), (dict,)),
    **dict.fromkeys(("paths", "alignments", "assumptions"), (list,)),
    "pairs": (int,),
    "witness": (dict, type(None)),
}
METHODS = ("integration", "alignment", "pairs", "intervals", "densities", "normal release")


@dataclass(frozen=True, slots=True)
class IdealCertificate:
    """A verdict on ideal noise as data: the digests of the paths on each input, and what the search found.

    `witness` is {"a", "b", "event"}, positions of inputs and names of outcomes, where outcomes were integrated.
    `alignments` are rows [step, source, target, shifts, names] of texts and integers: steps are between the inputs of
    each pair, or from open inputs to those that are moved by each difference.
    """

    schema: str
    target: str
    parameters: dict[str, str]
    epsilon: str
    delta: str
    neighbours: str
    inputs_digest: str
    verdict: str
    method: str
    sentence: str
    pairs: int
    paths: list[str]
    witness: dict[str, Any] | None
    alignments: list[Any]
    assumptions: list[str]
    sources: dict[str, str]
    versions: dict[str, str]

    def to_text(self) -> str:
        """Return the certificate as JSON."""
        return json.dumps({f.name: getattr(self, f.name) for f in fields(self)}, indent=1, sort_keys=True) + "\n"

    @classmethod
    def from_text(cls, text: bytes) -> IdealCertificate:
        """Return the certificate that a JSON text spells out, every field present, known and of its type.

        Raises: Malformed, in one line.
        """
        data = strict_json(text, "certificate")
        if not isinstance(data, dict):
            raise Malformed("not a certificate: an object was needed")
        known = {f.name: f for f in fields(cls)}
        for name in [*data, *known]:
            if name not in known or name not in data:
                raise Malformed(f"{'unknown' if name in data else 'missing'} field {name[:80]!r}")
        if data["schema"] != SCHEMA or data["verdict"] not in ("verified", "refuted") or data["method"] not in METHODS:
            raise Malformed(f"schema {SCHEMA!r}, a verdict and a method needed")
        for name in known:
            if not isinstance(data[name], KINDS.get(name, (str,))) or isinstance(data[name], bool):
                raise Malformed(f"field {name!r} is of another type")
        return cls(**data)


def certificate_of(
    report: IdealReport,
    *,
    sentence: str,
    assumptions: Sequence[str],
    sources: Mapping[str, str],
    versions: Mapping[str, str],
) -> IdealCertificate | None:
    """Return the certificate of a report; None for one that is undecided."""
    claim = report.claim
    if report.verdict == "undecided":
        return None
    witness = None
    if report.verdict == "refuted" and report.method == "integration" and report.worst is not None:
        places = {key(value): place for place, value in enumerate(claim.inputs)}
        names = [name_outcome(outcome) for outcome in report.worst.event]
        witness = {"a": places[key(report.worst.a)], "b": places[key(report.worst.b)], "event": names}
    return IdealCertificate(
        schema=SCHEMA,
        target=claim.mechanism,
        parameters=dict(claim.parameters),
        epsilon=str(claim.guarantee.epsilon),
        delta=ratio_text(claim.guarantee.delta),
        neighbours=claim.neighbours.name,
        inputs_digest=claim.inputs_digest(),
        verdict=report.verdict,
        method=report.method,
        sentence=sentence,
        pairs=report.pairs,
        paths=list(report.digests),
        witness=witness,
        alignments=[_row(alignment) for alignment in report.alignments],
        assumptions=[*assumptions, *map(sentence_of, report.held)],
        sources=dict(sources),
        versions=dict(versions),
    )


def _row(alignment: Alignment) -> list[Any]:
    shifts = [[name, ratio_text(s)] for name, s in alignment.shift]
    return [alignment.step, alignment.source, alignment.target, shifts, [list(pair) for pair in alignment.names]]


def _alignment(row: Any) -> Alignment:
    try:
        step, source, target, shifts, named = row
        shift = tuple((int(name), exact(s)) for name, s in shifts)
        names = tuple((int(name), int(other)) for name, other in named)
        return Alignment(int(step), int(source), int(target), shift, names)
    except (TypeError, ValueError, InputError) as error:
        raise Rejected(f"an alignment that is none: {error}") from None


def check_ideal(
    certificate: IdealCertificate,
    claim: Claim,
    program: Callable[..., Any],
    *,
    sentence: str,
    assumptions: Sequence[str],
    sources: Mapping[str, str],
    versions: Mapping[str, str],
) -> None:
    """Check a certificate against a program.

    Raises: Rejected where anything differs; Unauditable where the program is not followed any more.
    """
    expected: dict[str, object] = {
        "target": claim.mechanism,
        "parameters": dict(claim.parameters),
        "epsilon": str(claim.guarantee.epsilon),
        "delta": ratio_text(claim.guarantee.delta),
        "neighbours": claim.neighbours.name,
        "inputs_digest": claim.inputs_digest(),
        "sentence": sentence,
        "sources": dict(sources),
        "versions": dict(versions),
    }
    for name, value in expected.items():
        if getattr(certificate, name) != value:
            raise Rejected(f"{name} differs from that of the program: audit again")
    pairs = list(claim.pairs())
    if certificate.pairs != len(pairs) or not pairs:
        raise Rejected(f"{certificate.pairs} pairs in the certificate and {len(pairs)} when recomputed")
    paths = laws_of(program, claim.inputs)
    if list(digests_of(paths)) != certificate.paths:
        raise Rejected("the paths of the program are others")
    if certificate.assumptions != [*assumptions, *map(sentence_of, held_by(paths))]:
        raise Rejected("the assumptions are others")
    if certificate.method in ("intervals", "densities", "normal release"):
        report = decide_ideal(claim, program)
        if (report.verdict, report.method) != (certificate.verdict, certificate.method):
            raise Rejected(f"{certificate.verdict} in the certificate and {report.verdict} when recomputed")
        return
    if certificate.method in ("alignment", "pairs"):
        _check_alignments(certificate, claim, program, paths, pairs)
        return
    decision = Decision(claim, paths)
    if certificate.verdict == "verified":
        broken = (pair for pair in pairs if decision.violated(*pair, decision.divergence(*pair, decision.ratio)))
        if (pair := next(broken, None)) is not None:
            raise Rejected(f"the pair of inputs {pair[0]} and {pair[1]} is not within the bound")
        return
    witness = certificate.witness or {}
    a, b, event = witness.get("a"), witness.get("b"), witness.get("event")
    if (a, b) not in pairs or not isinstance(event, list) or not decision.breaks(int(a or 0), int(b or 0), event):
        raise Rejected("the witness does not violate the bound")


def _check_alignments(
    certificate: IdealCertificate,
    claim: Claim,
    program: Callable[..., Any],
    paths: Sequence[Sequence[Path]],
    pairs: Sequence[tuple[int, int]],
) -> None:
    """Check that alignments bound all pairs, or all differences of inputs, within the claim."""
    if certificate.method == "pairs":
        steps = pair_steps(paths, pairs)
    else:
        steps = open_steps(*opened_paths(claim, program, paths, pairs))
    try:
        checked = check_alignments(steps, list(map(_alignment, certificate.alignments)))
    except ArithmeticError as error:
        raise Rejected(str(error)) from None
    if not is_at_least(claim.guarantee.epsilon, Epsilon.of(checked.bound)):
        raise Rejected("an alignment costs more than the claim")
    if certificate.method == "alignment" and any(checked.left):
        raise Rejected("a region of open inputs has no alignment")
    if left_over(checked) > claim.guarantee.delta:
        raise Rejected("what alignments leave is likelier than the claim's delta")
    if certificate.verdict != "verified":
        raise Rejected("alignments refute nothing")
