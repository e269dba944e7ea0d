"""The board of real bugs: rows that say where each is told, nothing twice, results that say what they are worth."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import sys
import tomllib
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any

import pytest

import dpcert

BOARD = Path("benchmarks/board").resolve()
SPEC = importlib.util.spec_from_file_location("board_run", BOARD / "run.py")
assert SPEC is not None
assert SPEC.loader is not None
runner = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(runner)
ROWS = tomllib.loads((BOARD / "rows.toml").read_text())["row"]
WAYS = tomllib.loads((BOARD / "audits.toml").read_text())
RESULTS: dict[str, Any] = json.loads((BOARD / "results.json").read_text())
NEEDED = {"id", "repository", "where", "truth", "kind", "says"}
TRUTHS = {row["id"]: row["truth"] for row in ROWS}
MISSED: frozenset[str] = frozenset()
"""Rows that are missed, or accused wrongly: each needs a note that explains it."""


def test_the_list_has_sixty_rows_each_with_its_place() -> None:
    assert len(ROWS) >= 60
    assert len(TRUTHS) == len(ROWS)
    for row in ROWS:
        assert NEEDED <= set(row) <= NEEDED | {"package", "affected", "mended", "read"}, row["id"]
        assert row["where"].startswith(f"https://github.com/{row['repository']}/"), row["id"]
        assert row["truth"] in {"violated", "holds", "equal", "unread"}, row["id"]
        assert row.get("package") or not row.get("affected") or "pull request" in row["affected"], row["id"]


def test_every_row_is_audited_or_its_reason_is_given() -> None:
    audited, left = ([way["row"] for way in WAYS[kind]] for kind in ("audit", "unaudited"))
    assert sorted([*audited, *left]) == sorted(TRUTHS)
    assert all(len(way["because"].split()) > 5 for way in WAYS["unaudited"])
    assert set(RESULTS) == set(audited)


@pytest.mark.parametrize("way", WAYS["audit"], ids=lambda way: way["row"])
def test_what_is_audited_is_there(way: dict[str, Any]) -> None:
    for side in {"target", "repair"} & set(way):
        file, _, name = way[side].partition(":")
        tree = ast.parse((BOARD / "subjects" / file).read_text())
        names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        names += [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        assert name in names
    assert ("repair" in way) == ("repair" in RESULTS[way["row"]])


SAMPLED = {"sampling", "replay"}
TOLD = [
    (way, side)
    for way in WAYS["audit"]
    for side, kept in (("target", "affected"), ("repair", "repair"))
    if way.get("retold") and side in way and RESULTS[way["row"]][kept]["method"] not in SAMPLED
]


@pytest.fixture
def subjects(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the folder of the subjects, whose modules are found while a test runs, and forgotten after it."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(BOARD / "subjects"))
    yield BOARD / "subjects"
    for name in set(sys.modules) - before:
        if Path(getattr(sys.modules[name], "__file__", None) or "").parent == BOARD / "subjects":
            del sys.modules[name]


@pytest.mark.points(10)
@pytest.mark.parametrize(("way", "side"), TOLD, ids=lambda part: part if isinstance(part, str) else part["row"])
def test_a_program_told_anew_is_decided_as_before(way: dict[str, Any], side: str, subjects: Path) -> None:
    file, _, name = way[side].partition(":")
    subject = getattr(importlib.import_module(Path(subjects, file).stem), name)
    found = dpcert.audit(copy(subject))  # no other process finds a copy, and starting one takes a second
    assert found.verdict == RESULTS[way["row"]]["affected" if side == "target" else side]["verdict"]


@pytest.mark.parametrize(
    ("found", "kept", "contradicted"),
    [
        ({"affected": "refuted"}, {"affected": "verified"}, True),
        ({"affected": "refuted", "repair": "refuted"}, {"affected": "refuted", "repair": "verified"}, True),
        ({"affected": "undecided"}, {"affected": "refuted"}, False),
        ({"affected": "refuted"}, {"affected": "refuted", "repair": "verified"}, False),
        ({"affected": "refuted"}, {}, False),
    ],
)
def test_a_verdict_contradicts_another(found: dict[str, str], kept: dict[str, str], contradicted: bool) -> None:
    one, other = ({side: {"verdict": verdict} for side, verdict in some.items()} for some in (found, kept))
    assert runner.contradicts(one, other) == contradicted


@pytest.mark.parametrize("name", RESULTS)
def test_an_outcome_is_what_the_verdict_is_worth(name: str) -> None:
    one, repair = RESULTS[name]["affected"], RESULTS[name].get("repair")
    (way,) = (way for way in WAYS["audit"] if way["row"] == name)
    assert one["outcome"] == runner.outcome(TRUTHS[name], one["verdict"], other=way.get("other_fault", False))
    assert repair is None or repair["outcome"] == runner.outcome("holds", repair["verdict"])
    assert (one["outcome"] in {"missed", "false alarm"}) == (name in MISSED)
    assert repair is None or repair["outcome"] != "false alarm"


@pytest.mark.parametrize(
    ("truth", "verdict", "outcome"),
    [
        ("violated", "refuted", "found"),
        ("violated", "verified", "missed"),
        ("violated", "undecided", "undecided"),
        ("holds", "verified", "right"),
        ("holds", "refuted", "false alarm"),
        ("equal", "verified", "right"),
        ("equal", "refuted", "false alarm"),
        ("unread", "refuted", "refuted"),
        ("unread", "verified", "verified"),
    ],
)
def test_a_miss_and_a_false_alarm_are_called_so(truth: str, verdict: str, outcome: str) -> None:
    assert runner.outcome(truth, verdict) == outcome
    assert runner.outcome(truth, verdict, other=True) == ("refuted" if verdict == "refuted" else outcome)
