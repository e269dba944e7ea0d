"""Clopper-Pearson limits with certified rounding: integers alone, each rounded to the side that keeps it valid."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import isqrt, lgamma, log, log1p, prod

from dpcert.mechanisms.exact.errors import InputError

GRID = 32
"""Limits are multiples of 2^-GRID."""
_WIDTH = 128
_FIXED = 80
_PRECISION = 40
_CHUNK = 32
_STEPS = 40
_MANY = 4096
_PI_LO = Fraction("3.1415926535897932384626433832795028841971")
"""Pi is between this and 10^-40 more."""

Number = tuple[int, int]
"""(m, e): the number m * 2^e."""


def _rounded(m: int, e: int, up: bool) -> Number:
    """Return (m, e) cut to _WIDTH bits, rounded up or down."""
    extra = m.bit_length() - _WIDTH
    if extra <= 0:
        return m, e
    return (-(-m >> extra) if up else m >> extra), e + extra


def power(base: int, exponent: int, up: bool) -> Number:
    """Return base^exponent, rounded up or down, by squaring."""
    result, square = (1, 0), (base, 0)
    while exponent:
        if exponent & 1:
            result = _rounded(result[0] * square[0], result[1] + square[1], up)
        exponent >>= 1
        if exponent:
            square = _rounded(square[0] ** 2, 2 * square[1], up)
    return result


def _product(start: int, stop: int, up: bool) -> Number:
    """Return start (start + 1) ... (stop - 1), rounded up or down."""
    result = (1, 0)
    for first in range(start, stop, _CHUNK):
        factor = prod(range(first, min(first + _CHUNK, stop)))
        result = _rounded(result[0] * factor, result[1], up)
    return result


def choose(n: int, k: int, up: bool) -> Number:
    """Return n over k, rounded up or down: by its factors, or where these are many by `_stirling`."""
    k = min(k, n - k)
    if k >= _MANY:
        return _stirling(n, k, up)
    top, bottom = _product(n - k + 1, n + 1, up), _product(1, k + 1, not up)
    return quotient(top, bottom, up)


def quotient(top: Number, bottom: Number, up: bool) -> Number:
    """Return top / bottom, rounded up or down."""
    shift = _WIDTH + max(0, bottom[0].bit_length() - top[0].bit_length())
    m = top[0] << shift
    return _rounded(-(-m // bottom[0]) if up else m // bottom[0], top[1] - bottom[1] - shift, up)


def product(numbers: Iterable[Number], up: bool) -> Number:
    """Return the product, rounded up or down."""
    m, e = 1, 0
    for factor in numbers:
        m, e = _rounded(m * factor[0], e + factor[1], up)
    return m, e


def _stirling(n: int, k: int, up: bool) -> Number:
    """Return n over k, rounded up or down, from Robbins' bounds of factorials.

    With s(m) = sqrt(2 pi m) (m / e)^m, s(m) exp(1 / 12m - 1 / 360m^3) < m! < s(m) exp(1 / 12m). The powers of e cancel.

    Requires: k, n - k >= _MANY.
    """
    rest = n - k
    powers = quotient(power(n, n, up), product([power(k, k, not up), power(rest, rest, not up)], not up), up)
    square = Fraction(n, 2 * k * rest) / (_PI_LO if up else _PI_LO + Fraction(1, 10**40))
    root = isqrt((square.numerator << 2 * _WIDTH) // square.denominator) + up
    small = [Fraction(1, 360 * m**3) for m in ((k, rest) if up else (n,))]
    exponent = Fraction(1, 12 * n) - Fraction(1, 12 * k) - Fraction(1, 12 * rest) + (sum(small) if up else -sum(small))
    series = 1 + exponent + exponent**2 / 2 + exponent**3 / 6 + (exponent**4 / 12 if up else 0)
    scaled = (series.numerator << _WIDTH) // series.denominator + up
    return product([powers, (root, -_WIDTH), (scaled, -_WIDTH)], up)


@dataclass(frozen=True, slots=True)
class UpperSum:
    """The probability of at least k successes in n trials, as a function of the probability of one.

    Requires: 1 <= k <= n.
    """

    n: int
    k: int
    choose_lo: Number
    choose_hi: Number

    @classmethod
    def of(cls, n: int, k: int) -> UpperSum:
        """Return the upper sum from k of n.

        Raises: InputError unless 1 <= k <= n.
        """
        if not 1 <= k <= n:
            raise InputError(given=f"k={k} of n={n}", needed="1 <= k <= n", remedy="count successes among the trials")
        return cls(n, k, choose(n, k, False), choose(n, k, True))

    def at_most(self, u: int, grid: int, alpha: Fraction) -> bool:
        """Whether Pr[Bin(n, u / 2^grid) >= k] <= alpha is certain; False where it is false or not certain.

        Requires: 0 <= u <= 2^grid, 0 < alpha < 1/2.
        Claims:   where k > n p, the ratio of each term to the one before is below 1 and falls, so the omitted terms are
                  at most a geometric series; where k <= floor(n p), a median is at least k and the sum at least 1/2.
        """
        if u == 0:
            return True
        if self.k <= (self.n * u) >> grid:
            return False
        first, sums = self._first(u, grid, up=True), self._sum(u, grid)
        return compare((first[0] * sums[1], first[1] - _FIXED), alpha) <= 0

    def bound(self, u: int, grid: int) -> Fraction:
        """Return an upper bound of Pr[Bin(n, u / 2^grid) >= k], close to it where k > n p; else 1.

        Requires, Claims: as `at_most`.
        """
        if u == 0 or self.k <= (self.n * u) >> grid:
            return Fraction(u > 0)
        (m, e), sums = self._first(u, grid, up=True), self._sum(u, grid)
        return min(Fraction(1), m * sums[1] * Fraction(2) ** (e - _FIXED))

    def above(self, u: int, grid: int, alpha: Fraction) -> bool:
        """Whether Pr[Bin(n, u / 2^grid) >= k] > alpha is certain; False where it is false or not certain."""
        if u == 0:
            return False
        if self.k <= (self.n * u) >> grid:
            return True
        first, sums = self._first(u, grid, up=False), self._sum(u, grid)
        return compare((first[0] * sums[0], first[1] - _FIXED), alpha) > 0

    def _first(self, u: int, grid: int, *, up: bool) -> Number:
        """Return the probability of exactly k successes, rounded up or down."""
        choose = self.choose_hi if up else self.choose_lo
        yes, no = power(u, self.k, up), power((1 << grid) - u, self.n - self.k, up)
        m, e = _rounded(yes[0] * no[0], yes[1] + no[1], up)
        return _rounded(m * choose[0], e + choose[1] - grid * self.n, up)

    def _sum(self, u: int, grid: int) -> tuple[int, int]:
        """Return bounds of the sum over its first term, times 2^_FIXED."""
        other = (1 << grid) - u
        lo = hi = total_lo = total_hi = 1 << _FIXED
        for j in range(self.k, self.n):
            top, bottom = (self.n - j) * u, (j + 1) * other
            rest = -(-hi * top // (bottom - top))
            if rest << _PRECISION <= total_lo:
                return total_lo, total_hi + rest
            lo, hi = lo * top // bottom, -(-hi * top // bottom)
            total_lo += lo
            total_hi += hi
        return total_lo, total_hi


def compare(number: Number, alpha: Fraction) -> int:
    """Return the sign of m * 2^e - alpha."""
    m, e = number
    left, right = m * alpha.denominator, alpha.numerator
    left, right = (left << e, right) if e >= 0 else (left, right << -e)
    return (left > right) - (left < right)


def upper_sum_at_most(n: int, k: int, p: Fraction, alpha: Fraction) -> bool:
    """Whether Pr[Bin(n, p) >= k] <= alpha is certain, for p rounded up to a multiple of 2^-GRID."""
    return k > n or UpperSum.of(n, k).at_most(min(1 << GRID, -(-(p.numerator << GRID) // p.denominator)), GRID, alpha)


def lower_limit(k: int, n: int, alpha: Fraction) -> Fraction:
    """Return a lower confidence limit, at level `alpha`, of the chance of a success, after k successes in n trials.

    It is the Clopper-Pearson limit, the p at which Pr[Bin(n, p) >= k] = alpha, rounded down to a multiple of 2^-GRID.
    A float only guesses where to start.

    Requires: 0 <= k <= n, n >= 1, 0 < alpha < 1/2.
    Claims:   for every p, Pr[lower_limit(Bin(n, p), n, alpha) > p] <= alpha.
    Raises:   InputError otherwise.
    """
    if not 0 <= k <= n or n < 1 or not 0 < alpha < Fraction(1, 2):
        given = f"{k} successes in {n} trials at alpha {alpha}"
        raise InputError(given=given, needed="0 <= k <= n, n >= 1, 0 < alpha < 1/2", remedy="check the counts")
    if k == 0:
        return Fraction(0)
    within = partial(UpperSum.of(n, k).at_most, grid=GRID, alpha=alpha)
    # About the limit times 2^GRID, by Newton's steps on the logarithm of the upper sum, in floats.
    target = log(alpha.numerator) - log(alpha.denominator)
    choose = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
    p = k / n / 2
    for _ in range(_STEPS):
        total = term = 1.0
        for j in range(k, n):
            term *= (n - j) * p / ((j + 1) * (1 - p))
            total += term
            if term < total * 1e-17:
                break
        over = choose + k * log(p) + (n - k) * log1p(-p) + log(total) - target
        better = min(max(p - over * p * total / k, p / 16), (p + k / n) / 2)
        if abs(better - p) < 1e-15 * p:
            break
        p = better
    return Fraction(greatest(within, -(-(k << GRID) // n), int(p * (1 << GRID))), 1 << GRID)


def upper_limit(k: int, n: int, alpha: Fraction) -> Fraction:
    """Return an upper confidence limit, at level `alpha`, of the chance of a success, after k successes in n trials.

    Requires, Claims, Raises: as `lower_limit`, by counting failures.
    """
    return 1 - lower_limit(n - k, n, alpha)


def greatest(within: Callable[[int], bool], above: int, guess: int) -> int:
    """Return a u < above with within(u) and not within(u + 1); `within(0)` holds and `within(above)` does not."""
    low, high, step, u = 0, above, 1, min(max(guess, 1), above - 1)
    while high - low > 1:
        if within(u):
            low, u = u, min(u + step, high - 1)
        else:
            high, u = u, max(u - step, low + 1)
        if low > 0 and high < above:
            u = (low + high) // 2
        step *= 4
    return low
