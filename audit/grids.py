"""Independent observations on grids of ratios: bounds of their delta from both sides, as close as a grid is fine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, log2, sqrt

from dpcert.audit.answer import WIDE, Answer, wide
from dpcert.audit.enclosure import EnclosedProfile
from dpcert.audit.losses import FIXED, Outcomes, gathered, outcomes_of, split
from dpcert.audit.profile import BITS, Profile
from dpcert.audit.recurrence import Scaled
from dpcert.audit.searched import DeltaBound, Searched, crossing, ln
from dpcert.audit.sums import LossSum, ObservedSum, endless, find_tilt, power_bounds
from dpcert.mechanisms.exact.epsilon import Epsilon

COARSE = 16
"""The decimal digits of weights on the grids that are tried."""
_STEPS, _COUNTED = 8, 24
_WHOLE = 1 << FIXED
_POINTS = 1 << 16
_NEAR, _ROUGH, _GAP, _SLACK = 2.0**-12, 2.0**-5, 2.0**-8, 0.9
_COARSEST, WIDTH, _BEFORE = 5, Fraction(65, 64), 5

Held = Profile | EnclosedProfile


@dataclass(frozen=True, slots=True)
class Composition(Searched):
    """Independent observations, by their losses on a grid of ratios: bounds of delta from above and from below. Without
    a `lower` sum, `upper` is exact except for its rounding, and gives both bounds.
    """

    upper: LossSum
    lower: LossSum | ObservedSum | None

    def delta_between(self, below: Fraction, above: Fraction) -> tuple[Fraction, Fraction]:
        """Return lo <= delta <= hi for the least delta at an e^epsilon in [below, above], 1 <= below."""
        found = self.upper.delta_between(below, above)
        return found.lo if self.lower is None else self.delta_lo(below, above), found.hi

    def delta_hi(self, below: Fraction, above: Fraction) -> Fraction:
        """Return the upper of these two bounds alone."""
        return self.upper.delta_between(below, above).hi

    def delta_lo(self, below: Fraction, above: Fraction) -> Fraction:
        """Return the lower of these two bounds alone."""
        if self.lower is None or isinstance(self.lower, LossSum):
            return (self.lower or self.upper).delta_between(below, above).lo
        return self.lower.delta_lo(above, find_tilt(self.upper.parts, self.upper.start(below)))


@dataclass(frozen=True, slots=True)
class OnGrids(Searched):
    """Independent observations on grids of ratios, from both sides: as fine a grid as an answer needs, to about 1/64,
    or as near as `width` says.

    `upper` and `lower` are the outcomes of each pair, rounded to the one side and to the other, with their numbers.

    Claims: lo <= delta <= hi on every grid, so the best bounds of all grids count. From above, `outcomes_of` and
            `split` make of each pair one of which it is a post-processing; from below, `gathered` makes a
            post-processing of it. Products keep both orders; LossSum and ObservedSum bound the delta of products.
    """

    upper: Sequence[tuple[Outcomes, int]]
    lower: Sequence[tuple[Outcomes, int]]
    finest: int
    found: dict[int, Composition]
    width: Fraction = WIDTH

    @classmethod
    def of(cls, parts: Iterable[tuple[Held, Held, int]], width: Fraction = WIDTH) -> OnGrids:
        """Return the composition of pairs between two profiles each, the lower one first, and their numbers."""
        upper, lower = [], []
        for below, above, times in parts:
            upper.append((outcomes_of(above, above=True), times))
            lower.append((outcomes_of(below, above=False), times))
        return cls(upper, lower, find_grid(upper), {}, width)

    def on(self, grid: int, digits: int) -> Composition:
        """Return the composition with all ratios put on the grid of base 1 + 2**-grid."""
        if grid not in self.found:
            base = 1 + Fraction(1, 1 << grid)
            self.found[grid] = Composition(
                LossSum(base, [(split(outcomes, grid), times) for outcomes, times in self.upper], digits),
                ObservedSum(base, [(*gathered(outcomes, grid), times) for outcomes, times in self.lower], digits),
            )
        return self.found[grid]

    def delta_between(self, below: Fraction, above: Fraction) -> tuple[Fraction, Fraction]:
        """Return lo <= delta <= hi for the least delta at an e^epsilon in [below, above], 1 <= below."""
        lo, hi = Fraction(0), endless(self.upper).hi if self._greatest() <= below else Fraction(1)
        near = self.width < WIDTH
        grid = max(_COARSEST, self.finest - _BEFORE) if near else min(self.finest, max(self.found, default=_COARSEST))
        while True:
            found = self.on(grid, COARSE).delta_between(below, above)
            lo, hi = max(lo, found[0]), min(hi, found[1])
            if hi <= lo * self.width or grid >= self.finest:
                return lo, hi
            grid = min(self.finest, grid + (self._finer(lo, hi) if near else 2))

    def _finer(self, lo: Fraction, hi: Fraction) -> int:
        """Return by how much a grid must be finer for near bounds: each step takes about 3/4 of their distance."""
        times = float((hi - lo) / (lo * (self.width - 1))) if lo else 16.0
        return max(1, ceil(log2(times) / 2))

    def _greatest(self) -> Fraction:
        """Return an upper bound of the greatest finite ratio: beyond it endless losses alone count."""
        greatest = Scaled(1, 1, 0)
        for outcomes, times in self.upper:
            if outcomes.rows:
                greatest = (greatest * power_bounds(Fraction(_WHOLE, outcomes.rows[0][1]), times)).rounded()
        return greatest.above

    def _too_little(self, delta: Fraction | int) -> bool:
        """Whether no ratio does with a delta, as endless losses alone have more."""
        return delta < 0 or (delta < endless(self.lower).lo and not any(one.rest for one, _ in self.lower))

    def _enough(self, found: _Rough) -> Fraction | None:
        """Return a ratio at which the delta is enough."""
        ratio = found.enough()
        if found.delta < endless(self.upper).hi:
            return ratio
        return max(Fraction(1), self._greatest() if ratio is None else min(ratio, self._greatest()))

    def delta_at(self, epsilon: Epsilon, *, bits: int = BITS) -> Answer:
        """Return the least delta at an epsilon; the answer says why where its bounds are far apart."""
        return self._explained(Searched.delta_at(self, epsilon, bits=bits))

    def _explained(self, found: Answer) -> Answer:
        if not wide(found.lo, found.hi):
            return found
        why = f"ratios are put on powers of 1 + 2**-{self.finest} at the finest, as a finer grid has too many points"
        why += f"; composed(pairs, grid={self.finest + 2}) takes a finer one"
        if any(above.rest or wide(below.infinite, above.infinite) for (above, _), (below, _) in self._sides()):
            why = "a law of a pair is held in bounds, which leave out a mass; hold it exactly, or to more bits"
        return replace(found, why=why)

    def _sides(self) -> Iterator[tuple[tuple[Outcomes, int], tuple[Outcomes, int]]]:
        return zip(self.upper, self.lower, strict=True)

    def ratio_at(self, delta: Fraction | int) -> Answer:
        """Return the least e^epsilon >= 1 at a delta, to about 12 bits, as far as the bounds of delta allow."""
        if self._too_little(delta):
            return Answer(None, None, "enclosed")
        found = self._search(Fraction(delta))
        return self._explained(Answer(found.least(), self._enough(found), "enclosed"))

    def ratio_bound(self, delta: Fraction, *, above: bool) -> Fraction | None:
        """Return the one bound of `ratio_at` alone, for half of the work."""
        if self._too_little(delta):
            return None
        found = self._search(delta)
        return self._enough(found) if above else found.least()

    def _search(self, delta: Fraction) -> _Rough:
        """Return about where the bounds of delta cross it, on the first grid on which they are close there."""
        start: list[float] = []
        for grid in [*range(_COARSEST, self.finest, 2), self.finest]:
            curve = self.on(grid, COARSE)
            found = _Rough(DeltaBound(curve.delta_hi), DeltaBound(curve.delta_lo), delta)
            _, hi = crossing(found.above, start, delta, _ROUGH)
            near, far = found.above.around(delta)
            if hi is None or hi == 1 or found.below(near) * WIDE >= found.above(near):
                break
            start = [near * _SLACK, far]
        return found


@dataclass(frozen=True, slots=True)
class _Rough:
    """The bounds of delta by the logarithm of a ratio, and where the upper one has been found to cross a delta."""

    above: DeltaBound
    below: DeltaBound
    delta: Fraction

    def enough(self) -> Fraction | None:
        """Return a ratio at which the delta is enough."""
        return crossing(self.above, self.above.found, self.delta, _NEAR)[1]

    def least(self) -> Fraction:
        """Return a ratio at which the delta is too little, or 1."""
        near, far = self.above.around(self.delta)
        return crossing(self.below, [near * (1 - _GAP), far], self.delta, _NEAR)[0]


def find_grid(parts: Sequence[tuple[Outcomes, int]]) -> int:
    """Return the finest grid that is worth its time; in floats, for width only.

    It makes about 2**16 points at most between the least ratio and the greatest, and as many of the sum that count. A
    sum of very many observations has more where 2**-grid is 1/16 to 1/8 of the standard deviation of one loss.
    """
    variance = widest = 0.0
    for outcomes, times in parts:
        rows = [(mass / _WHOLE, ln(Fraction(_WHOLE, inverse))) for mass, inverse in outcomes.rows]
        mean = sum(mass * loss for mass, loss in rows)
        variance += times * sum(mass * (loss - mean) ** 2 for mass, loss in rows)
        widest = max(widest, rows[0][1] - rows[-1][1]) if rows else widest
    if not variance:
        return _COARSEST
    usual = ceil(log2(_STEPS * sqrt(sum(times for _, times in parts) / variance)))
    most = floor(log2(_POINTS / (_COUNTED * sqrt(variance))))
    return max(_COARSEST, min(20, floor(log2(_POINTS / max(widest, 1.0))), max(usual, most)))
