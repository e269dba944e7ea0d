"""The search for the zeros of a sum of normal densities: cuts that `certificates/gauss.py` checks.

Floats say where a zero is, Newton's method in balls where exactly. Nobody trusts their answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from dpcert.audit.ideal.certificates.checker import Number
from dpcert.audit.ideal.certificates.gauss import BITS, Line
from dpcert.audit.ideal.certificates.leaves import fraction

NEAR, FAR = 8.0, 60.0
"""How many deviations beyond the means zeros are looked for, closely and at all."""
POINTS = 2048
HALVINGS = 60
FINE, WIDER = 108, 12
"""A bracket is 2^-FINE deviations wide, or that times powers of 2^WIDER."""
NEWTON = 5
SMALLEST, MOST_CELLS = 84, 4000
"""Where balls show signs: cells are at least 2^-SMALLEST deviations wide, and so many at the most."""

LARGEST = 700.0
"""Logarithms of greater numbers count as equal."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shape:
    """A line in floats, in deviations from its first mean: the means, and the logarithms and signs of the weights."""

    means: Floats
    logs: Floats
    signs: Floats
    size: float

    @classmethod
    def of(cls, line: Line) -> Shape:
        """Return the shape of a line with rows."""
        size = math.sqrt(fraction(line.variance))
        start = line.rows[0][0]
        means = [float(fraction(t - start)) / size for t, _, _ in line.rows]
        logs = [float(abs(a).log()) if not a.contains(0) else -math.inf for _, a, _ in line.rows]
        return cls(np.array(means), np.array(logs), np.array([float(own) for _, _, own in line.rows]), size)

    def values(self, places: Floats) -> Floats:
        """Return the sum over its greatest term at some places."""
        exponents = self.logs[:, None] + self.means[:, None] * (places[None, :] - self.means[:, None] / 2)
        terms = np.exp(exponents - exponents.max(axis=0)) * self.signs[:, None]
        return np.asarray(terms.sum(axis=0), dtype=float)

    def places(self) -> Floats:
        """Return places in order, among them some beyond which no zero is, or which are far away."""
        low, high = self.means[0], self.means[-1]
        ends = [self._end(self.means, self.logs), -self._end(-self.means[::-1], self.logs[::-1])]
        far = np.linspace(max(min(ends[1], low) - 1, low - FAR), min(max(ends[0], high) + 1, high + FAR), POINTS)
        return np.union1d(far, np.linspace(low - NEAR, high + NEAR, POINTS))

    @staticmethod
    def _end(means: Floats, logs: Floats) -> float:
        """Return a place above which the last term exceeds all others together."""
        gaps = means[-1] - means[:-1]
        if not gaps.size:
            return float(means[-1])
        return float(np.max((means[-1] + means[:-1]) / 2 + (math.log(len(means)) + logs[:-1] - logs[-1]) / gaps))

    def zeros(self) -> list[float]:
        """Return about where the sum changes its sign."""
        if len(set(self.signs)) < 2:
            return []
        if len(self.means) == 2:
            (low, high), (first, last) = self.means, self.logs
            return [float((low + high) / 2 + (first - last) / (high - low))]
        places = self.places()
        positive = self.values(places) > 0
        changes = np.flatnonzero(positive[1:] != positive[:-1])
        low, high, above = places[changes], places[changes + 1], positive[changes]
        for _ in range(HALVINGS if changes.size else 0):
            middle = (low + high) / 2
            same = (self.values(middle) > 0) == above
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        return [float(x) for x in (low + high) / 2]

    def delta(self) -> float:
        """Return about the integral of the positive part."""
        ends = [-math.inf, *self.zeros(), math.inf]
        inner = [(a + b) / 2 for a, b in pairwise(ends[1:-1])]
        probes = [ends[1] - 1, *inner, ends[-2] + 1] if len(ends) > 2 else [0.0]
        shown = self.values(np.array(probes)) > 0
        return sum(self._mass(a, b) for (a, b), positive in zip(pairwise(ends), shown, strict=True) if positive)

    def _mass(self, low: float, high: float) -> float:
        total = 0.0
        for mean, log, sign in zip(self.means, self.logs, self.signs, strict=True):
            share = _between(low - mean, high - mean)
            total += sign * math.exp(min(log + math.log(share), LARGEST)) if share > 0 else 0.0
        return float(total)


