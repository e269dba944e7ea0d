"""Programs whose states differ in one slot of one record alone, across a draw, and show it after the draw."""

from __future__ import annotations

import functools
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from masked import ASKED, RETURNED, define

from dpcert.mechanisms.exact.coins import Coins

ABOVE = super
OPEN = np.zeros(1)
LOCKED = OPEN[:]
LOCKED.flags.writeable = False


class P(NamedTuple):
    x: int


class Q(NamedTuple):
    x: int


class A:
    def told(self) -> str:
        return "A"

    def more(self) -> str:
        return "more"

    def note(self) -> None:
        self.x = vars_of(self) + 1


def vars_of(of: Any) -> int:
    return int(getattr(of, "x", 0))


class B(A):
    def told(self) -> str:
        return super().told() + "B"


class C(B):
    def told(self) -> str:
        return "C"

    def above(self, pick: bool) -> Any:
        return ABOVE(C, self) if pick else ABOVE(B, self)


def pick(coins: Coins) -> bool:
    return coins.below(2) == 0


def asks(coins: Coins) -> None:
    if coins.below(3) == 0:
        pass


def error_cause(n: int, coins: Coins) -> Any:
    cause = ValueError(1) if pick(coins) else KeyError(1)
    e = IndexError()
    e.__cause__ = cause
    del cause
    asks(coins)
    return isinstance(e.__cause__, KeyError)


def error_named(n: int, coins: Coins) -> Any:
    try:
        getattr(n, "a" if pick(coins) else "b")
    except AttributeError as error:
        e = error
    e.args = ()
    asks(coins)
    return e.name


def function_keyword_defaults(n: int, coins: Coins) -> Any:
    def made(x: int) -> Any:
        def told(*, y: int = x) -> int:
            return y

        return told

    kept = made(1 if pick(coins) else 2)
    asks(coins)
    return kept()


def function_names(n: int, coins: Coins) -> Any:
    def told() -> None: ...

    told.__name__ = "one" if pick(coins) else "two"
    told.__qualname__ = "one" if pick(coins) else "two"
    asks(coins)
    return told.__name__, told.__qualname__


def _outer() -> Any:
    return lambda: WHERE


WHERE = 1
OTHER: Any = FunctionType(_outer.__code__, {"WHERE": 2})


def class_bases_of_one_order(n: int, coins: Coins) -> Any:
    def made(*bases: Any) -> Any:
        class K(*bases):
            pass

        return K

    kept = made(B) if pick(coins) else made(B, A)
    asks(coins)
    return len(kept.__bases__)


def class_name(n: int, coins: Coins) -> Any:
    class K:
        __qualname__ = "one"

    class L:
        __qualname__ = "one"

    kept: Any = K if pick(coins) else L
    del K, L
    asks(coins)
    return kept.__name__


def class_items(n: int, coins: Coins) -> Any:
    class K:
        x = 0

    if pick(coins):
        K.x = 1
    asks(coins)
    return K.x


def bound_owner(n: int, coins: Coins) -> Any:
    a, b = [1], [1]
    kept = a.append if pick(coins) else b.append
    asks(coins)
    kept(2)
    return a, b


def owners(n: int, coins: Coins) -> Any:
    a, b = C(), C()
    kept = a.note if pick(coins) else b.note
    above: Any = ABOVE(C, a) if pick(coins) else ABOVE(C, b)
    asks(coins)
    above.note()
    kept()
    return vars_of(a), vars_of(b)


def method_kind(n: int, coins: Coins) -> Any:
    def count(*args: Any) -> int:
        return len(args)

    class K:
        told: Any = staticmethod(count) if pick(coins) else classmethod(count)

    asks(coins)
    return K.told()


def static_parts(n: int, coins: Coins) -> Any:
    class K:
        told = staticmethod((lambda: 1) if pick(coins) else (lambda: 2))

    asks(coins)
    return K.told()


def partial_parts(n: int, coins: Coins) -> Any:
    which = int(coins.below(4))
    kept: Any = functools.partial(max if which == 3 else min, 5 if which == 1 else 4)
    if which == 2:
        kept = functools.partial(min, 4, key=lambda each: -each)
    del which
    asks(coins)
    return kept(6)


def slice_parts(n: int, coins: Coins) -> Any:
    which = int(coins.below(4))
    kept = slice(1 if which == 1 else 0, 5 if which == 2 else 4, 2 if which == 3 else None)
    del which
    asks(coins)
    return [0, 1, 2, 3, 4, 5][kept]


def view_source(n: int, coins: Coins) -> Any:
    d, e = {1: 2}, {1: 2}
    kept = d.keys() if pick(coins) else e.keys()
    asks(coins)
    d[3] = 4
    return list(kept), e


