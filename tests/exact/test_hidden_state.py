"""Evidence that programs which want a false law are refused: state between runs, wrong numbers."""

import functools
import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from dpcert import Coins, Dist, Unauditable
from dpcert.reading.paths.enumerator import Limits, enumerate_law

from .tricks import SWALLOWS, Refusal, Twin, is_lazy, leave

Law = Callable[..., Dist]
NO_FUNCTION = "no function of its input and coins"
KEPT = "the program kept a draw from an earlier run"


def test_refused_hidden_counters(refusal: Refusal) -> None:
    for period in (2, 3, 5):
        counter = itertools.count()

        def program(_: None, coins: Coins, counter: Any = counter, period: int = period) -> bool:
            return coins.below(2) == 0 and next(counter) % period == 0

        refusal(program, NO_FUNCTION)


@pytest.mark.parametrize("ask", [lambda u, n: u < 5 + n, lambda u, n: n == 0 and u < 5])
@pytest.mark.parametrize("replay", [False, True])
def test_refused_counter_that_asks_other_questions(
    refusal: Refusal, ask: Callable[[Any, int], bool], replay: bool
) -> None:
    counter = itertools.count()

    def program(_: None, coins: Coins) -> int:
        return 7 + 0 * bool(ask(coins.below(10**6), next(counter)))

    refusal(program, "function of its input and coins: run again, it met other decisions", replay=replay)


def test_refused_counter_of_draws(refusal: Refusal) -> None:
    counter = itertools.count()

    def program(_: None, coins: Coins) -> int:
        for _ in range(next(counter)):
            coins.below(2)
        return 0

    refusal(program, "function of its input and coins: run again, it drew")


def test_a_memory_of_the_first_outcome_shows_in_reverse_order() -> None:
    def digest(reverse: bool) -> str:
        memory: list[bool] = []

        def program(_: None, coins: Coins) -> bool:
            memory.append(coins.below(10) < 5)
            return memory[0]

        return enumerate_law(program, None, reverse=reverse).law.digest()

    assert digest(False) != digest(True)


def test_a_memory_of_the_first_input_shows_in_reverse_order() -> None:
    def laws(values: list[int]) -> dict[int, str]:
        memory: list[int] = []

        def program(value: int, coins: Coins) -> int:
            memory.append(value)
            return coins.below(2) + memory[0]

        return {value: enumerate_law(program, value).law.digest() for value in values}

    assert laws([0, 1]) != laws([1, 0])


@pytest.mark.points(13)
@pytest.mark.parametrize("swallow", SWALLOWS, ids=lambda swallow: swallow.__name__)
@pytest.mark.parametrize("kind", ["draw", "float", "coins"])
def test_refused_draws_and_coins_kept_from_an_earlier_run(
    refusal: Refusal, swallow: Callable[[Callable[[], object]], object], kind: str
) -> None:
    kept: list[Any] = []

    def program(_: None, coins: Coins) -> bool:
        u = coins.below(10**9)
        kept.append({"draw": u, "float": u / 8, "coins": coins}[kind])
        if len(kept) > 1:
            swallow(lambda: kept[0].below(2) if kind == "coins" else kept[0] < 10**6)
        return u < 5

    refusal(program, "" if swallow is leave else KEPT)


def test_refused_draw_kept_from_another_enumeration(refusal: Refusal) -> None:
    kept: list[Any] = []

    def program(_: None, coins: Coins) -> bool:
        return kept[0] < 5

    with pytest.raises(Unauditable):
        enumerate_law(lambda _, coins: kept.append(coins.below(10**9)) or object(), 0)
    refusal(program, KEPT)


def test_refused_what_ended_an_earlier_run_and_is_raised_again(refusal: Refusal) -> None:
    kept: list[BaseException] = []

    def program(_: None, coins: Coins) -> int:
        if kept:
            raise kept[0]
        k = 0
        try:
            while coins.below(2):
                k += 1
        except BaseException as signal:
            kept.append(signal)
            raise
        return k

    refusal(program, KEPT)


def test_refused_state_in_a_mutable_default(refusal: Refusal) -> None:
    shared: list[int] = []

    def program(_: None, coins: Coins, seen: list[int] = shared) -> int:
        seen.append(1)
        return len(seen) + coins.below(2)

    refusal(program, NO_FUNCTION)


def test_refused_state_on_the_function_itself(refusal: Refusal) -> None:
    def program(_: None, coins: Coins) -> bool:
        first = not hasattr(program, "ran")
        vars(program)["ran"] = True
        return first and coins.below(2) == 0

    refusal(program, NO_FUNCTION)


def test_a_cache_of_a_pure_function_is_allowed(twin: Twin) -> None:
    @functools.lru_cache
    def square(n: int) -> int:
        return n * n

    twin(lambda _, coins: square(coins.below(4)) + square(coins.below(3)))


def test_refused_address_of_an_object(refusal: Refusal) -> None:
    keep: list[object] = []

    def program(_: None, coins: Coins) -> int:
        keep.append(object())
        return id(keep[-1]) + coins.below(2)

    refusal(program, NO_FUNCTION)


def test_a_changed_draw_changes_no_law(law: Law) -> None:
    """On the machine a draw has no node that a program could change."""

    def program(coins: Coins) -> bool:
        u = coins.below(4)
        if is_lazy(u):
            vars_of(u).lo = 2
        return u < 2

    assert law(program) == Dist.of({True: "1/2", False: "1/2"})


def vars_of(u: Any) -> Any:
    return object.__getattribute__(u, "_node")


def test_never_mass_for_what_was_not_explored() -> None:
    def program(_: None, coins: Coins) -> int:
        try:
            return hash(coins.below(10**30))
        except BaseException:
            return 5

    found = enumerate_law(program, None, limits=Limits(max_runs=10))
    assert (found.law.tail, len(found.law)) == (Fraction(1), 0)
