"""Findings as SARIF 2.1.0, which code hosts show as annotations: each at the line that defines the mechanism."""

import json
from collections.abc import Sequence
from typing import Any

from dpcert.audit.sources import versions
from dpcert.show.findings import Finding, unicode_text

RULES = {
    "refuted": (
        "error",
        "The claim is false",
        "Two neighbouring inputs and an event break the claimed bound; both probabilities were computed exactly, or "
        "bounded at the stated confidence.",
    ),
    "floats": (
        "warning",
        "Its floats tell",
        "The claim is verified with ideal noise, and false of the program on this machine: two neighbouring inputs and "
        "an event of the floats that it releases break the bound.",
    ),
    "rounding": (
        "warning",
        "The claim is false by rounding",
        "The claim is false, and verified with an epsilon that is larger by at most 1e-9: the slack is in the message.",
    ),
    "undecided": (
        "warning",
        "The claim is undecided",
        "The audit ended without a verdict, for the reason given. Nothing was found against the claim, and it was not "
        "verified.",
    ),
    "unexpected": (
        "error",
        "The verdict is not the declared one",
        "The claim is verified, and its target declares another verdict.",
    ),
}
"""Each rule with its level, a title and a description; a claim that passes, or is skipped, has no result."""


def sarif_text(findings: Sequence[Finding], status: int) -> str:
    """Return the SARIF document of a run that ends with an exit status; its errors are notifications."""
    order = list(RULES)
    notes = [{"level": "error", "message": {"text": unicode_text(f.line)}} for f in findings if f.kind == "error"]
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "dpcert",
                "semanticVersion": versions()["dpcert"],
                "rules": [
                    {
                        "id": f"dpcert/{name}",
                        "name": name.capitalize(),
                        "shortDescription": {"text": title},
                        "fullDescription": {"text": words},
                        "help": {"text": f"{words} `dpcert audit` on the same target shows it again."},
                        "defaultConfiguration": {"level": level},
                    }
                    for name, (level, title, words) in RULES.items()
                ],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {"executionSuccessful": status in (0, 1, 3), "exitCode": status, "toolExecutionNotifications": notes}
        ],
        "results": [_result(finding, order.index(finding.kind)) for finding in findings if finding.kind in RULES],
    }
    document = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=1) + "\n"


def _result(finding: Finding, index: int) -> dict[str, Any]:
    place = finding.place
    location: dict[str, Any] = {"logicalLocations": [{"name": unicode_text(finding.target.rpartition(":")[2])}]}
    if place is not None:
        artifact = {"uri": place.uri, "uriBaseId": "%SRCROOT%"} if place.inside else {"uri": place.uri}
        location["physicalLocation"] = {"artifactLocation": artifact, "region": {"startLine": place.line}}
    reason = None if finding.accepted is None else unicode_text(f"accepted {finding.accepted}")
    suppressions = [{"kind": "external", "status": "accepted", "justification": reason}]
    return {
        **({} if reason is None else {"suppressions": suppressions}),
        "ruleId": f"dpcert/{finding.kind}",
        "ruleIndex": index,
        "level": RULES[finding.kind][0],
        "message": {"text": unicode_text(finding.line)},
        "locations": [location],
        "partialFingerprints": {"dpcertClaim/v1": finding.claim_digest},
    }
