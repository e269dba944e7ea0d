"""Certificates of verdicts on ideal noise, and their check: paths and integrals are computed again from the program.

What was searched for is not searched again: the event that refutes is integrated, and shifts are substituted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from dpcert.audit.certificates import strict_json
from dpcert.audit.ideal.alignment import Alignment, check_alignments
from dpcert.audit.ideal.decide import Decision
from dpcert.audit.ideal.discrete.values import without_loss
from dpcert.audit.ideal.every import Every, Range
from dpcert.audit.ideal.every_report import EveryReport
from dpcert.audit.ideal.explore import OPEN, laws_of
from dpcert.audit.ideal.merge import open_steps, pair_steps
from dpcert.audit.ideal.opening import is_at_least, left_over, opened_paths
from dpcert.audit.ideal.report import IdealReport
from dpcert.audit.ideal.run import Path
from dpcert.audit.ideal.verdict import decide_ideal, digests_of, held_by
from dpcert.audit.kernel.certificate import Malformed
from dpcert.audit.kernel.check import Rejected
from dpcert.audit.kernel.claim import ApproxDP, Claim
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

    `witness` is {"a", "b", "event"}, positions of inputs and names of outcomes, where outcomes were integrated. Of a
    claim of every epsilon of a range, `epsilon` is the multiple that is claimed, `every` the range in words, and `at`
    the epsilon at which it is refuted; both are empty texts otherwise.
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
    every: str
    at: str
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
        every="",
        at="",
        assumptions=[*assumptions, *map(sentence_of, report.held)],
        sources=dict(sources),
        versions=dict(versions),
    )


def certificate_of_every(
    report: EveryReport,
    claim: Claim,
    program: Callable[..., Any],
    *,
    every: str,
    sentence: str,
    assumptions: Sequence[str],
    sources: Mapping[str, str],
    versions: Mapping[str, str],
) -> IdealCertificate | None:
    """Return the certificate of a report on every epsilon of a range, in words; None for one that is undecided.

    A refutation is that of the claim at one epsilon.
    """
    if report.epsilon is not None:
        found = decide_ideal(_at(claim, report.epsilon), program, epsilon=report.epsilon)
    else:
        nothing = Epsilon.of(0), None
        found = IdealReport(
            claim,
            report.verdict,
            None,
            report.pairs,
            report.paths,
            0,
            report.delta,
            nothing,
            None,
            method=report.method,
            digests=report.digests,
            alignments=report.alignments,
            held=report.held,
        )
    certificate = certificate_of(found, sentence=sentence, assumptions=assumptions, sources=sources, versions=versions)
    if certificate is None or certificate.verdict != report.verdict:
        return None
    at = "" if report.epsilon is None else ratio_text(report.epsilon)
    return replace(certificate, epsilon=str(claim.guarantee.epsilon), every=every, at=at)


def _at(claim: Claim, epsilon: Fraction) -> Claim:
    """Return the claim at one epsilon that a claim of every epsilon is, of which its own is a multiple."""
    guarantee = claim.guarantee
    return replace(claim, guarantee=ApproxDP(guarantee.epsilon.rational * epsilon, guarantee.delta))


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
    every: str = "",
    within: Range | None = None,
) -> None:
    """Check a certificate against a program; one of every epsilon `within` a range, that in words.

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
        "every": every,
        "sources": dict(sources),
        "versions": dict(versions),
    }
    for name, value in expected.items():
        if getattr(certificate, name) != value:
            raise Rejected(f"{name} differs from that of the program: audit again")
    pairs = list(claim.pairs())
    if certificate.pairs != len(pairs) or not pairs:
        raise Rejected(f"{certificate.pairs} pairs in the certificate and {len(pairs)} when recomputed")
    epsilon: Fraction | str | None = None if within is None else OPEN
    if certificate.at:
        with suppress(InputError):
            epsilon = exact(certificate.at, "at")
        if not isinstance(epsilon, Fraction) or within is None or epsilon not in within or epsilon <= 0:
            raise Rejected("what is given is no epsilon of the claim")
        if certificate.verdict != "refuted":
            raise Rejected("what holds at one epsilon is not verified for every one")
        claim = _at(claim, epsilon)
    paths = laws_of(program, claim.inputs, epsilon=epsilon)
    if list(digests_of(paths)) != certificate.paths:
        raise Rejected("the paths of the program are others")
    if certificate.assumptions != [*assumptions, *map(sentence_of, held_by(paths))]:
        raise Rejected("the assumptions are others")
    if epsilon == OPEN and certificate.verdict != "verified":
        raise Rejected("a refutation of every epsilon is at one")
    if certificate.method in ("alignment", "pairs"):
        _check_alignments(certificate, claim, program, paths, pairs, epsilon)
        return
    if within is not None and epsilon == OPEN:
        factor, delta = claim.guarantee.epsilon.rational, claim.guarantee.delta
        if certificate.method == "intervals":
            paths = without_loss(paths).rows
        elif certificate.method != "integration":
            raise Rejected("another method than those for every epsilon")
        if not Every(claim.inputs, pairs, paths, factor, delta, within).holds():
            raise Rejected("a pair of inputs is not shown to be within the claim for every epsilon")
        return
    one = epsilon if isinstance(epsilon, Fraction) else None
    if certificate.method != "integration":
        report = decide_ideal(claim, program, epsilon=one)
        if (report.verdict, report.method) != (certificate.verdict, certificate.method):
            raise Rejected(f"{certificate.verdict} in the certificate and {report.verdict} when recomputed")
        return
    decision = Decision(claim, paths, at_epsilon=one or Fraction(1))
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
    epsilon: Fraction | str | None,
) -> None:
    """Check that alignments bound all pairs, or all differences of inputs, within the claim."""
    if certificate.method == "pairs":
        steps = pair_steps(paths, pairs)
    else:
        steps = open_steps(*opened_paths(claim, program, paths, pairs, epsilon=epsilon))
    try:
        checked = check_alignments(steps, list(map(_alignment, certificate.alignments)))
    except ArithmeticError as error:
        raise Rejected(str(error)) from None
    if not is_at_least(claim.guarantee.epsilon, Epsilon.of(checked.bound)):
        raise Rejected("an alignment costs more than the claim")
    if epsilon == OPEN and checked.power != 1:
        raise Rejected("an alignment whose cost is no multiple of epsilon")
    if any(checked.left) and (certificate.method == "alignment" or epsilon == OPEN):
        raise Rejected("a region has no alignment")
    if left_over(checked, epsilon) > claim.guarantee.delta:
        raise Rejected("what alignments leave is likelier than the claim's delta")
    if certificate.verdict != "verified":
        raise Rejected("alignments refute nothing")
