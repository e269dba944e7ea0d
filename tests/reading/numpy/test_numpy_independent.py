"""Evidence for arrays of independent elements, by one run of the machine: twins by paths and states, caught faults."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from independent_programs import DEPENDENT, INDEPENDENT
from numpy.random import Generator

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.enumerator import LazyRun
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.exact.explore import Limits, Settings
from dpcert.reading.numpy import independent
from dpcert.reading.numpy.factored import Factored
from dpcert.reading.numpy.independent import Elements, elements_by_states
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.reading.paths.routed import routed

BITS = (0, 1, 1)
NOT_READ = {
    "after a certain reduction": "two numbers of one draw are decided",
}


def settings() -> Settings:
    return Settings(LazyRun, Limits())


def _program(function: Any) -> Any:
    def program(bits: Any, rng: Any) -> Any:
        return function(bits, rng)

    return routed(program, "rng")


@pytest.mark.parametrize("name", INDEPENDENT)
def test_the_law_is_that_of_the_whole(name: str) -> None:
    program = _program(INDEPENDENT[name])
    found = elements_by_states(program, BITS, settings())
    assert (found is None) == (name in NOT_READ)
    if found is not None:
        whole = enumerate_law(program, BITS).law
        assert not whole.tail_weight
        assert whole == found[0].law.expand().map(lambda row: np.array(row, found[0].dtype).reshape(found[0].shape))


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

    def twice(bits: Any, rng: Generator) -> Any:
        """A permanent response, of which an instantaneous one is sent."""
        u = rng.random(16)
        kept = np.where(u < 0.25, 1, np.where(u < 0.5, 0, np.array(bits)))
        return (rng.random(16) < np.where(kept == 1, 0.75, 0.5)).astype(int)

    for program, value, size, expected in (
        (rappor, (1, 0) * 8, 16, Fraction(3, 4)),
        (unary, 3, 64, Fraction(1, 4)),
        (twice, (1, 0) * 8, 16, Fraction(3, 4) * Fraction(3, 4) + Fraction(1, 4) * Fraction(1, 2)),
    ):
        found = elements_by_states(_program(program), value, settings())
        assert found is not None
        assert len(found[0].law) == size
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
    monkeypatch.setattr(independent, "_cells", lambda m, each: [(box, ~value) for box, value in real(m, each)])
    with pytest.raises(Unauditable, match="when CPython runs it"):
        elements_by_states(_program(INDEPENDENT["truths"]), BITS, settings())


@pytest.mark.parametrize(
    "what",
    [
        lambda mask, rng: bool(mask[0]),  # a decision
        lambda mask, rng: mask.sum(),
        lambda mask, rng: mask.setflags(),  # what is refused
        lambda mask, rng: rng.permutation(3),
    ],
)
def test_refused_program_that_swallows_the_end_of_its_run(what: Any) -> None:
    def program(bits: Any, rng: Any) -> Any:
        mask = rng.random(3) < 0.25
        try:
            what(mask, rng)
        except BaseException:
            return ~mask
        return mask

    assert elements_by_states(_program(program), BITS, settings()) is None


def test_dtypes_and_shapes_are_told_apart() -> None:
    dtypes = map(np.dtype, ("l", "q", ">i8", "d"))
    kinds = {Elements(dtype, shape, Factored(())).kind for dtype in dtypes for shape in [(), (2,), (2, 1)]}
    assert len(kinds) == 12


def test_caught_elements_that_are_one_plain_number() -> None:
    nans = np.array([0x7F800001, 0x7FC00001], np.uint32).view(np.float32)
    found = Elements(np.dtype(np.float32), (1,), Factored((Dist.uniform(list(nans)),)))
    assert len(found.law.parts[0]) == 2
    with pytest.raises(AssertionError, match="one plain number"):
        found.alone(0)


def _elements(name: str) -> Elements:
    found = elements_by_states(_program(INDEPENDENT[name]), BITS, settings())
    assert found is not None
    return found[0]


def test_elements_are_named_by_index() -> None:
    found = _elements("of two axes")
    assert found.index(2) == (1, 0)
    law = found.at([0, 3], limit=4)
    assert law.prob({(0, 0): True, (1, 1): False}) == found.law.parts[0].prob(np.True_) * found.law.parts[3].prob(
        np.False_
    )
    assert found.of_event([{(0, 0): True, (1, 1): False}], limit=4) == law
    for outcomes in ([], [{}], [{(0, 2): True}], [{(0, 0): True}, {(1, 1): True}], [np.zeros(3)]):
        assert found.of_event(outcomes, limit=4) is None


def test_outcomes_are_possible_by_dtype_shape_and_elements() -> None:
    found = _elements("some assigned")
    assert found.possible(np.array([0, 1, 1]))
    for other in (np.array([0, 0, 1]), np.array([0, 1, 2]), np.array([[0, 1, 1]]), np.array([0.0, 1, 1]), [0, 1, 1]):
        assert not found.possible(other)
    assert not found.possible(np.array([0, 1, 1]).astype(np.longlong))
