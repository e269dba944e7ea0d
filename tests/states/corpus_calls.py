"""Programs as people write them, with calls that a reading may ask as one question, or must not."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.exact.coins import Coins


def heads(n: int, coins: Coins, *, bias: Fraction = Fraction(1, 3)) -> int:
    count = 0
    for _ in range(n):
        count += int(coins.bernoulli(bias))
    return count


def pair(n: int, coins: Coins) -> tuple[bool, int]:
    some = heads(n, coins)
    while some > 1:
        some -= 1
    return some == 1, n


def fill(parts: list[int], coins: Coins) -> int:
    for _ in range(2):
        parts.append(coins.below(2))
    return len(parts)


def listed(n: int, coins: Coins) -> list[int]:
    parts = []
    for _ in range(n):
        parts.append(coins.below(2))
    return parts


def fails(n: int, coins: Coins) -> int:
    for _ in range(n):
        if coins.below(3) == 0:
            raise ValueError("none left")
    return n


def undecided(n: int, coins: Coins) -> int:
    draw = 0
    for _ in range(n):
        draw = coins.below(1 << 40)
    return draw


def shares(n: int, first: list[int], second: list[int], coins: Coins) -> int:
    for _ in range(n):
        first.append(1)
        same = len(second) > 1
        first.pop()
        if same and coins.below(2):
            return 1
    return coins.below(3)


def consumes(draws: Iterator[int], n: int, coins: Coins) -> int:
    total = coins.below(2)
    for _ in range(n):
        total += next(draws, 0)
    return total


def applies(function: Callable[[int], int], n: int, coins: Coins) -> int:
    total = 0
    for i in range(n):
        total += function(i) * coins.below(2)
    return total


def deep(n: int, coins: Coins) -> int:
    total = 0
    for _ in range(2):
        if n and coins.below(2):
            total += deep(n - 1, coins)
        else:
            total += 1
    return total


def normal(n: int, coins: Coins) -> bool:
    for _ in range(n):
        coins.below(2)
    return coins.gauss_next is None


class Counter:
    """A counter with a method that leaves it as it is, and one that does not."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.count = 0

    def draw(self, coins: Coins) -> int:
        count = 0
        while count < self.limit and coins.below(2):
            count += 1
        return count

    def step(self, coins: Coins) -> int:
        for _ in range(self.limit):
            self.count += coins.below(2)
        return self.count


def called_twice(n: int, coins: Coins) -> int:
    return heads(n, coins) - heads(n, coins)


def called_by_name(n: int, coins: Coins) -> int:
    return heads(n=n, coins=coins, bias=Fraction(1, 2)) + heads(n, coins)


def called_in_a_loop(n: int, coins: Coins) -> int:
    total = 0
    for i in range(n):
        total += heads(i, coins)
    return total


def called_within_calls(n: int, coins: Coins) -> list[Any]:
    return [pair(n, coins) for _ in range(2)]


def called_on_a_list_that_grows(n: int, coins: Coins) -> list[int]:
    parts: list[int] = []
    for _ in range(n - 1):
        fill(parts, coins)
    return parts


def called_for_lists(n: int, coins: Coins) -> int:
    first = listed(n, coins)
    first.append(1)
    return sum(first) + sum(listed(n, coins))


def called_and_raising(n: int, coins: Coins) -> int:
    try:
        return fails(n, coins)
    except ValueError:
        return heads(n, coins)


def called_for_an_undecided_draw(n: int, coins: Coins) -> bool:
    return undecided(n, coins) < 1 << 39


def called_with_an_undecided_draw(n: int, coins: Coins) -> bool:
    draw = coins.below(1 << 40)
    return heads(1 if draw > n else 2, coins) > 0 and draw < 1 << 39


def called_on_one_list_twice(n: int, coins: Coins) -> int:
    parts = [1]
    return 10 * shares(n, parts, parts, coins) + shares(n, parts, [1], coins)


def called_on_an_iterator(n: int, coins: Coins) -> int:
    draws = iter([1, 2, 3, 4])
    return 10 * consumes(draws, 2, coins) + consumes(draws, 2, coins)


def called_with_functions(n: int, coins: Coins) -> int:
    factor = 1 + coins.below(2)
    return applies(lambda i: i * factor, n, coins) + applies(functools.partial(pow, 2), n, coins)


def called_by_itself(n: int, coins: Coins) -> int:
    return deep(n - 1, coins)


def called_between_normal_draws(n: int, coins: Coins) -> int:
    before = normal(n, coins)
    coins.gauss_next = 1.5 if coins.below(2) else None
    return 2 * before + normal(n, coins)


def called_as_methods(n: int, coins: Coins) -> list[int]:
    counter = Counter(n)
    return [counter.draw(coins), counter.step(coins), counter.draw(coins), counter.count]


def called_while_an_error_is_handled(n: int, coins: Coins) -> int:
    try:
        raise ValueError(n)
    except ValueError:
        return heads(n, coins)
