"""Randomized response for counts: the count itself, or another of [0, n], from the fewest random numbers."""

from __future__ import annotations

from collections.abc import Callable

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins


def count_response(*, n: int, weight: int) -> Callable[[int, Coins], int]:
    """Release a count with `weight` chances, and each other one of [0, n] with one chance, out of n + weight.

    Requires: n >= 1, weight >= 1; inputs 0..n.
    Claims:   (ln weight, 0)-DP for any two counts; tight. It does not decrease in its random number, and needs
              so few of these that the histograms built on it can be enumerated.
    """

    def release(count: int, coins: Coins) -> int:
        u = coins.below(n + weight)
        if u < count:
            return int(u)
        return count if u < count + weight else int(u - weight + 1)

    return release


def count_response_law(*, n: int, weight: int) -> Callable[[int], Dist]:
    """Return the law of `count_response` in closed form."""
    return lambda count: Dist.from_weights([(z, weight if z == count else 1) for z in range(n + 1)], n + weight)
