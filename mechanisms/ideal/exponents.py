"""Sums of exponentials of numbers and of the parameter epsilon: what parameters of noise are written as."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from dpcert.mechanisms.ideal.terms import gathered

Place = tuple[Fraction, int]
"""The exponent c epsilon^k, as (c, k), where k is 0 or 1."""
Sum = Mapping[Place, Fraction]
"""A sum of C e^(c epsilon^k), by exponents."""
CONSTANT: Place = (Fraction(0), 0)


def over_one(terms: Sum) -> tuple[Fraction, Fraction, int] | None:
    """Return (C, c, k) where 1 - terms is C e^(c epsilon^k); None for anything else."""
    rest = plus({CONSTANT: Fraction(1)}, terms, -1)
    if len(rest) > 1:
        return None
    (((c, k), factor),) = rest.items() or [(CONSTANT, Fraction(0))]
    return factor, c, k


def plus(x: Sum, y: Sum, sign: int) -> Sum:
    """Return x + sign y."""
    return gathered([*x.items(), *((place, sign * c) for place, c in y.items())])


def times(x: Sum, y: Sum) -> Sum | None:
    """Return x y; None where it is no such sum."""
    found = []
    for (c, j), a in x.items():
        for (d, k), b in y.items():
            if c and d and j != k:
                return None
            place = (c + d, max(j, k)) if c + d else CONSTANT
            found.append((place, a * b))
    return gathered(found)


def quotient(x: Sum, y: Sum) -> Sum | None:
    """Return x / y; None where it is no such sum."""
    if len(y) != 1:
        return None
    (((c, k), b),) = y.items()
    return times(x, {(-c, k): 1 / b})


Operation = Callable[[Sum, Sum], Sum | None]
OPERATIONS: dict[str, Operation] = {
    "add": lambda x, y: plus(x, y, 1),
    "sub": lambda x, y: plus(x, y, -1),
    "mul": times,
    "truediv": quotient,
}
