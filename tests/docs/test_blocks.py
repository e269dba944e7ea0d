"""Every code block of the README and of docs/ is run, and what it shows is what comes out.

A plain run carries out `dpcert` in the process of the tests, its workers too, but for the programs of pages, which are
read in processes of their own, and pages with a project, whose lock needs them; a nightly run starts all processes.
"""

import doctest
import operator
import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from in_process import keep_inside, run

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LONG = "<!-- long -->"
INSTALLS = ("setup", "tests", "installs")
OWN = re.compile(r"dpcert (?P<arguments>(?:\"[^\"]*\"|[^|;<>\"])*?)(?P<rest>| (?:2?>|\|).*|; .*)")
"""A command line of dpcert, and what the shell does with what it prints."""

NAME = operator.attrgetter("name")

Blocks = Callable[[str], list[Any]]
Shell = Callable[[str, Path], tuple[int, str]]


def run_doctest(block: Any, names: dict[str, Any], page: str) -> list[str]:
    """Run a doctest block in the names of its page, which it may add to; return the failures."""
    test = doctest.DocTestParser().get_doctest(block.text, names, page, page, block.line)
    assert not any(example.options.get(doctest.SKIP) for example in test.examples), f"{page}: a skipped example"
    told: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append, clear_globs=False)
    names.update(test.globs)
    return told


def failures(text: str, page: str, folder: Path, find_blocks: Blocks, shell: Shell, *, long: bool = True) -> list[str]:
    """Run every block of a page in a folder, or all that are not long; return what is not as shown, or not run."""
    found: list[str] = []
    names: dict[str, Any] = {}
    for block in find_blocks(text):
        where = f"{page}, line {block.line}"
        match block.mark.partition(": "), block.language:
            case (("file", _, name), "python" | "sh" | "toml" | "yaml"):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(block.text)
            case (mark, _, _), "sh" if mark in INSTALLS:
                pass
            case (mark, _, _), "console" if mark.startswith("needs "):
                pass
            case ("long", _, _), _ if not long:
                pass
            case ("" | "long", _, _), "console":
                for command, shown in block.commands():
                    status, printed = shell(command, folder)
                    if status or not block.matches(shown, printed):
                        found.append(f"{where}: $ {command}\nstatus {status}, printed:\n{printed}")
            case ("" | "long", _, _), "python" if ">>>" in block.text:
                found += run_doctest(block, names, where)
            case ("", _, _), "toml":
                tomllib.loads(block.text)
            case _:
                found.append(f"{where}: a block of a kind that nobody runs")
    return found


@pytest.fixture
def quick_shell(shell: Shell, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Run dpcert in this process, and let the shell have its streams and its status."""
    keep_inside(monkeypatch)
    monkeypatch.delenv("COLUMNS", raising=False)
    streams = tmp_path_factory.mktemp("streams")

    def quick(command: str, folder: Path) -> tuple[int, str]:
        own = OWN.fullmatch(command)
        if ".py" in command or (folder / "pyproject.toml").exists():
            own = None
        if own is None:
            return shell(command, folder)
        done = run(*shlex.split(own["arguments"]))
        (streams / "out").write_text(done.out)
        (streams / "err").write_text(done.err)
        again = f"(cat {streams}/out; cat {streams}/err >&2; exit {done.status})"
        return shell(f"{again}{own['rest']}", folder)

    return quick


@pytest.fixture
def folder(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a folder in which a user has nothing but a copy of the examples, and a state folder of their own.

    What a page imports from there is forgotten after it.
    """
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    before = {*sys.modules}
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    yield tmp_path
    for name in {*sys.modules} - before:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.parametrize("page", PAGES, ids=NAME)
def test_page_shows_what_happens(page: Path, folder: Path, find_blocks: Blocks, quick_shell: Shell) -> None:
    assert failures(page.read_text(), page.name, folder, find_blocks, quick_shell, long=False) == []


@pytest.mark.nightly
@pytest.mark.parametrize(
    "page", [page for page in PAGES if LONG in page.read_text() or "\n$ dpcert" in page.read_text()], ids=NAME
)
def test_page_shows_what_happens_in_processes(page: Path, folder: Path, find_blocks: Blocks, shell: Shell) -> None:
    assert failures(page.read_text(), page.name, folder, find_blocks, shell) == []


@pytest.mark.parametrize(
    "text",
    [
        "```console\n$ echo one\ntwo\n```\n",
        "```console\n$ echo one\n```\n",
        "```console\n$ exit 3\n```\n",
        "```console\n$ echo one\none\n$ echo two\none\n```\n",
        "```python\n>>> 1 + 1\n3\n```\n",
        "```python\n>>> x = 1\n```\ntext\n\n```python\n>>> x\n2\n```\n",
        "```python\nx = 1\n```\n",
        "```\ntext\n```\n",
        "```sh\nrm -r build\n```\n",
    ],
)
def test_caught_a_block_that_is_wrong_or_not_run(text: str, tmp_path: Path, find_blocks: Blocks, shell: Shell) -> None:
    assert len(failures(text, "page", tmp_path, find_blocks, shell)) == 1


def test_caught_a_skipped_example(tmp_path: Path, find_blocks: Blocks, shell: Shell) -> None:
    text = "```python\n>>> 1 / 0  # doctest: +" + "SKIP\n```\n"
    with pytest.raises(AssertionError, match="a skipped example"):
        failures(text, "page", tmp_path, find_blocks, shell)


def test_blocks_of_a_page_share_files_and_names(tmp_path: Path, find_blocks: Blocks, shell: Shell) -> None:
    text = (
        "<!-- file: a.txt -->\n```python\nx = 1\n```\n"
        "```console\n$ cat a.txt\nx = 1\n$ echo 'a b'\na b\n```\n"
        "```python\n>>> x = 1\n\n```\n```python\n>>> x\n1\n\n```\n"
    )
    assert [block.line for block in find_blocks(text)] == [3, 6, 12, 16]
    assert failures(text, "page", tmp_path, find_blocks, shell) == []
