"""Logarithms that are guarded from 0, as in `log(max(2 * u, 1e-300))`: noise that is clamped at a logarithm.

Where V = max(W, g) for W = c U + b between 0 and 1, ln V is the greater one of ln W and ln g. It is above a rational
number t exactly where ln W is, or always where t is below ln g. As g is rational, and not 1, ln g is not rational: so
which of the two holds is always found. No other use of such a number is followed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

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


class Clamped(Untold):
    """The number factor * max(inner, ln guard) + offset, for a noisy number `inner`."""

    __slots__ = ("factor", "guard", "inner", "offset")
    __array_priority__ = 1001

    def __init__(self, inner: Real, guard: Fraction, factor: Number = 1, offset: Number = 0) -> None:
        self.inner, self.guard, self.factor, self.offset = inner, guard, factor, offset

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
        return Clamped(self.inner, self.guard, own * self.factor, own * self.offset + sign * number)

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
        return Clamped(self.inner, self.guard, self.factor * number, self.offset * number) if number else 0.0

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
        above = not is_above_logarithm(place, self.guard) or bool(self.inner > place)
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
    """The greater one of a uniform number and a guard, of which nothing is decided until it is used."""

    __slots__ = ("guard", "inner", "known")
    __array_priority__ = 1001

    def __init__(self, inner: Real, guard: Any) -> None:
        self.inner, self.guard = inner, guard
        self.known: Any = None

    @property
    def run(self) -> Decider:
        """The run that the number belongs to."""
        return self.inner.run

    def decided(self) -> Any:
        """Return the greater one."""
        if self.known is None:
            self.known = max(self.inner, self.guard)
        return self.known

    def as_released(self) -> Any:
        """Return the greater one."""
        return self.decided()

    def log(self) -> Any:
        """Return the logarithm."""
        guard = exactly(self.guard)
        if self.known is not None or guard is None or not 0 < guard < 1:
            return log_of(self.decided())
        return Clamped(log_of(self.inner), Fraction(guard))

    def may_be(self) -> tuple[Any, ...]:
        """Return a number of each type that a caller may see."""
        return FLOATS


def _deciding(name: str) -> Callable[..., Any]:
    return lambda self, *args: getattr(self.decided(), name)(*args)


for _name in (
    *("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "neg", "pos", "abs", "bool"),
    *("lt", "le", "gt", "ge", "eq", "ne", "floor", "ceil", "trunc", "round", "floordiv"),
):
    setattr(_Guarded, f"__{_name}__", _deciding(f"__{_name}__"))
for _name, _words in REFUSED.items():
    if vars(_Guarded).get(_name) is None:
        setattr(_Guarded, _name, refusing(_words))


def _guarded(args: tuple[Any, ...], settings: dict[str, Any]) -> _Guarded | None:
    """Return the greater one of a uniform number and a guard above 0; None for anything else."""
    if len(args) != 2 or settings:
        return None
    noisy = [x for x in args if type(x) is Real and uniformly(x) is not None]
    plain = [x for x in args if isinstance(x, float) and not isinstance(x, Untold) and 0 < x < 1]
    return _Guarded(noisy[0], plain[0]) if len(noisy) == len(plain) == 1 else None


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
