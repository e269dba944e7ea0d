"""The delta that each pair of counts needs under sample-and-threshold, one after the other, from two running sums.

For e^epsilon = E >= 1, rate p and q = 1 - p, of k people against k - 1, with R_k the number sampled:

* in the one order the outcomes from m = max(threshold, floor(k (1 - q/E)) + 1) on have the greater probability, so that
  the least delta is Pr[R_k >= m] - E Pr[R_{k-1} >= m];
* in the other one, with y = max(threshold, ceil(k (1 - q E))), it is max(0, Pr[R_{k-1} < y] - E Pr[R_k < y]): the
  quotient of the two probabilities of v is (k - v)/(k q), which falls, and all below the threshold is one outcome.

From k to k + 1 neither m nor y moves by more than one, and Pr[R_{k+1} >= m] = Pr[R_k >= m] + p Pr[R_k = m - 1]: a few
products of integers for each count, in place of the sums of `one_count_delta`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import count as count_from
from itertools import repeat
from math import comb

from dpcert.mechanisms.bisecting import least


@dataclass(frozen=True, slots=True)
class CountDelta:
    """The least deltas of `count` against `count` - 1 people and in the other order: integers over `whole`."""

    count: int
    more: int
    fewer: int
    whole: int

    @property
    def most(self) -> Fraction:
        """The greater one of the two."""
        return Fraction(max(self.more, self.fewer), self.whole)

    def exceeds(self, delta: Fraction) -> bool:
        """Whether the greater one is more than `delta`."""
        return max(self.more, self.fewer) * delta.denominator > delta.numerator * self.whole


class _UpperSum:
    """Pr[R_people >= place] and Pr[R_people = place - 1], over the rate's denominator**people; place <= people + 1."""

    def __init__(self, rate: Fraction, place: int) -> None:
        self.up, self.down = rate.numerator, rate.denominator - rate.numerator
        self.people, self.place = place - 1, place
        self.total, self.before = 0, self.up**self.people

    def shift(self, place: int) -> None:
        """Move to a place that is no lower, and at most people + 1."""
        while self.place < place:
            v = self.place
            self.before = self.before * (self.people - v + 1) * self.up // (v * self.down)
            self.total -= self.before
            self.place += 1

    def grow(self) -> tuple[int, int]:
        """Add a person; return the sums without and with that person, over one denominator."""
        without = self.total * (self.up + self.down)
        self.total = without + self.up * self.before
        self.people += 1
        self.before = self.before * self.people * self.down // (self.people - self.place + 1)
        return without, self.total


def count_deltas(*, rate: Fraction, threshold: int, ratio: Fraction) -> Iterator[CountDelta]:
    """Yield the deltas of each count at e^epsilon = ratio, without end, from `threshold` on; below it they are 0.

    Requires: 0 < rate < 1, threshold >= 1, ratio >= 1; a threshold of 1 leaves all counts as they are.
    Claims:   the deltas of `one_count_delta`.
    """
    above, below, whole = ratio.numerator, ratio.denominator, rate.denominator
    kept = whole - rate.numerator  # q is kept / whole
    later, sooner, unit = _UpperSum(rate, threshold), _UpperSum(rate, threshold), whole ** (threshold - 1)
    for count in count_from(threshold):
        unit *= whole
        later.shift(max(threshold, count - (-(-count * kept * below // (whole * above))) + 1))
        without, among = later.grow()
        sooner.shift(max(threshold, count - count * kept * above // (whole * below)))
        lower, upper = sooner.grow()
        yield CountDelta(
            count,
            below * among - above * without,
            max(0, below * (unit - lower) - above * (unit - upper)),
            below * unit,
        )


@lru_cache(maxsize=8)
def _start(rate: Fraction, threshold: int, places: int) -> tuple[int, int, int, int]:
    """Return a count of which at least the threshold is sampled with probability <= 2**-places, at most C(k, t) p^t.

    With it, the denominator of its probabilities, and Pr[R = t - 1] and Pr[R >= t] over that.
    """
    up, down, whole = rate.numerator, rate.denominator - rate.numerator, rate.denominator
    limit = whole**threshold // up**threshold >> places
    low, high = threshold - 1, threshold
    while comb(high, threshold) <= limit:
        low, high = high, 2 * high
    low = least(low + 1, high, lambda people: comb(people, threshold) > limit) - 1
    weight = before = comb(low, threshold - 1) * up ** (threshold - 1) * down ** (low - threshold + 1)
    total = 0
    for v in range(threshold, low + 1):
        weight = weight * (low - v + 1) * up // (v * down)
        total += weight
    return low, whole**low, before, total


class _Enclosed:
    """Bounds of Pr[R_people >= place] and Pr[R_people = place - 1] in units of 2**-bits; place <= people + 1."""

    def __init__(self, rate: Fraction, place: int, bits: int, start: tuple[int, int, int, int]) -> None:
        self.up, self.down, self.whole = rate.numerator, rate.denominator - rate.numerator, rate.denominator
        self.place = place
        self.people, unit, before, total = start
        self.before_lo, self.total_lo = (before << bits) // unit, (total << bits) // unit
        self.before_hi, self.total_hi = self.before_lo + 1, self.total_lo + 1

    def shift(self, place: int) -> None:
        """Move to a place that is no lower, and at most people + 1."""
        while self.place < place:
            v = self.place
            up, down = (self.people - v + 1) * self.up, v * self.down
            self.before_lo = self.before_lo * up // down
            self.before_hi = -(-self.before_hi * up // down)
            # The lower bound loses the most that this mass can be, and the upper bound the least.
            self.total_lo -= self.before_hi
            self.total_hi -= self.before_lo
            self.place += 1

    def grow(self) -> None:
        """Add a person."""
        self.total_lo += self.before_lo * self.up // self.whole
        self.total_hi -= -self.before_hi * self.up // self.whole
        self.people += 1
        up, down = self.people * self.down, (self.people - self.place + 1) * self.whole
        self.before_lo = self.before_lo * up // down
        self.before_hi = -(-self.before_hi * up // down)


def delta_bounds(*, rate: Fraction, threshold: int, ratio: Fraction, more: bool, places: int) -> Iterator[int]:
    """Yield upper bounds of the deltas of `count_deltas`, in units of 2**-places: of `more`, or else of `fewer`.

    They are computed with so many bits behind the binary point that rounding moves them by few units. The first bounds,
    for counts that are hardly ever shown, are 1.

    Requires: as `count_deltas`; places >= 1.
    """
    above, below, whole = ratio.numerator, ratio.denominator, rate.denominator
    kept = whole - rate.numerator
    extra = 128 + places
    one = 1 << places + extra
    start = _start(rate, threshold, places)
    sums = _Enclosed(rate, threshold, places + extra, start)
    yield from repeat(1, start[0] - threshold + 1)
    for count in count_from(start[0] + 1):
        if more:
            sums.shift(max(threshold, count - (-(-count * kept * below // (whole * above))) + 1))
            fewer_lo, one_more = sums.total_lo, -(-sums.before_hi * rate.numerator // whole)
            needed = one_more * below - (above - below) * fewer_lo
        else:
            sums.shift(max(threshold, count - count * kept * above // (whole * below)))
            fewer_hi, one_more = sums.total_hi, -(-sums.before_hi * rate.numerator // whole)
            needed = (above - below) * (fewer_hi - one) + above * one_more
        sums.grow()
        yield max(0, -(-needed // below >> extra))
