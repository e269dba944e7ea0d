"""What the benchmarks share: the installed command line, run and measured from outside."""

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dpcert.targets.cases import Case, case_of
from dpcert.targets.options import Options
from dpcert.targets.spec import CatalogueSpec


@dataclass(frozen=True, slots=True)
class Usage:
    """What one command took: seconds by the clock, seconds of processor time and the largest process, in MiB.

    Processor time is that of all of its processes together; MiB are resident memory, as getrusage reports it.
    """

    output: str
    seconds: float
    processor: float
    mebibytes: float

    def as_info(self) -> dict[str, float]:
        """Return the measurements, rounded."""
        return {"processor": round(self.processor, 2), "mebibytes": round(self.mebibytes, 1)}


SMALL = """
import json, resource, subprocess, sys, time
begin = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, text=True)
seconds = time.perf_counter() - begin
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
json.dump([done.returncode, done.stdout, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024], sys.stdout)
"""
"""Runs a command and measures it from a small process: a child's peak is never reported below its parent's."""


def run_command(*arguments: str, status: int = 0) -> Usage:
    """Run `dpcert` with these arguments and measure it; its status must be the one given."""
    return measure(os.path.join(sysconfig.get_path("scripts"), "dpcert"), *arguments, status=status)


def measure(*words: str, status: int = 0) -> Usage:
    """Run a command and measure it; its status must be the one given."""
    command = [sys.executable, "-I", "-c", SMALL, *words]
    measured = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    ended, *rest = measured
    usage = Usage(*rest)
    assert ended == status, usage.output
    return usage


@pytest.fixture(scope="session")
def dpcert() -> Callable[..., Usage]:
    return run_command


@pytest.fixture(scope="session")
def measured_command() -> Callable[..., Usage]:
    return measure


@pytest.fixture(scope="session")
def certificates() -> dict[tuple[int, str], Path]:
    """Return where `audit` notes the certificates that it made, by n and source."""
    return {}


@pytest.fixture(scope="session")
def audit(
    certificates: dict[tuple[int, str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[int, str], Usage]:
    """Return a function that audits geosample at epsilon = 1/10 and checks what was found."""
    folder = tmp_path_factory.mktemp("certificates")

    def audited(n: int, source: str) -> Usage:
        usage = run_command(
            *("audit", "geosample", "--set", f"n={n}", "--law-source", source, "--json"),
            *("--time-limit", "600", "--certificates", str(folder / source)),
        )
        found: dict[str, Any] = json.loads(usage.output)
        (result,) = found["results"]
        assert (result["verdict"], result["pairs"]) == ("verified", 2 * n)
        certificates[n, source] = Path(result["certificate"])
        return usage

    return audited


@pytest.fixture(scope="session")
def case() -> Callable[[int, str], Case]:
    """Return a function that gives geosample at epsilon = 1/10 as a case, in this process."""

    def cased(n: int, source: str) -> Case:
        return case_of(CatalogueSpec("geosample", {"n": str(n)}), Options(law_source=source))

    return cased
