"""A loop that may run for ever, written in five ways: what a tail is, and which ways are rid of it.

A die is made of three bits: 6 and 7 are thrown away. A bit is kept unless the die shows 5, so that the ratio
of the two probabilities is 5, exactly. A plain loop comes back to a state that it has been in, and is solved as a
chain with one state, with tail 0; so are a generator and `coins.loop`. A loop that counts its throws has a state for
each count; for a claim without a delta these are summed as a series. A loop that doubles a delay with
each throw has no such series: paths are enumerated until at most 10^-30 is left, the tail, which is counted against the
claim. That is good enough for delta = 10^-9, never for delta = 0.
"""

from collections.abc import Iterator

import dpcert


def die(coins: dpcert.Coins) -> int:
    """Return a uniform number below 6, from a loop as anyone would write it."""
    while (u := coins.getrandbits(3)) >= 6:
        pass
    return u


def throws(coins: dpcert.Coins) -> Iterator[int]:
    """Yield one throw after the other."""
    while True:
        yield coins.getrandbits(3)


def generated_die(coins: dpcert.Coins) -> int:
    """Return a uniform number below 6, the first such throw of a generator."""
    return next(u for u in throws(coins) if u < 6)


def counted_die(coins: dpcert.Coins) -> int:
    """Return a uniform number below 6, and count the throws on the way."""
    thrown = 0

    def throw() -> int:
        nonlocal thrown
        thrown += 1
        return coins.getrandbits(3)

    while (u := throw()) >= 6:
        pass
    return u


def delayed_die(coins: dpcert.Coins) -> int:
    """Return a uniform number below 6, and double a delay with each throw."""
    delay = 1
    while (u := coins.getrandbits(3)) >= 6:
        delay *= 2
    return u


def merged_die(coins: dpcert.Coins) -> int:
    """Return a uniform number below 6, from the same loop in a form that an audit can solve."""

    def throw(state: None, coins: dpcert.Coins) -> dpcert.Done[int] | None:
        u = coins.getrandbits(3)
        return dpcert.Done(int(u)) if u < 6 else None

    return coins.loop(None, throw)


@dpcert.target(guarantee=dpcert.PureDP("ln(5)"), inputs=[0, 1], neighbours="any")
def plain(bit: int, coins: dpcert.Coins) -> int:
    """Randomized response by the plain loop."""
    return bit if die(coins) < 5 else 1 - bit


@dpcert.target(guarantee=dpcert.PureDP("ln(5)"), inputs=[0, 1], neighbours="any")
def generated(bit: int, coins: dpcert.Coins) -> int:
    """Randomized response by a generator."""
    return bit if generated_die(coins) < 5 else 1 - bit


@dpcert.target(guarantee=dpcert.PureDP("ln(5)"), inputs=[0, 1], neighbours="any")
def counted(bit: int, coins: dpcert.Coins) -> int:
    """Randomized response by counted throws, whose tail is summed."""
    return bit if counted_die(coins) < 5 else 1 - bit


@dpcert.target(guarantee=dpcert.ApproxDP("ln(5)", "1e-9"), inputs=[0, 1], neighbours="any")
def delayed(bit: int, coins: dpcert.Coins) -> int:
    """Randomized response by throws with a delay, with room for the tail."""
    return bit if delayed_die(coins) < 5 else 1 - bit


@dpcert.target(guarantee=dpcert.PureDP("ln(5)"), inputs=[0, 1], neighbours="any", expect="undecided")
def delayed_pure(bit: int, coins: dpcert.Coins) -> int:
    """Randomized response by throws with a delay: true, but never verified while a tail is left."""
    return bit if delayed_die(coins) < 5 else 1 - bit


@dpcert.target(guarantee=dpcert.PureDP("ln(5)"), inputs=[0, 1], neighbours="any")
def merged(bit: int, coins: dpcert.Coins) -> int:
    """Randomized response by `coins.loop`."""
    return bit if merged_die(coins) < 5 else 1 - bit
