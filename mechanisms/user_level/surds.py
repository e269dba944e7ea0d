"""Surds: sums of rational multiples of square roots, with exact signs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import isqrt, lcm


@cache
def _parts(number: int) -> tuple[int, int]:
    """Return (r, k) with number = r^2 k and k free of squares, for number >= 1.

    Once no prime up to its cube root divides it, the rest is a square, or free of squares.
    """
    root, free, rest, prime = 1, 1, number, 2
    while prime**3 <= rest:
        while rest % (prime * prime) == 0:
            rest //= prime * prime
            root *= prime
        if rest % prime == 0:
            rest //= prime
            free *= prime
        prime += 1
    square = isqrt(rest)
    return (root * square, free) if square * square == rest else (root, free * rest)


@dataclass(frozen=True, slots=True)
class Surd:
    """The sum of coefficient times sqrt(radicand) over its terms, and no other terms denote it.

    `terms` has (radicand, coefficient) in ascending order of the radicands, which are integers >= 1 free of squares;
    no coefficient is 0. The square roots of distinct such integers are linearly independent over the rationals
    (Besicovitch), so that `==` of two surds is equality of the numbers.
    """

    terms: tuple[tuple[int, Fraction], ...]

    @classmethod
    def of(cls, terms: Iterable[tuple[int, Fraction]]) -> Surd:
        """Return the sum of terms in any order, of which some may have the same radicand."""
        total: dict[int, Fraction] = {}
        for radicand, coefficient in terms:
            total[radicand] = total.get(radicand, Fraction(0)) + coefficient
        return cls(tuple(sorted((radicand, value) for radicand, value in total.items() if value)))

    @classmethod
    def rational(cls, value: Fraction | int) -> Surd:
        """Return a rational number."""
        return cls.of([(1, Fraction(value))])

    @classmethod
    def root(cls, square: Fraction | int) -> Surd:
        """Return the square root of a rational number that is at least 0."""
        value = Fraction(square)
        if value == 0:
            return cls(())
        outside, free = _parts(value.numerator * value.denominator)
        return cls.of([(free, Fraction(outside, value.denominator))])

    def __add__(self, other: Surd) -> Surd:
        return Surd.of((*self.terms, *other.terms))

    def __sub__(self, other: Surd) -> Surd:
        return self + other.times(Fraction(-1))

    def times(self, factor: Fraction | int) -> Surd:
        """Return the product with a rational number."""
        return Surd.of((radicand, value * factor) for radicand, value in self.terms)

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        """Return rational bounds of the number, apart by at most 2^-bits times the sum of the coefficients' sizes."""
        lo = hi = Fraction(0)
        for radicand, value in self.terms:
            floor = isqrt(radicand << (2 * bits))
            ceiling = floor + (floor * floor != radicand << (2 * bits))
            low, high = sorted((value * floor, value * ceiling))
            lo, hi = lo + low, hi + high
        return lo / (1 << bits), hi / (1 << bits)

    def sign(self) -> int:
        """Return -1, 0 or 1: the sign of the number, by bounds that are refined until they leave 0 out."""
        if not self.terms:
            return 0
        if len({value > 0 for _, value in self.terms}) == 1:
            return 1 if self.terms[0][1] > 0 else -1
        scaled = self.times(lcm(*(value.denominator for _, value in self.terms)))
        bits = 16
        while True:
            lo, hi = scaled.bounds(bits)
            if lo > 0:
                return 1
            if hi < 0:
                return -1
            bits *= 2

    def __le__(self, other: Surd) -> bool:
        return (self - other).sign() <= 0

    def __lt__(self, other: Surd) -> bool:
        return (self - other).sign() < 0

    def __str__(self) -> str:
        shown = [f"{value}" if radicand == 1 else f"{value} sqrt({radicand})" for radicand, value in self.terms]
        return " + ".join(shown) or "0"
