"""Functions of `math` and numpy, and powers, of undecided floats: monotone by IEEE 754, or between bounds."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy

from dpcert.reading.border import native
from dpcert.reading.domains import coins as domain
from dpcert.reading.domains.chains import at
from dpcert.reading.domains.near import MIRRORED, OF, REAL_NAMES, TO, UNARY, enclosed
from dpcert.reading.domains.steps import MONOTONE, STEPS, WHOLE
from dpcert.reading.floats.accuracy import REALS
from dpcert.reading.values import Undecided, Value

MOST_WHOLE = 1 << 53
"""Integers below it are floats."""
DOUBLES = frozenset({float, numpy.float64})
STEPS["sqrt"] = lambda v, by: math.sqrt(v)
STEPS["np.sqrt"] = lambda v, by: numpy.sqrt(v)
STEPS["abs"] = lambda v, by: abs(v)
STEPS["over"] = lambda v, by: by[0] / v
STEPS["digits"] = lambda v, by: round(v, by)
STEPS["np.round"] = lambda v, by: numpy.round(v, by)
STEPS |= {
    f"np.{name}": partial(lambda host, v, by: host(v), getattr(numpy, name))
    for name in ("floor", "ceil", "trunc", "rint")
}


def is_followed(value: Value) -> bool:
    """Whether a number is one of an interval, and is a float of 64 bits, or an integer that is one."""
    if value.__class__ is not Undecided or value.draw.kind not in MONOTONE:
        return False
    kind = domain.kind_of(value)
    return kind in DOUBLES or (kind in WHOLE and max(map(abs, map(int, domain.ends(value)))) < MOST_WHOLE)


def _by_bounds(m: Any, value: Value, name: str, mode: str = UNARY, c: float = 0.0) -> Value:
    """A function of a number by its bounds, where its domain is not left.

    Raises: Ask whether it is.
    """
    step = enclosed(name, mode, c)
    if math.isfinite(step.real.low) and not domain.compare(value, ">", step.real.low):
        domain.compare(value, "<", step.real.low)  # the border by itself
        return _outside(value, step.call)
    m.pins.drawn.add(name)
    return domain.then(value, "near", (name, mode, c))


def _outside(value: Undecided, call: Callable[[Any], Any]) -> Value:
    """What a function gives outside of its domain, where every number there has the same error; else it is decided."""
    ends = [at(value, place) for place in (value.draw.lo, value.draw.hi - 1)]
    errors: list[Any] = []
    for each in ends:
        try:
            call(each)
        except (ArithmeticError, ValueError) as error:
            errors.append((type(error), error.args))
    if len(errors) == 2 and errors[0] == errors[1]:
        return native(call, (ends[0],))
    return domain.must_decide(value)


def _partly(value: Value, step: str) -> Value:
    """A step that is monotone for numbers that are not negative."""
    if domain.compare(value, ">=", 0):
        return domain.then(value, step)
    return _outside(value, lambda v: STEPS[step](v, None))


def power(m: Any, x: Value, y: Value, name: str) -> Value:
    """A power of which one of both numbers is undecided, and the other a constant.

    Raises: Ask.
    """
    number: Any = x if x.__class__ is Undecided else y
    other: Any = y if number is x else x
    constant: float = float(other) if isinstance(other, (int, float)) else math.nan
    if not math.isfinite(constant) or constant == 0:
        return domain.must_decide(number)
    if number is x:
        if constant.is_integer() and domain.compare(x, "<", 0):
            return _by_bounds(m, domain.then(x, "neg"), name, MIRRORED, other)
        return _by_bounds(m, x, name, OF, other)
    if constant < 0 or constant == 1:
        return domain.must_decide(number)
    return _by_bounds(m, y, name, TO, other)


def powered(m: Any, a: Value, b: Value) -> Value | None:
    """What `a ** b` is, where it is a float that is followed; else None."""
    number, other = (a, b) if a.__class__ is Undecided else (b, a)
    if not is_followed(number) or other.__class__ not in {int, *DOUBLES}:
        return None
    kinds = {domain.kind_of(number), other.__class__}
    if not kinds & DOUBLES or not kinds <= {int, *DOUBLES}:
        return None
    return power(m, a, b, "float ** float" if numpy.float64 not in kinds else "numpy.float64 ** float")


def over(c: Any, number: Undecided) -> Value | None:
    """What a constant divided by a number is, which is monotone on either side of 0; None where it is not followed.

    Raises: Ask.
    """
    finite = isinstance(c, (int, float)) and c.__class__ is not bool and math.isfinite(c) and c != 0
    if not finite or not is_followed(number) or domain.kind_of(number) not in DOUBLES:
        return None
    if domain.compare(number, "==", 0):
        return domain.must_decide(number)
    return domain.then(number, "over", (c, bool(domain.compare(number, ">", 0))))


def _times_zero(a: Any, b: Any) -> Value | None:
    """What a float times 0 is: a zero with the sign that it has; None for other factors.

    Raises: Ask for the sign.
    """
    number, other = (a, b) if a.__class__ is Undecided else (b, a)
    zero = other.__class__ in {int, *DOUBLES} and other == 0
    if not zero or not is_followed(number) or domain.kind_of(number) not in DOUBLES:
        return None
    if not domain.compare(number, ">", 0) and not domain.compare(number, "<", 0):
        return domain.must_decide(number)
    known = at(number, number.draw.lo)
    return native(operator.mul, (known, b) if number is a else (a, known))


def of_floats(m: Any, name: str, a: Value, b: Value) -> Value | None:
    """What an operator gives of undecided numbers where floats have a rule of their own, or the machine; else None."""
    if a.__class__ is b.__class__ is Undecided:
        return None if m.combines is None else m.combines(m, name, a, b)
    if name == "pow":
        return powered(m, a, b)
    if name == "mul":
        return _times_zero(a, b)
    return over(a, b) if name == "truediv" and b.__class__ is Undecided else None


def magnitude(number: Undecided) -> Value:
    """The absolute value of a number, undecided where it is followed.

    Raises: Ask for the sign, or for the value.
    """
    if number.draw.kind not in MONOTONE:
        return domain.magnitude(number)
    if domain.kind_of(number) not in WHOLE | DOUBLES:
        return domain.must_decide(number)
    side = domain.then(number, "neg") if domain.compare(number, "<", 0) else number
    return domain.then(side, "abs") if isinstance(side, Undecided) else abs(side)


def _signed(size: Value, sign: Value, call: Callable[[Any, Any], Any]) -> Value:
    """A number with the sign of another, of which either is undecided."""
    if sign.__class__ is Undecided:
        negative = domain.compare(sign, "<", 0)
        if not negative and not domain.compare(sign, ">", 0):
            sign = domain.must_decide(sign)
        sign = -1.0 if negative else 1.0
    if size.__class__ is not Undecided:
        return native(call, (size, sign))
    size = magnitude(size)
    size = domain.then(size, "float") if size.__class__ is Undecided and domain.kind_of(size) is int else size
    if size.__class__ is not Undecided:
        return native(call, (size, sign))
    return domain.then(size, "neg") if math.copysign(1, sign) < 0 else size


Rule = Callable[..., Value]


def unary(host: Any, follow: Callable[[Any, Value], Value]) -> Rule:
    """The rule for a function of one number: what `follow` gives of an undecided one."""

    def run(m: Any, value: Value, /) -> Value:
        return follow(m, value) if is_followed(value) else native(host, (value,))

    return run


def by_name(name: str) -> Callable[[Any, Value], Value]:
    """What follows a function by its bounds."""
    return lambda m, value: _by_bounds(m, value, name)


def _log(m: Any, value: Value, base: Value = None, /) -> Value:
    if base.__class__ is Undecided:
        base = domain.decide(base)
    if not is_followed(value):
        return native(math.log, (value,) if base is None else (value, base))
    found = _by_bounds(m, value, "math.log")
    if base is None:
        return found
    by = native(math.log, (base,))
    return (
        domain.binary("truediv", found, by) if found.__class__ is Undecided else native(operator.truediv, (found, by))
    )


def _pow(m: Any, x: Value, y: Value, /) -> Value:
    if (is_followed(x) and y.__class__ is not Undecided) or (is_followed(y) and x.__class__ is not Undecided):
        return power(m, x, y, "math.pow")
    return native(math.pow, (x, y))


def _copysign(m: Any, x: Value, y: Value, /) -> Value:
    known = all(each.__class__ is not Undecided or is_followed(each) for each in (x, y))
    if known and x.__class__ is Undecided and domain.kind_of(x) is not float:
        x = domain.then(x, "float")  # of a number of numpy's, too, it makes one of Python's
    return _signed(x, y, math.copysign) if known else native(math.copysign, (x, y))


def _fabs(m: Any, value: Value) -> Value:
    found = magnitude(value)
    if found.__class__ is not Undecided:
        return native(math.fabs, (found,))
    return found if domain.kind_of(found) is float else domain.then(found, "float")


def of_math() -> dict[Any, Rule]:
    """The rules for functions of `math`."""
    found: dict[Any, Rule] = {
        getattr(math, name): unary(getattr(math, name), by_name(f"math.{name}"))
        for name in REALS
        if hasattr(math, name) and name != "log"
    }
    found |= {
        getattr(math, name): unary(getattr(math, name), partial(lambda host, m, value: host(0.0), getattr(math, name)))
        for name in ("isfinite", "isinf", "isnan")  # what is undecided is finite
    }
    found[math.sqrt] = unary(math.sqrt, lambda m, value: _partly(value, "sqrt"))
    found[math.fabs] = unary(math.fabs, _fabs)
    return {**found, math.log: _log, math.pow: _pow, math.copysign: _copysign}


def of_elements() -> tuple[dict[Any, Rule], frozenset[Any]]:
    """The rules for ufuncs of numpy, by element, and those that are followed for single numbers alone: on arrays numpy
    may compute them in another way.
    """

    def doubled(follow: Callable[..., Value], ufunc: Any) -> Rule:
        def run(m: Any, *values: Value) -> Value:
            known = all(
                each.__class__ is not Undecided or (is_followed(each) and domain.kind_of(each) is numpy.float64)
                for each in values
            )
            return follow(m, *values) if known else ufunc(*map(_plain, values))

        return run

    near: dict[Any, Callable[..., Value]] = {
        getattr(numpy, name): by_name(f"numpy.{name}")
        for name in (*REALS, *REAL_NAMES)
        if name not in ("atan", "asinh") and hasattr(numpy, name)
    }
    near[numpy.power] = lambda m, x, y: power(m, x, y, "numpy.power")
    near[numpy.float_power] = lambda m, x, y: power(m, x, y, "numpy.float_power")
    exact: dict[Any, Callable[..., Value]] = {
        getattr(numpy, name): lambda m, value, step=f"np.{name}": domain.then(value, step)
        for name in ("floor", "ceil", "trunc", "rint")
    }
    exact[numpy.sqrt] = lambda m, value: _partly(value, "np.sqrt")
    exact[numpy.fabs] = lambda m, value: magnitude(value)
    exact[numpy.copysign] = lambda m, x, y: _signed(x, y, numpy.copysign)
    every = {ufunc: doubled(follow, ufunc) for ufunc, follow in (near | exact).items()}
    return every, frozenset(near)


def _plain(value: Value) -> Any:
    return domain.decide(value) if value.__class__ is Undecided else value
