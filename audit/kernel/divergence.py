"""The hockey-stick divergence of two laws, exactly: the least delta at an epsilon."""

from collections import Counter
from collections.abc import Collection, Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Self

from dpcert.audit.kernel.decision import delta_at_least, delta_at_most, is_beyond, is_within, refutes_always
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.law import Law

PRECISIONS = tuple(64 << i for i in range(11))
"""The precisions of e^epsilon, in bits: one after the other, until a comparison is decided."""
Decided = tuple[bool | None, Fraction, Fraction]
"""Whether a pair is within a guarantee, None where the answer is open, and bounds of its least delta."""


@dataclass(frozen=True, slots=True)
class Table:
    """Two laws as the decision reads them: how often each row occurs, and the tails.

    A row has the weights of one outcome, of p over g m and of q over g n. A decision sums over rows, so that the names
    of outcomes do not matter: pairs of laws that differ only in these have equal tables.
    """

    times: frozenset[tuple[tuple[int, int], int]]
    g: int
    m: int
    n: int
    p_tail: int
    q_tail: int

    @classmethod
    def of(cls, p: Law, q: Law) -> Self:
        """Return the table of two laws: one row for each outcome that has weight in either."""
        (names, weights), qs, g = p.unzipped(), q.scaled(1), gcd(p.denominator, q.denominator)
        rows = Counter([(weight, qs.pop(name, 0)) for name, weight in zip(names, weights, strict=True)])
        rows.update([(0, weight) for weight in qs.values()])
        return cls(frozenset(rows.items()), g, p.denominator // g, q.denominator // g, p.tail_weight, q.tail_weight)

    def rows(self) -> list[tuple[int, int]]:
        """Return the rows, each as often as it occurs."""
        return [*Counter(dict(self.times)).elements()]

    def value(self, bound: int, ratio: Fraction) -> Fraction:
        """Return the delta for which an integer bound stands."""
        return Fraction(bound, ratio.denominator * self.g * self.m * self.n)


def hockey_stick(p: Law, q: Law, ratio: Fraction) -> Fraction:
    """Return the sum over outcomes of max(0, p - ratio q), exactly."""
    return decide(Table.of(p, q), ratio, ratio, Fraction(1))[2] - p.tail


def ratio_bounds(table: Table, epsilon: Epsilon, bits: int) -> tuple[Fraction, Fraction | None]:
    """Return bounds of e^epsilon that are close enough for this pair.

    The upper bound is None where bit lengths alone show that e^epsilon exceeds every ratio p/q and, for a tail t of q,
    the ratio 1/t. The lower bound then exceeds them, too.
    """
    if epsilon.rational:
        rows = [(table.g * table.m, table.q_tail), *(row for row, _ in table.times)]  # 1/t is the ratio of the first
        # x / y < 2**(k + 1) for the difference k of their bit lengths
        greatest = max([1, *((v * table.n).bit_length() - (w * table.m).bit_length() + 1 for v, w in rows if w)])
        if epsilon.power_of_two_lo() >= greatest:
            return Fraction(1 << greatest), None
    return epsilon.exp_bounds(bits)


def decide(table: Table, below: Fraction, above: Fraction | None, delta: Fraction) -> Decided:
    """Decide whether the least delta is at most `delta`, for `below` <= e^epsilon <= `above`; None where it is open.

    Returns the answer and the bounds lo <= least delta <= hi. With tails t_p and t_q these are max(0, H(E) - E t_q) and
    H(E) + t_p, where H is the hockey-stick divergence of the enumerated masses and E = e^epsilon lies between `below`
    and `above`, the `ratio_bounds`. The functions that decide are those proved in Rocq.
    """
    (c, d), scale, rows = delta.as_integer_ratio(), (table.g, table.m, table.n), table.rows()
    a, b = below.as_integer_ratio()
    top = delta_at_most(a, b, table.m, table.n, table.p_tail, rows)
    hi = table.value(top, below)
    exact = above == below and not table.p_tail and not table.q_tail
    if above is None:  # H is the mass that p has where q has none, and E t_q >= 1 or t_q = 0
        lo = Fraction(0) if table.q_tail else hi - Fraction(table.p_tail, table.g * table.m)
        beyond = not table.q_tail and refutes_always(c, d, table.g, table.m, rows)
    else:
        a, b = above.as_integer_ratio()
        bottom = top if exact else delta_at_least(a, b, table.m, table.n, table.q_tail, rows)
        lo = hi if exact else max(Fraction(0), table.value(bottom, above))
        beyond = is_beyond(b, c, d, *scale, bottom)
    within = is_within(below.denominator, c, d, *scale, top)
    return True if within else False if beyond else None, lo, hi


def decide_table(table: Table, epsilon: Epsilon, delta: Fraction) -> Decided:
    """Decide as `decide_pair` does, by the table of the two laws."""
    tails = table.p_tail * table.n + table.q_tail * table.m
    for bits in PRECISIONS:
        below, above = ratio_bounds(table, epsilon, bits)
        answer = decide(table, below, above, delta)
        known = above is None or (above - below) * (1 << 20) * table.g * table.m * table.n <= tails
        if answer[0] is not None or known:
            break  # where e^epsilon is known well enough, the tails leave an open answer open
    return answer


def decide_pair(p: Law, q: Law, epsilon: Epsilon, delta: Fraction) -> Decided:
    """Decide whether p is (epsilon, delta)-close to q; None where the tails leave it open.

    Returns the answer and the bounds of the least delta that decided it.
    """
    return decide_table(Table.of(p, q), epsilon, delta)


def event_bounds(p: Law, q: Law, event: Collection[Hashable]) -> tuple[Fraction, Fraction]:
    """Return a lower bound of p(event) and an upper bound of q(event), for outcomes given by their keys."""
    ps, qs = p.scaled(1), q.scaled(1)
    p_lo = Fraction(sum(ps.get(name, 0) for name in event), p.denominator)
    return p_lo, Fraction(sum(qs.get(name, 0) for name in event), q.denominator) + q.tail
