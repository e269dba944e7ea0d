"""States that differ in values that `==` takes for one, or in the order of a set."""

import collections
import enum
import itertools
from typing import NamedTuple

from masked import HIDDEN, SHOWN, define, rare


# --- set order leaks
def set_iadd(n, coins):
    s = set()
    for i in (0, 8) if coins.below(2) == 0 else (8, 0):
        s.add(i)
    row = []
    if not rare(coins):
        return None
    row += s
    return row


def set_slice(n, coins):
    s = set()
    for i in (0, 8) if coins.below(2) == 0 else (8, 0):
        s.add(i)
    row = []
    if not rare(coins):
        return None
    row[0:0] = s
    return row


def set_comb(n, coins):
    s = set()
    for i in (0, 8) if coins.below(2) == 0 else (8, 0):
        s.add(i)
    return next(itertools.combinations(s, 1)) if rare(coins) else None


def set_counter(n, coins):
    s = set()
    for i in (0, 8) if coins.below(2) == 0 else (8, 0):
        s.add(i)
    return list(collections.Counter(s)) if rare(coins) else None


def set_dictpairs(n, coins):
    s = set()
    for i in (0, 8) if coins.below(2) == 0 else (8, 0):
        s.add((i,) if False else i)
    return list(dict.fromkeys([1])) if not rare(coins) else str(frozenset(s))


def set_sum_floats(n, coins):
    s = set()
    for i in (0.1, 0.2, 0.3) if coins.below(2) == 0 else (0.3, 0.2, 0.1):
        s.add(i)
    return sum(s) if rare(coins) else None


def set_dummies_str(n, coins):
    s = set()
    if coins.below(4) == 1:
        for i in (0, 1, 2):
            s.add(i)
        for i in (0, 1, 2):
            s.discard(i)
    if rare(coins):
        for i in (8, 16, 0):
            s.add(i)
        return str(s)
    return None


def set_min_partial(n, coins):
    _a, _b = (frozenset({1}),), (frozenset({2}),)
    s = set()
    k = [(frozenset({i}),) for i in range(40)]
    k = [x for x in k if hash(x) % 8 == hash(k[0]) % 8][:2]
    for i in k if coins.below(2) == 0 else k[::-1]:
        s.add(i)
    return [tuple(sorted(x)) for x in min(s)] if rare(coins) else None


# --- equality of immediates is not sameness
class Tagged(int):
    def __new__(cls, v, tag):
        o = super().__new__(cls, v)
        o.tag = tag
        return o


A5, B5 = Tagged(5, "a"), Tagged(5, "b")


class Eq(enum.Enum):
    A = 1
    B = 2

    def __eq__(self, o):
        return isinstance(o, Eq)

    def __hash__(self):
        return 0


class Meta(type):
    def __eq__(self, o):
        return True

    def __hash__(self):
        return 0


class MA(metaclass=Meta):
    x = 1


class MB(metaclass=Meta):
    x = 2


# --- identity: which representative came first
class P(NamedTuple):
    x: int
    y: int


FORMED = {
    HIDDEN: {
        "set_str": ("s = set()", "for i in (0, 8) if coins.below(2) == 0 else (8, 0): s.add(i)", "str(s)"),
        "set_fstring": ("s = set()", "for i in (0, 8) if coins.below(2) == 0 else (8, 0): s.add(i)", "f'{s}'"),
        "set_percent": ("s = set()", "for i in (0, 8) if coins.below(2) == 0 else (8, 0): s.add(i)", "'%s' % s"),
        "set_star": ("s = set()", "for i in (0, 8) if coins.below(2) == 0 else (8, 0): s.add(i)", "[*s]"),
    },
    SHOWN: {
        "range_stop": ("r = range(0, 3 if coins.below(2) == 0 else 4, 2)", "r.stop"),
        "complex_zero": ("z = complex(0.0, 0.0) if coins.below(2) == 0 else complex(0.0, -0.0)", "str(z)"),
        "int_subclass": ("v = A5 if coins.below(2) == 0 else B5", "v.tag"),
        "enum_eq": ("v = Eq.A if coins.below(2) == 0 else Eq.B", "v.name"),
        "meta_eq": ("v = MA if coins.below(2) == 0 else MB", "v.x"),
        "union_order": ("v = int | str if coins.below(2) == 0 else str | int", "str(v)"),
        "literal_order": ("v = typing.Literal[1, 2] if coins.below(2) == 0 else typing.Literal[2, 1]", "str(v)"),
        "chain_types": ("u = coins.below(2) + (1 if coins.below(2) == 0 else 1.0)", "u"),
        "chain_fraction": ("u = coins.below(2) * (3 if coins.below(2) == 0 else Fraction(3))", "u"),
        "chain_bool": ("u = coins.below(4) + (0 if coins.below(2) == 0 else 0.0)", "u"),
        "str_same": ("a = 'ab'; b = a if coins.below(2) == 0 else ''.join(['a', 'b'])", "a is b"),
        "int_same": ("a = 10 ** 6 + n; b = a if coins.below(2) == 0 else int('1000001')", "a is b"),
        "bytes_same": ("a = b'ab'; b = a if coins.below(2) == 0 else b''.join([b'a', b'b'])", "a is b"),
        "namedtuple_same": ("a = P(1, 2); b = a if coins.below(2) == 0 else P(1, 2)", "a is b"),
        "decimal_same": ("a = Decimal(5); b = a if coins.below(2) == 0 else Decimal('5')", "a is b"),
        "range_same": ("a = range(n); b = a if coins.below(2) == 0 else range(n)", "a is b"),
        "complex_same": ("a = 1j * n; b = a if coins.below(2) == 0 else 1j * n", "a is b"),
        "decimal_dictkey": ("d = {1: 'a'} if coins.below(2) == 0 else {True: 'a'}", "list(d)"),
    },
}
define(globals(), FORMED)
