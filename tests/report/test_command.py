"""`dpcert report`: what it writes, its statuses, and one line for what goes wrong."""

import csv
import importlib.util
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from in_process import keep_inside

from dpcert.commands.report import FORMATS, NAMES
from dpcert.show.pages.page import SECTIONS

Command = Callable[..., Any]
SVG = "{http://www.w3.org/2000/svg}"


def table(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_the_sections_of_the_page_are_those_that_can_be_asked_for() -> None:
    assert tuple(SECTIONS) == NAMES


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("verdict", "expect", "status"),
    [("refuted", False, 1), ("refuted", True, 0), ("undecided", False, 3), ("verified", False, 0)],
)
def test_the_status_is_that_of_the_verdicts(
    document: dict[str, Any], tmp_path: Path, dpcert_command: Command, verdict: str, expect: bool, status: int
) -> None:
    found = next(r for r in document["results"] if r["verdict"] == ("refuted" if verdict == "refuted" else "verified"))
    extra = {"reason": "because", "verdict": verdict, "class": verdict} if verdict == "undecided" else {}
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"schema": document["schema"], "results": [{**found, **extra}]}))
    arguments = ["report", "--from", str(path), "--section", "verdicts", "--output", str(tmp_path / "page.html")]
    done = dpcert_command(*arguments, *(["--expect"] if expect else []))
    assert (done.status, done.err) == (status, "")
    assert f'<span class="badge {verdict}">' in (tmp_path / "page.html").read_text("utf-8")


def test_errors_and_skips_are_on_the_page_and_in_the_status(
    tmp_path: Path, dpcert_command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "skipped.py").write_text('import dpcert\ndpcert.needs_extra("no_such_package")\n')
    monkeypatch.chdir(tmp_path)
    keep_inside(monkeypatch)
    done = dpcert_command("report", "nothing-of-that-name", "skipped.py", "--section", "verdicts")
    assert (done.status, done.out) == (2, "written: dpcert-report.html\n")
    assert "nothing-of-that-name" in done.err
    text = Path("dpcert-report.html").read_text("utf-8")
    assert "Nothing was audited." in text
    assert "nothing-of-that-name" in text
    assert "pip install &#39;dpcert[no_such_package]&#39;" in text


@pytest.mark.nightly
def test_each_plot_is_a_file_of_each_format(results: Path, tmp_path: Path, dpcert_command: Command) -> None:
    sections = ["--section", "claims", "--section", "bounds", "--section", "weighted", "--section", "errata"]
    names = {}
    for kind in FORMATS[1:]:
        folder = tmp_path / kind
        arguments = ["report", "--from", str(results), "--expect", "--format", kind, "--output", str(folder), *sections]
        done = dpcert_command(*arguments)
        names[kind] = {path.stem: path for path in folder.iterdir()}
        assert (done.status, done.out) == (0, f"{len(names[kind])} files written to {folder}\n")
        before = {name: path.read_bytes() for name, path in names[kind].items()}
        dpcert_command(*arguments)
        assert before == {path.stem: path.read_bytes() for path in folder.iterdir()}
    assert names["svg"].keys() == names["png"].keys() == names["csv"].keys() - {"errata"}
    assert len(names["svg"]) == 2 + 3 + 2 + 2
    for path in names["svg"].values():
        tree = ET.parse(path)
        assert {element.tag for element in tree.iter()} <= {
            f"{SVG}{tag}" for tag in ("svg", "defs", "style", "g", "path", "clipPath", "rect", "text", "tspan", "use")
        } | {f"{SVG}pattern", f"{SVG}metadata"} | {e.tag for e in tree.iter() if "rdf" in e.tag or "creative" in e.tag}
    for path in names["png"].values():
        assert path.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    rows = table(names["csv"]["bounds-composition"])
    assert rows[0] == ["uses", "exact", "advanced theorem", "basic theorem"]
    assert all(float(exact) <= min(float(root), float(basic)) for _, exact, root, basic in rows[1:])
    (witness,) = (path for name, path in names["csv"].items() if name.startswith("witness-1"))
    rows = table(witness)
    assert sorted(row[1] for row in rows[1:]) == ["1/4", "3/4"]


def test_no_cell_of_csv_is_a_formula(document: dict[str, Any], tmp_path: Path, dpcert_command: Command) -> None:
    path = tmp_path / "results.json"
    changed = {**document["results"][0], "target": "=cmd()"}
    path.write_text(json.dumps({"schema": document["schema"], "results": [changed]}))
    arguments = ["--format", "csv", "--section", "verdicts", "--output", str(tmp_path)]
    dpcert_command("report", "--from", str(path), "--expect", *arguments)
    rows = table(tmp_path / "verdicts.csv")
    assert rows[1][1] == "'=cmd()"


def test_refused_what_cannot_be_written(results: Path, tmp_path: Path, dpcert_command: Command) -> None:
    (tmp_path / "file").write_text("")
    start = ["report", "--from", str(results), "--section", "verdicts"]
    for options in (("--output", str(tmp_path / "file" / "page.html")), ("--output", str(tmp_path))):
        assert "--output" in dpcert_command(*start, *options).refusal()
    line = dpcert_command(*start, "--format", "csv", "--output", str(tmp_path / "file")).refusal()
    assert "--output" in line
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--format", "pdf"], "pdf"),
        (["--section", "nothing"], "nothing"),
        (["--from", "x.json", "target.py"], "targets with --from"),
        (["--json", "--output", "x.html"], "--json with --output"),
        (["--json", "--format", "svg"], "--json with --output or --format"),
        (["--json", "--section", "claims"], "--json with --section, --papers or --no-stamp"),
        (["--json", "--no-stamp"], "--json with --section, --papers or --no-stamp"),
        (["--json", "--papers"], "--json with --section, --papers or --no-stamp"),
        (["--section", "claims", "--papers"], "--section with --papers"),
        (["--from", "x.json", "--epsilon", "1"], "--epsilon with --from"),
        (["--from", "x.json", "--set", "n=3"], "--set with --from"),
        (["--from", "x.json", "--max-runs", "100000"], "--max-runs with --from"),
        (["--from", "x.json", "--law-source", "program"], "--law-source with --from"),
        ([""], "an empty target"),
        (["--jobs", "0", "randomized-response"], "--jobs 0"),
    ],
)
def test_refused_options(dpcert_command: Command, arguments: list[str], fault: str) -> None:
    done = dpcert_command("report", *arguments)
    assert done.status == 2
    assert fault in done.err


def test_refused_to_expect_of_results_without_declarations(
    tmp_path: Path, dpcert_command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_inside(monkeypatch)
    path = tmp_path / "audit.json"
    path.write_text(dpcert_command("audit", "randomized-response", "--json").out)
    assert "--expect" in dpcert_command("report", "--from", str(path), "--expect").refusal()


@pytest.mark.parametrize(
    ("kind", "package"), [("html", "jinja2"), ("html", "matplotlib"), ("html", "markdown_it"), ("png", "matplotlib")]
)
def test_refused_without_the_extra_before_anything_is_audited(
    dpcert_command: Command, monkeypatch: pytest.MonkeyPatch, kind: str, package: str
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == package else find(name, *rest))
    monkeypatch.setattr("dpcert.commands.report.audit_all", None)
    line = dpcert_command("report", "randomized-response", "--format", kind).refusal()
    assert f"--format {kind} without {package}" in line
    assert "pip install 'dpcert[report]'" in line
