"""States that differ in an iterator, a type or an object of the host; cousins of known faults."""

import collections
import functools

from masked import HIDDEN, RETURNED, SHOWN, define, rare


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


def hidden_map(n, coins):
    src = iter(range(9))
    m = map(lambda x, y: x + y, src, src)
    if coins.below(2):
        next(src)
    return next(m) if rare(coins) else None


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


def hidden_globals(n, coins):
    global G1
    G1 = 1 if coins.below(2) else True
    return type(G1).__name__ if rare(coins) else None


P2 = collections.namedtuple("P2", "x y")


def hidden_subclass(n, coins):
    class A:
        pass

    class B(A):
        pass

    x = A() if coins.below(2) else B()
    return type(x).__name__ if rare(coins) else None


class HItems:
    def __init__(s):
        s.items = [0]
        s.me = s


HI = HItems()


S1 = [9]
S2 = (S1,)


def dflt(x=3):
    return x


FORMED = {
    RETURNED: {
        "host_meth_repl": ("HItems.go = lambda s: 5; r = HI.go() if coins.below(2) else 0; del HItems.go", "r"),
    },
    HIDDEN: {
        "hidden_chain": ("c = itertools.chain([1], [2, 3])", "if coins.below(2): next(c)", "next(c)"),
        "hidden_islice": ("c = itertools.islice(range(9), 1, None, 2)", "if coins.below(2): next(c)", "next(c)"),
        "hidden_cycle": ("c = itertools.cycle('ab')", "if coins.below(2): next(c)", "next(c)"),
        "hidden_acc": ("c = itertools.accumulate([1, 2, 3])", "if coins.below(2): next(c)", "next(c)"),
        "hidden_enum": ("e = enumerate('abc')", "if coins.below(2): next(e)", "next(e)"),
        "hidden_fn2": ("k = int(coins.below(2)); fs = [lambda: k]", "if coins.below(2): k = 5", "fs[0]()"),
    },
    SHOWN: {
        "hidden_dd": ("d = defaultdict(list if coins.below(2) else int)", "d[1]"),
        "hidden_fn": ("f = (lambda: 1) if coins.below(2) else lambda: 2", "f()"),
        "hidden_bool": ("x = [1 if coins.below(2) else True]", "type(x[0]).__name__"),
        "hidden_str_bytes": ("x = 'a' if coins.below(2) else b'a'", "type(x).__name__"),
        "hidden_tuple_list": ("x = (1,) if coins.below(2) else [1]", "type(x).__name__"),
        "hidden_namedtuple": ("x = P2(1, 2) if coins.below(2) else (1, 2)", "type(x).__name__"),
        "hidden_set_frozen": ("x = {1} if coins.below(2) else frozenset({1})", "type(x).__name__"),
        "hidden_od": ("x = OrderedDict(a=1) if coins.below(2) else {'a': 1}", "type(x).__name__"),
        "hidden_big": ("x = 10 ** 20 if coins.below(2) else 1e+20", "type(x).__name__"),
        "host_inst_list": ("HI.items.append(int(coins.below(2))); r = HI.items[-1]; HI.items.pop()", "r"),
        "host_cyc": ("HI.me.items[0] = int(coins.below(2)); r = HI.items[0]", "r"),
        "host_shared": ("S1.append(int(coins.below(2))); r = S2[0][-1]; S1.pop()", "r"),
        "host_cls_alias": ("HItems.tag = int(coins.below(2)); r = type(HI).tag; del HItems.tag", "r"),
        "host_default_repl": ("dflt.__defaults__ = (int(coins.below(2)),); r = dflt(); dflt.__defaults__ = (3,)", "r"),
    },
}
define(globals(), FORMED)
