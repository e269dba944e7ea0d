"""Re-checking a bundle: its parameters and hints determine its premises, and the kernel checks each of these."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpcert.audit.kernel.certificate import Certificate
from dpcert.audit.kernel.check import Rejected, check
from dpcert.audit.kernel.examine import Verified
from dpcert.audit.passes import examined
from dpcert.audit.unbounded.theorem import Conclusion, Premise, Unfounded
from dpcert.audit.unbounded.theorems import THEOREMS
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.targets.options import Options
from dpcert.unbounded.bundle import Bundle, theorem_sources
from dpcert.unbounded.premises import Subjects


def check_bundle(bundle: Bundle, limits: Mapping[str, Any]) -> Conclusion:
    """Return the conclusion of a bundle, if it follows from its premises and the kernel accepts each of them.

    `limits` are the options of the run that limit the enumeration.

    Raises: Rejected where anything differs; Unauditable where a program can no longer be followed.
    """
    theorem = THEOREMS.get(bundle.claim.mechanism)
    if theorem is None:
        raise Rejected(f"no theorem is about {bundle.claim.mechanism!r}")
    try:
        conclusion = theorem.conclusion(bundle.claim, bundle.hints)
    except (Unfounded, InputError) as error:
        raise Rejected(str(error)) from None
    _same("theorem", bundle.theorem, conclusion.theorem)
    _same("sentence", bundle.sentence, conclusion.sentence)
    _same("assumptions", bundle.assumptions, conclusion.assumptions)
    _same("sources", bundle.sources, theorem_sources())
    _same("number of premises", len(bundle.premises), len(conclusion.premises))
    # Claim and hints lead to the premises, here as in the audit; the bundle's certificates are only held to them.
    subjects, options = Subjects(), Options(law_source=bundle.claim.law_source, **limits)
    for place, (certificate, premise) in enumerate(zip(bundle.premises, conclusion.premises, strict=True), 1):
        _premise(place, certificate, premise, options, subjects)
    reason = subjects.unbound(theorem.noun)
    if reason is not None:
        raise Rejected(reason)
    return conclusion


def _premise(place: int, certificate: Certificate, premise: Premise, options: Options, subjects: Subjects) -> None:
    """Return if a certificate is about this premise and nothing else, and the kernel accepts it as verified."""
    where = f"of premise {place}"
    _same(f"verdict {where}", certificate.verdict, "verified")
    _same(f"target {where}", certificate.target, premise.mechanism)
    _same(f"parameters {where}", certificate.parameters, dict(premise.settings))
    _same(f"epsilon {where}", certificate.epsilon, str(premise.guarantee.epsilon))
    _same(f"delta {where}", ratio_text(certificate.delta), ratio_text(premise.guarantee.delta))
    _same(f"neighbours {where}", certificate.neighbours, premise.neighbours)
    _same(f"observes {where}", certificate.observes, "outcome")
    _same(f"assumptions {where}", certificate.assumptions, [])
    closed = premise.closed or options.law_source == "closed-form"
    _same(f"law_source {where}", certificate.law_source, ["closed-form" if closed else "paths"])
    reason = other_limits(certificate, options)
    if reason is not None:
        raise Rejected(f"premise {place}: {reason}")
    try:
        case, _ = subjects.find(premise, options)
    except InputError as error:
        raise Rejected(f"premise {place}: {error}") from None
    if not isinstance(check(certificate, case.subject, examined), Verified):
        raise Rejected(f"premise {place} is not verified")


def needs_bundle(certificate: Certificate) -> str | None:
    """Return why a certificate about a built-in on infinitely many inputs is rejected; None for any other one."""
    theorem = THEOREMS.get(certificate.target)
    if theorem is None or not theorem.is_endless(certificate.parameters):
        return None
    finitely = f"finitely many inputs are not all {theorem.noun}s of {certificate.target}"
    return f"{finitely}: a bundle is needed for {theorem.setting}={theorem.value}"


def other_limits(certificate: Certificate, options: Options) -> str | None:
    """Return why a certificate whose limits differ from this run's is rejected; None where they agree."""
    limits = options.limits()
    for name in ("max_runs", "max_tail", "max_draws"):
        made, here = (ratio_text(Fraction(getattr(part, name))).removesuffix("/1") for part in (certificate, limits))
        if made != here:
            asked = f"--{name.replace('_', '-')} {_short(made)}"
            words = f"the certificate says {asked}, and this run has {_short(here)}"
            return f"{words}: recheck with {asked} if the audit had it, else audit again"
    return None


def _same(field: str, there: object, here: object) -> None:
    if there != here:
        raise Rejected(f"the {field} is {_short(there)} in the bundle and {_short(here)} when recomputed")


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 90 else f"{text[:60]}... ({len(text)} characters)"
