"""One person who moves from one bin of a sampled histogram to another: bounds of the delta that any two bins need.

Two bins change: one of k people loses one, one of j - 1 people gains one. All other bins have equal laws and cancel.
From above, the profiles of each bin are dominated by their maximum over all counts, and independent observations of
two dominating pairs dominate the two bins. From below, any two counts do, exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from dpcert.audit.between import Between
from dpcert.audit.composition import composed
from dpcert.audit.curves import maximum
from dpcert.audit.dominating import Node, both_moves, dominating_pair
from dpcert.audit.kernel.claim import ApproxDP
from dpcert.audit.kernel.divergence import decide_pair
from dpcert.audit.profile import Profile, profile
from dpcert.audit.unbounded.sample_and_threshold.premises import Hints
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law

_BITS = 128
_SIGNIFICANT = 48
_ALL_PAIRS = 24
"""Up to how many counts every one is a start of the climb."""
_MOST_POWER = 1024
"""The power of 2 beyond which e^epsilon is not told apart in a search."""
_FEW = 60
"""Up to how many counts more nodes are cheap."""
_NEAR = Fraction(65, 64)
"""What stands for e^epsilon = 1 where nodes are placed."""
_DENSITIES = (1, 2, 4, 8, 16, 32)
"""How many nodes there are, in turn, while e^epsilon - 1 grows by about e."""


@dataclass(frozen=True, slots=True)
class MoveBounds:
    """The least delta for all histograms of which one person moves is at least `lo` and at most `hi`.

    `lo` is needed where a bin of `left` people loses one and a bin of `entered` - 1 people gains one. Counts above
    `reach` are covered by the sampled number of so many. `losing` and `gaining` are profiles nowhere below those of
    one bin, at any count.
    """

    lo: Fraction
    hi: Fraction
    left: int
    entered: int
    reach: int
    losing: Profile
    gaining: Profile

    @property
    def bins(self) -> str:
        """The two bins that need `lo`, before and after one person moves, in words."""
        return f"bins of {self.left} and {self.entered - 1} people and of {self.left - 1} and {self.entered}"


def move_bounds(*, rate: Fraction, threshold: int, epsilon: Epsilon, most: int | None = None) -> MoveBounds:
    """Return bounds of the least delta at an epsilon for sampled and thresholded histograms of which one person moves.

    Claims:  hi is enough for all counts, in the hundreds and thousands as well: beyond twice what one bin needs, or
             beyond `most` where that is less, counts are covered by the number sampled, whatever it is.
    Source:  sample-and-threshold, Section 3.1, for its neighbours, who differ in one person's value; dominating pairs
             compose: Zhu, Dong, Wang 2022, Theorem 10.
    Raises:  InputError as `greatest_delta` does.
    """
    epsilon = search_epsilon(epsilon)
    below, above = epsilon.exp_bounds(_BITS)
    alone = greatest_delta(rate=rate, threshold=threshold, ratio=below)
    stop = 2 * alone.reach if most is None else min(2 * alone.reach, most)
    shown, sampled = (sample_threshold_law(rate=rate, threshold=limit) for limit in (threshold, 1))
    laws = [shown(k) for k in range(stop + 1)]
    losing = [profile(more, fewer) for fewer, more in pairwise(laws)]
    gaining = [profile(fewer, more) for fewer, more in pairwise(laws)]
    crowds = sampled(stop + 1), sampled(stop)
    sides = maximum([*losing, profile(*crowds)]), maximum([*gaining, profile(*reversed(crowds))])
    uppers = [side.upper if isinstance(side, Between) else side for side in sides]
    upper = composed([(side, 1) for side in uppers])
    starts = range(1, stop + 1) if stop <= _ALL_PAIRS else (min(alone.count, stop),)
    lo, left, entered = max(_climbed(losing, laws, above, start) for start in starts)
    return MoveBounds(lo, max(lo, upper.delta_at(epsilon).hi or lo), left, entered, stop, *uppers)


def search_epsilon(epsilon: Epsilon) -> Epsilon:
    """Return the epsilon to search with: itself, or a smaller one where it is astronomic."""
    return epsilon if epsilon.power_of_two_lo() < _MOST_POWER else Epsilon.ln(1 << _MOST_POWER)


def move_hints(bounds: MoveBounds, *, rate: Fraction, guarantee: ApproxDP) -> Hints | None:
    """Return nodes from which a guarantee for people who move follows; None where none do.

    They are the fewest of those tried; where few counts are looked at, the fewest that show a delta within a quarter of
    `bounds.hi`, or the most.

    Points for a bin that loses a person are spread over e^epsilon - 1, closer and closer; for one that gains a
    person, evenly up to 1/(1 - rate), where its delta is 0.
    """
    ratio, _ = search_epsilon(guarantee.epsilon).exp_bounds(_BITS)
    ratio = ratio if ratio > 1 else _NEAR
    top = 1 / (1 - rate)
    for density in _DENSITIES:
        losing = tuple(_node(bounds.losing, at) for at in _spread(bounds.losing, ratio, density, guarantee.delta))
        steps = max(4, density)
        points = (1 + (top - 1) * Fraction(step, steps) for step in range(1, steps + 1))
        gaining = tuple(_node(bounds.gaining, at) for at in points)
        pair = both_moves(dominating_pair(losing, gaining))
        within, _, needed = decide_pair(*pair, guarantee.epsilon, guarantee.delta)
        enough = bounds.reach > _FEW or 4 * needed <= 5 * bounds.hi or density == _DENSITIES[-1]
        if within is True and enough:
            return Hints(bounds.reach, losing, gaining)
    return None


def _spread(bound: Profile, ratio: Fraction, density: int, delta: Fraction) -> list[Fraction]:
    """Return points from 1 on, and this ratio, until what is needed there hardly counts beside delta."""
    unit = Fraction(1, 64 * density * (1 + int(1 / (ratio - 1))))
    enough = max(delta / 64, bound.infinite * 2)
    points, at, scale = [Fraction(1), ratio], Fraction(1), (ratio - 1) / 2
    while at <= 4 * ratio or (bound.delta(at) > enough and len(points) < 200):
        at += max(unit, (at - 1 + scale) / density // unit * unit)
        points.append(at)
    return sorted(set(points))


def _node(bound: Profile, at: Fraction) -> Node:
    """Return the node at a point: what is needed there, rounded up to few digits and by the last of them more."""
    needed = bound.delta(at)
    if not needed:
        return at, Fraction(0)
    places = needed.denominator.bit_length() - needed.numerator.bit_length() + _SIGNIFICANT
    return at, min(Fraction(1), Fraction(int(needed * (1 << places)) + 2, 1 << places))


def two_bins_delta(losing: Profile, before: Dist, after: Dist, ratio: Fraction) -> Fraction:
    """Return the exact delta at e^epsilon = ratio of one bin with this profile and one that changes law.

    It is the sum over the second bin's outcomes w of p(w) times the first bin's delta at ratio q(w)/p(w).
    """
    return sum((p * losing.delta(ratio * after.prob(shown) / p) for shown, p in before.items()), Fraction(0))


def _climbed(losing: Sequence[Profile], laws: Sequence[Dist], ratio: Fraction, start: int) -> tuple[Fraction, int, int]:
    """Return the greatest delta found, with the counts k and j, each in turn the best one for the other."""
    counts = range(1, len(losing) + 1)

    def at(k: int, j: int) -> Fraction:
        return two_bins_delta(losing[k - 1], laws[j - 1], laws[j], ratio)

    best, left, entered = at(start, start), start, start
    while True:
        found, j = max((at(left, j), j) for j in counts)
        found, k = max((at(k, j), k) for k in counts)
        if found <= best:
            return best, left, entered
        best, left, entered = found, k, j
