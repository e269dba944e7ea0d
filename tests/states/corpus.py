"""Programs as people write them, each with constructs of Python that the reader takes apart."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any

from dpcert.mechanisms.exact.coins import Coins

SHARES = (1, 2, 3)


def for_range(n: int, coins: Coins) -> int:
    k = 0
    for _ in range(n):
        if coins.random() < 0.3:
            k += 1
    return k


def for_else(n: int, coins: Coins) -> str:
    for i in range(n):
        if coins.below(4) == 0:
            break
        if i == 1:
            continue
    else:
        return "none"
    return f"at {i}"


def while_else(n: int, coins: Coins) -> int:
    left = n
    while left > 0:
        left -= 1 + coins.below(2)
        if left == 1 and coins.below(3) == 0:
            break
    else:
        left -= 10
    return left


def nested_loops(n: int, coins: Coins) -> Any:
    rows = []
    for i in range(n):
        row = 0
        for j in range(i):
            if coins.below(3) == j:
                row += 1
                break
        rows.append(row)
    return tuple(rows)


def over_kinds(n: int, coins: Coins) -> Any:
    total = 0
    for name, share in zip("abc", SHARES, strict=True):
        total += share * int(coins.below(2))
        for i, x in enumerate(reversed([1, 2])):
            total += i * x * coins.below(2)
        total += len(name)
    for key in {"x": 1, "y": 2}:
        total += coins.below(2) if key == "y" else 0
    for key, value in {"x": 1}.items():
        total += value * coins.below(2) + len(key)
    return total


def comprehensions(n: int, coins: Coins) -> Any:
    listed = [i for i in range(n) if coins.below(2)]
    keyed = {i: int(coins.below(2)) for i in range(2)}
    pairs = [(i, j) for i in range(2) for j in range(i + 1) if coins.below(3) == 0]
    return len(listed), sum(keyed.values()), len(pairs)


def set_comprehension(n: int, coins: Coins) -> Any:
    return len({coins.below(2) + 0 for _ in range(n)})


def consumers(n: int, coins: Coins) -> Any:
    return (
        sum(coins.bernoulli("1/3") for _ in range(n)),
        any(coins.below(4) == 0 for _ in range(n)),
        all(coins.below(2) for _ in range(2)),
    )


def extremes(n: int, coins: Coins) -> Any:
    best = max(coins.below(3) + 0 for _ in range(n))
    least = min((coins.below(3) for _ in range(2)), default=9)
    return best, least, max((x for x in ()), default=7)


def joined(n: int, coins: Coins) -> str:
    return "".join(str(int(coins.below(2))) for _ in range(2)) + ",".join(["a"] * n)


def sorted_draws(n: int, coins: Coins) -> Any:
    return tuple(sorted(coins.below(2) + 0 for _ in range(n)))


def mixed_sum(n: int, coins: Coins) -> float:
    return sum((0.5 if coins.below(2) else 1) for _ in range(n))


def generators(n: int, coins: Coins) -> int:
    def flips() -> Iterator[int]:
        i = 0
        while True:
            i += 1
            yield i * int(coins.below(2))

    total = 0
    for _, x in zip(range(n), flips(), strict=False):
        total += x
    return total


def generator_next(n: int, coins: Coins) -> Any:
    def two() -> Iterator[int]:
        for _ in range(2):
            yield int(coins.below(2))

    source = two()
    first = next(source)
    return first, next(source), next(source, "end")


def lazily(n: int, coins: Coins) -> int:
    drawn = (coins.below(2) for _ in range(n))
    total = 0
    for x in drawn:
        total += x
        if total > 1:
            break
    return total + sum(1 for _ in range(2))


def mapped(n: int, coins: Coins) -> int:
    def times(i: int) -> int:
        return i * int(coins.below(2))

    return sum(map(times, range(n))) + len(list(filter(None, range(2))))


def tried(n: int, coins: Coins) -> Any:
    seen = []
    for i in range(n):
        try:
            for _ in range(2):
                if coins.below(4) == 0:
                    raise ValueError(i)
        except ValueError as error:
            seen.append(error.args[0])
        else:
            seen.append("fine")
        finally:
            seen.append("done")
    return len([x for x in seen if x == "fine"]), len(seen)


def raised(n: int, coins: Coins) -> int:
    for i in range(n):
        if coins.below(3) == 0:
            raise IndexError(i)
    return n


def closures(n: int, coins: Coins) -> int:
    scale = n + 1

    def noisy(x: int) -> int:
        k = 0
        while k < scale and coins.below(2):
            k += 1
        return x + k

    return noisy(1) - noisy(0)


def recursive(n: int, coins: Coins) -> int:
    if n == 0:
        return 0
    extra = 0
    for _ in range(2):
        extra += coins.below(2)
    return recursive(n - 1, coins) + extra


def partials(n: int, coins: Coins) -> int:
    def at(base: int, times: int, *, offset: int = 0) -> int:
        total = base + offset
        for _ in range(times):
            total += coins.below(2)
        return total

    return functools.partial(at, 1, offset=2)(n)


def defaults(n: int, coins: Coins, *rest: int, step: int = 2, **more: int) -> int:
    def stepped(k: int, by: int = step, *args: int, last: int = 1, **words: int) -> int:
        for _ in range(k):
            k += by * int(coins.below(2))
        return k + sum(args) + last + sum(words.values())

    return stepped(n) + stepped(1, 3, 4, last=5, other=6)


def undecided(n: int, coins: Coins) -> int:
    u = coins.random()
    total, k = 0.0, 0
    while k < n:
        total += 0.3
        if u < total:
            break
        k += 1
    return k


def undecided_integer(n: int, coins: Coins) -> int:
    u = coins.below(100) * 2 + 1
    k = 0
    for share in (20, 50, 120):
        k += 1
        if u < share:
            break
    return k


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


def matched(n: int, coins: Coins) -> Any:
    found = []
    for _ in range(n):
        match (coins.below(3) + 0, n):
            case (0, _):
                found.append("zero")
                while coins.below(2):
                    found.append("more")
                    break
            case (1, size) if size > 1:
                found.append("one")
            case _:
                found.append("other")
    return len(found), found[0]


def products(n: int, coins: Coins) -> int:
    total = 0
    for a, b in itertools.product(range(2), repeat=2):
        total += a * b * coins.below(2)
    for x in itertools.chain([1], [2]):
        total += x * coins.below(2)
    return total
