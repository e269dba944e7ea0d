"""What profiles of pairs say about more than a pair: groups of neighbours, and all pairs of a claim at once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise

from dpcert.audit.profile import Profile
from dpcert.mechanisms.exact.errors import InputError

__all__ = ["group", "maximum"]

Point = tuple[Fraction, Fraction]


def group(pair: Profile, size: int) -> Profile:
    """Return a profile that bounds the first law against the last, of `size` + 1 laws in a row.

    Requires: the profile bounds each of these laws against the next: take the `maximum` over pairs in both orders.
    Claims:   no better bound follows from that profile alone.
    With g(a) the greatest power of a test of level a: p_0(S) <= g(p_1(S)) <= g(g(p_2(S))), and so on, as g rises.
    Source:   Dong, Roth, Su 2022, Gaussian differential privacy, on groups.
    Raises:   InputError unless size is an int >= 1.
    """
    if type(size) is not int or size < 1:
        raise InputError(given=f"a group of {size}", needed="an int >= 1", remedy="give how many records may differ")
    once = [(level, 1 - missed) for level, missed in pair.trade_off()]
    curve = reduce(_after, [once] * (size - 1), once)
    slopes = [((more - power) / (wider - level), wider - level) for (level, power), (wider, more) in pairwise(curve)]
    return Profile.from_ratios(slopes, curve[0][1], 1 - curve[-1][0])


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


def maximum(profiles: Iterable[Profile]) -> Profile:
    """Return the profile whose delta at each epsilon is the greatest of these profiles' deltas there.

    Raises: InputError where there are none.
    """
    curves = [[(Fraction(0), Fraction(1)), *profile.breakpoints()] for profile in profiles]
    if not curves:
        raise InputError(given="no profiles", needed="at least one", remedy="examine a claim with a pair")
    curve = reduce(_greater, curves)
    slopes = [(below - delta) / (further - ratio) for (ratio, delta), (further, below) in pairwise(curve)]
    bends = zip(curve[1:], slopes, [*slopes, Fraction(0)][1:], strict=True)
    rows = [(ratio, after - before) for (ratio, _), before, after in bends if after > before]
    return Profile.from_ratios(rows, curve[-1][1], 1 - sum((weight for _, weight in rows), Fraction(0)))


def _greater(a: Sequence[Point], b: Sequence[Point]) -> list[Point]:
    """Return the vertices of the greater of two curves, and points between; both are constant beyond their ends."""
    a_at, b_at = [x for x, _ in a], [x for x, _ in b]
    places = sorted({*a_at, *b_at})
    values = [(x, _interpolated(a, a_at, x), _interpolated(b, b_at, x)) for x in places]
    found = [(x, max(y, z)) for x, y, z in values[:1]]
    for (x, y, z), (further, u, v) in pairwise(values):
        if (y - z) * (u - v) < 0:
            part = (y - z) / ((y - z) - (u - v))
            found.append((x + part * (further - x), y + part * (u - y)))
        found.append((further, max(u, v)))
    return found


def _interpolated(curve: Sequence[Point], places: Sequence[Fraction], x: Fraction) -> Fraction:
    """Return the curve at x >= 0, linear between its vertices, at `places`, and constant beyond the last."""
    i = bisect_right(places, x)
    (left, y) = curve[i - 1]
    if i == len(curve) or left == x:
        return y
    right, z = curve[i]
    return y + (z - y) * (x - left) / (right - left)
