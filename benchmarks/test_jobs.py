"""Two jobs beside one: everything that ships, and the zoo, through the command line; the output is the same."""

import re
from collections.abc import Callable
from typing import Any

import pytest

ALL = {"all that ships": [], "the zoo": ["zoo", "--expect"]}


@pytest.fixture(scope="session")
def outputs() -> dict[str, str]:
    """Return where the output of each audit is kept, to compare."""
    return {}


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("targets", list(ALL))
def test_jobs(benchmark: Any, dpcert: Callable[..., Any], outputs: dict[str, str], targets: str, jobs: int) -> None:
    command = ["audit", *ALL[targets], "--jobs", str(jobs), "--time-limit", "600"]
    usage = benchmark.pedantic(lambda: dpcert(*command), rounds=1)
    claims = sum(map(int, re.findall(r"(\d+) (?:verified|refuted|undecided)", usage.output.splitlines()[-1])))
    benchmark.extra_info.update(usage.as_info(), claims=claims)
    assert outputs.setdefault(targets, usage.output) == usage.output
