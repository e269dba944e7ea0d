"""Programs whose states differ only in functions and generators that they made: the law of their paths, or none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpcert.mechanisms.exact.coins import Coins


def wait(coins: Coins) -> None:
    while coins.below(2):
        pass


def in_a_count_that_two_functions_share(x: Any, coins: Coins) -> Any:
    count = 0

    def bump() -> None:
        nonlocal count
        count += 1

    def peek() -> int:
        return count

    for _ in range(3):
        if coins.below(2):
            bump()
    return peek()


def in_a_count_whose_function_returned(x: Any, coins: Coins) -> Any:
    def counter() -> tuple[Callable[[], None], Callable[[], int]]:
        count = 0

        def bump() -> None:
            nonlocal count
            count += 1

        return bump, lambda: count

    bump, peek = counter()
    for _ in range(3):
        if coins.below(2):
            bump()
    return peek()


def in_two_names_of_one_generator(x: Any, coins: Coins) -> Any:
    one = (each + coins.below(1) for each in range(4))
    two = (each + coins.below(1) for each in range(4))
    next(one), next(two)
    if coins.below(2):
        two = one
    wait(coins)
    next(one)
    return next(two)


def in_an_iterator_that_a_generator_shares(x: Any, coins: Coins) -> Any:
    items = iter(range(6))
    odd = (each for each in items if coins.below(3))
    first = next(odd)
    other = items if coins.below(2) else iter(range(first + 1, 6))
    wait(coins)
    return next(odd), next(other)


def in_two_names_of_one_function(x: Any, coins: Coins) -> Any:
    def make() -> Callable[[], int]:
        def one() -> int:
            return 1

        return one

    f, g = make(), make()
    if coins.below(2):
        g = f
    wait(coins)
    return f is g


def in_an_attribute_of_a_function_made(x: Any, coins: Coins) -> Any:
    def step() -> int:
        return 1

    if coins.below(2):
        vars_of: Any = step
        vars_of.count = 5
    wait(coins)
    return getattr(step, "count", 0)


def in_an_attribute_set_later(x: Any, coins: Coins) -> Any:
    def step() -> int:
        return 1

    other: Any = step
    for _ in range(2):
        if coins.below(2):
            other.count = 5
        wait(coins)
    return getattr(step, "count", 0)


def in_a_name_that_is_assigned_again(x: Any, coins: Coins) -> Any:
    p = 0.25

    def stays() -> bool:
        return coins.random() < p

    kept = 0
    for _ in range(3):
        kept += stays()
        p = 0.5 if kept else 0.75
    return kept


def in_the_type_of_what_is_held(x: Any, coins: Coins) -> Any:
    held = True if coins.below(2) else 1

    def show() -> str:
        return repr(held)

    wait(coins)
    return show()


def in_the_sign_of_what_is_held(x: Any, coins: Coins) -> Any:
    held = 0.0 if coins.below(2) else -0.0

    def show() -> str:
        return repr(held)

    wait(coins)
    return show()


def in_what_is_held_but_set_later(x: Any, coins: Coins) -> Any:
    def show() -> int:
        return late

    if coins.below(2):
        late = 1
    wait(coins)
    try:
        return show()
    except NameError:
        late = 2
        return show(), "late"


def in_a_default_of_a_function_made(x: Any, coins: Coins) -> Any:
    def make(by: int) -> Callable[..., int]:
        def step(n: int = by, *, more: int = by) -> int:
            return n + more

        return step

    step = make(1) if coins.below(2) else make(2)
    wait(coins)
    return step()


def in_which_function_was_made(x: Any, coins: Coins) -> Any:
    step = (lambda: 1) if coins.below(2) else (lambda: 2)
    wait(coins)
    return step()


def in_how_far_a_generator_is(x: Any, coins: Coins) -> Any:
    items = (each + coins.below(1) for each in range(4))
    next(items)
    while coins.below(2):
        if next(items, None) is None:
            return "over"
    return next(items, None)


def in_a_generator_that_has_not_begun(x: Any, coins: Coins) -> Any:
    items = (each + coins.below(1) for each in range(3))
    if coins.below(2):
        next(items)
    wait(coins)
    return next(items)


def of_a_variable_that_may_be_unset(x: Any, coins: Coins) -> Any:
    for i in range(3):
        if coins.below(2):
            shown = i
            if shown == 2 and coins.below(2):
                return "end"
    try:
        return shown
    except UnboundLocalError:
        return "unset"


def of_draws_that_a_caller_keeps(x: Any, coins: Coins) -> Any:
    def more(n: int) -> int:
        for _ in range(2):
            n += coins.random() < 0.5
        return n

    kept = coins.below(2)
    if kept:
        return more(1) + kept
    return more(0) + kept


def of_generators_within_generators(x: Any, coins: Coins) -> Any:
    few = (coins.random() < 0.25 for _ in range(4))
    return sum(each and coins.random() < 0.5 for each in few)
