"""Signs of values on a range of h, where they are not those of all Taylor coefficients.

Near 0 the first coefficient that is not 0 outweighs the rest, far away the greatest exponent does, and between them the
balls of python-flint show the sign, interval by interval. A value that touches 0 inside is not decided.
"""

from fractions import Fraction
from math import comb, perm
from typing import Any, Literal

import flint

from dpcert.audit.ideal.compare import Exponentials, at
from dpcert.audit.ideal.normal import ball
from dpcert.mechanisms.ideal.terms import Value

MOST_INTERVALS, DEPTH, PRECISION = 5000, 60, 256
STEPS = 200
"""How often a place near 0, or far away, is moved on."""


Plain = dict[tuple[int, Fraction], Fraction]
Sign = Fraction | Literal[True] | None
"""True for a value that is nowhere negative, else a place where it is, or None where neither is known."""


def sign_on(value: Value, low: Fraction, high: Fraction | None) -> Sign:
    """Return the sign of a value for all h > 0 with low <= h <= high; with None for `high` there is no greatest h."""
    if not value:
        return True
    least, first = min(i for i, _ in value), min(b for _, b in value)
    plain = {(i - least, Fraction(b - first)): Fraction(c) for (i, b), c in value.items()}
    start = low
    if low == 0:
        start, positive = _near_zero(plain)
        if not positive:
            return start if high is None else min(start, high)
    end = high
    if end is None:
        end, positive = _far(plain)
        if not positive:
            return max(end, low)
    if start >= end:
        return True
    return _between(plain, start, end)


def _derivative_at_zero(value: Plain, n: int) -> Fraction:
    return sum((c * perm(n, i) * b ** (n - i) for (i, b), c in value.items() if i <= n), Fraction(0))


def _near_zero(value: Plain) -> tuple[Fraction, bool]:
    """Return a place up to which a value has the sign of its first derivative at 0 that is not 0, and whether that is
    positive.

    With m its order, the value is at least h^m/m! (f^(m)(0) - M h/(m + 1)), M a bound of the next derivative.
    """
    order = 0
    while (first := _derivative_at_zero(value, order)) == 0:
        order += 1
    exponentials, place = Exponentials(), Fraction(1)
    while True:
        most = Fraction(0)
        for (i, b), c in value.items():
            grown = exponentials.bounds(b * place, 64)[1]
            for j in range(min(i, order + 1) + 1):
                most += abs(c) * comb(order + 1, j) * perm(i, j) * place ** (i - j) * b ** (order + 1 - j) * grown
        if most * place < (order + 1) * abs(first):
            return place, first > 0
        place /= 2


def _far(value: Plain) -> tuple[Fraction, bool]:
    """Return a place from which on a value has the sign of its leading term, and whether that is positive.

    Every other term divided by it is c h^(i - most) e^(-(top - b) h), which decreases from (i - most)/(top - b) on.
    """
    top = max(b for _, b in value)
    most = max(i for i, b in value if b == top)
    lead = value[most, top]
    exponentials, place = Exponentials(), Fraction(1)
    while True:
        rest = Fraction(0)
        falls = True
        for (i, b), c in value.items():
            if (i, b) != (most, top):
                falls = falls and (b == top or place * (top - b) >= i - most)
                rest += abs(c / lead) * place ** (i - most) * exponentials.bounds(-(top - b) * place, 64)[1]
        if falls and rest < 1:
            return place, lead > 0
        place *= 2


def _between(value: Plain, low: Fraction, high: Fraction) -> Sign:
    slope: Plain = {}
    for (i, b), c in value.items():
        slope[i, b] = slope.get((i, b), Fraction(0)) + c * b
        if i:
            slope[i - 1, b] = slope.get((i - 1, b), Fraction(0)) + c * i
    pending = [(low, high, 0)]
    seen = 0
    with flint.ctx.workprec(PRECISION):
        terms, slopes = _balls(value), _balls(slope)
        while pending:
            start, end, depth = pending.pop()
            seen += 1
            middle, reach = ball((start + end) / 2), flint.arb(0, ball((end - start) / 2).upper())
            at_middle = _sum(terms, middle)
            if at_middle < 0:
                return (start + end) / 2
            if at_middle + _sum(slopes, middle + reach) * reach > 0:
                continue
            if depth >= DEPTH or seen > MOST_INTERVALS:
                return _negative(value, low, high)
            half = (start + end) / 2
            pending += [(start, half, depth + 1), (half, end, depth + 1)]
    return True


def _negative(value: Plain, low: Fraction, high: Fraction) -> Fraction | None:
    """Return an end of a range, or a place near its start, where a value is negative."""
    exponentials = Exponentials()
    typed: Value = {(i, b): c for (i, b), c in value.items()}
    for place in (low, high, *((high - low) * Fraction(1, 2**k) + low for k in range(1, STEPS, 7))):
        if place > 0 and exponentials.sign(at(typed, place)) < 0:
            return place
    return None


def _balls(value: Plain) -> list[tuple[Any, int, Any]]:
    return [(ball(c), i, ball(b)) for (i, b), c in value.items() if c]


def _sum(terms: list[tuple[Any, int, Any]], h: Any) -> Any:
    found = flint.arb(0)
    for c, i, b in terms:
        found += c * h**i * (b * h).exp()
    return found
