"""Audits on infinitely many inputs: a search for hints, the verdicts of the premises, and the theorem's conclusion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from dpcert.audit.decide import Report, decide, refuted_at
from dpcert.audit.kernel.certificate import Certificate
from dpcert.audit.kernel.check import in_order
from dpcert.audit.kernel.examine import Refuted, Undecided, Verified
from dpcert.audit.unbounded.theorem import (
    Conclusion,
    Gap,
    HintCandidate,
    LeastBounds,
    Premise,
    RefutingPair,
    UnboundedClaim,
    UnboundedTheorem,
    Unfounded,
)
from dpcert.mechanisms.decimals import decimal_hi, decimal_lo
from dpcert.mechanisms.exact.errors import InputError
from dpcert.targets.cases import Case, case_of
from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec, Spec
from dpcert.unbounded.asked import theorem_of
from dpcert.unbounded.bundle import Bundle, theorem_sources
from dpcert.unbounded.premises import Subjects, spec_and_options
from dpcert.worker.jobs import FindDigestsOfPremises
from dpcert.worker.recomputed import Second
from dpcert.worker.result import Result
from dpcert.worker.results import delta_ends, described, result_of

Again = Callable[[FindDigestsOfPremises], Second]
"""A function that starts the second computation of the laws of these premises, in another process."""


@dataclass(frozen=True, slots=True)
class UnboundedAudit:
    """An audit by theorem: its result, with the bundle of the verified premises, or the report of a refuting pair.

    Where `refutes` is set, the claim is refuted if an audit of that spec with these options is.
    """

    result: Result
    bundle: Bundle | None = None
    report: Report | None = None
    refutes: tuple[CatalogueSpec, Options] | None = None


def describe_unbounded(spec: Spec, options: Options) -> Result:
    """Return the result of a case before its audit."""
    theorem, case, claim = _asked(spec, options)
    sentence, inputs = theorem.sentence(claim)
    whole = described(case)
    words = replace(whole.claim, neighbours=claim.neighbours, inputs=inputs, sentence=sentence)
    return replace(whole, claim=words)


def audit_unbounded(spec: Spec, options: Options, again: Again) -> UnboundedAudit:
    """Audit a built-in mechanism on infinitely many inputs.

    Raises: InputError for invalid parameters; Unauditable where a program cannot be followed.
    """
    theorem, case, claim = _asked(spec, options)
    description = describe_unbounded(spec, options)

    def undecided(reason: str, refutes: Premise | None = None) -> UnboundedAudit:
        job = None if refutes is None else spec_and_options(refutes, options)
        return UnboundedAudit(replace(description, reason=reason), refutes=job)

    try:
        found = theorem.search(claim)
        if isinstance(found, Premise):
            return undecided("", found)
        if isinstance(found, RefutingPair):
            refuted = refuted_at(case.subject, case.guarantee, (found.a, found.b))
            if refuted is None:
                return UnboundedAudit(replace(described(case), reason="a pair that was to refute it does not"))
            refuted = replace(refuted, **found.bounds._asdict())
            return UnboundedAudit(result_of(case, refuted), report=refuted)
        if isinstance(found, Gap):
            between = f"{decimal_lo(found.lo)} is needed, by {found.inputs}, and {decimal_hi(found.hi)} is enough"
            words = f"delta is in or at the edge of the gap between bounds: {between}, for all; {found.remedy}"
            return UnboundedAudit(replace(description, reason=words, delta=delta_ends(found.lo, found.hi)))
        conclusion = theorem.conclusion(claim, found.hints)
    except (InputError, Unfounded) as error:
        return undecided(f"the search for premises stopped: {error}")
    # The hints only propose: the conclusion names the premises, and the kernel decides each of them.
    subjects = Subjects()
    cases = [subjects.find(premise, options) for premise in conclusion.premises]
    reports: list[Report] = []
    certificates: list[Certificate] = []
    with again(FindDigestsOfPremises(subjects.jobs)) as other:
        for premise, (premise_case, place) in zip(conclusion.premises, cases, strict=True):
            second = partial(subjects.second, place, partial(other.digests, ""))
            report = decide(premise_case.subject, premise_case.guarantee, again=second)
            if isinstance(report.verdict, Refuted) and premise.refutes:
                return undecided("", premise)
            if not isinstance(report.verdict, Verified) or report.certificate is None:
                words = report.verdict.reason if isinstance(report.verdict, Undecided) else "refuted"
                return undecided(f"a premise is not verified: {report.claim.sentence()}: {words}")
            reports.append(report)
            certificates.append(replace(report.certificate, embedded=None))
    reason = subjects.unbound(theorem.noun)
    if reason is not None:
        return undecided(reason)
    result = replace(result_of(case, _whole(reports, conclusion, found)), claim=description.claim)
    said = (conclusion.theorem, conclusion.sentence, found.hints, conclusion.assumptions)
    return UnboundedAudit(result, Bundle(claim, *said, tuple(certificates), theorem_sources()))


def _asked(spec: Spec, options: Options) -> tuple[UnboundedTheorem, Case, UnboundedClaim]:
    """Return the theorem of an unbounded case, the case on finitely many inputs, and the claim on all inputs."""
    theorem = theorem_of(spec, options)
    if theorem is None:
        raise ValueError("a case on inputs without end was needed")
    case = case_of(spec, replace(options, neighbours=None))
    claim = UnboundedClaim(
        mechanism=case.subject.name,
        parameters=dict(case.subject.parameters),
        guarantee=case.guarantee,
        neighbours=options.neighbours or case.subject.neighbours.name,
        law_source=options.law_source,
    )
    return theorem, case, claim


def _whole(reports: Sequence[Report], conclusion: Conclusion, found: HintCandidate) -> Report:
    """Return the report of the conclusion; without bounds by the theorem, the premises' worst ones count."""
    first, bounds = reports[0], found.bounds
    if bounds is None:
        his = [report.epsilon_hi for report in reports if report.epsilon_hi is not None]
        epsilon_hi = max(his, key=lambda hi: hi.ratio) if len(his) == len(reports) else None
        delta_hi = max(report.delta_hi for report in reports)
        bounds = LeastBounds(first.delta_lo, delta_hi, first.epsilon_lo, epsilon_hi)
    return replace(
        first,
        law_source=(*in_order([("theorem",), *(report.law_source for report in reports)]),),
        pairs=found.pairs or sum(report.pairs for report in reports),
        tail=max(report.tail for report in reports),
        worst=None,
        notes=tuple(dict.fromkeys(note for report in reports for note in report.notes)),
        unreached=None,
        assumptions=conclusion.assumptions,
        **bounds._asdict(),
    )
