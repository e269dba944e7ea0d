"""The balls of python-flint: certified rational bounds of formulas in real numbers."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from dpcert.mechanisms.exact.errors import InputError

Bounds = tuple[Fraction, Fraction]
"""Bounds of a number: at least the first and at most the second."""

Formula = Callable[..., Any]
"""A formula in balls: `+ - * /`, powers, `exp`, `log`, `sqrt`, `erf` of its arguments, and integers."""

MOST_BITS = 1 << 14
"""The greatest precision."""


@cache
def flint(wanted: str) -> Any:
    """Return the library python-flint, for a computation that is described in words.

    Raises: InputError where it is not installed.
    """
    try:
        import flint as library
    except ImportError as error:
        raise InputError(
            given=wanted,
            needed="the library python-flint",
            remedy="install it: pip install 'python-flint>=0.7'",
        ) from error
    return library


def enclose(formula: Formula, *arguments: Fraction | int | Bounds, bits: int = 128) -> Bounds:
    """Return rational bounds of the formula at its arguments, or at all numbers within the arguments' bounds. Arguments
    become balls that contain them. The library's operations on balls contain the results on all numbers in the balls
    (Arb: Johansson 2017). The two ends returned are exact.

    Requires: bits from 2 to 16,384, the precision of each operation.
    Raises:   InputError where the bounds are not finite, as for a division by a ball that contains 0.
    """
    if not 2 <= bits <= MOST_BITS:
        raise InputError(given=f"bits={bits}", needed=f"from 2 to {MOST_BITS}", remedy="set it within these")
    library = flint("certified bounds of a real number")
    with library.ctx.workprec(bits):
        found = formula(*(_ball(library, argument) for argument in arguments))
        found = found if isinstance(found, library.arb) else library.arb(found)
        if not found.is_finite():
            raise InputError(
                given=f"a formula at {', '.join(map(str, arguments))}",
                needed=f"finite bounds at {bits} bits",
                remedy="take more bits, or narrower arguments",
            )
        return _exact(found.lower()), _exact(found.upper())


def pi(bits: int = 128) -> Bounds:
    """Return bounds of pi."""
    return enclose(lambda one: 4 * one.atan(), 1, bits=bits)


def _ball(library: Any, argument: Fraction | int | Bounds) -> Any:
    if isinstance(argument, tuple):
        low, high = (_ball(library, end) for end in argument)
        return low.union(high)
    value = Fraction(argument)
    return library.arb(library.fmpq(value.numerator, value.denominator))


def _exact(end: Any) -> Fraction:
    mantissa, exponent = (int(part) for part in end.man_exp())
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)
