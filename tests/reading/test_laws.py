"""Evidence that laws of loops are exact: generated loops held to `coins.loop`, discrete noise to its formulas."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import plain_gaussian as plain
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcert.mechanisms.exact.coins import Coins, Done
from dpcert.mechanisms.exact.enumerator import exact_law
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.exact.outcome import key
from dpcert.reading.explore import read_law

STEPS = st.lists(st.tuples(st.integers(2, 4), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=3)


@settings(max_examples=settings.default.max_examples // 2)
@given(steps=STEPS, size=st.integers(2, 5), stop=st.integers(2, 4))
def test_exact_twins_of_generated_loops(steps: list[tuple[int, int, int]], size: int, stop: int) -> None:
    def looped(state: int, coins: Coins) -> int:
        while coins.below(stop):
            for bound, by, other in steps:
                while coins.below(bound) == 0:
                    state = (state + by) % size
                state = (state + other * int(coins.below(2))) % size
        return state

    def merged(x: int, coins: Coins) -> int:
        def inner(step: tuple[int, int, int]) -> Callable[[int, Coins], Any]:
            def once(state: int, c: Coins) -> Any:
                if c.below(step[0]) == 0:
                    return (state + step[1]) % size
                return Done((state + step[2] * int(c.below(2))) % size)

            return once

        def outer(state: int, c: Coins) -> Any:
            if not c.below(stop):
                return Done(state)
            for step in steps:
                state = c.loop(state, inner(step))
            return state

        return coins.loop(x, outer)

    found = read_law(looped, 1).law
    assert found.tail == 0
    assert found == exact_law(merged, 1).law


def prob(law: Law, outcome: Any) -> Fraction:
    weights = {name: weight for name, _, weight in law.weights()}
    return Fraction(weights.get(key(outcome), 0), law.denominator)


def test_a_call_has_the_law_of_its_formula() -> None:
    law = read_law(lambda x, coins: plain.bernoulli_exp(x, coins), Fraction(5, 2)).law
    low, high = Fraction(820849986238987951, 10**19), Fraction(820849986238987952, 10**19)  # exp(-5/2)
    assert law.tail < Fraction(1, 10**25)
    assert low - law.tail <= prob(law, 1) <= high


@pytest.mark.nightly
def test_the_laplace_numbers_of_nested_loops() -> None:
    law = read_law(plain.laplace, 1).law
    assert law.tail < Fraction(1, 10**25)
    assert abs(prob(law, 3) - prob(law, -3)) <= law.tail
    assert abs(prob(law, 2) ** 2 - prob(law, 1) * prob(law, 3)) <= 2 * law.tail


@pytest.mark.nightly
def test_the_discrete_gaussian_as_it_is_written() -> None:
    law = read_law(plain.gaussian, Fraction(1)).law
    assert law.tail < Fraction(1, 10**25)
    assert abs(prob(law, 1) ** 4 - prob(law, 0) ** 3 * prob(law, 2)) <= 10 * law.tail
