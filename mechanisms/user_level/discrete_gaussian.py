"""The discrete Gaussian by coins alone: exact, or with its chains cut, so that its law is a list of integers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import factorial, floor, isqrt

from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.coins import Coins, Done
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact, on_one_denominator


def exp_coin(gamma: Fraction, depth: int | None, coins: Coins) -> bool:
    """Return True with probability exp(-gamma), or, where chains are cut at a depth, with `exp_cut(gamma, depth)`.

    Requires: gamma >= 0, depth >= 1 or None.
    Source:   Canonne, Kamath, Steinke 2020, Algorithm 1: the first k at which a coin of gamma/k fails is odd.
    """
    whole = floor(gamma)
    rest = gamma - whole

    def flip(state: tuple[int, int], coins: Coins) -> tuple[int, int] | Done[bool]:
        left, k = state
        now = Fraction(1) if left else rest
        if (depth is None or k <= depth) and coins.below(now.denominator * k) < now.numerator:
            return left, k + 1
        if left == 0 or k % 2 == 0:
            return Done(k % 2 == 1)
        return left - 1, 1

    return coins.loop((whole, 1), flip)


def exp_cut(gamma: Fraction, depth: int) -> Fraction:
    """Return the probability of `exp_coin` cut at a depth: exp(-1)^floor(gamma) exp(-rest), by series up to `depth`.

    Claims: at arguments of at most 1 the series errs by less than its next term, 1/(depth + 1)!.
    """

    def series(x: Fraction) -> Fraction:
        return sum(((-x) ** k / factorial(k) for k in range(depth + 1)), Fraction(0))

    whole = floor(gamma)
    return series(Fraction(1)) ** whole * series(gamma - whole)


def discrete_gaussian(
    *, variance: Fraction | int, depth: int | None = None, reach: int | None = None
) -> Callable[[Coins], int]:
    """Draw an integer x with probability proportional to exp(-x^2 / (2 variance)), in integers and coins alone.

    It proposes discrete Laplace numbers of scale t, and accepts one with the ratio of the Gaussian's weight to its own.
    With `depth`, it cuts the chains of `exp_coin`, and with `reach`, it proposes no number further from 0: then the law
    is `CutGaussian`'s.

    Requires: variance > 0; depth >= 1 or None; reach >= 0 or None.
    Source:   Canonne, Kamath, Steinke 2020, Algorithms 2 and 3, with t = floor(sigma) + 1.
    Raises:   InputError for a variance that is not above 0, or is a float.
    """
    variance = positive(variance)
    t = isqrt(floor(variance)) + 1
    peak, twice = variance / t, 2 * variance

    def further(size: int, coins: Coins) -> int | Done[int]:
        if (reach is None or size <= reach) and exp_coin(Fraction(1), depth, coins):
            return size + t
        return Done(size)

    def propose(again: int, coins: Coins) -> int | Done[int]:
        size = int(coins.below(t))
        if not exp_coin(Fraction(size, t), depth, coins):
            return again
        size = coins.loop(size, further)
        negative = coins.below(2) == 1
        if (reach is not None and size > reach) or (negative and size == 0):
            return again
        if not exp_coin((size - peak) ** 2 / twice, depth, coins):
            return again
        return Done(-size if negative else size)

    return lambda coins: coins.loop(0, propose)


def positive(variance: Fraction | int) -> Fraction:
    """Return a variance as a fraction.

    Raises: InputError for one that is not above 0, or is a float.
    """
    number = exact(variance, "variance")
    if number <= 0:
        raise InputError(given=f"variance {number}", needed="a number above 0", remedy="take sigma^2, sigma > 0")
    return number


@dataclass(frozen=True, slots=True)
class CutGaussian:
    """The law of `discrete_gaussian` with its chains cut: weights[i] over `total` for the integer i - reach."""

    reach: int
    weights: tuple[int, ...]
    total: int

    @classmethod
    def of(cls, *, variance: Fraction | int, depth: int, reach: int) -> CutGaussian:
        """Return the law of a variance, a depth and a reach, each as `discrete_gaussian` takes it.

        Raises: InputError for a variance that is not above 0, or is a float.
        """
        variance = positive(variance)
        t = isqrt(floor(variance)) + 1
        step = exp_cut(Fraction(1), depth)
        chances = [
            exp_cut(Fraction(size % t, t), depth)
            * step ** (size // t)
            * exp_cut((size - variance / t) ** 2 / (2 * variance), depth)
            for size in range(reach + 1)
        ]
        upper, _ = on_one_denominator([chance / chances[0] for chance in chances])
        weights = (*upper[:0:-1], *upper)
        return cls(reach, weights, sum(weights))

    def law(self, shift: int = 0) -> Dist:
        """Return the law of the number plus a shift."""
        return Dist.from_weights(
            [(place - self.reach + shift, weight) for place, weight in enumerate(self.weights)], self.total
        )

    def draw(self) -> Callable[[Coins], int]:
        """Return a program that draws the number from one uniform number below `total`."""
        sums = list(accumulate(self.weights))

        def drawn(coins: Coins) -> int:
            u = coins.below(self.total)
            return least(0, 2 * self.reach, lambda place: u < sums[place]) - self.reach

        return drawn
