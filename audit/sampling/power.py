"""What a confirmation of a given size would have found: by exact binomial tails, for events of stated probability."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dpcert.audit.sampling.binomial import GRID, lower_limit, tail_at, upper_limit

__all__ = ["CHANCE", "exceeds", "needed"]

CHANCE = Fraction(9, 10)
"""The chance with which the violation of a power statement is found."""


def exceeds(p_lo: Fraction, q_hi: Fraction, ratio: Fraction, delta: Fraction) -> bool:
    """Whether p_lo > ratio q_hi + delta: whether a confirmed event refutes the claim."""
    return p_lo > ratio * q_hi + delta


def needed(q: Fraction, runs: int, alpha: Fraction, ratio: Fraction, delta: Fraction) -> Fraction | None:
    """Return a p such that an event of probability >= p on a and <= q on b is confirmed with a chance of at least 9/10.

    `runs` is how often each of the inputs is sampled, `alpha` is of each limit. None where no p <= 1 does.

    Claims: with m = 1/20, Pr[Bin(runs, q) > y] <= m; x hits on a and y on b are a violation; and
            Pr[Bin(runs, p) < x] <= m. More hits on a or fewer on b are a violation too, as both limits grow with the
            counts; so a miss has a chance of at most 2m.
    """
    miss = (1 - CHANCE) / 2
    y = _least(lambda count: tail_at(runs, count + 1, q, miss), runs)
    bound = ratio * upper_limit(y, runs, alpha) + delta + Fraction(1, 1 << GRID)
    if bound >= 1:
        return None
    x = _least(lambda count: count > 0 and tail_at(runs, count, bound, alpha), runs)
    if not exceeds(lower_limit(x, runs, alpha), upper_limit(y, runs, alpha), ratio, delta):
        return None
    return upper_limit(x - 1, runs, miss)


def _least(holds: Callable[[int], bool], greatest: int) -> int:
    """Return the least count from 0 to `greatest` at which a monotone predicate holds, or `greatest`."""
    low, high = 0, greatest
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
