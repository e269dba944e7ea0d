"""The maps from the papers' items to code and checks are those of the ledger, and what they name exists."""

import importlib
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from dpcert.mechanisms.mechanism import Mechanism
from dpcert.proofs.ledger import items
from dpcert.proofs.registry import rows

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("maps", ROOT / "docs" / "maps.py")
assert SPEC is not None
assert SPEC.loader is not None
maps = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(maps)


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda page: page.name)
def test_maps_are_up_to_date(page: Path) -> None:
    text = page.read_text("utf-8")
    assert maps.written(text) == text


def test_every_paper_has_a_page_with_its_map() -> None:
    papers = {item["paper"] for item in items()}
    drawn = {name for page in (ROOT / "docs").rglob("*.md") for name, _ in maps.MAP.findall(page.read_text("utf-8"))}
    assert drawn == papers | {"errata", "unreadable", "rocq", "zoo", "sources", "numpy", "board"}


@pytest.mark.parametrize("name", sorted({name for row in rows() for name in row.code}))
def test_named_code_exists(name: str) -> None:
    module, _, attribute = name.rpartition(".")
    found = getattr(importlib.import_module(f"dpcert.{module}"), attribute)
    assert callable(found) or isinstance(found, Mechanism)
    assert (ROOT / maps.file_of(name.rpartition(".")[0])).is_file()


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
