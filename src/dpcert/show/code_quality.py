"""Findings as a code quality report of GitLab, which merge requests show at the line that defines the mechanism."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from dpcert.show.findings import Finding, unicode_text

SEVERITIES = dict.fromkeys(("refuted", "unexpected"), "critical") | dict.fromkeys(
    ("floats", "rounding", "undecided"), "major"
)
"""How severe each kind of finding is; a finding that passed, was skipped or is an error has no entry."""


def code_quality_text(findings: Sequence[Finding]) -> str:
    """Return the JSON array, with an entry for each finding of a mechanism in a file of the repository.

    The form asks for such a file. Findings of other targets, as of a mechanism that ships, are in JUnit and SARIF.
    """
    entries: dict[str, dict[str, Any]] = {}  # by fingerprint: a target that is named twice has one entry
    for finding in findings:
        place = finding.place
        if finding.kind not in SEVERITIES or place is None or not place.inside or finding.accepted is not None:
            continue
        fingerprint = hashlib.sha256(f"{finding.kind}\n{finding.claim_digest}".encode()).hexdigest()
        entries[fingerprint] = {
            "description": unicode_text(finding.line),
            "check_name": f"dpcert/{finding.kind}",
            "fingerprint": fingerprint,
            "severity": SEVERITIES[finding.kind],
            "location": {"path": unicode_text(place.name), "lines": {"begin": place.line}},
        }
    return json.dumps(list(entries.values()), indent=1) + "\n"
