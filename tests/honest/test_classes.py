"""Evidence on each way that a verdict on honest code can be false: small programs, held against the real libraries.

alpha: where a program is run on the real libraries, each comparison errs at most once in 10^9.
"""

from __future__ import annotations

import inspect
import tomllib
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import dpcert
from dpcert import Dist, Unauditable
from dpcert.audit.sampling.binomial import lower_limit, upper_limit
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.targets.load import collect

from .truth import LIMITS, disagreement, loaded, sampled, shared_state_restored

ALPHA = Fraction(1, 10**9)
RUNS = 400
CLASSES: dict[str, dict[str, dict[str, str]]] = tomllib.loads(
    Path(__file__).with_name("classes.toml").read_text(encoding="utf-8")
)


def _of(*results: str) -> list[Any]:
    return [
        pytest.param(program, id=f"{name}-{title}")
        for name, programs in CLASSES.items()
        for title, program in programs.items()
        if program["result"] in results
    ]


def _laws(function: Callable[..., Any]) -> dict[int, Dist]:
    with shared_state_restored():
        return {x: enumerate_law(dpcert.redirect(function), x, limits=LIMITS).law for x in (0, 1)}


def _runs_differ(runs: dict[int, list[tuple[Any, Any]]]) -> bool:
    """Whether what a reader sees comes more often on one input than on the other, by samples."""
    counts = {x: Counter(repr(look) for _, look in found) for x, found in runs.items()}

    def more(a: int, b: int, look: str) -> bool:
        low, high = counts[a][look], counts[b][look]
        return low > 0 and high < RUNS and lower_limit(low, RUNS, ALPHA) > upper_limit(high, RUNS, ALPHA)

    return any(more(0, 1, look) or more(1, 0, look) for look in counts[0] | counts[1])


def test_each_class_has_four_programs_and_each_says_why() -> None:
    assert all(len(programs) >= 4 for programs in CLASSES.values())
    assert all(program["why"] for programs in CLASSES.values() for program in programs.values())


@pytest.mark.points(5)
@pytest.mark.parametrize("program", _of("same", "differ"))
def test_laws_differ_where_runs_on_the_real_libraries_do(program: dict[str, str], tmp_path: Path) -> None:
    with loaded(program["source"], tmp_path) as module:
        laws = _laws(module.noisy)
        assert not any(law.tail for law in laws.values())
        takes_rng = "rng" in inspect.signature(module.noisy).parameters
        runs = {x: sampled(module.noisy, x, takes_rng, RUNS) for x in laws}
    assert (fault := disagreement(laws, runs, ALPHA)) is None, fault
    assert _runs_differ(runs) == (laws[0] != laws[1]) == (program["result"] == "differ")


@pytest.mark.points(12)
@pytest.mark.parametrize("program", _of("undecided"))
def test_undecided_by_name_whatever_the_program_catches(program: dict[str, str], tmp_path: Path) -> None:
    with loaded(program["source"], tmp_path) as module, pytest.raises(Unauditable, match=program["reason"]):
        _laws(module.noisy)


@pytest.mark.parametrize("program", _of("lost"))
def test_a_target_that_no_name_leads_to_is_an_error(program: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "release.py"
    path.write_text(program["source"], encoding="utf-8")
    (lost,) = collect(path).lost
    assert program["reason"] in lost.why
