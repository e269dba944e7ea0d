"""What an audit of a given size would have found: by exact binomial sums, for events of stated probability."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dpcert.audit.sampling.binomial import upper_limit, upper_sum_at_most
from dpcert.audit.sampling.limits import EventCounts, Rule

CHANCE = Fraction(9, 10)
"""The chance with which a violation of the stated size is found."""


def needed(
    q: Fraction, runs: tuple[int, int], rule: Rule, ratio: Fraction, delta: Fraction, *, times: int = 1
) -> Fraction | None:
    """Return a p such that an event of probability >= p on a and <= q on b is found with a chance of at least 9/10.

    `runs` are the numbers of runs on a and on b, in each of `times` confirmations; all of these must find it. None
    where no p <= 1 is enough.

    Claims: with m = 1/(20 times), Pr[Bin(runs[1], q) > y] <= m; x hits on a and y on b refute by the rule; and
            Pr[Bin(runs[0], p) < x] <= m. More hits on a or fewer on b refute too; so a miss has a chance of at most
            2m each time.
    """
    miss = (1 - CHANCE) / (2 * times)
    on_a, on_b = runs
    y = least(lambda count: upper_sum_at_most(on_b, count + 1, q, miss), on_b)

    def refuted(x: int) -> bool:
        return rule(EventCounts(x, on_a, y, on_b)).refutes(ratio, delta)

    if not refuted(on_a):
        return None
    x = least(refuted, on_a)
    return upper_limit(x - 1, on_a, miss)


def least(holds: Callable[[int], bool], greatest: int) -> int:
    """Return the least count from 0 to `greatest` at which a monotone predicate holds, or `greatest`."""
    low, high = 0, greatest
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
