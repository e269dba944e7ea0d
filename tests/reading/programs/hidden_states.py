"""States that differ in one place alone, which shows after a rare pattern of coins; cousins of known faults."""

import enum
from collections import Counter, deque
from dataclasses import dataclass
from typing import ClassVar

from masked import HIDDEN, RETURNED, SHOWN, define, rare


class Mut(enum.Enum):
    A = (0,)
    B = 1

    def __init__(self, *a):
        self.log = []


@dataclass
class Carry:
    a: int
    seen: ClassVar[list] = []


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


FORMED = {
    RETURNED: {
        "enum_mut": ("Mut.B.log.append(1)", "Mut.B"),
        "carry": ("Carry.seen.append(int(coins.below(2)))", "Carry(1)"),
        "tb": ("", "ValueError().__traceback__ is None"),
    },
    SHOWN: {
        "hidden_partial": ("p = functools.partial(max, int(coins.below(2)))", "p(0)"),
        "hidden_slice": ("s = slice(int(coins.below(2)), None)", "[1, 2, 3][s]"),
        "hidden_range": ("r = range(int(coins.below(2)), 3)", "list(r)"),
    },
    HIDDEN: {
        "hidden_dictiter": ("d = {1: 1, 2: 2, 3: 3}; it = iter(d.items())", "if coins.below(2): next(it)", "next(it)"),
        "hidden_und": ("u = coins.below(4); v = u + 1", "if coins.below(2): v = coins.below(4) + 1", "(u, v)"),
        "hidden_und_cmp": ("u = coins.below(8); w = u", "if u < 4: w = w + 0.0", "w"),
    },
}
define(globals(), FORMED)
