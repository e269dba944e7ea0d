"""Programs whose states differ only in a construct half done: the law of their paths, or none."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Generator, Iterator
from typing import Any

from dpcert.mechanisms.exact.coins import Coins


def wait(coins: Coins) -> None:
    while coins.below(2):
        pass


# -- functions that are called back


def in_the_state_of_what_reduces(x: Any, coins: Coins) -> Any:
    seen = [0]

    def step(total: int, part: int) -> int:
        wait(coins)
        seen[0] += int(coins.below(2))
        return total + part * seen[0]

    return functools.reduce(step, [1, 1, 1])


def in_a_list_while_it_is_sorted(x: Any, coins: Coins) -> Any:
    items = [2, 1, 3]
    sizes = []

    def key(item: int) -> int:
        wait(coins)
        sizes.append(len(items))
        return item * int(coins.below(2))

    items.sort(key=key)
    return items, sizes


def in_a_list_whose_key_fails(x: Any, coins: Coins) -> Any:
    items = [2, 1, 3]

    def key(item: int) -> int:
        wait(coins)
        if coins.below(2):
            raise KeyError(item)
        return -item

    try:
        items.sort(key=key)
    except KeyError as error:
        return items, error.args
    return items


class Half:
    """An instance that others can see while it is made."""

    def __init__(self, coins: Coins, seen: list[Any]) -> None:
        seen.append(self)
        self.n = int(coins.below(2))
        wait(coins)
        self.count = len(seen)


class Same:
    """A class whose `__new__` hands out an instance once more."""

    n = 0

    def __new__(cls, kept: list[Any]) -> Same:
        return kept[0] if kept else super().__new__(cls)

    def __init__(self, kept: list[Any]) -> None:
        kept.append(self)


def in_an_instance_half_made(x: Any, coins: Coins) -> Any:
    seen: list[Any] = []
    made = [Half(coins, seen) for _ in range(2)]
    if coins.below(2):
        seen[0] = made[1]
    wait(coins)
    seen[0].n += 5
    return [each.n for each in made], made[0].count


def in_an_instance_made_once(x: Any, coins: Coins) -> Any:
    kept: list[Any] = []
    for _ in range(2):
        Same(kept).n += 1
        wait(coins)
        if coins.below(2):
            kept = []
    return [each.n for each in kept]


def in_what_init_returns(x: Any, coins: Coins) -> Any:
    class_of = Returning if coins.below(2) else Half
    wait(coins)
    try:
        made: Any = class_of(coins, [])
    except TypeError:
        return "refused"
    return made.n


class Returning:
    """A class whose `__init__` returns something."""

    def __init__(self, coins: Coins, seen: list[Any]) -> Any:
        self.n = int(coins.below(2))
        return self.n or None


def in_two_names_of_one_chain(x: Any, coins: Coins) -> Any:
    def numbers() -> Iterator[int]:
        for i in range(6):
            wait(coins)
            yield i

    source = numbers()
    first = itertools.takewhile(lambda i: i < 4, source)
    next(first)
    second = first if coins.below(2) else itertools.chain(source, [7])
    wait(coins)
    return next(second), next(first, None)


def in_how_far_an_iterator_of_a_library_is(x: Any, coins: Coins) -> Any:
    totals = itertools.accumulate([1, 2, 3])
    pairs = itertools.combinations("abc", 2)
    cycle = itertools.cycle([1, 2])
    if coins.below(2):
        next(totals)
    if coins.below(2):
        next(pairs)
    if coins.below(2):
        next(cycle)
    wait(coins)
    return next(totals), next(pairs), next(cycle)


def in_the_type_of_what_is_greatest(x: Any, coins: Coins) -> Any:
    def key(place: int) -> Any:
        wait(coins)
        return [1, True, 1.0][place]

    items = [0, 1, 2] if coins.below(2) else [2, 1, 0]
    return repr([1, True, 1.0][max(items, key=key)])


# -- generators that hand on the items of others


def _valued(n: int, coins: Coins) -> Generator[int, Any, Any]:
    value = 1 if coins.below(2) else True
    for i in range(n):
        wait(coins)
        yield i
    return value


def in_the_value_that_is_returned_later(x: Any, coins: Coins) -> Any:
    def outer() -> Iterator[Any]:
        found = yield from _valued(2, coins)
        wait(coins)
        yield repr(found)

    return [*outer()][-1]


def in_a_generator_that_two_hand_on(x: Any, coins: Coins) -> Any:
    def handing(items: Iterator[int]) -> Iterator[int]:
        yield from items

    source = iter(_valued(6, coins))
    one, two = handing(source), handing(source)
    next(one)
    if coins.below(2):
        two = handing(iter(range(1, 6)))
    wait(coins)
    return next(two), next(one)


def in_what_is_sent_on(x: Any, coins: Coins) -> Any:
    def adding() -> Generator[int, int, str]:
        total = 0
        while total < 3:
            wait(coins)
            total += yield total
        return f"over {total}"

    def outer() -> Generator[Any, int, None]:
        yield (yield from adding())

    source = outer()
    next(source)
    while True:
        found = source.send(1 + int(coins.below(2)))
        if type(found) is str:
            return found


def in_what_is_thrown_on(x: Any, coins: Coins) -> Any:
    def outer() -> Generator[int, Any, None]:
        try:
            yield from _valued(4, coins)
        except (RuntimeError, KeyError) as error:
            yield 10 if type(error) is RuntimeError else 20
        yield 30

    source = outer()
    next(source)
    which = int(coins.below(2))
    wait(coins)
    found = source.throw(StopIteration() if which else KeyError())
    return found, next(source)


def in_what_is_done_when_one_is_closed(x: Any, coins: Coins) -> Any:
    log: list[Any] = []

    def inner() -> Iterator[int]:
        try:
            yield from _valued(3, coins)
        finally:
            log.append("inner")

    def outer() -> Generator[int, Any, None]:
        try:
            yield from inner()
        finally:
            log.append("outer")

    source = outer()
    next(source)
    if coins.below(2):
        source.close()
    wait(coins)
    return [*log], next(source, None)


def in_one_that_is_thrown_away_within_another(x: Any, coins: Coins) -> Any:
    log = [0]

    def inner() -> Iterator[int]:
        try:
            yield 1
            yield 2
        finally:
            log[0] += 1

    def outer() -> Iterator[int]:
        yield from inner()

    for _ in range(2):
        source = outer()
        if coins.below(2):
            next(source)
        wait(coins)
    return log[0]
