"""Evidence that folds of arrays that are drawn, and what is made of answers, have the laws of all paths."""

from __future__ import annotations

import marshal
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Any

import answer_programs
import deferred_programs
import fold_programs
import numpy as np
import pytest
from numpy.random import Generator
from oracle import unlike

from dpcert.mechanisms.exact.enumerator import LazyRun, exact_law
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Limits, Settings
from dpcert.mechanisms.exact.outcome import canonical, fresh
from dpcert.reading.domains import deferred
from dpcert.reading.explore import read_law
from dpcert.reading.numpy import folds
from dpcert.reading.paths.routed import routed
from dpcert.reading.replay import replay
from dpcert.targets.taken import taken

PROGRAMS = (*fold_programs.PROGRAMS, *answer_programs.PROGRAMS, *deferred_programs.PROGRAMS)
LONG = [fold_programs.narrow_totals]
MARKED = [pytest.param(each, marks=[pytest.mark.nightly] * (each in LONG)) for each in PROGRAMS]


def _routed(function: Any) -> Any:
    return routed(function, taken(function, ()))


@pytest.mark.parametrize("program", MARKED, ids=lambda program: program.__name__)
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
    assert replay(found, 1, count=8) > 0


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


def test_elements_of_two_draws_cost_what_a_loop_costs() -> None:
    def counted(n: int, rng: Generator) -> Any:
        bits = np.arange(40) % 2
        return np.where(rng.random(40) < 0.5, bits, rng.integers(0, 2, size=40)).sum()

    read = read_law(_routed(counted), 1)
    assert read.states < 500
    weights = {int(outcome): Fraction(weight, read.law.denominator) for _, outcome, weight in read.law.weights()}
    by_group = [[comb(20, i) * 3 ** (20 - i) for i in range(21)], [comb(20, i) * 3**i for i in range(21)]]
    ways = np.convolve(*(np.array(each, object) for each in by_group))
    assert weights == {k: Fraction(count, 4**40) for k, count in enumerate(ways)}


def _told_nowhere_else(writer: Any, value: Any) -> bytes:
    return marshal.dumps(deferred.law_of(value, writer.form, Counter()), 2)


def _of_all_kinds(value: Any) -> tuple[int, int]:
    return 0, 1


FAULTS: dict[str, tuple[Any, str, Any, Callable[..., Any]]] = {
    "draws that are told elsewhere are drawn again": (
        *(folds, "_law_of", _told_nowhere_else),
        deferred_programs.draws_told_elsewhere,
    ),
    "fractions are taken for integers": (deferred, "bounds", _of_all_kinds, deferred_programs.halves),
    "only one half of the questions is asked": (
        *(deferred, "pairwise", lambda cuts: [*pairwise(cuts)][:1]),
        deferred_programs.of_two_masks_alone,
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, wrong, program = FAULTS[fault]
    found = _routed(program)
    right = read_law(found, 1).law
    monkeypatch.setattr(where, name, wrong)
    truth = {key: Fraction(weight, right.denominator) for key, _, weight in right.weights()}
    assert unlike(read_law(found, 1).law, truth, Fraction(0))


def test_what_numpy_writes_through_a_view_leaves_the_draws_beside_it() -> None:
    def put(n: int, coins: Any) -> Any:
        x = np.array([coins.below(2), 5])
        np.put(x[1:], 0, 7)
        return x

    assert sorted(outcome.tolist() for _, outcome, _ in read_law(put, 1).law.weights()) == [[0, 7], [1, 7]]
