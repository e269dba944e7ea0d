"""The findings of a run, one a claim, and reports that other tools read: JUnit XML, SARIF, and code quality."""

import hashlib
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from dpcert.audit.sources import versions
from dpcert.mechanisms.exact.errors import one_line
from dpcert.run.audits import Outcome
from dpcert.show.blocks import block_text
from dpcert.show.lines import result_line
from dpcert.show.place import Place, place_of, repository_of
from dpcert.show.severity import gravity, headed, label_of
from dpcert.targets.files import file_errors, replace_file
from dpcert.targets.spec import FileSpec
from dpcert.worker.result import BY_FLOATS, BY_ROUNDING

KINDS = {BY_FLOATS: "floats", BY_ROUNDING: "rounding"}
"""The kinds of findings that are refuted, and are no leak of their algorithm."""
GRAVEST = ("refuted", "unexpected", "floats", "rounding", "undecided", "passed")
"""The kinds of findings about claims, the gravest first."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim or error: its `kind` is passed, refuted, floats, rounding, undecided, unexpected, skipped or error.

    `verdict` is None where there is none; `line` says all in a line, `text` at length; `function` is the name that the
    file at `place` binds the target to. `accepted` says until when and why a finding is, and is None for others.
    """

    target: str
    kind: str
    verdict: str | None
    line: str
    text: str
    sentence: str
    seconds: float
    place: Place | None
    function: str = field(default="", kw_only=True)
    accepted: str | None = field(default=None, kw_only=True)

    @property
    def claim_digest(self) -> str:
        """The SHA-256 of the target and the claim: it tells findings apart when lines have moved."""
        name = self.target if self.place is None else f"{self.place.name}:{self.function}"
        return hashlib.sha256(unicode_text(f"{name}\n{self.sentence}").encode()).hexdigest()


def unicode_text(text: str) -> str:
    """Return a text with escapes for characters that UTF-8 does not have."""
    return text.encode("utf-8", "backslashreplace").decode()


def findings_of(outcome: Outcome, *, expect: bool, folder: Path) -> list[Finding]:
    """Return the findings of a run, the gravest first, then what was skipped, then its errors; places are within
    `folder`'s repository. With `expect`, a verdict passes when it is the declared one."""
    root = repository_of(folder)
    rated: list[tuple[tuple[int, Fraction], Finding]] = []
    rows = zip(outcome.results, outcome.expected, outcome.specs, outcome.seconds, outcome.accepted, strict=True)
    for result, declared, spec, seconds, accepted in rows:
        verdict = result.verdict
        passed = verdict == declared if expect else verdict == "verified"
        named = KINDS.get(result.kind, "refuted") if verdict == "refuted" else verdict
        kind = "passed" if passed else "unexpected" if verdict == "verified" else named
        said = one_line(result_line(result))
        colon = "" if headed(result) else ":"
        head = f"{verdict}, but declared {declared}:" if kind == "unexpected" else f"{label_of(result)}{colon}"
        line = f"{head} {said}"
        text = line if passed or kind == "unexpected" else block_text(result)
        finding = Finding(
            *(result.target, kind, verdict, line, text, result.claim.sentence, seconds, place_of(spec, root)),
            function=spec.function if isinstance(spec, FileSpec) else "",
            accepted=None if passed else accepted,
        )
        rated.append(((GRAVEST.index(kind), gravity(result)[1]), finding))
    found = [finding for _, finding in sorted(rated, key=lambda row: row[0])]
    for name, reason in outcome.skipped:
        found.append(Finding(name, "skipped", None, reason, reason, name, 0.0, None))
    for trouble in outcome.troubles:
        line = trouble.line()
        found.append(Finding(one_line(trouble.given), "error", None, line, line, line, 0.0, None))
    return found


def write_report(path: str, text: str, option: str) -> None:
    """Write a report to a file, whole or not at all, or into a pipe or device of that name, or where a link leads.

    So /dev/stdout stays a link, also where standard output is a file.

    Raises: InputError where it cannot be written.
    """
    with file_errors(f"{option} {path}", "a file that can be written"):
        if os.path.islink(path) or (os.path.exists(path) and not os.path.isfile(path)):
            Path(path).write_text(text, encoding="utf-8")
        else:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            replace_file(Path(path), text)


FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ELEMENTS = dict.fromkeys(("refuted", "floats", "rounding", "unexpected", "undecided"), "failure") | {
    "error": "error",
    "skipped": "skipped",
}
"""The element that each kind of finding has; one that passed has none."""


def junit_text(findings: Sequence[Finding]) -> str:
    """Return JUnit XML, which GitLab, Jenkins and most others show as tests: one test case a claim.

    A refuted or undecided claim is a failure, whose type is the finding's kind. A claim that could not be audited is an
    error, and an accepted finding is skipped. Jenkins' schema knows no lines: the line of a mechanism is in the text of
    its failure.
    """
    elements = ["skipped" if finding.accepted is not None else ELEMENTS.get(finding.kind) for finding in findings]
    counts = {
        "tests": str(len(findings)),
        "failures": str(elements.count("failure")),
        "errors": str(elements.count("error")),
        "time": f"{sum(finding.seconds for finding in findings):.3f}",
    }
    root = ElementTree.Element("testsuites", {"name": "dpcert", **counts})
    skipped = {"skipped": str(elements.count("skipped"))}
    suite = ElementTree.SubElement(root, "testsuite", {"name": "dpcert", **counts, **skipped})
    for finding, element in zip(findings, elements, strict=True):
        where = finding.place
        function = finding.target.rpartition(":")[2] if where is not None else finding.target
        attributes = {
            "classname": _clean("dpcert" if where is None else where.name),
            "name": _clean(function if finding.kind == "error" else f"{function}: {finding.sentence}"),
            "time": f"{finding.seconds:.3f}",
        }
        case = ElementTree.SubElement(suite, "testcase", attributes)
        if element is not None:
            kind = {"type": finding.kind} if element != "skipped" else {}
            said = finding.line if finding.accepted is None else f"accepted {finding.accepted}; {finding.line}"
            failure = ElementTree.SubElement(case, element, {"message": _clean(said), **kind})
            at = "" if where is None else f"{where.name}:{where.line}\n"
            failure.text = _clean(f"{at}{finding.text}")
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _clean(text: str) -> str:
    """Return a text with escapes for characters that XML 1.0 does not have."""
    return FORBIDDEN.sub(lambda found: ascii(found.group())[1:-1], text)


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
    """Return the SARIF 2.1.0 document of a run that ends with an exit status; its errors are notifications.

    Code hosts show it as annotations: each at the line that defines the mechanism.
    """
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


SEVERITIES = dict.fromkeys(("refuted", "unexpected"), "critical") | dict.fromkeys(
    ("floats", "rounding", "undecided"), "major"
)
"""How severe each kind of finding is; a finding that passed, was skipped or is an error has no entry."""


def code_quality_text(findings: Sequence[Finding]) -> str:
    """Return GitLab's code quality report: an entry for each finding of a mechanism in a file of the repository.

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
