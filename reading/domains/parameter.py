"""The parameter epsilon on ideal noise, and exponentials of it: numbers that have no noise, and are not plain.

A number that is given as an exponential, such as 1 - exp(-1/2), is the float that it is, and what it was written as
beside: a parameter of a draw is read as it is meant.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.ideal.exponents import CONSTANT, OPERATIONS, Sum, over_one, plus
from dpcert.mechanisms.ideal.noise import Rate
from dpcert.mechanisms.ideal.parameter import OfEpsilon, exactly
from dpcert.reading.domains.forms import Data, Epsilon, Form, Written, data_of, number, refuse
from dpcert.reading.domains.kinds import FLOAT, OPERATORS, SIGNS, Kinds, kind_named, kinds_after, results
from dpcert.reading.errors import Refused
from dpcert.reading.values import Undecided, Value

LOOKED = "a look at a number that depends on epsilon is not followed"
SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
SIGNED = {sign: OPERATORS[name] for sign, name in SIGNS.items()}
LESS: dict[str, int] = {"exp": 0, "expm1": 1}


def of_epsilon(world: Any, value: Fraction | None) -> Undecided:
    """The parameter epsilon, a float: a number, or left open."""
    return number(world, Epsilon(FLOAT, ((1, Fraction(1)),) if value is None else ((0, value),)))


def told(value: Value) -> Any:
    """A number of epsilon as data; a plain number, or one of noise, as it is."""
    found = data_of(value) if type(value) is Undecided and value.draw.kind == "ideal" else None
    return found if isinstance(found, (Epsilon, Written)) else value


def binary(name: str, a: Value, b: Value, kinds: Kinds) -> Data | Value:
    """The result of an operator on numbers of epsilon and plain numbers.

    Raises: Raises with the exception of the real operation.
    """
    x, y = told(a), told(b)
    if Written in (type(x), type(y)):
        return _of_written(name, x, y)
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


def _of_written(name: str, x: Any, y: Any) -> Data | Value:
    """An operator on exponentials: what it is written as, and the plain number where it is one."""
    left, right = _sum_of(x), _sum_of(y)
    rows = OPERATIONS[name](left, right) if name in OPERATIONS and left is not None and right is not None else None
    known = [plain_of(each) for each in (x, y)]
    if any(each is None for each in known):
        if rows is None:
            refuse("such a number that depends on epsilon is not followed")
        return Written(FLOAT, tuple(sorted(rows.items())), None)
    (value,) = results(OPERATORS[name], *([each] for each in known))
    if rows is None or not isinstance(value, float):
        return value
    return Written((kind_named(value),), tuple(sorted(rows.items())), value)


def _sum_of(x: Any) -> Sum | None:
    if isinstance(x, Written):
        return x.sum()
    exact = constant_of(x)
    return None if exact is None else {CONSTANT: Fraction(exact)}


def constant_of(x: Any) -> Fraction | None:
    """The exact number that a plain number is, or an epsilon that is given; None for anything else."""
    if isinstance(x, Epsilon):
        return x.number().constant()
    exact = exactly(x)
    return None if exact is None else Fraction(exact)


def plain_of(x: Any) -> Value:
    """The plain number that a number of epsilon is to the library; None where it depends on epsilon."""
    if isinstance(x, Written):
        return x.value
    if isinstance(x, Epsilon):
        constant = x.number().constant()
        return None if constant is None else float(constant)
    return x


def exponential(world: Any, name: str, function: Callable[[Any], Any], value: Value) -> Value:
    """`exp` of a number, or `expm1`, with what it is written as.

    Raises: Raises with the exception of the real function.
    """
    x = told(value)
    if plain_of(x) is None:
        if not isinstance(x, Epsilon) or (monomial := x.number().monomial()) is None or monomial[1] != 1:
            refuse("an exponential of what is no multiple of epsilon is not followed")
        rows = plus({monomial: Fraction(1)}, {CONSTANT: Fraction(LESS[name])}, -1)
        return number(world, Written(kinds_after(function, [1.5]), tuple(sorted(rows.items())), None))
    (found,) = results(function, [plain_of(x)])
    exact = constant_of(x)
    if exact is None or isinstance(x, bool) or not isinstance(found, float) or not math.isfinite(found):
        return found
    rows = plus({(exact, 0): Fraction(1)}, {CONSTANT: Fraction(LESS[name])}, -1)
    return number(world, Written((kind_named(found),), tuple(sorted(rows.items())), found))


def compared(sign: str, a: Value, b: Value) -> bool:
    """The answer of a comparison of a number of epsilon, which holds for every epsilon above 0.

    Raises: Refused where there is none.
    """
    x, y = told(a), told(b)
    if Written in (type(x), type(y)):
        refuse(LOOKED)
    left, right = (each.number() if isinstance(each, Epsilon) else each for each in (x, y))
    if not isinstance(left, OfEpsilon):
        return compared(SWAPPED.get(sign, sign), b, a)
    return bool(SIGNED[sign](left, right))


def negative(data: Epsilon | Written) -> Data:
    """A number of epsilon times -1."""
    if isinstance(data, Epsilon):
        return _epsilon(-data.number(), data.kinds)
    rows = tuple((place, -c) for place, c in data.rows)
    return Written(data.kinds, rows, None if data.value is None else -data.value)


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
    x = told(p)
    found = over_one(x.sum()) if isinstance(x, Written) else None
    if found is None:
        exact = _plain_constant(x)
        found = None if exact is None else (1 - exact, Fraction(0), 0)
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


def stand_in(value: Value) -> Any:
    """What stands for a number of a parameter where the library checks it.

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
        return sum(float(a) * math.exp(c) for (c, _), a in x.rows)
    return x.value if isinstance(x, Written) else x
