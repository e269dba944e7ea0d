"""States that differ in values that `==` takes for one, or in the order of a set."""

import collections
import enum
import itertools
import typing
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from masked import rare


# --- set order leaks
def set_str(n, coins):
    s = set()
    for i in (0, 8) if coins.below(2) == 0 else (8, 0):
        s.add(i)
    return str(s) if rare(coins) else None


def set_fstring(n, coins):
    s = set()
    for i in (0, 8) if coins.below(2) == 0 else (8, 0):
        s.add(i)
    return f"{s}" if rare(coins) else None


def set_percent(n, coins):
    s = set()
    for i in (0, 8) if coins.below(2) == 0 else (8, 0):
        s.add(i)
    return (f"{s}") if rare(coins) else None


def set_star(n, coins):
    s = set()
    for i in (0, 8) if coins.below(2) == 0 else (8, 0):
        s.add(i)
    return [*s] if rare(coins) else None


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
def range_stop(n, coins):
    r = range(0, 3 if coins.below(2) == 0 else 4, 2)
    return r.stop if rare(coins) else None


def complex_zero(n, coins):
    z = complex(0.0, 0.0) if coins.below(2) == 0 else complex(0.0, -0.0)
    return str(z) if rare(coins) else None


class Tagged(int):
    def __new__(cls, v, tag):
        o = super().__new__(cls, v)
        o.tag = tag
        return o


A5, B5 = Tagged(5, "a"), Tagged(5, "b")


def int_subclass(n, coins):
    v = A5 if coins.below(2) == 0 else B5
    return v.tag if rare(coins) else None


class Eq(enum.Enum):
    A = 1
    B = 2

    def __eq__(self, o):
        return isinstance(o, Eq)

    def __hash__(self):
        return 0


def enum_eq(n, coins):
    v = Eq.A if coins.below(2) == 0 else Eq.B
    return v.name if rare(coins) else None


class Meta(type):
    def __eq__(self, o):
        return True

    def __hash__(self):
        return 0


class MA(metaclass=Meta):
    x = 1


class MB(metaclass=Meta):
    x = 2


def meta_eq(n, coins):
    v = MA if coins.below(2) == 0 else MB
    return v.x if rare(coins) else None


def union_order(n, coins):
    v = int | str if coins.below(2) == 0 else str | int
    return str(v) if rare(coins) else None


def literal_order(n, coins):
    v = typing.Literal[1, 2] if coins.below(2) == 0 else typing.Literal[2, 1]
    return str(v) if rare(coins) else None


def chain_types(n, coins):
    u = coins.below(2) + (1 if coins.below(2) == 0 else 1.0)
    return u if rare(coins) else None


def chain_fraction(n, coins):
    u = coins.below(2) * (3 if coins.below(2) == 0 else Fraction(3))
    return u if rare(coins) else None


def chain_bool(n, coins):
    u = coins.below(4) + (0 if coins.below(2) == 0 else 0.0)
    return u if rare(coins) else None


# --- identity: which representative came first
def str_same(n, coins):
    a = "ab"
    b = a if coins.below(2) == 0 else "".join(["a", "b"])
    return (a is b) if rare(coins) else None


def int_same(n, coins):
    a = 10**6 + n
    b = a if coins.below(2) == 0 else int("1000001")
    return (a is b) if rare(coins) else None


def bytes_same(n, coins):
    a = b"ab"
    b = a if coins.below(2) == 0 else b"".join([b"a", b"b"])
    return (a is b) if rare(coins) else None


class P(NamedTuple):
    x: int
    y: int


def namedtuple_same(n, coins):
    a = P(1, 2)
    b = a if coins.below(2) == 0 else P(1, 2)
    return (a is b) if rare(coins) else None


def decimal_same(n, coins):
    a = Decimal(5)
    b = a if coins.below(2) == 0 else Decimal("5")
    return (a is b) if rare(coins) else None


def range_same(n, coins):
    a = range(n)
    b = a if coins.below(2) == 0 else range(n)
    return (a is b) if rare(coins) else None


def complex_same(n, coins):
    a = 1j * n
    b = a if coins.below(2) == 0 else 1j * n
    return (a is b) if rare(coins) else None


def decimal_dictkey(n, coins):
    d = {1: "a"} if coins.below(2) == 0 else {True: "a"}
    return list(d) if rare(coins) else None
