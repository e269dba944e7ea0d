"""The hockey-stick divergence of two laws, exactly: the least delta at an epsilon."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Self

from dpcert.audit.kernel.decision import delta_at_least, delta_at_most, excess, is_beyond, is_within, refutes_always
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.law import Law

PRECISIONS = tuple(64 << i for i in range(11))
"""Bits to which e^epsilon is bounded, in turn, until a comparison is decided."""


@dataclass(frozen=True, slots=True)
class Table:
    """Two laws as the decision reads them: `rows` of the weights of one outcome, and the weights that no row has.

    The weights of p are over g m, those of q over g n.
    """

    rows: list[tuple[int, int]]
    g: int
    m: int
    n: int
    p_tail: int
    q_tail: int

    @classmethod
    def of(cls, p: Law, q: Law) -> Self:
        """Return the table of two laws: one row for each outcome that has weight in either."""
        ps, qs, g = p.scaled(1), q.scaled(1), gcd(p.denominator, q.denominator)
        rows = [(weight, qs.get(name, 0)) for name, weight in ps.items()]
        rows += [(0, weight) for name, weight in qs.items() if name not in ps]
        return cls(rows, g, p.denominator // g, q.denominator // g, p.tail_weight, q.tail_weight)

    def value(self, bound: int, ratio: Fraction) -> Fraction:
        """Return the delta that such an integer stands for."""
        return Fraction(bound, ratio.denominator * self.g * self.m * self.n)


def hockey_stick(p: Law, q: Law, ratio: Fraction) -> Fraction:
    """Return the sum over outcomes of max(0, p - ratio q), exactly."""
    table, (a, b) = Table.of(p, q), ratio.as_integer_ratio()
    return table.value(excess(b * table.n, a * table.m, 0, table.rows), ratio)


def ratio_bounds(p: Law, q: Law, epsilon: Epsilon, bits: int) -> tuple[Fraction, Fraction | None]:
    """Return bounds of e^epsilon that are close enough for this pair.

    The upper bound is None where bit lengths alone show that e^epsilon exceeds every ratio p/q and, for a tail t of q,
    the ratio 1/t. The lower bound then exceeds them, too.
    """
    if epsilon.rational:
        common = gcd(p.denominator, q.denominator)
        ps, qs = p.scaled(q.denominator // common), q.scaled(p.denominator // common)
        ratios = [(weight, qs[name]) for name, weight in ps.items() if name in qs]
        ratios += [(q.denominator, q.tail_weight)] if q.tail_weight else []
        greatest = max([1, *(over.bit_length() - under.bit_length() + 1 for over, under in ratios)])
        if epsilon.power_of_two_lo() >= greatest:
            return Fraction(1 << greatest), None
    return epsilon.exp_bounds(bits)


def delta_bounds(p: Law, q: Law, below: Fraction, above: Fraction | None) -> tuple[Fraction, Fraction]:
    """Return lo <= delta <= hi for the least delta at which p is (epsilon, delta)-close to q.

    With tails t_p and t_q: max(0, H(E) - E t_q) <= delta <= H(E) + t_p, where H is the hockey-stick divergence of the
    enumerated masses and E = e^epsilon lies between `below` and `above`, the `ratio_bounds`.
    """
    return decide(Table.of(p, q), below, above, Fraction(1))[1:]


def decide(
    table: Table, below: Fraction, above: Fraction | None, delta: Fraction
) -> tuple[bool | None, Fraction, Fraction]:
    """Decide whether the least delta is at most this one, for `below` <= e^epsilon <= `above`; None where it is open.

    Returns the answer and the bounds of the least delta. The functions that decide are those proved in Rocq.
    """
    (c, d), scale = delta.as_integer_ratio(), (table.g, table.m, table.n)
    a, b = below.as_integer_ratio()
    top = delta_at_most(a, b, table.m, table.n, table.p_tail, table.rows)
    hi = table.value(top, below)
    exact = above == below and not table.p_tail and not table.q_tail
    if above is None:  # H is the mass that p has where q has none, and E t_q >= 1 or t_q = 0
        lo = Fraction(0) if table.q_tail else hi - Fraction(table.p_tail, table.g * table.m)
        beyond = not table.q_tail and refutes_always(c, d, table.g, table.m, table.rows)
    else:
        a, b = above.as_integer_ratio()
        bottom = top if exact else delta_at_least(a, b, table.m, table.n, table.q_tail, table.rows)
        lo = hi if exact else max(Fraction(0), table.value(bottom, above))
        beyond = is_beyond(b, c, d, *scale, bottom)
    within = is_within(below.denominator, c, d, *scale, top)
    return True if within else False if beyond else None, lo, hi


def decide_pair(p: Law, q: Law, epsilon: Epsilon, delta: Fraction) -> tuple[bool | None, Fraction, Fraction]:
    """Decide whether p is (epsilon, delta)-close to q; None where the tails leave it open.

    Returns the answer and the bounds of the least delta that decided it.
    """
    table = Table.of(p, q)
    for bits in PRECISIONS:
        below, above = ratio_bounds(p, q, epsilon, bits)
        answer = decide(table, below, above, delta)
        known = above is None or (above - below) * (1 << 20) <= p.tail + q.tail
        if answer[0] is not None or known:
            break  # where e^epsilon is known well enough, the tails leave an open answer open
    return answer


def event_bounds(p: Law, q: Law, event: Collection[Hashable]) -> tuple[Fraction, Fraction]:
    """Return a lower bound of p(event) and an upper bound of q(event), for outcomes given by their keys."""
    ps, qs = p.scaled(1), q.scaled(1)
    p_lo = Fraction(sum(ps.get(name, 0) for name in event), p.denominator)
    return p_lo, Fraction(sum(qs.get(name, 0) for name in event), q.denominator) + q.tail
