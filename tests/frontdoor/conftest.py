"""What the tests of the front door share: the command, files for it to audit, and strict checkers of its JSON."""

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from json_forms import CHECKS, is_audit, is_error

import dpcert.cli
from dpcert.targets.load import AsWritten
from dpcert.worker.auditing import Workplace
from dpcert.worker.codec import decode, encode
from dpcert.worker.exchange import Reply, reply_from
from dpcert.worker.jobs import Digests, Job
from dpcert.worker.operations import answer_of
from dpcert.worker.process import Children

HEAD = "import dpcert\nfrom dpcert import ApproxDP, PureDP, counts_differ_by_one, target\n\n"
COMMAND = (sys.executable, "-m", "dpcert")


def strict(text: str) -> Any:
    """Read JSON as a strict reader does: no repeated keys, no NaN, nothing before or after."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        assert len(found) == len(pairs), f"a key is repeated: {[key for key, _ in pairs]}"
        return found

    def never(text: str) -> Any:
        raise AssertionError(f"not JSON: {text}")

    return json.loads(text, object_pairs_hook=once, parse_constant=never, parse_float=never)


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def document(self) -> Any:
        return strict(self.out)

    def verdicts(self) -> dict[str, str]:
        """Map the functions of a JSON audit to their verdicts; each name once."""
        results = self.document["results"]
        found = {result["target"].rpartition(":")[2]: result["verdict"] for result in results}
        assert len(found) == len(results)
        return found

    def result(self, name: str) -> dict[str, Any]:
        """Return the one result of a JSON audit about a function."""
        (found,) = (r for r in self.document["results"] if r["target"].rpartition(":")[2] == name)
        assert isinstance(found, dict)
        return found

    def refusal(self, status: int = 2) -> str:
        """Return the one line that refuses bad input, after seeing that it is one, and no traceback."""
        assert self.status == status, (self.status, self.out, self.err)
        (line,) = self.err.splitlines()
        assert line.startswith("dpcert: ")
        assert "; needed: " in line
        assert line.isprintable()
        assert len(line) < 1000
        assert "Traceback" not in self.out + self.err
        return line


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

    def run(*arguments: object) -> Done:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = dpcert.cli.main([str(argument) for argument in arguments])
        return Done(status, out.getvalue(), err.getvalue())

    return run


class Alone:
    """The second computation of a case's laws, in this process."""

    def __init__(self, job: Job[Digests]) -> None:
        self.job = job

    def digests(self, scope: str) -> list[str]:
        with files_forgotten():
            found = Reply(answer_of(self.job, NOWHERE)).delivered()
        assert found.scope == scope
        return found.digests


NOWHERE = Workplace(Path(os.devnull).parent)


@contextlib.contextmanager
def files_forgotten() -> Iterator[None]:
    """Import inside what nobody installed as if for the first time, and forget it and the way to it afterwards."""
    path, finders, kept = list(sys.path), list(sys.meta_path), _from_files()
    for name in kept:
        del sys.modules[name]
    try:
        yield
    finally:
        for name in _from_files():
            del sys.modules[name]
        sys.modules.update(kept)
        sys.path[:], sys.meta_path[:] = path, finders


def _from_files() -> dict[str, Any]:
    own = {name: module for name, module in sys.modules.items() if not name.startswith("dpcert.")}
    return {name: module for name, module in own.items() if type(getattr(module, "__loader__", 0)) is AsWritten}


@pytest.fixture
def fresh_imports() -> Iterator[None]:
    """Import in a test what nobody installed as if for the first time."""
    with files_forgotten():
        yield


@pytest.fixture
def workers_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Carry out the jobs of worker processes in this process: for many examples that need no other."""

    def reply(children: Children, job: Any, *, timeout: float | None = None, recording: bool = False) -> Reply[Any]:
        job = decode(type(job), json.loads(json.dumps(encode(job))))
        with files_forgotten():
            answer = answer_of(job, replace(NOWHERE, seconds=timeout))
        found = reply_from(job, json.loads(json.dumps(encode(Reply(answer)))))
        found.delivered()
        return found

    @contextlib.contextmanager
    def second(job: Job[Digests], **place: object) -> Iterator[Alone]:
        yield Alone(job)

    monkeypatch.setattr(Children, "reply", reply)
    monkeypatch.setattr("dpcert.worker.auditing.second", second)


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
    """Run an audit with --json in processes, check its document, and return what was done."""

    def run(*arguments: object, jobs: int = 2, **options: Any) -> Done:
        return checked(command("audit", *arguments, "--json", "--jobs", jobs, **options))

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
