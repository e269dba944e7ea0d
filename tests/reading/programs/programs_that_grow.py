"""Programs whose states are as many as their paths, for a variable that differs from one to the other."""

from __future__ import annotations

from dpcert.mechanisms.exact.coins import Coins


def grows_list(n: int, coins: Coins) -> int:
    seen: list[int] = []
    for i in range(n):
        if coins.random() < 0.5:
            seen.append(i)
    return len(seen)


def grows_set(n: int, coins: Coins) -> int:
    seen = set()
    for i in range(n):
        if coins.random() < 0.5:
            seen.add(i)
    return len(seen)


def grows_dict(n: int, coins: Coins) -> int:
    seen = {}
    for i in range(n):
        seen[i] = coins.random() < 0.5
    return sum(seen.values())


class Holder:
    """Keeps in an attribute what it has seen."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def take(self, i: int, coins: Coins) -> None:
        for _ in range(1):
            if coins.random() < 0.5:
                self.seen.append(i)


def grows_attribute(n: int, coins: Coins) -> int:
    holder = Holder()
    for i in range(n):
        holder.take(i, coins)
    return len(holder.seen)


def grows_float(n: int, coins: Coins) -> bool:
    total = 0.0
    for i in range(n):
        if coins.random() < 0.5:
            total += 1 / (i + 2)
    return total > 1


def product(n: int, coins: Coins) -> int:
    total = 1
    for _ in range(n):
        total = total * (2 + int(coins.below(2)))
    return total
