"""One person who moves from one bin of a sampled histogram to another: bounds of the delta that all counts need.

Two bins change: one of k people loses one, one of j - 1 people gains one. All other bins have equal laws and cancel.
From above, the profiles of each bin are dominated by their maximum over all counts, and independent observations of
two dominating pairs dominate the two bins. From below, any two counts do, exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpcert.audit.between import Between
from dpcert.audit.composition import composed
from dpcert.audit.curves import maximum
from dpcert.audit.profile import Profile, profile
from dpcert.mechanisms.exact.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law

__all__ = ["Moved", "moved_delta", "pair_delta"]

_BITS = 128


@dataclass(frozen=True, slots=True)
class Moved:
    """The least delta for all histograms of which one person moves is at least `lo` and at most `hi`.

    `lo` is needed where a bin of `left` people loses one and a bin of `entered` - 1 people gains one. Counts above
    `reach` are covered by the sampled number of so many.
    """

    lo: Fraction
    hi: Fraction
    left: int
    entered: int
    reach: int


def moved_delta(*, rate: Fraction, threshold: int, epsilon: Epsilon, reach: int | None = None) -> Moved:
    """Return bounds of the least delta at an epsilon for sampled and thresholded histograms of which one person moves.

    Claims:  hi is enough for all counts, in the hundreds and thousands as well: from `reach` on, by default twice what
             one bin needs, counts are covered by the number sampled, whatever it is.
    Source:  sample-and-threshold, Section 3.1, for its neighbours, who differ in one person's value; dominating pairs
             compose: Zhu, Dong, Wang 2022, Theorem 10.
    Raises:  InputError for an epsilon of 0, or as `greatest_delta` does.
    """
    below, above = epsilon.exp_bounds(_BITS)
    if below <= 1:
        raise InputError(given=f"epsilon={epsilon}", needed="an epsilon above 0", remedy="write 1/10")
    alone = greatest_delta(rate=rate, threshold=threshold, ratio=below)
    stop = max(2 * alone.reach if reach is None else reach, 1)
    shown, sampled = (sample_threshold_law(rate=rate, threshold=limit) for limit in (threshold, 1))
    losing, gaining = _bins(shown, stop)
    crowds = sampled(stop + 1), sampled(stop)
    sides = maximum([*losing, profile(*crowds)]), maximum([*gaining, profile(*reversed(crowds))])
    upper = composed([(side.upper if isinstance(side, Between) else side, 1) for side in sides])
    lo, left, entered = _climbed(losing, [shown(k) for k in range(stop + 1)], above, alone.count)
    return Moved(lo, max(lo, upper.delta_at(epsilon).hi or lo), left, entered, stop)


def pair_delta(losing: Profile, before: Dist, after: Dist, ratio: Fraction) -> Fraction:
    """Return the exact delta at e^epsilon = ratio of one bin with this profile and one that changes law.

    It is the sum over the second bin's outcomes w of p(w) times the first bin's delta at ratio q(w)/p(w).
    """
    return sum((p * losing.delta(ratio * after.prob(shown) / p) for shown, p in before.items()), Fraction(0))


def _bins(law: Callable[[int], Dist], stop: int) -> tuple[list[Profile], list[Profile]]:
    """Return the profiles of k against k - 1 people, and of k - 1 against k, for k = 1, ..., stop."""
    laws = [law(k) for k in range(stop + 1)]
    return (
        [profile(laws[k], laws[k - 1]) for k in range(1, stop + 1)],
        [profile(laws[k - 1], laws[k]) for k in range(1, stop + 1)],
    )


def _climbed(losing: Sequence[Profile], laws: Sequence[Dist], ratio: Fraction, start: int) -> tuple[Fraction, int, int]:
    """Return the greatest delta found, with the counts k and j, each in turn the best one for the other."""
    counts = range(1, len(losing) + 1)

    def at(k: int, j: int) -> Fraction:
        return pair_delta(losing[k - 1], laws[j - 1], laws[j], ratio)

    best, left, entered = at(start, start), start, start
    while True:
        found, j = max((at(left, j), j) for j in counts)
        found, k = max((at(k, j), k) for k in counts)
        if found <= best:
            return best, left, entered
        best, left, entered = found, k, j
