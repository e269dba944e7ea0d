"""Sums of independent losses on one grid of ratios: certified bounds of the delta of thousands of observations.

The law of the sum is a power of a sequence. It is tilted first, as for large deviations: mass at base**j is weighted
by tilt**j, which puts the mean of the sum where epsilon is, so that a delta of 1e-300 needs no more digits than one of
1/2. Any tilt >= 1 gives true bounds; the right one gives narrow ones.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from typing import NamedTuple

from dpcert.audit.convolution import DIGITS, Weights
from dpcert.audit.losses import LossLaw
from dpcert.audit.recurrence import Scaled, scaled

__all__ = ["Sum", "find_tilt", "power_bounds"]

_FIXED = 256
_UNIT: int = 10**DIGITS
_POINTS = 256
_STEEPEST = 60.0


class Bounds(NamedTuple):
    """lo <= value <= hi."""

    lo: Fraction
    hi: Fraction


@dataclass(frozen=True, slots=True)
class Sum:
    """Independent observations: of each loss law on this base > 1, so many."""

    base: Fraction
    parts: Sequence[tuple[LossLaw, int]]

    def delta_between(self, below: Fraction, above: Fraction) -> Bounds:
        """Return lo <= delta <= hi for the least delta at an e^epsilon in [below, above], 1 <= below."""
        lo, hi = self._endless()
        start = self._start(below)
        if start <= sum(times * (law.first + len(law.masses) - 1) for law, times in self.parts):
            more = self._finite(start, below, above)
            lo, hi = lo + more.lo, hi + more.hi
        lo -= above * sum(law.rest * times for law, times in self.parts)
        return Bounds(max(Fraction(0), lo), min(Fraction(1), hi))

    def _endless(self) -> Bounds:
        """Return bounds of the probability under p that some observation is one that q never has.

        By Bonferroni and by the product of the complements; the better one counts.
        """
        each = [(law.infinite, times) for law, times in self.parts if law.infinite]
        if not each:
            return Bounds(Fraction(0), Fraction(0))
        total = sum((infinite * times for infinite, times in each), Fraction(0))
        spared = Scaled(1, 1, 0)
        for infinite, times in each:
            spared = (spared * power_bounds(1 - infinite, times)).rounded()
        return Bounds(max(total - total * total / 2, 1 - spared.above), min(total, 1 - spared.below))

    def _start(self, ratio: Fraction) -> int:
        """Return an index such that base**j <= ratio for all j below it; the least one, up to rounding."""
        least = sum(times * law.first for law, times in self.parts)
        size = sum(times * (len(law.masses) - 1) for law, times in self.parts) + 1
        return least + bisect_left(range(size), True, key=lambda i: power_bounds(self.base, least + i).above > ratio)

    def _finite(self, start: int, below: Fraction, above: Fraction) -> Bounds:
        """Return bounds of the sum over j >= start of p_j max(0, 1 - e^epsilon / base**j).

        With p_j = m tilt**-(j - least) w_j, where w are the weights and m what they were divided by. Weights that
        were lost are somewhere: at j >= start each counts at most m tilt**-(start - least).
        """
        tilt = find_tilt(self.parts, start)
        sum_of = _powered(self.parts, tilt)
        scale = sum_of.scale * power_bounds(1 / tilt, start - sum_of.least)
        lo, hi = self._folded(sum_of, start, tilt, below, above)
        return Bounds(lo * scale.below / _UNIT, (hi + sum_of.lost) * scale.above / _UNIT)

    def _folded(
        self, weights: Weights, least: int, start: int, tilt: Fraction, below: Fraction, above: Fraction
    ) -> Bounds:
        """Return bounds of the sum of units[j] tilt**-(j - start) max(0, 1 - e^epsilon / base**j) over j >= start."""
        first = max(start, weights.first + least)
        power, fall = power_bounds(self.base, first), power_bounds(1 / tilt, first - start)
        one = 1 << _FIXED
        short_lo, short_hi = (below / power.above * one).__floor__(), (above / power.below * one).__ceil__()
        fall_lo, fall_hi = (fall.below * one).__floor__(), (fall.above * one).__ceil__()
        shrink_lo, shrink_hi = (one / self.base).__floor__(), (one / self.base).__ceil__()
        damp_lo, damp_hi = (one / tilt).__floor__(), (one / tilt).__ceil__()
        lo = hi = 0
        for units in weights.units[first - weights.first - least :]:
            if short_hi < one:
                lo += units * (one - short_hi) * fall_lo
            if short_lo < one:
                hi += units * (one - short_lo) * fall_hi
            short_lo, short_hi = short_lo * shrink_lo >> _FIXED, -(-short_hi * shrink_hi >> _FIXED)
            fall_lo, fall_hi = fall_lo * damp_lo >> _FIXED, -(-fall_hi * damp_hi >> _FIXED)
        return Bounds(scaled(lo, -2 * _FIXED), scaled(hi, -2 * _FIXED))


def _tilted(law: LossLaw, tilt: Fraction) -> tuple[Weights, Fraction]:
    """Return lower bounds of masses[i] tilt**i / total, from i = 0, and the total: an upper bound of their sum.

    The powers of the tilt lose less than a part in 2**(_FIXED - 2) at each step; products are rounded down to _FIXED
    bits below the greatest.
    """
    power, exponent, top, steps = 1 << _FIXED, -_FIXED, 0, len(law.masses)
    rows: list[tuple[int, int]] = []
    shift = tilt.denominator.bit_length() - 1
    for mass in law.masses:
        rows.append((mass * power, exponent) if mass else (0, 0))
        if mass:
            size = rows[-1][0].bit_length() + exponent
            top = size if top == 0 else max(top, size)
        power = power * tilt.numerator >> shift
        if power.bit_length() > 2 * _FIXED:
            power, exponent = power >> _FIXED, exponent + _FIXED
    last = top - _FIXED
    floors = [value << at - last if at >= last else value >> last - at for value, at in rows]
    whole = sum(floors) + len(floors)
    whole += -(-whole * steps >> _FIXED - 3)
    weights = Weights(0, [floor * _UNIT // whole for floor in floors])
    return weights, scaled(whole, last) / law.denominator


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


def find_tilt(total: Sum, start: int) -> Fraction:
    """Return a tilt >= 1 that puts the mean of the sum close to `start`, or 1; in floats, as no bound rests on it."""
    points = []
    for law, times in total.parts:
        step = -(-len(law.masses) // _POINTS)
        rows = []
        for i in range(0, len(law.masses), step):
            mass = sum(law.masses[i : i + step])
            if mass:
                rows.append((i + (step - 1) / 2, log(mass)))
        points.append((rows, times))
    goal = start - sum(times * law.first for law, times in total.parts)

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
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if mean(middle) < goal else (low, middle)
    return Fraction(round(exp(low) * (1 << 40)), 1 << 40)
