"""States that differ in which objects are one, and in what objects of the host hold."""

import collections
import contextlib
import types
from typing import ClassVar

from masked import HIDDEN, RETURNED, SHOWN, define, rare


class Obj:
    x = 0


KEY = Obj()
D = {KEY: 1}


def key_object(n, coins):
    KEY.x = int(coins.below(2))
    if not rare(coins):
        return None
    for k in D:
        return k.x
    return None


class Tok:
    def __init__(self, v):
        self.v = v

    def __eq__(self, o):
        return True

    def __hash__(self):
        return 1


T1, T2 = Tok(1), Tok(2)
TD = {T1: 1}


class Node:
    def __init__(self, v):
        self.v = v


NS = types.SimpleNamespace(a=[1])


NESTED = [[0]]


TUP = ([0],)


def closure_of():
    c = 0

    def inc():
        nonlocal c
        c += 1
        return c

    return inc


INC = closure_of()


ROWS = []


def deflt(x, row=ROWS):
    row.append(x)
    return len(row)


def func_attr(n, coins):
    func_attr.k = int(coins.below(2))
    return func_attr.k if rare(coins) else None


class Cnt:
    items: ClassVar[list] = []
    n = 0


def gen_dropped(n, coins):
    log = []

    def g():
        try:
            yield 1
        finally:
            log.append(1)

    it = g()
    next(it)
    if coins.below(2):
        del it
    return len(log) if rare(coins) else None


def again(error):
    raise error


def exc_chain(n, coins):
    e = ValueError(1)
    try:
        if coins.below(2):
            try:
                raise KeyError(2)
            except KeyError:
                again(e)
        else:
            raise e
    except ValueError:
        pass
    return (e.__context__ is None) if rare(coins) else None


def exc_suppress(n, coins):
    e = ValueError(1)
    try:
        try:
            raise KeyError(2)
        except KeyError:
            if coins.below(2):
                raise e from None
            again(e)
    except ValueError:
        pass
    return e.__suppress_context__ if rare(coins) else None


def finalizer_order(n, coins):
    with contextlib.ExitStack() as s:
        s.callback(lambda: None)
        if coins.below(2):
            s.pop_all()
    return


def same_objects(n, coins):
    a = [1]
    b = a if coins.below(2) == 0 else [1]
    if rare(coins):
        a.append(2)
        return b
    return None


def bound_self(n, coins):
    a, b = [1], [1]
    f = a.append if coins.below(2) else b.append
    if rare(coins):
        f(2)
        return len(a)
    return None


def func_default_zero(n, coins):
    z = 0.0 if coins.below(2) else -0.0

    def f(x=z):
        return x

    return str(f()) if rare(coins) else None


def range_iter_own(n, coins):
    t = 0
    for i in range(0, 4 if coins.below(2) else 3, 2):
        t += i
        if rare(coins):
            return t
    return None


def deque_len(n, coins):
    d = collections.deque([1], 2 if coins.below(2) else 3)
    if rare(coins):
        d.extend([2, 3])
        return len(d)
    return None


def kwdefaults(n, coins):
    k = int(coins.below(2))

    def f(*, a=k):
        return a

    return f() if rare(coins) else None


def func_globals(n, coins):
    class A:
        k = int(coins.below(2))

        def f(self):
            return self.k

    m = A().f
    return m() if rare(coins) else None


FORMED = {
    RETURNED: {
        "prop_deleter": ("", "None"),
    },
    SHOWN: {
        "key_lookup": ("t = T1 if coins.below(2) else T2", "TD.get(t, 0)"),
        "namespace": ("NS.a[0] = int(coins.below(2))", "NS.a[0]"),
        "nested": ("NESTED[0][0] = int(coins.below(2))", "NESTED[0][0]"),
        "in_tuple": ("TUP[0][0] = int(coins.below(2))", "TUP[0][0]"),
        "class_attr": ("Cnt.n = int(coins.below(2))", "Cnt().n"),
        "und_shared": ("u = coins.below(2); v = u if coins.below(2) else coins.below(2)", "(u, v)"),
        "str_method": ("f = 'ab'.upper if coins.below(2) else 'cd'.upper", "f()"),
        "float_zero_key": ("d = {0.0: 1} if coins.below(2) else {-0.0: 1}", "str(list(d))"),
        "tuple_zero": ("t = (0.0, (1,)) if coins.below(2) else (-0.0, (True,))", "str(t)"),
        "set_types": ("s = {1} if coins.below(2) else {True}", "[type(x).__name__ for x in sorted(s)]"),
        "slice_types": ("s = slice(0, 1) if coins.below(2) else slice(False, True)", "str(s)"),
        "range_types": ("s = range(2) if coins.below(2) else range(False, 2)", "str(s)"),
        "frozenset_types": ("s = frozenset([1]) if coins.below(2) else frozenset([True])", "str(s)"),
        "frozenset_zero": ("s = frozenset([0.0]) if coins.below(2) else frozenset([-0.0])", "str(s)"),
        "default_factory": ("d = collections.defaultdict(int if coins.below(2) else str)", "d[0]"),
    },
    HIDDEN: {
        "host_cell": ("a = INC()", "if coins.below(2): INC()", "INC() - a"),
        "host_default": ("a = deflt(1)", "if coins.below(2): deflt(1)", "deflt(1) - a"),
        "class_list": ("Cnt.items.clear()", "if coins.below(2): Cnt.items.append(1)", "len(Cnt.items)"),
        "gen_shared": ("g = (i for i in range(9)); a = [g, g]; next(g)", "if coins.below(2): next(a[1])", "next(a[0])"),
        "dict_order": ("d = {}", "for k in (1, 2) if coins.below(2) else (2, 1): d[k] = 0", "list(d)"),
    },
}
define(globals(), FORMED)
