"""Evidence for chain.py: merged steps inside merged steps, states of every kind, and limits."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcert import Coins, Dist, Done, InputError, seeded_coins, summarize
from dpcert.mechanisms.exact import chain
from dpcert.reading.paths.enumerator import Limits, enumerate_law

from .chains import Table, Twin, tables


@pytest.mark.nightly
@given(tables, st.integers(1, 2))
def test_exact_twin_of_summarize(twin: Twin, table: Table, rounds: int) -> None:
    def walk(coins: Coins, state: int) -> int:
        for _ in range(rounds):
            state = table[state][coins.below(len(table[state]))]
        return state

    def program(_: None, coins: Coins) -> Any:
        first = summarize(walk)(coins, coins.below(2))
        return first, summarize(walk)(coins=coins, state=first)

    twin(program)


def test_summarize_merges_equal_results() -> None:
    def total(coins: Coins) -> int:
        return sum(int(coins.below(2)) for _ in range(8))

    assert enumerate_law(lambda _, coins: total(coins), None).leaves == 256
    merged = enumerate_law(lambda _, coins: summarize(total)(coins), None)
    assert merged.leaves == 9
    assert merged.law == Dist.from_weights([(k, comb(8, k)) for k in range(9)], 256)


def test_summarize_needs_coins_and_keeps_the_name() -> None:
    def named(coins: Coins) -> int:
        """Draw."""
        return coins.below(2)

    assert (summarize(named).__name__, summarize(named).__doc__) == ("named", "Draw.")
    with pytest.raises(InputError, match="called without coins"):
        summarize(named)()


def test_exact_twin_of_merged_steps_inside_merged_steps(twin: Twin) -> None:
    def toss(coins: Coins) -> int:
        return coins.fold(range(2), 0, lambda s, i, c: s + c.below(2)) % 2

    def step(state: int, item: int, coins: Coins) -> int:
        return state + item * summarize(toss)(coins)

    twin(lambda _, coins: coins.fold([1, 2], coins.below(2), step))


def test_exact_twin_of_a_step_that_asks_an_undecided_draw_around_it(twin: Twin) -> None:
    def program(_: None, coins: Coins) -> Any:
        u = coins.below(5)
        found = coins.fold(range(2), 0, lambda s, i, c: s + (c.below(3) < u))
        return found, u > 2

    twin(program)


def test_exact_twin_of_items_that_are_drawn(twin: Twin) -> None:
    def program(_: None, coins: Coins) -> Any:
        items = (coins.below(2) for _ in range(2))
        return coins.fold(items, 0, lambda s, item, c: 4 * s + 2 * item + c.below(2)), coins.fold([], (), print)

    twin(program)


def test_exact_twin_of_steps_that_raise(twin: Twin) -> None:
    def step(state: int, item: int, coins: Coins) -> int:
        if coins.below(3) == item:
            raise ValueError("out", state)
        return state + coins.below(2)

    def program(_: None, coins: Coins) -> Any:
        try:
            return coins.fold(range(3), 0, step)
        except ValueError as error:
            return error.args if coins.below(2) else None

    twin(lambda _, coins: coins.fold(range(3), 0, step))
    twin(program)


class Remembering(Exception):
    """An exception whose arguments do not tell all."""

    seen = 0


def test_exceptions_with_equal_arguments_are_not_merged(twin: Twin) -> None:
    def step(state: int, item: int, coins: Coins) -> int:
        error = Remembering("equal")
        error.seen = int(coins.below(2))
        raise error

    def program(_: None, coins: Coins) -> int:
        try:
            return coins.fold([1], 0, step)
        except Remembering as error:
            return error.seen

    assert twin(program).law == Dist.uniform(2)


def test_shared_parts_of_a_state_are_copied_as_in_production(twin: Twin) -> None:
    def step(state: list[list[int]], item: int, coins: Coins) -> list[list[int]]:
        if item:
            state[0].append(1)
            return state
        part: list[int] = []
        return [part, part] if coins.below(2) else [[], []]

    def program(_: None, coins: Coins) -> Any:
        return coins.fold([0, 1], [], step)

    assert twin(program).law == Dist.point([[1], []])
    assert program(None, seeded_coins(1)) == [[1], []]


def test_exact_twin_of_a_program_that_changes_what_it_was_given(twin: Twin) -> None:
    def program(_: None, coins: Coins) -> list[int]:
        items = coins.fold(range(2), [], lambda s, i, c: [*s, i] if c.below(2) else s)
        items.append(coins.below(3))
        more = coins.loop([], lambda s, c: Done([7]))
        more.append(coins.below(2))
        return items + more

    twin(program)


def test_states_of_a_set_are_walked_in_one_order(twin: Twin) -> None:
    def step(state: set[str], item: str, coins: Coins) -> set[str]:
        return {item, *state} if coins.below(2) else {*state, item}

    twin(lambda _, coins: list(coins.fold(["a", "bb", "ccc"], set(), step)))


def test_a_loop_that_never_ends_stays_in_the_tail() -> None:
    found = enumerate_law(lambda _, coins: coins.loop(0, lambda s, c: s), None)
    assert found.law.tail == 1
    assert "a merged loop did not end within the limits" in found.notes
    half = enumerate_law(lambda _, coins: coins.loop(0, lambda s, c: Done(1) if c.below(2) and not s else 1), None)
    assert half.law == Dist.of({1: "1/2"}, tail="1/2")
    assert "a step of fold, loop or summarize left a tail" in half.notes


def test_a_chain_with_too_many_states_leaves_a_tail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "MAX_STATES", 20)

    def step(state: int, coins: Coins) -> int | Done[int]:
        return state + 1 if coins.below(2) else Done(state)

    laws = [enumerate_law(lambda _, coins: coins.loop(0, step), None, reverse=reverse).law for reverse in (False, True)]
    assert laws[0].digest() == laws[1].digest()
    assert laws[0].tail == Fraction(1, 2 ** len(laws[0]))
    assert all(laws[0].prob(k) == Fraction(1, 2 ** (k + 1)) for k in range(len(laws[0])))


def test_a_fold_with_too_many_states_is_given_up() -> None:
    def step(state: tuple[int, ...], item: int, coins: Coins) -> tuple[int, ...]:
        return (*state, coins.below(2))

    found = enumerate_law(lambda _, coins: coins.fold(range(60), (), step), None, limits=Limits(max_runs=30))
    assert found.law.tail == 1
    assert found.notes[0] == "a fold reached more than 30 states"
    assert "states were not merged: more than 600 states are needed" in found.notes[1]


def test_a_step_with_a_tail_leaves_it_in_the_law() -> None:
    def step(state: int, item: int, coins: Coins) -> int:
        return int(coins.below(1 << 64)) if coins.below(4) == 0 else state + 1

    found = enumerate_law(lambda _, coins: coins.fold(range(2), 0, step), None)
    assert found.law == Dist.of({2: "9/16"}, tail="7/16")


@dataclass
class Walker:
    place: int
    steps: int


def test_exact_twin_with_dataclass_states(twin: Twin) -> None:
    def step(walker: Walker, item: int, coins: Coins) -> Walker:
        walker.place += coins.below(2)
        walker.steps += 1
        return walker

    first = Walker(0, 0)
    twin(lambda _, coins: coins.fold(range(3), first, step))
    assert first == Walker(0, 0)


def test_the_draws_of_merged_steps_are_part_of_the_joint_law() -> None:
    def step(state: int, item: int, coins: Coins) -> int:
        return state + coins.below(2) if coins.below(3) else state

    def program(_: None, coins: Coins) -> int:
        return coins.fold(range(2), 0, step)

    found = enumerate_law(program, None, draws=True)
    plain = enumerate_law(program, None, draws=True, eager=True)
    assert found.law == plain.law
    assert found.law.prob_of(lambda outcome: outcome[1] == (3, 3)) == Fraction(1, 9)


def test_the_same_seed_gives_the_plain_loop() -> None:
    def draws(coins: Coins) -> Iterator[int]:
        state = 0
        for item in range(50):
            state = 3 * state + item + coins.below(7)
            yield state

    for seed in range(5):
        folded = seeded_coins(seed).fold(range(50), 0, lambda s, i, c: 3 * s + i + c.below(7))
        assert folded == list(draws(seeded_coins(seed)))[-1]
        plain = random.Random(seed)
        looped = seeded_coins(seed).loop(0, lambda s, c: Done(s) if c.below(5) == 0 else s + 1)
        expected = 0
        while plain.randrange(5):
            expected += 1
        assert looped == expected
        assert summarize(lambda c: c.below(9))(seeded_coins(seed)) == random.Random(seed).randrange(9)


def test_refused_a_draw_kept_for_a_later_merged_step_by_its_cause(refusal: Callable[..., str]) -> None:
    kept: list[int] = []

    def program(_: None, coins: Coins) -> Any:
        kept.append(coins.below(1))
        return kept[0], coins.fold([1], kept[0], lambda state, item, c: state)

    refusal(program, "a draw kept from another run, as in a global, is hidden state: draw it in each run")
