"""The profile of sample-and-threshold on all counts: from above by a pair that dominates, from below by some counts."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from math import asinh, ceil, floor, log2, sinh, sqrt

from dpcert.audit.between import Between
from dpcert.audit.curves import maximum
from dpcert.audit.enclosure import profile_at_size
from dpcert.audit.hull import sides
from dpcert.audit.profile import Profile
from dpcert.audit.recurrence import binomial
from dpcert.audit.unbounded.sample_and_threshold.moves import Moves
from dpcert.mechanisms.mechanism import integer, probability
from dpcert.mechanisms.sample_and_threshold.all_counts import MOST

_FINE, _POINTS, _PLACES = 16, 128, 512
_COUNTS = 16


def profile_on_all_counts(parameters: Mapping[str, str]) -> Between[Profile]:
    """Return the profile of one bin for counts that differ by one, on all counts, known from both sides.

    Claims: `upper` is of one pair of laws and its reverse, which dominate every pair of counts
            (docs/explanation/all-counts.md); `lower` is the greatest of some counts.
    Raises: InputError for a rate or a threshold of no use.
    """
    rate, threshold = probability(parameters, "rate"), integer(parameters, "threshold", least=1, greatest=1000)
    counts = sorted({max(2, round(threshold * (2 / float(rate)) ** (i / _COUNTS))) for i in range(_COUNTS + 1)})
    laws = [[binomial(n, rate).then(lambda v: v if v >= threshold else 0) for n in (k, k - 1)] for k in counts]
    lower = maximum(profile_at_size(*pair) for p, q in laws for pair in ((p, q), (q, p)))
    return Between(sides(lower)[0], dominating_profile(rate=rate, threshold=threshold))


def dominating_profile(*, rate: Fraction, threshold: int) -> Profile:
    """Return the profile of one pair of laws and its reverse, which dominate every pair of counts that differ by one.

    Requires: 0 < rate < 1, threshold >= 1.
    """
    reach = min(MOST, int(2 * threshold / rate) + 40)
    spread = float(rate) / sqrt(threshold)
    grid = _FINE - floor(log2(spread))
    points = sorted({*_points(1 - rate, 4 * (1 + (1 - rate) * reach), spread, 1 << grid), 1 << grid})
    moves = Moves(rate=rate, threshold=threshold, reach=reach, grid=grid, points=points, places=_PLACES)
    upper = _dominating(moves)
    return sides(maximum([upper, upper.reversed()]))[1]


def _points(least: Fraction, top: Fraction, spread: float, unit: int) -> Iterator[int]:
    """Yield points from `least` to `top` in units of 1/unit: about 1 in steps of a part of `spread`, then longer ones.

    `spread` is about how far the ratios deviate where counts disclose most: rounds add up what happens there.
    """
    low, high = (asinh((float(end) - 1) / spread) for end in (least, top))
    for step in range(_POINTS):
        yield max(1, floor((1 + spread * sinh(low + (high - low) * step / _POINTS)) * unit))
    yield ceil(top * unit)


def _dominating(moves: Moves) -> Profile:
    """Return the profile of the pair of laws that dominates all counts that lose a person."""
    curve = moves.curve((0, moves.cells))
    unit, whole = 1 << moves.grid, 1 << moves.places
    points = [(Fraction(x, unit), Fraction(y, whole)) for x, y in zip(curve.xs, curve.ys, strict=True)]
    slopes = [(d - b) / (c - a) for (a, b), (c, d) in pairwise(points)] + [Fraction(0)]
    rows = [(x, after - before) for (x, _), before, after in zip(points[1:], slopes[:-1], slopes[1:], strict=True)]
    return Profile.from_ratios([row for row in rows if row[1]], points[-1][1], 1 + slopes[0])
