"""Programs as people write them, and some that keep state out of sight: the law of their paths, or none."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dpcert.mechanisms.exact.coins import Coins


def greater(x: int, y: int) -> str:
    return "first" if x > y else "second" if y > x else "tie"


def counted(coins: Coins, bound: int) -> int:
    k = 0
    while not coins.below(bound):
        k += 1
    return k


def comprehensions(n: int, coins: Coins) -> Any:
    listed = [i for i in range(n) if coins.below(2)]
    keyed = {i: int(coins.below(2)) for i in range(2)}
    pairs = [(i, j) for i in range(2) for j in range(i + 1) if coins.below(3) == 0]
    return len(listed), sum(keyed.values()), len(pairs)


def expressions(n: int, coins: Coins) -> Any:
    def one(x: int) -> int:
        for _ in range(1):
            x += coins.below(2)
        return x

    table = {0: "low", 1: "high"}
    values = [one(0), *[one(1)], one(0) if n > 1 else one(5)]
    chained = 0 <= one(0) < one(1) <= 2
    either = one(0) or (one(0) and one(1))
    (found := one(0))
    text = f"{one(0)}:{found!r:>2}"
    return tuple(values), chained, either, table[one(0)], text, -one(0), [10, 20, 30][one(0) : one(1) + 1]


class Pair(NamedTuple):
    """Two numbers."""

    left: int
    right: int


@dataclass
class Tally:
    """Counts with a method that draws."""

    counts: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, coins: Coins) -> None:
        for _ in range(2):
            self.counts[name] = self.counts.get(name, 0) + int(coins.bernoulli("1/3"))


def named(n: int, coins: Coins) -> Any:
    pair = Pair(0, 0)
    for _ in range(n):
        pair = pair._replace(left=pair.left + int(coins.below(2)))
    return pair.left, pair.right


def assignments(n: int, coins: Coins) -> Any:
    def one(x: int) -> int:
        while x < 1 and coins.below(2):
            x += 1
        return x

    values = [0, 0, 0]
    values[one(0)] += one(0) + 1
    first, *rest = one(0), 5, one(0)
    thing = Tally()
    thing.counts["a"] = one(0)
    thing.counts["a"] += one(0)
    del values[one(0)]
    assert one(0) < 2, f"never {n}"
    return tuple(values), first, tuple(rest), thing.counts["a"]


def shuffled(n: int, coins: Coins) -> Any:
    items = [1, 2, 3]
    coins.shuffle(items)
    return tuple(items), coins.choice("ab")


def extended(n: int, coins: Coins) -> int:
    parts = [0]
    parts.extend(int(coins.below(2)) for _ in range(n))
    return sum(parts)


def accumulated(n: int, coins: Coins) -> tuple[int, int]:
    walk = itertools.accumulate((2 * int(coins.below(2)) - 1 for _ in range(n)), initial=0)
    *_, last = itertools.accumulate([0] * n, lambda total, _: min(total + int(coins.below(2)), 2))
    return max(walk), last


@contextmanager
def _within(n: int) -> Iterator[int]:
    yield n


def within_a_context(n: int, coins: Coins) -> int:
    total = 0
    with _within(n) as count:
        for _ in range(count):
            total += int(coins.below(2))
    return total


def heads(n: int, coins: Coins, *, bias: Fraction = Fraction(1, 3)) -> int:
    count = 0
    for _ in range(n):
        count += int(coins.bernoulli(bias))
    return count


def undecided(n: int, coins: Coins) -> int:
    draw = 0
    for _ in range(n):
        draw = coins.below(1 << 40)
    return draw


def normal(n: int, coins: Coins) -> bool:
    for _ in range(n):
        coins.below(2)
    return coins.gauss_next is None


def called_between_normal_draws(n: int, coins: Coins) -> int:
    before = normal(n, coins)
    coins.gauss_next = 1.5 if coins.below(2) else None
    return 2 * before + normal(n, coins)


def recursive(x: Any, coins: Coins) -> Any:
    return min(deeper(coins), 4)


def deeper(coins: Coins) -> int:
    return deeper(coins) + 1 if coins.below(2) else 0


class Thrown:
    def __init__(self, log: list[int]) -> None:
        self.log = log

    def __del__(self) -> None:
        self.log.append(1)


def thrown(x: Any, coins: Coins) -> Any:
    log: list[int] = []
    it: Any = Thrown(log)
    while coins.below(2):
        it = Thrown(log)
    del it
    return min(len(log), 3)


class Noisy:
    def __init__(self, coins: Coins) -> None:
        self.coins = coins
        self.calls = 0

    def coin(self) -> bool:
        self.calls = (self.calls + 1) % 4
        while self.coins.below(3) == 0:
            self.calls = (self.calls + 2) % 4
        return bool(self.coins.below(2))


def of_object(x: Any, coins: Coins) -> Any:
    noisy = Noisy(coins)
    while noisy.coin():
        pass
    return noisy.calls


def in_a_key(n: int, coins: Coins) -> str:
    def geometric() -> int:
        k = 0
        while not coins.below(2):
            k += 1
        return k

    counts = {"first": 1, "second": 1}
    return max(counts, key=lambda name: counts[name] + geometric() - geometric())


class Noise:
    def __init__(self, coins: Coins, bound: int) -> None:
        self.coins = coins
        self.bound = bound
        self.log: list[int] = []

    def draw(self) -> int:
        k = 0
        while not self.coins.below(self.bound + len(self.log)):
            k += 1
        return k

    def warm(self) -> int:
        k = 0
        while not self.coins.below(self.bound):
            k += 1
        self.bound += 1
        return k

    def noted(self) -> int:
        k = 0
        while not self.coins.below(self.bound + len(self.log)):
            k += 1
        self.log.append(k)
        return k


@dataclass
class Settings:
    coins: Coins
    bound: int

    def __call__(self) -> int:
        return counted(self.coins, self.bound)


def attribute_of_two(n: int, coins: Coins) -> str:
    first, second = Noise(coins, 2), Noise(coins, 2)
    second.log = first.log
    x = second.draw()
    first.log += [0, 0]
    return greater(x, second.draw())


LIMIT = 5
POLYNOMIAL: Any = np.poly1d([1.0, 2.0])


class Meta(type):
    """A class of classes with a list."""

    log: ClassVar[list[int]] = []


class Logged(metaclass=Meta):
    """A class whose class keeps a list."""


def in_a_class_of_a_class(x: Any, coins: Coins) -> Any:
    Logged.log.clear()
    while coins.below(2):
        Logged.log.append(1)
    return len(Logged.log) >= LIMIT


def in_a_polynomial(x: Any, coins: Coins) -> Any:
    POLYNOMIAL.coeffs[0] = 0.0
    while coins.below(2):
        POLYNOMIAL.coeffs[0] += 1.0
    return bool(POLYNOMIAL.coeffs[0] >= LIMIT)


PROGRAMS: dict[str, Any] = {
    "set_comprehension": lambda n, coins: len({coins.below(2) + 0 for _ in range(n)}),
    "mixed_sum": lambda n, coins: sum((0.5 if coins.below(2) else 1) for _ in range(n)),
    "called_by_name": lambda n, coins: heads(n=n, coins=coins, bias=Fraction(1, 2)) + heads(n, coins),
    "called_instances": lambda n, coins: greater(Settings(coins, 2)(), Settings(coins, 4)()),
}