def iter_parts(n: int, coins: Coins) -> Any:
    a, b, d = [1, 2], [1, 2], {1: 2, 2: 3}
    which = int(coins.below(5))
    kept: Any = iter(a) if which < 2 else iter(b) if which == 2 else iter(d) if which == 3 else iter(d.items())
    if which == 1:
        next(kept)
    del which
    asks(coins)
    a.append(7)
    return list(kept), b


def draw_interval(n: int, coins: Coins) -> Any:
    u = coins.below(6)
    if pick(coins):
        bool(u < 3)
    asks(coins)
    return int(u)


def where_it_asks(coins: Coins) -> int:
    asks(coins)
    return WHERE


ELSEWHERE: Any = FunctionType(where_it_asks.__code__, {"WHERE": 2, "asks": asks})


def frame_after(n: int, coins: Coins) -> Any:
    class K:
        def __init__(self) -> None:
            asks(coins)

    call: Any = K if pick(coins) else object.__new__(K).__init__
    return call() is None


def generator_state(n: int, coins: Coins) -> Any:
    kept = (each for each in [1, 2, 3])
    for _ in range(int(coins.below(4))):
        next(kept)
    asks(coins)
    return list(kept)


def frame_error(n: int, coins: Coins) -> Any:
    try:
        raise ValueError(1 if pick(coins) else 2)
    except ValueError:
        asks(coins)
        try:
            raise
        except ValueError as again:
            return again.args


def frame_names(n: int, coins: Coins) -> Any:
    class K:
        x = 1 if pick(coins) else 2
        y = coins.below(3) == 0

    return K.x, K.y


def number_types(n: int, coins: Coins) -> Any:
    which = int(coins.below(4))
    kept: Any = (1, True, 1.0, -0.0)[which]
    other: Any = (0.0, 0.0, 0.0, -0.0)[which]
    del which
    asks(coins)
    return str(kept), str(other)


FORMED = {
    RETURNED: {
        "frame_space": ("", "(where_it_asks if pick(coins) else ELSEWHERE)(coins)"),
    },
    ASKED: {
        "array_type": ("kept = np.zeros(2, 'i8' if pick(coins) else 'u8')", "kept.dtype.name"),
        "array_items": ("kept = np.array([1, 2] if pick(coins) else [1, 3])", "kept.tolist()"),
        "array_shape": ("a = np.zeros(4); kept = a[:2] if pick(coins) else a[:3]; a = 0", "kept.shape"),
        "array_strides": ("a = np.arange(4).reshape(2, 2); kept = a if pick(coins) else a.T; a = 0", "kept.tolist()"),
        "array_offset": ("a = np.arange(4); kept = a[:2] if pick(coins) else a[2:]; a = 0", "kept.tolist()"),
        "array_writeable": ("kept = LOCKED if pick(coins) else OPEN[:]", "kept.fill(1)"),
        "array_base": (
            "a, b = np.zeros(1), np.zeros(1); c = (a if pick(coins) else b)[:]",
            "(np.put(c, 0, 1), int(a[0]))",
        ),
        "function_attributes": ("kept = lambda: 0; kept.k = 1 if pick(coins) else 2", "kept.k"),
        "error_attributes": ("e = ValueError(); e.note = 1 if pick(coins) else 2", "e.note"),
        "error_class": ("e = (ValueError if pick(coins) else KeyError)(1)", "type(e).__name__"),
        "named_class": ("kept = (P if pick(coins) else Q)(1)", "type(kept).__name__"),
        "named_items": ("kept = P(1 if pick(coins) else 2)", "kept.x"),
        "function_space": ("kept = (_outer if pick(coins) else OTHER)()", "kept()"),
        "bound_function": ("a = A(); kept = a.told if pick(coins) else a.more", "kept()"),
        "deque_items": ("kept = deque([1, 2] if pick(coins) else [1, 3])", "list(kept)"),
        "rule_name": ("a = [1, 2]; kept = a.pop if pick(coins) else a.copy", "kept()"),
        "super_start": ("kept = C().above(pick(coins))", "kept.told()"),
        "view_kind": ("d = {1: 2}; kept = d.keys() if pick(coins) else d.values()", "list(kept)"),
        "types_args": ("kept = int | str if pick(coins) else int | float", "isinstance('', kept)"),
        "draw_kind": ("u = coins.random() if pick(coins) else coins.getrandbits(53)", "u < 1"),
        "undecided_chain": ("u = coins.below(6); kept = u + 1 if pick(coins) else u + 2", "int(kept)"),
    },
}
define(globals(), FORMED)
