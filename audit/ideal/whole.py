"""Noisy numbers rounded to whole ones, and multiples of these: what `round`, `floor`, `int` and `//` make of noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from dpcert.audit.ideal.numbers import REFUSED, Decider, Real, refusing
from dpcert.audit.ideal.seen.untold import Untold, told_isinstance, types_told
from dpcert.mechanisms.binding import Binding, Swap
from dpcert.mechanisms.floating.following import codes
from dpcert.mechanisms.ideal.noise import HALF
from dpcert.mechanisms.ideal.parameter import exactly
from dpcert.mechanisms.ideal.path import step_of
from dpcert.mechanisms.ideal.terms import Number, divided, rational
from dpcert.mechanisms.watch import GuardedType


class Whole(Untold):
    """The number factor * floor(inner) + shift, for a noisy number `inner` and a factor above 0."""

    __slots__ = ("factor", "inner", "shift")
    __array_priority__ = 1000

    def __init__(self, inner: Real, factor: Number = 1, shift: Number = 0) -> None:
        self.inner, self.factor, self.shift = inner, factor, shift

    def _takes(self, other: Real) -> bool:
        """Whether a form of open inputs may be added before rounding, as it is an integer where these are."""
        open_ = other.terms and all(name < 0 for name in other.terms)
        whole = all(rational(c).denominator == 1 for c in (*other.terms.values(), other.offset))
        return bool(open_) and whole and self.factor == 1

    def _number(self, other: Any) -> Number | None:
        if isinstance(other, Real) and not other.terms:
            return other.offset
        if isinstance(other, (Real, Whole)):
            self.inner.run.refuse("a rounded noisy number beside another noisy one")
        return exactly(other)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Real) and self._takes(other):
            self.run.integers = True
            return Whole(self.inner + other, self.factor, self.shift)
        number = self._number(other)
        return NotImplemented if number is None else Whole(self.inner, self.factor, self.shift + number)

    __radd__ = __add__

    def __neg__(self) -> Any:
        return _negated(self)

    def __pos__(self) -> Whole:
        return self

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Real) and self._takes(other):
            return self + -other
        number = self._number(other)
        return NotImplemented if number is None else Whole(self.inner, self.factor, self.shift - number)

    def __rsub__(self, other: Any) -> Any:
        if isinstance(other, Real) and self._takes(other):
            return -self + other
        number = self._number(other)
        return NotImplemented if number is None else -self + number

    def __mul__(self, other: Any) -> Any:
        number = self._number(other)
        if number is None:
            return NotImplemented
        if number == 0:
            return 0
        size = -number if number < 0 else number
        found = Whole(self.inner, self.factor * size, self.shift * size)
        return -found if number < 0 else found

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        number = self._number(other)
        if number is None:
            return NotImplemented
        if number == 0:
            raise ZeroDivisionError("division by zero")
        return self * (1 / Fraction(number))

    def _at_least(self, other: Any, *, strictly: bool) -> bool | None:
        """Decide whether this is at least a number, or above it; None where that is no number."""
        if isinstance(other, float) and math.isinf(other):
            return other < 0
        number = self._number(other)
        if number is None:
            return None
        least = divided(number - self.shift, self.factor)
        bound = math.floor(least) + 1 if strictly else math.ceil(least)
        return bool(self.inner >= bound)

    def __ge__(self, other: Any) -> Any:
        found = self._at_least(other, strictly=False)
        return NotImplemented if found is None else found

    def __gt__(self, other: Any) -> Any:
        found = self._at_least(other, strictly=True)
        return NotImplemented if found is None else found

    def __lt__(self, other: Any) -> Any:
        found = self._at_least(other, strictly=False)
        return NotImplemented if found is None else not found

    def __le__(self, other: Any) -> Any:
        found = self._at_least(other, strictly=True)
        return NotImplemented if found is None else not found

    def __eq__(self, other: object) -> Any:
        if other is self:
            return True
        if isinstance(other, float) and not math.isfinite(other):
            return False
        number = self._number(other)
        if number is None:
            return NotImplemented
        place = divided(number - self.shift, self.factor)
        return place.denominator == 1 and bool(self >= number) and not bool(self > number)

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return NotImplemented if equal is NotImplemented else not equal

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def _whole(self) -> bool:
        return rational(self.factor).denominator == 1 and rational(self.shift).denominator == 1

    def __round__(self, digits: int | None = None) -> Any:
        if not self._whole() or (digits or 0) < 0:
            self.inner.run.refuse("a rounded noisy number rounded again")
        return self

    __floor__ = __ceil__ = __trunc__ = __round__

    def rint(self) -> Any:
        """Return the number rounded, as numpy asks it of objects."""
        return self.__round__()

    def round(self, decimals: int = 0, out: None = None) -> Any:
        """Return the number rounded, as of numpy's numbers."""
        return self.__round__(decimals)

    def __copy__(self) -> Whole:
        return self

    def __deepcopy__(self, memo: Any) -> Whole:
        return self

    @property
    def run(self) -> Decider:
        """The run that the number belongs to."""
        return self.inner.run


def _negated(number: Whole) -> Whole:
    """Return -number: -floor(x) is ceil(-x)."""
    return Whole(_raised(-number.inner), number.factor, -number.shift)


def _raised(inner: Real) -> Real:
    """Return a number whose floor is the ceiling of a noisy one: x + 1 where the noise is real, so that x is whole with
    no probability; of discrete noise, less than that by what its values and 1 are multiples of."""
    step = inner.run.step(inner.terms)
    least: Number = 0 if step is None else step_of([step, inner.offset, 1])
    return Real(inner.run, inner.terms, inner.offset + 1 - least)


