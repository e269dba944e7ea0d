"""Programs of numpy's scalars, on known numbers and on draws; each is a function of an input and coins."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from dpcert.mechanisms.exact.coins import Coins

ONE, THREE, WORD, YES = np.float64(1.5), np.int64(3), np.str_("ab"), np.True_


def mixed(n: int, coins: Coins) -> Any:
    """Operators on one undecided number and many kinds of known ones."""
    k = coins.below(4)
    return [k + THREE, k * ONE, k / np.float32(3), k - np.uint8(200), np.int8(7) // (k + 1), -(k + THREE), ~(k + THREE)]


def questions(n: int, coins: Coins) -> Any:
    k = coins.below(6) + THREE
    return k > 5, k == 4, k >= 5, k != np.float32(4), bool(k < np.uint8(4)), k <= 4.5


def types(n: int, coins: Coins) -> Any:
    k = coins.below(3) + THREE
    names = [type(each).__name__ for each in (k, k > 4, k / 2, k * 1j, k**2, round(k), k.item(), int(k), float(k))]
    return (
        names,
        isinstance(ONE, float),
        isinstance(k, int),
        isinstance(k, np.integer),
        isinstance(YES, (int, np.bool_)),
    )


def wraps(n: int, coins: Coins) -> Any:
    """A narrow integer becomes another number on its way; an interval of it has no ends."""
    x = np.int8(100) + coins.below(60)
    return bool(x > 0), x


def wraps_twice(n: int, coins: Coins) -> Any:
    x = np.uint8(10) - np.uint8(coins.below(20))
    return x > 100


def wraps_in_products(n: int, coins: Coins) -> Any:
    x = np.int8(coins.below(100)) * np.int8(9)
    return x < 0


def wraps_by_shifts(n: int, coins: Coins) -> Any:
    return (np.int8(coins.below(64)) << 2) < 0, (np.int8(coins.below(64)) << np.int8(2)) < 0


def wraps_when_negated(n: int, coins: Coins) -> Any:
    return -np.uint8(coins.below(3)) > 100, abs(np.int8(-126) - np.int8(coins.below(3))) > 0


def wraps_when_made(n: int, coins: Coins) -> Any:
    return np.int8(np.float64(coins.below(4) * 100)) < 0


def out_of_bounds(n: int, coins: Coins) -> Any:
    try:
        return np.uint8(coins.below(4) * 100)
    except OverflowError as error:
        return str(error)


def too_large_beside(n: int, coins: Coins) -> Any:
    try:
        return np.int8(coins.below(3)) + 300
    except OverflowError as error:
        return str(error)


def truths(n: int, coins: Coins) -> Any:
    """numpy's truth values add as `or`, and have no difference."""
    b = np.bool_(coins.below(2))
    try:
        return b - YES
    except TypeError as error:
        return str(error), b + YES, b * YES, b & False, b | b, ~b, b + 1, sum([b, YES])


def truth_of_negatives(n: int, coins: Coins) -> Any:
    return np.bool_(coins.below(3) - 1), not (coins.below(3) + THREE)


def remainders(n: int, coins: Coins) -> Any:
    k = coins.below(30) + np.int64(-12)
    return k % 7, k & 3, k % np.int64(5), (coins.below(9) + 1) % THREE, k >> 1, k // 4


def indices(n: int, coins: Coins) -> Any:
    k = np.int64(coins.below(2))
    row = [5, 6, 7]
    row.insert(k, 9)
    return (
        row[THREE],
        row[k],
        row[k:THREE],
        row.pop(k),
        "xyz"[k],
        (1, 2) * THREE,
        list(range(k, THREE)),
        {1: 2}.get(k + 1),
    )


def keys(n: int, coins: Coins) -> Any:
    k = coins.below(3) + np.int64(0)
    found = {k: 1, 1: 2, np.float64(2): 3, np.float32(0.1): 4, 0.1: 5}
    return list(found.items()), len({k, 0, 1, np.True_})


def signs(n: int, coins: Coins) -> Any:
    k = np.float64(coins.below(3) - 1) * 0.0
    return k, math.copysign(1, k), k == 0


def merged(n: int, coins: Coins) -> Any:
    """A count of numpy's own: states that are equal are one."""
    total = np.int64(0)
    for _ in range(4):
        total += coins.below(2)
    return total


def texts(n: int, coins: Coins) -> Any:
    k = np.float64(coins.below(2)) / 3
    return f"{k:.3f}", str(k), repr(k), WORD + "c", WORD.upper(), type(WORD + "c").__name__, WORD == "ab"


def others(n: int, coins: Coins) -> Any:
    k = coins.below(2) + np.int64(1)
    return k * Fraction(1, 2), np.float64(k) + Fraction(1, 3), int(k) * Decimal(2), k * 2j, math.sqrt(k), divmod(k, 2)


def tuples(n: int, coins: Coins) -> Any:
    k = np.float32(coins.below(3))
    return max(k, 1), min([k, ONE]), sorted([ONE, k, THREE]), sum([k, k]), abs(-k), pow(k, 2), round(k / 3, 2)


def fields(n: int, coins: Coins) -> Any:
    k = np.int16(coins.below(2))
    return (
        k.real,
        k.imag,
        k.shape,
        k.ndim,
        k.itemsize,
        k.tolist(),
        ONE.is_integer(),
        k.bit_count(),
        ONE.as_integer_ratio(),
    )


def narrow_floats(n: int, coins: Coins) -> Any:
    k = np.float16(coins.below(50)) * 1000
    return k > 40000, np.float32(coins.below(3)) == 0.1 * 10


def absolute(n: int, coins: Coins) -> Any:
    """Numbers of which the sign is not known, of Python and of numpy."""
    k = coins.below(5) - 2
    sizes = [math.fabs(k), math.copysign(k, -1), abs(k), abs(np.int64(k)), abs(np.int8(k) * np.int8(64)), np.fabs(k)]
    return sizes, math.fabs(k) == ONE, coins.below(3)


def truncated(n: int, coins: Coins) -> Any:
    """Integers of numpy's have no `__trunc__`; floats have."""
    k = coins.below(3)
    return math.trunc(np.float64(k) / 2), math.trunc(k), math.trunc(np.int64(k))


def of_the_type_of_the_result(n: int, coins: Coins) -> Any:
    """Numbers between bounds have the type of what the function gives."""
    x = np.exp(-float(coins.below(300)))
    try:
        return x.bit_length()
    except AttributeError as e:
        return type(x.item()).__name__, str(e)


def powers_of_fractions(n: int, coins: Coins) -> Any:
    return np.power(Fraction(1, 3) * coins.below(3), 2)


def matched(n: int, coins: Coins) -> Any:
    match coins.below(3) + np.int64(0):
        case 0:
            return "none"
        case int():
            return "int"
        case np.int64():
            return "numpy's"


PROGRAMS = (
    *(mixed, questions, types, wraps, wraps_twice, wraps_in_products, wraps_by_shifts, wraps_when_negated),
    *(wraps_when_made, out_of_bounds, too_large_beside, truths, truth_of_negatives, remainders, indices, keys, signs),
    *(merged, texts, others, tuples, fields, narrow_floats, matched),
    *(absolute, truncated, of_the_type_of_the_result, powers_of_fractions),
)
