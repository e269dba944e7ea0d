"""Programs that call functions which return geometric counts: some only compare, add and return them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from dpcert.mechanisms.exact.coins import Coins
from dpcert.reading.tails.far import Series

SEEN = {1_000_000}


def geometric(coins: Coins) -> int:
    k = 0
    while not coins.below(8):
        k += 1
    return k


def rarer(coins: Coins) -> int:
    k = 0
    while not coins.below(16):
        k += 1
    return k


def two_sided(coins: Coins) -> int:
    return geometric(coins) - rarer(coins)


def capped(coins: Coins) -> int:
    k = 0
    while not coins.below(2):
        k += 1
        if k == 1_000:
            break
    return k


def odd(coins: Coins) -> int:
    k = 0
    while not coins.below(2 + k % 2):
        k += 1
    return k


# -- followed: `draws` are the laws of the numbers, as their ratios' denominators


def difference(n: int, coins: Coins) -> int:
    return n + geometric(coins) - rarer(coins)


def by_a_function(n: int, coins: Coins) -> int:
    return n - two_sided(coins)


def greatest_place(n: int, coins: Coins) -> int:
    noisy = [count + geometric(coins) for count in (n, 1, n + 1)]
    return noisy.index(max(noisy))


def greatest(n: int, coins: Coins) -> int:
    return max([count + geometric(coins) for count in (n, 1)])


def above(n: int, coins: Coins) -> int | None:
    threshold = 1 + geometric(coins) - rarer(coins)
    for place, query in enumerate((n, 0)):
        if query + geometric(coins) >= threshold:
            return place
    return None


def clamped(n: int, coins: Coins) -> int:
    return max(0, min(4, n + geometric(coins) - rarer(coins)))


def histogram(n: int, coins: Coins) -> dict[str, int]:
    found = {}
    for name, count in (("a", n), ("b", 0)):
        noisy = count + geometric(coins) - rarer(coins)
        if noisy >= 1:
            found[name] = noisy
    return found


def scaled(n: int, coins: Coins) -> tuple[int, bool]:
    k = geometric(coins)
    return n - 2 * k, abs(k - 1) == 1


def far_away(n: int, coins: Coins) -> bool:
    return n + geometric(coins) > 500


def third_unless_tied(n: int, coins: Coins) -> int:
    a, b, c = n + geometric(coins), rarer(coins), geometric(coins)
    return a if b == c else c


def of_cut_off(n: int, coins: Coins) -> tuple[int, int]:
    a, b = geometric(coins), rarer(coins)
    return (a - b, b) if a <= n and a > b else (b, -1)


def apart(n: int, coins: Coins) -> bool:
    a, b, c = n + geometric(coins), rarer(coins), geometric(coins)
    return abs(a - b) > abs(b - c)


FOLLOWED: dict[Callable[..., Any], tuple[int, ...]] = {
    difference: (8, 16),
    by_a_function: (8, 16),
    greatest_place: (8, 8, 8),
    greatest: (8, 8),
    above: (8, 16, 8, 8),
    clamped: (8, 16),
    histogram: (8, 16, 8, 16),
    scaled: (8,),
    far_away: (8,),
    third_unless_tied: (8, 16, 8),
    of_cut_off: (8, 16),
    apart: (8, 16, 8),
}
"""The programs, with the denominators of the ratios of the counts that they ask for, in order."""


# -- not followed


def of_a_capped_call(n: int, coins: Coins) -> int:
    return n + capped(coins)


def of_an_odd_call(n: int, coins: Coins) -> int:
    return n + odd(coins)


def too_far_away(n: int, coins: Coins) -> bool:
    return n + geometric(coins) == 1_000_000


def by_parity(n: int, coins: Coins) -> bool:
    return (n + geometric(coins)) % 2 == 1


def by_bits(n: int, coins: Coins) -> int:
    return n + geometric(coins) & 1_024


def by_digits(n: int, coins: Coins) -> str:
    return f"{n + geometric(coins)}"


def by_hash(n: int, coins: Coins) -> bool:
    return n + geometric(coins) in SEEN


def by_type(n: int, coins: Coins) -> int:
    k = geometric(coins)
    return n if type(k) is int else k


def by_an_error_of_c(n: int, coins: Coins) -> int:
    k = geometric(coins)
    try:
        far = Decimal(k) == 5_000
    except TypeError:
        far = True
    return n if far else n + k


def by_a_method_of_int(n: int, coins: Coins) -> int:
    k = geometric(coins)
    return n if int.__eq__(5_000, k) is NotImplemented else n + k


def as_a_float(n: int, coins: Coins) -> float:
    return n + 0.5 * geometric(coins)


def squared(n: int, coins: Coins) -> int:
    k = geometric(coins)
    return n + k * k


def twice_the_same(n: int, coins: Coins) -> tuple[int, int]:
    k = geometric(coins)
    return n + k, k


def tied(n: int, coins: Coins) -> tuple[int, int]:
    k = geometric(coins)
    return n + k, rarer(coins) - k


def of_unlike_steps(n: int, coins: Coins) -> int:
    return n + 2 * geometric(coins) - rarer(coins)


def by_identity(n: int, coins: Coins) -> bool:
    held = [n]
    other = held
    return geometric(coins) == n and held is other


def keeps(n: int, coins: Coins) -> int:
    k = geometric(coins)
    KEPT.append(k)
    return n + k


KEPT: list[int] = []
NOT_FOLLOWED: tuple[Callable[..., Any], ...] = (
    *(of_an_odd_call, too_far_away, by_parity, by_bits, by_digits, by_hash, as_a_float, squared, twice_the_same, tied),
    *(of_unlike_steps, by_an_error_of_c, by_a_method_of_int),
)
LOOKED_AT: tuple[Callable[..., Any], ...] = (by_type, by_identity, keeps)
"""Programs that look at more than the number, and have its law all the same."""


def forged(n: int, coins: Coins) -> Series:
    """Return what stands for many integers; it is one outcome."""
    geometric(coins)
    return Series(n, 1, ())


# -- the same noise in other forms


def handed_a_generator(n: int, rng: random.Random) -> int:
    return n + of_rng(rng) - of_rng(rng)


def makes_a_generator(n: int) -> int:
    rng = random.Random()
    return n + of_rng(rng) - of_rng(rng)


def of_the_module(n: int) -> int:
    return n + of_random() - of_random()


def of_rng(rng: random.Random) -> int:
    k = 0
    while rng.random() < 0.125:
        k += 1
    return k


def of_random() -> int:
    k = 0
    while random.random() < 0.125:
        k += 1
    return k


class Holding:
    def __init__(self) -> None:
        self.rng = random.Random()

    def noise(self) -> int:
        k = 0
        while self.rng.random() < 0.125:
            k += 1
        return k

    def release(self, n: int) -> int:
        return n + self.noise() - self.noise()


HOLDING = Holding()


def of_an_instance(n: int) -> int:
    return HOLDING.release(n)


@dataclass
class Made:
    rng: random.Random

    def release(self, n: int) -> int:
        while self.rng.random() < 0.125:
            n += 1
        while self.rng.random() < 0.125:
            n -= 1
        return n


def of_an_instance_that_it_makes(n: int, rng: random.Random) -> int:
    return Made(rng).release(n)


FORMS: tuple[Callable[..., int], ...] = (
    handed_a_generator,
    makes_a_generator,
    of_the_module,
    of_an_instance,
    of_an_instance_that_it_makes,
)
