"""A pair of laws between two exact profiles, from its best events at finitely many ratios.

At e^epsilon = E the best event S has the least delta d(E) = p(S) - E q(S). The hull of the points (q(S), p(S)) is
nowhere above the pair's, as they are events. No event is above a line p = E q + d(E), so the lowest of these lines is
nowhere below the pair's. Both touch it at every E: between these, the error is of second order in their distance.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Any

import flint

from dpcert.audit.between import Between
from dpcert.audit.hull import Hull
from dpcert.audit.profile import Profile

BITS = 256
"""The precision of balls."""
PLACES = 320
"""The bits behind the point to which probabilities of events are rounded."""
ONE = 1 << PLACES

Event = tuple[Fraction, Any, Any]
"""(E, p, q): balls around the probabilities of an event that is best at e^epsilon = E."""
Node = tuple[Fraction, Fraction]
"""(E, m): at e^epsilon = E the delta m is enough."""


def profile_between(events: Iterable[Event]) -> Between[Profile]:
    """Return profiles between which that of a pair lies, from its best events at ascending ratios, at least one."""
    found = list(events)
    inner, nodes = [], [(Fraction(0), Fraction(1))]
    with flint.ctx.workprec(BITS):
        for ratio, p, q in found:
            inner.append((ceil(_end(q.upper()) * ONE), floor(_end(p.lower()) * ONE), 0))
            excess = p - flint.arb(flint.fmpq(ratio.numerator, ratio.denominator)) * q
            nodes.append((ratio, min(Fraction(1), _end(excess.upper()))))
    lower = Hull.over([point for point in inner if point[1] >= 0 and point[0] <= ONE], ONE, ONE)
    outer = [(floor(q * ONE), ceil(p * ONE), 0) for q, p in _corners(convex(nodes))]
    upper = Hull.over([(q, min(p, ONE), 0) for q, p, _ in outer], ONE, ONE)
    return Between(lower.profile(), upper.profile())


def bounds(ball: Any) -> tuple[Fraction, Fraction]:
    """Return rational bounds of a probability in a ball."""
    with flint.ctx.workprec(BITS):
        return _end(ball.lower()), min(Fraction(1), _end(ball.upper()))


def _end(ball: Any) -> Fraction:
    """Return an exact ball as a number, at least 0.

    Raises: ArithmeticError for one that is not finite.
    """
    if not ball.is_finite():
        raise ArithmeticError("a probability without bounds")
    mantissa, exponent = (int(part) for part in ball.man_exp())
    return max(Fraction(0), Fraction(mantissa) * Fraction(2) ** exponent)


def _corners(nodes: Sequence[Node]) -> list[Node]:
    """Return the points (q, p) at which the lowest of the lines p = E q + m turns, and that at q = 0."""
    found = [(Fraction(0), nodes[-1][1])]
    for (low, more), (high, less) in pairwise(nodes):
        q = (more - less) / (high - low)
        found.append((q, more + low * q))
    return found


def convex(nodes: Iterable[Node]) -> list[Node]:
    """Return the vertices of the greatest convex function that does not rise and is at ascending nodes nowhere above:
    where nodes bound such a function from above, it does as well, as chords are above it."""
    found: list[Node] = []
    for at, bound in nodes:
        if found and at == found[-1][0]:
            continue
        bound = min(bound, found[-1][1]) if found else bound
        while len(found) > 1:
            (a, b), (c, d) = found[-2:]
            if (d - b) * (at - a) < (bound - b) * (c - a):
                break
            found.pop()
        found.append((at, bound))
    return found
