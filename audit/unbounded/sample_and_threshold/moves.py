"""One person who moves from one bin of a sampled histogram to another: a delta that is enough for any two counts.

Of bins of k and j - 1 people, the one loses a person and the other gains one. Counts are taken in blocks: a block of k
and one of j have bounds of their deltas at points, by which one pair of laws dominates all pairs of the block. Two
such pairs, observed together, need at most `needed`. The two blocks that need the most are split, again and again.
docs/explanation/all-counts.md has the proofs. All rounding is upwards, in integers.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from heapq import heappop, heappush
from itertools import islice
from typing import NamedTuple

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.sample_and_threshold.count_deltas import delta_bounds

MOST_CELLS = 256
"""Into how many cells counts are put at most; a cell is not split."""
MOST_PAIRS = 4000
"""How many pairs of blocks are examined at most."""
_SPARE = 64
_EXTRA = 16

Block = tuple[int, int]
"""The first cell of some that follow each other, and the one after the last."""


class Curve(NamedTuple):
    """A convex function: at xs in units of the grid it is ys in units of 2**-places, constant beyond the last."""

    xs: list[int]
    ys: list[int]


class Enough(NamedTuple):
    """A delta that is enough for any two counts, and the blocks of k and of j of which the bound is the greatest."""

    delta: Fraction
    losing: Block
    gaining: Block


class Moves:
    """Bounds of the delta that bins need as they lose a person, or gain one, at points x / 2**grid of e^epsilon.

    At a point of at least 1, a bound is of k people against k - 1; at one below 1 it follows from a bound of k - 1
    against k people, at the inverse. Counts up to `reach` stand in cells; the last cell has all greater ones.

    Requires: 0 < rate < 1, threshold >= 1, reach >= 1.
    Raises:   InputError unless points are >= 1, and one of them is at least 2**grid.
    """

    def __init__(
        self, *, rate: Fraction, threshold: int, reach: int, grid: int, points: Sequence[int], places: int
    ) -> None:
        self.rate, self.threshold, self.reach, self.grid = rate, threshold, reach, grid
        self.places = max(grid, places)
        self.size = -(-max(0, reach - threshold + 1) // MOST_CELLS) or 1
        self.points: list[int] = []
        self.columns: dict[int, list[int]] = {}
        if min(points, default=0) < 1 or max(points) < 1 << grid:
            needed = "points above 0, at least one of them at e^epsilon >= 1"
            raise InputError(given=f"{len(points)} points", needed=needed, remedy="mend them")
        self.add(points)

    def add(self, points: Iterable[int]) -> None:
        """Bound deltas at more points."""
        for x in points:
            if x not in self.columns:
                self.columns[x] = self._column(x)
        self.points = sorted(self.columns)
        self._curves: dict[Block, tuple[list[int], Curve]] = {}

    @property
    def cells(self) -> int:
        """The number of cells."""
        return len(self.columns[self.points[0]])

    def _column(self, x: int) -> list[int]:
        """Return the greatest bound of each cell at a point >= 1: of counts to the reach, and beyond."""
        unit = 1 << self.grid
        losing = x >= unit
        ratio = Fraction(x, unit) if losing else Fraction(unit, x)
        bounds = partial(delta_bounds, rate=self.rate, ratio=ratio, more=losing, places=self.places)
        counts = islice(bounds(threshold=self.threshold), max(0, self.reach - self.threshold + 1))
        found = [max(cell) for cell in _batches(counts, self.size)]
        found += islice(bounds(threshold=1), self.reach, self.reach + 1)
        if losing:
            return found
        # H_x(P, Q) = 1 - x + x H_{1/x}(Q, P)
        above = (unit - x) << self.places - self.grid
        return [above - (-x * bound >> self.grid) for bound in found]

    def curve(self, block: Block) -> Curve:
        """Return a convex function that is nowhere below the delta of a count of the block, at any e^epsilon >= 0."""
        return self._block(block)[1]

    def _block(self, block: Block) -> tuple[list[int], Curve]:
        found = self._curves.get(block)
        if found is None:
            if block[1] - block[0] == 1:
                bounds = [self.columns[x][block[0]] for x in self.points]
            else:
                first, last = _halves(block)
                bounds = list(map(max, self._block(first)[0], self._block(last)[0]))
            found = self._curves[block] = bounds, _hull(self.points, bounds, 1 << self.places)
        return found

    def needed(self, losing: Block, gaining: Block, ratio: Fraction) -> int:
        """Return a delta, in units of 2**-places, that is enough at e^epsilon = ratio for one count of each block.

        With g and h the two curves it is the sum over points x of h's bend at x times g(ratio x).
        """
        first, second = self.curve(losing), self.curve(gaining)
        scale = self.grid + _EXTRA
        total, before = 0, -(1 << self.places + _EXTRA)
        last = len(second.xs) - 1
        for i, (x, y) in enumerate(zip(second.xs, second.ys, strict=True)):
            if i == last:
                down = up = 0
            else:
                down, rest = divmod(second.ys[i + 1] - y << scale, second.xs[i + 1] - x)
                up = down + bool(rest)
            # A slope is rounded up where a bend ends and down where the next one begins: no bend is counted too small.
            total += (up - before) * self._at(first, ratio, x)
            before = down
        return -(-total >> self.places + _EXTRA)

    def _at(self, curve: Curve, ratio: Fraction, x: int) -> int:
        """Return the curve at ratio x, rounded up."""
        place = bisect_right(curve.xs, ratio.numerator * x // ratio.denominator)
        if place == len(curve.xs):
            return curve.ys[-1]
        x0, x1, y0, y1 = curve.xs[place - 1], curve.xs[place], curve.ys[place - 1], curve.ys[place]
        gone = ratio.numerator * x - ratio.denominator * x0
        return y0 - ((y0 - y1) * gone // (ratio.denominator * (x1 - x0)))

    def enough(self, ratio: Fraction, delta: Fraction, *, most: int = MOST_PAIRS) -> Enough:
        """Return a delta that is enough at e^epsilon = ratio for any two counts: at most `delta` where it is found.

        Up to `most` pairs of blocks are split. The result depends on nothing but the arguments.
        """
        whole = (0, self.cells)
        heap = [(-self.needed(whole, whole, ratio), whole, whole)]
        limit = delta.numerator << self.places
        for _ in range(most):
            bound, losing, gaining = heap[0]
            if -bound * delta.denominator <= limit:
                break
            if max(losing[1] - losing[0], gaining[1] - gaining[0]) == 1:
                break
            heappop(heap)
            if losing[1] - losing[0] >= gaining[1] - gaining[0]:
                parts = [(half, gaining) for half in _halves(losing)]
            else:
                parts = [(losing, half) for half in _halves(gaining)]
            for pair in parts:
                heappush(heap, (-min(-bound, self.needed(*pair, ratio)), *pair))
        # Any two counts are in some pair of blocks of the heap, so that its greatest bound is enough for all.
        bound, losing, gaining = heap[0]
        return Enough(min(Fraction(1), Fraction(-bound, 1 << self.places)), losing, gaining)


def places_of(delta: Fraction) -> int:
    """Return how many bits behind the binary point bounds need that are compared with delta."""
    return max(0, delta.denominator.bit_length() - delta.numerator.bit_length()) + _SPARE


def _batches(values: Iterable[int], size: int) -> Iterator[list[int]]:
    """Yield the values in lists of `size`, the last of which may be shorter."""
    rest = iter(values)
    while batch := list(islice(rest, size)):
        yield batch


def _halves(block: Block) -> tuple[Block, Block]:
    first, last = block
    middle = (first + last) // 2
    return (first, middle), (middle, last)


def _hull(points: Sequence[int], bounds: Sequence[int], whole: int) -> Curve:
    """Return the lower convex hull of (0, 1) and these points, each lowered to the least of those before it."""
    xs, ys = [0], [whole]
    for x, bound in zip(points, bounds, strict=True):
        y = min(bound, ys[-1])
        while len(xs) > 1 and (ys[-1] - ys[-2]) * (x - xs[-2]) >= (y - ys[-2]) * (xs[-1] - xs[-2]):
            xs.pop()
            ys.pop()
        xs.append(x)
        ys.append(y)
    return Curve(xs, ys)
