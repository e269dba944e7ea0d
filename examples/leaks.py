"""Leaks that a test of means does not see: by type, by a biased uniform number, by an error, by the draws."""

import dpcert


@dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=[0, 1], neighbours="any", expect="refuted")
def by_type(bit: int, coins: dpcert.Coins) -> int:
    """Release 0 or 1 when the bit is kept, and True or False when it is flipped."""
    return bit if coins.below(4) < 3 else not bit


@dpcert.target(guarantee=dpcert.PureDP("ln(2)"), inputs=[0, 1], neighbours="any", expect="refuted")
def by_modulo(bit: int, coins: dpcert.Coins) -> int:
    """Keep the bit twice in three times, as far as a byte modulo 3 is uniform: 171 of 256 bytes keep it."""
    return bit if coins.randbytes(1)[0] % 3 < 2 else 1 - bit


@dpcert.target(
    guarantee=dpcert.PureDP("ln(3)"),
    inputs=range(4),
    neighbours=dpcert.counts_differ_by_one,
    expect="refuted",
)
def by_error(count: int, coins: dpcert.Coins) -> float:
    """Release a noisy ratio; the count 0 makes itself known by a ZeroDivisionError."""
    return (coins.below(4) + 1) / count


@dpcert.target(
    guarantee=dpcert.PureDP("ln(3)"),
    inputs=[0, 1],
    neighbours="any",
    expect="refuted",
    observes="outcome and draws",
)
def by_draws(bit: int, coins: dpcert.Coins) -> int:
    """Release a bit as randomized response does, with one draw for 0 and two for 1: who counts them knows."""
    kept = coins.below(4) < 3 if bit == 0 else coins.below(2) + coins.below(2) > 0
    return bit if kept else 1 - bit


@dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=[0, 1], neighbours="any", observes="outcome and draws")
def by_no_draws(bit: int, coins: dpcert.Coins) -> int:
    """Release a bit with the same two draws for either bit."""
    kept = coins.below(2) + coins.below(2) > 0
    return bit if kept else 1 - bit
