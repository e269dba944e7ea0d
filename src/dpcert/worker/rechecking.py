"""Certificates and bundles checked again, by the kernel."""

from pathlib import Path
from typing import Any

from dpcert.audit.certificates import MAX_BYTES, certificate_of, schema_of
from dpcert.audit.float_outcomes import SEEN, seen_as_certified
from dpcert.audit.kernel.certificate import SCHEMA, Certificate, Malformed
from dpcert.audit.kernel.check import Rejected, check
from dpcert.audit.kernel.claim import OBSERVABLES
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.passes import examined
from dpcert.mechanisms.exact.errors import InputError, Unauditable
from dpcert.mechanisms.exact.number import ratio_text
from dpcert.targets.cases import Case, case_of, specs_of_file
from dpcert.targets.catalogue import BUILT_IN
from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec, Spec
from dpcert.unbounded.bundle import SCHEMA as BUNDLE
from dpcert.unbounded.bundle import Bundle
from dpcert.unbounded.rechecking import check_bundle, needs_bundle, other_limits
from dpcert.worker.jobs import Recheck, Rechecked

IDEAL = "dpcert.ideal-certificate/5"
"""The schema of certificates of verdicts on ideal noise."""


def recheck(job: Recheck) -> Rechecked:
    """Check a certificate or a bundle again, by computing everything from the program.

    Raises: InputError where the job names no program for a user's claim, or names one for a bundle.
    """
    path = Path(job.certificate)
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1)
        schema = schema_of(text)
        _need_schema(schema)
        if schema == BUNDLE:
            return _recheck_bundle(Bundle.from_text(text), job)
        if schema == IDEAL:
            return _recheck_ideal(text, job)
        certificate = certificate_of(text)
    except OSError as error:
        return Rechecked("malformed", f"{path}: {error.strerror}")
    except Malformed as error:
        return Rechecked("malformed", f"{path}: {error}")
    options = _options_of(certificate, job)
    reason = other_limits(certificate, options) or (needs_bundle(certificate) if job.file is None else None)
    if reason is not None:
        return Rechecked("rejected", reason)
    try:
        seen = {name: certificate.parameters.pop(name) for name in SEEN if name in certificate.parameters}
        subject = case_of(_spec_for(certificate, job), options).subject
        certificate.parameters.update(seen)
        verdict = check(certificate, seen_as_certified(subject, seen, certificate.verdict), examined)
    except (Rejected, Unauditable) as error:
        return Rechecked("rejected", str(error))
    return Rechecked("accepted", verdict=certificate.verdict, sentence=verdict.claim.sentence())


def _need_schema(found: str) -> None:
    """Raises: Malformed for the schema of another version, or of what is no certificate."""
    needed, step = "a certificate", "name a file that dpcert audit --certificates wrote"
    for own in (SCHEMA, IDEAL, BUNDLE):
        if found in ("", own):
            return
        if found.rpartition("/")[0] == own.rpartition("/")[0]:
            needed, step = own, "audit again, or recheck with the dpcert that wrote it"
    raise Malformed(f"its schema is {found[:80]}; needed: {needed}; {step}")


def _recheck_ideal(text: bytes, job: Recheck) -> Rechecked:
    from dpcert.worker.ideal import recheck_ideal  # numpy comes with it

    if job.file is None:
        given, remedy = "a certificate of a verdict on ideal noise", "add --target FILE.py:FUNCTION"
        raise InputError(given=given, needed="its program", remedy=remedy)
    file = Path(job.file)

    def case_for(certificate: Any) -> Case:
        neighbours = certificate.neighbours if certificate.neighbours in RELATIONS else None
        options = Options(
            epsilon=certificate.epsilon,
            delta=certificate.delta,
            neighbours=neighbours,
            noise="ideal",
            every=certificate.every or None,
        )
        specs, _ = specs_of_file(file, job.function or certificate.target, {})
        for spec in specs:
            case = case_of(spec, options)
            if dict(case.subject.parameters) == certificate.parameters:
                return case
        raise Rejected(f"{file} has no claim with parameters {certificate.parameters}")

    return recheck_ideal(text, case_for)


def _options_of(certificate: Certificate, job: Recheck) -> Options:
    """Return the options of a certificate's audit, with the limits of the recheck."""
    return Options(
        epsilon=certificate.epsilon,
        delta=ratio_text(certificate.delta),
        neighbours=certificate.neighbours if certificate.neighbours in RELATIONS else None,
        observes=certificate.observes if certificate.observes in OBSERVABLES else None,
        law_source="closed-form" if "closed-form" in certificate.law_source else "program",
        **job.limits,
    )


def _recheck_bundle(bundle: Bundle, job: Recheck) -> Rechecked:
    if job.file is not None:
        given = f"--target {job.file} for a bundle"
        raise InputError(given=given, needed="no program: it is about a built-in", remedy="leave it out")
    try:
        conclusion = check_bundle(bundle, job.limits)
    except (Rejected, Unauditable) as error:
        return Rechecked("rejected", str(error))
    return Rechecked("accepted", verdict="verified", sentence=conclusion.sentence)


def _spec_for(certificate: Certificate, job: Recheck) -> Spec:
    """Return the spec of the program of a certificate: the one that the job names, or the built-in.

    Raises: InputError where neither exists; Rejected where the program has no claim with these parameters.
    """
    if job.file is None:
        if certificate.target not in BUILT_IN:
            given = f"the certificate is about {certificate.target!r}, which is no built-in"
            remedy = f"add --target FILE.py:{certificate.target}"
            raise InputError(given=given, needed="its program", remedy=remedy)
        return CatalogueSpec(certificate.target, certificate.parameters)
    function = job.function or certificate.target
    specs, _ = specs_of_file(Path(job.file), function, {})
    for spec in specs:
        case = case_of(spec, Options())
        if dict(case.subject.parameters) == certificate.parameters:
            return spec
    raise Rejected(f"{job.file}:{function} has no claim with parameters {certificate.parameters}")
