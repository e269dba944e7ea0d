"""Programs whose calls have finitely many states, and keep something in other places than plain variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from dpcert.mechanisms.exact.coins import Coins


def twice(draw: Callable[[], int], coins: Coins) -> tuple[int, int]:
    return draw(), draw()


def an_iterator(n: int, coins: Coins) -> Any:
    bounds = iter([2, 4])

    def draw() -> int:
        bound, k = next(bounds), 0
        while k < 2 and not coins.below(bound):
            k += 1
        return k

    return twice(draw, coins)


def a_generator(n: int, coins: Coins) -> Any:
    def each() -> Iterator[int]:
        yield 2
        yield 4

    bounds = each()

    def draw() -> int:
        bound, k = next(bounds), 0
        while k < 2 and not coins.below(bound):
            k += 1
        return k

    return twice(draw, coins)


def a_bound_method(n: int, coins: Coins) -> Any:
    log: list[int] = []
    note = log.append

    def draw() -> int:
        k = 0
        while k < 2 and not coins.below(2 + len(log)):
            k += 1
        note(1)
        return k

    return twice(draw, coins)


def a_counter(n: int, coins: Coins) -> Any:
    counts: Counter[str] = Counter()

    def draw() -> int:
        k = 0
        while k < 2 and not coins.below(2 + counts["drawn"]):
            k += 1
        counts["drawn"] += 1
        return k

    return twice(draw, coins)


class Total:
    total = 0

    def __init__(self, coins: Coins) -> None:
        self.coins = coins

    def draw(self) -> int:
        k = 0
        while k < 2 and not self.coins.below(2 + self.total):
            k += 1
        self.total += 1
        return k


def an_attribute_of_the_class(n: int, coins: Coins) -> Any:
    return twice(Total(coins).draw, coins)


class Property:
    def __init__(self, coins: Coins) -> None:
        self.coins = coins
        self.asked = 1

    @property
    def bound(self) -> int:
        self.asked += 1
        return self.asked

    def draw(self) -> int:
        k = 0
        while k < 2 and not self.coins.below(self.bound):
            k += 1
        return k


def a_property(n: int, coins: Coins) -> Any:
    return twice(Property(coins).draw, coins)


class Base:
    def __init__(self, coins: Coins) -> None:
        self.coins = coins

    def bound(self) -> int:
        return 2

    def draw(self) -> int:
        k = 0
        while k < 2 and not self.coins.below(self.bound()):
            k += 1
        return k


class Derived(Base):
    def bound(self) -> int:
        return 4


def two_classes(n: int, coins: Coins) -> Any:
    return Base(coins).draw(), Derived(coins).draw()


def methods_handed_over(n: int, coins: Coins) -> Any:
    def draw(bound: Callable[[], int]) -> int:
        k = 0
        while k < 2 and not coins.below(bound()):
            k += 1
        return k

    return draw(Base(coins).bound), draw(Derived(coins).bound)


def equal_values_of_other_types(n: int, coins: Coins) -> Any:
    def make(value: Any) -> Callable[[], str]:
        def draw() -> str:
            k = 0
            while k < 2 and coins.below(2):
                k += 1
            return f"{value} {k}"

        return draw

    return make(1)(), make(True)(), make(1.0)()


def one_list_or_two(n: int, coins: Coins) -> Any:
    def make(first: list[int], second: list[int]) -> Callable[[], tuple[int, int]]:
        def draw() -> tuple[int, int]:
            k = 0
            while k < 2 and coins.below(2):
                k += 1
            first.append(1)
            length = len(second)
            first.pop()
            return length, k

        return draw

    one, other = [0], [0]
    return make(one, other)(), make(one, one)()


SHORT = (
    an_iterator,
    a_generator,
    a_bound_method,
    a_counter,
    an_attribute_of_the_class,
    a_property,
    two_classes,
    methods_handed_over,
    equal_values_of_other_types,
    one_list_or_two,
)
