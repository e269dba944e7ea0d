"""Evidence that draws of numpy's generators have the laws of fair coins, and the types that the installed numpy gives.

The truth is the law by all paths of the stand-ins, whose draws are held to numpy's own bits elsewhere; types are those
of numpy itself.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import generator_programs as programs
import numpy as np
import pytest
from oracle import unlike

from dpcert.mechanisms.exact.enumerator import LazyRun, exact_law
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Limits, Settings
from dpcert.mechanisms.exact.outcome import canonical, fresh
from dpcert.reading.explore import read_law
from dpcert.reading.numpy import generators, kinds
from dpcert.reading.paths.routed import routed
from dpcert.reading.replay import replay
from dpcert.targets.taken import taken


def _routed(function: Any) -> Any:
    return routed(function, taken(function, ()))


def _real(function: Any) -> Any:
    """What the function returns with numpy's own generators."""
    takes = taken(function, ())
    kind = {"rng": np.random.default_rng, "state": np.random.RandomState}.get(takes)
    return function(1) if kind is None else function(1, kind())


@pytest.mark.parametrize("program", programs.PROGRAMS, ids=lambda program: program.__name__)
def test_a_law_is_that_of_the_paths_and_numpys_own_draws_are_among_its_outcomes(program: Callable[..., Any]) -> None:
    """So an outcome of another type, shape or layout than numpy's is caught."""
    found = _routed(program)
    law = read_law(found, 1).law
    paths = exact_law(found, 1, Settings(LazyRun, Limits(max_tail=Fraction(1, 1000), max_runs=20_000))).law
    truth = {name: Fraction(weight, paths.denominator) for name, _, weight in paths.weights()}
    assert unlike(law, truth, paths.tail) is None
    assert law.tail < Fraction(1, 10**6)
    outcomes = {canonical(outcome) for _, outcome, _ in law.weights()}
    for _ in range(20):
        assert canonical(fresh(_real(program))) in outcomes
    assert replay(found, 1, count=8) > 0


@pytest.mark.parametrize(("program", "words"), programs.REFUSED.items(), ids=lambda each: getattr(each, "__name__", ""))
def test_what_is_not_followed_is_refused_by_name(program: Callable[..., Any], words: str) -> None:
    with pytest.raises(Unauditable, match=words) as caught:
        read_law(_routed(program), 1)
    assert "internal" not in str(caught.value)


def test_generators_that_modules_hold_are_named_in_the_notes() -> None:
    for program, words in (
        (programs.of_the_module, "the module numpy.random, which its functions share"),
        (programs.of_the_module_that_made_it, "RNG (generator_programs.py, line"),
        (programs.of_an_instance, "rng of the instance generator_programs.HELD"),
    ):
        assert any(words in note for note in read_law(_routed(program), 1).notes)


@pytest.mark.parametrize("kind", kinds.GENERATORS, ids=lambda kind: kind.__name__)
def test_every_method_of_a_generator_is_known(kind: Any) -> None:
    """A method that numpy adds is refused until it is looked at; one that it drops is dropped here."""
    known = {*generators.methods(kind), *generators.NO_DRAWS}
    assert {name for name, value in vars(kind).items() if name[0] != "_" and callable(value)} <= known
