"""Evidence that the machine is like CPython: random programs, whose laws are those of their paths or scripts."""

from __future__ import annotations

import random
from fractions import Fraction

import fuzz_numbers
import numpy
import pytest
from fuzz import Writer
from oracle import law_by_scripts, unlike

from dpcert.mechanisms.exact.enumerator import LazyRun, exact_law
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Limits, Settings
from dpcert.reading import explore
from dpcert.reading.explore import read_law
from dpcert.reading.floats import functions


def differs(seed: int, count: int) -> str | None:
    """Compare so many programs; return the first that differs, and where."""
    writer = Writer(seed)
    for _ in range(count):
        text, program = writer.program()
        limits = Limits(max_tail=Fraction(1, 100), max_runs=200, max_draws=60)
        try:
            law = read_law(program, 1, explore.Limits(states=300, tail=Fraction(1, 10**4))).law
            paths = exact_law(program, 1, Settings(LazyRun, limits)).law
        except Unauditable as refusal:
            if "internal" in str(refusal):
                return f"{text}\n{refusal}"
            continue
        truth = {name: Fraction(weight, paths.denominator) for name, _, weight in paths.weights()}
        where = unlike(law, truth, paths.tail)
        if where is not None:
            return f"{text}\n{where}"
    return None


@pytest.mark.points(2)
@pytest.mark.parametrize("seed", range(200))
def test_random_programs_have_the_law_of_their_paths(seed: int) -> None:
    assert differs(seed, 8) is None


def different_numbers(seed: int, count: int) -> str | None:
    """The same of programs of numbers, against all scripts of coins."""
    chance = random.Random(seed)
    for _ in range(count):
        text, program = fuzz_numbers.program(chance)
        try:
            law = read_law(program, 1).law
            with numpy.errstate(all="ignore"):
                truth, tail = law_by_scripts(program, 1)
        except Unauditable as refusal:
            if "internal" in str(refusal):
                return f"{text}\n{refusal}"
            continue
        where = unlike(law, truth, tail)
        if where is not None:
            return f"{text}\n{where}"
    return None


@pytest.mark.points(2)
@pytest.mark.parametrize("seed", range(200))
@pytest.mark.filterwarnings("ignore")
def test_random_numbers_have_the_law_of_all_scripts(seed: int) -> None:
    assert different_numbers(seed, 25) is None


@pytest.mark.filterwarnings("ignore")
def test_caught_an_absolute_value_that_is_the_number_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(functions, "magnitude", lambda number: number)
    assert any(different_numbers(seed, 25) for seed in range(200))
