"""Logarithms that are guarded from 0, as in `log(max(2 * u, 1e-300))`: noise that is clamped at a logarithm.

Where V = max(W, g) for W = c U + b between 0 and 1, ln V is the greater one of ln W and ln g. It is above a rational
number t exactly where ln W is, or always where t is below ln g. As g is rational, and not 1, ln g is not rational: so
which of the two holds is always found. A guard from above, as of `np.clip(u, g, 1 - g)`, is the same on the other side.
No other use of such a number is followed.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcert.mechanisms.adapters.late import flint
from dpcert.mechanisms.ideal.parameter import exactly
from dpcert.mechanisms.ideal.terms import Number, divided, rational
from dpcert.reading.domains.forms import Clamped, Data, Form, Guarded, Way, data_of, refuse
from dpcert.reading.domains.kinds import Kinds
from dpcert.reading.values import Value

MOST_BITS = 1 << 16
CLAMPED = "noise that a guard clamps, used otherwise than in a comparison with a number, is not followed"


def is_above_logarithm(number: Number, guard: Number) -> bool:
    """Whether a number is above the logarithm of a number between 0 and 1."""
    bits = 64
    while bits <= MOST_BITS:
        with flint.ctx.workprec(bits):
            end = flint.arb(flint.fmpq(guard.numerator, guard.denominator)).log()
            place = flint.arb(flint.fmpq(number.numerator, number.denominator))
        if place > end or place < end:
            return bool(place > end)
        bits *= 2
    raise ArithmeticError("a logarithm that is too near to a number to tell")


def guarded(known: Way, value: Value, low: Value, high: Value) -> Guarded | None:
    """A uniform number clamped at floats between 0 and 1, of which None is no such end; None for anything else."""
    inner = data_of(value)
    ends = [None if end is None else _guard(end) for end in (low, high)]
    if not isinstance(inner, Form) or len(inner.terms) != 1 or not known.is_uniform(inner.terms[0][0]):
        return None
    if any(end is None and given is not None for end, given in zip(ends, (low, high), strict=True)):
        return None
    if (ends[0] or 0) >= (ends[1] or 1):
        return None
    return Guarded(inner.kinds, inner.terms, inner.offset, ends[0], ends[1])


def _guard(value: Value) -> Number | None:
    number = exactly(value) if isinstance(value, float) else None
    return number if number is not None and 0 < number < 1 else None


def decided(known: Way, data: Data) -> Data:
    """The number, or the end that it is beyond; all else as it is.

    Raises: Ask; Refused for clamped noise.
    """
    if isinstance(data, Clamped):
        refuse(CLAMPED)
    if not isinstance(data, Guarded):
        return data
    for end, beyond in ((data.low, False), (data.high, True)):
        if end is not None and known.positive(dict(data.terms), rational(data.offset - end)) is beyond:
            return Form(data.kinds, (), end)
    return data.inner


def logarithm(data: Guarded, noise: Form) -> Clamped | Form:
    """The logarithm of a guarded number, of which `noise` is that of the number inside."""
    low = None if data.low is None or data.low <= 0 else data.low
    high = None if data.high is None or data.high >= 1 else data.high
    return Clamped(noise.kinds, noise.terms, noise.offset, low, high)


def scaled(data: Guarded | Clamped, factor: Number, kinds: Kinds, shift: Number = 0) -> Data:
    """Such a number times a factor, which is not 0, plus a constant."""
    if isinstance(data, Clamped):
        return replace(data, kinds=kinds, factor=data.factor * factor, shift=data.shift * factor + shift)
    inner = data.inner.times(factor, kinds).moved(shift)
    ends = [None if end is None else rational(end * factor + shift) for end in (data.low, data.high)]
    low, high = ends if factor > 0 else ends[::-1]
    return Guarded(kinds, inner.terms, inner.offset, low, high)


def binary(name: str, x: Any, y: Any, kinds: Kinds) -> Any:
    """The result of an operator on such a number and a constant; None for any other one."""
    data, other = (x, y) if isinstance(x, (Guarded, Clamped)) else (y, x)
    if not isinstance(other, Form) or other.terms:
        return None
    constant = other.offset
    match name:
        case "add":
            return scaled(data, 1, kinds, constant)
        case "sub":
            return scaled(data, 1, kinds, -constant) if data is x else scaled(data, -1, kinds, constant)
        case "mul":
            return scaled(data, constant, kinds) if constant else Form(kinds, (), 0)
        case "truediv" if data is x and constant:
            return scaled(data, divided(1, constant), kinds)
    return None


def compared(known: Way, x: Any, sign: str, y: Any) -> bool | None:
    """How such a number compares with a constant, for equality has no probability; None where it is to be decided."""
    data, other = (x, y) if isinstance(x, (Guarded, Clamped)) else (y, x)
    if not isinstance(other, Form) or other.terms or sign in ("==", "!="):
        return None
    bound, above = other.offset, (sign in (">", ">=")) is (data is x)
    if isinstance(data, Clamped):
        return _is_above(known, data, bound) is above
    if (data.low is not None and data.low >= bound) or (data.high is not None and bound >= data.high):
        return None
    return known.positive(dict(data.terms), rational(data.offset - bound)) is above


def _is_above(known: Way, data: Clamped, bound: Number) -> bool:
    place = Fraction(bound - data.shift) / data.factor
    if data.low is not None and not is_above_logarithm(place, data.low):
        above = True
    elif data.high is not None and is_above_logarithm(place, data.high):
        above = False
    else:
        above = known.positive(dict(data.terms), rational(data.offset - place))
    return above is (data.factor > 0)
