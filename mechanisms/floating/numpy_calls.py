"""numpy's universal functions on undecided numbers; numpy calls their `__array_ufunc__` and `__array__`."""

from __future__ import annotations

import operator
import sys
import warnings
from typing import Any

from dpcert.mechanisms.exact.floats import LazyFloat
from dpcert.mechanisms.exact.lazy import LazyInt
from dpcert.mechanisms.floating.accuracy import REALS
from dpcert.mechanisms.floating.functions import (
    absolute,
    as_float,
    copysign,
    follow,
    follow_partial,
    is_lazy,
    negative,
    power,
    reciprocal,
    signed,
)

MONOTONE = frozenset({"negative", "positive", "floor", "ceil", "trunc", "rint"})
LINEAR = frozenset({"add", "subtract", "multiply", "minimum", "maximum", "fmin", "fmax"})
COMPARED = {
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "equal": operator.eq,
    "not_equal": operator.ne,
}
REFLECTED = {
    operator.lt: operator.gt,
    operator.le: operator.ge,
    operator.gt: operator.lt,
    operator.ge: operator.le,
}
FINITE = frozenset({"isfinite", "isinf", "isnan"})
AMBIGUOUS = (
    "numpy.power and the operator ** of a numpy.float64 need not agree, and an undecided number cannot tell which is "
    "meant; write float(...) around the constant"
)
OPERATORS = {
    **COMPARED,
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "divmod": divmod,
    "power": operator.pow,
    "left_shift": operator.lshift,
    "right_shift": operator.rshift,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
}
"""The operators for which numpy's numbers and arrays ask a universal function."""
DIFFERS = (
    "and the operator that is called so do not agree there, and an undecided number cannot tell which is meant; write "
    "int(...) around the draw"
)
LOW = -1.7976931348623157e308


def decided(value: Any) -> Any:
    """Return a value, decided if it is an undecided number; numpy's constructors get no others."""
    return value._decide() if is_lazy(value) else value


def as_array(self: Any, dtype: Any = None, copy: Any = None) -> Any:
    """Return an array of the decided number."""
    return _numpy().asarray(self._decide(), dtype=dtype)


def _numpy() -> Any:
    return sys.modules["numpy"]


def of_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **settings: Any) -> Any:
    """Return the value of a universal function at its inputs, at least one of them undecided."""
    found = NotImplemented
    if method == "__call__" and not settings and is_numpys(ufunc):
        if len(inputs) == 1:
            found = _one(ufunc, ufunc.__name__, inputs[0])
        elif len(inputs) == 2:
            found = _two(ufunc, ufunc.__name__, *inputs)
    if found is NotImplemented:
        named = {name: decided(v) for name, v in settings.items()}
        found = _plainly(self, ufunc, method, [decided(x) for x in inputs], named)
    return found


def _plainly(self: Any, ufunc: Any, method: str, inputs: list[Any], settings: dict[str, Any]) -> Any:
    """Return the value of a universal function at plain inputs, if an operator that may have called it agrees."""
    call, op = getattr(ufunc, method), OPERATORS.get(ufunc.__name__)
    kinds = _numpy().generic, _numpy().ndarray
    asked = op and method == "__call__" and not settings and len(inputs) == 2 and isinstance(inputs[0], kinds)
    if asked and _heard(call, *inputs) != _heard(op, *inputs):
        self._node.run.poison(f"numpy.{ufunc.__name__} {DIFFERS}")
    return call(*inputs, **settings)


def _heard(call: Any, *inputs: Any) -> Any:
    """Return the result of a call, in bytes, with its warnings and its error, in words."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            found = call(*inputs)
            parts = found if type(found) is tuple else (found,)
            result: Any = [(type(part), str(part.dtype), part.tobytes()) for part in map(_numpy().asanyarray, parts)]
        except Exception as error:
            result = type(error), str(error)
    return result, [(warning.category, str(warning.message)) for warning in heard]


def is_numpys(ufunc: Any) -> bool:
    """Whether a universal function is numpy's own of its name; other packages have some of the same names."""
    return getattr(_numpy(), ufunc.__name__, None) is ufunc


