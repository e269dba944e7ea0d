"""The maps from the papers' items to code and checks are those of the ledger, and what they name exists."""

import importlib
import importlib.util
import re
import subprocess
import sys
from fractions import Fraction
from math import ceil, log
from pathlib import Path

import click
import pytest

from dpcert.cli import cli
from dpcert.mechanisms.catalogue import MECHANISMS
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.planning.families import FAMILIES as PLANS
from dpcert.proofs.finite_computers import figures
from dpcert.proofs.ledger import items
from dpcert.proofs.registry import rows
from dpcert.releasing.families import FAMILIES as RELEASES
from dpcert.run.claims import entries

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("maps", ROOT / "docs" / "maps.py")
assert SPEC is not None
assert SPEC.loader is not None
maps = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(maps)


LONG = ("finite-computers-figures.md",)
"""The pages whose maps take seconds."""


def _marked(page: Path) -> object:
    return pytest.param(page, id=page.name, marks=[pytest.mark.nightly] if page.name in LONG else [])


@pytest.mark.parametrize("page", [*map(_marked, sorted((ROOT / "docs").rglob("*.md")))])
def test_maps_are_up_to_date(page: Path) -> None:
    text = page.read_text("utf-8")
    assert maps.written(text) == text


def test_every_paper_has_a_page_with_its_map() -> None:
    papers = {item["paper"] for item in items()}
    drawn = {name for page in (ROOT / "docs").rglob("*.md") for name, _ in maps.MAP.findall(page.read_text("utf-8"))}
    assert drawn == papers | {"errata", "unreadable", "rocq", "zoo", "sources", "numpy", "board", "items"} | {
        f"figure-{n}" for n in figures.HEADS
    }


ITEMS = (ROOT / "docs" / "papers" / "items.md").read_text("utf-8")


def test_every_command_of_an_item_is_one_that_runs() -> None:
    commands = [found.split() for found in re.findall(r"`dpcert ([^`]+)`", ITEMS.partition("<!-- map")[2])]
    known = {"plan": PLANS, "release": RELEASES, "estimate": {"OUT"}}
    assert {name for name, *_ in commands} == known.keys()
    assert [(name, what) for name, what, *_ in commands if what not in known[name]] == []
    for name, *rest in commands:
        parsed = cli.get_command(click.Context(cli), name)
        assert parsed is not None
        parsed.make_context(name, [*rest])


def test_every_test_of_an_item_is_one_that_there_is() -> None:
    for path in set(re.findall(r"\]\(\.\./\.\./(tests/[^)]+)\)", ITEMS)):
        text = (ROOT / path).read_text("utf-8")
        named = set(re.findall(rf"\[`(test_\w+)`\]\(\.\./\.\./{re.escape(path)}\)", ITEMS))
        assert named <= set(re.findall(r"^def (test_\w+)", text, re.MULTILINE))
    parameters = {
        "test_ledger": {entry.id for entry in entries()},
        "test_every_mechanism": {m.name for m in MECHANISMS},
    }
    for module, parameter in set(re.findall(r"\[`(\w+)\[([^`\]]+)\]`\]", ITEMS)):
        assert parameter in parameters[module]


def test_an_item_is_run_by_the_mechanisms_that_its_number_stands_by() -> None:
    numbered = [item for item in items() if item["id"] in ("PWS/Algorithm2", "PWS/Algorithm6", "BV/Theorem5.2")]
    found = {item["id"]: [one.name for one in MECHANISMS if maps.names(one.source, item)] for item in numbered}
    assert found == {
        "PWS/Algorithm2": ["pws-private-threshold"],
        "PWS/Algorithm6": ["sbh"],
        "BV/Theorem5.2": ["basic-histogram"],
    }


@pytest.mark.parametrize("name", sorted({name for row in rows() for name in row.code}))
def test_named_code_exists(name: str) -> None:
    module, _, attribute = name.rpartition(".")
    found = getattr(importlib.import_module(f"dpcert.{module}"), attribute)
    assert callable(found) or isinstance(found, Mechanism)
    assert (ROOT / maps.file_of(name.rpartition(".")[0])).is_file()


def test_exact_twin_figures_say_what_the_paper_prints_and_a_little_less_is_exact() -> None:
    """2/epsilon ln(1/beta), 9/(2 epsilon) ln(..) and 5/epsilon ln(..) by the real logarithm, far from whole numbers."""
    lines = list(figures.compact())
    assert [[int(line[at]) for at in (4, 6)] for line in lines] == [
        [ceil(5 * m * log(times * x / 0.1)) for x in (1, labels)]
        for m, labels in ((1, 2**16), (2, 1000))
        for times in (1, 2)
    ]
    assert all(int(line[3]) <= int(line[4]) and int(line[5]) <= int(line[6]) for line in lines)
    epsilon, x = Fraction(1, 2), Fraction(30)
    found = [figures.printed(name, epsilon, x) for name in (figures.GEOMETRIC, figures.GEO, figures.FAST)]
    assert found == [ceil(4 * log(30)), ceil(9 * log(30)), ceil(9 * log(30))]


def test_a_stale_map_is_caught(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "findings" / "errata.md").read_text("utf-8")
    assert maps.written(text.replace("weighted-sampling", "another")) == text


@pytest.mark.nightly
def test_the_script_says_what_is_stale() -> None:
    command = [sys.executable, str(ROOT / "docs" / "maps.py"), "--check"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (0, "not up to date: none\n")


@pytest.mark.nightly
def test_how_large_law_sources_are_is_said_as_the_table_counts() -> None:
    sizes = sorted((int(size.replace(",", "")), size) for *_, size in map(maps.source_line, maps.SOURCES))
    for page in ("SECURITY.md", "docs/explanation/what-verified-means.md"):
        assert f"{sizes[0][1]} to {sizes[-1][1]} lines of code" in (ROOT / page).read_text("utf-8")
