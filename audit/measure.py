"""How private a pair of laws is, beyond yes or no: the exact least epsilon at a delta, and the worst event."""

from collections.abc import Hashable
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

from dpcert.audit.kernel.divergence import PRECISIONS, Table, hockey_stick, ratio_bounds
from dpcert.audit.kernel.examine import FEW
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.law import Law
from dpcert.mechanisms.forms import order_key

ROUNDING = 128


def aligned(p: Law, q: Law) -> tuple[dict[Hashable, int], dict[Hashable, int], int]:
    """Return the weights of two laws over one common denominator, and that denominator."""
    common = lcm(p.denominator, q.denominator)
    return p.scaled(common // p.denominator), q.scaled(common // q.denominator), common


def greatest_ratio(p: Law, q: Law) -> tuple[Fraction | None, Hashable]:
    """Return the greatest p/q over outcomes (at least 1) and a key that attains it; None if unbounded.

    Tails are left out of account.
    """
    ps, qs, _ = aligned(p, q)
    above, below = 1, 1
    at: Hashable = None
    for name, weight in ps.items():
        other = qs.get(name, 0)
        if other == 0:
            return None, name
        if weight * below > above * other or (at is None and weight == other):
            common = gcd(weight, other)
            above, below, at = weight // common, other // common, name
    return Fraction(above, below), at


def least_ratio_bounds(
    p: Law, q: Law, delta: Fraction, floor: Fraction | None = Fraction(1)
) -> tuple[Fraction | None, Fraction | None]:
    """Return lo <= e^epsilon <= hi for the least epsilon >= 0 at which p is (epsilon, delta)-close to q.

    They are equal where both tails are 0. None means unbounded. `floor` is a ratio that another pair is known to need:
    where it is enough for this pair, it is returned, and this pair's own least ratio is not computed.
    """
    return table_ratio_bounds(Table.of(p, q), delta, floor)


def table_ratio_bounds(
    table: Table, delta: Fraction, floor: Fraction | None
) -> tuple[Fraction | None, Fraction | None]:
    """Return the bounds of `least_ratio_bounds` by the table of the two laws."""
    return (_bounds_again if len(table.times) <= FEW else _ratio_bounds)(table, delta, floor)


def _ratio_bounds(table: Table, delta: Fraction, floor: Fraction | None) -> tuple[Fraction | None, Fraction | None]:
    if floor is None:
        return None, None
    p_tail, q_tail = Fraction(table.p_tail, table.g * table.m), Fraction(table.q_tail, table.g * table.n)
    lo = _least_ratio(table, -delta, q_tail, floor)
    return lo, _least_ratio(table, p_tail - delta, Fraction(0), floor) if p_tail or q_tail else lo


_bounds_again = lru_cache(128)(_ratio_bounds)


def _least_ratio(table: Table, constant: Fraction, slope: Fraction, floor: Fraction) -> Fraction | None:
    """Return the least E >= floor with sum [p - E q]_+ + constant - slope E <= 0, by Newton's method.

    The function is convex, decreasing and piecewise linear, so that the iteration from the left is monotone
    and ends at the root. Without a constant and a slope the root is the greatest ratio p/q.
    """
    rows = [(v * table.n, w * table.m, times) for (v, w), times in table.times]
    common, ratio = table.g * table.m * table.n, floor
    if constant == 0 and slope == 0:
        if any(v and not w for v, w, _ in rows):
            return None
        a, b = floor.numerator, floor.denominator
        for v, w, _ in rows:
            a, b = (v, w) if v * b > a * w else (a, b)
        return Fraction(a, b)
    while True:
        a, b = ratio.numerator, ratio.denominator
        chosen = [row for row in rows if b * row[0] > a * row[1]]
        total_p = Fraction(sum([v * times for v, _, times in chosen]), common) + constant
        total_q = Fraction(sum([w * times for _, w, times in chosen]), common) + slope
        if total_p <= ratio * total_q:
            return ratio
        if total_q == 0:
            return None
        ratio = total_p / total_q


def rounded_ratio(ratio: Fraction) -> tuple[Fraction, Fraction]:
    """Return lo <= ratio <= hi of moderate length; both equal the ratio where its own length is moderate."""
    if max(ratio.numerator.bit_length(), ratio.denominator.bit_length()) <= ROUNDING:
        return ratio, ratio
    scaled, rest = divmod(ratio.numerator << ROUNDING, ratio.denominator)
    return Fraction(scaled, 1 << ROUNDING), Fraction(scaled + bool(rest), 1 << ROUNDING)


def _excess(p: Law, q: Law, ratio: Fraction) -> list[tuple[Fraction, Hashable]]:
    """Return (p - ratio q, key) for the outcomes at which it is positive, the greatest first."""
    ps, qs, common = aligned(p, q)
    outcomes = {name: outcome for name, outcome, _ in p.weights()}
    found = [
        (weight - ratio * qs.get(name, 0), name)
        for name, weight in ps.items()
        if ratio.denominator * weight > ratio.numerator * qs.get(name, 0)
    ]
    found.sort(key=lambda entry: (-entry[0], order_key(outcomes[entry[1]])))
    return [(excess / common, name) for excess, name in found]


def violating_event(p: Law, q: Law, epsilon: Epsilon, delta: Fraction) -> list[Hashable] | None:
    """Return the keys of a smallest event with p > e^epsilon q + delta; None where there is none."""
    for bits in PRECISIONS[2:]:
        below, above = ratio_bounds(Table.of(p, q), epsilon, bits)
        if above is None and q.tail:
            return None  # e^epsilon times the tail of q is at least 1
        ratio = below if above is None else above
        total = -ratio * q.tail
        event: list[Hashable] = []
        for gain, name in _excess(p, q, ratio):
            total += gain
            event.append(name)
            if total > delta:
                return event
        if hockey_stick(p, q, below) - below * q.tail <= delta:
            return None
    return None


def worst_event(p: Law, q: Law, epsilon: Epsilon) -> list[Hashable]:
    """Return the keys of the event that attains the least delta; where that is 0, of one of greatest ratio."""
    below, above = ratio_bounds(Table.of(p, q), epsilon, PRECISIONS[0])
    event = [name for _, name in _excess(p, q, below if above is None else above)]
    if event:
        return event
    _, name = greatest_ratio(p, q)
    return [] if name is None else [name]
