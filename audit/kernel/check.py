"""Re-checking a certificate: everything is computed again from the program, nothing searched or looked up."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Protocol

from dpcert.audit.kernel.certificate import Certificate, embed
from dpcert.audit.kernel.claim import ApproxDP, Claim
from dpcert.audit.kernel.examine import Examination, Refuted, Verified, Witness, sound, stream
from dpcert.audit.kernel.neighbours import Neighbours
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.errors import DpcertError, one_line
from dpcert.mechanisms.exact.explore import Limits
from dpcert.mechanisms.exact.number import hex_text


class Rejected(DpcertError):
    """The certificate is well formed but does not hold for this program; the line says where."""

    def __init__(self, reason: str) -> None:
        super().__init__(one_line(reason))


class Program(Protocol):
    """What a certificate is checked against: a program with its scope, made by the front door."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    inputs: tuple[Any, ...]
    neighbours: Neighbours
    observes: str
    law_source: str
    limits: Limits

    def law(self, position: int) -> Dist:
        """Return the law on the input at a position, found afresh within the limits."""

    def sources(self) -> dict[str, str]:
        """Return the SHA-256 of each source file that the program executes."""


def claim_of(program: Program, guarantee: ApproxDP) -> Claim:
    """Return the claim that a program has a guarantee, for its own inputs and neighbours."""
    return Claim(program.name, program.parameters, program.inputs, program.neighbours, guarantee, program.observes)


def _same(field: str, certified: object, found: object) -> None:
    if certified != found:
        raise Rejected(f"{field} is {_short(certified)} in the certificate and {_short(found)} when recomputed")


def _short(value: object) -> str:
    text = hex_text(value) if isinstance(value, Fraction) else str(value)
    return text if len(text) <= 90 else f"{text[:60]}... ({len(text)} characters)"


def check(certificate: Certificate, program: Program) -> Verified | Refuted:
    """Recompute the certificate from the program and return its verdict.

    Nothing here depends on the texts in `assumptions`, which the verdict passes on, and in `versions`.

    Raises: Rejected where anything differs; Unauditable where the program cannot be followed any more.
    """
    claim = claim_of(program, ApproxDP(certificate.epsilon, certificate.delta))
    _same("target", certificate.target, program.name)
    _same("parameters", certificate.parameters, dict(program.parameters))
    _same("neighbours", certificate.neighbours, claim.neighbours.name)
    _same("observes", certificate.observes, program.observes)
    _same("law_source", certificate.law_source, program.law_source)
    for name in ("max_runs", "max_tail", "max_draws"):
        _same(name, getattr(certificate, name), getattr(program.limits, name))
    _same("inputs", certificate.inputs, len(claim.inputs))
    _same("inputs_digest", certificate.inputs_digest, claim.inputs_digest())
    _same("sentence", certificate.sentence, claim.sentence())
    examination = Examination(claim)
    _same("pairs", certificate.pairs, examination.pairs)
    if certificate.verdict == "refuted":
        return _check_refuted(certificate, program, examination)
    embedded: dict[int, Any] = {}

    def law_of(position: int) -> Dist:
        law = sound(program.law(position))
        if certificate.embedded is not None:
            embedded[position] = embed(law)
        return law

    for answer, _, _ in stream(examination, law_of):
        if answer.within is not True:
            raise Rejected(f"the pair of inputs {answer.a} and {answer.b} is not within the bound")
    _same("laws", certificate.laws, [examination.digests[i] for i in range(len(claim.inputs))])
    _same("tail", certificate.tail, examination.tail)
    if certificate.embedded not in (None, [embedded.get(i) for i in range(len(claim.inputs))]):
        raise Rejected("the embedded laws are not those of the program")
    verdict = examination.verdict(certificate.laws, tuple(certificate.assumptions))
    if not isinstance(verdict, Verified):
        raise Rejected(verdict.reason)
    _same("sources", certificate.sources, program.sources())
    return verdict


def _check_refuted(certificate: Certificate, program: Program, examination: Examination) -> Refuted:
    if certificate.witness is None:
        raise Rejected("a refutation needs a witness")
    if certificate.embedded is not None:
        raise Rejected("a refutation embeds no laws")
    _same("assumptions", certificate.assumptions, [])
    witness = Witness(certificate.witness["a"], certificate.witness["b"], tuple(certificate.witness["event"]))
    if not examination.related(witness.a, witness.b):
        raise Rejected(f"the witness names inputs {witness.a} and {witness.b}, which are no neighbours")
    p, q = program.law(witness.a), program.law(witness.b)
    verdict = examination.refute(witness, p, q)
    if verdict is None:
        raise Rejected("the witness does not violate the bound")
    _same("laws", certificate.laws, [p.digest(), q.digest()])
    _same("tail", certificate.tail, max(p.tail, q.tail))
    _same("sources", certificate.sources, program.sources())
    return verdict
