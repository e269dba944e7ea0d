"""The parameter epsilon on ideal noise, which has no noise and is not plain, and the parameters of draws."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.ideal.noise import Rate
from dpcert.mechanisms.ideal.parameter import OfEpsilon, exactly
from dpcert.reading.domains.forms import Data, Epsilon, Form, Written, data_of, number, refuse
from dpcert.reading.domains.kinds import FLOAT, OPERATORS, Kinds
from dpcert.reading.domains.written import OPERATIONS, SIGNED, over_one, plain_of, told
from dpcert.reading.errors import Refused
from dpcert.reading.values import Undecided, Value

SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def of_epsilon(world: Any, value: Fraction | None) -> Undecided:
    """The parameter epsilon, a float: a number, or left open."""
    return number(world, Epsilon(FLOAT, ((1, Fraction(1)),) if value is None else ((0, value),)))


def binary(name: str, a: Value, b: Value, kinds: Kinds) -> Data:
    """The result of an operator on numbers of epsilon and plain numbers.

    Raises: Refused for what is not followed.
    """
    x, y = told(a), told(b)
    if name == "pow":
        if type(y) is not int or y < 0:
            refuse("epsilon to a power that is no int of 0 or more is not followed")
        return _epsilon(x.number() ** y, kinds)
    if name not in OPERATIONS or not all(isinstance(each, Epsilon) or exactly(each) is not None for each in (x, y)):
        refuse(f"{name} of epsilon and such a number is not followed")
    divisor = y if not isinstance(y, Epsilon) else y.number().constant()
    if name == "truediv" and divisor == 0:
        refuse("a division by zero that gives a number is not followed")
    left, right = (each.number() if isinstance(each, Epsilon) else each for each in (x, y))
    return _epsilon(OPERATORS[name](left, right), kinds)


def _epsilon(found: OfEpsilon, kinds: Kinds) -> Epsilon:
    return Epsilon(kinds, tuple(sorted(found.terms.items())))


def compared(sign: str, a: Value, b: Value) -> bool:
    """The answer of a comparison of a number of epsilon, which holds for every epsilon above 0.

    Raises: Refused where there is none.
    """
    left, right = (each.number() if isinstance(each, Epsilon) else each for each in map(told, (a, b)))
    if not isinstance(left, OfEpsilon):
        return compared(SWAPPED.get(sign, sign), b, a)
    return bool(SIGNED[sign](left, right))


def negative(data: Epsilon) -> Epsilon:
    """A number of epsilon times -1."""
    return _epsilon(-data.number(), data.kinds)


# -- parameters of draws


def rate_of(scale: Value) -> Rate | None:
    """1 / scale; None for the scale 0, or below 0, of which the library has said what it says."""
    x = told(scale)
    if isinstance(x, Epsilon):
        if not x.powers:
            return None
        monomial = x.number().monomial()
        if monomial is None or monomial[1] not in (0, -1) or monomial[0] < 0:
            refuse("a scale that is neither c/epsilon nor a number is not followed")
        return Rate(1 / monomial[0], -monomial[1])
    if type(x) is Undecided and getattr(data_of(x), "terms", None):
        refuse("a scale that is itself noisy is not followed")
    exact = _plain_constant(x)
    if exact is None or exact < 0:
        refuse("a scale that is no finite number of 0 or more is not followed")
    return None if exact == 0 else Rate(1 / exact)


def _plain_constant(x: Any) -> Fraction | None:
    """The exact number of a parameter, which may be a form without noise."""
    if type(x) is Undecided:
        data = data_of(x)
        return Fraction(data.offset) if isinstance(data, Form) and not data.terms else None
    exact = None if plain_of(x) is None else exactly(plain_of(x))
    return None if exact is None else Fraction(exact)


def falling_of(p: Value) -> Rate | None:
    """The rate at which the weights of geometric noise fall, -ln(1 - p); None for p = 1."""
    found = over_one(told(p))
    if found is None:
        refuse("a p that is neither a number nor 1 - exp(-c epsilon) is not followed")
    c, exponent, power = found
    if power and (c > 1 or exponent > 0):
        refuse("a p that is no probability for every epsilon is not followed")
    return Rate(-exponent, power, 1 / c) if c else None


def falling_by(rate: Value) -> Rate:
    """The rate of geometric noise, which is given."""
    x = told(rate)
    if isinstance(x, Epsilon):
        monomial = x.number().monomial()
        found = None if monomial is None or monomial[1] not in (0, 1) else monomial
    else:
        exact = _plain_constant(x)
        found = None if exact is None else (exact, 0)
    if found is None or found[0] <= 0:
        refuse("geometric noise that falls by what is neither c epsilon nor a number is not followed")
    return Rate(found[0], found[1])


def mean_of(lam: Value) -> Rate | None:
    """The mean of Poisson noise; None for 0."""
    exact = _plain_constant(told(lam))
    if exact is None or exact < 0:
        refuse("a mean that is no finite number is not followed")
    return Rate(exact) if exact else None


def is_open(value: Value) -> bool:
    """Whether a parameter depends on an epsilon that is left open."""
    return plain_of(told(value)) is None


def stand_in(value: Value) -> Any:
    """What stands for a number of a parameter where the library checks it: for one that depends on epsilon, what it is
    at 1.

    Raises: Refused for one that is noisy.
    """
    x = told(value)
    if type(x) is Undecided:
        data = data_of(x)
        if isinstance(data, Form):
            return float(data.offset) if not data.terms else 0.0
        raise Refused("a rounded noisy number as a parameter of a draw is not followed")
    if isinstance(x, Epsilon):
        return float(x.number().at(Fraction(1)))
    if isinstance(x, Written) and x.value is None:
        found = x.exact.near(1.0)
        return found if math.isfinite(found) else refuse("such a parameter of a draw is not followed")
    return x.value if isinstance(x, Written) else x
