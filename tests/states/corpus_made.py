"""Programs with functions and generators that they make themselves, all of whose states are of plain values."""

from __future__ import annotations

from collections.abc import Iterator

from dpcert.mechanisms.exact.coins import Coins


def summed(n: int, coins: Coins) -> int:
    return sum(coins.random() < 0.1 for _ in range(n))


def summed_with_a_name(n: int, coins: Coins) -> int:
    p = 0.25
    return 2 * sum(coins.random() < p for _ in range(n) if n > 1)


def summed_later(n: int, coins: Coins) -> int:
    p = 0.25
    draws = (coins.random() < p for _ in range(n))
    first = next(draws)
    return 10 * first + sum(draws)


def summed_over_calls(n: int, coins: Coins) -> int:
    p = 0.25

    def stays() -> bool:
        return coins.random() < p

    return sum(stays() for _ in range(n))


def summed_within_a_function(n: int, coins: Coins) -> int:
    def kept(p: float) -> int:
        found = 0
        for _ in range(n):
            found += coins.random() < p
        return found

    return kept(0.25) + 10 * kept(0.5)


def asked_of_all(n: int, coins: Coins) -> tuple[bool, bool]:
    limit = 3
    some = any(coins.below(4) == limit for _ in range(n))
    return some, all(coins.below(4) < limit for _ in range(n))


def greatest(n: int, coins: Coins) -> tuple[int, int]:
    return max(int(coins.below(3)) for _ in range(n)), min(int(coins.below(3)) for _ in range(n))


def yielded(n: int, coins: Coins) -> int:
    def draws(p: float) -> Iterator[bool]:
        for _ in range(n):
            yield coins.random() < p

    return sum(draws(0.25)) - sum(draws(0.5))
