"""Results from a file: what this version wrote is taken, anything else is refused with the part that is wrong."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpcert.show.pages.reading import read_document

Command = Callable[..., Any]


@pytest.mark.nightly
def test_what_audit_and_report_print_is_taken(results: Path, tmp_path: Path, dpcert_command: Command) -> None:
    assert len(read_document(str(results)).results) == 4
    path = tmp_path / "audit.json"
    path.write_text(dpcert_command("audit", "randomized-response", "geosample-floor", "--json").out)
    done = dpcert_command("report", "--from", str(path), "--section", "claims", "--output", str(tmp_path / "p.html"))
    assert (done.status, done.err) == (1, "")
    text = (tmp_path / "p.html").read_text("utf-8")
    assert text.count("<svg") == 1
    assert "1 verified, 1 refuted, 0 undecided" in text


@pytest.mark.nightly
def test_what_samples_and_clocks_show_is_taken(tmp_path: Path, dpcert_command: Command) -> None:
    path = tmp_path / "audit.json"
    for options in (("--sampling", "--samples", "4000", "--seed", "1"), ("--timing", "duration", "--samples", "1000")):
        path.write_text(dpcert_command("audit", "geosample-floor", "--json", *options).out)
        done = dpcert_command(
            "report", "--from", str(path), "--section", "claims", "--output", str(tmp_path / "p.html")
        )
        assert done.status in (1, 3)
        assert "at confidence 0.999999" in (tmp_path / "p.html").read_text("utf-8")


PARTS: list[tuple[tuple[Any, ...], Any]] = [
    (("target",), 3),
    (("verdict",), "maybe"),
    (("claim", "epsilon"), "1.2.3"),
    (("claim", "delta"), "1/0"),
    (("claim", "parameters"), {"n": 1}),
    (("delta", "hi"), "0.5"),
    (("delta",), None),
    (("epsilon", "lo"), None),
    (("worst", "p"), "one half"),
    (("worst", "q"), "3/2"),
    (("worst", "event"), []),
    (("worst", "a"), {"tuple": 3}),
    (("worst",), None),
    (("pairs",), -1),
    (("notes",), [1]),
    (("method",), "sampling"),
    (("unreached",), {"file": "x"}),
    (("expected",), "no"),
    (("picture",), 3),
    (("picture", "profile"), {"points": []}),
    (("picture", "profile", "points"), [["0", "nan", "1"], ["1", "0", "0"]]),
    (("picture", "profile", "end"), "1e999999999"),
    (("picture", "witness", "tail", "p"), f"{10**400}/1"),
    (("picture", "witness", "rows"), [{"outcome": 1, "p": "1/2", "q": "1/2"}]),
]


@pytest.mark.parametrize(("place", "value"), PARTS, ids=[".".join(map(str, place)) for place, _ in PARTS])
def test_refused_a_malformed_part(
    document: dict[str, Any], tmp_path: Path, dpcert_command: Command, place: tuple[Any, ...], value: Any
) -> None:
    broken = copy.deepcopy(document)
    broken["results"] = broken["results"][:1]
    part = broken["results"][0]
    for name in place[:-1]:
        part = part[name]
    part[place[-1]] = value
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(broken))
    line = dpcert_command("report", "--from", str(path), "--output", str(tmp_path / "p.html")).refusal()
    assert "result 1: " in line
    assert not (tmp_path / "p.html").exists()


@pytest.mark.parametrize("most", ["x", "-5", "0", "1e3.5"])
def test_refused_a_mechanism_s_parameters_that_cannot_be_drawn(
    document: dict[str, Any], tmp_path: Path, dpcert_command: Command, most: str
) -> None:
    result = copy.deepcopy(document["results"][0])
    result |= {"target": "pws-keys", "claim": {**result["claim"], "parameters": {"imax": most}}}
    path = tmp_path / "results.json"
    path.write_text(json.dumps({**document, "results": [result]}))
    page = tmp_path / "p.html"
    done = dpcert_command("report", "--from", str(path), "--section", "weighted", "--output", str(page))
    assert "dpcert: imax" in done.refusal()
    assert not page.exists()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "schema None"),
        ('{"schema": "dpcert.audit/2", "results": []}', "schema 'dpcert.audit/2'"),
        ('{"schema": "dpcert.law/1", "law": []}', "schema 'dpcert.law/1'"),
        ('{"schema": "dpcert.audit/1", "results": {}}', "'results' is malformed"),
        ('{"schema": "dpcert.audit/1", "results": [3]}', "'results' is malformed"),
        ('{"schema": "dpcert.audit/1", "results": [{}]}', "result 1: 'target'"),
        ('{"schema": "dpcert.audit/1", "results": [], "skipped": [{}]}', "'skipped' is malformed"),
    ],
)
def test_refused_a_file_of_another_kind(tmp_path: Path, dpcert_command: Command, text: str, fault: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(text)
    assert fault in dpcert_command("report", "--from", str(path)).refusal()


def test_refused_a_file_that_is_away(tmp_path: Path, dpcert_command: Command) -> None:
    assert "No such file" in dpcert_command("report", "--from", str(tmp_path / "none.json")).refusal()
    assert "Is a directory" in dpcert_command("report", "--from", str(tmp_path)).refusal()
