"""Programs whose states differ in one slot of one record alone, across a draw, and show it after the draw."""

from __future__ import annotations

import functools
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from masked import ASKED, table

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


def _holding(x: int) -> Any:
    return lambda: x


def _defaulting(x: int) -> Any:
    return lambda y=x: y


def _bits(n: int, coins: Coins) -> Any:
    return np.array([coins.below(2) for _ in range(n)])


ONE, TWO = [1], [2]
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
        __firstlineno__ = 0  # Python 3.13 notes the line

    class L:
        __qualname__ = "one"
        __firstlineno__ = 0

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


def frame_space(n: int, coins: Coins) -> Any:
    call: Any = where_it_asks if pick(coins) else ELSEWHERE
    return call(coins)


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
    "array_type": ("kept = np.zeros(2, 'i8' if pick(coins) else 'u8')", "kept.dtype.name", "Buffer.dtype"),
    "array_items": ("kept = np.array([1, 2] if pick(coins) else [1, 3])", "kept.tolist()", "Buffer.items"),
    "array_shape": ("a = np.zeros(4); kept = a[:2] if pick(coins) else a[:3]; a = 0", "kept.shape", "Array.shape"),
    "array_strides": (
        "a = np.arange(4).reshape(2, 2); kept = a if pick(coins) else a.T; a = 0",
        "kept.tolist()",
        "Array.strides",
    ),
    "array_offset": (
        "a = np.arange(4); kept = a[:2] if pick(coins) else a[2:]; a = 0",
        "kept.tolist()",
        "Array.offset",
    ),
    "array_writeable": ("kept = LOCKED if pick(coins) else OPEN[:]", "kept.fill(1)", "Array.writeable"),
    "array_base": (
        "a, b = np.zeros(1), np.zeros(1); c = (a if pick(coins) else b)[:]",
        "(np.put(c, 0, 1), int(a[0]))",
        "Array.base",
    ),
    "function_attributes": ("kept = lambda: 0; kept.k = 1 if pick(coins) else 2", "kept.k", "Function.items"),
    "error_attributes": ("e = ValueError(); e.note = 1 if pick(coins) else 2", "e.note", "Error.items"),
    "error_class": ("e = (ValueError if pick(coins) else KeyError)(1)", "type(e).__name__", "Error.cls"),
    "named_class": ("kept = (P if pick(coins) else Q)(1)", "type(kept).__name__", "Named.cls"),
    "named_items": ("kept = P(1 if pick(coins) else 2)", "kept.x", "Named.items"),
    "function_space": ("kept = (_outer if pick(coins) else OTHER)()", "kept()", "Function.space"),
    "bound_function": ("a = A(); kept = a.told if pick(coins) else a.more", "kept()", "Bound.function, PIN 1"),
    "deque_items": ("kept = deque([1, 2] if pick(coins) else [1, 3])", "list(kept)", "Deque.items"),
    "rule_name": ("a = [1, 2]; kept = a.pop if pick(coins) else a.copy", "kept()", "Rule.name"),
    "super_start": ("kept = C().above(pick(coins))", "kept.told()", "Super.start"),
    "view_kind": ("d = {1: 2}; kept = d.keys() if pick(coins) else d.values()", "list(kept)", "View.kind"),
    "types_args": ("kept = int | str if pick(coins) else int | float", "isinstance('', kept)", "Types.args, TUPLE 1"),
    "draw_kind": ("u = coins.random() if pick(coins) else coins.getrandbits(53)", "u < 1", "Draw.kind"),
    "list_items": ("kept = [1 if pick(coins) else 2]", "kept", "List.items, LIST 1"),
    "deque_limit": ("kept = deque([1], 1 if pick(coins) else 2)", "kept.maxlen", "Deque.limit"),
    "cell_items": ("x = 1 if pick(coins) else 2; kept = lambda: x", "kept()", "Cell.items"),
    "dict_factory": ("kept = defaultdict(int if pick(coins) else str)", "kept[0]", "Dict.factory"),
    "dict_kind": ("kept = (dict if pick(coins) else OrderedDict)()", "type(kept).__name__", "Dict.kind"),
    "set_items": ("kept = {1 if pick(coins) else 2}", "1 in kept", "Set.items"),
    "set_frozen": ("kept = (set if pick(coins) else frozenset)([1])", "type(kept).__name__", "Set.frozen"),
    "instance_items": ("kept = A(); kept.x = 1 if pick(coins) else 2", "kept.x", "Instance.items, MAP 1"),
    "instance_class": ("kept = A() if pick(coins) else C()", "kept.told()", "Instance.cls"),
    "error_context": (
        "e = ValueError(); e.__context__ = KeyError() if pick(coins) else None",
        "e.__context__ is None",
        "Error.context",
    ),
    "error_suppress": (
        "e = ValueError(); e.__suppress_context__ = pick(coins)",
        "e.__suppress_context__",
        "Error.suppress",
    ),
    "function_cells": (
        "a, b = _holding(1), _holding(2); kept = a if pick(coins) else b; a = b = 0",
        "kept()",
        "Function.cells",
    ),
    "function_defaults": ("kept = _defaulting(1 if pick(coins) else 2)", "kept()", "Function.defaults"),
    "iter_count": (
        "d = {1: 1, 2: 2} if pick(coins) else {1: 1}; kept = iter(d); d[2] = 2",
        "len(list(kept))",
        "Iter.count",
    ),
    "table_items": ("kept = pd.DataFrame({'a': [1 if pick(coins) else 2]})", "int(kept['a'].sum())", "Table.items"),
    "series_values": ("kept = pd.Series([1 if pick(coins) else 2])", "int(kept.sum())", "Series.values"),
    "series_items": ("kept = pd.Series([1], name='one' if pick(coins) else 'two')", "kept.name", "Series.items"),
    "part_way": (
        "t = pd.DataFrame({0: [1, 2]}, index=[1, 0]); kept = t.loc if pick(coins) else t.iloc; t = 0",
        "int(kept[0, 0])",
        "Part.way",
    ),
    "part_owner": (
        "a, b = pd.DataFrame([1]), pd.DataFrame([2]); kept = (a if pick(coins) else b).iloc; a = b = 0",
        "int(kept[0, 0])",
        "Part.owner",
    ),
    "part_args": (
        "t = pd.DataFrame({'x': [1, 2], 'y': [1, 1]}); kept = t.groupby('x' if pick(coins) else 'y'); t = 0",
        "len(kept.size())",
        "Part.args",
    ),
    "mark": ("if pick(coins): kept = coins", "kept is coins", "MARK 1"),
    "undecided_draw": (
        "u, v = coins.below(2), coins.below(2); k = u if pick(coins) else v",
        "int(u), int(k), int(v)",
        "UNDECIDED 1",
    ),
    "deferred_operation": (
        "a = _bits(2, coins); k = a[:1] + a[1:] if pick(coins) else a[:1] - a[1:]; a = 0",
        "k.tolist()",
        "DEFERRED 1",
    ),
    "deferred_code": (
        "a = _bits(2, coins) * 40000; k = (a[:1] + a[1:]).astype('i2' if pick(coins) else 'i4').astype('i8'); a = 0",
        "k.tolist()",
        "DEFERRED 2",
    ),
    "deferred_operands": (
        "a = _bits(3, coins); k = a[:1] + (a[1:2] if pick(coins) else a[2:])",
        "a.tolist(), k.tolist()",
        "DEFERRED 3",
    ),
    "imported": ("kept = ONE if pick(coins) else TWO", "kept[0]", "IMPORTED 1"),
    "fraction_numerator": ("kept = Fraction(1 if pick(coins) else 2, 3)", "kept", "FRACTION 1"),
    "fraction_denominator": ("kept = Fraction(1, 3 if pick(coins) else 2)", "kept", "FRACTION 2"),
    "decimal_sign": ("kept = Decimal('-1' if pick(coins) else '1')", "kept", "DECIMAL 1"),
    "decimal_digits": ("kept = Decimal('1' if pick(coins) else '2')", "kept", "DECIMAL 2"),
    "decimal_exponent": ("kept = Decimal('1' if pick(coins) else '1e1')", "kept", "DECIMAL 3"),
    "range_start": ("kept = range(1 if pick(coins) else 2, 5, 2)", "list(kept)", "RANGE 1"),
    "range_stop": ("kept = range(0, 5 if pick(coins) else 6, 2)", "kept.stop", "RANGE 2"),
    "range_step": ("kept = range(0, 5, 2 if pick(coins) else 3)", "list(kept)", "RANGE 3"),
    "numpy_type": ("kept = np.int64(1) if pick(coins) else np.uint64(1)", "kept.dtype.name", "NUMPY 1"),
    "numpy_bits": ("kept = np.int64(1 if pick(coins) else 2)", "int(kept)", "NUMPY 2"),
    "tags": ("kept = Fraction(1, 2) if pick(coins) else (1, 2)", "kept", "tags of forms"),
    "classes": ("d = {1: 2}; kept = d.keys() if pick(coins) else d.keys", "type(kept).__name__", "classes of records"),
    "undecided_chain": (
        "u = coins.below(6); kept = u + 1 if pick(coins) else u + 2",
        "int(kept)",
        "UNDECIDED 2, Frame.locals",
    ),
}
TOLD: dict[Any, str] = {
    **table(globals(), ASKED, FORMED),
    error_cause: "Error.cause",
    error_named: "Error.named",
    function_keyword_defaults: "Function.keyword_defaults, Dict.items",
    function_names: "Function.name, Function.qualname",
    class_bases_of_one_order: "Class.bases",
    class_name: "Class.name",
    class_items: "Class.items",
    bound_owner: "Rule.owner, REF 1",
    owners: "Bound.owner, Super.owner",
    method_kind: "Wrapped.kind",
    static_parts: "Wrapped.parts, Function.code, CODE 1",
    partial_parts: "Partial.args, Partial.function, Partial.keywords",
    slice_parts: "Slice.start, Slice.step, Slice.stop",
    view_source: "View.source",
    iter_parts: "Iter.kind, Iter.place, Iter.source",
    draw_interval: "Draw.hi, Draw.lo",
    frame_space: "Frame.space",
    frame_after: "Frame.after",
    generator_state: "Generator.frame, Frame.place, Frame.stack",
    frame_error: "Frame.error, Error.args",
    frame_names: "Frame.names",
    number_types: "types of numbers",
}
"""What keys must tell for each program, as `forgetful.py` names it."""
