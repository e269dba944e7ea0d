"""Events as points: the concave hull of (q(S), p(S)) determines how private one pair of laws, or several, are.

The least delta at e^epsilon = E is the greatest p(S) - E q(S). So the greatest of several profiles is the profile of
the hull of all their points; points moved down or to the right bound it from below, up or to the left from above.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from math import lcm

from dpcert.audit.between import Between
from dpcert.audit.enclosure import EXACT_BITS, MAX_REACH, EnclosedProfile, RefinedProfile
from dpcert.audit.profile import Profile
from dpcert.audit.recurrence import RecurrentLaw

FIXED = 1280
"""The bits behind the binary point to which probabilities of events are rounded."""
_REACH = 1100
_LONGEST, _MANY = 1 << 26, 1 << 13

Pair = Profile | EnclosedProfile | RefinedProfile | Between[Profile]
Point = tuple[int, int, int]
"""q, p, and a number that says whose event this is."""


@dataclass(frozen=True, slots=True, repr=False)
class Hull:
    """The vertices (q, p) of a concave curve that rises from q = 0 to p = 1, q ascending, over two denominators.

    Claims: slopes fall strictly from vertex to vertex. Build one with `of` or `over`.
    """

    points: Sequence[Point]
    q_denominator: int
    p_denominator: int

    @classmethod
    def over(cls, points: Iterable[Point], q_denominator: int, p_denominator: int) -> Hull:
        """Return the hull of these points, at least one, and of the empty event and the certain one."""
        events = list(points)
        tag = events[0][2]
        found: list[Point] = []
        events += [(0, 0, tag), (q_denominator, p_denominator, tag)]
        for point in sorted(events, key=lambda point: (point[0], -point[1])):
            x, y, _ = point
            # Of events with one q, the greatest p comes first. An event with no more p at a greater q is below the
            # hull.
            if found and y <= found[-1][1]:
                continue
            while len(found) > 1:
                (a, b, _), (c, d, _) = found[-2:]
                if (d - b) * (x - a) > (y - b) * (c - a):
                    break
                found.pop()
            found.append(point)
        return cls(found, q_denominator, p_denominator)

    @classmethod
    def of(cls, pair: Profile, tag: int = 0) -> Hull:
        """Return the hull of a profile's events."""
        rows = _descending(list(zip(pair.p_weights, pair.q_weights, strict=True)))
        points, p, q = [(0, pair.p_only, tag)], pair.p_only, 0
        for more_p, more_q in rows:
            p, q = p + more_p, q + more_q
            points.append((q, p, tag))
        return cls.over(points, pair.q_denominator, pair.p_denominator)

    @property
    def bits(self) -> int:
        """About the number of bits that the points take together."""
        return len(self.points) * (self.q_denominator.bit_length() + self.p_denominator.bit_length())

    def join(self, other: Hull) -> Hull:
        """Return the hull of both."""
        q, p = lcm(self.q_denominator, other.q_denominator), lcm(self.p_denominator, other.p_denominator)
        points: list[Point] = []
        for hull in (self, other):
            a, b = q // hull.q_denominator, p // hull.p_denominator
            points += hull.points if a == b == 1 else [(a * x, b * y, tag) for x, y, tag in hull.points]
        return Hull.over(points, q, p)

    def rounded(self, bits: int, *, up: bool) -> Hull:
        """Return a hull in multiples of 2**-bits that is nowhere below this one; or, if not `up`, nowhere above."""
        q, p = self.q_denominator, self.p_denominator
        if q == p == 1 << bits:
            return self
        if up:
            points = [((x << bits) // q, -((-y << bits) // p), tag) for x, y, tag in self.points]
        else:
            points = [(-((-x << bits) // q), (y << bits) // p, tag) for x, y, tag in self.points]
        return Hull.over(points, 1 << bits, 1 << bits)

    def profile(self) -> Profile:
        """Return the profile that has this hull."""
        qs, ps = [x for x, _, _ in self.points], [y for _, y, _ in self.points]
        p, q = ([b - a for a, b in pairwise(column)] for column in (ps, qs))
        return Profile.from_weights(p, q, self.p_denominator, self.q_denominator, ps[0], self.q_denominator - qs[-1])

    def whose(self, ratio: Fraction) -> int:
        """Return the tag of the event of greatest p - ratio q; where that is the empty one, of that of greatest p/q."""
        a, b = ratio.numerator * self.p_denominator, ratio.denominator * self.q_denominator
        best = max(range(len(self.points)), key=lambda i: b * self.points[i][1] - a * self.points[i][0])
        return self.points[best if self.points[best][1] else 1][2]


def _descending(rows: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return pairs (p, q) by falling p/q, exactly."""

    def compared(a: tuple[int, int], b: tuple[int, int]) -> int:
        return b[0] * a[1] - a[0] * b[1]

    return sorted(rows, key=cmp_to_key(compared))


def enclosed_hulls(pair: EnclosedProfile, tag: int = 0, bits: int | None = None) -> tuple[Hull, Hull]:
    """Return hulls in multiples of 2**-bits: the first is nowhere above the pair's, the second nowhere below.

    The lower hull takes as events the first outcomes, with p rounded down and q up, and adds all unlisted mass of q to
    each. The upper hull rounds p of each outcome up and q down, and counts all unlisted mass of p as outcomes that q
    never has. That curve is concave and ends where p is 1, as no probability is above 1. Without `bits`, there are
    FIXED bits, or more where more lose nothing and are not too long.
    """
    places = FIXED if bits is None else bits
    if bits is None:
        lasts = [e + pair.p_unit.exponent for _, e in pair.p_runs] + [e + pair.q_unit.exponent for _, e in pair.q_runs]
        natural = -min(lasts, default=0)
        places = max(places, natural) if natural * len(pair.keys) <= _LONGEST else places
    one = 1 << places
    only, rest = pair.p_only.at(-places), (_up(pair.p_rest, places), _up(pair.q_rest, places))
    low_p, low_q, high_p = only[0], rest[1], only[1] + rest[0]
    events, rows = [(low_q, low_p, tag)], []
    for i in range(len(pair.keys)):
        p, q = pair.p_at(i).at(-places), pair.q_at(i).at(-places)
        low_p, low_q = low_p + p[0], low_q + q[1]
        events.append((low_q, low_p, tag))
        if q[0]:
            rows.append((p[1], q[0]))
        else:
            high_p += p[1]
    # Rounded sums may pass 1, where no event is. Without them the lower hull is only lower.
    lower = Hull.over([event for event in events if event[0] <= one and event[1] <= one], one, one)
    x, y = 0, min(high_p, one)
    points = [(x, y, tag)]
    for more_p, more_q in _descending(rows):
        kept = min(more_p, one - y)
        x, y = x + more_q * kept // more_p, y + kept
        points.append((x, y, tag))
        if y == one:
            break
    return lower, Hull.over(points, one, one)


def _up(x: Fraction, places: int) -> int:
    """Return x as a multiple of 2**-places, rounded up."""
    return -((-x.numerator << places) // x.denominator)


def _hulls(pair: Pair, tag: int, bits: int | None) -> tuple[Hull, Hull]:
    """Return the pair's hull from both sides; one hull twice where it is exact."""
    if isinstance(pair, Profile):
        hull = Hull.of(pair, tag)
        return hull, hull
    if isinstance(pair, Between):
        return Hull.of(pair.lower, tag), Hull.of(pair.upper, tag)
    if isinstance(pair, RefinedProfile):
        few = bits is None and all(not isinstance(law, RecurrentLaw) or len(law) <= _MANY for law in (pair.p, pair.q))
        pair = pair.enclosed(MAX_REACH if few else _REACH)
    return enclosed_hulls(pair, tag, bits)


def sides(pair: Pair) -> tuple[Profile, Profile]:
    """Return two exact profiles: the first is nowhere above the pair's, the second nowhere below it."""
    if isinstance(pair, Profile):
        return pair, pair
    if isinstance(pair, Between):
        return pair.lower, pair.upper
    lower, upper = _hulls(pair, 0, None)
    return lower.profile(), upper.profile()


def greatest(pairs: Iterable[tuple[Pair, int]]) -> tuple[Hull, Hull] | None:
    """Return the hull of all pairs' events from both sides, each with its pair's number; None where there are none.

    It is one exact hull, twice, while all pairs are exact and its points take at most EXACT_BITS. Beyond that it is
    rounded to both sides.
    """
    found: tuple[Hull, Hull] | None = None
    for pair, tag in pairs:
        new = _hulls(pair, tag, FIXED)
        if found is None:
            found = new
        elif found[0] is found[1] and new[0] is new[1]:
            hull = found[0].join(new[0])
            found = hull, hull
        else:
            (lower, upper), (low, high) = _both(found), _both(new)
            found = lower.join(low), upper.join(high)
        if found[0] is found[1] and found[0].bits > EXACT_BITS:
            found = _both(found)
    return found


def _both(hulls: tuple[Hull, Hull]) -> tuple[Hull, Hull]:
    """Return the two hulls in multiples of 2**-FIXED, each rounded to its side."""
    return hulls[0].rounded(FIXED, up=False), hulls[1].rounded(FIXED, up=True)
