"""Sums of independent losses on one grid of ratios: certified bounds of the delta of thousands of observations.

The law of the sum is a power of a sequence. It is tilted first, as for large deviations: mass at base**j is weighted by
tilt**j. This puts the mean of the sum at epsilon, so that a delta of 1e-300 needs no more digits than one of 1/2. Any
tilt >= 1 gives true bounds; a good one gives narrow bounds.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, exp, log, log1p, sqrt
from operator import mul
from typing import NamedTuple

from dpcert.audit.convolution import WeightBounds, product
from dpcert.audit.cumulants import Cumulants
from dpcert.audit.losses import LossLaw, Outcomes
from dpcert.audit.recurrence import Scaled, scaled
from dpcert.audit.searched import ln

_FIXED = 256
_ONE = 1 << _FIXED
_BLOCK = 64
_STEEPEST = 60.0

Parts = Sequence[tuple[LossLaw, int]]


class Bounds(NamedTuple):
    """lo <= value <= hi."""

    lo: Fraction
    hi: Fraction


@dataclass(frozen=True, slots=True)
class LossSum:
    """Independent observations: each loss law, on this base > 1, with its number of observations.

    Weights have `size` bytes. `held` keeps the powers by their tilts: any tilt gives true bounds.
    """

    base: Fraction
    parts: Parts
    size: int
    held: dict[Fraction, Powered] = field(default_factory=dict)

    def delta_hi(self, ratio: Fraction) -> Fraction:
        """Return an upper bound of the least delta at any e^epsilon of at least `ratio`, which is at least 1.

        Claims: p has an outcome that q never has in some of the observations with probability 1 - prod (1 - m)**k, m
                the infinite mass of a law and k its number. There q is 0, so all of it counts at every epsilon. What
                only q has counts nowhere. Elsewhere p is base**j q, j the sum of indices: these losses count the sum
                over j of p_j max(0, 1 - e^epsilon / base**j), where p_j is scale * tilt**-(j - least) * w_j for the
                weights w. Where base**j is above e^epsilon, j is at least `start`; from there on, with the upper bound
                of base**start, no summand is negative. Lost weights may be anywhere, and each counts at most
                scale * tilt**-(start - least).
        """
        hi, start = endless(self.parts).hi, self.start(ratio)
        if start <= sum(times * (law.first + len(law.masses) - 1) for law, times in self.parts):
            tilt, total = self.powered(start)
            whole = total.tail(start, tilt, up=True)
            spared = total.tail(start, tilt * self.base, up=False) * ratio / power_bounds(self.base, start).above
            hi += (whole - spared + total.lost) * total.scale_at(start, tilt).above
        return min(Fraction(1), hi)

    def delta_lo(self, ratio: Fraction) -> Fraction:
        """Return a lower bound of the least delta at any e^epsilon of at most `ratio`, which is at least 1.

        It is p(S) - e^epsilon q(S), rounded down, where S are the sums from `start` on, and outcomes of p alone.
        """
        lo, start = endless(self.parts).lo, self.start(ratio)
        if start <= sum(times * (law.first + len(law.masses) - 1) for law, times in self.parts):
            tilt, total = self.powered(start)
            spared = total.tail(start, tilt * self.base, up=True) * ratio / power_bounds(self.base, start).below
            gained = max(Fraction(0), total.tail(start, tilt, up=False) - spared)
            lo += gained * total.scale_at(start, tilt).below
        return max(Fraction(0), lo - ratio * sum(law.rest * times for law, times in self.parts))

    def start(self, ratio: Fraction) -> int:
        """Return the least index, up to rounding, such that base**j <= ratio for all sums j below it."""
        least = sum(times * law.first for law, times in self.parts)
        most = least + sum(times * (len(law.masses) - 1) for law, times in self.parts)

        def beyond(j: int) -> bool:
            return power_bounds(self.base, j).above > ratio

        step, low, high = log1p(float(self.base - 1)), least, most + 1
        near = min(max(least, ceil(ln(ratio) / step)), most) if step else most
        if near - 2 > low and not beyond(near - 2):
            low = near - 1
        if near + 1 < high and beyond(near + 1):
            high = near + 1
        return low + bisect_left(range(low, high), True, key=beyond)

    def powered(self, start: int) -> tuple[Fraction, Powered]:
        """Return a tilt, and the law of the sum tilted by it, which has much of its weight around `start`."""
        for tilt, total in self.held.items():
            if total.has_near(start):
                return tilt, total
        tilt = find_tilt(self.parts, start)
        if tilt not in self.held:
            self.held[tilt] = powered(self.parts, tilt, self.size)
        return tilt, self.held[tilt]


@dataclass(frozen=True, slots=True)
class ObservedSum:
    """The sum of indices that p and q give to independent observations, each index close to log_base(p/q).

    The parts are (p's law, q's law, times), with masses at indices; a part's first index is the same for both.
    Weights have `size` bytes. `held` keeps the powers of both by the tilt of p's.
    """

    base: Fraction
    parts: Sequence[tuple[LossLaw, LossLaw, int]]
    size: int
    held: dict[Fraction, tuple[Powered, Powered]] = field(default_factory=dict)

    def delta_lo(self, ratio: Fraction, tilt: Fraction) -> Fraction:
        """Return a lower bound of the least delta at any e^epsilon of at most `ratio`, which is at least 1.

        It is p(S) - e^epsilon q(S), rounded down, where S are the sums from a promising `start` on. Lost weights of q
        may be anywhere: from `start` on, each counts at most scale * tilt**-(start - least).
        """
        infinite, p, q = self._event(ratio, tilt)
        return max(Fraction(0), infinite + max(Fraction(0), p - ratio * q[0]) - ratio * q[1])

    def ratio_lo(self, delta: Fraction, ratio: Fraction, tilt: Fraction) -> Fraction:
        """Return an e^epsilon >= 1 below which a delta is too little, by the event that is good at some `ratio`."""
        infinite, p, q = self._event(ratio, tilt)
        return max(Fraction(1), (infinite + p - delta) / sum(q)) if sum(q) else ratio

    def _event(self, ratio: Fraction, tilt: Fraction) -> tuple[Fraction, Fraction, tuple[Fraction, Fraction]]:
        """Return bounds: below, of the mass that only p has and of p(S); above, of q(S) and of the rest of q."""
        p_parts = [(p, times) for p, _, times in self.parts]
        q_tilt = Fraction(round(tilt * self.base * (1 << 40)), 1 << 40)
        if tilt not in self.held:
            q_parts = [(q, times) for _, q, times in self.parts]
            self.held[tilt] = powered(p_parts, tilt, self.size), powered(q_parts, q_tilt, self.size)
        p, q = self.held[tilt]

        def gains(i: int) -> bool:
            """Whether p gains at the first place that has a weight, of those from i on."""
            while not p.units[i] and i + 1 < len(p.units):
                i += 1
            j = p.first + i
            return p.at(j, tilt).below > ratio * q.at(j, q_tilt).above

        # Every event gives true bounds, so nothing rests on the guess that gains begin once and do not end.
        start = p.first + max(0, min(bisect_left(range(len(p.units)), True, key=gains), len(p.units) - 1))
        q_hi = (q.tail(start, q_tilt, up=True) + q.lost) * q.scale_at(start, q_tilt).above
        p_lo = p.tail(start, tilt, up=False) * p.scale_at(start, tilt).below
        rest = sum((law.rest * times for law, times in p_parts), Fraction(0))
        return endless(p_parts).lo, p_lo, (q_hi, rest)


@dataclass(frozen=True, slots=True)
class Powered:
    """The law of a sum, tilted: p gives scale * tilt**-(j - least) * w_j to j, for weights w that sum to at most 1.

    The lower bounds of weights are integers `units` over `unit`, at `first`, `first` + 1, ...; lost weights are at most
    `lost` in all. `middle` and `width` are about their mean and deviation.
    """

    units: Sequence[int]
    unit: int
    first: int
    scale: Scaled
    least: int
    lost: Fraction = field(init=False)
    middle: float = field(init=False)
    width: float = field(init=False)

    def __post_init__(self) -> None:
        whole, places = sum(self.units), range(len(self.units))
        object.__setattr__(self, "lost", Fraction(self.unit - whole, self.unit))
        mean = sum(map(mul, self.units, places)) / (whole or 1)
        square = sum(map(mul, self.units, map(mul, places, places))) / (whole or 1)
        object.__setattr__(self, "middle", self.first + mean)
        object.__setattr__(self, "width", sqrt(max(0.0, square - mean * mean)))

    def has_near(self, j: int) -> bool:
        """Whether j is within two deviations of the weights' mean."""
        return abs(j - self.middle) <= 2 * self.width

    def at(self, j: int, tilt: Fraction) -> Scaled:
        """Return the probability of j, without lost weight."""
        i = j - self.first
        units = self.units[i] if 0 <= i < len(self.units) else 0
        return Scaled(units, units, 0) * self.scale_at(j, tilt)

    def scale_at(self, j: int, tilt: Fraction) -> Scaled:
        """Return bounds of the probability that weight 1 at j stands for."""
        return self.scale * power_bounds(1 / tilt, j - self.least)

    def tail(self, start: int, tilt: Fraction, *, up: bool) -> Fraction:
        """Return the sum over j >= start of w_j tilt**-(j - start), rounded up or down, without lost weight."""
        before = self.first - start
        fall = power_bounds(1 / tilt, before) if before > 0 else Scaled(1, 1, 0)
        found = Fraction(evaluated(self.units[max(0, -before) :], 1 / tilt, up=up), self.unit << _FIXED)
        return found * (fall.above if up else fall.below)


