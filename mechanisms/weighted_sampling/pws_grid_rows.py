"""Rows of sanitized frequencies on a grid: Algorithms 4 and 5 in integers over 2^bits, private as they stand.

Reported values are cells that cut (0, m], the same cells for all rows. So neighbouring rows are as close as their
masses, whatever the cells. A row is computed from the one before it in two passes, as in Algorithm 4, cell by cell: the
least masses are rounded up, the greatest ones down. Let x be a cell's mass in row i - 1 and y in row i. Every cell up
to i - 1 that keeps any mass has x/E <= y <= E x, except those of the first pass that together use up delta; the cells
beyond have at most delta. Mass that the second pass loses by rounding is not reported, so the masses of a row are those
of `pws_grid.py` or a little less.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from dpcert.mechanisms.weighted_sampling.pws_rows import Row

Piece = tuple[int, int]
"""A piece of a density: its end and its mass, both over 2^bits."""


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row over 2^bits: the unreported mass, then `masses` of the cells `first` + 1, ...; 0 elsewhere."""

    bits: int
    unreported: int
    first: int
    masses: tuple[int, ...]

    def row(self, cells: int) -> Row:
        """Return the row as fractions, with `cells` cells."""
        one = 1 << self.bits
        row = [Fraction(0)] * (cells + 1)
        row[0] = Fraction(self.unreported, one)
        for place, mass in enumerate(self.masses, self.first + 1):
            row[place] = Fraction(mass, one)
        return tuple(row)


def whole_cells(imax: int) -> list[list[Fraction]]:
    """Return the cells of Algorithm 4: each of (0, 1], (1, 2], ..., (imax - 1, imax] whole."""
    return [[Fraction(i)] for i in range(1, imax + 1)]


