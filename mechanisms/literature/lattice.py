"""Unbounded geometric noise on several numbers that are compared: cells first, and ties beyond the ends in one draw.

A noisy number is drawn as its cell in [low, high]; the ends contain all that lies beyond them. Two numbers in different
cells are ordered by their cells. The distance of a number beyond an end is geometric, whatever its centre, because the
noise has no memory. So the chance of each order of numbers beyond one end is a sum of geometric series, which is a
fraction, and one draw decides.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate, product
from math import comb, lcm

from dpcert.mechanisms.anonymized_histograms.geometric_cells import Cells, clamped
from dpcert.mechanisms.exact.coins import Coins


@dataclass(frozen=True, slots=True)
class Lattice:
    """The integers from low to high, with all integers beyond an end in the end's cell.

    Requires: low < high; every centre of noise in between.
    """

    low: int
    high: int

    def noise(self, ratio: Fraction) -> Cells:
        """Return noise Z with Pr[Z = z] proportional to ratio^-|z|, drawn by its cells."""
        return clamped(ratio=ratio, low=self.low, high=self.high)

    def is_end(self, cell: int) -> bool:
        """Whether a cell contains all that lies beyond an end."""
        return cell in (self.low, self.high)


@dataclass(frozen=True, slots=True)
class Table:
    """A finite law on 0, 1, ...: a draw gives the place of the first of the ascending `sums` that is above it."""

    sums: tuple[int, ...]

    def draw(self, coins: Coins) -> int:
        """Return a number by one draw."""
        u = coins.below(self.sums[-1])
        return bisect_right(self.sums, u)


def table_of(chances: Sequence[Fraction]) -> Table:
    """Return the table of chances that add up to 1."""
    bound = lcm(*(chance.denominator for chance in chances))
    return Table(tuple(accumulate(int(chance * bound) for chance in chances)))


@cache
def above_beyond(tied: int, *, query: Fraction, noise: Fraction, up: bool) -> Table:
    """Return the law of the set of numbers beyond an end that reach a threshold beyond it, as a number in binary.

    With a = 1/noise and b = 1/query, Pr[G >= g] is a^g beyond the end for the threshold, b^g for each number. Above the
    end (`up`) a number reaches the threshold at g with chance b^g, below it with 1 - b^(g + 1).
    """

    def chance(true: int) -> Fraction:
        """Return the chance that the given numbers reach it and no others, with all products multiplied out."""
        a, b = 1 / noise, 1 / query
        powers, others, shift = (true, tied - true, 0) if up else (tied - true, true, 1)
        return sum(
            (
                (-1) ** i * comb(others, i) * (1 - a) * b ** (shift * (powers + i)) / (1 - a * b ** (powers + i))
                for i in range(others + 1)
            ),
            Fraction(0),
        )

    counts = [chance(true) for true in range(tied + 1)]
    return table_of([counts[pattern.bit_count()] for pattern in range(1 << tied)])


@cache
def first_beyond(tied: int, *, ratio: Fraction, up: bool) -> Table:
    """Return the law of the place of the greatest of `tied` numbers beyond an end, the first of equal ones.

    With b = 1/ratio, place i is the greatest's if the numbers before it are less and those after it are not greater.
    """
    b = 1 / ratio

    def chance(i: int) -> Fraction:
        after = tied - 1 - i
        if not up:
            return (1 - b) * b**i / (1 - b**tied)
        terms = product(range(i + 1), range(after + 1))
        return sum(
            ((-1) ** (j + k) * comb(i, j) * comb(after, k) * b**k * (1 - b) / (1 - b ** (1 + j + k)) for j, k in terms),
            Fraction(0),
        )

    return table_of([chance(i) for i in range(tied)])


def reached(
    cells: Sequence[int], threshold: int, lattice: Lattice, *, query: Fraction, noise: Fraction, coins: Coins
) -> tuple[bool, ...]:
    """Return which noisy numbers are at least a noisy threshold, given the cells of all.

    `query` is the ratio of the numbers' noise and `noise` that of the threshold's.

    Claims: the law of the comparisons is that of unbounded geometric noise, exactly.
    """
    tied = [i for i, cell in enumerate(cells) if cell == threshold and lattice.is_end(cell)]
    answers = [cell >= threshold for cell in cells]
    if tied:
        ties = above_beyond(len(tied), query=query, noise=noise, up=threshold == lattice.high)
        pattern = ties.draw(coins)
        for place, i in enumerate(tied):
            answers[i] = pattern >> place & 1 == 1
    return tuple(answers)


def first_greatest(cells: Sequence[int], lattice: Lattice, *, ratio: Fraction, coins: Coins) -> int:
    """Return the index of the greatest noisy number, the first of equal ones, given the cells of all.

    Claims: the law of the index is that of unbounded geometric noise of this ratio, exactly.
    """
    best = max(cells)
    tied = [i for i, cell in enumerate(cells) if cell == best]
    if len(tied) == 1 or not lattice.is_end(best):
        return tied[0]
    return tied[first_beyond(len(tied), ratio=ratio, up=best == lattice.high).draw(coins)]
