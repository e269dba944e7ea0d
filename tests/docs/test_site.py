"""Every page has its place in the site, and its links out of docs/ lead to what the site makes of their targets."""

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SITE = (ROOT / "mkdocs.yml").read_text("utf-8")
REFERENCE = (ROOT / "docs/reference/reference.md").read_text("utf-8")


def test_every_page_is_in_the_navigation_once() -> None:
    listed = re.findall(r"^ +- ([\w/-]+\.md)$", SITE, re.MULTILINE)
    assert len(listed) == len(set(listed))
    pages = {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    assert {name for name in listed if not name.startswith("project-")} == pages


def test_the_reference_has_every_public_name_once() -> None:
    import dpcert

    found = re.findall(r"^::: dpcert\.(?:(\w+)\.)?(\w+)$", REFERENCE, re.MULTILINE)
    described = [name for _, name in found]
    for module, name in found:  # where a package has the name as well, `dpcert.NAME` describes that
        spec = importlib.util.find_spec(f"dpcert.{name}")
        assert module == ("" if spec is None else "api")
    assert len(described) == len(set(described))
    assert set(described) == set(dpcert.__all__)


def test_nothing_is_loaded_from_elsewhere() -> None:
    assert "font: false" in SITE
    assert not re.search(r"https?://", SITE)
