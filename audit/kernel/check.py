"""Re-checking a certificate: everything is computed again from the program, nothing searched or looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from dpcert.audit.kernel.certificate import SOURCES, Certificate, embed
from dpcert.audit.kernel.claim import ApproxDP, Claim
from dpcert.audit.kernel.examine import Examination, Refuted, Undecided, Verdict, Verified, Witness, sound
from dpcert.audit.kernel.neighbours import Neighbours
from dpcert.mechanisms.exact.errors import DpcertError, Unauditable
from dpcert.mechanisms.exact.explore import Limits
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.exact.number import hex_text
from dpcert.mechanisms.exact.outcome import canonical, fresh, show

RESTORE = "; restore the files that were certified, or audit again"


class Rejected(DpcertError):
    """The certificate is well formed but does not hold for this program; the line says where."""


class Answer(NamedTuple):
    """A source's law of the program or closed form that it `read`, on the input whose canonical bytes are `given`.

    `sources` are the names of all sources that the law rests on.
    """

    law: Law
    read: object
    given: bytes
    sources: tuple[str, ...]


class Program(Protocol):
    """The program, with its scope, against which a certificate is checked; the front door makes it.

    `read` is the program or its closed form; `source` is handed `read` and a copy of an input.
    """

    name: str
    parameters: tuple[tuple[str, str], ...]
    inputs: tuple[Any, ...]
    neighbours: Neighbours
    observes: str
    limits: Limits
    read: Any

    def source(self, read: Callable[..., Any], value: Any) -> Answer:
        """Return the law of `read` on `value`, computed afresh within the limits."""

    def assumptions(self) -> tuple[str, ...]:
        """Return the assumptions on the program, and those of the laws computed until now."""

    def sources(self) -> dict[str, str]:
        """Return the SHA-256 of each source file that the program imports, or executed until now."""

    def versions(self) -> dict[str, str]:
        """Return the versions of Python, of this package and of each package that the program imports."""


Order = Callable[[Examination], Iterable[object]]
"""Examines every pair. It chooses only the order: it supplies no law, and a pair that it leaves out is noticed."""


def ask(program: Program, value: Any) -> Answer:
    """Hand a program and a copy of an input to its law source, and return the answer.

    Raises: Unauditable for an answer on another program or input, for a source that changes the input or the copy, and
            for a source that is not in the registry.
    """
    read, name, handed = program.read, canonical(value), fresh(value)
    answer = program.source(read, handed)
    if type(answer) is not Answer or not answer.sources or not {*answer.sources} <= {*SOURCES}:
        raise Unauditable(f"a law source must answer with a law and its own name, one of {', '.join(SOURCES)}")
    if answer.read is not read or {canonical(value), canonical(handed), answer.given} != {name}:
        raise Unauditable(f"handed the input {show(value)}, the law source answered on another, or changed it")
    return answer


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
    seen: dict[int, tuple[tuple[str, ...], Any]] = {}

    def law_of(position: int) -> Law:
        answer = ask(program, claim.inputs[position])
        seen[position] = answer.sources, None if certificate.embedded is None else embed(sound(answer.law))
        return answer.law

    examination = Examination(claim, law_of)
    _same("pairs", certificate.pairs, examination.pairs)
    positions: Sequence[int] = range(len(claim.inputs))
    if certificate.witness is not None:
        positions = certificate.witness["a"], certificate.witness["b"]
        verdict: Verdict = examination.refute(Witness(*positions, tuple(certificate.witness["event"])))
    else:
        for _ in order(examination):
            if examination.beyond is not None:
                raise Rejected("the pair of inputs {} and {} is not within the bound".format(*examination.beyond))
        again = [digest for _, digest in sorted(examination.digests.items())]  # `_same` compares them below
        verdict = examination.verdict(again, program.assumptions())
    if isinstance(verdict, Undecided):
        raise Rejected(verdict.reason)
    _same("law_source", certificate.law_source, in_order(names for names, _ in seen.values()))
    _same("sources", certificate.sources, program.sources(), RESTORE)
    there, here = certificate.assumptions, list(program.assumptions())
    _same("assumptions", dict.fromkeys(there, "assumed"), dict.fromkeys(here, "assumed"), "; audit again")
    _same("assumptions", there, here)
    _same("laws", certificate.laws, [examination.digests[i] for i in positions])
    _same("tail", certificate.tail, examination.tail)
    _same("verdict", certificate.verdict, "verified" if isinstance(verdict, Verified) else "refuted")
    if certificate.embedded not in (None, [seen[i][1] for i in positions]):
        raise Rejected("the embedded laws are not those of the program")
    return verdict
