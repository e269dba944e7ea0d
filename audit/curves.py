"""Profiles beyond one pair: for groups of neighbours, and for all pairs of a claim at once."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm

from dpcert.audit.between import Between
from dpcert.audit.enclosure import EXACT_BITS
from dpcert.audit.hull import FIXED, Hull, Pair, greatest, sides
from dpcert.audit.profile import Profile
from dpcert.mechanisms.exact.errors import InputError

Point = tuple[Fraction, Fraction]


def group(pair: Pair, size: int) -> Profile | Between[Profile]:
    """Return a profile that bounds the first law against the last, of `size` + 1 laws in a row.

    Requires: the profile bounds each of these laws against the next: take the `maximum` over pairs in both orders.
    Claims:   no better bound follows from that profile alone. It is exact where the pair's profile is and the answer
              takes at most EXACT_BITS; else it is known from both sides.
    Let g(a) be the greatest power of a test of level a. As g rises, p_0(S) <= g(p_1(S)) <= g(g(p_2(S))), and so on.
    Source:   Dong, Roth, Su 2022, Gaussian differential privacy, on groups.
    Raises:   InputError unless size is an int >= 1.
    """
    if type(size) is not int or size < 1:
        raise InputError(given=f"a group of {size}", needed="an int >= 1", remedy="give how many records may differ")
    lower, upper = sides(pair)
    if size == 1:
        return lower if lower is upper else Between(lower, upper)
    if lower is upper:
        found = _repeated(_powers(lower), size)
        if found is not None:
            return found.profile()
    one = 1 << FIXED
    both = []
    for side, up in ((lower, False), (upper, True)):
        once = _powers(side)
        hull = Hull.of(side).rounded(FIXED, up=up)
        for _ in range(size - 1):
            curve = [(Fraction(x, one), Fraction(y, one)) for x, y, _ in hull.points]
            hull = _hull(_after(curve, once), up=up)
        both.append(hull.profile())
    return Between(*both)


def _powers(side: Profile) -> list[Point]:
    """Return the vertices (level, greatest power at that level) of testing q against p."""
    hull = Hull.of(side)
    return [(Fraction(x, hull.q_denominator), Fraction(y, hull.p_denominator)) for x, y, _ in hull.points]


def _repeated(once: list[Point], size: int) -> Hull | None:
    """Return the hull of a curve applied so often; None where its points take more than EXACT_BITS."""
    curve = once
    for _ in range(size - 1):
        curve = _after(curve, once)
        if _common(curve, EXACT_BITS // len(curve)) is None:
            return None
    common = _common(curve, EXACT_BITS)
    if common is None:
        return None
    q, p = common
    return Hull.over([(int(x * q), int(y * p), 0) for x, y in curve], q, p)


def _common(curve: Sequence[Point], limit: int) -> tuple[int, int] | None:
    """Return the common denominators of the points' coordinates; None where they have more than `limit` bits."""
    q = p = 1
    for x, y in curve:
        q, p = lcm(q, x.denominator), lcm(p, y.denominator)
        if q.bit_length() + p.bit_length() > limit:
            return None
    return q, p


def _hull(curve: Sequence[Point], *, up: bool) -> Hull:
    """Return the hull of points rounded to multiples of 2**-FIXED: up and to the left, or down and to the right."""
    points = []
    for x, y in curve:
        a, b = x.numerator << FIXED, y.numerator << FIXED
        if up:
            points.append((a // x.denominator, -(-b // y.denominator), 0))
        else:
            points.append((-(-a // x.denominator), b // y.denominator, 0))
    return Hull.over(points, 1 << FIXED, 1 << FIXED)


def _after(inner: Sequence[Point], outer: Sequence[Point]) -> list[Point]:
    """Return the vertices of outer(inner(x)), both concave, rising to 1, and 1 beyond their last vertex."""
    levels = [x for x, _ in outer]
    turns = {y: x for x, y in inner}
    for (x, y), (further, above) in pairwise(inner):
        for level in levels[bisect_right(levels, y) :]:
            if level >= above:
                break
            turns[level] = x + (level - y) * (further - x) / (above - y)
    found: list[Point] = []
    for level, x in sorted(turns.items()):
        power = _interpolated(outer, levels, level)
        found.append((x, power))
        if power == 1:
            break
    return found


def maximum(profiles: Iterable[Pair]) -> Profile | Between[Profile]:
    """Return the profile whose delta at each epsilon is the greatest of these profiles' deltas there.

    It is exact where these are and it takes at most EXACT_BITS; else it is known from both sides.

    Raises: InputError where there are none.
    """
    found = greatest((pair, 0) for pair in profiles)
    if found is None:
        raise InputError(given="no profiles", needed="at least one", remedy="examine a claim with a pair")
    lower, upper = found
    return lower.profile() if lower is upper else Between(lower.profile(), upper.profile())


def _interpolated(curve: Sequence[Point], places: Sequence[Fraction], x: Fraction) -> Fraction:
    """Return the curve at x >= 0, linear between its vertices, at `places`, and constant beyond the last."""
    i = bisect_right(places, x)
    (left, y) = curve[i - 1]
    if i == len(curve) or left == x:
        return y
    right, z = curve[i]
    return y + (z - y) * (x - left) / (right - left)
