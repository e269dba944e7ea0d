"""States that differ in one place alone, which shows after a rare pattern of coins; cousins of known faults."""

import collections
import enum
import functools
import itertools
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass
from typing import ClassVar

from masked import rare


class Mut(enum.Enum):
    A = (0,)
    B = 1

    def __init__(self, *a):
        self.log = []


def enum_mut(n, coins):
    Mut.B.log.append(1)
    return Mut.B


@dataclass
class Carry:
    a: int
    seen: ClassVar[list] = []


def carry(n, coins):
    Carry.seen.append(int(coins.below(2)))
    return Carry(1)


def for_ret(n, coins):
    y = 7

    def g():
        if coins.below(2):
            yield 1

    for x in g():
        return x
    return y


def for_ret2(n, coins):
    y = [1]

    def g():
        yield from ([] if coins.below(2) else [5])

    for x in g():
        return x
    else:
        y.append(2)
    return y


def tb(n, coins):
    return ValueError().__traceback__ is None


def tb2(n, coins):
    out = []

    class C:
        def __enter__(s):
            return s

        def __exit__(s, k, e, t):
            out.append((k is ValueError, t is None, e.args))
            return True

    with C():
        raise ValueError(int(coins.below(2)))
    with C():
        pass
    return out


def hidden_list_alias(n, coins):
    a = [0]
    b = a if coins.below(2) else [0]
    if rare(coins):
        b.append(1)
        return len(a)
    return None


def hidden_tuple_alias(n, coins):
    a = [0]
    t = (a,)
    u = (a if coins.below(2) else [0],)
    if rare(coins):
        u[0].append(1)
        return len(t[0])
    return None


def hidden_cell(n, coins):
    x = 0

    def inc():
        nonlocal x
        x += 1

    if coins.below(2):
        inc()
    return x if rare(coins) else None


def hidden_default(n, coins):
    empty = []

    def f(row=empty):
        row.append(1)
        return len(row)

    if coins.below(2):
        f()
    return f() if rare(coins) else None


def hidden_gen(n, coins):
    g = iter([1, 2, 3])
    h = (i for i in range(5))
    if coins.below(2):
        next(g)
    if coins.below(2):
        next(h)
    return (next(g), next(h)) if rare(coins) else None


def hidden_attr_order(n, coins):
    class Owner:
        pass

    o = Owner()
    if coins.below(2):
        o.a = 1
        o.b = 2
    else:
        o.b = 2
        o.a = 1
    return (o.a, o.b) if rare(coins) else None


def hidden_func_attr(n, coins):
    def f():
        return f.k

    f.k = int(coins.below(2))
    return f() if rare(coins) else None


def hidden_partial(n, coins):
    p = functools.partial(max, int(coins.below(2)))
    return p(0) if rare(coins) else None


def hidden_class(n, coins):
    class C:
        v = int(coins.below(2))

    return C().v if rare(coins) else None


def hidden_method_owner(n, coins):
    class C:
        def __init__(s, v):
            s.v = v

        def g(s):
            return s.v

    m = C(int(coins.below(2))).g
    return m() if rare(coins) else None


def hidden_exc(n, coins):
    try:
        raise ValueError(int(coins.below(2)))
    except ValueError as e:
        k = e
    return k.args if rare(coins) else None


def bare(value):
    raise ValueError(value)


def hidden_exc_cause(n, coins):
    try:
        try:
            raise KeyError(1)
        except KeyError as q:
            if coins.below(2):
                raise ValueError(1) from q
            bare(1)
    except ValueError as e:
        k = e
    return (k.__cause__ is None) if rare(coins) else None


def hidden_inflight(n, coins):
    try:
        if coins.below(2):
            raise KeyError(1)
        raise ValueError(2)
    except Exception:
        if rare(coins):
            try:
                raise
            except Exception as e:
                return type(e).__name__


def hidden_dictiter(n, coins):
    d = {1: 1, 2: 2, 3: 3}
    it = iter(d.items())
    if coins.below(2):
        next(it)
    return next(it) if rare(coins) else None


def hidden_counter_order(n, coins):
    c = Counter()
    for k in "ab" if coins.below(2) else "ba":
        c[k] += 1
    return c.most_common(1) if rare(coins) else None


def hidden_deque(n, coins):
    d = deque([1, 2], maxlen=2 if coins.below(2) else 3)
    if rare(coins):
        d.append(3)
        return list(d)
    return None


def hidden_slice(n, coins):
    s = slice(int(coins.below(2)), None)
    return [1, 2, 3][s] if rare(coins) else None


def hidden_super(n, coins):
    class A:
        def f(s):
            return 1

    class B(A):
        def f(s):
            return super().f() + s.k

    b = B()
    b.k = int(coins.below(2))
    return b.f() if rare(coins) else None


def hidden_range(n, coins):
    r = range(int(coins.below(2)), 3)
    return list(r) if rare(coins) else None


def hidden_und(n, coins):
    u = coins.below(4)
    v = u + 1
    if coins.below(2):
        v = coins.below(4) + 1
    return (u, v) if rare(coins) else None


def hidden_und_cmp(n, coins):
    u = coins.below(8)
    w = u
    if u < 4:
        w = w + 0.0
    return w if rare(coins) else None


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