def evaluated(units: Sequence[int], x: Fraction, *, up: bool) -> int:
    """Return the sum of units[i] x**i over 2**-_FIXED, for 0 < x <= 1, rounded up or down: in blocks, by Horner's rule.

    Powers within a block, and each step from block to block, are rounded to the same side.
    """
    sign = -1 if up else 1
    step, powers = (x.numerator * sign << _FIXED) // x.denominator * sign, [_ONE]
    for _ in range(_BLOCK):
        powers.append((sign * powers[-1] * step >> _FIXED) * sign)
    found, far = 0, powers.pop()
    for at in range((len(units) - 1) // _BLOCK * _BLOCK, -1, -_BLOCK):
        found = sum(map(mul, units[at : at + _BLOCK], powers), (sign * found * far >> _FIXED) * sign)
    return found


def powered(parts: Parts, tilt: Fraction, size: int) -> Powered:
    """Return the law of the sum of independent draws, a number from each loss law, tilted by a dyadic rational >= 1."""
    weights, scale, least = WeightBounds.one_at_zero(size), Scaled(1, 1, 0), 0
    for law, times in parts:
        once, total = _tilted(law, tilt, size)
        weights = product(weights, once.power(times))
        scale = (scale * power_bounds(total, times)).rounded()
        least += law.first * times
    return Powered(weights.units, weights.one, least + weights.first, scale, least)


def _tilted(law: LossLaw, tilt: Fraction, size: int) -> tuple[WeightBounds, Fraction]:
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
            bits = value.bit_length() + exponent
            top = bits if top == 0 else max(top, bits)
        rows.append((value, exponent))
        power = power * tilt.numerator >> shift
        if power.bit_length() > 2 * _FIXED:
            power, exponent = power >> _FIXED, exponent + _FIXED
    last = top - _FIXED
    floors = [value << at - last if at >= last else value >> last - at for value, at in rows]
    # Each floor is less than 1 too low, and the powers of the tilt lose their part at each step: with both added, the
    # total is above the true sum, so that no weight is above its share.
    whole = sum(floors) + len(floors)
    whole += -(-whole * steps >> _FIXED - 2)
    units = [(floor << 8 * (size - 1)) // whole for floor in floors]
    return WeightBounds.of(0, units, size).trimmed(), scaled(whole, last) / law.denominator


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
    """Return bounds of x**n for rational x > 0 and an integer n."""
    return Scaled.of(1 / x, 1 / x) ** -n if n < 0 else Scaled.of(x, x) ** n


def find_tilt(parts: Parts, start: int) -> Fraction:
    """Return a tilt >= 1 that puts the mean of the sum close to `start`, or 1."""
    rows = [([(i, log(mass)) for i, mass in enumerate(law.masses) if mass], times) for law, times in parts]
    if not all(each for each, _ in rows):
        return Fraction(1)
    goal = start - sum(times * law.first for law, times in parts)
    return Fraction(round(exp(min(_STEEPEST, Cumulants.of(rows).tilt_to(goal))) * (1 << 40)), 1 << 40)
