"""Programs that count in loops, as people write them: tests hold their laws, and benchmarks their times."""

from __future__ import annotations

from dpcert.mechanisms.exact.coins import Coins


def kept_tenth(n: int, coins: Coins) -> int:
    """Count who stays, by a loop, with one chance in ten."""
    kept = 0
    for _ in range(n):
        if coins.below(10) == 0:
            kept += 1
    return kept


def kept_loop(n: int, coins: Coins) -> int:
    """Count who stays, by a loop."""
    kept = 0
    for _ in range(n):
        if coins.random() < 0.1:
            kept += 1
    return kept


def kept_sum(n: int, coins: Coins) -> int:
    """Count who stays, by a generator expression."""
    return sum(coins.random() < 0.1 for _ in range(n))


def kept_ones(n: int, coins: Coins) -> int:
    """Count who stays, by ones for those who do."""
    return sum(1 for _ in range(n) if coins.random() < 0.1)


def kept_ones_tenth(n: int, coins: Coins) -> int:
    """Count who stays, by ones for those who do, with one chance in ten."""
    return sum(1 for _ in range(n) if coins.below(10) == 0)


def kept_while(n: int, coins: Coins) -> int:
    """Count who stays, by a while loop."""
    kept = at = 0
    while at < n:
        at += 1
        kept += coins.bernoulli("1/10")
    return kept


def histogram(n: int, coins: Coins) -> list[tuple[int, int]]:
    """Count three values in a dict."""
    seen: dict[int, int] = {}
    for _ in range(n):
        value = coins.below(3)
        seen[value] = seen.get(value, 0) + 1
    return sorted(seen.items())


class Tally:
    """A counter."""

    def __init__(self) -> None:
        self.hits = 0

    def hit(self) -> None:
        """Count one more."""
        self.hits += 1


def tally(n: int, coins: Coins) -> int:
    """Count who stays, in an instance."""
    kept = Tally()
    for _ in range(n):
        if coins.random() < 0.1:
            kept.hit()
    return kept.hits


def walk(n: int, coins: Coins) -> int:
    """Return how far a walk came."""
    place = farthest = 0
    for _ in range(n):
        place += 1 if coins.below(2) else -1
        farthest = max(farthest, place)
    return farthest


def two_sided(n: int, coins: Coins) -> int:
    """Draw two-sided geometric noise by two loops."""
    noise = 0
    while coins.random() < 0.5:
        noise += 1
    while coins.random() < 0.5:
        noise -= 1
    return n + noise
