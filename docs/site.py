"""Build the site of the documentation into `build/site`, with the extra `docs`: `python docs/site.py`.

The pages keep their places in the repository, so that links need no change. A linked file that is no page is shown
as a text; a folder is named without a link. The index orders the navigation. A warning of the builder is an error.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"))]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
LINK = re.compile(r"\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")


def navigation() -> list[tuple[str, list[str]]]:
    """Return the sections of the index, each with the pages that it links to, in order and each page once."""
    seen: set[str] = set()
    sections = []
    for section in (ROOT / "docs" / "index.md").read_text("utf-8").split("\n## ")[1:]:
        linked = [os.path.normpath(f"docs/{match['target']}") for match in LINK.finditer(section)]
        pages = [page for page in dict.fromkeys(linked) if ROOT / page in PAGES and page not in seen]
        seen.update(pages)
        if pages:
            sections.append((section.partition("\n")[0], pages))
    return sections


def shown(page: Path, target: str) -> Path | None:
    """Return the file that a page links to where it is no page and lies in the repository outside of docs/, or None."""
    path = Path(os.path.normpath(page.parent / target))
    outside = path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / "docs")
    return path if outside and path not in PAGES and path.exists() else None


def adapted(page: Path, pages: Path) -> str:
    """Return the text of a page for the site, and copy there the files that it shows."""

    def replaced(match: re.Match[str]) -> str:
        path = shown(page, match["target"])
        if path is None:
            return match[0]
        if path.is_dir():
            return match["text"]
        copy(path, pages / f"{path.relative_to(ROOT)}.txt")
        return f"[{match['text']}]({match['target']}.txt)"

    return LINK.sub(replaced, page.read_text("utf-8"))


def copy(path: Path, place: Path) -> None:
    """Copy a file to a place, in folders that are made for it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, place)


def main() -> int:
    """Lay out the pages below build/, and build the site of them; return the builder's exit status."""
    build = ROOT / "build"
    shutil.rmtree(build / "pages", ignore_errors=True)
    for page in PAGES:
        copy(page, place := build / "pages" / page.relative_to(ROOT))
        place.write_text(adapted(page, build / "pages"), "utf-8")
    for file in [*(ROOT / "docs" / "figures").iterdir(), ROOT / "docs" / "site.css"]:
        copy(file, build / "pages" / file.relative_to(ROOT))
    ordered = ", ".join(f"{{ {json.dumps(name)} = {json.dumps(pages)} }}" for name, pages in navigation())
    settings = (ROOT / "docs" / "zensical.toml").read_text("utf-8")
    (build / "zensical.toml").write_text(settings.replace("[project]", f"[project]\nnav = [{ordered}]", 1), "utf-8")
    return subprocess.run(["zensical", "build", "--clean", "--strict"], cwd=build, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
