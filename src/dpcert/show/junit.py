"""Findings as JUnit XML, which GitLab, Jenkins and most others show as tests: one test case a claim."""

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from dpcert.show.findings import Finding

FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ELEMENTS = dict.fromkeys(("refuted", "floats", "rounding", "unexpected", "undecided"), "failure") | {
    "error": "error",
    "skipped": "skipped",
}
"""The element that each kind of finding has; one that passed has none."""


def junit_text(findings: Sequence[Finding]) -> str:
    """Return the XML document: a refuted or undecided claim is a failure, whose type is the finding's kind.

    A claim that could not be audited is an error, and an accepted finding is skipped. Jenkins' schema knows no
    lines: the line of a mechanism is in the text of its failure.
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
