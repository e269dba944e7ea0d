"""Noisy numbers as a program meets them: linear forms of noise variables. A comparison forks the run."""

from __future__ import annotations

import math
import numbers
import operator
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, Protocol

import numpy as np

from dpcert.audit.ideal.seen.untold import FLOATS, Untold
from dpcert.mechanisms.ideal.exact import Exact
from dpcert.mechanisms.ideal.parameter import OfEpsilon, exactly
from dpcert.mechanisms.ideal.terms import Number, divided, rational

WIDE = frozenset("?dlq")
"""The numbers of numpy beside which a float, or an int, of Python is one of 64 bits."""


class Decider(Protocol):
    """What noisy numbers ask of the run that they belong to; `integers` says that its open inputs are integers."""

    integers: bool

    def positive(self, terms: Mapping[int, Number], offset: Number, *, or_zero: bool = False) -> bool:
        """Decide whether a form that is not constant is above 0, or 0; real noise is almost surely not 0."""
        ...

    def step(self, terms: Mapping[int, Number]) -> Number | None:
        """Return a number of which a form of discrete noise is always a multiple; None where real noise is in it."""
        ...

    def may_vanish(self, terms: Mapping[int, Number]) -> bool:
        """Whether a form that is not constant has a chance to be 0."""
        ...

    def is_uniform(self, name: int) -> bool:
        """Whether a variable is uniform noise."""
        ...

    def is_above(self, name: int, factor: Exact, offset: Exact) -> bool:
        """Decide whether factor U + offset is above 0 for a uniform variable U, which is used otherwise nowhere."""
        ...

    def logarithm(self, number: Real) -> Real:
        """Return the logarithm of a number that is not constant."""
        ...

    def refuse(self, what: str) -> NoReturn:
        """End the run for good: what the program did is not followed."""
        ...


