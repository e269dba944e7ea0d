"""Write into pages what their commands print now: `python tests/docs/renew.py PAGE...`, with --long for long blocks.

A block is left as it is where it agrees, `...` standing for anything; what is written is to be read before it is kept.
"""

import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from conftest import ROOT, Block, blocks_of, run_shell


def renewed(block: Block, folder: Path) -> str:
    """Return the text of a console block with what its commands print in a folder."""
    text = ""
    for command, shown in block.commands():
        _, printed = run_shell(command, folder)
        text += f"$ {command}\n{shown if block.matches(shown, printed) else printed}"
    return text


def renew(page: Path, *, long: bool) -> None:
    """Write a page anew."""
    text = page.read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "examples", folder / "examples")
        for block in blocks_of(text):
            kind, _, file = block.mark.partition(": ")
            if kind == "file":
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / file).write_text(block.text)
            elif block.language == "console" and (kind == "" or (kind == "long" and long)):
                text = text.replace(f"```console\n{block.text}```", f"```console\n{renewed(block, folder)}```", 1)
    page.write_text(text)


def main(arguments: Sequence[str]) -> None:
    """Renew the pages that the arguments name."""
    for name in arguments:
        if name != "--long":
            renew(Path(name), long="--long" in arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
