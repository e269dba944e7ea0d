"""Evidence that laws are exact: generated loops held to `coins.loop`, noise to its formulas, changes to subsets."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import plain_gaussian as plain
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins, Done
from dpcert.mechanisms.exact.enumerator import exact_law
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.exact.outcome import key
from dpcert.reading import imports
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


@pytest.mark.parametrize(
    "see",
    [
        lambda u: u >> 62,
        lambda u: (u << 1) // (1 << 63),
        lambda u: u % (1 << 62) // (1 << 60),
        lambda u: (u & (1 << 62) - 1) // (1 << 60),
    ],
)
def test_bits_of_a_draw_of_many_bits_are_followed(see: Callable[[Any], Any]) -> None:
    assert read_law(lambda n, coins: int(see(coins.below(1 << 64))), None).law == Dist.uniform(4)


def test_an_attribute_whose_getter_asks_is_asked_for_again() -> None:
    def program(n: int, coins: Coins) -> Any:
        drawn = coins.below(3)

        class Getting:
            told = property(functools.partial({0: 0, 1: 1, 2: 2}.get, drawn))

        return n, Getting().told

    assert read_law(program, 7).law == Dist.uniform([(7, drawn) for drawn in range(3)])


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


class Tally:
    def __init__(self) -> None:
        self.count = 7


ROW, PAIRS, SEEN, LAST, TALLY, NESTED = [7], {7: 7}, {7}, deque([7], 9), Tally(), [[7]]


def changes_what_was_there(n: int, coins: Coins) -> Any:
    for place in range(n):
        if coins.below(2):
            ROW.append(place)
            PAIRS[place] = place
            SEEN.add(place)
            LAST.append(place)
            TALLY.count += 1 << place
            NESTED[0].append(place)
    return ROW, PAIRS, sorted(SEEN), list(LAST), TALLY.count, NESTED


def law_of_changes() -> bool:
    """Whether the law of three draws is that of all subsets, and no object of the host is changed."""
    law = read_law(changes_what_was_there, 3).law
    rows = [[7, *(place for place in range(3) if chosen >> place & 1)] for chosen in range(8)]
    wanted = [(row, {each: each for each in row}, sorted(row), row, 7 + i, [row]) for i, row in enumerate(rows)]
    assert (ROW, PAIRS, SEEN, [*LAST], TALLY.count, NESTED) == ([7], {7: 7}, {7}, [7], 7, [[7]])
    return law.tail == 0 and all(prob(law, each) == Fraction(1, 8) for each in wanted)


def test_states_that_change_what_was_there_have_each_their_own() -> None:
    assert law_of_changes()


def test_caught_content_that_states_share_with_records_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "_holds_no_record", lambda value: True)
    assert not law_of_changes()
