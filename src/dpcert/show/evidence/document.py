"""`evidence.json`: the result for each target, the files in which it stands, and the audited sources."""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from dpcert.audit.sources import versions
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.run.audits import Outcome
from dpcert.show.evidence.check import CERTIFICATE, LARGEST
from dpcert.show.place import place_of
from dpcert.targets.catalogue import find
from dpcert.targets.files import file_errors
from dpcert.targets.spec import CatalogueSpec, Spec
from dpcert.worker.result import Result, result_json
from dpcert.worker.results import laws_beside

SCHEMA = "dpcert.evidence/1"
TAKEN = (
    *("target", "claim", "verdict", "reason", "method", "law_source", "assumptions", "notes"),
    *("pairs", "tail", "delta", "epsilon", "worst", "confidence"),
)
"""The fields of a result that stand in the evidence as they are."""
TOO_LONG = "its laws are longer than 64 MiB, so that they are not in this folder; dpcert recheck computes them again"
WITHOUT_LAWS = {
    "sampling": "from samples, at a confidence: there are no laws",
    "ideal": "on ideal noise: there are no laws; dpcert recheck checks its certificate",
    "every": "on ideal noise, of all values of a parameter: there are no laws; dpcert audit --every finds it again",
}
"""Why there are no laws, by the method of a result."""
BY_THEOREM = "of inputs without end, by a theorem: dpcert recheck checks its certificate"
TOO_LARGE = f"its epsilon is above {LARGEST}, whose exponential is not computed here"


def evidence_of(outcome: Outcome, root: Path, folder: Path) -> dict[str, Any]:
    """Return the document of a run whose certificates are in folder/certificates; `root` is the repository.

    Laws are moved to folder/laws. The files are listed later, once all are there.

    Raises: InputError where a source is another than was audited.
    """
    sources: dict[str, str] = {}
    targets = []
    for result, spec in zip(outcome.results, outcome.specs, strict=True):
        name, digest = source_of(spec, root)
        whole = result_json(result)
        certificate = None if result.certificate is None else Path(result.certificate)
        certified = {} if certificate is None else json.loads(certificate.read_bytes())
        # The source is read after the audit: one that was edited meanwhile is not the source that was audited.
        other = certified.get("schema") == CERTIFICATE and digest not in certified["sources"].values()
        if other or sources.setdefault(name, digest) != digest:
            given = f"{name}, which has changed while it was audited"
            raise InputError(given=given, needed="one source", remedy="run it again")
        laws, reason = _laws(result, certificate, folder)
        targets.append(
            {
                **{key: whole[key] for key in TAKEN},
                "source": name,
                "certificate": None if certificate is None else f"certificates/{certificate.name}",
                "laws": laws,
                "without_laws": reason,
            }
        )
    return {
        "schema": SCHEMA,
        "versions": versions(),
        "sources": [{"name": name, "sha256": digest} for name, digest in sorted(sources.items())],
        "targets": targets,
        **{
            verdict: sum(target["verdict"] == verdict for target in targets)
            for verdict in ("verified", "refuted", "undecided")
        },
        "skipped": [{"target": name, "reason": reason} for name, reason in outcome.skipped],
        "errors": [trouble.as_json() for trouble in outcome.troubles],
    }


def source_of(spec: Spec, root: Path) -> tuple[str, str]:
    """Return the name of the file that defines a target, and its SHA-256 as it is now.

    Raises: InputError where it cannot be read.
    """
    place = place_of(spec, root)
    if place is not None:
        name, path = place.name, place.path
    else:
        assert isinstance(spec, CatalogueSpec)
        module = find(spec.name).build.__module__
        name, path = f"{module.replace('.', '/')}.py", Path(str(sys.modules[module].__file__))
    with file_errors(path, "the source that was audited", "audit again"):
        return name, hashlib.sha256(path.read_bytes()).hexdigest()


def _laws(result: Result, certificate: Path | None, folder: Path) -> tuple[str | None, str | None]:
    """Move the file of a result's laws to where it belongs; return its name, or why there is none."""
    if result.verdict == "undecided":
        return None, None
    if result.method in WITHOUT_LAWS:
        return None, WITHOUT_LAWS[result.method]
    if certificate is None or json.loads(certificate.read_bytes()).get("schema") != CERTIFICATE:
        return None, BY_THEOREM
    kept = laws_beside(certificate)
    if not kept.exists():
        return None, TOO_LONG
    if Epsilon.of(result.claim.epsilon).rational > LARGEST:
        kept.unlink()
        return None, TOO_LARGE
    (folder / "laws").mkdir(exist_ok=True)
    name = f"laws/{certificate.name}"
    kept.replace(folder / name)
    return name, None