class Real(Untold):
    """The real number offset + sum of c * variable, each variable by its number in the run."""

    __slots__ = ("offset", "run", "terms")
    run: Decider
    __array_priority__ = 1000

    def __init__(self, run: Decider, terms: Mapping[int, Number], offset: Number) -> None:
        self.run = run
        self.terms = {name: c for name, c in terms.items() if c}
        self.offset = offset

    def _form(self, other: Any) -> tuple[Mapping[int, Number], Number] | None:
        """Return the terms and the offset of a finite number; None for anything else."""
        if isinstance(other, Real):
            if other.run is not self.run:
                self.run.refuse("a noisy number that was kept from another run")
            return other.terms, other.offset
        if isinstance(other, OfEpsilon):
            constant = other.constant()
            if constant is None:
                self.run.refuse("a sum or a comparison of noise with a number that depends on epsilon")
            return {}, rational(constant)
        value = exactly(other)
        if value is None:
            if isinstance(other, complex) or type(other).__name__ == "Decimal":
                self.run.refuse(f"a {type(other).__name__} beside noise")
            return None
        return {}, value

    def _operand(self, other: Any) -> tuple[Mapping[int, Number], Number] | None:
        """Return the form of a number beside which noise has 64 bits; others are refused."""
        if issubclass(type(other), np.generic) and other.dtype.char not in WIDE:
            self.run.refuse(f"a {other.dtype} beside noise")
        return self._form(other)

    def _plus(self, terms: Mapping[int, Number], offset: Number, sign: int) -> Real:
        if not terms:
            return Real(self.run, self.terms, self.offset + sign * offset)
        found = dict(self.terms)
        for name, c in terms.items():
            found[name] = found.get(name, 0) + sign * c
        return Real(self.run, found, self.offset + sign * offset)

    def _scaled(self, factor: Number) -> Real:
        return Real(self.run, {name: factor * c for name, c in self.terms.items()}, factor * self.offset)

    def __add__(self, other: Any) -> Any:
        form = self._operand(other)
        if form is None:
            return self._beside(other, operator.add, reflected=False)
        return self._plus(*form, 1)

    def __radd__(self, other: Any) -> Any:
        return self.__add__(other)

    def __sub__(self, other: Any) -> Any:
        form = self._operand(other)
        if form is None:
            return self._beside(other, operator.sub, reflected=False)
        return self._plus(*form, -1)

    def __rsub__(self, other: Any) -> Any:
        form = self._operand(other)
        if form is None:
            return self._beside(other, operator.sub, reflected=True)
        return self._scaled(-1)._plus(*form, 1)

    def _beside(self, other: Any, operation: Callable[[float, float], float], *, reflected: bool) -> Any:
        """Return what is left of a finite number beside an infinite one or none."""
        if not isinstance(other, float):
            return NotImplemented
        return operation(other, 0.0) if reflected else operation(0.0, other)

    def __mul__(self, other: Any) -> Any:
        form = self._operand(other)
        if form is None:
            if isinstance(other, float):
                self.run.refuse("a product of noise with an infinite number")
            return NotImplemented
        if form[0] and self.terms:
            self.run.refuse("a product of noisy numbers")
        if form[0]:
            return other._scaled(self.offset)
        return self._scaled(form[1])

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        form = self._operand(other)
        if form is None:
            if isinstance(other, float):
                self.run.refuse("a quotient of noise by an infinite number")
            return NotImplemented
        if form[0]:
            self.run.refuse("a division by a noisy number")
        if form[1] == 0:
            raise ZeroDivisionError("float division by zero")
        return self._scaled(divided(1, form[1]))

    def __rtruediv__(self, other: Any) -> Any:
        if self.terms:
            self.run.refuse("a division by a noisy number")
        if self.offset == 0:
            raise ZeroDivisionError("float division by zero")
        form = self._operand(other)
        return NotImplemented if form is None else Real(self.run, {}, divided(form[1], self.offset))

    def __neg__(self) -> Real:
        return self._scaled(-1)

    def __pos__(self) -> Real:
        return self

    def __abs__(self) -> Real:
        return -self if self < 0 else self

    def _above(self, other: Any, *, or_equal: bool) -> bool | None:
        """Decide whether this is above a number, or equal to it; None where other is no number, or nan."""
        form = self._form(other)
        if form is None:
            return other < 0 if isinstance(other, float) and not math.isnan(other) else None
        difference = self._plus(*form, -1)
        if not difference.terms:
            return difference.offset > 0 or (or_equal and difference.offset == 0)
        return self.run.positive(difference.terms, difference.offset, or_zero=or_equal)

    def _compared(self, other: Any, *, or_equal: bool, below: bool) -> Any:
        above = self._above(other, or_equal=or_equal != below)
        if above is None:
            return False if isinstance(other, float) else NotImplemented
        return above != below

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, or_equal=False, below=True)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, or_equal=True, below=True)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, or_equal=False, below=False)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, or_equal=True, below=False)

    def __eq__(self, other: object) -> Any:
        form = self._form(other)
        if form is None:
            return False if isinstance(other, float) else NotImplemented
        difference = self._plus(*form, -1)
        if not difference.terms or not self.run.may_vanish(difference.terms):
            return not difference.terms and difference.offset == 0
        return bool(difference >= 0) and not difference > 0

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return NotImplemented if equal is NotImplemented else not equal

    def __bool__(self) -> bool:
        return bool(self != 0)

    def is_whole(self) -> bool:
        """Whether this takes only whole values."""
        step = self.run.step(self.terms)
        return step is not None and rational(step).denominator == rational(self.offset).denominator == 1

    def __copy__(self) -> Real:
        return self

    def __deepcopy__(self, memo: Any) -> Real:
        return self

    def conjugate(self) -> Real:
        """Return the number itself, as numpy asks it of real numbers."""
        return self

    def may_be(self) -> tuple[Any, ...]:
        """Return a number of each type that a caller may see."""
        return FLOATS if self.terms and self.run.step(self.terms) is None else super().may_be()


def refusing(words: str) -> Callable[..., Any]:
    """Return a method that refuses what it stands for, in words."""

    def refused(self: Any, *args: Any) -> Any:
        self.run.refuse(words)

    return refused


NO_FLOAT, NO_INT = "a noisy number turned into a float", "int() of a noisy number"
REFUSED = {
    "__hash__": "a noisy number as a key or in a set",
    "__float__": f"{NO_FLOAT} (math, float(), or an array of floats: put them into a list, and make one array of it)",
    "__int__": f"{NO_INT} where int is no name of the program's own modules",
    "__index__": "a noisy number as an index",
    "__complex__": "complex() of a noisy number",
    "__floordiv__": "// of a rounded noisy number",
    "__rfloordiv__": "// by a noisy number",
    "__mod__": "% of a noisy number",
    "__rmod__": "% by a noisy number",
    "__divmod__": "divmod() of a noisy number",
    "__rdivmod__": "divmod() by a noisy number",
    "__pow__": "a power of a noisy number",
    "__rpow__": "a power by a noisy number",
    "__rtruediv__": "a division by a noisy number",
    "__str__": "the text of a noisy number",
    "__repr__": "the text of a noisy number",
    "__format__": "the text of a noisy number",
    "__reduce_ex__": "a stored noisy number",
}
"""What noisy numbers refuse, in words; how they are rounded is in `whole.py`."""

for _name, _words in REFUSED.items():
    if vars(Real).get(_name) is None:
        setattr(Real, _name, refusing(_words))

numbers.Real.register(Real)
