"""What the benchmarks share: the installed command line, run and measured from outside."""

import json
import os
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dpcert.cases import Case, Options, case_of


@dataclass(frozen=True, slots=True)
class Usage:
    """What one command took: seconds by the clock, seconds of processor time and the largest process, in MiB.

    Processor time is that of all of its processes together; MiB are resident memory, as wait4 reports it.
    """

    output: str
    seconds: float
    processor: float
    mebibytes: float

    def as_info(self) -> dict[str, float]:
        """Return the measurements, rounded."""
        return {"processor": round(self.processor, 2), "mebibytes": round(self.mebibytes, 1)}


def run_command(*arguments: str) -> Usage:
    """Run `dpcert` with these arguments and measure it; its status must be 0."""
    program = os.path.join(sysconfig.get_path("scripts"), "dpcert")
    with tempfile.TemporaryFile() as output:
        begin = time.perf_counter()
        process = os.posix_spawn(
            program,
            [program, *arguments],
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, output.fileno(), 1)],
        )
        _, status, usage = os.wait4(process, 0)
        seconds = time.perf_counter() - begin
        output.seek(0)
        text = output.read().decode()
    assert os.waitstatus_to_exitcode(status) == 0, text
    return Usage(text, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


@pytest.fixture(scope="session")
def dpcert() -> Callable[..., Usage]:
    return run_command


@pytest.fixture(scope="session")
def certificates() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def audit(certificates: Path) -> Callable[[int, str], Usage]:
    """Return a function that audits geosample at epsilon = 1/10 and checks what was found."""

    def audited(n: int, source: str) -> Usage:
        usage = run_command(
            *("audit", "geosample", "--set", f"n={n}", "--law-source", source, "--json"),
            *("--time-limit", "600", "--certificates", str(certificates / source)),
        )
        found: dict[str, Any] = json.loads(usage.output)
        (result,) = found["results"]
        assert (result["verdict"], result["pairs"]) == ("verified", 2 * n)
        return usage

    return audited


@pytest.fixture(scope="session")
def case() -> Callable[[int, str], Case]:
    """Return a function that gives geosample at epsilon = 1/10 as a case, in this process."""

    def cased(n: int, source: str) -> Case:
        return case_of({"name": "geosample", "settings": {"n": str(n)}}, Options(law_source=source))

    return cased
