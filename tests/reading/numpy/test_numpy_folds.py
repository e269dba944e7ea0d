"""Evidence that folds of arrays that are drawn, and what is made of answers, have the laws of all paths."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import answer_programs
import fold_programs
import numpy as np
import pytest
from numpy.random import Generator
from oracle import unlike

from dpcert.mechanisms.exact.enumerator import LazyRun, exact_law
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Limits, Settings
from dpcert.mechanisms.exact.outcome import canonical, fresh
from dpcert.reading.explore import read_law
from dpcert.reading.paths.routed import routed
from dpcert.reading.replay import replay
from dpcert.targets.taken import taken

PROGRAMS = (*fold_programs.PROGRAMS, *answer_programs.PROGRAMS)


def _routed(function: Any) -> Any:
    return routed(function, taken(function, ()))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_law_is_that_of_the_paths(program: Callable[..., Any]) -> None:
    found = _routed(program)
    if program in fold_programs.REFUSED:
        with pytest.raises(Unauditable, match=fold_programs.REFUSED[program]):
            read_law(found, 1)
        return
    law = read_law(found, 1).law
    paths = exact_law(found, 1, Settings(LazyRun, Limits(max_tail=Fraction(1, 1000), max_runs=20_000))).law
    truth = {name: Fraction(weight, paths.denominator) for name, _, weight in paths.weights()}
    assert unlike(law, truth, paths.tail) is None
    assert law.tail == 0
    assert replay(found, 1) > 0


@pytest.mark.parametrize("program", answer_programs.OF_OTHER_TYPES, ids=lambda program: program.__name__)
def test_what_numpy_itself_makes_is_among_the_outcomes(program: Callable[..., Any]) -> None:
    law = read_law(_routed(program), 1).law
    outcomes = {canonical(outcome) for _, outcome, _ in law.weights()}
    found = {canonical(fresh(program(1, np.random.default_rng()))) for _ in range(200)}
    assert found == outcomes


def test_a_sum_of_truth_values_costs_what_a_loop_costs() -> None:
    def counted(n: int, rng: Generator) -> Any:
        return (rng.random(200) < 0.25).sum()

    read = read_law(_routed(counted), 1)
    assert read.states < 1_000
    weights = {int(outcome): Fraction(weight, read.law.denominator) for _, outcome, weight in read.law.weights()}
    assert all(type(outcome) is np.int64 for _, outcome, _ in read.law.weights())
    assert weights == {k: Fraction(comb(200, k) * 3 ** (200 - k), 4**200) for k in range(201)}
