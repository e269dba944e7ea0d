"""Confidence sequences: lower limits of a chance that hold at all sizes at once, wherever one stops.

For trials of chance p, and any a, b >= 1 fixed before them, the ratio of mixed to plain likelihood after x successes
and y failures, B(a + x, b + y) / (B(a, b) p^x (1 - p)^y), is a martingale that starts at 1. By Ville's inequality the
chance that it ever reaches 1 / alpha is at most alpha. So, for all (x, y) on the way at once, p is among the numbers at
which this ratio is below 1 / alpha. Below x / (x + y) the ratio falls with p.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lgamma, log, log1p

from dpcert.audit.sampling.binomial import GRID, choose, compare, greatest, power, product, quotient
from dpcert.mechanisms.exact.errors import InputError

_HALVINGS = 60


@dataclass(frozen=True, slots=True)
class Mixture:
    """A bet on trials to come: their chance is given the prior Beta(a, b), with a, b >= 1 fixed before them.

    Source: Ville (1939), Theorem 1 of chapter V; Robbins (1970), for the mixture; Howard, Ramdas, McAuliffe and Sekhon
            (2021), section 3, for confidence sequences.
    Raises: InputError for other a, b.
    """

    a: int
    b: int

    def __post_init__(self) -> None:
        if self.a < 1 or self.b < 1:
            given = f"a={self.a}, b={self.b}"
            raise InputError(given=given, needed="integers >= 1", remedy="count earlier successes and failures, plus 1")

    def lower_limit(self, x: int, y: int, alpha: Fraction) -> Fraction:
        """Return a lower limit of the chance, rounded down; at level `alpha` it holds at all (x, y) on the way.

        Requires: x, y >= 0; 0 < alpha < 1.
        Claims:   Pr[for some number of trials, lower_limit(x, y, alpha) > p] <= alpha, for every p.
        Raises:   InputError otherwise.
        """
        if x < 0 or y < 0 or not 0 < alpha < 1:
            given = f"{x} successes, {y} failures at alpha {alpha}"
            raise InputError(given=given, needed="counts >= 0 and 0 < alpha < 1", remedy="check the counts")
        # Above the mode the likelihood falls again: limits are looked for below it, on the grid.
        mode = (x << GRID) // max(1, x + y)
        if mode == 0:
            return Fraction(0)
        # B(a + x, b + y) / B(a, b), rounded down.
        a, b = self.a, self.b
        before = product([choose(a + b - 2, a - 1, up=False), (a + b - 1, 0)], up=False)
        after = product([choose(a + b + x + y - 2, a + x - 1, up=True), (a + b + x + y - 1, 0)], up=True)
        most = quotient(before, after, up=False)

        def within(u: int) -> bool:
            if u == 0:
                return True
            likely = product([power(u, x, up=True), power((1 << GRID) - u, y, up=True)], up=True)
            return compare(quotient((likely[0], likely[1] - GRID * (x + y)), most, up=True), alpha) <= 0

        return Fraction(mode if within(mode) else greatest(within, mode, self._guess(x, y, alpha)), 1 << GRID)

    def upper_limit(self, x: int, y: int, alpha: Fraction) -> Fraction:
        """Return an upper limit of the chance, rounded up; at level `alpha` it holds at all (x, y) on the way."""
        return 1 - Mixture(self.b, self.a).lower_limit(y, x, alpha)

    def _guess(self, x: int, y: int, alpha: Fraction) -> int:
        """Return about the limit times 2^GRID, by bisection in floats."""
        a, b = self.a, self.b
        mixed = lgamma(a + x) + lgamma(b + y) - lgamma(a + b + x + y) - lgamma(a) - lgamma(b) + lgamma(a + b)
        target = mixed + log(alpha.numerator) - log(alpha.denominator)
        low, high = 0.0, x / (x + y)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if middle == 0 or (middle < 1 and x * log(middle) + y * log1p(-middle) <= target):
                low = middle
            else:
                high = middle
        return int(low * (1 << GRID))
