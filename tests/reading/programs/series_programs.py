"""Programs whose loops count their turns: some have geometric tails, others look as if they had."""

import itertools
import random
from collections.abc import Callable
from decimal import Decimal
from types import SimpleNamespace

from loops import two_sided
from masked import define

from dpcert.mechanisms.exact.coins import Coins

SEEN = {1_000}
NAMED = [1_000]


def one_sided(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(3):
        k += 1
    return n + k


def steep(n: int, coins: Coins) -> int:
    """Two-sided noise that is rarely far out, so that few states are explored."""
    noise = 0
    while not coins.below(64):
        noise += 1
    while not coins.below(64):
        noise -= 1
    return n + noise


def of_two_ratios(n: int, coins: Coins) -> int:
    noise = n
    while coins.below(3):
        noise += 1
    while coins.below(4):
        noise -= 1
    return noise


def signed(n: int, coins: Coins) -> int:
    while True:
        negative = coins.random() < 0.5
        size = 0
        while coins.random() < 0.5:
            size += 1
        if negative and size == 0:
            continue
        return n - size if negative else n + size


def broken_off(n: int, coins: Coins) -> int:
    k = 0
    while True:
        if coins.random() < 0.5:
            break
        k += 1
    return n + 3 * k


def handed_a_generator(n: int, rng: random.Random) -> int:
    k = 0
    while rng.random() < 0.5:
        k += 1
    while rng.random() < 0.5:
        k -= 1
    return n + k


def in_two_steps(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(2):
        while not coins.below(3):
            pass
        k += 1
    return n - abs(k)


def turned(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(2):
        k += 1
    if coins.below(2):
        k = -k
    return n + 2 * k


def clamped_below(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(2):
        k += 1
    while coins.below(2):
        k -= 1
    return n + max(k, 0)


def bounded(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(2):
        k += 1
        if k > 1_000:
            break
    return n + k


def rarer_each_time(n: int, coins: Coins) -> int:
    k = 0
    while not coins.below(k + 2):
        k += 1
    return n + k


def rarer_in_floats(n: int, coins: Coins) -> int:
    k = 0
    while coins.random() < 1 / (k + 2):
        k += 1
    return n + k


def rarer_by_powers(n: int, coins: Coins) -> int:
    k = 0
    while coins.random() < 0.9**k / 2:
        k += 1
    return n + k


def by_parity(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(2 + k % 2):
        k += 1
    return n + k


def by_code_in_c(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(2):
        k += 1
    try:
        Decimal(k)
    except TypeError:
        return n - k
    return n + k


def by_an_error_of_c(n: int, coins: Coins) -> int:
    """5,000 is neither explored nor one of the numbers that are run plainly."""
    k = 0
    while coins.below(2):
        k += 1
    try:
        far = Decimal(k) == 5_000
    except TypeError:
        far = False
    return n if far else n + k


def as_a_float(n: int, coins: Coins) -> float:
    k = 0.0
    while coins.below(2):
        k += 1
    return n + k


def in_an_attribute(n: int, coins: Coins) -> int:
    kept = SimpleNamespace(k=0)
    while coins.below(2):
        kept.k += 1
    return n if kept.k > 1_000 else n + kept.k


def in_a_closure(n: int, coins: Coins) -> int:
    k = 0

    def late() -> bool:
        return k > 1_000

    while coins.below(2):
        k += 1
    return n if late() else n + k


def of_a_sum(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(2):
        k += 1
    while coins.below(2):
        k += 1
    return n + k


def mixed(n: int, coins: Coins) -> int:
    k = 0
    if coins.below(2):
        while coins.below(2):
            k += 1
        return n + k
    while coins.below(3):
        k += 1
    return n + k


def of_two_steps(n: int, coins: Coins) -> int:
    k = 0
    if coins.below(2):
        while coins.below(2):
            k += 1
        return n + k
    while coins.below(2):
        k += 2
    return n + k


def walking(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(5):
        k += 1 if coins.below(2) else -1
    return n + k


def twice(n: int, coins: Coins) -> int:
    k = 1
    while coins.below(2):
        k *= 2
    return n + k


def paired(n: int, coins: Coins) -> tuple[int, int]:
    a = b = 0
    while not coins.below(64):
        a += 1
    while not coins.below(64):
        b += 1
    return n + a, b


def counted(n: int, coins: Coins) -> int:
    k = 0
    for _ in itertools.count():
        if coins.below(2):
            break
        k += 1
    return n + k


AFTER_A_LOOP = """
k = 0
while coins.below(2):
    k += 1
return {}
"""
SUMMED: tuple[Callable[..., int], ...] = (
    *(one_sided, two_sided, of_two_ratios, signed, broken_off, handed_a_generator, in_two_steps, turned, clamped_below),
    *(in_an_attribute, in_a_closure, counted, of_a_sum, mixed, of_two_steps),
    *define(
        globals(),
        {
            AFTER_A_LOOP: {
                "but_for_one": ("n if k == 1_000 else n + k",),
                "in_a_list": ("n if k in NAMED else n + k",),
                "by_type": ("n + k if type(k) is int else n",),
            }
        },
    ),
)
NOT_SUMMED: tuple[Callable[..., object], ...] = (
    *(rarer_each_time, rarer_in_floats, rarer_by_powers, by_parity),
    *(by_code_in_c, by_an_error_of_c, as_a_float, walking, twice),
    *define(
        globals(),
        {
            AFTER_A_LOOP: {
                "by_bits": ("n + (k & 1_024)",),
                "by_digits": ("n + len(str(k))",),
                "by_format": ('f"{n + k}"',),
                "by_hash": ("n + hash(k)",),
                "in_a_set": ("n if k in SEEN else n + k",),
                "by_a_method_of_int": ('n if repr(int.__eq__(5_000, k)) == "True" else n + k',),
                "as_a_fraction": ("Fraction(n + k)",),
                "of_a_product": ("n + k * k",),
            }
        },
    ),
)
LONG = (rarer_by_powers, rarer_in_floats, as_a_float, twice)
"""Those of them that take seconds each; `rarer_each_time` takes as long, and is read in a plain run."""
