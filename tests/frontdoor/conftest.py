"""What the tests of the front door share: the command, files for it to audit, and strict checkers of its JSON."""

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import dedent
from typing import Any

import in_process
import pytest
from in_process import Done, files_forgotten, keep_inside
from json_forms import CHECKS, is_audit, is_error
from marked import COMMAND, heard

HEAD = "import dpcert\nfrom dpcert import ApproxDP, PureDP, counts_differ_by_one, target\n\n"
__all__ = ["heard"]


Run = Callable[..., Done]


@pytest.fixture(scope="session")
def command() -> Run:
    """Run the command line in a process of its own."""

    def run(
        *arguments: object, cwd: Path | None = None, env: Mapping[str, str] | None = None, timeout: float = 100
    ) -> Done:
        done = subprocess.run(
            [*COMMAND, *map(str, arguments)],
            cwd=cwd,
            env={**os.environ, **(env or {})},
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=timeout,
            check=False,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture(scope="session")
def inside() -> Run:
    """Run the command line in this process, for inputs that are refused before any other is started."""
    return in_process.run


@pytest.fixture
def fresh_imports() -> Iterator[None]:
    """Import in a test what nobody installed as if for the first time."""
    with files_forgotten():
        yield


@pytest.fixture
def workers_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Carry out the jobs of worker processes in this process: for many examples that need no other."""
    keep_inside(monkeypatch)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a file under tmp_path, by default with the imports that targets need."""
    return writer(tmp_path)


@pytest.fixture(name="writer", scope="session")
def writer_fixture() -> Callable[[Path], Callable[..., Path]]:
    return writer


def writer(folder: Path) -> Callable[..., Path]:
    def write(name: str, text: str, *, head: str = HEAD) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(head + dedent(text))
        return path

    return write


@pytest.fixture(scope="session")
def check_json() -> Callable[[str, Any], None]:
    """Check a document against the schema of that name, to the letter."""

    def check(name: str, document: Any) -> None:
        CHECKS[name](document)

    return check


@pytest.fixture(scope="session")
def audited(command: Run) -> Callable[..., Done]:
    """Run an audit with --json, its workers in processes, check its document, and return what was done."""

    def run(*arguments: object, jobs: int = 2, **options: Any) -> Done:
        call = command if options else in_process.run
        return checked(call("audit", *arguments, "--json", "--jobs", jobs, **options))

    return run


@pytest.fixture
def quick(inside: Run, workers_inside: None) -> Callable[..., Done]:
    """Run an audit with --json in this process, check its document, and return what was done."""
    return lambda *arguments: checked(inside("audit", *arguments, "--json"))


def checked(done: Done) -> Done:
    (is_error if done.document["schema"] == "dpcert.error/1" else is_audit)(done.document)
    return done


def alive(pid: int) -> bool:
    """Whether a process runs; one that ended and was not waited for does not."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return state.stdout.strip()[:1] not in ("", "Z")


@pytest.fixture(name="alive", scope="session")
def alive_fixture() -> Callable[[Sequence[int]], list[int]]:
    return lambda pids: [pid for pid in pids if alive(pid)]
