"""Calls, walks and errors whose laws are easily taken for one another."""

import enum
import math

from masked import LOOPED, RETURNED, define


def loopy(x, coins):
    for _ in range(2):
        if coins.below(2):
            return math.copysign(1.0, x)
    return 0.0


def sign(coins):
    while coins.below(2):
        pass
    return -0.0 if coins.below(2) else 0.0


def unpack_int(n, coins):
    try:
        a, _b = n
    except TypeError:
        return "type"
    return a


def bare(k, coins):
    while coins.below(2):
        pass
    if k:
        raise
    return 1


def summary_bare(n, coins):
    try:
        try:
            raise KeyError(3)
        except KeyError:
            return bare(1, coins)
    except Exception as e:
        return type(e).__name__


def chain_ctx(k, coins):
    while coins.below(2):
        pass
    try:
        _ = 1 // 0
    except ZeroDivisionError as e:
        return e.__context__ is None


def summary_context(n, coins):
    try:
        raise KeyError(3)
    except KeyError:
        return chain_ctx(1, coins)


def enumtest(x, coins):
    for _ in range(1):
        pass
    return type(x).__name__


def deep(k, coins):
    for _ in range(1):
        pass
    return 0 if k == 0 else deep(k - 1, coins) + coins.below(2)


def kept(k, coins):
    for _ in range(1):
        pass
    return "".join(["a", "b"]) if coins.below(2) else "ab"


COUNT = [0]


def bump(k, coins):
    for _ in range(1):
        pass
    COUNT[0] += 1
    return COUNT[0]


def walk_is(n, coins):
    x = 0
    for _ in range(5):
        x += coins.below(3)
    four = 4
    return x is four


def walk_imag(n, coins):
    x = 0
    for _ in range(5):
        x += 1 if coins.below(3) else 0
    try:
        return x.imag
    except AttributeError:
        return "none"


class Col(enum.IntEnum):
    A = 2


def walk_two(n, coins):
    x = y = 0
    for _ in range(4):
        if coins.below(2):
            x += 1
        else:
            y -= 1
    return x * y


def walk_big(n, coins):
    x = 10**400
    for _ in range(5):
        x += int(coins.below(2))
    try:
        return x * 1.0 > 0
    except OverflowError:
        return "over"


def walk_lock(n, coins):
    x, s = 0, ""
    for _ in range(5):
        x += int(coins.below(2))
    for _ in range(x):
        s += "a"
    return s


PROGRAMS = {
    "summary_zero_args": lambda n, coins: loopy(0.0, coins) + 3 * loopy(-0.0, coins),
    "summary_zero_out": lambda n, coins: str(sign(coins)),
    "summary_bool": lambda n, coins: (enumtest(1, coins), enumtest(True, coins), enumtest(1.0, coins)),
    "summary_deep": lambda n, coins: deep(3, coins),
}


FORMED = {
    RETURNED: {
        "unpack_star": ("a, *_b = 'abc'", "a + str(coins.below(2))"),
        "summary_identity": ("a = kept(1, coins)", "a is kept.__name__ if coins.below(2) else 0"),
        "summary_state": ("COUNT[0] = 0; bump(1, coins)", "bump(1, coins)"),
    },
    LOOPED: {
        "walk": ("x = 0", "for _ in range(6): x += 1 if coins.below(2) else -1", "x"),
        "walk_enum": ("x = 0", "for _ in range(5): x += 1 if coins.below(2) else 0", "x == Col.A"),
        "walk_complex": ("x = 0", "for _ in range(5): x += 1 if coins.below(2) else 0", "x == 2 + 0j"),
        "walk_inf": ("x = 0", "for _ in range(5): x += 1 if coins.below(2) else 0", "x * float('inf') > 3"),
        "walk_mod": ("x = 0", "for _ in range(6): x = (x * 3 + coins.below(4)) % 7", "x"),
        "walk_div": ("x = 0", "for _ in range(5): x += coins.below(4)", "divmod(x - 7, -3)"),
        "walk_list": ("x = [0, 0]", "for _ in range(4): x[coins.below(2)] += 1", "x"),
        "walk_key": ("d = {}; x = 0", "for _ in range(4): x += coins.below(2); d[x % 2] = x", "d"),
        "walk_neg": ("x = 0", "for _ in range(5): x = -x + int(coins.below(2))", "x"),
        "walk_mul": ("x = 1", "for _ in range(5): x = x * 2 - 3 * int(coins.below(2))", "x > 2"),
        "walk_float": ("x = 0", "for _ in range(5): x += int(coins.below(2))", "(x * 0.1 + 0.3 > 0.5, x / 3 == 1)"),
        "walk_class": ("x = 0", "for _ in range(5): x += int(coins.below(2))", "x.__class__ is int"),
        "walk_bit": ("x = 0", "for _ in range(5): x += int(coins.below(2))", "(x & 5, x | 2, x << 1, ~x, x ** 2)"),
        "walk_shared": ("x = 0; y = 0", "for _ in range(5): x += int(coins.below(2)); y = x", "(x - y, x == y)"),
    },
}
define(globals(), FORMED)
