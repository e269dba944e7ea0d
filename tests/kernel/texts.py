"""What the tests of certificate.py share: certificates with an edit, and their refusal."""

import json
from typing import Any

import pytest

from dpcert.audit.certificates import certificate_of, text_of
from dpcert.audit.kernel.certificate import Certificate, Malformed

SHA = "0" * 64
NO_TEXT = [None, 1, True, [], ["a"], {}]
NO_COUNT = [None, -1, True, False, "1", [1], {}, "0x1"]
NO_FRACTION = [None, 0, 1, "1", "0x1", "1/2", "0x2/0x1", "-0x1/0x2", "0x2/0x4", "0x1/0x0", "0X1/0X2", ["0x0/0x1"]]
NO_DIGEST = [None, 0, "", SHA[:-1], SHA + "0", "A" * 64, "g" * 64, "X" * 64, " " + SHA[1:], "٠" * 64, [SHA]]
NO_TEXTS = [None, 1, "a", [], ["a"], {"a": 1}, {"a": None}, {"a": ["b"]}, {"a": "b", "c": 0}]

WRONG: dict[str, list[Any]] = {
    "schema": [*NO_TEXT, "", "dpcert.certificate/2", "dpcert.certificate/3 ", "dpcert.audit/1"],
    "target": NO_TEXT,
    "parameters": NO_TEXTS,
    "epsilon": [*NO_TEXT, "", "one", "-1", "ln(1/2)", "1.0", " 1", "2/4", "0 + ln(3)", "ln(3) + 1", "inf", "0x1/0x2"],
    "delta": NO_FRACTION,
    "neighbours": NO_TEXT,
    "inputs": NO_COUNT,
    "inputs_digest": NO_DIGEST,
    "observes": NO_TEXT,
    "law_source": [None, 1, "paths", {}, ["program"], ["closed form"], ["Paths"], [None], [["paths"]], ["paths", ""]],
    "max_runs": NO_COUNT,
    "max_tail": NO_FRACTION,
    "max_draws": NO_COUNT,
    "verdict": [*NO_TEXT, "", "Verified", "undecided"],
    "sentence": NO_TEXT,
    "pairs": NO_COUNT,
    "tail": NO_FRACTION,
    "laws": [None, 1, SHA, {}, {SHA: SHA}, *([SHA, wrong] for wrong in NO_DIGEST)],
    "embedded": [1, True, False, "[]", {}, {"denominator": "0x1"}],
    "witness": [0, "", [], [0, 1, []], {}],
    "assumptions": [None, 1, "a", {}, {"a": "b"}, [1], ["a", None], [["a"]]],
    "sources": NO_TEXTS,
    "versions": NO_TEXTS,
}


def malformed(text: str | bytes) -> str:
    """The one line with which a text is refused."""
    with pytest.raises(Malformed) as caught:
        certificate_of(text)
    line = str(caught.value)
    assert line.isprintable()
    assert len(line) < 500
    return line


def edited(certificate: Certificate, **changes: Any) -> str:
    return json.dumps({**json.loads(text_of(certificate)), **changes})
