"""What the tests of the documentation share: its pages, their code blocks, and how a shell command is run.

A fenced block may be preceded by a line `<!-- ... -->`, its mark. `file: NAME` says that the block is a file;
`setup`, `tests` and `installs` that it installs something and is run by .ci/run or by nobody; `needs PACKAGE`
that it is compared by a test of its own; `long` that it takes seconds, and is run nightly. All other blocks are run.
"""

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(
    r"^(?:<!-- (?P<mark>[^\n]+?) -->\n+)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
COMMAND = re.compile(r"^\$ (?P<command>[^\n]+)\n?(?P<output>(?:(?!\$ )[^\n]*(?:\n|$))*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: where its text begins, its mark, its language and its text."""

    line: int
    mark: str
    language: str
    text: str

    def commands(self) -> list[tuple[str, str]]:
        """Return each shell command of a console block with the output that is shown for it."""
        return [(found["command"], found["output"]) for found in COMMAND.finditer(self.text)]

    @staticmethod
    def matches(shown: str, printed: str) -> bool:
        """Whether a shown output is the printed one, `...` standing for anything."""
        checker = doctest.OutputChecker()
        return checker.check_output(shown, printed, doctest.ELLIPSIS | doctest.DONT_ACCEPT_BLANKLINE)


def blocks_of(text: str) -> list[Block]:
    """Return the fenced blocks of a page, in order."""
    found = list(FENCE.finditer(text))
    lines = [text.count("\n", 0, fence.start("text")) + 1 for fence in found]
    return [
        Block(line, fence["mark"] or "", fence["language"], fence["text"])
        for line, fence in zip(lines, found, strict=True)
    ]


def run_shell(command: str, folder: Path) -> tuple[int, str]:
    """Run a command in a folder, this environment's programs first; return its status and all it printed."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "COLUMNS")}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**environment, "PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def find_blocks() -> Callable[[str], list[Block]]:
    return blocks_of


@pytest.fixture(scope="session")
def shell() -> Callable[[str, Path], tuple[int, str]]:
    return run_shell
