"""Programs by which a machine is told from CPython."""

import collections
import contextlib
import functools
import itertools
import types

from masked import rare

VERR = ValueError("e")


def host_error_attr(n, coins):
    VERR.flag = int(coins.below(2))
    return VERR.flag if rare(coins) else None


VERR2 = ValueError("e")
VERR2.info = 5


def host_error_info(n, coins):
    return VERR2.info


class Base:
    def g(self):
        return 1


class Sub(Base):
    def g(self, coins):
        if coins.below(2):
            return 0
        return super().g()


def super_after_draw(n, coins):
    return Sub().g(coins)


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


def is_zip(n, coins):
    return isinstance(zip([1]), zip), isinstance(map(int, []), types.GeneratorType)


def islice_negative(n, coins):
    try:
        return list(itertools.islice(iter([1, 2]), -1))
    except ValueError:
        return "error"


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


def sort_random(n, coins):
    class K:
        def __init__(self, v):
            self.v = v

        def __lt__(self, o):
            return coins.below(2) == 1

    return [k.v for k in sorted([K(1), K(2), K(3)])]


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


def below_float(n, coins):
    return coins.below(2.0)


def below_zero(n, coins):
    return coins.below(0)


def keys_ge(n, coins):
    return {1: 2}.keys() >= {1}


def truth_overlay(n, coins):
    class A:
        pass

    return HC() and True


class HC:
    pass


def bool_later(n, coins):
    HC.__bool__ = lambda s: False
    r = 1 if HC() else 0
    del HC.__bool__
    return r


def in_eq_later(n, coins):
    HC.__eq__ = lambda s, o: True
    r = HC() in [HC()]
    del HC.__eq__
    return r


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


def random_gauss(n, coins):
    return coins.triangular(0, 0, 0)


def dict_rev(n, coins):
    d = {1: 1, 2: 2}
    r = reversed(d)
    next(r)
    d[3] = 1
    try:
        return next(r)
    except RuntimeError:
        return "error"


def product_eager(n, coins):
    row = [1, 2]
    p = itertools.product(row)
    row.append(3)
    return len(list(p))


def generator_type_name(n, coins):
    return type(enumerate([])).__name__


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
