"""Evidence that steps of fold, loop and summarize which are no functions of their arguments are refused."""

from collections.abc import Callable
from typing import Any

import pytest

from dpcert import Coins, Dist, Done, summarize
from dpcert.reading.paths.enumerator import enumerate_law

Refusal = Callable[..., str]

TELLS = "is no function of its input and coins"


@pytest.mark.parametrize("flip", [0, 1])
def test_refused_step_that_adds_to_an_outer_set(refusal: Refusal, flip: int) -> None:
    def program(_: None, coins: Coins) -> int:
        kept = set()

        def step(state: int, item: int, inner: Coins) -> int:
            if inner.below(2) == flip:
                kept.add(item)
            return state

        coins.fold(range(3), 0, step)
        return len(kept)

    for reverse in (False, True):
        refusal(program, TELLS, reverse=reverse)


def test_refused_step_that_appends_to_an_outer_list(refusal: Refusal) -> None:
    def program(_: None, coins: Coins) -> int:
        kept: list[int] = []
        coins.fold(range(3), 0, lambda s, item, c: kept.append(item) if c.below(2) else s)
        return len(kept)

    refusal(program, TELLS)


def test_refused_step_with_a_mutable_default(refusal: Refusal) -> None:
    shared: list[int] = []

    def step(state: int, item: int, coins: Coins, memory: list[int] = shared) -> int:
        memory.append(item)
        return len(memory) if coins.below(2) else state

    refusal(lambda _, coins: coins.fold(range(3), 0, step), TELLS)


def test_refused_step_that_changes_its_item(refusal: Refusal) -> None:
    def program(_: None, coins: Coins) -> list[int]:
        item: list[int] = []

        def step(state: list[int], item: list[int], inner: Coins) -> list[int]:
            if not item and inner.below(2) == 0:
                item.append(1)
            return [*state, len(item)]

        return coins.fold([item, item], [], step)

    refusal(program, TELLS)


@pytest.mark.parametrize("swallow", [False, True])
@pytest.mark.parametrize("unlock", [False, True])
def test_refused_step_that_draws_from_the_outer_coins(refusal: Refusal, swallow: bool, unlock: bool) -> None:
    def program(_: None, coins: Coins) -> int:
        def step(state: int, item: int, inner: Coins) -> int:
            try:
                if unlock:
                    coins.fold([0], 0, lambda s, i, c: s)
                return state + coins.below(2)
            except BaseException:
                if not swallow:
                    raise
                return 0

        return coins.fold([1], 0, step)

    refusal(program, "must draw from the coins that it is given")


def test_refused_outer_coins_in_loop_and_summarize(refusal: Refusal) -> None:
    refusal(lambda _, coins: coins.loop(0, lambda s, c: Done(coins.random() < 0.5)), "must draw from the coins")
    refusal(lambda _, coins: summarize(lambda c: coins.below(2))(coins), "must draw from the coins")


def test_refused_coins_kept_from_another_step(refusal: Refusal) -> None:
    def program(_: None, coins: Coins) -> int:
        kept: list[Coins] = []

        def step(state: int, item: int, inner: Coins) -> int:
            kept.append(inner)
            return state + kept[0].below(2)

        return coins.fold(range(2), 0, step)

    refusal(program, "the program kept a draw from an earlier run")


@pytest.mark.parametrize("swallow", [False, True])
def test_refused_draw_kept_from_a_step(refusal: Refusal, swallow: bool) -> None:
    def program(_: None, coins: Coins) -> Any:
        kept: list[Any] = []
        coins.fold([1], 0, lambda s, i, c: kept.append(c.below(4)))
        try:
            return kept[0] < 2
        except BaseException:
            if not swallow:
                raise
            return None

    refusal(program, "the program kept a draw from an earlier run")


@pytest.mark.parametrize("state", [object(), lambda: 0, iter(())])
def test_refused_states_that_are_no_outcomes(refusal: Refusal, state: object) -> None:
    refusal(lambda _, coins: coins.fold([1], state, lambda s, i, c: s), "not in the registry")
    refusal(lambda _, coins: coins.fold([1], 0, lambda s, i, c: state), "not in the registry")
    refusal(lambda _, coins: summarize(lambda c: state)(coins), "not in the registry")


def test_a_step_that_decides_many_draws_from_outside_is_followed_level_by_level() -> None:
    def program(_: None, coins: Coins) -> int:
        outer = [coins.below(2) for _ in range(5)]
        return coins.fold([None], 0, lambda state, item, inner: sum(bit == 1 for bit in outer))

    assert enumerate_law(program, None, merge=False).law == Dist.binomial(5, "1/2")
