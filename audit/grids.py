"""Independent observations on grids of ratios: bounds of their delta from both sides, as close as a grid is fine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, exp, floor, log2, sqrt

from dpcert.audit.answer import Answer, wide
from dpcert.audit.cumulants import Cumulants
from dpcert.audit.enclosure import EnclosedProfile
from dpcert.audit.losses import FIXED, Outcomes, gathered, outcomes_of, split
from dpcert.audit.profile import BITS, Profile
from dpcert.audit.recurrence import Scaled
from dpcert.audit.searched import DeltaBound, Searched, crossing, ln
from dpcert.audit.sums import LossSum, ObservedSum, endless, power_bounds
from dpcert.mechanisms.exact.epsilon import Epsilon

COARSE = 8
"""The bytes of weights on the grids that are tried."""
_STEPS, _COUNTED = 8, 24
_WHOLE = 1 << FIXED
_POINTS = 1 << 16
_NEAR, _ROUGH, _GAP, _SLACK, _CLOSER, _MARGIN = 2.0**-12, 2.0**-5, 2.0**-8, 0.9, 0.6, 1.25
_COARSEST, _FINER, WIDTH = 32, 1.25, Fraction(65, 64)

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
        return self.delta_lo(below, above), self.delta_hi(below, above)

    def delta_hi(self, below: Fraction, above: Fraction) -> Fraction:
        """Return the upper of these two bounds alone."""
        return self.upper.delta_hi(below)

    def delta_lo(self, below: Fraction, above: Fraction) -> Fraction:
        """Return the lower of these two bounds alone."""
        if self.lower is None or isinstance(self.lower, LossSum):
            return (self.lower or self.upper).delta_lo(above)
        return self.lower.delta_lo(above, self._tilt(below))

    def ratio_lo(self, delta: Fraction, ratio: Fraction) -> Fraction:
        """Return an e^epsilon >= 1 below which a delta is too little, where `ratio` is about the least; on a grid."""
        if not isinstance(self.lower, ObservedSum):
            raise TypeError("a composition that is on a grid is meant")
        return self.lower.ratio_lo(delta, ratio, self._tilt(ratio))

    def _tilt(self, ratio: Fraction) -> Fraction:
        return self.upper.powered(self.upper.start(ratio))[0]


@dataclass(frozen=True, slots=True)
class Spread:
    """How the sum of all losses under p is spread, in floats: no bound rests on it, but which grids are taken.

    A grid is named by the steps n of its base 1 + 1/n. `finest` is the finest that is worth its time: it makes about
    2**16 points at most between the least ratio and the greatest, and as many of the sum that count. A sum of very many
    observations has more: on the `usual` grid, 1/n is 1/16 to 1/8 of the deviation of one loss.
    """

    losses: Cumulants
    times: int
    usual: int
    finest: int

    @classmethod
    def of(cls, parts: Sequence[tuple[Outcomes, int]]) -> Spread:
        """Return the spread of outcomes with their numbers."""
        rows = [
            ([(ln(Fraction(_WHOLE, inverse)), ln(Fraction(mass, _WHOLE))) for mass, inverse in outcomes.rows], times)
            for outcomes, times in parts
            if outcomes.rows
        ]
        losses, number = Cumulants.of(rows), sum(times for _, times in parts)
        _, _, variance = losses.at(0)
        if not variance:
            return cls(losses, number, _COARSEST, _COARSEST)
        widest = max([1.0, *(each[0][0] - each[-1][0] for each, _ in rows)])
        usual = 1 << max(0, ceil(log2(_STEPS * sqrt(number / variance))))
        most = max(usual, floor(_POINTS / (_COUNTED * sqrt(variance))))
        finest = max(_COARSEST, min(1 << 20, floor(_POINTS / widest), most))
        return cls(losses, number, min(usual, finest), finest)

    def steps(self, epsilon: float, width: float) -> int:
        """Return about the steps on which bounds of delta at an epsilon are so near in proportion, or the finest.

        Bounds on a grid of base 1 + h differ as if the variance were known within h**2 / 4 for each observation. Where
        a loss is tilted by t to have its mean at epsilon, its moment goes as e^(t (t + 1) variance / 2).
        """
        tilt = self.losses.tilt_to(epsilon)
        _, _, variance = self.losses.at(tilt)
        if not variance:
            return self.finest
        needed = sqrt(_MARGIN * (tilt**2 + tilt + 2 / variance) * self.times / (8 * width))
        return max(_COARSEST, ceil(min(self.finest, needed)))

    def around(self, delta: Fraction) -> list[float]:
        """Return two epsilons between which delta is crossed, as Chernoff's bound tells; none for a delta of 0 or 1."""
        if not 0 < delta < 1:
            return []
        tilts = (self.losses.tilt_for(-ln(delta) * share) for share in (_CLOSER, 1))
        return [max(0.0, self.losses.at(tilt)[1]) for tilt in tilts]


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
    spread: Spread
    width: Fraction = WIDTH
    found: dict[int, Composition] = field(default_factory=dict)

    @classmethod
    def of(cls, parts: Iterable[tuple[Held, Held, int]], width: Fraction = WIDTH) -> OnGrids:
        """Return the composition of pairs between two profiles each, the lower one first, and their numbers."""
        upper, lower = [], []
        for below, above, times in parts:
            upper.append((outcomes_of(above, above=True), times))
            lower.append((outcomes_of(below, above=False), times))
        return cls(upper, lower, Spread.of(upper), width)

    def on(self, steps: int, size: int) -> Composition:
        """Return the composition with all ratios put on the grid of base 1 + 1/steps."""
        if steps not in self.found:
            base = 1 + Fraction(1, steps)
            self.found[steps] = Composition(
                LossSum(base, [(split(outcomes, steps), times) for outcomes, times in self.upper], size),
                ObservedSum(base, [(*gathered(outcomes, steps), times) for outcomes, times in self.lower], size),
            )
        return self.found[steps]

    def delta_between(self, below: Fraction, above: Fraction) -> tuple[Fraction, Fraction]:
        """Return lo <= delta <= hi for the least delta at an e^epsilon in [below, above], 1 <= below."""
        lo, hi = Fraction(0), endless(self.upper).hi if self._greatest() <= below else Fraction(1)
        steps = self.spread.steps(ln(below), float(self.width - 1))
        while True:
            found = self.on(steps, COARSE).delta_between(below, above)
            lo, hi = max(lo, found[0]), min(hi, found[1])
            if hi <= lo * self.width or steps >= self.spread.finest:
                return lo, hi
            # The distance of the bounds falls with the square of the steps.
            times = float((hi - lo) / (lo * (self.width - 1))) if lo else 16.0
            steps = min(self.spread.finest, ceil(steps * max(_FINER, sqrt(times))))

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
        finest = self.spread.finest
        why = f"ratios are put on powers of 1 + 1/{finest} at the finest, as a finer grid has too many points"
        why += f"; composed(pairs, grid={finest.bit_length() + 1}) takes a finer one"
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
        start = self.spread.around(delta)
        steps = max(_COARSEST, self.spread.usual // 4)
        while True:
            found = _Rough(self.on(steps, COARSE), delta)
            _, hi = crossing(found.above, start, delta, _ROUGH)
            near, far = found.above.around(delta)
            if hi is None or hi == 1 or steps >= self.spread.finest:
                return found
            needed = self.spread.steps(near, float(self.width - 1))
            if needed <= steps:
                if found.below(near) * self.width >= found.above(near):
                    return found
                needed = min(self.spread.finest, ceil(steps * _FINER))
            start, steps = [near * _SLACK, far], needed


class _Rough:
    """The bounds of delta by the logarithm of a ratio, and where the upper one has been found to cross a delta."""

    def __init__(self, curve: Composition, delta: Fraction) -> None:
        self.curve, self.delta = curve, delta
        self.above, self.below = DeltaBound(curve.delta_hi), DeltaBound(curve.delta_lo)

    def enough(self) -> Fraction | None:
        """Return a ratio at which the delta is enough."""
        return crossing(self.above, self.above.found, self.delta, _NEAR)[1]

    def least(self) -> Fraction:
        """Return a ratio at which the delta is too little, or 1."""
        near, far = self.above.around(self.delta)
        if far:
            rough = self.curve.ratio_lo(self.delta, Fraction(exp(near)))
            return max(rough, self.curve.ratio_lo(self.delta, rough))
        return crossing(self.below, [near * (1 - _GAP)], self.delta, _NEAR)[0]
