"""The signs of sums of c h^i e^(b h + s), where h is an epsilon that is left open.

All of b, c and s are rational, and i is an integer. Without h such a sum is 0 only where every coefficient is, by the
theorem of Lindemann and Weierstrass; so its sign is always seen in balls of more and more bits. With h, and without
s, it is h^i times a polynomial in x = e^(g h): its real roots are isolated, and a rational x in each gap has its sign.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

from dpcert.mechanisms.adapters.late import flint
from dpcert.mechanisms.exact.errors import Unauditable
from dpcert.mechanisms.ideal.terms import Number

Place = tuple[int, Fraction, Fraction]
"""The exponents (i, b, s) of h^i e^(b h + s)."""
Sum = Mapping[Place, Fraction]
BITS, MOST_BITS = 128, 1 << 16
MOST_DEGREE = 1 << 12
"""The greatest degree of a polynomial that is looked at, or of which common factors are looked for."""
MOST_ISOLATED = 600
"""The greatest degree of a polynomial of which roots are isolated."""
UNKNOWN = "a number of which the sign is not known for every epsilon"


def _rational(x: Number) -> Any:
    return flint.fmpq(x.numerator, x.denominator)


def ball_of(terms: Sum) -> Any:
    """Return a ball around a sum without h, of the bits that FLINT has now."""
    return sum(
        (flint.arb(_rational(c)) * flint.arb(_rational(s)).exp() for (_, _, s), c in terms.items()), flint.arb(0)
    )


def sign_of(terms: Sum, *, nowhere_zero: bool = False) -> int:
    """Return the sign of a sum; with h, that for every h > 0. At some of these it may be 0, but for `nowhere_zero`.

    Raises: Unauditable where there is no such sign, or where it is not known.
    """
    if not terms:
        return 0
    if len({c > 0 for c in terms.values()}) == 1:
        return 1 if next(iter(terms.values())) > 0 else -1
    if any(i or b for i, b, _ in terms):
        found = signs_over(terms)
        if len(found.keys() - {0}) != 1 or (nowhere_zero and 0 in found):
            raise Unauditable("a comparison that holds for some epsilon and not for others")
        return max(found) or min(found)
    bits = BITS
    while bits <= MOST_BITS:
        with flint.ctx.workprec(bits):
            near = ball_of(terms)
        if near > 0 or near < 0:
            return 1 if near > 0 else -1
        bits *= 2
    raise Unauditable("a number that is too near to another one to tell")


@dataclass(frozen=True, slots=True)
class _Powers:
    """A polynomial in x = e^(h / unit), of which a sum has the sign."""

    polynomial: Any
    unit: int

    @classmethod
    def of(cls, terms: Sum) -> _Powers:
        """Return the polynomial of a sum.

        Raises: Unauditable where it is none of a degree that is looked at.
        """
        powers, least = {i for i, _, _ in terms}, min(b for _, b, _ in terms)
        unit = lcm(*((b - least).denominator for _, b, _ in terms))
        degree = max(b - least for _, b, _ in terms) * unit
        if len(powers) > 1 or len({s for _, _, s in terms}) > 1 or degree > MOST_DEGREE:
            raise Unauditable(UNKNOWN)
        scale = lcm(*(c.denominator for c in terms.values()))
        found = [0] * (int(degree) + 1)
        for (_, b, _), c in terms.items():
            found[int((b - least) * unit)] = int(c * scale)
        return cls(flint.fmpz_poly(found), unit)


def signs_over(terms: Sum, low: Fraction = Fraction(0), high: Fraction | None = None) -> dict[int, Fraction]:
    """Return the signs that a sum has for h > 0 from `low` to `high`, each with an h near to which it has it; 0 is that
    of its roots.

    Raises: Unauditable where they are not known.
    """
    powers = _Powers.of(terms)
    shifted = powers.polynomial(flint.fmpz_poly([1, 1])).coeffs()
    if all(c >= 0 for c in shifted) or all(c <= 0 for c in shifted):
        sign = 1 if max(shifted) > 0 else -1
        return {sign: low or min(Fraction(1), high or Fraction(1))}
    bits = BITS if powers.polynomial.degree() <= MOST_ISOLATED else MOST_BITS + 1
    while bits <= MOST_BITS:
        found = _sampled(powers, low, high, bits)
        if found is not None:
            return found
        bits *= 2
    raise Unauditable(UNKNOWN)


def _sampled(powers: _Powers, low: Fraction, high: Fraction | None, bits: int) -> dict[int, Fraction] | None:
    """Return the signs of a polynomial in the gaps between its real roots, within a range of h, each with an h; None
    where more bits are needed."""
    found: dict[int, Fraction] = {}
    with flint.ctx.workprec(bits):
        start, end = (None if h is None else flint.arb(_rational(h / powers.unit)).exp() for h in (low, high))
        roots = _roots(powers.polynomial, start)
        if roots is None:
            return None
        inside = [start, *(root for root in roots if end is None or not root > end)]
        if end is not None and any(not root < end for root in inside):
            return None
        if inside[1:]:
            found[0] = _near(inside[1], powers.unit, low, high)
        for left, right in pairwise([*inside, end]):
            x = _between(left, right)
            if x is None:
                return None
            value = powers.polynomial(_rational(x))
            if value != 0:
                found.setdefault(1 if value > 0 else -1, _near(flint.arb(_rational(x)), powers.unit, low, high))
    return found


def _near(x: Any, unit: int, low: Fraction, high: Fraction | None) -> Fraction:
    """Return an h of a range of which e^(h / unit) is about x."""
    h = _fraction((x.log() * unit).mid())
    return max(low, h if high is None else min(h, high))


def _roots(polynomial: Any, start: Any) -> list[Any] | None:
    """Return balls around the real roots above a number that is 1 or no root, in order; None for too few bits."""
    plain = polynomial // polynomial.gcd(polynomial.derivative())
    one = flint.fmpz_poly([-1, 1])
    while plain(1) == 0:
        plain //= one
    real = [root.real for root, _ in plain.complex_roots() if root.imag == 0]
    if any(not (root > start or root < start) for root in real):
        return None
    above = sorted((root for root in real if root > start), key=lambda root: _fraction(root.mid()))
    return above if all(x < y for x, y in pairwise(above)) else None


def _between(left: Any, right: Any) -> Fraction | None:
    """Return a rational number between two balls; None where there is none for certain."""
    low = _fraction(left.upper())
    if right is None:
        return low + 1
    high = _fraction(right.lower())
    return (low + high) / 2 if low < high else None


def _fraction(x: Any) -> Fraction:
    mantissa, exponent = (int(part) for part in x.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent
