"""A count with two-sided geometric noise, clamped to [0, 10]: once right, once with zero counted twice.

Noise z has probability 2^-|z| / 3. The second program draws a sign and a size that may be 0, so that both +0
and -0 give the true count away.
"""

import dpcert

GREATEST = 10


def walk(count: int, step: int, coins: dpcert.Coins) -> int:
    """Return where a walk by `step` from `count` stops: at an end of [0, 10], or when a fair coin says so."""

    def move(at: int, coins: dpcert.Coins) -> int | dpcert.Done[int]:
        at = min(max(at + step, 0), GREATEST)
        return dpcert.Done(at) if at in (0, GREATEST) or coins.below(2) else at

    return coins.loop(count, move)


@dpcert.target(
    guarantee=dpcert.PureDP("ln(2)"),
    inputs=range(GREATEST + 1),
    neighbours=dpcert.counts_differ_by_one,
)
def release(count: int, coins: dpcert.Coins) -> int:
    """Release the count, one more or one less with probability 1/3 each, and move on from there."""
    step = coins.choice((-1, 0, 1))
    return walk(count, step, coins) if step else count


@dpcert.target(
    guarantee=dpcert.PureDP("ln(2)"),
    inputs=range(GREATEST + 1),
    neighbours=dpcert.counts_differ_by_one,
    expect="refuted",
)
def release_zero_twice(count: int, coins: dpcert.Coins) -> int:
    """Release the count with a fair sign and a size that is 0 with probability 1/2, whatever the sign."""
    step = 1 if coins.below(2) else -1
    return walk(count, step, coins) if coins.below(2) else count
