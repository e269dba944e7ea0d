"""Programs whose states look the same and are not, by what a value is made of: the law of their paths, or none."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from cunning import LIMIT, Thing, first, second, wait

from dpcert.mechanisms.exact.coins import Coins


class Sly(Thing):
    """A class that gives another method from time to time."""

    def __getattribute__(self, name: str) -> Any:
        found = object.__getattribute__(self, name)
        return second if name == "step" and object.__getattribute__(self, "which") else found


class Pair(NamedTuple):
    """A tuple that is never equal to anything but itself, by identity."""

    n: int

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 1


class Same:
    """All of its instances are equal."""

    n = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same)

    __hash__ = object.__hash__


class Missing:
    """A class that counts what is asked and is not there."""

    asked = 0

    def __getattr__(self, name: str) -> int:
        self.asked += 1
        return self.asked


class Over(Exception):
    """An exception that carries a count."""

    def __init__(self, n: int) -> None:
        self.n = n


def in_which_small_nan_it_is(x: Any, coins: Coins) -> Any:
    nan = np.float32("nan")
    chosen = [nan, nan, np.float32("nan"), np.float32("nan")][coins.below(4)]
    kept = [nan]
    wait(coins)
    return chosen in kept


def in_which_pair_it_is(x: Any, coins: Coins) -> Any:
    pair = Pair(1)
    chosen = [pair, pair, Pair(1), Pair(1)][coins.below(4)]
    kept = [pair]
    wait(coins)
    return chosen in kept


def in_which_equal_instance_it_is(x: Any, coins: Coins) -> Any:
    a, b = Same(), Same()
    chosen = [a, a, a, b][coins.below(4)]
    a.n = b.n = 0
    wait(coins)
    chosen.n = 1
    return a.n, a == b


def in_the_type_of_a_number(x: Any, coins: Coins) -> Any:
    value: Any = [1, True, 1.0, 1 + 0j][coins.below(4)]
    wait(coins)
    return value


def in_the_sign_of_zero(x: Any, coins: Coins) -> Any:
    value = [0.0, 0.0, 0.0, -0.0][coins.below(4)]
    wait(coins)
    return math.copysign(1.0, value)


def in_the_order_of_a_frozenset(x: Any, coins: Coins) -> Any:
    many = frozenset([8, 16, 0]) if coins.below(2) else frozenset([0, 16, 8])
    wait(coins)
    return tuple(many)


def in_the_holes_of_a_frozenset(x: Any, coins: Coins) -> Any:
    grown = set(range(40)) if coins.below(2) else set()
    grown |= {0, 15, 31}
    few = frozenset(grown & frozenset([0, 15, 31]))
    grown = set()
    wait(coins)
    return tuple(few | {47, 63})


def in_the_order_of_a_dict(x: Any, coins: Coins) -> Any:
    names = {"a": 1, "b": 2}
    while coins.below(3) == 0:
        names["a"] = names.pop("a")
    return tuple(names)


def in_which_list_it_is(x: Any, coins: Coins) -> Any:
    inner: list[int] = []
    outer = (inner, inner if coins.below(4) == 0 else list(inner))
    wait(coins)
    inner.append(1)
    return len(outer[1])


# -- in what is thrown away, and in what is about to be called


def _closing(log: list[int]) -> Iterator[int]:
    n = 0
    try:
        while True:
            n += 1
            yield n
    finally:
        log.append(n)


def _left(log: list[int], coins: Coins) -> int:
    held = [_closing(log)]
    next(held[0])
    if coins.below(4) == 0:
        next(held[0])
    return wait(coins)


def in_a_generator_that_is_thrown_away(x: Any, coins: Coins) -> Any:
    log: list[int] = []
    _left(log, coins)
    return log[0]


def _unset(thing: Thing, coins: Coins) -> int:
    thing.which = 0
    return wait(coins)


def in_what_an_instance_gave(x: Any, coins: Coins) -> Any:
    sly = Sly()
    sly.which = [0, 0, 0, 1][coins.below(4)]
    return sly.step(_unset(sly, coins))


def _exchanged(thing: Thing, coins: Coins) -> int:
    type.__setattr__(type(thing), "act", first)
    return wait(coins)


def in_what_was_assigned_another_way(x: Any, coins: Coins) -> Any:
    thing: Any = Thing
    thing.act = [first, first, first, second][coins.below(4)]
    return thing.act(_exchanged(thing(), coins))


def in_what_a_computed_name_exchanged(x: Any, coins: Coins) -> Any:
    kind: Any = Thing
    kind.act = [first, first, first, second][coins.below(4)]
    return kind.act(_swapped(kind, "".join(["a", "ct"]), coins))


def _swapped(kind: Any, name: str, coins: Coins) -> int:
    setattr(kind, name, first)
    return wait(coins)


# -- in exceptions, and programs that catch what is not theirs


def _over(coins: Coins) -> None:
    n = 0
    while coins.below(2):
        n = (n + 1) % 3
    raise Over(n)


def in_an_exception(x: Any, coins: Coins) -> Any:
    try:
        _over(coins)
    except Over as error:
        kept = error
    wait(coins)
    return kept.n


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


def in_a_loop_that_catches_all(x: Any, coins: Coins) -> Any:
    n = 0
    while True:
        try:
            if coins.below(2):
                return n
            n = (n + 1) % 3
        except Exception:
            n = -1


def in_a_loop_that_ends_anyway(x: Any, coins: Coins) -> Any:
    n = 0
    try:
        while coins.below(2):
            n = (n + 1) % 3
    finally:
        n += 10
        wait(coins)
    return n


def in_a_loop_that_returns_in_the_end(x: Any, coins: Coins) -> Any:
    n = 0
    while True:
        try:
            n = (n + 1) % 3
            if coins.below(2):
                raise Over(n)
        except Over as error:
            n = error.n
            return n + int(coins.below(2))
        finally:
            n += 3


# -- as other programs have it, to be merged


def of_a_match(x: Any, coins: Coins) -> Any:
    state: Any = ("start", 0)
    while True:
        match state, int(coins.below(3)):
            case ("start", n), 0:
                state = ("more", n + 1)
            case ("more", n), 1 if n < 3:
                state = ("start", n)
            case (name, n), 2:
                return name, n


def of_a_walrus(x: Any, coins: Coins) -> Any:
    n = 0
    while (m := int(coins.below(4))) > 1:
        n = (n + m) % 3
    return n, m


def of_deleted_names(x: Any, coins: Coins) -> Any:
    n = 1
    while coins.below(2):
        m = n + 1
        del n
        n = m % 3
        del m
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


def of_a_property(x: Any, coins: Coins) -> Any:
    thing = Thing()
    while coins.below(2) and thing.counted < LIMIT:
        pass
    return int(thing.which)


def of_what_is_missing(x: Any, coins: Coins) -> Any:
    missing = Missing()
    while coins.below(2) and missing.anything < LIMIT:
        pass
    return missing.asked


def of_a_memo(x: Any, coins: Coins) -> Any:
    kept: dict[int, int] = {}

    def known(n: int, memo: dict[int, int] = kept) -> int:
        if n not in memo:
            memo[n] = len(memo)
        return memo[n]

    n = 0
    while coins.below(2):
        n = known(int(coins.below(2)))
    return n


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
