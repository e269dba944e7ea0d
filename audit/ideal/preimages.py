"""Where a released function of noise is at most a number, as polytopes in the noise."""

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.parts import Noisy
from dpcert.mechanisms.ideal.post import Function, constant_in

Linear = tuple[dict[int, Fraction], Fraction]
"""A form and a constant."""
Cell = tuple[Linear, ...]
"""Where each of some linear numbers is above 0; of those at most an end, where each is at least 0."""
Cells = tuple[list[Cell], list[Cell]]
"""Where a number is at most an end, and where it is above."""
ALWAYS: Cells = ([()], [])
NEVER: Cells = ([], [()])
ONE = Fraction(1)


def halves(linear: Linear, end: Fraction) -> Cells:
    """Return where a linear number is at most an end, and where it is above."""
    below, above = _plus(_times(linear, -ONE), end), _plus(linear, -end)
    return [(below,)], [(above,)]


def _plus(linear: Linear, by: Fraction) -> Linear:
    return linear[0], linear[1] + by


def _times(linear: Linear, by: Fraction) -> Linear:
    return {name: c * by for name, c in linear[0].items() if c * by}, linear[1] * by


def _sum(first: Linear, second: Linear) -> Linear:
    terms = {
        name: first[0].get(name, Fraction(0)) + second[0].get(name, Fraction(0)) for name in {*first[0], *second[0]}
    }
    return {name: c for name, c in terms.items() if c}, first[1] + second[1]


def linear_in(function: Function, arguments: Sequence[Noisy]) -> Linear | None:
    """Return the linear number that a leaf of a function is; None for all else."""
    if function[0] != "of":
        return None
    found: Linear = ({}, Fraction(function[2]))
    for place, c in function[1]:
        found = _sum(found, _times((dict(arguments[place].terms), arguments[place].offset), c))
    return found


def preimage(function: Function, arguments: Sequence[Noisy], end: Fraction, factor: Fraction = ONE) -> Cells:
    """Return in cells where a function, times a factor that is not 0, is at most an end, and where it is above.

    Raises: Unauditable where these are no polytopes that are known.
    """
    linear = linear_in(function, arguments)
    if linear is not None:
        return halves(_times(linear, factor), end)
    name, *parts = function
    if name in ("add", "mul") and constant_in(parts[0]) is not None:
        parts.reverse()
    constants = [constant_in(part) for part in parts if isinstance(part, tuple)]
    match name, parts, constants:
        case "neg", (inner,), _:
            return preimage(inner, arguments, end, -factor)
        case "sqrt", (inner,), _:
            return _preimage_of_root(inner, arguments, end / factor, positive=factor > 0)
        case "mul", (left, right), _ if left == right:
            return _preimage_of_power(left, 2, arguments, end / factor, positive=factor > 0)
        case "pow", (inner, power), _:
            return _preimage_of_power(inner, power, arguments, end / factor, positive=factor > 0)
        case "mul", (inner, _), (_, Fraction() as by):
            by *= factor
            return preimage(inner, arguments, end, by) if by else ALWAYS if end >= 0 else NEVER
        case "truediv", (inner, _), (_, Fraction() as by):
            return preimage(inner, arguments, end, factor / by)
        case "truediv", (left, right), _:
            above, below = linear_in(left, arguments), linear_in(right, arguments)
            if above is not None and below is not None:
                return _preimage_of_quotient(_times(above, factor), below, end)
        case "add", (inner, _), (_, Fraction() as by):
            return preimage(inner, arguments, end - factor * by, factor)
        case "sub", (inner, _), (_, Fraction() as by):
            return preimage(inner, arguments, end + factor * by, factor)
        case "sub", (_, inner), (Fraction() as by, _):
            return preimage(inner, arguments, end - factor * by, -factor)
    raise Unauditable(f"where {name} of noise is at most a number is no question about half-spaces")


def _preimage_of_root(inner: Function, arguments: Sequence[Noisy], end: Fraction, *, positive: bool) -> Cells:
    """Return where a root is at most an end, or where `positive` is false, at least, and where it is not."""
    if positive:
        return preimage(inner, arguments, end * end) if end >= 0 else NEVER
    return preimage(inner, arguments, -end * end, -ONE) if end > 0 else ALWAYS


def _preimage_of_power(
    inner: Function, power: int, arguments: Sequence[Noisy], end: Fraction, *, positive: bool
) -> Cells:
    """Return where a power is at most an end, or where `positive` is false, at least, and where it is not."""
    linear = linear_in(inner, arguments)
    number = abs(end)
    # The rational root of a number of at least 0; None where it has none.
    above, below = _whole_root(number.numerator, power), _whole_root(number.denominator, power)
    root = None if above is None or below is None else Fraction(above, below)
    if linear is None or root is None:
        raise Unauditable("a power of noise beside a number of which the root is not rational")
    negative = _times(linear, -ONE)
    if power % 2:
        root = root if end >= 0 else -root
        return halves(linear, root) if positive else halves(negative, -root)
    if end < 0 or (end == 0 and not positive):
        return NEVER if positive else ALWAYS
    between: list[Cell] = [(_plus(linear, root), _plus(negative, root))]
    beyond: list[Cell] = [(_plus(linear, -root),), (_plus(negative, -root),)]
    return (between, beyond) if positive else (beyond, between)


def _preimage_of_quotient(above: Linear, below: Linear, end: Fraction) -> Cells:
    negative, difference = _times(below, -ONE), _sum(above, _times(below, -end))
    opposite = _times(difference, -ONE)
    return [(below, opposite), (negative, difference)], [(below, difference), (negative, opposite)]


def _whole_root(number: int, power: int) -> int | None:
    if power == 2:
        found = isqrt(number)
        return found if found * found == number else None
    near = round(number ** (1 / power)) if number < 1 << 900 else 0
    return next((each for each in (near - 1, near, near + 1) if each >= 0 and each**power == number), None)
