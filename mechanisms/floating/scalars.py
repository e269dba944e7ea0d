"""Undecided integers of numpy's own types: `numpy.int64`, `numpy.uint8` and their kin, which wrap and overflow.

An operation is followed where numpy's own, on both ends of the interval, gives the exact integer. As these operations
are affine, then nothing in between wraps. For all other operations the number is decided first, and numpy computes.
"""

from __future__ import annotations

import math
import operator
import sys
import warnings
from collections.abc import Callable
from typing import Any, NoReturn

from dpcert.mechanisms.exact.floats import LazyFloat
from dpcert.mechanisms.exact.lazy import ARITHMETIC, Affine, Lazy, LazyInt, install, turn
from dpcert.mechanisms.floating.functions import is_lazy

ADVICE = "compare it, or add, subtract or multiply by an int that does not overflow it, or draw from fewer values"
SHARED = frozenset({"dtype", "itemsize", "nbytes", "ndim", "shape", "size", "strides"})
"""The attributes that all numbers of a type share."""


def scalar(kind: type, value: Any) -> Any:
    """Return an integer, maybe undecided, as a number of one of numpy's types, which has room for it."""
    if type(value) is LazyInt:
        return LazyScalar(value, kind)
    return kind(value._decide() if is_lazy(value) else value)


def _numpy() -> Any:
    return sys.modules["numpy"]


class LazyScalar(Lazy):
    """An undecided number of one of numpy's integer types, as a program sees it; see docs/reference/stand-ins.md."""

    __slots__ = ("_plain", "_whole")

    def __init__(self, whole: LazyInt, kind: Any) -> None:
        super().__init__(whole._node, whole._maps)
        self._whole = whole
        self._plain = kind

    def _image(self, x: Any) -> Any:
        return self._plain(super()._image(x))

    def _span(self) -> int:
        return self._whole._span()

    def _ends(self) -> tuple[Any, Any]:
        low, high = self._whole._bounds()
        return self._plain(low), self._plain(high)

    def _decide(self, by: str = "a plain number") -> Any:
        """Return the number, decided; `by` names the operation that needs it."""
        run, span = self._node.run, self._span()
        if span > run.settings.limits.max_runs:
            name = f"a numpy.{self._plain.__name__} with {(span - 1).bit_length()} undecided bits"
            run.give_up(f"{name} was needed as a plain number by {by}: {ADVICE}")
        return self._plain(self._whole._decide())

    def _compare(self, other: Any, op: Any) -> Any:
        if type(other) is LazyScalar and other._node is self._node and other._maps == self._maps:
            return op(self._ends()[0], other._ends()[0])
        if type(other) not in (int, bool, float, self._plain):
            return self._real(other, op)
        if op is operator.eq or op is operator.ne:
            low = op(self._ends()[0], other)
            equal = self._compare(other, operator.le) and self._compare(other, operator.ge)
            return type(low)(equal if op is operator.eq else not equal)
        steps, kind = (*self._maps, self._plain), type(op(self._ends()[0], other))
        bound, up = turn(self._node, steps, lambda y: bool(op(y, other)))
        return kind(self._node.at_most(bound) if up else not self._node.at_most(bound - 1))

    def _real(self, other: Any, op: Any) -> Any:
        """Return op(self, other) as numpy has it, one of the two or both decided."""
        if is_lazy(other) and other._span() < self._span():
            return op(self, other._decide())
        return op(self._decide(op.__name__), other)

    def _affine(self, call: Callable[[Any], Any], exact: Callable[[int], int]) -> Any:
        """Return call(self) for an affine map: undecided if numpy's own call is exact at both ends, else decided."""
        low, high = self._ends()
        with warnings.catch_warnings(), _numpy().errstate(all="raise"):
            warnings.simplefilter("error")
            try:
                first, last = call(low), call(high)
            except (ArithmeticError, TypeError, ValueError, Warning):
                first = last = None
        kind, shift = type(first), exact(0)
        fits = type(last) is kind and issubclass(kind, _numpy().integer)
        if not fits or (int(first), int(last)) != (exact(int(low)), exact(int(high))):
            return call(self._decide("an operator that overflows or changes the type"))
        scale = exact(1) - shift
        return LazyScalar(self._whole._then(Affine(scale, shift)), kind) if scale else kind(shift)

    def _linear(self, other: Any, op: Any, *, swap: bool = False) -> Any:
        call = (lambda x: op(other, x)) if swap else (lambda x: op(x, other))
        if type(other) in (int, bool, self._plain):
            number = int(other)
            return self._affine(call, lambda x: int(op(number, x) if swap else op(x, number)))
        if type(other) is float:
            return self._double(call)
        return op(other, self._decide(op.__name__)) if swap else self._real(other, op)

    def _divided(self, other: Any) -> Any:
        if type(other) not in (int, float) or not other:
            return self._real(other, operator.truediv)
        return self._double(lambda x: x / other)

    def _double(self, call: Callable[[Any], Any]) -> Any:
        """Return call(self) for an operation that numpy does in doubles with a constant, monotone by IEEE 754."""
        with warnings.catch_warnings(), _numpy().errstate(all="ignore"):
            warnings.simplefilter("ignore")
            ends = [call(x) for x in self._ends()]
        if all(type(x) is _numpy().float64 and math.isfinite(x) for x in ends):
            return LazyFloat(self._node, (*self._maps, self._plain, call))
        return call(self._decide("an operator with a float"))

    def __neg__(self) -> Any:
        return self._affine(operator.neg, operator.neg)

    def __invert__(self) -> Any:
        return self._affine(operator.invert, operator.invert)

    def __abs__(self) -> Any:
        return abs(self._decide("abs"))

    def __float__(self) -> float:
        return float(self._decide("float"))

    def __complex__(self) -> complex:
        return complex(self._decide("complex"))

    def __index__(self) -> int:
        return operator.index(self._decide("int or an index"))

    __int__ = __index__

    def __getattr__(self, name: str) -> Any:
        if name in SHARED:
            return getattr(self._plain(0), name)
        if name.startswith("__"):
            raise AttributeError(f"{self._plain.__name__!r} object has no attribute {name!r}")
        return getattr(self._decide(f".{name}"), name)

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        self._node.run.poison("pickling an undecided draw cannot be followed; write int(...) around the draw")


def _forward(op: Any) -> Any:
    return lambda self, other, *rest: op(self._decide(op.__name__), other, *rest) if rest else self._real(other, op)


def _rounding(name: str) -> Any:
    return lambda self: getattr(math, name)(self._decide(f"math.{name}"))


install(LazyScalar, ARITHMETIC, _forward)
install(LazyScalar, ARITHMETIC, lambda op: lambda self, other: op(other, self._decide(op.__name__)), "__r{}__")
install(LazyScalar, "add sub mul", lambda op: lambda self, other: self._linear(other, op))
install(LazyScalar, "add sub mul", lambda op: lambda self, other: self._linear(other, op, swap=True), "__r{}__")
install(LazyScalar, "truediv", lambda op: LazyScalar._divided)
install(LazyScalar, "hash repr str format round", lambda op: lambda self, *rest: op(self._decide(op.__name__), *rest))
for _name in ("floor", "ceil", "trunc"):
    setattr(LazyScalar, f"__{_name}__", _rounding(_name))
