"""Undecided numbers where they meet other types, errors and texts."""

import enum
import math
from fractions import Fraction

from masked import RETURNED, TRIED, define

FORMAT = "{:d}"


class Color(enum.IntEnum):
    A = 0
    B = 1
    C = 2


def und_match_enum(n, coins):
    match coins.below(3):
        case Color.A:
            return "a"
        case Color.B:
            return "b"
        case _:
            return "c"


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


def und_same(n, coins):
    u = coins.below(10)
    v = u
    if u == 3:
        return 0
    return u is v


def und_exc(n, coins):
    try:
        raise ValueError(coins.below(2), [coins.below(2)])
    except ValueError as e:
        return e.args


def und_deque(n, coins):
    import collections

    d = collections.deque(range(4), maxlen=4)
    d.rotate(coins.below(3))
    return list(d)


PROGRAMS = {
    "und_intenum": lambda n, coins: coins.below(4) == Color.B,
    "und_intenum_lt": lambda n, coins: coins.below(4) < Color.C,
    "und_intenum_in": lambda n, coins: coins.below(4) in (Color.B, Color.C),
    "und_complex": lambda n, coins: coins.below(4) == 0j,
    "und_inf": lambda n, coins: coins.below(4) * float("inf") > 5,
    "und_imag": lambda n, coins: coins.below(3).imag,
    "und_hasattr": lambda n, coins: hasattr(coins.below(3), "conjugate"),
    "und_class": lambda n, coins: coins.below(3).__class__.__name__,
    "und_tobytes": lambda n, coins: coins.below(3).to_bytes(1, "big"),
    "und_zero_sign": lambda n, coins: (coins.below(3) - 1) * 1e-200 * 1e-200,
    "und_type_bool": lambda n, coins: (coins.below(2) == 1) is True,
    "und_floor_neg": lambda n, coins: math.floor((coins.below(5) - 2) / 2),
    "und_int_neg": lambda n, coins: int((coins.below(5) - 2) / 2),
    "und_divmod": lambda n, coins: divmod(coins.below(7) - 3, -2),
    "und_mod_float": lambda n, coins: (coins.below(7) - 3) % 2.5,
    "und_pow": lambda n, coins: (coins.below(7) - 3) ** 2,
    "und_bits": lambda n, coins: (coins.below(7) & 5) ^ 3,
    "und_mul_zero": lambda n, coins: (coins.below(3) - 1) * 0.0,
    "und_slice": lambda n, coins: "abcdef"[coins.below(3) : -coins.below(3) or None],
    "und_range": lambda n, coins: list(range(coins.below(3), 5, coins.below(2) + 1)),
    "und_fmt": lambda n, coins: f"{coins.below(3):>{coins.below(3) + 1}}",
    "und_bool_add": lambda n, coins: (coins.below(3) > 1) + coins.below(2),
    "und_sum_strs": lambda n, coins: max([coins.below(3), 1, 1.0], key=lambda v: v),
    "und_max_first": lambda n, coins: max(coins.below(3), 1, 1.0),
    "und_min_last": lambda n, coins: min(True, coins.below(2), 0.0),
    "und_max_zeros": lambda n, coins: (
        max(-0.0, 0.0),
        max(0.0, -0.0),
        min(1, True),
        max(coins.below(2), Fraction(1, 2)),
    ),
    "und_max_texts": lambda n, coins: max(coins.below(2), "1"),
    "und_max_complex": lambda n, coins: max(coins.below(2), 1j),
    "und_abs_min": lambda n, coins: min(coins.below(3), coins.below(3) * 1.0),
    "und_sorted_stable": lambda n, coins: sorted([coins.below(2), coins.below(2) * 1.0, True]),
    "und_floordiv_float": lambda n, coins: coins.below(12) * 0.1 // 0.1,
    "und_rfloordiv": lambda n, coins: 7 // (coins.below(3) + 1),
    "und_neg_floordiv": lambda n, coins: (coins.below(7) - 3) // -2,
    "und_isinstance_bool": lambda n, coins: (isinstance(coins.below(2), bool), isinstance(coins.below(2), int)),
    "und_unary": lambda n, coins: (~coins.below(3), +coins.below(3), -coins.below(3)),
    "und_round": lambda n, coins: round(coins.below(5) / 2),
    "und_set": lambda n, coins: len({coins.below(2), coins.below(2)}),
    "und_index_tuple": lambda n, coins: (1, 2, 3)[coins.below(3)],
    "und_jump": lambda n, coins: coins.below(3) or "zero",
    "und_shift": lambda n, coins: 1 << coins.below(4),
    "und_format_call": lambda n, coins: f"{coins.below(2)}" + FORMAT.format(coins.below(2)),
    "und_chr": lambda n, coins: chr(65 + coins.below(2)),
}

FORMED = {
    RETURNED: {
        "und_np_int8": ("u = coins.below(100) + np.int8(100)", "int(u) > 50"),
        "und_np_uint": ("u = coins.below(4) - np.uint8(2)", "u < 5"),
        "und_np_int64": ("u = coins.below(4) * np.int64(2 ** 62)", "u > 0"),
        "und_fraction_decimal": ("u = coins.below(4) + Fraction(1, 2)", "u == Decimal(1)"),
        "und_index": ("u = coins.below(2)", "[u, 1, 1].index(1, 2)"),
        "und_dict": ("d = {}; d[coins.below(2)] = 1; d[coins.below(2) * 1.0] = 2", "d"),
        "und_float_int_big": ("u = coins.below(4) + 2 ** 53", "float(u) == 2 ** 53"),
    },
    TRIED: {
        "und_str_msg": ("", "return 'a' in coins.below(2)", "TypeError as e", "str(e)"),
        "und_none_msg": ("", "return coins.below(2) > None", "TypeError as e", "str(e)"),
        "und_call_msg": ("", "return coins.below(2)()", "TypeError as e", "str(e)"),
        "und_in_str": ("", "return coins.below(2) in 'ab'", "TypeError as e", "str(e)"),
        "und_zero_div": ("", "return 1 // coins.below(2)", "ZeroDivisionError as e", "str(e)"),
        "und_div_msg": ("", "return coins.below(2) // 0", "ZeroDivisionError as e", "str(e)"),
        "und_mod_msg": ("", "return coins.below(2) % 0", "ZeroDivisionError as e", "str(e)"),
    },
}
define(globals(), FORMED)
