"""Programs in which two loops count their turns one after the other, and both counts are needed after them: with the
ratios 1/2 and 1/4 of these counts i and j.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from masked import define, table

from dpcert.mechanisms.exact.coins import Coins


def two_sided(coins: Coins) -> int:
    k = j = 0
    while coins.below(2):
        k += 1
    while not coins.below(4):
        j += 1
    return k - j


def summed(coins: Coins) -> int:
    k = j = 0
    while coins.below(2):
        k += 1
    while not coins.below(4):
        j += 1
    return k + j


# -- i - j + n


def of_a_helper(n: int, coins: Coins) -> int:
    return n + two_sided(coins)


def in_the_program(n: int, coins: Coins) -> int:
    k = j = 0
    while coins.below(2):
        k += 1
    while not coins.below(4):
        j += 1
    return n + k - j


def from_the_input(n: int, coins: Coins) -> int:
    count, less = n, 0
    while coins.below(2):
        count += 1
    while not coins.below(4):
        less += 1
    return count - less


def of_an_inner_function(n: int, coins: Coins) -> int:
    def noise() -> int:
        k = 0
        while coins.below(2):
            k += 1
        j = 0
        while not coins.below(4):
            j += 1
        return k - j

    return n + noise()


def with_breaks(n: int, coins: Coins) -> int:
    k = 0
    while True:
        if not coins.below(2):
            break
        k += 1
    j = 0
    while True:
        if coins.below(4):
            break
        j += 1
    return n - (j - k)


AFTER_TWO_LOOPS = """
k = j = 0
while coins.below(2):
    k += 1
while not coins.below(4):
    j += 1
return {}
"""
KNOWN = define(globals(), {AFTER_TWO_LOOPS: {"known_in_part": ("n + k - j if k >= 0 and (j < 0 or k > -1) else 100",)}})
"""What is compared is decided for all turns beyond some."""
DIFFERENCES = (of_a_helper, in_the_program, from_the_input, of_an_inner_function, with_breaks, *KNOWN)


# -- others: with what they return for i and j


def sum_of_a_helper(n: int, coins: Coins) -> int:
    return n + summed(coins)


def sum_in_the_program(n: int, coins: Coins) -> int:
    k = j = n
    while coins.below(2):
        k += 1
    while not coins.below(4):
        j += 1
    return k + j


OTHERS: dict[Callable[[int, Coins], int], Callable[[int, int, int], int]] = {
    sum_of_a_helper: lambda n, i, j: n + i + j,
    sum_in_the_program: lambda n, i, j: 2 * n + i + j,
    **table(globals(), AFTER_TWO_LOOPS, {"with_a_factor": ("n - 3 * (k + j)", lambda n, i, j: n - 3 * (i + j))}),
}


# -- what asks more of two counts: with what it returns for i and j


def no_more_than_the_first(n: int, coins: Coins) -> int:
    k = j = 0
    while coins.below(2):
        k += 1
    while j < k and not coins.below(4):
        j += 1
    return n + k - j


def odd_if_the_first_is(n: int, coins: Coins) -> int:
    k = j = 0
    while coins.below(2):
        k += 1
    while not coins.below(4):
        j += 1 + k % 2
    return n + k - j


def otherwise_in_turn(n: int, coins: Coins) -> int:
    """Leaves the second loop otherwise once it went round 9 times."""
    k = j = 0
    while coins.below(2):
        k += 1
    while not coins.below(4 if j < 9 else 2):
        j += 1
    return n + k - j


ASKED: dict[Callable[[int, Coins], Any], Callable[[int, int, int], Any] | None] = {
    **table(
        globals(),
        AFTER_TWO_LOOPS,
        {
            "the_greater": ("n + max(k, j)", lambda n, i, j: n + max(i, j)),
            "together": ("(k, j)", lambda n, i, j: (i, j)),
        },
    ),
    no_more_than_the_first: None,
    otherwise_in_turn: None,
}
KEPT: dict[Callable[[int, Coins], Any], Callable[[int, int, int], Any] | None] = {
    **table(
        globals(),
        AFTER_TWO_LOOPS,
        {
            "of_two_scales": ("n + k - 2 * j", lambda n, i, j: n + i - 2 * j),
            "of_two_scales_added": ("n + k + 2 * j", lambda n, i, j: n + i + 2 * j),
            "multiplied": ("n + k * j", lambda n, i, j: n + i * j),
            "far_out_of_step": ("n + k - j if k + j < 1_000_000 else 0", None),  # goes otherwise where both are great
        },
    ),
    odd_if_the_first_is: lambda n, i, j: n + i - j * (1 + i % 2),
}
"""What keeps a tail."""


def noisy_max(counts: tuple[int, int], rng: random.Random) -> int:
    def noise() -> int:
        k = j = 0
        while rng.random() < 0.5:
            k += 1
        while rng.random() < 0.5:
            j += 1
        return k - j

    noisy = [count + noise() for count in counts]
    return noisy.index(max(noisy))