def _one(ufunc: Any, name: str, x: Any) -> Any:
    if type(x) is LazyInt:
        if name not in REALS and name != "sqrt":
            return NotImplemented
        x = as_float(x)
    if type(x) is not LazyFloat:
        return NotImplemented
    if name in REALS:
        return follow(x, f"numpy.{name}", ufunc, REALS[name])
    if name in MONOTONE:
        return follow_partial(x, ufunc, LOW)
    if name == "sqrt":
        return follow_partial(x, ufunc, 0.0)
    if name in ("absolute", "fabs"):
        return absolute(x, ufunc)
    if name == "sign":
        sign = signed(x)
        return ufunc(float(sign)) if sign else ufunc(-0.0 if negative(x) else 0.0)
    if name == "signbit":
        return ufunc(-1.0 if negative(x) else 1.0)
    return ufunc(0.0) if name in FINITE else NotImplemented


def _two(ufunc: Any, name: str, x: Any, y: Any) -> Any:
    if is_lazy(x) and is_lazy(y):
        x, y = (x._decide(), y) if x._span() < y._span() else (x, y._decide())
    swapped = not is_lazy(x)
    lazy, other = (y, x) if swapped else (x, y)
    if name in LINEAR or name in COMPARED or name == "divide":
        other = as_double(other)
    if name in COMPARED and is_array(other) and type(lazy) is LazyFloat:
        op = REFLECTED.get(COMPARED[name], COMPARED[name]) if swapped else COMPARED[name]
        return compared(lazy, other, op)
    if type(lazy) is not LazyFloat or not _scalar(other):
        return NotImplemented
    if name in COMPARED:
        op = REFLECTED.get(COMPARED[name], COMPARED[name]) if swapped else COMPARED[name]
        return _numpy().bool_(bool(op(lazy, other)))
    if name in LINEAR:
        return lazy._step(other, ufunc, swap=swapped)
    if name == "divide":
        return reciprocal(other, lazy, ufunc) if swapped else lazy._step(other, ufunc)
    if name in ("power", "float_power"):
        if type(other) is _numpy().float64:
            lazy._node.run.poison(AMBIGUOUS)
        return power(x, y, f"numpy.{name}", ufunc)
    return copysign(x, y, ufunc) if name == "copysign" else NotImplemented


def as_double(value: Any) -> Any:
    """Return a wide integer of numpy's as the double that numpy takes it for beside one; another value as it is."""
    numpy: Any = sys.modules.get("numpy")
    wide = numpy is not None and type(value) in (numpy.int64, numpy.int32, numpy.uint32)
    return numpy.float64(value) if wide and abs(int(value)) <= 1 << 53 else value


def is_array(value: Any) -> bool:
    """Whether a value is an array of numpy's doubles."""
    numpy: Any = sys.modules.get("numpy")
    return numpy is not None and type(value) is numpy.ndarray and bool(value.dtype == "float64")


def compared(self: Any, array: Any, op: Any) -> Any:
    """Return the comparison of an undecided float with each element of an array of doubles, one after the other."""
    answers = [bool(op(self, float(element))) for element in array.flat]
    return _numpy().array(answers, dtype=bool).reshape(array.shape)


def rounded(self: Any, decimals: Any = 0, out: Any = None) -> Any:
    """Return `numpy.round` of an undecided float; numpy calls this method of it."""
    numpy = _numpy()
    if type(decimals) is not int or decimals < 0 or out is not None:
        return numpy.round(self._decide(), decimals, out)
    return follow_partial(self, lambda v: numpy.round(v, decimals), LOW)


def clipped(self: Any, low: Any = None, high: Any = None, out: Any = None, **settings: Any) -> Any:
    """Return `numpy.clip` of an undecided float; numpy calls this method of it."""
    numpy = _numpy()
    if settings or out is not None or not (_scalar(low) and _scalar(high)):
        return numpy.clip(self._decide(), low, high, out, **settings)
    return follow_partial(self, lambda v: numpy.clip(v, low, high), LOW)


def _scalar(value: Any) -> bool:
    """Whether numpy computes with a constant as with a double: a float, its own double, or a small int."""
    kinds = float, int, _numpy().float64
    return type(value) in kinds and (type(value) is not int or abs(value) < 1 << 53)
