"""The laws of the literature's mechanisms on the integers in closed form: sums over the threshold or the winner.

Beyond the lattice, each probability is a + b beta^k, for k the distance from the lattice's end. So a product of them is
a polynomial in beta^k, and its sum over all k consists of geometric series.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.literature.lattice import Lattice

Line = tuple[Fraction, Fraction]
"""a + b beta^k for all k >= 0: (a, b)."""
ONE, ZERO = Fraction(1), Fraction(0)


def at_least(m: int, ratio: Fraction) -> Fraction:
    """Return Pr[Z >= m] for Pr[Z = z] proportional to ratio^-|z|."""
    return ratio ** (1 - m) / (ratio + 1) if m >= 1 else 1 - ratio**m / (ratio + 1)


def exactly(z: int, ratio: Fraction) -> Fraction:
    """Return Pr[Z = z]."""
    return (ratio - 1) / (ratio + 1) / ratio ** abs(z)


def series(lines: Iterable[Line], *, weight: Fraction, alpha: Fraction, beta: Fraction) -> Fraction:
    """Return the sum over k >= 0 of weight alpha^k times the product of the lines."""
    polynomial = [weight]
    for a, b in lines:
        shifted = [ZERO, *(b * factor for factor in polynomial)]
        polynomial = [a * x + y for x, y in zip([*polynomial, ZERO], shifted, strict=True)]
    return sum((factor / (1 - alpha * beta**power) for power, factor in enumerate(polynomial)), ZERO)


def comparisons(
    entries: Sequence[int], threshold: int, lattice: Lattice, *, query: Fraction, noise: Fraction
) -> Iterator[tuple[tuple[bool, ...], Fraction]]:
    """Yield all answers to whether q_i + Z_i >= T + R, without a cap, with their chances.

    The noise of the queries has the ratio `query`, that of the threshold `noise`.
    """
    low, high, alpha, beta = lattice.low, lattice.high, 1 / noise, 1 / query
    for answers in product((False, True), repeat=len(entries)):
        total = ZERO
        for level in range(low + 1, high):
            chances = (at_least(level - q, query) for q in entries)
            total += prod(
                (p if true else 1 - p for p, true in zip(chances, answers, strict=True)),
                start=exactly(level - threshold, noise),
            )
        for end in (high, low):
            lines: list[Line] = []
            for q, true in zip(entries, answers, strict=True):
                rare = at_least(high - q if end == high else q - low + 1, query)
                lines.append((ZERO, rare) if true == (end == high) else (ONE, -rare))
            total += series(lines, weight=exactly(end - threshold, noise), alpha=alpha, beta=beta)
        yield answers, total


def index_law(lattice: Lattice, ratio: Fraction) -> Callable[[Sequence[int]], Dist]:
    """Return the law of the index of the greatest q_i + Z_i, the first of equal ones."""
    low, high, alpha = lattice.low, lattice.high, 1 / ratio

    def chance(entries: Sequence[int], i: int) -> Fraction:
        others = [(q, j < i) for j, q in enumerate(entries) if j != i]
        total = ZERO
        for level in range(low + 1, high):
            less = (1 - at_least(level - q + (not before), ratio) for q, before in others)
            total += prod(less, start=exactly(level - entries[i], ratio))
        up = [(ONE, -at_least(high - q + (not before), ratio)) for q, before in others]
        down = [(ZERO, at_least(q - low + before, ratio)) for q, before in others]
        for end, lines in ((high, up), (low, down)):
            total += series(lines, weight=exactly(end - entries[i], ratio), alpha=alpha, beta=alpha)
        return total

    return lambda entries: Dist.of((i, chance(entries, i)) for i in range(len(entries)))


def one_sided_index_law(lattice: Lattice, ratio: Fraction) -> Callable[[Sequence[int]], Dist]:
    """Return the law of the index of the greatest q_i + G_i, the first of equal ones, Pr[G >= g] = ratio^-g."""
    alpha = 1 / ratio

    def reaches(q: int, level: int) -> Fraction:
        return alpha ** max(level - q, 0)

    def chance(entries: Sequence[int], i: int) -> Fraction:
        others, own = [(q, j < i) for j, q in enumerate(entries) if j != i], entries[i]
        total = ZERO
        for level in range(own, lattice.high):
            less = (1 - reaches(q, level + (not before)) for q, before in others)
            total += prod(less, start=(1 - alpha) * reaches(own, level))
        lines = [(ONE, -reaches(q, lattice.high + (not before))) for q, before in others]
        weight = (1 - alpha) * reaches(own, lattice.high)
        return total + series(lines, weight=weight, alpha=alpha, beta=alpha)

    return lambda entries: Dist.of((i, chance(entries, i)) for i in range(len(entries)))
