"""Evidence that the page on what is trusted counts the layer of states as it is: every module once, and its lines."""

import re
from pathlib import Path

import pytest

from .test_trusted_base import code_lines

NEAR = 25
"""By how many lines a number of the table may differ from that of the files: it is one of multiples of 50."""
ROW = re.compile(r"^  \| [^|]+ \| (`[^|]+) \| ([\d,]+) \| [^|]+ \| [^|]+ \|$", re.MULTILINE)


@pytest.fixture
def page(root: Path) -> str:
    text = (root / "docs" / "explanation" / "what-is-trusted.md").read_text()
    return text[text.index("- **The layer of states**") : text.index("- **The layer of ideal noise**")]


def counted(root: Path, modules: list[str]) -> int:
    return sum(code_lines((root / "mechanisms" / "states" / f"{name}.py").read_text()) for name in modules)


def rows(page: str) -> list[tuple[list[str], int]]:
    return [(re.findall(r"`([\w/]+)`", names), int(lines.replace(",", ""))) for names, lines in ROW.findall(page)]


def test_every_module_is_in_one_part(root: Path, page: str) -> None:
    folder = root / "mechanisms" / "states"
    files = {
        path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.py") if path.stem != "__init__"
    }
    named = [name for names, _ in rows(page) for name in names]
    assert sorted(named) == sorted(files)


def test_the_lines_of_each_part_are_those_of_its_files(root: Path, page: str) -> None:
    for names, lines in rows(page):
        assert abs(counted(root, names) - lines) <= NEAR, names


def test_the_sums_that_the_page_states_are_those_of_its_parts(root: Path, page: str) -> None:
    parts = rows(page)
    deciding = sum(lines for names, lines in parts if {"solve", "read"} & {*names})
    summing = sum(lines for names, lines in parts if {"turns", "tails/series"} & {*names})
    assert f"replays are complete: {deciding:,} lines, and\n  {summing} more where a tail is summed" in page
    whole = sum(lines for _, lines in parts)
    assert f"large, {whole:,} lines of code" in page
    said = (root / "docs" / "explanation" / "what-verified-means.md").read_text()
    assert f"{whole:,} lines of code, see [their parts]" in said
