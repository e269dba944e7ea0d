"""The parameters of draws on ideal noise: numbers, exponentials, and the parameter epsilon, which has no noise."""

import math
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.ideal.exact import ONE, Exact
from dpcert.mechanisms.ideal.noise import Rate
from dpcert.mechanisms.ideal.parameter import exactly
from dpcert.reading.domains.forms import Form, Written, data_of, number, refuse
from dpcert.reading.domains.kinds import FLOAT
from dpcert.reading.domains.written import over_one, plain_of, told
from dpcert.reading.errors import Refused
from dpcert.reading.values import SCALARS, Undecided, Value

EPSILON = Exact((((1, Fraction(0), Fraction(0)), Fraction(1)),))


def of_epsilon(world: Any, value: Fraction | None) -> Undecided:
    """The parameter epsilon, a float: a number, or left open."""
    exact = EPSILON if value is None else Exact.of(value)
    return number(world, Written(FLOAT, exact.above, exact.below, None if value is None else float(value)))


def _monomial(value: Value) -> tuple[Fraction, int] | None:
    """(c, k) where a parameter is c epsilon^k, of a float the number that it is where it was not written so; None for
    anything else.

    Raises: Refused for one that is noisy, and for a value that is no scalar: the library's error would name our class.
    """
    x = told(value)
    if type(x) is Undecided:
        if getattr(data_of(x), "terms", None):
            refuse("a scale that is itself noisy is not followed")
        return (Fraction(data_of(x).offset), 0) if isinstance(data_of(x), Form) else None
    if isinstance(x, Written):
        if not x.above:
            return Fraction(0), 0
        (((i, b, s), c), *more) = x.above
        if x.below == ONE.below and not more and not b and not s:
            return c, i
        x = x.value
    exact = exactly(x)
    return None if exact is None else (Fraction(exact), 0)


def rate_of(scale: Value) -> Rate | None:
    """1 / scale; None for the scale 0, of which the library has said what it says."""
    found = _monomial(scale)
    if found is None or found[1] not in (0, -1) or found[0] < 0:
        refuse("a scale that is neither c/epsilon nor a finite number of 0 or more is not followed")
    return Rate(1 / found[0], -found[1]) if found[0] else None


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
    found = _monomial(rate)
    if found is None or found[1] not in (0, 1) or found[0] <= 0:
        refuse("geometric noise that falls by what is neither c epsilon nor a number is not followed")
    return Rate(found[0], found[1])


def mean_of(lam: Value) -> Rate | None:
    """The mean of Poisson noise; None for 0."""
    found = _monomial(lam)
    if found is None or found[1] or found[0] < 0:
        refuse("a mean that is no finite number is not followed")
    return Rate(found[0]) if found[0] else None


def is_open(value: Value) -> bool:
    """Whether a parameter depends on an epsilon that is left open."""
    return plain_of(told(value)) is None


def stand_in(value: Value) -> Any:
    """A plain number for a parameter that the library checks: for one that depends on epsilon, its value at 1.

    Raises: Refused for one that is noisy.
    """
    x = told(value)
    if type(x) is Undecided:
        data = data_of(x)
        if isinstance(data, Form):
            return float(data.offset) if not data.terms else 0.0
        raise Refused("a rounded noisy number as a parameter of a draw is not followed")
    if isinstance(x, Written) and x.value is None:
        found = x.exact.near(1.0)
        return found if math.isfinite(found) else refuse("such a parameter of a draw is not followed")
    x = x.value if isinstance(x, Written) else x
    return x if x.__class__ in SCALARS else refuse("a parameter of a draw that is no number or text is not followed")
