"""Programs of CPython's own tests, and of others, that a machine once ran unlike CPython."""

import enum
from collections import Counter
from decimal import Decimal

from masked import RETURNED, TRIED, define


def inp2(n, coins):
    class A:
        pass

    a = A()
    try:
        a += 1
    except TypeError as e:
        return str(e)


class E2(enum.Enum):
    A = 1
    B = 2


def yft(n, coins):
    def i():
        try:
            yield 1
        except ValueError as e:
            return e.args[0]

    def o():
        r = yield from i()
        yield r

    g = o()
    next(g)
    return g.throw(ValueError(int(coins.below(2))))


def yft2(n, coins):
    def i():
        yield 1
        yield 2

    def o():
        try:
            yield from i()
        except KeyError:
            yield "k"

    g = o()
    next(g)
    return g.throw(KeyError), next(g, "d")


def yfc(n, coins):
    log = []

    def i():
        yield 1

    def o():
        try:
            yield from i()
        except GeneratorExit:
            log.append("x")
            raise

    g = o()
    next(g)
    g.close()
    return log, next(g, "d")


def dec(n, coins):
    d = Decimal(5) + int(coins.below(3))
    return (
        d,
        d * 2,
        d / 3,
        d == 6,
        d < 7,
        round(d / 3, 2),
        str(d),
        int(d),
        Decimal("1.10") + 1,
        Decimal(5) + 123456789000 == Decimal(123456789005),
        -d,
        abs(-d),
        max(d, 3),
        sum([d, 1]),
        d % 4,
        d // 2,
        f"{d:.2f}",
        hash(d) == 5,
    )


def bynx(n, coins):
    class S:
        def __getitem__(s, i):
            if i > 2:
                raise IndexError
            return i

    it = iter(S())
    next(it)
    return list(it), 2 in S(), list(reversed([1])), type(iter(S())).__name__


def until(n, coins):
    k = [0]

    def f():
        k[0] += 1
        return k[0]

    return list(iter(f, 3)), type(iter(f, 1)).__name__


def badit(n, coins):
    class B:
        def __iter__(s):
            return 5

    try:
        for _ in B():
            pass
    except TypeError as e:
        return str(e)


def augm(n, coins):
    a = "x"
    a *= 2
    b = 1.5
    b //= 1
    c = True
    c |= False
    d = 3
    d **= 2
    e = [1]
    e *= 2
    f = (1,)
    f *= 2
    return a, b, c, d, e, f


def eqmut(n, coins):
    class X:
        def __eq__(s, o):
            l2.clear()
            return NotImplemented

    class Y:
        def __eq__(s, o):
            l1.clear()
            return NotImplemented

    l1 = [X()]
    l2 = [Y()]
    return l1 == l2


def cd(n, coins):
    return (
        Counter(a=1) == {"a": 1},
        Counter(a=1) == {"a": 1},
        Counter(a=1) != {"a": 2},
        Counter(a=1) == Counter(a=1, b=0),
    )


def dupd(n, coins):
    d = {}
    d.update([(1, 2)], k=3)
    d.update(x=1)
    d.update({5: 6})
    d.update(zip("ab", (1, 2), strict=False))
    return d


def rangebig(n, coins):
    match range(1 << 21):
        case (x, y, *_):
            return x, y


FORMED = {
    RETURNED: {
        "ns": ("", "types.SimpleNamespace(a=1) == types.SimpleNamespace(a=1)"),
        "ns2": ("x = types.SimpleNamespace(a=int(coins.below(2))); x.b = 2", "(x.a, x.b)"),
        "unp": ("a, b = E2", "(a.name, b.value)"),
    },
    TRIED: {
        "inp": ("x = None", "x += 1", "TypeError as e", "str(e)"),
        "kwbad": ("", "return len(obj=[1])", "TypeError", "'t'"),
        "kwmap": ("", "return list(map(function=abs, it=[1]))", "TypeError", "'t'"),
    },
}
define(globals(), FORMED)
