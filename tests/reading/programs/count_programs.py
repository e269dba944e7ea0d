"""Programs that call functions which return geometric counts: some only compare, add and return them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from masked import RETURNED, define, table

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


def greatest_place(n: int, coins: Coins) -> int:
    noisy = [count + geometric(coins) for count in (n, 1, n + 1)]
    return noisy.index(max(noisy))


def above(n: int, coins: Coins) -> int | None:
    threshold = 1 + geometric(coins) - rarer(coins)
    for place, query in enumerate((n, 0)):
        if query + geometric(coins) >= threshold:
            return place
    return None


def histogram(n: int, coins: Coins) -> dict[str, int]:
    found = {}
    for name, count in (("a", n), ("b", 0)):
        noisy = count + geometric(coins) - rarer(coins)
        if noisy >= 1:
            found[name] = noisy
    return found


FOLLOWED: dict[Callable[..., Any], tuple[int, ...]] = {
    **table(
        globals(),
        RETURNED,
        {
            "difference": ("", "n + geometric(coins) - rarer(coins)", (8, 16)),
            "by_a_function": ("", "n - two_sided(coins)", (8, 16)),
            "greatest": ("", "max([count + geometric(coins) for count in (n, 1)])", (8, 8)),
            "scaled": ("k = geometric(coins)", "(n - 2 * k, abs(k - 1) == 1)", (8,)),
            "far_away": ("", "n + geometric(coins) > 500", (8,)),
            "third_unless_tied": (
                "a, b, c = (n + geometric(coins), rarer(coins), geometric(coins))",
                "a if b == c else c",
                (8, 16, 8),
            ),
            "of_cut_off": (
                "a, b = (geometric(coins), rarer(coins))",
                "(a - b, b) if a <= n and a > b else (b, -1)",
                (8, 16),
            ),
            "apart": (
                "a, b, c = (n + geometric(coins), rarer(coins), geometric(coins))",
                "abs(a - b) > abs(b - c)",
                (8, 16, 8),
            ),
            "clamped": ("", "max(0, min(4, n + geometric(coins) - rarer(coins)))", (8, 16)),
        },
    ),
    greatest_place: (8, 8, 8),
    above: (8, 16, 8, 8),
    histogram: (8, 16, 8, 16),
}
"""The programs, with the denominators of the ratios of the counts that they ask for, in order."""


# -- not followed


def of_a_capped_call(n: int, coins: Coins) -> int:
    return n + capped(coins)


def by_an_error_of_c(n: int, coins: Coins) -> int:
    k = geometric(coins)
    try:
        far = Decimal(k) == 5_000
    except TypeError:
        far = True
    return n if far else n + k


def keeps(n: int, coins: Coins) -> int:
    k = geometric(coins)
    KEPT.append(k)
    return n + k


KEPT: list[int] = []
NOT_FOLLOWED: tuple[Callable[..., Any], ...] = (
    by_an_error_of_c,
    *define(
        globals(),
        {
            RETURNED: {
                "of_an_odd_call": ("", "n + odd(coins)"),
                "too_far_away": ("", "n + geometric(coins) == 1000000"),
                "by_parity": ("", "(n + geometric(coins)) % 2 == 1"),
                "by_bits": ("", "n + geometric(coins) & 1024"),
                "by_digits": ("", "f'{n + geometric(coins)}'"),
                "by_hash": ("", "n + geometric(coins) in SEEN"),
                "as_a_float": ("", "n + 0.5 * geometric(coins)"),
                "squared": ("k = geometric(coins)", "n + k * k"),
                "twice_the_same": ("k = geometric(coins)", "(n + k, k)"),
                "tied": ("k = geometric(coins)", "(n + k, rarer(coins) - k)"),
                "of_unlike_steps": ("", "n + 2 * geometric(coins) - rarer(coins)"),
                "by_a_method_of_int": ("k = geometric(coins)", "n if int.__eq__(5000, k) is NotImplemented else n + k"),
            }
        },
    ),
)
LOOKED_AT: tuple[Callable[..., Any], ...] = (
    keeps,
    *define(
        globals(),
        {
            RETURNED: {
                "by_type": ("k = geometric(coins)", "n if type(k) is int else k"),
                "by_identity": ("held = [n]; other = held", "geometric(coins) == n and held is other"),
            }
        },
    ),
)
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
