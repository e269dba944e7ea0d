"""The privacy parameter epsilon left symbolic: sums of rational multiples of its powers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

from dpcert.mechanisms.ideal.terms import Number, rational


def exactly(value: Any) -> Number | None:
    """Return the exact value of a finite plain number, of Python or numpy; None for anything else."""
    kind = type(value)
    if kind is int:
        return int(value)
    if isinstance(value, (bool, int, Fraction)):
        return rational(Fraction(value))
    if issubclass(kind, float):
        return rational(Fraction(value)) if math.isfinite(value) else None
    name = type(value).__module__
    if name == "numpy" and hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        return exactly(value.item())
    return None


class OfEpsilon:
    """A sum of c * epsilon^k with rational c and integers k, for an epsilon > 0 that no program can compare.

    Programs are given epsilon as a float: so `isinstance` answers.
    """

    __slots__ = ("refuse", "terms")

    def __init__(self, terms: Mapping[int, Number], refuse: Callable[[str], NoReturn]) -> None:
        self.terms = {k: Fraction(c) for k, c in terms.items() if c}
        self.refuse = refuse

    if not TYPE_CHECKING:

        @property
        def __class__(self) -> type:
            return float

    def asked_type(self) -> NoReturn:
        """End the run, as the program asks for the type of epsilon."""
        self.refuse("type() of epsilon; use isinstance")

    def _with(self, terms: Mapping[int, Number]) -> OfEpsilon:
        return OfEpsilon(terms, self.refuse)

    def _of(self, other: Any) -> Mapping[int, Fraction] | None:
        if isinstance(other, OfEpsilon):
            return other.terms
        value = exactly(other)
        return None if value is None else {0: Fraction(value)}

    def constant(self) -> Fraction | None:
        """Return the number that this is where epsilon does not occur."""
        return self.terms.get(0, Fraction(0)) if set(self.terms) <= {0} else None

    def monomial(self) -> tuple[Fraction, int] | None:
        """Return (c, k) where this is c * epsilon^k."""
        if len(self.terms) != 1:
            return None
        ((k, c),) = self.terms.items()
        return c, k

    def at(self, epsilon: Fraction) -> Fraction:
        """Return the value at an epsilon."""
        return sum((c * epsilon**k for k, c in self.terms.items()), Fraction(0))

    def __add__(self, other: Any) -> Any:
        terms = self._of(other)
        if terms is None:
            return NotImplemented
        return self._with({k: self.terms.get(k, Fraction(0)) + terms.get(k, 0) for k in {*self.terms, *terms}})

    __radd__ = __add__

    def __neg__(self) -> OfEpsilon:
        return self._with({k: -c for k, c in self.terms.items()})

    def __pos__(self) -> OfEpsilon:
        return self

    def __sub__(self, other: Any) -> Any:
        terms = self._of(other)
        return NotImplemented if terms is None else self + self._with({k: -c for k, c in terms.items()})

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        terms = self._of(other)
        if terms is None:
            return NotImplemented
        found: dict[int, Fraction] = {}
        for i, c in self.terms.items():
            for j, d in terms.items():
                found[i + j] = found.get(i + j, Fraction(0)) + c * d
        return self._with(found)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        terms = self._of(other)
        if terms is None:
            return NotImplemented
        return self._over(terms)

    def __rtruediv__(self, other: Any) -> Any:
        terms = self._of(other)
        if terms is None:
            return NotImplemented
        return self._with(terms)._over(self.terms)

    def __pow__(self, power: Any) -> Any:
        if type(power) is not int or power < 0:
            self.refuse("epsilon to a power that is no int above 0")
        return math.prod([self] * power, start=self._with({0: 1}))

    def _over(self, terms: Mapping[int, Fraction]) -> OfEpsilon:
        divisor = self._with(terms).monomial()
        if divisor is None:
            if not self._with(terms).terms:
                raise ZeroDivisionError("division by zero")
            self.refuse("a division by a sum of powers of epsilon")
        c, k = divisor
        return self._with({i - k: d / c for i, d in self.terms.items()})

    def _sign(self, other: Any) -> int:
        terms = self._of(other)
        if terms is None:
            if isinstance(other, float) and math.isinf(other):
                return -1 if other > 0 else 1
            self.refuse("a comparison of epsilon with what is no number")
        signs = {c > 0 for c in (self - self._with(terms)).terms.values()}
        if len(signs) == 2:
            self.refuse("a comparison that holds for some epsilon and not for others")
        return 0 if not signs else 1 if signs == {True} else -1

    def __lt__(self, other: Any) -> bool:
        return self._sign(other) < 0

    def __le__(self, other: Any) -> bool:
        return self._sign(other) <= 0

    def __gt__(self, other: Any) -> bool:
        return self._sign(other) > 0

    def __ge__(self, other: Any) -> bool:
        return self._sign(other) >= 0

    def __eq__(self, other: object) -> bool:
        return self._sign(other) == 0

    def __hash__(self) -> int:
        self.refuse("epsilon as a key or in a set")

    def __bool__(self) -> bool:
        return self._sign(0) != 0

    def __abs__(self) -> OfEpsilon:
        return self if self._sign(0) >= 0 else -self

    def __float__(self) -> float:
        value = self.constant()
        if value is None:
            self.refuse("a float function of epsilon")
        return float(value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self.refuse(f"{name} of epsilon")

    def __repr__(self) -> str:
        self.refuse("the text of epsilon")
