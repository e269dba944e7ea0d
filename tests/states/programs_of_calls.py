"""Programs with calls that change what they are given: each must have its right law, or be refused."""

from __future__ import annotations

from typing import Any

from programs import Program

from dpcert.mechanisms.exact.coins import Coins


def spoiled(x: Any, coins: Coins) -> Any:
    kept = [0]

    def coin(into: list[int]) -> bool:
        while coins.below(3) == 0:
            into[0] = (into[0] + 1) % 3
        return bool(coins.below(2))

    while coin(kept):
        pass
    return kept[0]


def shared(x: Any, coins: Coins) -> Any:
    kept = [0]
    while flip(kept, coins):
        pass
    return kept[0]


def flip(into: list[int], coins: Coins) -> bool:
    while coins.below(3) == 0:
        into[0] = (into[0] + 1) % 3
    return bool(coins.below(2))


def counted_down(n: Any, coins: Coins) -> int:
    while n > 1:
        n -= 1
        while coins.below(3) == 0:
            pass
        if coins.below(2):
            return n
    return 0


def assigned(x: Any, coins: Coins) -> Any:
    """Its calls assign to what they were given before they draw, and are given other numbers each."""
    n = 4
    while coins.below(2):
        n = 7 - n
    first = counted_down(n, coins)
    second = counted_down(n - 1, coins)
    return first, second


def assigned_to_a_list(x: Any, coins: Coins) -> Any:
    log: list[int] = []

    def down(n: int, coins: Coins, into: list[int]) -> int:
        n -= 1
        into.append(n)
        while coins.below(2):
            into[0] += 1
        return n

    down(3, coins, log)
    down(2, coins, log)
    return min(log[0], 5), log[1]


def assigned_and_asked(x: Any, coins: Coins) -> Any:
    """What the call was given is still there, under another name."""

    def down(n: int, coins: Coins) -> int:
        kept = n
        n = 0
        while coins.below(2):
            n = (n + 1) % 3
        return 10 * kept + n

    first = down(1 + int(coins.below(2)), coins)
    second = down(first % 2, coins)
    return first, second


def deleted(x: Any, coins: Coins) -> Any:
    def down(n: int, coins: Coins) -> int:
        m = n + 1
        del n
        while coins.below(2):
            m = (m + 1) % 3
        return m

    first = down(0, coins)
    return first, down(first, coins)


TRAPS: tuple[Program, ...] = (spoiled, shared, assigned, assigned_to_a_list, assigned_and_asked, deleted)
