"""Evidence for arrays of independent elements, by one run of the machine: twins by stand-ins, and caught faults."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from independent_programs import DEPENDENT, INDEPENDENT
from numpy.random import Generator

from dpcert.mechanisms.exact.enumerator import LazyRun
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Limits, Settings
from dpcert.mechanisms.vectors.independent import elements_of
from dpcert.reading.numpy import independent
from dpcert.reading.numpy.independent import elements_by_states
from dpcert.targets.redirecting import routed

BITS = (0, 1, 1)
NOT_READ = {
    "two draws an element": "the element is decided",
    "two thresholds of one draw": "the element is decided",
    "after a certain reduction": "two numbers of one draw are decided",
    "with an exponential": "math.exp decides its argument",
}


def settings() -> Settings:
    return Settings(LazyRun, Limits())


def _program(function: Any) -> Any:
    def program(bits: Any, rng: Any) -> Any:
        return function(bits, rng)

    return routed(program, "rng")


@pytest.mark.parametrize("name", INDEPENDENT)
def test_the_law_is_that_of_the_stand_ins(name: str) -> None:
    program = _program(INDEPENDENT[name])
    found, truth = elements_by_states(program, BITS, settings()), elements_of(program, BITS, settings())
    assert (found is None) == (name in NOT_READ)
    assert truth is None or found is None or found[0] == truth[0]


@pytest.mark.parametrize("name", DEPENDENT)
def test_what_is_not_independent_is_not_read(name: str) -> None:
    assert elements_by_states(_program(DEPENDENT[name]), BITS, settings()) is None


def test_sixteen_bits_and_unary_encoding() -> None:
    def rappor(bits: Any, rng: Generator) -> Any:
        return np.array(bits) ^ (rng.random(len(bits)) < 0.25)

    def unary(k: int, rng: Generator) -> Any:
        hot = np.zeros(64)
        hot[k] = 1
        return (rng.random(64) < np.where(hot == 1, 0.5, 0.25)).astype(int)

    for program, value, size in ((rappor, (1, 0) * 8, 16), (unary, 3, 64)):
        found = elements_by_states(_program(program), value, settings())
        assert found is not None
        assert len(found[0].law) == size
        expected = Fraction(3, 4) if program is rappor else Fraction(1, 4)
        assert found[0].law.parts[0].prob(np.int64(1)) == expected


def test_a_draw_behind_two_elements_or_a_question_is_noticed() -> None:
    def twice(bits: Any, rng: Generator) -> Any:
        u = rng.random(2) < 0.5
        return np.concatenate([u, u[:1]])

    def asked(bits: Any, rng: Generator) -> Any:
        u = rng.random(2) < 0.5
        return u if u[0] else ~u

    def left(bits: list[int], rng: Generator) -> Any:
        KEPT.append(1)
        return rng.random(2) < 0.5

    for program in (twice, asked, left):
        assert elements_by_states(_program(program), BITS, settings()) is None


KEPT: list[int] = []


def test_replays_catch_a_law_of_another_array(monkeypatch: pytest.MonkeyPatch) -> None:
    real = independent._cells
    monkeypatch.setattr(independent, "_cells", lambda number: [(a, b, ~value) for a, b, value in real(number)])
    with pytest.raises(Unauditable, match="when CPython runs it"):
        elements_by_states(_program(INDEPENDENT["truths"]), BITS, settings())
