"""Evidence that the page on what is trusted names every module of the machine once."""

import re
from pathlib import Path

ROW = re.compile(r"^  \| [^|]+ \| (`[^|]+) \| [^|]+ \| [^|]+ \|$", re.MULTILINE)


def test_every_module_is_in_one_part(root: Path) -> None:
    text = (root / "docs" / "explanation" / "what-is-trusted.md").read_text()
    page = text[text.index("- **The machine**") : text.index("- **The layer of ideal noise**")]
    folder = root / "reading"
    files = {
        path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.py") if path.stem != "__init__"
    } - {f"paths/{path.stem}" for path in (folder / "paths").glob("*.py")}  # which do not belong to the machine
    assert sorted(name for names in ROW.findall(page) for name in re.findall(r"`([\w/]+)`", names)) == sorted(files)
