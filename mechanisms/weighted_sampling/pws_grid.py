"""Reporting probabilities on a grid: Algorithm 3 in integers, rounded down at every step, which keeps privacy.

The exact probabilities are fractions whose digits grow with every frequency. Here each is an integer over 2^bits. A
rounded-down probability satisfies every upper bound on the exact one, and the bounds on the next probability come from
the rounded one. So the rounded sequence itself is (epsilon, delta)-private. It does not fall: p is on the grid, q_i is
at least p, and (16) and (17) are at least p where p <= 1. So the floor of their minimum is at least p.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction


def grid_probabilities(
    *, q: Iterable[Fraction], ratio: Fraction, delta: Fraction, bits: int, up: bool = False
) -> Iterator[int]:
    """Yield p_1, p_2, ..., over 2^bits: the recurrence of Algorithm 3 with every step rounded down, or up.

    `q` yields q_1, q_2, ..., `ratio` is e^epsilon.

    Requires: q non-decreasing in [0, 1]; ratio >= 1; delta in [0, 1]; bits >= 1.
    Claims:   rounded down, reporting with p_i is (epsilon, delta)-private for frequencies that differ by one, p does
              not decrease, and p_i <= pi_i. Rounded up, and never above 2^bits, p_i >= pi_i.
    Source:   weighted-sampling, Algorithm 3.
    """
    one = 1 << bits
    side = -1 if up else 1  # the floor of the negative is the negative of the ceiling
    rise, rest, over = _step(ratio, delta, one)
    turn, lag, under = _step(1 / ratio, (delta - 1) / ratio, one)
    before = 0
    last, most = Fraction(-1), 0
    for rate in q:
        if rate is not last:
            last, most = rate, side * (side * rate.numerator * one // rate.denominator)
        if before < most:
            grown = side * (side * (before * rise + rest) // over)
            shrunk = one + side * (side * (before * turn + lag) // under)
            before = min(most, grown, shrunk)
        yield before


def _step(factor: Fraction, added: Fraction, one: int) -> tuple[int, int, int]:
    """Return a, b, c for which factor p + added, over one, is (a p + b)/c."""
    return (
        factor.numerator * added.denominator,
        added.numerator * factor.denominator * one,
        factor.denominator * added.denominator,
    )


def grid_bounds(
    *, q: Iterable[Fraction], ratio: Fraction, delta: Fraction, bits: int
) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield certified bounds lo <= pi_i <= hi of Algorithm 3's probabilities, for i = 1, 2, ...

    Requires: as `grid_probabilities`.
    """
    rates = list(q)
    down = grid_probabilities(q=rates, ratio=ratio, delta=delta, bits=bits)
    up = grid_probabilities(q=rates, ratio=ratio, delta=delta, bits=bits, up=True)
    for lo, hi in zip(down, up, strict=True):
        yield Fraction(lo, 1 << bits), Fraction(hi, 1 << bits)


def reported_on_grid(*, q: Iterable[Fraction], ratio: Fraction, delta: Fraction, bits: int) -> list[Fraction]:
    """Return the probabilities of `grid_probabilities`, rounded down, as fractions.

    Requires: as `grid_probabilities`.
    """
    reported: list[Fraction] = []
    last = -1
    for p in grid_probabilities(q=q, ratio=ratio, delta=delta, bits=bits):
        reported.append(reported[-1] if p == last else Fraction(p, 1 << bits))
        last = p
    return reported
