"""The hockey-stick divergence of two laws, exactly: the least delta at an epsilon."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from fractions import Fraction
from math import lcm

from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.law import Law

PRECISIONS = tuple(64 << i for i in range(11))
"""Bits to which e^epsilon is bounded, in turn, until a comparison is decided."""


def aligned(p: Law, q: Law) -> tuple[dict[Hashable, int], dict[Hashable, int], int]:
    """Return the weights of two laws over one common denominator, and that denominator."""
    common = lcm(p.denominator, q.denominator)
    return p.scaled(common // p.denominator), q.scaled(common // q.denominator), common


def hockey_stick(p: Law, q: Law, ratio: Fraction) -> Fraction:
    """Return the sum over outcomes of max(0, p - ratio q), exactly."""
    ps, qs, common = aligned(p, q)
    a, b = ratio.numerator, ratio.denominator
    pairs = ((weight, qs.get(name, 0)) for name, weight in ps.items())
    return Fraction(sum(gain for v, w in pairs if (gain := b * v - a * w) > 0), b * common)


def ratio_bounds(p: Law, q: Law, epsilon: Epsilon, bits: int) -> tuple[Fraction, Fraction | None]:
    """Return bounds of e^epsilon that are close enough for this pair.

    The upper bound is None where bit lengths alone show that e^epsilon exceeds every ratio p/q and, for a tail t of q,
    the ratio 1/t. The lower bound then exceeds them, too.
    """
    if epsilon.rational:
        ps, qs, _ = aligned(p, q)
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
    at_below = hockey_stick(p, q, below)
    if above is None:  # H is the mass p has where q has none, and E t_q >= 1 or t_q = 0
        return Fraction(0) if q.tail else at_below, at_below + p.tail
    at_above = at_below if above == below else hockey_stick(p, q, above)
    return max(Fraction(0), at_above - above * q.tail), at_below + p.tail


def decide_pair(p: Law, q: Law, epsilon: Epsilon, delta: Fraction) -> tuple[bool | None, Fraction, Fraction]:
    """Decide whether p is (epsilon, delta)-close to q; None where the tails leave it open.

    Returns the answer and the bounds of the least delta that decided it.
    """
    lo, hi = Fraction(0), Fraction(1)
    for bits in PRECISIONS:
        below, above = ratio_bounds(p, q, epsilon, bits)
        lo, hi = delta_bounds(p, q, below, above)
        if hi <= delta:
            return True, lo, hi
        if lo > delta:
            return False, lo, hi
        if above is None or (above - below) * (1 << 20) <= p.tail + q.tail:
            break  # e^epsilon is known well enough: the tails leave the answer open
    return None, lo, hi


def event_bounds(p: Law, q: Law, event: Collection[Hashable]) -> tuple[Fraction, Fraction]:
    """Return a lower bound of p(event) and an upper bound of q(event), for outcomes given by their keys."""
    ps, qs, common = aligned(p, q)
    p_lo, q_hi = (Fraction(sum(law.get(name, 0) for name in event), common) for law in (ps, qs))
    return p_lo, q_hi + q.tail
