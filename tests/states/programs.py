"""Programs whose state is partly out of sight: each must have its right law, or be refused."""

from __future__ import annotations

import functools
import itertools
import sys
from collections.abc import Callable, Iterator
from typing import Any

from dpcert.mechanisms.exact.coins import Coins

Program = Callable[[Any, Coins], Any]


def iterated(x: Any, coins: Coins) -> Any:
    kept = []
    for _ in range(3):
        while coins.below(2):
            pass
        kept.append(int(coins.below(2)))
    return tuple(kept)


def generated(x: Any, coins: Coins) -> Any:
    def numbers() -> Iterator[int]:
        n = 0
        while True:
            while coins.below(2):
                n += 1
            yield n

    source = numbers()
    return min(next(source), 2), min(next(source), 3)


def advanced(x: Any, coins: Coins) -> Any:
    count = itertools.count()
    while coins.below(2):
        next(count)
    return min(next(count), 3)


def listed(x: Any, coins: Coins) -> Any:
    n = 0
    while True:
        pair = [n * n, coins.below(2)]
        if pair[1]:
            return min(pair[0], 9)
        n += 1


def added(x: Any, coins: Coins) -> Any:
    n = 0
    while n < 5:
        n = n + coins.below(2) * 1
    return n


def cleaned(x: Any, coins: Coins) -> Any:
    log: list[int] = []
    try:
        while coins.below(2):
            log.append(1)
    finally:
        log.append(0)
    return min(len(log), 4)


class Held:
    def __enter__(self) -> Held:
        self.n = 0
        return self

    def __exit__(self, *args: object) -> None:
        self.n = -1


def held(x: Any, coins: Coins) -> Any:
    with Held() as it:
        while coins.below(2):
            it.n += 1
        return min(it.n, 3)


def ordered(x: Any, coins: Coins) -> Any:
    def weight(item: int) -> int:
        while coins.below(2):
            pass
        return int(coins.below(2))

    return tuple(sorted([1, 2, 3], key=weight))


def mapped(x: Any, coins: Coins) -> Any:
    total = 0

    def one(item: int) -> int:
        nonlocal total
        while coins.below(2):
            total = min(total + 1, 4)
        return total

    return min(sum(map(one, [1, 2])), 4)


def closed(x: Any, coins: Coins) -> Any:
    n = 0

    def more() -> bool:
        nonlocal n
        n += 1
        return bool(coins.below(2))

    while more():
        pass
    return min(n, 4)


def defaulted(x: Any, coins: Coins) -> Any:
    kept: list[int] = []

    def more(seen: list[int] = kept) -> bool:
        seen.append(1)
        return bool(coins.below(2)) and len(seen) < 4

    while more():
        pass
    return len(kept)


class Counter:
    n = 0


def on_class(x: Any, coins: Coins) -> Any:
    Counter.n = 0
    while coins.below(2):
        Counter.n += 1
    return min(Counter.n, 3)


def on_function(x: Any, coins: Coins) -> Any:
    more.n = 0
    while more(coins):
        pass
    return min(more.n, 3)


def _more(coins: Coins) -> bool:
    more.n += 1
    return bool(coins.below(2))


more: Any = _more


STATE = {"n": 0}
N = 0


def in_global(x: Any, coins: Coins) -> Any:
    STATE["n"] = 0
    while coins.below(2):
        STATE["n"] += 1
    return min(STATE["n"], 3)


def bump() -> None:
    STATE["n"] += 1


def in_global_far(x: Any, coins: Coins) -> Any:
    STATE["n"] = 0
    act = globals()["bump"]
    while coins.below(2):
        act()
    return min(STATE["n"], 3)


def in_named_global(x: Any, coins: Coins) -> Any:
    global N
    N = 0
    while coins.below(2):
        N += 1
    return min(N, 3)


def by_address(x: Any, coins: Coins) -> Any:
    kept = [[0]]
    while coins.below(2):
        kept.append([0])
    return id(kept[0]) == id(kept[-1])


def aliased(x: Any, coins: Coins) -> Any:
    a: list[int] = [0]
    b = a
    while True:
        if coins.below(3) == 0:
            b = [a[0]]
        if coins.below(2):
            b[0] = 1
            return a[0]


def evaluated(x: Any, coins: Coins) -> Any:
    n, act = 0, eval
    while coins.below(2):
        n += 1
    return min(act("n"), 3)


def peeked(x: Any, coins: Coins) -> Any:
    n = 0
    while coins.below(2):
        n += 1
    return look()


def look() -> int:
    return min(sys._getframe(1).f_locals["n"], 3)


def local(x: Any, coins: Coins) -> Any:
    n = 0
    while coins.below(2):
        n += 1
    return min(locals()["n"], 3)


def recursive(x: Any, coins: Coins) -> Any:
    return min(deeper(coins), 4)


def deeper(coins: Coins) -> int:
    return deeper(coins) + 1 if coins.below(2) else 0


def reduced(x: Any, coins: Coins) -> Any:
    def step(n: int, _: int) -> int:
        while coins.below(2):
            n = (n + 1) % 3
        return n

    return functools.reduce(step, [1, 2], 0)


def floated(x: Any, coins: Coins) -> Any:
    y = 1.0
    while coins.random() < 0.5:
        y = -y
    return y


def huge(x: Any, coins: Coins) -> Any:
    n = 1 << 300
    while coins.below(3):
        n ^= 1
    return n


def raised(x: Any, coins: Coins) -> Any:
    n = 0
    while True:
        n = (n + 1) % 3
        if coins.below(2):
            raise ValueError(n)


def caught(x: Any, coins: Coins) -> Any:
    n = 0
    while True:
        try:
            if coins.below(2):
                raise ValueError(n)
            n = (n + 1) % 2
        except ValueError:
            while coins.below(2):
                n = (n + 1) % 2
            return n


def undecided(x: Any, coins: Coins) -> Any:
    u = coins.below(10**6)
    while coins.below(2):
        pass
    return u < 10


def named_twice(x: Any, coins: Coins) -> Any:
    seen: dict[int, int] = {}
    while len(seen) < 2:
        seen[int(coins.below(3))] = 1
    return tuple(seen)


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


def constructed(x: Any, coins: Coins) -> Any:
    return min(len(Grown(coins).items), 3)


class Grown:
    def __init__(self, coins: Coins) -> None:
        items: list[int] = []
        self.items = items
        grow = items.append
        while coins.below(2):
            grow(1)


TRAPS: tuple[Program, ...] = (
    iterated, generated, advanced, listed, added, cleaned, held, ordered, mapped, closed, defaulted, on_class,
    on_function, in_global, in_global_far, in_named_global, by_address, aliased, evaluated, peeked, local, recursive,
    reduced, floated, huge, raised, caught, undecided, named_twice, thrown, of_object, constructed,
)  # fmt: skip
