"""Programs that call methods which return geometric counts, with their laws in closed form; and noise as practitioners
write it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from closure_programs import Law, counted, cut_off, few, greater, order

from dpcert.mechanisms.exact.coins import Coins


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


class Slotted:
    __slots__ = ("bound", "coins")

    def __init__(self, coins: Coins, bound: int) -> None:
        self.coins = coins
        self.bound = bound

    def draw(self) -> int:
        k = 0
        while not self.coins.below(self.bound):
            k += 1
        return k


def two_instances(n: int, coins: Coins) -> str:
    return greater(Noise(coins, 2).draw(), Noise(coins, 4).draw())


def of_slots(n: int, coins: Coins) -> str:
    return greater(Slotted(coins, 2).draw(), Slotted(coins, 4).draw())


def called_instances(n: int, coins: Coins) -> str:
    return greater(Settings(coins, 2)(), Settings(coins, 4)())


def attribute_changed(n: int, coins: Coins) -> str:
    noise = Noise(coins, 2)
    x = noise.draw()
    noise.bound = 4
    return greater(x, noise.draw())


def attribute_changed_by_another_name(n: int, coins: Coins) -> str:
    noise = Noise(coins, 2)
    log = noise.log
    x = noise.draw()
    log += [0, 0]
    return greater(x, noise.draw())


def attribute_of_two(n: int, coins: Coins) -> str:
    first, second = Noise(coins, 2), Noise(coins, 2)
    second.log = first.log
    x = second.draw()
    first.log += [0, 0]
    return greater(x, second.draw())


def closure_over_an_attribute(n: int, coins: Coins) -> str:
    noise = Noise(coins, 2)
    log = noise.log

    def geometric() -> int:
        k = 0
        while not coins.below(2 + len(log)):
            k += 1
        return k

    x = geometric()
    noise.log += [0, 0]
    return greater(x, geometric())


EXACT: dict[Callable[[int, Coins], Any], Law] = {
    two_instances: order(2, 4),
    of_slots: order(2, 4),
    called_instances: order(2, 4),
    attribute_changed: order(2, 4),
    attribute_changed_by_another_name: order(2, 4),
    attribute_of_two: order(2, 4),
    closure_over_an_attribute: order(2, 4),
}
"""Each with its law, which is found without a tail."""


def changes_an_attribute(n: int, coins: Coins) -> tuple[int, ...]:
    noise = Noise(coins, 2)
    x, y = noise.warm(), noise.warm()
    return min(x, 2), min(y, 2), noise.bound


def changes_what_an_attribute_holds(n: int, coins: Coins) -> tuple[int, ...]:
    noise = Noise(coins, 2)
    x, y = noise.noted(), noise.noted()
    return min(x, 2), min(y, 2)


CHANGING: dict[Callable[[int, Coins], Any], Law] = {
    changes_an_attribute: cut_off(2, 3, more=(4,)),
    changes_what_an_attribute_holds: cut_off(2, 3),
}
"""Their calls change the instance: they are followed, and leave a tail."""


class Box:
    def __init__(self, coins: Coins, log: list[int]) -> None:
        self.coins = coins
        self.log = log

    def draw(self) -> int:
        self.log = [0]
        k = 0
        while k < 3 and self.coins.below(2):
            k += 1
        return k


def equal_attribute(n: int, coins: Coins) -> int:
    few(coins)
    inner = [0]
    box = Box(coins, inner)
    box.draw()
    box.log.append(1)
    return len(inner)


# -- noise as practitioners write it


def noisy_max(counts: tuple[int, int], rng: random.Random) -> int:
    def geometric() -> int:
        n = 0
        while rng.random() < 0.5:
            n += 1
        return n

    return max(range(len(counts)), key=lambda i: counts[i] + geometric() - geometric())


def noisy_list(counts: tuple[int, int], rng: random.Random) -> int:
    def geometric() -> int:
        n = 0
        while rng.random() < 0.5:
            n += 1
        return n

    noisy = [count + geometric() - geometric() for count in counts]
    return noisy.index(max(noisy))


class Geometric:
    def __init__(self, rng: random.Random, p: float) -> None:
        self.rng = rng
        self.p = p

    def draw(self) -> int:
        n = 0
        while self.rng.random() < self.p:
            n += 1
        return n


def noise_of_an_instance(counts: tuple[int, int], rng: random.Random) -> int:
    noise = Geometric(rng, 0.5)
    noisy = [count + noise.draw() - noise.draw() for count in counts]
    return noisy.index(max(noisy))


OF_THE_MODULE = Geometric(random.Random(), 0.5)


def noise_of_an_instance_of_the_module(counts: tuple[int, int], rng: random.Random) -> int:
    noisy = [count + OF_THE_MODULE.draw() - OF_THE_MODULE.draw() for count in counts]
    return noisy.index(max(noisy))


NOISY_MAX = (noisy_max, noisy_list, noise_of_an_instance, noise_of_an_instance_of_the_module)