def _between(low: float, high: float) -> float:
    """Return the standard normal probability between two numbers."""
    if low > 0:
        return (math.erfc(low / math.sqrt(2)) - math.erfc(high / math.sqrt(2))) / 2
    return (math.erfc(-high / math.sqrt(2)) - math.erfc(-low / math.sqrt(2))) / 2


@dataclass(slots=True)
class Brackets:
    """The search for cuts of lines; the cuts of one line are used for others of the same shape."""

    known: dict[Any, list[Number]] = field(default_factory=dict)

    def cuts(self, line: Line) -> list[Number]:
        """Return cuts of a line between which signs are shown as far as they are found."""
        if len({own for _, _, own in line.rows}) < 2:
            return []
        start, size = line.rows[0][0], line.rows[0][1]
        mark = line.variance, tuple((t - start, str((a / size).str(40))) for t, a, _ in line.rows)
        if mark not in self.known:
            with flint.ctx.workprec(BITS):
                self.known[mark] = [cut - start for cut in _cuts(line)]
        return [start + cut for cut in self.known[mark]]

    def about(self, line: Line) -> float:
        """Return about the integral of the positive part of a line."""
        if not line.rows:
            return 0.0
        return Shape.of(line).delta()


def _cuts(line: Line) -> list[Number]:
    shape = Shape.of(line)
    unit = -math.frexp(shape.size)[1]
    brackets = [each for each in (_bracket(line, shape, z, unit) for z in shape.zeros()) if each is not None]
    kept: list[tuple[Number, Number]] = []
    for low, high in brackets:
        if not kept or kept[-1][1] < low:
            kept.append((low, high))
    cuts = [end for each in kept for end in each]
    own = [sign for _, _, sign in line.rows]
    if len(kept) == sum(a != b for a, b in pairwise(own)):
        return cuts
    places = shape.places()
    ends = [_exact(line, shape, float(places[0]), unit), _exact(line, shape, float(places[-1]), unit)]
    inner = sorted({*cuts, *ends})
    hidden = {low for low, _ in kept}
    found = [
        cut for low, high in pairwise(inner) for cut in ([low] if low in hidden else _halved(line, low, high, unit))
    ]
    return [*found, inner[-1]]


def _exact(line: Line, shape: Shape, z: float, unit: int) -> Number:
    """Return the place of z deviations as a short number."""
    return line.rows[0][0] + _dyadic(Fraction(z) * Fraction(shape.size), unit + FINE)


def _dyadic(x: Fraction, bits: int) -> Number:
    """Return a number near to x with so many bits behind the point."""
    return flint.fmpq(round(x * Fraction(2) ** bits)) * flint.fmpq(2) ** -bits


def _bracket(line: Line, shape: Shape, z: float, unit: int) -> tuple[Number, Number] | None:
    """Return numbers around a zero between which it lies; None where the signs do not show one."""
    start = line.rows[0][0]
    y = flint.arb(start) + flint.arb(z) * flint.arb(shape.size)
    for _ in range(NEWTON):
        parts = line.parts(y)
        slope = sum((p * flint.arb(t - start) for p, (t, _, _) in zip(parts, line.rows, strict=True)), flint.arb(0))
        value = sum(parts, flint.arb(0))
        near = (slope - value * (y - flint.arb(start))).mid()
        if near == 0 or not near.is_finite():
            return None
        y = (y - value * flint.arb(line.variance) / near).mid()
    if not abs(y - flint.arb(start)) < flint.arb(shape.size) * (abs(z) + 1) * 2:
        return None
    middle = start + _dyadic(fraction((y - flint.arb(start)).mid().fmpq()), unit + FINE)
    for wider in range(0, FINE - SMALLEST + 1, WIDER):
        reach = flint.fmpq(2) ** (wider - unit - FINE)
        if line.sign(middle - reach) * line.sign(middle + reach) < 0:
            return middle - reach, middle + reach
    return None


def _halved(line: Line, low: Number, high: Number, unit: int) -> Iterator[Number]:
    """Yield cuts from the lower end on, so that balls show the sign between most."""
    least = flint.fmpq(2) ** (-unit - SMALLEST)
    pending: list[tuple[Number, Number]] = [(low, high)]
    seen = 0
    while pending:
        a, b = pending.pop()
        seen += 1
        if b - a > least and seen < MOST_CELLS and line.sign_on(a, b) == 0:
            middle = (a + b) / 2
            pending += [(middle, b), (a, middle)]
        else:
            yield a
