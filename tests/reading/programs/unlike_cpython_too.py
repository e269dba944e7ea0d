"""More programs by which a machine is told from CPython: errors, texts, containers."""

import collections

from masked import RETURNED, define


def close_inner(n, coins):
    def inner():
        yield 1
        yield 2

    i = inner()

    def outer():
        yield from i

    o = outer()
    next(o)
    o.close()
    return next(i, "done")


def error_value(n, coins):
    try:
        raise ValueError(5)
    except ValueError as e:
        return getattr(e, "value", "none"), getattr(e, "code", "none")


def oserror(n, coins):
    try:
        raise OSError(2, "x")
    except FileNotFoundError:
        return "fnf"
    except OSError:
        return "os"


def exit_tb(n, coins):
    class C:
        def __enter__(self):
            return self

        def __exit__(self, k, e, tb):
            return tb is not None

    with C():
        raise ValueError(1)
    return "gone"


def match_mapping(n, coins):
    match collections.ChainMap({"a": 1}):
        case {"a": x}:
            return x
        case _:
            return "no"


def truth_overlay(n, coins):
    class A:
        pass

    return HC() and True


class HC:
    pass


def list_iadd_inst(n, coins):
    class A:
        def __iter__(self):
            return iter([1, 2])

    row = [0]
    row += A()
    return row


def qualname(n, coins):
    def g():
        pass

    return g.__qualname__


def message(n, coins):
    class A:
        pass

    try:
        len(A())
    except TypeError as e:
        return str(e)


def message2(n, coins):
    def g(a):
        pass

    try:
        g()
    except TypeError as e:
        return str(e)


def index_start(n, coins):
    class A:
        pass

    a = A()
    return [a, 1, a].index(a, 1)


def fold_alias(n, coins):
    seen = []

    def step(s, i, c):
        t = [*list(s), i] if type(s) is tuple else s
        if type(s) is list:
            s.append(i)
        seen.append(t)
        return t

    coins.fold([1, 2, 3], (), step)
    return [len(x) for x in seen]


def dict_rev(n, coins):
    d = {1: 1, 2: 2}
    r = reversed(d)
    next(r)
    d[3] = 1
    try:
        return next(r)
    except RuntimeError:
        return "error"


def descr_over_dict(n, coins):
    class D:
        def __get__(self, o, c):
            return "descr"

        def __set__(self, o, v):
            pass

    class A:
        pass

    a = A()
    a.x = 1
    A.x = D()
    return a.x


def counter_items_view(n, coins):
    c = collections.Counter("ab")
    out = []
    for _k, v in c.items():
        c["b"] += 1
        out.append(v)
    return out


PROGRAMS = {
    "below_float": lambda n, coins: coins.below(2.0),
    "below_zero": lambda n, coins: coins.below(0),
    "keys_ge": lambda n, coins: {1: 2}.keys() >= {1},
    "random_gauss": lambda n, coins: coins.triangular(0, 0, 0),
    "generator_type_name": lambda n, coins: type(enumerate([])).__name__,
}


FORMED = {
    RETURNED: {
        "bool_later": ("HC.__bool__ = lambda s: False; r = 1 if HC() else 0; del HC.__bool__", "r"),
        "in_eq_later": ("HC.__eq__ = lambda s, o: True; r = HC() in [HC()]; del HC.__eq__", "r"),
        "product_eager": ("row = [1, 2]; p = itertools.product(row); row.append(3)", "len(list(p))"),
    },
}
define(globals(), FORMED)
