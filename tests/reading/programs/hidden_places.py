"""States that differ in an iterator, a type or an object of the host; cousins of known faults."""

import collections
import functools
import itertools
from collections import OrderedDict, defaultdict

from masked import rare


def hidden_lru(n, coins):
    c = []

    @functools.lru_cache(None)
    def f(x):
        c.append(x)
        return x

    if coins.below(2):
        f(1)
    f(2)
    if rare(coins):
        f(1)
        return len(c)
    return None


def hidden_chain(n, coins):
    c = itertools.chain([1], [2, 3])
    if coins.below(2):
        next(c)
    return next(c) if rare(coins) else None


def hidden_islice(n, coins):
    c = itertools.islice(range(9), 1, None, 2)
    if coins.below(2):
        next(c)
    return next(c) if rare(coins) else None


def hidden_cycle(n, coins):
    c = itertools.cycle("ab")
    if coins.below(2):
        next(c)
    return next(c) if rare(coins) else None


def hidden_acc(n, coins):
    c = itertools.accumulate([1, 2, 3])
    if coins.below(2):
        next(c)
    return next(c) if rare(coins) else None


def hidden_map(n, coins):
    src = iter(range(9))
    m = map(lambda x, y: x + y, src, src)
    if coins.below(2):
        next(src)
    return next(m) if rare(coins) else None


def hidden_enum(n, coins):
    e = enumerate("abc")
    if coins.below(2):
        next(e)
    return next(e) if rare(coins) else None


def hidden_rev(n, coins):
    row = [1, 2, 3]
    r = reversed(row)
    if coins.below(2):
        next(r)
    if rare(coins):
        row.append(4)
        return next(r)
    return None


def hidden_yf(n, coins):
    def i():
        yield 1
        yield 2
        return 9

    def o():
        r = yield from i()
        yield r

    g = o()
    if coins.below(2):
        next(g)
    return (next(g), next(g)) if rare(coins) else None


def hidden_dd(n, coins):
    d = defaultdict(list if coins.below(2) else int)
    return d[1] if rare(coins) else None


def hidden_cp(n, coins):
    class C:
        k = 0

        @property
        def v(s):
            s.k += 1
            return s.k

    c = C()
    if coins.below(2):
        _ = c.v
    return c.v if rare(coins) else None


def hidden_fn(n, coins):
    f = (lambda: 1) if coins.below(2) else (lambda: 2)
    return f() if rare(coins) else None


def hidden_fn2(n, coins):
    k = int(coins.below(2))
    fs = [lambda: k]
    if coins.below(2):
        k = 5
    return fs[0]() if rare(coins) else None


def hidden_globals(n, coins):
    global G1
    G1 = 1 if coins.below(2) else True
    return type(G1).__name__ if rare(coins) else None


def hidden_bool(n, coins):
    x = [1 if coins.below(2) else True]
    return type(x[0]).__name__ if rare(coins) else None


def hidden_str_bytes(n, coins):
    x = "a" if coins.below(2) else b"a"
    return type(x).__name__ if rare(coins) else None


def hidden_tuple_list(n, coins):
    x = (1,) if coins.below(2) else [1]
    return type(x).__name__ if rare(coins) else None


def hidden_namedtuple(n, coins):
    x = P2(1, 2) if coins.below(2) else (1, 2)
    return type(x).__name__ if rare(coins) else None


P2 = collections.namedtuple("P2", "x y")


def hidden_set_frozen(n, coins):
    x = {1} if coins.below(2) else frozenset({1})
    return type(x).__name__ if rare(coins) else None


def hidden_od(n, coins):
    x = OrderedDict(a=1) if coins.below(2) else {"a": 1}
    return type(x).__name__ if rare(coins) else None


def hidden_subclass(n, coins):
    class A:
        pass

    class B(A):
        pass

    x = A() if coins.below(2) else B()
    return type(x).__name__ if rare(coins) else None


def hidden_big(n, coins):
    x = 10**20 if coins.below(2) else 1e20
    return type(x).__name__ if rare(coins) else None


def host_inst_list(n, coins):
    HI.items.append(int(coins.below(2)))
    r = HI.items[-1]
    HI.items.pop()
    return r if rare(coins) else None


class HItems:
    def __init__(s):
        s.items = [0]
        s.me = s


HI = HItems()


def host_cyc(n, coins):
    HI.me.items[0] = int(coins.below(2))
    r = HI.items[0]
    return r if rare(coins) else None


def host_shared(n, coins):
    S1.append(int(coins.below(2)))
    r = S2[0][-1]
    S1.pop()
    return r if rare(coins) else None


S1 = [9]
S2 = (S1,)


def host_cls_alias(n, coins):
    HItems.tag = int(coins.below(2))
    r = type(HI).tag
    del HItems.tag
    return r if rare(coins) else None


def host_meth_repl(n, coins):
    HItems.go = lambda s: 5
    r = HI.go() if coins.below(2) else 0
    del HItems.go
    return r


def host_default_repl(n, coins):
    dflt.__defaults__ = (int(coins.below(2)),)
    r = dflt()
    dflt.__defaults__ = (3,)
    return r if rare(coins) else None


def dflt(x=3):
    return x
