"""What the site adds to the pages: whatever they link to outside of docs/, as pages or as texts.

MkDocs calls the functions `on_...`. A page of the root (README.md, ...) becomes a page `project-...`;
any other file is shown as it is, under `code/`; a folder is named without a link.
"""

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")
PAGES = {name: f"project-{name.lower()}" for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")}


def on_files(files: Files, config: Any) -> Files:
    """Add the root's pages, and every file outside of docs/ that a page links to."""
    for name, page in PAGES.items():
        files.append(File.generated(config, page, content=_from_root((ROOT / name).read_text("utf-8"))))
    linked: set[str] = set()
    for file in files.documentation_pages():
        folder = posixpath.dirname(file.src_uri)
        linked.update(_outside(match["target"], folder) or "" for match in LINK.finditer(file.content_string))
    for path in sorted(linked - {""} - PAGES.keys()):
        if (ROOT / path).is_file():
            files.append(File.generated(config, _shown(path), content=(ROOT / path).read_bytes()))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Return a page whose links out of docs/ lead to what stands for their targets in the site."""
    folder = posixpath.dirname(page.file.src_uri)

    def replaced(match: re.Match[str]) -> str:
        path = _outside(match["target"], folder)
        if path is None:
            return match[0]
        if (ROOT / path).is_dir():
            return match["text"]
        target = posixpath.relpath(PAGES.get(path) or _shown(path), folder or ".")
        return f"[{match['text']}]({target}{match['anchor'] or ''})"

    return LINK.sub(replaced, markdown)


def _outside(target: str, folder: str) -> str | None:
    """Return the path from the root of a link's target where that is outside of docs/, else None."""
    if re.match(r"[a-z]+:|/", target):
        return None
    path = posixpath.normpath(posixpath.join("docs", folder, target))
    return None if path == "docs" or path.startswith("docs/") else path


def _shown(path: str) -> str:
    """Return the place in the site of a file outside of docs/."""
    return f"code/{path}.txt"


def _from_root(text: str) -> str:
    """Return a page of the root with its links as from docs/."""

    def replaced(match: re.Match[str]) -> str:
        target = match["target"]
        if not re.match(r"[a-z]+:|/", target):
            target = target.removeprefix("docs/") if target.startswith("docs/") else f"../{target}"
        return f"[{match['text']}]({target}{match['anchor'] or ''})"

    return LINK.sub(replaced, text)
