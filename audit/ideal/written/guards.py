"""Logarithms that are guarded from 0, as in `log(max(2 * u, 1e-300))`: noise that is clamped at a logarithm.

Where V = max(W, g) for W = c U + b between 0 and 1, ln V is the greater one of ln W and ln g. It is above a rational
number t exactly where ln W is, or always where t is below ln g. As g is rational, and not 1, ln g is not rational: so
which of the two holds is always found. A guard from above, as of `np.clip(u, g, 1 - g)`, is the same on the other side.
No other use of such a number is followed.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, cast

import flint
import numpy as np

from dpcert.audit.ideal.logarithms import log_of
from dpcert.audit.ideal.numbers import REFUSED, Decider, Real, refusing
from dpcert.audit.ideal.seen.untold import FLOATS, Untold
from dpcert.audit.ideal.written.uniformly import uniformly
from dpcert.mechanisms.binding import Binding, Swap
from dpcert.mechanisms.floating.following import codes
from dpcert.mechanisms.ideal.parameter import exactly
from dpcert.mechanisms.ideal.terms import Number

MOST_BITS = 1 << 16
CLAMPED = "noise that a guard clamps, used otherwise than in a comparison with a number"


def is_above_logarithm(number: Number, guard: Fraction) -> bool:
    """Whether a number is above the logarithm of a number between 0 and 1."""
    bits = 64
    while bits <= MOST_BITS:
        with flint.ctx.workprec(bits):
            end = flint.arb(flint.fmpq(guard.numerator, guard.denominator)).log()
            place = flint.arb(flint.fmpq(number.numerator, number.denominator))
        if place > end or place < end:
            return bool(place > end)
        bits *= 2
    raise ArithmeticError("a logarithm that is too near to a number to tell")


Guards = tuple[Fraction | None, Fraction | None]
"""The least and the greatest value of a guarded number, both between 0 and 1; None for no such guard."""


class Clamped(Untold):
    """The number factor * x + offset, where x is a noisy number `inner`, clamped at the logarithms of guards."""

    __slots__ = ("factor", "guards", "inner", "offset")
    __array_priority__ = 1001

    def __init__(self, inner: Real, guards: Guards, factor: Number = 1, offset: Number = 0) -> None:
        self.inner, self.guards, self.factor, self.offset = inner, guards, factor, offset

    @property
    def run(self) -> Decider:
        """The run that the number belongs to."""
        return self.inner.run

    def _number(self, other: Any) -> Number | None:
        if isinstance(other, Real) and not other.terms:
            return other.offset
        if isinstance(other, Untold):
            self.run.refuse(CLAMPED)
        return exactly(other)

    def _moved(self, other: Any, sign: int, own: int = 1) -> Any:
        number = self._number(other)
        if number is None:
            return NotImplemented
        return Clamped(self.inner, self.guards, own * self.factor, own * self.offset + sign * number)

    def __add__(self, other: Any) -> Any:
        return self._moved(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._moved(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return self._moved(other, 1, own=-1)

    def __neg__(self) -> Any:
        return self._moved(0, 1, own=-1)

    def __pos__(self) -> Any:
        return self

    def __mul__(self, other: Any) -> Any:
        number = self._number(other)
        if number is None:
            return NotImplemented
        return Clamped(self.inner, self.guards, self.factor * number, self.offset * number) if number else 0.0

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        number = self._number(other)
        if number is None:
            return NotImplemented
        if number == 0:
            raise ZeroDivisionError("float division by zero")
        return self * (1 / Fraction(number))

    def _above(self, other: Any) -> bool:
        """Decide whether this is above a number; equality has no probability."""
        if isinstance(other, float) and math.isinf(other):
            return other < 0
        number = self._number(other)
        if number is None:
            self.run.refuse(CLAMPED)
        place = Fraction(number - self.offset) / self.factor
        low, high = self.guards
        if low is not None and not is_above_logarithm(place, low):
            above = True
        elif high is not None and is_above_logarithm(place, high):
            above = False
        else:
            above = bool(self.inner > place)
        return above == (self.factor > 0)

    def __gt__(self, other: Any) -> Any:
        return self._above(other)

    __ge__ = __gt__

    def __lt__(self, other: Any) -> Any:
        return not self._above(other)

    __le__ = __lt__

    def __abs__(self) -> Any:
        return self if self > 0 else -self

    def as_released(self) -> Any:
        """End the run."""
        self.run.refuse("noise that a guard clamps, released")

    def may_be(self) -> tuple[Any, ...]:
        """Return a number of each type that a caller may see."""
        return FLOATS


for _name, _words in REFUSED.items():
    if vars(Clamped).get(_name) is None:
        setattr(Clamped, _name, refusing(_words))
for _name in ("eq", "ne", "bool", "floor", "ceil", "trunc", "round"):
    setattr(Clamped, f"__{_name}__", refusing(CLAMPED))


class _Guarded(Untold):
    """A noisy number `inner` that is uniform, clamped at numbers `low` and `high`, of which None is no such end.

    Where it is not shifted, scaled, compared with numbers between these ends, or put into a logarithm, it is decided
    whether it is beyond one of them.
    """

    __slots__ = ("high", "inner", "known", "low")
    __array_priority__ = 1001

    def __init__(self, inner: Real, low: Number | None, high: Number | None) -> None:
        self.inner, self.low, self.high = inner, low, high
        self.known: Any = None

    @property
    def run(self) -> Decider:
        """The run that the number belongs to."""
        return self.inner.run

    def decided(self) -> Real:
        """Return the number, or the end that it is beyond."""
        if self.known is None:
            self.known = self.inner
            for end, beyond in ((self.low, operator.lt), (self.high, operator.gt)):
                if end is not None and beyond(self.known, end):
                    self.known = Real(self.run, {}, end)
        return cast(Real, self.known)

    as_released = decided

    def scaled(self, factor: Number, offset: Number) -> Any:
        """Return the number times a factor, which is not 0, plus an offset."""
        ends = [None if end is None else end * factor + offset for end in (self.low, self.high)]
        return _Guarded(self.inner * factor + offset, *(ends if factor > 0 else reversed(ends)))

    def log(self) -> Any:
        """Return the logarithm."""
        inside = (self.low is None or self.low < 1) and (self.high is None or self.high > 0)
        if self.known is not None or not inside:
            return log_of(self.decided())
        low = None if self.low is None or self.low <= 0 else Fraction(self.low)
        high = None if self.high is None or self.high >= 1 else Fraction(self.high)
        return Clamped(log_of(self.inner), (low, high))

    def may_be(self) -> tuple[Any, ...]:
        """Return a number of each type that a caller may see."""
        return FLOATS


def _plain(value: Any) -> Number | None:
    """Return a number without noise; None for anything else."""
    return None if issubclass(type(value), Untold) else exactly(value)


SCALED: dict[str, Callable[[Number], tuple[Number, Number]]] = {
    "__add__": lambda x: (1, x),
    "__radd__": lambda x: (1, x),
    "__sub__": lambda x: (1, -x),
    "__rsub__": lambda x: (-1, x),
    "__mul__": lambda x: (x, 0),
    "__rmul__": lambda x: (x, 0),
    "__truediv__": lambda x: (1 / Fraction(x) if x else 0, 0),
}
"""What operations with a number are: its factor, and its offset."""


def _scaling(name: str) -> Callable[..., Any]:
    def operate(self: _Guarded, other: Any) -> Any:
        number = _plain(other)
        factor, offset = (0, 0) if number is None else SCALED[name](number)
        if self.known is not None or factor == 0:
            return getattr(self.decided(), name)(other.decided() if type(other) is _Guarded else other)
        return self.scaled(factor, offset)

    return operate


def _comparing(name: str) -> Callable[..., Any]:
    def compare(self: _Guarded, other: Any) -> Any:
        number = _plain(other)
        inside = number is not None and (self.low is None or self.low < number)
        if inside and number is not None and (self.high is None or number < self.high) and self.known is None:
            return getattr(self.inner, name)(number)
        return getattr(self.decided(), name)(other.decided() if type(other) is _Guarded else other)

    return compare


def _deciding(name: str) -> Callable[..., Any]:
    return lambda self, *args: getattr(self.decided(), name)(*args)


for _name in SCALED:
    setattr(_Guarded, _name, _scaling(_name))
for _name in ("__lt__", "__le__", "__gt__", "__ge__"):
    setattr(_Guarded, _name, _comparing(_name))
for _name in ("rtruediv", "neg", "pos", "abs", "bool", "eq", "ne", "floor", "ceil", "trunc", "round", "floordiv"):
    setattr(_Guarded, f"__{_name}__", _deciding(f"__{_name}__"))
for _name, _words in REFUSED.items():
    if vars(_Guarded).get(_name) is None:
        setattr(_Guarded, _name, refusing(_words))


def _guard(value: Any) -> Number | None:
    """Return a float between 0 and 1; None for anything else."""
    number = exactly(value) if issubclass(type(value), float) else None
    return number if number is not None and 0 < number < 1 else None


def _guarded(args: tuple[Any, ...], settings: dict[str, Any]) -> _Guarded | None:
    """Return the greater one of a uniform number and a guard; None for anything else."""
    if len(args) != 2 or settings:
        return None
    noisy = [x for x in args if type(x) is Real and uniformly(x) is not None]
    low = [guard for x in args if (guard := _guard(x)) is not None]
    return _Guarded(noisy[0], low[0], None) if len(noisy) == len(low) == 1 else None


def _clip(clipped: Callable[..., Any]) -> Callable[..., Any]:
    def clip(self: Real, *args: Any, **settings: Any) -> Any:
        if any(x is not None for x in settings.values()) or not 1 <= len(args) <= 2 or uniformly(self) is None:
            return clipped(self, *args, **settings)
        guards = tuple(map(_guard, (*args, None)[:2]))
        known = all(guard is not None or end is None for guard, end in zip(guards, args, strict=False))
        if not known or (guards[0] or 0) >= (guards[1] or 1):
            return clipped(self, *args)
        return _Guarded(self, guards[0], guards[1])

    return clip


for _name, _taking in {"clip": _clip}.items():
    setattr(Real, _name, _taking(getattr(Real, _name)))


class Greatest:
    """`max`, or `numpy.maximum`, which leaves a guarded uniform number undecided."""

    def __init__(self, function: Any) -> None:
        self._function = function

    def __call__(self, *args: Any, **settings: Any) -> Any:
        found = _guarded(args, settings)
        return self._function(*args, **settings) if found is None else found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)


def guards() -> Iterator[tuple[Any, Any]]:
    """Yield the functions that take noise beside a guard."""
    yield np.maximum, Greatest(np.maximum)


def guarded(spaces: Sequence[dict[str, Any]]) -> Binding:
    """Return what binds `max` in these modules."""
    used = [space for space in spaces if any("max" in code.co_names for code in codes(space))]
    return Binding([Swap(space, "max", Greatest(max)) for space in used if "max" not in space])
