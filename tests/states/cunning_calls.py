"""Calls with loops that keep state where a question asked on its own would miss it."""

from __future__ import annotations

from typing import Any, ClassVar

from cunning import LIMIT

from dpcert.mechanisms.exact.coins import Coins

COUNTS = {"calls": 0}
FLAG = 0
MEMO: list[int] = []


class Box:
    """What a call changes: its class, itself, or what it was handed."""

    calls: ClassVar[int] = 0

    def __init__(self) -> None:
        self.count = 0

    def by_class(self, coins: Coins) -> int:
        while coins.below(2):
            type(self).calls += 1
        return int(type(self).calls >= LIMIT)

    def by_self(self, coins: Coins) -> int:
        while coins.below(2):
            self.count += 1
        return int(self.count >= LIMIT)

    def there_and_back(self, coins: Coins) -> int:
        self.count += 1
        while coins.below(2):
            self.count += 1
        found = self.count
        self.count = 0
        return int(found >= LIMIT)


def by_default(coins: Coins, memo: list[int] = MEMO) -> int:
    while coins.below(2):
        memo.append(1)
    return int(len(memo) >= LIMIT)


def by_global(coins: Coins) -> int:
    while coins.below(2):
        COUNTS["calls"] += 1
    return int(COUNTS["calls"] >= LIMIT)


def by_attribute(coins: Coins) -> int:
    own = vars(by_attribute)
    while coins.below(2):
        own["calls"] += 1
    return int(own["calls"] >= LIMIT)


def reads_a_flag(coins: Coins) -> int:
    count = FLAG
    while coins.below(2):
        count += 1
    return int(count >= LIMIT)


def reads(parts: list[int], coins: Coins) -> int:
    while coins.below(2):
        pass
    return len(parts)


def in_the_class_of_a_method(x: Any, coins: Coins) -> Any:
    Box.calls = 0
    box = Box()
    return box.by_class(coins), box.by_class(coins)


def in_the_object_of_a_method(x: Any, coins: Coins) -> Any:
    box = Box()
    return box.by_self(coins), box.by_self(coins)


def in_an_object_that_is_put_back(x: Any, coins: Coins) -> Any:
    box = Box()
    return box.there_and_back(coins), box.there_and_back(coins), box.count


def in_a_default_that_grows(x: Any, coins: Coins) -> Any:
    MEMO.clear()
    return by_default(coins), by_default(coins)


def in_a_global_of_a_call(x: Any, coins: Coins) -> Any:
    COUNTS["calls"] = 0
    return by_global(coins), by_global(coins)


def in_an_attribute_of_a_call(x: Any, coins: Coins) -> Any:
    vars(by_attribute)["calls"] = 0
    return by_attribute(coins), by_attribute(coins)


def in_a_flag_between_calls(x: Any, coins: Coins) -> Any:
    global FLAG
    FLAG = 0
    first = reads_a_flag(coins)
    FLAG = LIMIT
    second = reads_a_flag(coins)
    FLAG = 0
    return first, second


def in_a_list_between_calls(x: Any, coins: Coins) -> Any:
    parts: list[int] = []
    first = reads(parts, coins)
    parts.append(1)
    return first, reads(parts, coins)


# -- what was there before is changed for one call in many, and put back before the next state


class Rate:
    """An instance that was there before."""

    def __init__(self) -> None:
        self.own = 1

    def draw(self, coins: Coins) -> int:
        found = 0
        for _ in range(3):
            found += coins.below(4) < self.own
        return found


RATE = Rate()


def by_flag(coins: Coins) -> int:
    found = 0
    for _ in range(3):
        found += coins.below(4) < 1 + FLAG
    return found


def one_in_many(coins: Coins) -> bool:
    return [*range(400)][coins.below(400)] == 377


def rarely_in_a_global(x: Any, coins: Coins) -> Any:
    global FLAG
    FLAG = int(one_in_many(coins))
    found = by_flag(coins)
    FLAG = 0
    return found


def rarely_in_an_attribute(x: Any, coins: Coins) -> Any:
    RATE.own = 1 + one_in_many(coins)
    found = RATE.draw(coins)
    RATE.own = 1
    return found


RARELY = (rarely_in_a_global, rarely_in_an_attribute)