def grid_rows(
    *, q: Sequence[Fraction], ratio: Fraction, delta: Fraction, bits: int, cells: Sequence[Sequence[Fraction]]
) -> Iterator[GridRow]:
    """Yield rows 0, 1, ..., len(q); `cells[i - 1]` are the ends of the cells in (i - 1, i], the last of them i.

    Requires: q non-decreasing in [0, 1]; ratio >= 1; delta in (0, 1]; ends rising.
    Claims:   neighbouring rows are (epsilon, delta)-close for whatever cells; row i's mass is at most q_i and the pi_i
              of Algorithm 3, and does not decrease.
    Source:   weighted-sampling, Algorithm 4, with cells cut as by Algorithm 5.
    """
    one = 1 << bits
    up, down = ratio.numerator, ratio.denominator
    allowed = delta.numerator * one // delta.denominator
    row = GridRow(bits, one, 0, ())
    yield row
    for i, (rate, ends) in enumerate(zip(q, cells, strict=True), 1):
        before = one - row.unreported
        most = rate.numerator * one // rate.denominator
        kept = (row.unreported * down - allowed * down + up - 1) // up  # (17), rounded so as to keep more
        meant = max(min(most, before * up // down + allowed, one - max(kept, 0)), before)
        budget = allowed - max(0, -((up * (one - meant) - down * row.unreported) // down))
        masses = _lowered(row.masses, budget, up, down)
        added = min(allowed, meant - sum(masses))
        left = meant - added - sum(masses)
        for place in range(len(masses) - 1, -1, -1):
            if left == 0:
                break
            raised = min(row.masses[place] * up // down - masses[place], left)
            masses[place] += raised
            left -= raised
        masses += _spread(added, ends, i)
        empty = next((place for place, mass in enumerate(masses) if mass), len(masses))
        row = GridRow(bits, one - meant + left, row.first + empty, tuple(masses[empty:]))
        yield row


def _lowered(masses: Sequence[int], budget: int, up: int, down: int) -> list[int]:
    """Return the least masses: cells are emptied from the first on as the budget allows, the others divided."""
    lowered: list[int] = []
    for mass in masses:
        taken = min(mass, budget)
        budget -= taken
        # Rounded up: a cell that keeps more than its mass over e^epsilon is as private.
        lowered.append(-(-(mass - taken) * down // up))
    return lowered


def _spread(mass: int, ends: Sequence[Fraction], i: int) -> list[int]:
    """Return the mass of (i - 1, i] cut at the ends in proportion, rounded so that it adds up."""
    reached = [0, *(int(mass * (end - (i - 1))) for end in ends)]
    return [b - a for a, b in pairwise(reached)]


def cell_ends(*, q: Sequence[Fraction], ratio: Fraction, delta: Fraction, bits: int) -> list[list[Fraction]]:
    """Return the breakpoints of Algorithm 5 to bits/2 binary places, those of each (i - 1, i] with i as the last.

    They are computed in fixed point: their places affect how well values separate, not how private they are.

    Requires: as `grid_rows`; bits even.
    Claims:   at most 3 len(q) in all.
    Source:   weighted-sampling, Algorithm 5.
    """
    one, step = 1 << bits, 1 << bits // 2
    up, down = ratio.numerator, ratio.denominator
    allowed = delta.numerator * one // delta.denominator
    cuts: set[int] = set()
    atom, before = one, 0
    density: list[Piece] = []
    for i, rate in enumerate(q, 1):
        kept = (atom - allowed) * down // up
        pi = max(min(rate.numerator * one // rate.denominator, before * up // down + allowed, one - kept, one), before)
        newest = min(pi, allowed)
        budget = max(allowed - max(0, atom - (one - pi) * up // down), 0)
        low, b = _emptied(density, budget)
        density, c = _switched(low, pi - newest, up, down)
        density.append((i * one, newest))
        cuts |= {-(-place // step) for place in (min(b, c), c)}
        atom, before = one - pi, pi
    cells: list[list[Fraction]] = [[Fraction(i)] for i in range(1, len(q) + 1)]
    for cut in sorted(cuts, reverse=True):
        unit = -(-cut // step)
        if 0 < cut < unit * step:
            cells[unit - 1].insert(0, Fraction(cut, step))
    return cells


def _emptied(density: Sequence[Piece], budget: int) -> tuple[list[tuple[int, int, bool]], int]:
    """Return the pieces, cut where the budget ends, each with whether it is emptied; and the place of that cut."""
    start = 0
    for place, (end, mass) in enumerate(density):
        if mass > budget:
            cut = start + (end - start) * budget // mass
            pieces = [(*piece, True) for piece in density[:place]]
            if cut > start:
                pieces.append((cut, budget, True))
            rest = [(*piece, False) for piece in density[place + 1 :]]
            return [*pieces, (end, mass - budget if cut > start else mass, False), *rest], cut
        budget -= mass
        start = end
    return [(*piece, True) for piece in density], start


def _switched(pieces: Sequence[tuple[int, int, bool]], meant: int, up: int, down: int) -> tuple[list[Piece], int]:
    """Return c and the density lowered up to c and raised beyond it, for the c at which its mass is `meant`."""
    low = [0 if emptied else mass * down // up for _, mass, emptied in pieces]
    starts = [0, *(end for end, _, _ in pieces)]
    missing, c = meant - sum(low), starts[-1]
    switched: list[Piece] = []
    for place in range(len(pieces) - 1, -1, -1):
        end, mass, _ = pieces[place]
        more = mass * up // down - low[place]
        if missing <= 0:
            switched.append((end, low[place]))
        elif more <= missing:
            switched.append((end, low[place] + more))
            c = starts[place]
        else:
            c = end - (end - starts[place]) * missing // more
            switched += [(end, mass * missing // more * up // down), (c, low[place] * (more - missing) // more)]
        missing -= more
    switched.reverse()
    empty = next((place for place, (_, mass) in enumerate(switched) if mass), 0)
    return switched[max(empty - 1, 0) :], c
