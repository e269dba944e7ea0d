"""Every link between the pages leads somewhere, and every file that the pages name exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")
PLACE = re.compile(
    r"`((?:mechanisms|audit|proofs|src|tests|docs|examples|benchmarks|\.ci)/[\w./-]*|[\w-]+\.(?:md|toml))`"
)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchors(text: str) -> set[str]:
    """Return the fragments by which a page's headings are linked."""
    headings = HEADING.findall(FENCED.sub("", text))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(page: Path) -> list[str]:
    """Return the links of a page, within the project, that lead nowhere."""
    found = []
    for link in LINK.findall(FENCED.sub("", page.read_text())):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, fragment = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists() or (fragment and fragment not in anchors(target.read_text())):
            found.append(link)
    return found


def missing_places(page: Path, root: Path) -> list[str]:
    """Return the files and folders that a page names in code type and that do not exist, NAME and PAPER aside."""
    places = PLACE.findall(FENCED.sub("", page.read_text()))
    return [place for place in places if not re.search("NAME|PAPER", place) and not (root / place).exists()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    assert broken_links(page) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_named_files_exist(page: Path) -> None:
    assert missing_places(page, ROOT) == []


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("MECHANISMS", "mechanisms/catalogue.py"),
        ("ZOO", "mechanisms/zoo.py"),
        ("RELATIONS", "audit/kernel/neighbours.py"),
        ("CI PASSED", ".ci/run"),
    ],
)
def test_the_recipes_name_what_is_there(name: str, place: str) -> None:
    recipes = (ROOT / "CONTRIBUTING.md").read_text()
    assert f"`{name}`" in recipes
    assert f"`{place}`" in recipes
    assert name in (ROOT / place).read_text()


def test_caught_a_broken_link(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One two\n[a](#one-two) [b](#three) [c](other.md) [d](https://example.org)\n")
    assert broken_links(page) == ["#three", "other.md"]


def test_caught_a_file_that_does_not_exist(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("`page.md` `docs/no.md` `mechanisms/NAME.py` `audit/kernel/` `no.toml`\n")
    assert missing_places(page, tmp_path) == ["docs/no.md", "audit/kernel/", "no.toml"]
