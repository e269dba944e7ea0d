"""Several undecided floats in one expression: the result is taken for any double between bounds, a hull.

The operation itself, applied to the ends, gives the bounds: addition, multiplication and the rest are monotone in
either number by IEEE 754. A comparison of two undecided floats is answered both ways, where both are possible.
"""

from __future__ import annotations

import operator
import sys
import warnings
from collections.abc import Callable
from typing import Any

from dpcert.mechanisms.exact.floats import LazyFloat
from dpcert.mechanisms.exact.lazy import Lazy, LazyInt
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.floating.following import OPERATORS, Operators, plain_compare, plain_step
from dpcert.mechanisms.floating.functions import as_float, is_lazy, wave
from dpcert.mechanisms.floating.hulls import hull, range_of, value_in
from dpcert.mechanisms.floating.numpy_calls import COMPARED, LINEAR, is_numpys, of_ufunc

Binary = Callable[[Any, Any], Any]
WAVES = frozenset({"cos", "sin"})
LINEAR_INT, COMPARE_INT = LazyInt._linear, LazyInt._compare


def _run_of(x: Any, y: Any) -> Any:
    run = x._node.run
    if y._node.run is not run:
        run.poison("undecided floats of two steps of a loop in one expression cannot be followed")
    return run


def _kind(x: Any) -> Any:
    """Return the type of a number that is undecided."""
    return int if type(x) is LazyInt else type(x._image(x._node.least()))


def _combined(x: Any, y: Any, op: Binary, *, divides: bool = False) -> Any:
    """Return the hull of op(x, y), for an operation that is monotone in either undecided float."""
    run = _run_of(x, y)
    if divides and not operator.gt(y, 0.0) and not operator.lt(y, 0.0):
        if op is not operator.truediv or _kind(x) is not float or _kind(y) is not float:
            run.give_up("numpy divides by an undecided float that may be 0")
        return op(1.0, 0.0)  # raises what Python raises
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ends = [op(_kind(x)(a), _kind(y)(b)) for a in range_of(x) for b in range_of(y)]
    if any(end != end for end in ends) or type(ends[0]) not in _doubles():
        run.give_up("what several undecided floats make may be no double")
    return hull(run, min(ends), max(ends), type(ends[0]), lambda: op(value_in(x), value_in(y)))


def _doubles() -> tuple[Any, ...]:
    return (float, getattr(sys.modules.get("numpy"), "float64", float))


def _compared(x: Any, y: Any, op: Binary) -> Any:
    """Return op(x, y) of two undecided numbers: both answers are possible, unless bounds exclude one."""
    run = _run_of(x, y)
    if x is y:
        return op(0.0, 0.0)
    kind: Any = type(op(_kind(x)(0), _kind(y)(0)))  # bool, or numpy's
    if type(x) is LazyFloat and type(y) is LazyFloat:
        (a, b), (c, d) = range_of(x), range_of(y)
        if b < c or d < a:
            return kind(op(a, c))
    node = run.any_of(2, Node(run, 0, 1), lambda: int(bool(op(value_in(x), value_in(y)))))
    return kind(not node.at_most(0))


def _compare(x: Any, other: Any, op: Binary) -> Any:
    return _compared(x, other, op) if is_lazy(other) else plain_compare(x, other, op)


def _compare_int(x: Any, other: Any, op: Binary) -> Any:
    return _compared(x, other, op) if type(other) is LazyFloat else COMPARE_INT(x, other, op)


def _step(x: Any, other: Any, op: Binary, swap: bool = False) -> Any:
    y = as_float(other) if is_lazy(other) else other
    if type(y) is not LazyFloat:
        return plain_step(x, y, op, swap)
    return _combined(y, x, op) if swap else _combined(x, y, op, divides=op is operator.truediv)


def _linear_int(x: Any, other: Any, op: Binary) -> Any:
    if type(other) is not LazyFloat:
        return LINEAR_INT(x, other, op)
    y = as_float(x)
    return _combined(y, other, op) if type(y) is LazyFloat else op(y, other)


def _ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **settings: Any) -> Any:
    """Return the value of a universal function at its inputs; several may be undecided floats. Undecided integers are
    left to `of_ufunc`, as numpy's own may wrap around.
    """
    name = ufunc.__name__
    if method == "__call__" and not settings and all(type(x) is LazyFloat for x in inputs) and is_numpys(ufunc):
        if len(inputs) == 1 and name in WAVES:
            return wave(inputs[0], f"numpy.{name}", ufunc)
        if len(inputs) == 2 and (name in LINEAR or name == "divide"):
            return _combined(inputs[0], inputs[1], ufunc, divides=name == "divide")
        if len(inputs) == 2 and name in COMPARED:
            return sys.modules["numpy"].bool_(_compared(inputs[0], inputs[1], COMPARED[name]))
    return of_ufunc(self, ufunc, method, *inputs, **settings)


COMBINED: Operators = (
    *(row for row in OPERATORS if row[1] not in ("__array_ufunc__", "_compare", "_step")),
    (Lazy, "__array_ufunc__", _ufunc),
    (LazyFloat, "_compare", _compare),
    (LazyFloat, "_step", _step),
    (LazyInt, "_linear", _linear_int),
    (LazyInt, "_compare", _compare_int),
)
"""The operators of undecided numbers, in runs with hulls."""
