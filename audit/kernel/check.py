"""Re-checking a certificate: everything is computed again from the program, nothing searched or looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from dpcert.audit.kernel.certificate import SOURCES, Certificate, embed
from dpcert.audit.kernel.claim import ApproxDP, Claim
from dpcert.audit.kernel.examine import Examination, Program, Refuted, Undecided, Verdict, Verified, Witness
from dpcert.mechanisms.exact.errors import DpcertError
from dpcert.mechanisms.exact.number import hex_text

RESTORE = "; restore the files that were certified, or audit again"


class Rejected(DpcertError):
    """The certificate is well formed but does not hold for this program; the line says where."""


Order = Callable[[Examination], Iterable[object]]
"""Examines every pair, and yields the position of each law that it needs next, an int, for the caller to hold.

It chooses only the order: it supplies no law, and a pair that it leaves out is noticed.
"""


def in_order(names: Iterable[Iterable[str]]) -> list[str]:
    """Return the names of the sources of several laws, each once, in the order of the registry."""
    return sorted({name for each in names for name in each}, key=SOURCES.index)


def claim_of(program: Program, guarantee: ApproxDP) -> Claim:
    """Return the claim that a program has a guarantee, for its own inputs and neighbours."""
    return Claim(program.name, program.parameters, program.inputs, program.neighbours, guarantee, program.observes)


def _same(field: str, certified: Any, found: Any, remedy: str = "") -> None:
    if isinstance(certified, dict):
        for name in sorted({*certified, *found}):
            _same(f"{field} {name}", certified.get(name, "not listed"), found.get(name, "not listed"), remedy)
    elif certified != found:
        raise Rejected(f"{field} is {_short(certified)} in the certificate and {_short(found)} when recomputed{remedy}")


def _short(value: object) -> str:
    text = hex_text(value) if isinstance(value, Fraction) else str(value)
    return text if len(text) <= 90 else f"{text[:60]}... ({len(text)} characters)"


def check(certificate: Certificate, program: Program, order: Order) -> Verified | Refuted:
    """Recompute the certificate from the program and return its verdict.

    Raises: Rejected where anything differs; Unauditable where the program cannot be followed any more.
    """
    claim = claim_of(program, ApproxDP(certificate.epsilon, certificate.delta))
    _same("target", certificate.target, program.name)
    _same("parameters", certificate.parameters, dict(program.parameters))
    _same("neighbours", certificate.neighbours, claim.neighbours.name)
    _same("observes", certificate.observes, program.observes)
    for name in ("max_runs", "max_tail", "max_draws"):
        _same(name, getattr(certificate, name), getattr(program.limits, name))
    _same("inputs", certificate.inputs, len(claim.inputs))
    _same("inputs_digest", certificate.inputs_digest, claim.inputs_digest())
    _same("sentence", certificate.sentence, claim.sentence())
    _same("versions", certificate.versions, program.versions(), "; use these, or audit again")
    files = program.sources()  # the files that are known before the program runs
    _same("sources", files | certificate.sources, certificate.sources | files, RESTORE)
    examination = Examination(claim, program)
    _same("pairs", certificate.pairs, examination.pairs)
    positions: Sequence[int] = range(len(claim.inputs))
    laws: dict[int, Any] = {}  # as a certificate embeds them
    if certificate.witness is not None:
        positions = certificate.witness["a"], certificate.witness["b"]
        verdict: Verdict = examination.refute(Witness(*positions, tuple(certificate.witness["event"])))
        laws = {i: embed(law) for i, law in examination.held.items()}
    else:
        for step in order(examination):
            if isinstance(step, int):
                law = examination.hold(step)
                laws |= {} if certificate.embedded is None else {step: embed(law)}
            if examination.beyond is not None:
                raise Rejected("the pair of inputs {} and {} is not within the bound".format(*examination.beyond))
        again = [digest for _, digest in sorted(examination.digests.items())]  # `_same` compares them below
        verdict = examination.verdict(again, program.assumptions())
    if isinstance(verdict, Undecided):
        raise Rejected(verdict.reason)
    _same("law_source", certificate.law_source, in_order(examination.sources.values()))
    _same("sources", certificate.sources, program.sources(), RESTORE)
    there, here = certificate.assumptions, list(program.assumptions())
    _same("assumptions", dict.fromkeys(there, "assumed"), dict.fromkeys(here, "assumed"), "; audit again")
    _same("assumptions", there, here)
    _same("laws", certificate.laws, [examination.digests[i] for i in positions])
    _same("tail", certificate.tail, examination.tail)
    _same("verdict", certificate.verdict, "verified" if isinstance(verdict, Verified) else "refuted")
    if certificate.embedded not in (None, [laws.get(i) for i in positions]):
        raise Rejected("the embedded laws are not those of the program")
    return verdict
