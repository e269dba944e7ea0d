"""Programs whose loops count their turns: some have geometric tails, others look as if they had."""

import itertools
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

from dpcert.mechanisms.exact.coins import Coins

SEEN = {1_000}
NAMED = [1_000]


def one_sided(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(3):
        k += 1
    return n + k


def two_sided(n: int, coins: Coins) -> int:
    noise = 0
    while coins.random() < 0.5:
        noise += 1
    while coins.random() < 0.5:
        noise -= 1
    return n + noise


def steep(n: int, coins: Coins) -> int:
    """Two-sided noise that is rarely far out, so that few states are explored."""
    noise = 0
    while not coins.below(8):
        noise += 1
    while not coins.below(8):
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


def but_for_one(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(2):
        k += 1
    return n if k == 1_000 else n + k


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


def by_bits(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(2):
        k += 1
    return n + (k & 1_024)


def by_digits(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(2):
        k += 1
    return n + len(str(k))


def by_format(n: int, coins: Coins) -> str:
    k = 0
    while coins.below(2):
        k += 1
    return f"{n + k}"


def by_hash(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(2):
        k += 1
    return n + hash(k)


def in_a_set(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(2):
        k += 1
    return n if k in SEEN else n + k


def in_a_list(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(2):
        k += 1
    return n if k in NAMED else n + k


def by_type(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(2):
        k += 1
    return n + k if type(k) is int else n


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


def by_a_method_of_int(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(2):
        k += 1
    return n if repr(int.__eq__(5_000, k)) == "True" else n + k


def as_a_float(n: int, coins: Coins) -> float:
    k = 0.0
    while coins.below(2):
        k += 1
    return n + k


def as_a_fraction(n: int, coins: Coins) -> Fraction:
    k = 0
    while coins.below(2):
        k += 1
    return Fraction(n + k)


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


def of_a_product(n: int, coins: Coins) -> int:
    k = 0
    while coins.below(2):
        k += 1
    return n + k * k


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


SUMMED: tuple[Callable[..., int], ...] = (
    *(one_sided, two_sided, of_two_ratios, signed, broken_off, handed_a_generator, in_two_steps, turned, clamped_below),
    *(but_for_one, in_a_list, in_an_attribute, in_a_closure, by_type, counted, of_a_sum, mixed, of_two_steps),
)
NOT_SUMMED: tuple[Callable[..., object], ...] = (
    *(rarer_each_time, rarer_in_floats, rarer_by_powers, by_parity, by_bits, by_digits, by_format, by_hash, in_a_set),
    *(by_code_in_c, by_an_error_of_c, by_a_method_of_int, as_a_float, as_a_fraction, walking, twice, of_a_product),
)
