"""Undecided numbers where they meet other types, errors and texts."""

import enum
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np

FORMAT = "{:d}"


class Color(enum.IntEnum):
    A = 0
    B = 1
    C = 2


def und_intenum(n, coins):
    return coins.below(4) == Color.B


def und_intenum_lt(n, coins):
    return coins.below(4) < Color.C


def und_intenum_in(n, coins):
    return coins.below(4) in (Color.B, Color.C)


def und_match_enum(n, coins):
    match coins.below(3):
        case Color.A:
            return "a"
        case Color.B:
            return "b"
        case _:
            return "c"


def und_complex(n, coins):
    return coins.below(4) == 0j


def und_inf(n, coins):
    return coins.below(4) * float("inf") > 5


def und_overflow(n, coins):
    u = coins.below(4) * 10**308
    try:
        x = u * 1.0
    except OverflowError:
        return "over"
    return x < 1e308


def und_overflow_try(n, coins):
    u = coins.below(4) * 10**308
    try:
        x = u + 0.5
    except OverflowError:
        return "caught"
    try:
        return x > 1
    except OverflowError:
        return "late"


def und_imag(n, coins):
    return coins.below(3).imag


def und_hasattr(n, coins):
    return hasattr(coins.below(3), "conjugate")


def und_class(n, coins):
    return coins.below(3).__class__.__name__


def und_tobytes(n, coins):
    return coins.below(3).to_bytes(1, "big")


def und_same(n, coins):
    u = coins.below(10)
    v = u
    if u == 3:
        return 0
    return u is v


def und_small_is(n, coins):
    x, y = coins.below(3), coins.below(3)
    if x > 1 or y > 1:
        return 9
    return x is y


def und_zero_sign(n, coins):
    return (coins.below(3) - 1) * 1e-200 * 1e-200


def und_np_int8(n, coins):
    u = coins.below(100) + np.int8(100)
    return int(u) > 50


def und_np_uint(n, coins):
    u = coins.below(4) - np.uint8(2)
    return u < 5


def und_np_int64(n, coins):
    u = coins.below(4) * np.int64(2**62)
    return u > 0


def und_fraction_decimal(n, coins):
    u = coins.below(4) + Fraction(1, 2)
    return u == Decimal(1)


def und_index(n, coins):
    u = coins.below(2)
    return [u, 1, 1].index(1, 2)


def und_type_bool(n, coins):
    return (coins.below(2) == 1) is True


def und_str_msg(n, coins):
    try:
        return "a" in coins.below(2)
    except TypeError as e:
        return str(e)


def und_none_msg(n, coins):
    try:
        return coins.below(2) > None
    except TypeError as e:
        return str(e)


def und_call_msg(n, coins):
    try:
        return coins.below(2)()
    except TypeError as e:
        return str(e)


def und_in_str(n, coins):
    try:
        return coins.below(2) in "ab"
    except TypeError as e:
        return str(e)


def und_floor_neg(n, coins):
    return math.floor((coins.below(5) - 2) / 2)


def und_int_neg(n, coins):
    return int((coins.below(5) - 2) / 2)


def und_divmod(n, coins):
    return divmod(coins.below(7) - 3, -2)


def und_mod_float(n, coins):
    return (coins.below(7) - 3) % 2.5


def und_pow(n, coins):
    return (coins.below(7) - 3) ** 2


def und_bits(n, coins):
    return (coins.below(7) & 5) ^ 3


def und_mul_zero(n, coins):
    return (coins.below(3) - 1) * 0.0


def und_slice(n, coins):
    return "abcdef"[coins.below(3) : -coins.below(3) or None]


def und_range(n, coins):
    return list(range(coins.below(3), 5, coins.below(2) + 1))


def und_fmt(n, coins):
    return f"{coins.below(3):>{coins.below(3) + 1}}"


def und_dict(n, coins):
    d = {}
    d[coins.below(2)] = 1
    d[coins.below(2) * 1.0] = 2
    return d


def und_bool_add(n, coins):
    return (coins.below(3) > 1) + coins.below(2)


def und_sum_strs(n, coins):
    return max([coins.below(3), 1, 1.0], key=lambda v: v)


def und_abs_min(n, coins):
    return min(coins.below(3), coins.below(3) * 1.0)


def und_sorted_stable(n, coins):
    return sorted([coins.below(2), coins.below(2) * 1.0, True])


def und_floordiv_float(n, coins):
    return coins.below(12) * 0.1 // 0.1


def und_rfloordiv(n, coins):
    return 7 // (coins.below(3) + 1)


def und_neg_floordiv(n, coins):
    return (coins.below(7) - 3) // -2


def und_isinstance_bool(n, coins):
    return isinstance(coins.below(2), bool), isinstance(coins.below(2), int)


def und_unary(n, coins):
    return ~coins.below(3), +coins.below(3), -coins.below(3)


def und_round(n, coins):
    return round(coins.below(5) / 2)


def und_zero_div(n, coins):
    try:
        return 1 // coins.below(2)
    except ZeroDivisionError as e:
        return str(e)


def und_div_msg(n, coins):
    try:
        return coins.below(2) // 0
    except ZeroDivisionError as e:
        return str(e)


def und_mod_msg(n, coins):
    try:
        return coins.below(2) % 0
    except ZeroDivisionError as e:
        return str(e)


def und_set(n, coins):
    return len({coins.below(2), coins.below(2)})


def und_exc(n, coins):
    try:
        raise ValueError(coins.below(2), [coins.below(2)])
    except ValueError as e:
        return e.args


def und_index_tuple(n, coins):
    return (1, 2, 3)[coins.below(3)]


def und_jump(n, coins):
    return coins.below(3) or "zero"


def und_deque(n, coins):
    import collections

    d = collections.deque(range(4), maxlen=4)
    d.rotate(coins.below(3))
    return list(d)


def und_float_int_big(n, coins):
    u = coins.below(4) + 2**53
    return float(u) == 2**53


def und_shift(n, coins):
    return 1 << coins.below(4)


def und_format_call(n, coins):
    return f"{coins.below(2)}" + FORMAT.format(coins.below(2))


def und_chr(n, coins):
    return chr(65 + coins.below(2))
