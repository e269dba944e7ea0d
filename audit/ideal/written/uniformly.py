"""A uniform noisy number times an exact number, plus another one: what `rng.random() * sum(weights)` is."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from dpcert.audit.ideal.discrete.exponents import Meant, OpenSum, Written, exact_number, exponentials
from dpcert.audit.ideal.numbers import REFUSED, Decider, Real, refusing
from dpcert.audit.ideal.seen.untold import FLOATS, Untold
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.exact import Exact
from dpcert.mechanisms.ideal.parameter import OfEpsilon

__all__ = ["Uniformly", "exponentials", "uniformly"]
NOTHING = Exact(())


class Uniformly(Untold):
    """The number factor * U + offset for a uniform noise variable U; both are exact numbers."""

    __slots__ = ("factor", "name", "offset", "run")
    run: Decider
    __array_priority__ = 1001

    def __init__(self, run: Decider, name: int, factor: Exact, offset: Exact) -> None:
        self.run, self.name, self.factor, self.offset = run, name, factor, offset

    def _of(self, other: Any) -> tuple[Exact, Exact] | None:
        """Return the factor and the offset of a number that depends on no other noise; None for what is no number."""
        if isinstance(other, Uniformly):
            found = other
        elif isinstance(other, Real) and other.terms:
            found = uniformly(other) or self.run.refuse("other noise beside a uniform number times an exponential")
        else:
            number = Exact.of(other.offset) if isinstance(other, Real) else exact_number(other)
            return None if number is None else (NOTHING, number)
        if found.name != self.name:
            self.run.refuse("other noise beside a uniform number times an exponential")
        return found.factor, found.offset

    def _plus(self, other: Any, sign: int, own: int = 1) -> Any:
        parts = self._of(other)
        if parts is None:
            return NotImplemented
        mine = (self.factor, self.offset) if own > 0 else (-self.factor, -self.offset)
        its = parts if sign > 0 else (-parts[0], -parts[1])
        return Uniformly(self.run, self.name, mine[0] + its[0], mine[1] + its[1])

    def __add__(self, other: Any) -> Any:
        return self._plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._plus(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return self._plus(other, 1, own=-1)

    def __neg__(self) -> Any:
        return Uniformly(self.run, self.name, -self.factor, -self.offset)

    def __pos__(self) -> Any:
        return self

    def __mul__(self, other: Any) -> Any:
        parts = self._of(other)
        if parts is None:
            return NotImplemented
        if parts[0].above:
            self.run.refuse("a product of noisy numbers")
        return Uniformly(self.run, self.name, self.factor * parts[1], self.offset * parts[1])

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        parts = self._of(other)
        if parts is None:
            return NotImplemented
        if parts[0].above:
            self.run.refuse("a division by a noisy number")
        try:
            return Uniformly(self.run, self.name, self.factor / parts[1], self.offset / parts[1])
        except Unauditable as error:
            self.run.refuse(str(error))

    def _above(self, other: Any) -> bool | None:
        """Decide whether this is above a number; equality has no probability."""
        if isinstance(other, float) and not isinstance(other, Written) and not math.isfinite(other):
            return None if math.isnan(other) else other < 0
        parts = self._of(other)
        if parts is None:
            self.run.refuse("a comparison of noise with what is no number")
        return self.run.is_above(self.name, self.factor - parts[0], self.offset - parts[1])

    def __gt__(self, other: Any) -> Any:
        return self._above(other) or False

    __ge__ = __gt__

    def __lt__(self, other: Any) -> Any:
        found = self._above(other)
        return found is not None and not found

    __le__ = __lt__

    def as_released(self) -> Any:
        """End the run."""
        self.run.refuse("a uniform number times an exponential, released")

    def may_be(self) -> tuple[Any, ...]:
        """Return a number of each type that a caller may see."""
        return FLOATS


for _name, _words in REFUSED.items():
    if vars(Uniformly).get(_name) is None:
        setattr(Uniformly, _name, refusing(_words))
for _name in ("eq", "ne", "bool", "abs", "floor", "ceil", "trunc", "round"):
    setattr(Uniformly, f"__{_name}__", refusing(f"{_name} of a uniform number times an exponential"))


def uniformly(number: Real) -> Uniformly | None:
    """Return a noisy number that is a uniform variable, times a number and plus one; None for any other."""
    if len(number.terms) != 1:
        return None
    ((name, c),) = number.terms.items()
    if not number.run.is_uniform(name):
        return None
    return Uniformly(number.run, name, Exact.of(c), Exact.of(number.offset))


def _beside_exact(number: Real, other: Any) -> Uniformly | None:
    """Return what stands for a noisy number beside an exact number; None where the float of that does."""
    if not isinstance(other, (Meant, OpenSum, OfEpsilon)) or (exact := exact_number(other)) is None:
        return None
    return None if exact.rational() is not None else uniformly(number)


def _taking(method: Callable[[Real, Any], Any], name: str) -> Callable[[Real, Any], Any]:
    def taking(self: Real, other: Any) -> Any:
        if isinstance(other, Uniformly):
            return NotImplemented
        beside = _beside_exact(self, other)
        return method(self, other) if beside is None else getattr(beside, name)(other)

    return taking


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "lt", "le", "gt", "ge"):
    _method = f"__{_name}__"
    setattr(Real, _method, _taking(getattr(Real, _method), _method))
