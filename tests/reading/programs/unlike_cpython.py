"""Programs by which a machine is told from CPython."""

import collections
import contextlib
import functools
import types

from masked import RETURNED, TRIED, define

VERR = ValueError("e")


VERR2 = ValueError("e")
VERR2.info = 5


class Base:
    def g(self):
        return 1


class Sub(Base):
    def g(self, coins):
        if coins.below(2):
            return 0
        return super().g()


def items_stale(n, coins):
    d = {1: 1, 2: 2}
    out = []
    for _k, v in d.items():
        d[2] = 5 + int(coins.below(2))
        out.append(v)
    return out


def values_stale(n, coins):
    d = {1: 1, 2: 2}
    t = 0
    for v in d.values():
        t += v
        d[2] = 10
    return t


def keys_replaced(n, coins):
    d = {1: 1, 2: 2}
    out = []
    try:
        for k in d:
            out.append(k)
            if k == 1:
                del d[2]
                d[3] = 3
    except RuntimeError:
        out.append("x")
    return out


def deque_mutated(n, coins):
    d = collections.deque([1, 2])
    try:
        for x in d:
            if len(d) < 5:
                d.append(x)
    except RuntimeError:
        return "error"
    return len(d)


def map_after_error(n, coins):
    m = map(int, ["1", "x", "3"])
    out = []
    for _ in range(3):
        try:
            out.append(next(m))
        except (ValueError, StopIteration) as e:
            out.append(type(e).__name__)
    return out


def zip_pulls_again(n, coins):
    it = iter(range(6))
    z = zip(it, [1], strict=False)
    list(z)
    next(z, 0)
    next(z, 0)
    return next(it)


def zip_eager_error(n, coins):
    try:
        zip(5)
    except TypeError:
        return "early"
    return "late"


def getattr_default(n, coins):
    class A:
        def __getattr__(self, k):
            raise AttributeError(k)

    return getattr(A(), "zz", 5)


def property_default(n, coins):
    class A:
        @property
        def p(self):
            raise AttributeError("p")

    return getattr(A(), "p", 5)


def property_getattr(n, coins):
    class A:
        @property
        def p(self):
            raise AttributeError("p")

        def __getattr__(self, k):
            return 7

    return A().p


def delattr_hook(n, coins):
    class A:
        def __delattr__(self, k):
            self.log = k

    a = A()
    a.x = 1
    del a.x
    return a.x


def property_deleter(n, coins):
    class A:
        @property
        def p(self):
            return 1

        @p.deleter
        def p(self):
            self.q = 3

    a = A()
    del a.p
    return a.q


def slots_here(n, coins):
    class A:
        __slots__ = ("x",)

    a = A()
    a.x = 1
    return a.x


def radd_inherited(n, coins):
    class A:
        def __add__(self, o):
            return "add"

        def __radd__(self, o):
            return "radd"

    class B(A):
        pass

    return A() + B()


def ne_subclass(n, coins):
    class A:
        def __eq__(self, o):
            return True

        __hash__ = None

    class B(A):
        def __eq__(self, o):
            return False

        __hash__ = None

    return A() != B()


def lru_types(n, coins):
    @functools.lru_cache(None)
    def g(x):
        return x

    g(1)
    return g(1.0)


def lru_typed(n, coins):
    @functools.lru_cache(maxsize=None, typed=True)
    def g(x, y):
        return x

    g(1, 1)
    return g(1.0, 1)


def lru_info(n, coins):
    @functools.lru_cache(None)
    def g(x):
        return x

    g(1)
    return g.cache_info().hits


def wraps_name(n, coins):
    def deco(f):
        @functools.wraps(f)
        def w(*a):
            return f(*a)

        return w

    @deco
    def hello():
        return 1

    return hello.__name__


def sort_error(n, coins):
    xs = [3, "a", 1]
    with contextlib.suppress(TypeError):
        xs.sort(key=lambda v: v)
    return xs


def sort_counts(n, coins):
    log = []

    class K:
        def __init__(self, v):
            self.v = v

        def __lt__(self, o):
            log.append(1)
            return self.v < o.v

    sorted([K(1), K(2), K(3), K(4), K(5)])
    return len(log)


def throw_class(n, coins):
    class E(Exception):
        def __init__(self):
            self.k = 5

    def g():
        try:
            yield 1
        except E as e:
            yield e.k

    it = g()
    next(it)
    return it.throw(E)


PROGRAMS = {
    "host_error_info": lambda n, coins: VERR2.info,
    "super_after_draw": lambda n, coins: Sub().g(coins),
    "is_zip": lambda n, coins: (isinstance(zip([1]), zip), isinstance(map(int, []), types.GeneratorType)),
}

FORMED = {
    RETURNED: {
        "host_error_attr": ("VERR.flag = int(coins.below(2))", "VERR.flag if rare(coins) else None"),
    },
    TRIED: {
        "islice_negative": ("", "return list(itertools.islice(iter([1, 2]), -1))", "ValueError", "'error'"),
    },
}
define(globals(), FORMED)
