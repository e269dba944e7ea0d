"""Unbounded geometric noise in two steps: first the cell that the noisy number lies in, then its place in the cell.

There are finitely many cells, so the law of the first step is finite and exact, with no tail. The second step is the
same for all inputs, because geometric noise has no memory.
"""

from dataclasses import dataclass
from fractions import Fraction

from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.exact.coins import Coins
from dpcert.mechanisms.exact.errors import InputError

IN_CELLS = (
    "noisy numbers are audited by their cells: where in its cell one lies is drawn afterwards, from the cell alone"
)
"""The assumption in verdicts on programs that draw noise in two steps."""


@dataclass(frozen=True, slots=True)
class Cells:
    """The integers cut into cells, for centres from `low` to `high`, with noise of ratio e^epsilon.

    One cell has the integers below the first of `starts`. Each start begins another, which ends before the next start,
    and the last has no end. Without starts there is one cell. A cell's name is its first integer; the lowest cell's is
    its last, and a single cell's is `low`.

    Requires: ratio > 1, low <= high, starts ascending.
    Claims:   given its cell, a noisy number has one and the same law for all centres: the cell is one integer, or at
              or above all centres, or at or below all, or there is one centre. So `within(cell(c)) = c + Z` in law,
              Pr[Z = z] = (1 - alpha)/(1 + alpha) alpha^|z|, alpha = 1/ratio, and the noisy number is exactly as private
              as its cell.
    Raises:   InputError where a cell is none of these.
    """

    ratio: Fraction
    low: int
    high: int
    starts: tuple[int, ...]

    def __post_init__(self) -> None:
        ends = (*(start - 1 for start in self.starts), None)
        for first, last in zip((None, *self.starts), ends, strict=True):
            above = first is not None and (first >= self.high or first == last)
            below = last is not None and last <= self.low
            if not (above or below or self.low == self.high):
                raise InputError(
                    given=f"a cell from {first} to {last} for centres from {self.low} to {self.high}",
                    needed="cells of one integer, or with no centre inside",
                    remedy="cut it further",
                )

    def cell(self, centre: int, coins: Coins) -> int:
        """Return the cell of centre + Z, in one draw whose bound is the same for all centres.

        Raises: InputError unless low <= centre <= high.
        """
        self._need(centre)
        if not self.starts:
            return self.low
        below, d = self._below(centre)
        u = coins.below(d)
        return self._name(least(0, len(self.starts), lambda place: u < below[place]))

    def weights(self, centre: int) -> tuple[list[tuple[int, int]], int]:
        """Return the law of `cell` in closed form: each cell with its weight, and the denominator of all.

        The weights are sums of the density's geometric series over each cell.

        Raises: InputError unless low <= centre <= high.
        """
        self._need(centre)
        if not self.starts:
            return [(self.low, 1)], 1
        a, b, power = self.ratio.numerator, self.ratio.denominator, self._power()
        rows = []
        for place in range(len(self.starts) + 1):
            first = self.starts[place - 1] if place else None
            last = self.starts[place] - 1 if place < len(self.starts) else None
            up = self._run(centre, first, last, power)
            down = self._run(-centre, None if last is None else -last, None if first is None else -first, power)
            at_centre = (first is None or first <= centre) and (last is None or centre <= last)
            rows.append((self._name(place), up + down + at_centre * (a - b) * a**power))
        return rows, (a + b) * a**power

    def _run(self, centre: int, first: int | None, last: int | None, power: int) -> int:
        """Return the weight of the integers above the centre that lie in [first, last]."""
        a, b = self.ratio.numerator, self.ratio.denominator
        nearest = 1 if first is None else max(first - centre, 1)
        beyond = None if last is None else last - centre
        if beyond is not None and beyond < nearest:
            return 0
        total: int = b**nearest * a ** (power + 1 - nearest)
        if beyond is not None:
            total -= b ** (beyond + 1) * a ** (power - beyond)
        return total

    def within(self, cell: int, coins: Coins) -> int:
        """Return a noisy number given its cell, by a law that is the same for all centres.

        It is for coins that sample, as the law has infinitely many outcomes.
        """
        place = self.starts.index(cell) + 1 if cell in self.starts else 0
        first = cell if place else None
        last = self.starts[place] - 1 if place < len(self.starts) else None
        if first is not None and first == last:
            return first
        if first is not None and first >= self.high:
            return first + (self._beyond(coins) if last is None else self._beyond(coins) % (last - first + 1))
        if last is not None and last <= self.low:
            return last - (self._beyond(coins) if first is None else self._beyond(coins) % (last - first + 1))
        a, b = self.ratio.numerator, self.ratio.denominator
        while True:
            turn = coins.below(a + b)
            away = 1 + self._beyond(coins) if turn >= a - b else 0
            noisy = self.low + (away if turn < a else -away)
            if (first is None or first <= noisy) and (last is None or noisy <= last):
                return noisy

    def _beyond(self, coins: Coins) -> int:
        """Return G with Pr[G >= k] = alpha^k; for any m, G mod m has the law of G given G < m."""
        far = 0
        while coins.below(self.ratio.numerator) < self.ratio.denominator:
            far += 1
        return far

    def _need(self, centre: int) -> None:
        if not self.low <= centre <= self.high:
            needed = f"a centre from {self.low} to {self.high}, for which the cells are made"
            raise InputError(given=f"the centre {centre}", needed=needed, remedy="take cells for more people")

    def _name(self, place: int) -> int:
        if not self.starts:
            return self.low
        return self.starts[place - 1] if place else self.starts[0] - 1

    def _power(self) -> int:
        return max(self.high - self.starts[0], self.starts[-1] - 1 - self.low, 0)

    def _below(self, centre: int) -> tuple[list[int], int]:
        """Return the weight of the integers below each start, and the denominator, (a + b) a^power for ratio a/b."""
        a, b, power = self.ratio.numerator, self.ratio.denominator, self._power()
        d = (a + b) * a**power
        sums = []
        for start in self.starts:
            if start <= centre:
                far = centre - start
                sums.append(b ** (far + 1) * a ** (power - far))
            else:
                far = start - 1 - centre
                sums.append(d - b ** (far + 1) * a ** (power - far))
        return sums, d


def clamped(*, ratio: Fraction, low: int, high: int) -> Cells:
    """Return the cells of clamping to [low, high]: one for each integer inside, and the ends with all integers beyond.

    Requires: low <= high, and every centre in between.
    """
    return Cells(ratio, low, high, tuple(range(low + 1, high + 1)))
