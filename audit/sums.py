"""Sums of independent losses on one grid of ratios: certified bounds of the delta of thousands of observations.

The law of the sum is a power of a sequence. It is tilted first, as for large deviations: mass at base**j is weighted by
tilt**j. This puts the mean of the sum at epsilon, so that a delta of 1e-300 needs no more digits than one of 1/2. Any
tilt >= 1 gives true bounds; a good one gives narrow bounds.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from typing import NamedTuple

from dpcert.audit.convolution import WeightBounds, product
from dpcert.audit.losses import LossLaw, Outcomes
from dpcert.audit.recurrence import Scaled, scaled

_FIXED = 256
_ONE = 1 << _FIXED
_POINTS = 64
_STEEPEST = 60.0

Parts = Sequence[tuple[LossLaw, int]]


class Bounds(NamedTuple):
    """lo <= value <= hi."""

    lo: Fraction
    hi: Fraction


@dataclass(frozen=True, slots=True)
class LossSum:
    """Independent observations: each loss law, on this base > 1, with its number of observations."""

    base: Fraction
    parts: Parts
    digits: int

    def delta_between(self, below: Fraction, above: Fraction) -> Bounds:
        """Return lo <= delta <= hi for the least delta at an e^epsilon in [below, above], 1 <= below.

        Claims: p has an outcome that q never has in some of the observations with probability 1 - prod (1 - m)**k, m
                the infinite mass of a law and k its number. There q is 0, so all of it counts at every epsilon. What
                only q has counts nowhere. Elsewhere p is base**j q, j the sum of indices: these losses count the sum
                over j of p_j max(0, 1 - e^epsilon / base**j), where p_j is scale * tilt**-(j - least) * w_j for the
                weights w. Lost weights may be anywhere: where base**j is above e^epsilon, j is at least `start`, and
                each counts at most scale * tilt**-(start - least). Neither sum is taken from the other's masses, so a
                truncation loses no infinite mass.
        """
        lo, hi = endless(self.parts)
        start = self.start(below)
        if start <= sum(times * (law.first + len(law.masses) - 1) for law, times in self.parts):
            tilt = find_tilt(self.parts, start)
            total = powered(self.parts, tilt, self.digits)
            scale = total.scale * power_bounds(1 / tilt, start - total.least)
            least, most = self._folded(total, start, tilt, below, above)
            lo += least * scale.below
            hi += (most + total.lost) * scale.above
        lo -= above * sum(law.rest * times for law, times in self.parts)
        return Bounds(max(Fraction(0), lo), min(Fraction(1), hi))

    def start(self, ratio: Fraction) -> int:
        """Return the least index, up to rounding, such that base**j <= ratio for all sums j below it."""
        least = sum(times * law.first for law, times in self.parts)
        size = sum(times * (len(law.masses) - 1) for law, times in self.parts) + 1
        return least + bisect_left(range(size), True, key=lambda i: power_bounds(self.base, least + i).above > ratio)

    def _folded(self, total: Powered, start: int, tilt: Fraction, below: Fraction, above: Fraction) -> Bounds:
        """Return bounds of the sum over j >= start of w_j tilt**-(j - start) max(0, 1 - e^epsilon / base**j)."""
        first = max(start, total.first)
        power = power_bounds(self.base, first)
        short_lo, short_hi = _fixed(below / power.above, above / power.below)
        fall = power_bounds(1 / tilt, first - start)
        rows = zip(
            total.from_index(first),
            _powers(_fixed(fall.below, fall.above), 1 / tilt),
            _powers((short_lo, short_hi), 1 / self.base),
            strict=False,
        )
        lo = hi = 0
        for units, (fall_lo, fall_hi), (lower, upper) in rows:
            if upper < _ONE:
                lo += units * (_ONE - upper) * fall_lo
            if lower < _ONE:
                hi += units * (_ONE - lower) * fall_hi
        return Bounds(scaled(lo, -2 * _FIXED) / total.unit, scaled(hi, -2 * _FIXED) / total.unit)


@dataclass(frozen=True, slots=True)
class ObservedSum:
    """The sum of indices that p and q give to independent observations, each index close to log_base(p/q).

    The parts are (p's law, q's law, times), with masses at indices; a part's first index is the same for both.
    """

    base: Fraction
    parts: Sequence[tuple[LossLaw, LossLaw, int]]
    digits: int

    def delta_lo(self, above: Fraction, tilt: Fraction) -> Fraction:
        """Return a lower bound of the least delta at an e^epsilon of at most `above`, which is at least 1.

        It is p(S) - e^epsilon q(S), rounded down, where S are the sums from a promising `start` on. Lost weights of q
        may be anywhere: from `start` on, each counts at most scale * tilt**-(start - least).
        """
        p_parts = [(p, times) for p, _, times in self.parts]
        lo = endless(p_parts).lo
        p = powered(p_parts, tilt, self.digits)
        q_tilt = Fraction(round(tilt * self.base * (1 << 40)), 1 << 40)
        q = powered([(q, times) for _, q, times in self.parts], q_tilt, self.digits)

        def gains(j: int) -> bool:
            return p.at(j, tilt).below > above * q.at(j, q_tilt).above

        held = [p.first + i for i, units in enumerate(p.weights.units) if units]
        start = held[min(bisect_left(held, True, key=gains), len(held) - 1)] if held else p.least
        p_scale = p.scale * power_bounds(1 / tilt, start - p.least)
        q_scale = q.scale * power_bounds(1 / q_tilt, start - q.least)
        _, price = _fixed(Fraction(0), above * q_scale.above / p_scale.below)
        found = 0
        p_rows = zip(p.from_index(start), _powers((_ONE, _ONE), 1 / tilt), strict=False)
        q_rows = zip(q.from_index(start), _powers((_ONE, _ONE), 1 / q_tilt), strict=False)
        for (p_units, (p_fall, _)), (q_units, (_, q_fall)) in zip(p_rows, q_rows, strict=False):
            found += max(0, p_units * p_fall - (-(-q_units * q_fall * price) >> _FIXED))
        found -= -(-q.lost * p.unit * price // 1)
        lo += scaled(found, -_FIXED) / p.unit * (p_scale.below if found > 0 else 0)
        lo -= above * sum(law.rest * times for law, times in p_parts)
        return max(Fraction(0), lo)


@dataclass(frozen=True, slots=True)
class Powered:
    """The law of a sum, tilted: p gives scale * tilt**-(j - least) * w_j to j, for weights w that sum to at most 1.

    The lower bounds of weights are integers over `unit`; lost weights are at most `lost` in all.
    """

    weights: WeightBounds
    scale: Scaled
    least: int

    @property
    def unit(self) -> int:
        """What 1 is in units."""
        return self.weights.one

    @property
    def first(self) -> int:
        """The first index that has a weight."""
        return self.least + self.weights.first

    @property
    def lost(self) -> Fraction:
        """An upper bound of the missing weight."""
        return Fraction(self.unit - sum(self.weights.units), self.unit)

    def at(self, j: int, tilt: Fraction) -> Scaled:
        """Return the probability of j, without lost weight."""
        i = j - self.first
        units = self.weights.units[i] if 0 <= i < len(self.weights.units) else 0
        return Scaled(units, units, 0) * self.scale * power_bounds(1 / tilt, j - self.least)

    def from_index(self, j: int) -> Iterator[int]:
        """Return the units of j, j + 1, ... to the last; 0 for those before the first."""
        yield from [0] * max(0, self.first - j)
        yield from self.weights.units[max(0, j - self.first) :]


def powered(parts: Parts, tilt: Fraction, digits: int) -> Powered:
    """Return the law of the sum of independent draws, a number from each loss law, tilted by a dyadic rational >= 1."""
    weights, scale, least = WeightBounds.one_at_zero(digits), Scaled(1, 1, 0), 0
    for law, times in parts:
        one, total = _tilted(law, tilt, digits)
        weights = product(weights, one.power(times))
        scale = (scale * power_bounds(total, times)).rounded()
        least += law.first * times
    return Powered(weights, scale, least)


def _tilted(law: LossLaw, tilt: Fraction, digits: int) -> tuple[WeightBounds, Fraction]:
    """Return lower bounds of masses[i] tilt**i / total, from i = 0, and the total: an upper bound of their sum.

    The powers of the tilt lose less than a part in 2**(_FIXED - 2) at each step; products are rounded down to _FIXED
    bits below the greatest.
    """
    power, exponent, top, steps = _ONE, -_FIXED, 0, len(law.masses)
    rows: list[tuple[int, int]] = []
    shift = tilt.denominator.bit_length() - 1
    for mass in law.masses:
        value = mass * power
        if mass:
            size = value.bit_length() + exponent
            top = size if top == 0 else max(top, size)
        rows.append((value, exponent))
        power = power * tilt.numerator >> shift
        if power.bit_length() > 2 * _FIXED:
            power, exponent = power >> _FIXED, exponent + _FIXED
    last = top - _FIXED
    floors = [value << at - last if at >= last else value >> last - at for value, at in rows]
    whole = sum(floors) + len(floors)
    whole += -(-whole * steps >> _FIXED - 2)
    one = WeightBounds.one_at_zero(digits).one
    return WeightBounds(0, [floor * one // whole for floor in floors], digits), scaled(whole, last) / law.denominator


def endless(parts: Sequence[tuple[LossLaw | Outcomes, int]]) -> Bounds:
    """Return bounds of the probability under p that some observation is one that q never has.

    By Bonferroni, and by the product of the complements; the better one counts.
    """
    each = [(law.infinite, times) for law, times in parts if law.infinite]
    if not each:
        return Bounds(Fraction(0), Fraction(0))
    total = sum((infinite * times for infinite, times in each), Fraction(0))
    if any(infinite == 1 for infinite, _ in each):
        return Bounds(Fraction(1), Fraction(1))
    spared = Scaled(1, 1, 0)
    for infinite, times in each:
        spared = (spared * power_bounds(1 - infinite, times)).rounded()
    return Bounds(max(total - total * total / 2, 1 - spared.above), min(total, 1 - spared.below))


def power_bounds(x: Fraction, n: int) -> Scaled:
    """Return bounds of x**n for rational x > 0 and an integer n, by repeated squaring rounded outwards."""
    if n < 0:
        return power_bounds(1 / x, -n)
    found, square = Scaled(1, 1, 0), Scaled.of(x, x)
    while n:
        if n & 1:
            found = (found * square).rounded()
        square = (square * square).rounded()
        n >>= 1
    return found


def find_tilt(parts: Parts, start: int) -> Fraction:
    """Return a tilt >= 1 that puts the mean of the sum close to `start`, or 1; in floats, as no bound rests on it."""
    points = [(_grouped(law.masses), times) for law, times in parts]
    if not all(rows for rows, _ in points):
        return Fraction(1)
    goal = start - sum(times * law.first for law, times in parts)

    def mean(theta: float) -> float:
        found = 0.0
        for rows, times in points:
            top = max(height + theta * at for at, height in rows)
            weights = [exp(height + theta * at - top) for at, height in rows]
            found += times * sum(w * at for w, (at, _) in zip(weights, rows, strict=True)) / sum(weights)
        return found

    low, high = 0.0, 1e-3
    if mean(low) >= goal:
        return Fraction(1)
    while mean(high) < goal and high < _STEEPEST:
        low, high = high, 4 * high
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if mean(middle) < goal else (low, middle)
    return Fraction(round(exp(low) * (1 << 40)), 1 << 40)


def _grouped(masses: Sequence[int]) -> list[tuple[float, float]]:
    """Return the mean index and the logarithm of the mass of groups: the last _POINTS indices each by itself.

    Before them, a group is as wide as a part of its distance from the last: a steep tilt tells the last indices apart.
    """
    last = max((i for i, mass in enumerate(masses) if mass), default=0)
    groups: dict[tuple[int, int], tuple[int, int]] = {}
    for i, mass in enumerate(masses):
        if mass:
            width = max(0, (last - i).bit_length() - _POINTS.bit_length() + 1)
            place = width, last - i >> width
            whole, moment = groups.get(place, (0, 0))
            groups[place] = whole + mass, moment + i * mass
    return [(moment / whole, log(whole)) for whole, moment in groups.values()]


def _fixed(lo: Fraction, hi: Fraction) -> tuple[int, int]:
    """Return lo and hi over 2**_FIXED, rounded down and up."""
    return (lo.numerator << _FIXED) // lo.denominator, -(-(hi.numerator << _FIXED) // hi.denominator)


def _powers(start: tuple[int, int], x: Fraction) -> Iterator[tuple[int, int]]:
    """Return bounds of start, start x, start x**2, ..., for 0 < x <= 1, over 2**_FIXED."""
    (lo, hi), (x_lo, x_hi) = start, _fixed(x, x)
    while True:
        yield lo, hi
        lo, hi = lo * x_lo >> _FIXED, -(-hi * x_hi >> _FIXED)