def _rounded(inner: Real, exactly_so: Callable[[Fraction], Number], otherwise: Callable[[Real], Any]) -> Any:
    """Return a number rounded: exactly where it is constant; else noise is never where two roundings differ."""
    if not inner.terms:
        return exactly_so(Fraction(inner.offset))
    if inner.is_whole():
        return inner
    if all(name < 0 for name in inner.terms):
        inner.run.refuse("an open input rounded without noise")
    return otherwise(inner)


def floor(inner: Real) -> Any:
    """Return a noisy number rounded down."""
    return _rounded(inner, math.floor, Whole)


def ceil(inner: Real) -> Any:
    """Return a noisy number rounded up."""
    return _rounded(inner, math.ceil, lambda noisy: Whole(_raised(noisy)))


def trunc(inner: Real) -> Any:
    """Return a noisy number rounded towards 0, as `int` does."""
    return _rounded(inner, math.trunc, lambda noisy: floor(noisy) if noisy >= 0 else ceil(noisy))


def nearest(inner: Real, digits: Any = None) -> Any:
    """Return a noisy number rounded to so many decimal digits: halves, with no probability, either way."""
    scale = Fraction(10) ** int(digits or 0)
    found = _rounded(inner * scale, round, _half_up)
    return found if digits is None else found * (1 / scale)


def _half_up(noisy: Real) -> Whole:
    step = noisy.run.step(noisy.terms)
    if step is not None and ((HALF - noisy.offset) / step_of([step, 1])).denominator == 1:
        noisy.run.refuse("discrete noise rounded where it may lie at a half")
    return Whole(noisy + HALF)


def divided_down(inner: Real, other: Any) -> Any:
    """Return inner // other for a number other."""
    number = exactly(other)
    if number is None:
        inner.run.refuse("// of a noisy number by what is no number")
    found = floor(inner / other)
    return found if isinstance(found, (Real, Whole)) else Real(inner.run, {}, found)  # a float, as of floats


def _clipped(number: Any, a_min: Any = None, a_max: Any = None, out: None = None) -> Any:
    """Return a noisy number clipped, as of numpy's numbers."""
    if a_max is not None and (number > a_max or (a_min is not None and a_min > a_max)):
        return _constant(number, a_max)
    return _constant(number, a_min) if a_min is not None and number < a_min else number


def _constant(number: Any, end: Any) -> Any:
    value = exactly(end)
    return end if value is None else Real(number.run, {}, value)


def _cast(number: Any, dtype: Any, *args: Any, **settings: Any) -> Any:
    """Return a noisy number as one of another type of numpy's."""
    kind = np.dtype(dtype)
    match kind.kind, kind.itemsize:
        case ("f", 8) | ("O", _):
            return number
        case "i", 8:
            return number.__trunc__()
        case "b", _:
            return bool(number != 0)
        case _:
            return number.run.refuse(f"a noisy number as {kind}")


def _itself(number: Any) -> Any:
    return number


class _Named(type):
    """The type of a name that means a built-in type, and what it makes of noisy numbers."""

    plain: type
    noisy: Callable[[Any], Any]

    def __call__(cls, *args: Any, **settings: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], (Real, Whole)):
            return cls.noisy(args[0])
        if len(args) == 1 and cls.plain is float and getattr(type(args[0]), "is_meant", False) is True:
            return args[0]
        return cls.plain(*args, **settings)

    def __instancecheck__(cls, value: object) -> bool:
        return told_isinstance(value, cls.plain)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, cls.plain)

    def __eq__(cls, other: object) -> bool:
        return other is cls or other is cls.plain

    def __hash__(cls) -> int:
        return hash(cls.plain)


def _to_int(value: Any) -> Any:
    return value.__trunc__()


NAMES: dict[str, Any] = {
    "int": _Named("int", (int,), {"plain": int, "noisy": staticmethod(_to_int), "dtype": np.dtype(int)}),
    "float": _Named("float", (float,), {"plain": float, "noisy": staticmethod(_itself), "dtype": np.dtype(float)}),
}
"""The names that a program's own modules have for these types while it runs on ideal noise."""


class _Type(GuardedType):
    """The meaning of `type` beside these names."""

    meanings: ClassVar[Mapping[type, type]] = {kind.plain: kind for kind in NAMES.values()}


def named(spaces: Sequence[dict[str, Any]]) -> Binding:
    """Return what binds `int` and `float` in these modules, which follow noisy numbers, and what looks at types."""
    plain: list[dict[str, Any]] = []
    others: list[dict[str, Any]] = []
    for space in spaces:
        used = (code.co_names for code in codes(space))
        looks = any("__class__" in names and not NAMES.keys().isdisjoint(names) for names in used)
        (others if looks else plain).append(space)
    meant = [Swap(space, name, NAMES[name]) for space in plain for name in NAMES if name not in space]
    return Binding([*meant, *types_told(plain, _Type), *types_told(others, GuardedType)])


_ROUNDING: dict[str, Callable[..., Any]] = {
    "__floor__": floor,
    "__ceil__": ceil,
    "__trunc__": trunc,
    "__round__": nearest,
    "__floordiv__": divided_down,
    "rint": nearest,
    "round": lambda number, decimals=0, out=None: nearest(number, decimals),
}
"""What Python and numpy ask of a noisy number to round it."""
_AS_NUMPY: dict[str, Callable[..., Any]] = {"astype": _cast, "clip": _clipped, "item": _itself}
"""What noisy numbers have of numpy's numbers."""
for _name, _function in _ROUNDING.items():
    setattr(Real, _name, _function)
for _name, _function in _AS_NUMPY.items():
    setattr(Real, _name, _function)
    setattr(Whole, _name, _function)
for _name, _words in REFUSED.items():
    if vars(Whole).get(_name) is None:
        setattr(Whole, _name, refusing(_words))
