"""Algorithms 3 and 4 of weighted-sampling in double precision, and the exact guarantee of the doubles that they return.

The floats are the audited objects: each counts as the rational number that it is, and every bound is exact.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError

Law = tuple[Fraction, ...]
"""The probability of no report, then of each reported value 1, 2, ..."""


@dataclass(frozen=True, slots=True)
class Excess:
    """The epsilon and delta that laws of neighbouring frequencies need, beside the claimed ones.

    `delta` bounds the least delta at the claimed epsilon. `ratio` is the least e^epsilon at the claimed delta, None
    where none is enough. `at` is the lower frequency of the worst pair for delta.
    """

    claimed_epsilon: Fraction
    claimed_delta: Fraction
    delta: tuple[Fraction, Fraction]
    ratio: Fraction | None
    at: int

    @property
    def delta_excess(self) -> float:
        """The least delta over the claimed one, less 1, for reading; never negative."""
        return float(max(self.delta[1] / self.claimed_delta - 1, Fraction(0)))

    @property
    def epsilon_excess(self) -> float:
        """The least epsilon less the claimed one, for reading; never negative."""
        if self.ratio is None:
            return math.inf
        lo, _ = Epsilon.of(self.claimed_epsilon).exp_bounds(256)
        return math.log1p(float(max(self.ratio / lo - 1, Fraction(0))))


def double_probabilities(q: Sequence[float], *, epsilon: float, delta: float) -> list[float]:
    """Return pi_1, pi_2, ... of Algorithm 3, each step of the paper's text in double precision.

    Source: weighted-sampling, Algorithm 3.
    """
    up, down = math.exp(epsilon), math.exp(-epsilon)
    probabilities, last = [], 0.0
    for rate in q:
        last = min(rate, up * last + delta, 1.0 + down * (last + delta - 1.0))
        probabilities.append(last)
    return probabilities


def double_rows(q: Sequence[float], *, epsilon: float, delta: float) -> list[list[float]]:
    """Return the rows pi_i0, ..., pi_ii of Algorithm 4 in double precision, with its sums added term by term.

    Source: weighted-sampling, Algorithm 4.
    """
    up, down = math.exp(epsilon), math.exp(-epsilon)
    rows = [[1.0]]
    for pi in double_probabilities(q, epsilon=epsilon, delta=delta):
        before, row = rows[-1], [1.0 - pi]
        unreported, mass, total = max(down * before[0] - row[0], 0.0), 0.0, 0.0
        for entry in before[1:]:
            mass += entry
            row.append(max(down * (mass - delta) - total + unreported, 0.0))
            total += row[-1]
        row.append(0.0)
        left, above, upper = pi - total, 0.0, 0.0
        for j in range(len(row) - 1, 0, -1):
            if left == 0.0:
                break
            upper += before[j] if j < len(before) else 0.0
            most = up * upper + delta - above
            if most - row[j] <= left:
                left -= most - row[j]
                row[j] = most
            else:
                row[j] += left
                left = 0.0
            above += row[j]
        rows.append(row)
    return rows


def keys_excess(q: Sequence[float], *, epsilon: float, delta: float) -> Excess:
    """Return the guarantee that Algorithm 3 needs in doubles, where each sampled key has exactly the double pi_i / q_i.

    A key of frequency i is then reported with probability exactly q_i times that double.
    """
    chances = [
        Fraction(rate) * Fraction(pi / rate)
        for rate, pi in zip(q, double_probabilities(q, epsilon=epsilon, delta=delta), strict=True)
    ]
    return _excess([(Fraction(1),), *((1 - chance, chance) for chance in chances)], epsilon, delta)


def rows_excess(q: Sequence[float], *, epsilon: float, delta: float) -> Excess:
    """Return the guarantee that Algorithm 4 in doubles needs, where each value has exactly the probability pi_ij.

    Where the doubles of a row add up to more than 1, the probabilities of the greatest values are cut at a sum of 1.

    Raises: InputError where a row has a negative entry: it is no law.
    """
    laws = [
        _law(row, f"row {i} at epsilon={epsilon}, delta={delta}")
        for i, row in enumerate(double_rows(q, epsilon=epsilon, delta=delta))
    ]
    return _excess(laws, epsilon, delta)


def _law(row: Sequence[float], words: str) -> Law:
    left, entries = Fraction(1), []
    for entry in map(Fraction, row[1:]):
        if entry < 0:
            raise InputError(given=f"{words}: {float(entry)}", needed="probabilities", remedy="evaluate it exactly")
        entries.append(min(entry, left))
        left -= entries[-1]
    return left, *entries


def _excess(laws: Sequence[Law], epsilon: float, delta: float) -> Excess:
    claimed, allowed = Fraction(epsilon), Fraction(delta)
    below, above = Epsilon.of(claimed).exp_bounds(256)
    least, ratio, worst_at = (Fraction(0), Fraction(0)), Fraction(1), 0
    unbounded = False
    for i, (a, b) in enumerate(pairwise(laws)):
        for p, q in ((_padded(a, len(b)), b), (b, _padded(a, len(b)))):
            hi = _delta(p, q, below)
            if hi > least[1]:
                least, worst_at = (_delta(p, q, above), hi), i
            needed = _ratio(p, q, allowed)
            unbounded = unbounded or needed is None
            ratio = max(ratio, needed or ratio)
    return Excess(claimed, allowed, least, None if unbounded else ratio, worst_at)


def _padded(law: Law, length: int) -> Law:
    return (*law, *[Fraction(0)] * (length - len(law)))


def _delta(p: Law, q: Law, ratio: Fraction) -> Fraction:
    return sum((max(x - ratio * y, Fraction(0)) for x, y in zip(p, q, strict=True)), Fraction(0))


def _ratio(p: Law, q: Law, delta: Fraction) -> Fraction | None:
    """Return the least ratio r >= 1 at which the sum of max(p - r q, 0) is at most delta; None where no r is enough."""
    only = sum((x for x, y in zip(p, q, strict=True) if y == 0), Fraction(0))
    if only > delta:
        return None
    # For every r, the outcomes with p > r q are a beginning of this order, and each beginning bounds r from below.
    pairs = [(x, y) for x, y in zip(p, q, strict=True) if y > 0]
    pairs.sort(key=lambda pair: pair[0] / pair[1], reverse=True)
    best, mass_p, mass_q = Fraction(1), only, Fraction(0)
    for x, y in pairs:
        mass_p, mass_q = mass_p + x, mass_q + y
        best = max(best, (mass_p - delta) / mass_q)
    return best
