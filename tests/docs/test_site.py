"""The site has every page once, and its links out of docs/ lead to what the site makes of their targets."""

import importlib.util
import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = (ROOT / "docs/zensical.toml").read_text("utf-8")
REFERENCE = (ROOT / "docs/reference/reference.md").read_text("utf-8")
SPEC = importlib.util.spec_from_file_location("site_of_docs", ROOT / "docs" / "site.py")
assert SPEC is not None
assert SPEC.loader is not None
site = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(site)


def test_every_page_is_in_the_navigation_once() -> None:
    listed = Counter(page for _, pages in site.navigation() for page in pages)
    assert listed == Counter(page.relative_to(ROOT).as_posix() for page in site.PAGES)


@pytest.mark.parametrize(
    ("link", "made"),
    [
        ("[a](../start/tutorial.md#x)", "[a](../start/tutorial.md#x)"),
        ("[a](../../SECURITY.md)", "[a](../../SECURITY.md)"),
        ("[`a` [b]](../../audit/kernel/claim.py)", "[`a` [b]](../../audit/kernel/claim.py.txt)"),
        ("[a](../../audit/kernel/)", "a"),
        ("[a](https://example.org/x.py)", "[a](https://example.org/x.py)"),
        ("![a](../figures/report.png)", "![a](../figures/report.png)"),
    ],
)
def test_links_out_of_the_pages_are_shown_as_texts(
    link: str, made: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = ROOT / "docs" / "reference" / "page.md"
    monkeypatch.setattr(type(page), "read_text", lambda *_: f"so {link}.\n")
    assert site.adapted(page, tmp_path) == f"so {made}.\n"
    copied = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()]
    assert copied == (["audit/kernel/claim.py.txt"] if ".txt" in made else [])


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
    assert "font = false" in SETTINGS
    assert not re.search(r"https?://", SETTINGS)
