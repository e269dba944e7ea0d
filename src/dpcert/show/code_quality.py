"""Findings as a code quality report of GitLab, which merge requests show at the line that defines the mechanism."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from dpcert.show.findings import Finding, unicode_text

SEVERITIES = dict.fromkeys(("refuted", "unexpected"), "critical") | dict.fromkeys(
    ("floats", "rounding", "undecided"), "major"
)
"""How severe each kind of finding is; what passes, is skipped or is an error has no entry."""


def code_quality_text(findings: Sequence[Finding]) -> str:
    """Return the JSON array, with an entry for each finding of a mechanism in a file of the repository.

    The form asks for such a file: what is found of others, as of a mechanism that ships, is in JUnit and SARIF alone.
    """
    entries = [_entry(finding) for finding in findings if finding.kind in SEVERITIES]
    each = {entry["fingerprint"]: entry for entry in entries if entry is not None}  # a target named twice is one
    return json.dumps(list(each.values()), indent=1) + "\n"


def _entry(finding: Finding) -> dict[str, Any] | None:
    place = finding.place
    if place is None or not place.inside or finding.accepted is not None:
        return None
    return {
        "description": unicode_text(finding.line),
        "check_name": f"dpcert/{finding.kind}",
        "fingerprint": hashlib.sha256(f"{finding.kind}\n{finding.claim_digest}".encode()).hexdigest(),
        "severity": SEVERITIES[finding.kind],
        "location": {"path": unicode_text(place.name), "lines": {"begin": place.line}},
    }
