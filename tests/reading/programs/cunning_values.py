"""Values, constructs and exceptions that keep what no variable shows: the law of their paths, or none."""

from __future__ import annotations

import operator
from collections.abc import Generator, Iterator
from typing import Any

from cunning import Thing, second, wait

from dpcert.mechanisms.exact.coins import Coins


class Sly(Thing):
    """A class that gives another method from time to time."""

    def __getattribute__(self, name: str) -> Any:
        found = object.__getattribute__(self, name)
        return second if name == "step" and object.__getattribute__(self, "which") else found


class Over(Exception):
    """An exception that carries a count."""

    def __init__(self, n: int) -> None:
        self.n = n


def in_the_holes_of_a_frozenset(x: Any, coins: Coins) -> Any:
    grown = set(range(40)) if coins.below(2) else set()
    grown |= {0, 15, 31}
    few = frozenset(grown & frozenset([0, 15, 31]))
    grown = set()
    wait(coins)
    return tuple(few | {47, 63})


def _unset(thing: Thing, coins: Coins) -> int:
    thing.which = 0
    return wait(coins)


def in_what_an_instance_gave(x: Any, coins: Coins) -> Any:
    sly = Sly()
    sly.which = [0, 0, 0, 1][coins.below(4)]
    return sly.step(_unset(sly, coins))


def _over(coins: Coins) -> None:
    n = 0
    while coins.below(2):
        n = (n + 1) % 3
    raise Over(n)


def in_a_group_of_exceptions(x: Any, coins: Coins) -> Any:
    n = 0
    try:
        try:
            _over(coins)
        except Over as error:
            raise ExceptionGroup("both", [error, ValueError(error.n)]) from None
    except* Over as group:
        n = sum(each.n for each in group.exceptions if isinstance(each, Over))
    except* ValueError:
        n += 1
    wait(coins)
    return n


def of_stars(x: Any, coins: Coins) -> Any:
    def loop(*args: int, coins: Coins, **kwds: int) -> int:
        n = sum(args)
        while coins.below(2):
            n = (n + kwds["by"]) % 4
        return n

    step = {"by": 1}
    a = loop(*(1, 2), coins=coins, **step)
    return a, loop(a, coins=coins, by=2)


def of_a_coroutine(x: Any, coins: Coins) -> Any:
    async def once(n: int) -> int:
        return n + 1

    n = 0
    while coins.below(2):
        try:
            once(n).send(None)
        except StopIteration as end:
            n = end.value % 3
    return n


def of_an_identity(x: Any, coins: Coins) -> Any:
    chosen = None if coins.below(2) else False
    wait(coins)
    return chosen is None, operator.index(3)


class Half:
    """An instance that others can see while it is made."""

    def __init__(self, coins: Coins, seen: list[Any]) -> None:
        seen.append(self)
        self.n = int(coins.below(2))
        wait(coins)
        self.count = len(seen)


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


def _valued(n: int, coins: Coins) -> Generator[int, Any, Any]:
    value = 1 if coins.below(2) else True
    for i in range(n):
        wait(coins)
        yield i
    return value


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


def in_a_variable_that_is_unset_again(x: Any, coins: Coins) -> Any:
    held = 1

    def show() -> int:
        return held

    if coins.below(2):
        del held
    wait(coins)
    try:
        return show()
    except NameError:
        return "unset"
