"""The floats that CPython's `random()` returns, undecided: k / 2^53 with k a lazy integer.

The one module of the exact layer that computes with floats. Each step is the very operation that runs in
production, it is monotone by IEEE 754, and a comparison is decided by bisection on k with these operations, so
that `random() < p` has exactly the probability that it has on the machine.
"""

import dis
import math
import operator
import sys
from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any, NamedTuple

from dpcert.mechanisms.exact.lazy import Binary, FloorDiv, Lazy, LazyInt, Monotone, install, turn
from dpcert.mechanisms.exact.node import Node
from dpcert.mechanisms.exact.run import Run

BITS = 53
LIMIT = 1 << 1000
WHOLE = Node(Run(([], 0, 0, 0), 0, None, None), 0, (1 << BITS) - 1)
"""The 53 bits of a `random()` before any question about them."""


def plain_random(k: int) -> float:
    """Return the float that CPython's `random()` returns for the 53 bits k."""
    return k * 2.0**-BITS


UNIT = (plain_random,)
"""The step from the 53 bits of a `random()` to its float."""


def _machine_float(value: Any) -> bool:
    """Whether a value is a float or a `numpy.float64`, which computes in the same way; only their types differ."""
    return type(value) in (float, getattr(sys.modules.get("numpy"), "float64", float))


class Step(NamedTuple):
    """x -> op(x, constant), or op(constant, x) where it is swapped; equal steps give equal floats."""

    op: Binary
    constant: Any
    swapped: bool

    def __call__(self, x: Any) -> Any:
        return self.op(self.constant, x) if self.swapped else self.op(x, self.constant)


@lru_cache(maxsize=1 << 12)
def _cut(maps: tuple[Any, ...], op: Binary, constant: Any) -> tuple[int, bool]:
    """Return the result of `turn` for op(image, constant), for all of the 53 bits, and so for any part of them."""
    return turn(WHOLE, maps, lambda y: op(y, constant))


def _rounding(step: Any) -> Callable[[Any], LazyInt]:
    return lambda self: LazyInt(self._node, (Monotone((*self._maps, step)),))


class LazyFloat(Lazy):
    """An undecided float: a node seen through monotone operations with constants."""

    __slots__ = ()
    _plain = float

    def _decide(self) -> Any:
        node = self._node
        if type(self._maps[0]) in (Monotone, FloorDiv) and self._span() > node.run.settings.limits.max_runs:
            LazyInt(node, self._maps[:1])._decide()  # an integer, of which the float is a function
        else:
            self._needed("a random()", "float")
            while (lo := node.least()) != (hi := node.greatest()):
                node.at_most((lo + hi) // 2)
        return self._image(node.least())

    def _compare(self, other: Any, op: Binary) -> Any:
        if self._maps is UNIT and type(other) is float and op is not operator.eq and op is not operator.ne:
            bound, up = _cut(UNIT, op, other)
            return self._node.at_most(bound) if up else not self._node.at_most(bound - 1)
        if type(other) in (LazyFloat, LazyInt):
            return op(self, other._decide())
        if type(other) not in (int, bool) and not _machine_float(other):
            return op(self._decide(), other)
        kind = type(op(self._image(self._node.least()), other))  # bool, or numpy's
        if op is operator.eq or op is operator.ne:
            equal = self._compare(other, operator.le) and self._compare(other, operator.ge)
            return kind(equal if op is operator.eq else not equal)
        known = self._maps[0] is plain_random and {*map(type, self._maps[1:])} <= {Step}
        bound, up = _cut(self._maps, op, other) if known else turn(self._node, self._maps, lambda y: op(y, other))
        return kind(self._node.at_most(bound) if up else not self._node.at_most(bound - 1))

    def _step(self, other: Any, op: Binary, swap: bool = False) -> Any:
        """Apply an operation that is monotone in this for a finite constant and finite results; else decide."""
        if type(other) in (LazyFloat, LazyInt):
            other = other._decide()
        plain = math.isfinite(other) if _machine_float(other) else type(other) in (int, bool) and abs(other) < LIMIT
        if plain and (other or op is not operator.truediv):
            result = LazyFloat(self._node, (*self._maps, Step(op, other, swap)))
            if all(math.isfinite(result._image(x)) for x in (self._node.least(), self._node.greatest())):
                return result
        return op(other, self._decide()) if swap else op(self._decide(), other)

    def __neg__(self) -> Any:
        return LazyFloat(self._node, (*self._maps, operator.neg))

    def __abs__(self) -> Any:
        return -self if self._compare(0, operator.lt) else self._step(0, operator.add)  # -0.0 + 0 is 0.0

    __floor__, __ceil__, __trunc__ = map(_rounding, (math.floor, math.ceil, math.trunc))

    def __int__(self) -> int:
        return _rounding(int)(self)._decide()

    def __round__(self, digits: int | None = None) -> Any:
        if digits is None:
            return _rounding(round)(self)
        if type(digits) is int and digits >= 0:
            return LazyFloat(self._node, (*self._maps, lambda x: round(x, digits)))
        return round(self._decide(), digits)


COMPENSATES = sum([0.1] * 10) == 1.0
"""Whether `sum` makes up for the rounding of floats, as it does from CPython 3.12 on; for other types it does not."""


@lru_cache(maxsize=1 << 12)
def _operators(code: CodeType) -> frozenset[int]:
    """Return where a code adds or multiplies, not in place: `row += map(sum, rows)` runs `sum` within an operator."""
    return frozenset(each.offset for each in dis.get_instructions(code) if each.argrepr in ("+", "*"))


def _summed(op: Binary, *, swap: bool = False) -> Callable[[Any, Any], Any]:
    """Return addition or multiplication; where code in C calls it, as `sum` does, it decides the float first."""

    def method(self: Any, other: Any) -> Any:
        frame = sys._getframe(1)
        if not COMPENSATES or frame.f_lasti in _operators(frame.f_code):
            return self._step(other, op, swap=swap)
        return op(other, self._decide()) if swap else op(self._decide(), other)

    return method


install(LazyFloat, "sub truediv", lambda op: lambda self, other: self._step(other, op))
install(LazyFloat, "add mul", _summed)
install(LazyFloat, "sub", lambda op: lambda self, other: self._step(other, op, swap=True), "__r{}__")
install(LazyFloat, "add mul", lambda op: _summed(op, swap=True), "__r{}__")


def lift(value: LazyInt, step: Callable[[Any], float] = float) -> Any:
    """Return float(value), or another monotone step, undecided where every possible value is in the range of floats."""
    lo, hi = value._bounds()
    if lo > -LIMIT and hi < LIMIT:
        return LazyFloat(value._node, (*value._maps, step))
    return step(value._decide())


def quotient(value: LazyInt, divisor: int) -> Any:
    """Return value / divisor as Python rounds it, undecided where it can be followed."""
    plain = divisor and -LIMIT < divisor < LIMIT
    return lift(value, lambda x: x / divisor) if plain else value._decide() / divisor


LazyInt._lifted, LazyInt._divided = lift, quotient
