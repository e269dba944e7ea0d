"""Numbers written as exponentials: what `exp` of a number or of the parameter epsilon makes, and `1 -` it.

A parameter such as 1 - exp(-epsilon) is read as it is meant. A number that is no parameter of a draw goes on as the
float that it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from dpcert.mechanisms.ideal.exponents import CONSTANT, OPERATIONS, Operation, Sum, over_one, plus
from dpcert.mechanisms.ideal.parameter import OfEpsilon, exactly
from dpcert.mechanisms.ideal.terms import Number


def sum_of(value: Any) -> Sum | None:
    """Return a number as such a sum; None for what is none."""
    if isinstance(value, (Written, OpenSum)):
        return value.terms
    number = exactly(value)
    return None if number is None else {CONSTANT: Fraction(number)}


def one_less(value: Any) -> tuple[Fraction, Fraction, int] | None:
    """Return (C, c, k) where 1 - value is C e^(c epsilon^k), of a float the number that it is where it was not written
    so; None for anything else."""
    terms = sum_of(value)
    found = None if terms is None else over_one(terms)
    return one_less(plain(value)) if found is None and type(value) is Written else found


class Written(float):
    """A float with the sum of exponentials that it was written as, and what floats of numpy have."""

    terms: Sum

    def asked_type(self) -> type:
        """Return the type that it has for programs."""
        return float

    def __neg__(self) -> Any:
        return 0 - self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(np.float64(self), name)


def _written(value: Any, terms: Sum | None) -> Any:
    if terms is None or not isinstance(value, float):
        return value
    found = Written(value)
    found.terms = terms
    return found


def plain(value: Any) -> Any:
    """Return the float alone of one that has what it was written as."""
    return float(value) if type(value) is Written else value


class OpenSum:
    """A sum of C e^(c epsilon) for an epsilon that is left open; no program can look at it."""

    def __init__(self, terms: Sum, refuse: Callable[[str], NoReturn]) -> None:
        self.terms = terms
        self.refuse = refuse

    def at(self, epsilon: Fraction) -> float:
        """Return about the value at an epsilon."""
        return sum(float(a) * math.exp(c * epsilon**k) for (c, k), a in self.terms.items())

    def __neg__(self) -> Any:
        return OpenSum({place: -c for place, c in self.terms.items()}, self.refuse)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self.refuse(f"{name} of a number that depends on epsilon")


def _operator(name: str, operation: Operation, *, reflected: bool) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        mine, its = sum_of(self), sum_of(other)
        x, y = (its, mine) if reflected else (mine, its)
        terms = None if x is None or y is None else operation(x, y)
        if isinstance(self, OpenSum):
            return (
                self.refuse("such a number that depends on epsilon") if terms is None else OpenSum(terms, self.refuse)
            )
        if isinstance(other, OpenSum):
            return NotImplemented
        return _written(getattr(plain(self), name)(plain(other)), terms)

    return method


for _name, _operation in OPERATIONS.items():
    for _sign, _reflected in (("", False), ("r", True)):
        _method = f"__{_sign}{_name}__"
        for _kind in (Written, OpenSum):
            setattr(_kind, _method, _operator(_method, _operation, reflected=_reflected))


for _name in ("lt", "le", "gt", "ge", "eq", "ne", "hash", "float", "int", "bool", "str", "repr", "format", "index"):

    def _refused(self: OpenSum, *args: Any) -> NoReturn:
        self.refuse("a look at a number that depends on epsilon")

    setattr(OpenSum, f"__{_name}__", _refused)


def _of_epsilon(value: OfEpsilon, less: int) -> OpenSum:
    """Return the exponential of a multiple of epsilon, less a number."""
    monomial = value.monomial()
    if monomial is None or monomial[1] != 1:
        value.refuse("exp of what is no multiple of epsilon")
    return OpenSum(plus({monomial: Fraction(1)}, {CONSTANT: Fraction(less)}, -1), value.refuse)


class _Exponential:
    """`exp` or `expm1` of Python or numpy, which also keeps what a number was written as."""

    def __init__(self, function: Any, less: int) -> None:
        self._function, self._less = function, less

    def __call__(self, x: Any, *args: Any, **settings: Any) -> Any:
        if isinstance(x, OfEpsilon):
            constant = x.constant()
            if constant is None:
                return _of_epsilon(x, self._less)
            x = constant
        value = float(x) if isinstance(x, Fraction) else plain(x)
        found = self._function(value, *args, **settings)
        number = None if args or settings or np.ndim(value) else exactly(x)
        if number is None or isinstance(x, bool):
            return found
        return _written(found, plus(_power_of_e(number), {CONSTANT: Fraction(self._less)}, -1))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)


def _power_of_e(number: Number) -> Sum:
    return {(Fraction(number), 0): Fraction(1)}


def exponentials() -> Iterator[tuple[Any, Any]]:
    """Yield the functions that make exponentials, each with one that keeps what they are of."""
    for module in (math, np):
        yield module.exp, _Exponential(module.exp, 0)
        yield module.expm1, _Exponential(module.expm1, 1)
