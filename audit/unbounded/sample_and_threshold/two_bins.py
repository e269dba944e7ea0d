"""One person who moves from one bin of a sampled histogram to another: bounds of the delta that any two bins need.

Two bins change: one of k people loses one, one of j - 1 people gains one. All other bins have equal laws and cancel.
From below, the delta of two counts is exact; floats find which need the most. From above, `moves` bounds all
counts by their deltas at points, which are placed here where they matter.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb, exp, floor, lgamma, log, log1p

from dpcert.audit.profile import Profile, profile
from dpcert.audit.unbounded.sample_and_threshold.moves import Curve, Enough, Moves, places_of
from dpcert.audit.unbounded.sample_and_threshold.premises import BITS, MOST_GRID, Hints, search_epsilon
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.sample_and_threshold.all_counts import MOST, greatest_delta
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law

_ALL_PAIRS = 24
"""Up to how many counts every pair is tried."""
_FEWEST, _MOST_POINTS, _MOST_SUMS = 24, 320, 1_200_000
"""How many points there are at the start and at the end, and of how many counts at all points together."""
_STARTS, _BEST = 8, 2
_GRID = 16
_TERMS = 300
_NONE = float("-inf")
_CLOSE = Fraction(65, 64)
_EXACT, _SPARE = 300, 128
"""Up to how many people in two bins their delta is exact; and how many bits more than its own it has for others."""
_BEYOND = Fraction(5, 4)
"""How far beyond the count of which the threshold is the mean, counts are looked at one by one."""


@dataclass(frozen=True, slots=True)
class MoveBounds:
    """The least delta for all histograms of which one person moves is at least `lo` and at most `hi`.

    `lo` is needed where a bin of `left` people loses one and a bin of `entered` - 1 people gains one. The hints are of
    a proof of `hi`.
    """

    lo: Fraction
    hi: Fraction
    left: int
    entered: int
    hints: Hints

    @property
    def bins(self) -> str:
        """The two bins that need `lo`, before and after one person moves, in words."""
        return f"bins of {self.left} and {self.entered - 1} people and of {self.left - 1} and {self.entered}"


def move_bounds(*, rate: Fraction, threshold: int, epsilon: Epsilon, delta: Fraction | None = None) -> MoveBounds:
    """Return bounds of the least delta at an epsilon for sampled and thresholded histograms of which one person moves.

    With a `delta`, the search ends where it is known to be enough or too little; `hi` is 1 where it is too little.
    Else it ends where the bounds are close, or points are many.

    Claims:  hi is enough for all counts, as docs/explanation/all-counts.md proves.
    Source:  sample-and-threshold, Section 3.1, for its neighbours, who differ in one person's value; dominating pairs
             compose: Zhu, Dong, Wang 2022, Theorem 10.
    Raises:  InputError as `greatest_delta` does.
    """
    epsilon = search_epsilon(epsilon)
    below, above = epsilon.exp_bounds(BITS)
    alone = greatest_delta(rate=rate, threshold=threshold, ratio=below)
    reach = max(2 * alone.reach, min(MOST, int(_BEYOND * threshold / rate)))
    search = _Search(rate, threshold, float(above), reach)

    def needed(left: int, entered: int) -> Fraction:
        if left + entered <= _EXACT:
            law = sample_threshold_law(rate=rate, threshold=threshold)
            return two_bins_delta(profile(law(left), law(left - 1)), law(entered - 1), law(entered), above)
        bits = _SPARE - int(search.log_delta((left, entered)) / log(2))
        return two_bins_least(rate=rate, threshold=threshold, left=left, entered=entered, ratio=above, bits=bits)

    if delta is not None and (lo := needed(alone.count, 1)) > delta:  # one who moves to an empty bin is enough
        return MoveBounds(lo, Fraction(1), alone.count, 1, Hints(reach))
    left, entered = search.found(alone.count)
    lo = needed(left, entered)
    if delta is not None and lo > delta:
        return MoveBounds(lo, Fraction(1), left, entered, Hints(reach))
    enough = delta if delta is not None else lo * _CLOSE
    fine = (below - 1).denominator.bit_length() - (below - 1).numerator.bit_length() if below > 1 else 0
    grid = _GRID + min(max(0, fine), MOST_GRID - _GRID)
    points = _first_points(grid, 1 - rate, min(4 * below, 1 + (1 - rate) * (reach + 1)), _FEWEST)
    moves = Moves(rate=rate, threshold=threshold, reach=reach, grid=grid, points=points, places=places_of(enough))
    most = min(_MOST_POINTS, max(2 * _FEWEST, _MOST_SUMS // reach))
    while True:
        found = moves.enough(below, enough)
        more = _between(moves, below, found) if found.delta > enough and len(moves.points) < most else []
        if not more:
            return MoveBounds(lo, max(lo, found.delta), left, entered, Hints(reach, grid, tuple(moves.points)))
        moves.add(more)


def two_bins_delta(losing: Profile, before: Dist, after: Dist, ratio: Fraction) -> Fraction:
    """Return the exact delta at e^epsilon = ratio of one bin with this profile and one that changes law.

    It is the sum over the second bin's outcomes w of p(w) times the first bin's delta at ratio q(w)/p(w).
    """
    return sum((p * losing.delta(ratio * after.prob(shown) / p) for shown, p in before.items()), Fraction(0))


def two_bins_least(*, rate: Fraction, threshold: int, left: int, entered: int, ratio: Fraction, bits: int) -> Fraction:
    """Return a delta that two bins need at e^epsilon = ratio, close to the least: all rounding is downwards.

    A bin of `left` people loses one and one of `entered` - 1 people gains one. For each outcome w of the second bin, of
    probability u before and v after, the first one needs at least p b - (r - 1) a at r = ratio v / u, where b is the
    probability of m - 1 and a that of at least m of `left` - 1 people, whatever m is at least the threshold.
    """
    kept, one = 1 - rate, 1 << bits
    losing, gaining = _shown(rate, threshold, left - 1, bits), _shown(rate, threshold, entered - 1, bits)
    above = [0]
    for weight in reversed(losing[1:]):
        above.append(above[-1] + weight + 1)
    above.reverse()  # above[m - threshold] bounds the probability of at least m

    def needed(r: Fraction) -> int:
        m = max(threshold, left - max(1, ceil(left * kept / r)) + 1)
        if m > left:
            return max(0, floor((1 - r) * one))
        gain = rate.numerator * losing[m - threshold] // rate.denominator
        lost = (r - 1) * (above[m - threshold] if r > 1 else max(0, above[m - threshold] - 2 * left))
        return max(0, gain - ceil(lost), floor((1 - r) * one))

    hidden = one - sum(gaining[1:]) - len(gaining)
    total = 0
    for w, weight in enumerate(gaining[1:], threshold):
        if weight:
            total += weight * needed(ratio * kept * entered / (entered - w))
    if hidden > 0:
        change = Fraction(rate.numerator * gaining[0] // rate.denominator, hidden + len(gaining))
        total += hidden * needed(ratio * (1 - change)) if change < 1 else 0
    return Fraction(total >> bits, one)


def _shown(rate: Fraction, threshold: int, people: int, bits: int) -> list[int]:
    """Return the probabilities that threshold - 1, threshold, ... of the people are sampled, rounded down."""
    up, down, whole = rate.numerator, rate.denominator - rate.numerator, rate.denominator**people
    v = threshold - 1
    weight = comb(people, v) * up**v * down ** (people - v) if v <= people else 0
    found = [(weight << bits) // whole]
    for v in range(threshold, people + 1):
        weight = weight * (people - v + 1) * up // (v * down)
        found.append((weight << bits) // whole)
    return found


def _first_points(grid: int, least: Fraction, top: Fraction, steps: int) -> list[int]:
    """Return points from `least` to `top`, in even steps of their logarithm, and 1."""
    low, high = int(least * (1 << grid)), int(top * (1 << grid)) + 1
    inner = (int(low * (high / low) ** (step / steps)) for step in range(1, steps))
    return sorted({max(1, low), 1 << grid, high, *(point for point in inner if point > low)})


def _between(moves: Moves, ratio: Fraction, found: Enough) -> list[int]:
    """Return middles of those intervals between points in which chords lose the most, for the blocks of greatest bound.

    A chord over an interval in which a function falls by e^d lies above it by about d^2/8 times its value.
    """
    first, second = (moves.curve(block) for block in (found.losing, found.gaining))
    scale, known = float(ratio), moves.points
    losses: list[tuple[float, int]] = []

    def lose(low: float, high: float, weight: float, middle: int) -> None:
        drop = _log_at(first, low) - _log_at(first, high)
        if drop > 0 and middle not in known:
            losses.append((weight + 2 * log(drop), middle))

    for (x0, y0), (x, y), (x1, y1) in _windows(
        [*zip(second.xs, second.ys, strict=True), (second.xs[-1] + 1, second.ys[-1])]
    ):
        bend = (y1 - y) * (x - x0) - (y - y0) * (x1 - x)
        if bend <= 0:
            continue
        weight = log(bend) - log((x1 - x) * (x - x0)) + _log_at(first, scale * x)
        place = bisect_right(known, scale * x)
        if 0 < place < len(known):
            low, high = known[place - 1], known[place]
            lose(low, high, weight, (low + high) // 2)
        for low, high in ((x0, x), (x, x1)):
            lose(scale * low, scale * high, weight, (low + high) // 2)
    best = dict.fromkeys(middle for _, middle in sorted(losses, reverse=True))
    return list(best)[: max(8, len(known) // 2)]


def _windows(rows: Sequence[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], tuple[int, int], tuple[int, int]]]:
    """Yield each three rows that follow each other."""
    return zip(rows, rows[1:], rows[2:], strict=False)


def _log_at(curve: Curve, x: float) -> float:
    """Return about the logarithm of a curve at x."""
    place = bisect_right(curve.xs, x)
    high = log(curve.ys[place - 1] or 1)
    if place == len(curve.xs):
        return high
    share = (x - curve.xs[place - 1]) / (curve.xs[place] - curve.xs[place - 1])
    return high + share * (log(curve.ys[place] or 1) - high)


class _Search:
    """A search, in floats, for the two counts that need the most as one person moves."""

    def __init__(self, rate: Fraction, threshold: int, ratio: float, reach: int) -> None:
        self.threshold, self.ratio, self.reach = threshold, ratio, reach
        self.p = float(rate)
        self.q = 1 - self.p
        self.logs = log(self.p), log1p(-self.p)
        self.factorials = [lgamma(n + 1) for n in range(reach + 2)]
        self.tails: dict[int, list[float]] = {}
        self.known: dict[tuple[int, int], float] = {}

    def found(self, alone: int) -> tuple[int, int]:
        """Return the counts k and j: every pair is tried where they are few, else pairs around the best of some."""
        if self.reach <= _ALL_PAIRS:
            counts = range(1, self.reach + 1)
            return max(((k, j) for k in counts for j in counts), key=self.log_delta)
        low, high = max(1, min(self.threshold, self.reach)), self.reach
        spread = sorted({1, alone, *(int(low * (high / low) ** (i / _STARTS)) for i in range(_STARTS + 1))})
        starts = sorted(((k, j) for k in spread for j in spread), key=self.log_delta, reverse=True)[:_BEST]
        return max(map(self._climbed, starts), key=self.log_delta)

    def _climbed(self, start: tuple[int, int]) -> tuple[int, int]:
        best, step = start, max(1, self.reach // 8)
        while True:
            k, j = best
            near = [(k + a * step, j + b * step) for a in (-1, 0, 1) for b in (-1, 0, 1)]
            inside = [(a, b) for a, b in near if 1 <= a <= self.reach and 1 <= b <= self.reach]
            found = max(inside, key=self.log_delta)
            if self.log_delta(found) > self.log_delta(best):
                best = found
            elif step == 1:
                return best
            else:
                step //= 2

    def log_delta(self, pair: tuple[int, int]) -> float:
        """Return about the logarithm of the delta that bins of k and j - 1 people need as one moves."""
        if pair not in self.known:
            k, j = pair
            terms = [term for term in self._terms(k, j) if term[0] > _NONE]
            top = max((weight + max(log_p, log_tail) for weight, log_p, log_tail, _ in terms), default=_NONE)
            total = 0.0
            for weight, log_p, log_tail, lost in terms:
                total += max(0.0, exp(weight + log_p - top) + lost * exp(weight + log_tail - top))
            self.known[pair] = top + log(total) if total > 0 else _NONE
        return self.known[pair]

    def _terms(self, k: int, j: int) -> Iterator[tuple[float, float, float, float]]:
        """Yield for each outcome of the second bin its log weight and, for the first: ln(p b), ln A, and 1 - E."""
        hidden = self._hidden(j - 1)
        change = exp(self.logs[0] + self._one(j - 1, self.threshold - 1) - hidden) if hidden > _NONE else 0.0
        yield hidden, *self._first(k, self.ratio * max(0.0, 1 - change))
        count = max(0, j - self.threshold)
        stride = 1 + count // _TERMS
        for w in range(self.threshold, j, stride):
            yield log(stride) + self._one(j - 1, w), *self._first(k, self.ratio * self.q * j / (j - w))

    def _first(self, k: int, ratio: float) -> tuple[float, float, float]:
        """Return ln(p b), ln A and 1 - E: the first bin needs p b - (E - 1) A at E, or, for small ones, 1 - E."""
        m = max(self.threshold, k - max(1, ceil(k * self.q / ratio)) + 1) if ratio > 0 else k + 1
        tails = self._tail(k - 1)
        tail = tails[m - self.threshold] if m - self.threshold < len(tails) else _NONE
        edge = self.logs[0] + self._one(k - 1, m - 1)
        if ratio < 1:
            needed = exp(edge) + (1 - ratio) * exp(tail)
            return (log(1 - ratio), _NONE, 0.0) if needed < 1 - ratio else (edge, tail, 1 - ratio)
        return edge, tail, 1 - ratio

    def _one(self, people: int, v: int) -> float:
        """Return ln Pr[R_people = v]."""
        if not 0 <= v <= people:
            return _NONE
        ways = self.factorials[people] - self.factorials[v] - self.factorials[people - v]
        return ways + v * self.logs[0] + (people - v) * self.logs[1]

    def _tail(self, people: int) -> list[float]:
        """Return ln Pr[R_people >= v] for v from the threshold to `people`."""
        if people not in self.tails:
            found, last = [], _NONE
            for v in range(people, self.threshold - 1, -1):
                one = self._one(people, v)
                high, low = max(one, last), min(one, last)
                last = high + log1p(exp(low - high))
                found.append(min(0.0, last))
            self.tails[people] = found[::-1]
        return self.tails[people]

    def _hidden(self, people: int) -> float:
        """Return ln Pr[R_people < threshold], by the sum on the side of the threshold that is away from the mean."""
        rising = people * self.p < self.threshold
        side = range(self.threshold, people + 1) if rising else range(min(people, self.threshold - 1), -1, -1)
        found = _NONE
        for v in side:
            one = self._one(people, v)
            high, low = max(one, found), min(one, found)
            found = high + log1p(exp(low - high))
            if one < found - 40:
                break
        return log1p(-exp(min(found, -1e-9))) if rising else found
