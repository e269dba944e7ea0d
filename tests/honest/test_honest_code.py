"""Evidence that no verdict is false on honest code: laws of generated programs, held against the real libraries.

alpha: each comparison of a frequency with a probability errs at most once in 10^9; what the law calls impossible, or
one outcome where a reader sees two, is no matter of chance.
"""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from . import programs
from .truth import disagreement, law, loaded, sampled, shared_state_restored

ALPHA = Fraction(1, 10**9)
RUNS = 1500
Family = Callable[[], st.SearchStrategy[programs.Program]]
FAMILIES: dict[str, Family] = {
    "arithmetic": programs.arithmetic,
    "parameters": programs.parameters,
    "seeds": programs.seeds,
    "kinds": programs.kinds,
    "outcomes": programs.outcomes,
    "hidden": programs.hidden,
}
READ = {"arithmetic": 10, "parameters": 10, "kinds": 10, "outcomes": 5}
"""How many programs of a family have a law at the least, of those that a plain run tries: undecided is no way out."""


def _try(family: str, folder: Path, examples: int, derandomize: bool) -> int:
    decided = 0

    @settings(
        max_examples=examples,
        derandomize=derandomize,
        database=None,
        suppress_health_check=list(HealthCheck),
        deadline=None,
    )
    @given(FAMILIES[family]())
    def hold(program: programs.Program) -> None:
        nonlocal decided
        with loaded(program.source, folder) as module:
            laws = {x: found for x in (0, 1) if (found := law(module.noisy, x)) is not None}
            runs = {x: sampled(module.noisy, x, program.takes_rng, RUNS) for x in laws}
        decided += len(laws) == 2
        assert (fault := disagreement(laws, runs, ALPHA)) is None, fault

    hold()
    return decided


@pytest.mark.parametrize("family", FAMILIES)
def test_the_law_of_an_honest_program_is_that_of_its_runs_on_the_real_libraries(family: str, tmp_path: Path) -> None:
    assert _try(family, tmp_path, 60, derandomize=True) >= READ.get(family, 0)


@pytest.mark.nightly
@pytest.mark.parametrize("family", FAMILIES)
def test_the_law_of_many_honest_programs_is_that_of_their_runs(family: str, tmp_path: Path) -> None:
    _try(family, tmp_path, 6000, derandomize=False)


def _fixed(source: str, folder: Path) -> bool:
    """Whether a module's generator gives the same draws each time that the module is loaded."""
    found = []
    for _ in range(2):
        with shared_state_restored(), loaded(source, folder) as module:
            found.append([module.RNG.random() for _ in range(8)])
    return found[0] == found[1]


def _held_generators(cases: list[tuple[str, str]], folder: Path) -> None:
    sources = {f"held_{i}.py": programs.held(how, k) for i, (how, k) in enumerate(cases)}
    expected = {name: _fixed(source, folder) for name, source in sources.items()}
    for name, source in sources.items():
        (folder / name).write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "dpcert", "audit", *sources, "--json", "--time-limit", "120"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    results = {result["target"].partition(":")[0]: result for result in json.loads(done.stdout)["results"]}
    assert results.keys() == expected.keys()
    for name, fixed in expected.items():
        result = results[name]
        if fixed:
            assert result["verdict"] == "undecided", (sources[name], result)
            named = re.search(rf"{name}, line (\d+)|line (\d+) of {name}", result["reason"])
            assert named, result["reason"]
            assert "RNG" in sources[name].splitlines()[int(named[1] or named[2]) - 1], result["reason"]
        else:
            assert result["verdict"] == "verified", (sources[name], result)
            assert any("RNG" in text or "random" in text for text in result["assumptions"]), result


def test_a_generator_that_a_module_seeds_is_never_taken_for_coins(tmp_path: Path) -> None:
    pieces = programs.PIECES
    _held_generators(list(zip(pieces["held"], itertools.cycle(pieces["held_seeds"]), strict=False)), tmp_path)


@pytest.mark.nightly
def test_no_way_to_seed_a_generator_makes_it_coins(tmp_path: Path) -> None:
    _held_generators(list(itertools.product(programs.PIECES["held"], programs.PIECES["held_seeds"])), tmp_path)
