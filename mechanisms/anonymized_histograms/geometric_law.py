"""Laws on all integers: a finite body and a geometric series on either side; every probability is a fraction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpcert.mechanisms.exact.errors import InputError


@dataclass(frozen=True, slots=True)
class GeometricLaw:
    """A law on the integers: `body` from `low` on, left alpha^j at low - 1 - j, and right alpha^j past the body's end.

    Requires: 0 < alpha < 1; body with at least one entry.
    Claims:   closed under `shift`, `clamp`, `at_least` and `plus` a finite law; equal as numbers iff `same`.
    Raises:   InputError unless all mass is >= 0 and sums to 1.
    """

    alpha: Fraction
    low: int
    body: tuple[Fraction, ...]
    left: Fraction
    right: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1 or not self.body or min(self.left, self.right, *self.body) < 0:
            given = f"alpha {self.alpha} and {len(self.body)} masses"
            raise InputError(given=given, needed="0 < alpha < 1 and masses >= 0", remedy="check their computation")
        total = sum(self.body, (self.left + self.right) / (1 - self.alpha))
        if total != 1:
            raise InputError(given=f"a mass of {total}", needed="1", remedy="scale the masses")

    @classmethod
    def two_sided(cls, alpha: Fraction) -> GeometricLaw:
        """Return the law of Z, Pr[z] = (1 - alpha)/(1 + alpha) alpha^|z|."""
        peak = (1 - alpha) / (1 + alpha)
        return cls(alpha, 0, (peak,), peak * alpha, peak * alpha)

    @property
    def high(self) -> int:
        """The last integer of the body."""
        return self.low + len(self.body) - 1

    def prob(self, z: int) -> Fraction:
        """Return Pr[X = z]."""
        if z < self.low:
            return self.left * self.alpha ** (self.low - 1 - z)
        if z > self.high:
            return self.right * self.alpha ** (z - self.high - 1)
        return self.body[z - self.low]

    def below(self, z: int) -> Fraction:
        """Return Pr[X < z]."""
        if z <= self.low:
            return self.left * self.alpha ** (self.low - z) / (1 - self.alpha)
        if z > self.high:
            return 1 - self.right * self.alpha ** (z - self.high - 1) / (1 - self.alpha)
        return sum(self.body[: z - self.low], self.left / (1 - self.alpha))

    def shift(self, by: int) -> GeometricLaw:
        """Return the law of X + by."""
        return GeometricLaw(self.alpha, self.low + by, self.body, self.left, self.right)

    def at_least(self, least: int) -> GeometricLaw:
        """Return the law of max(X, least)."""
        high = max(self.high, least)
        inner = [self.prob(z) for z in range(least + 1, high + 1)]
        return GeometricLaw(self.alpha, least, (self.below(least + 1), *inner), Fraction(0), self.prob(high + 1))

    def clamp(self, low: int, high: int) -> GeometricLaw:
        """Return the law of min(max(X, low), high), for low <= high."""
        if low == high:
            return GeometricLaw(self.alpha, low, (Fraction(1),), Fraction(0), Fraction(0))
        inner = [self.prob(z) for z in range(low + 1, high)]
        ends = self.below(low + 1), 1 - self.below(high)
        return GeometricLaw(self.alpha, low, (ends[0], *inner, ends[1]), Fraction(0), Fraction(0))

    def plus(self, finite: Mapping[int, Fraction]) -> GeometricLaw:
        """Return the law of X + Y for an independent Y with finitely many values."""
        low, high = self.low + min(finite), self.high + max(finite)

        def at(z: int) -> Fraction:
            return sum((p * self.prob(z - y) for y, p in finite.items()), Fraction(0))

        body = tuple(at(z) for z in range(low, high + 1))
        return GeometricLaw(self.alpha, low, body, at(low - 1), at(high + 1))

    def same(self, other: GeometricLaw) -> bool:
        """Whether two laws give each integer one probability."""
        low, high = min(self.low, other.low) - 1, max(self.high, other.high) + 1
        inner = all(self.prob(z) == other.prob(z) for z in range(low, high + 1))
        outer = all(not law.prob(z) for law in (self, other) for z in (low, high)) or self.alpha == other.alpha
        return inner and outer

    def divergence(self, other: GeometricLaw, ratio: Fraction) -> Fraction:
        """Return the sum over all integers of max(0, p - ratio q), exactly: the least delta for e^epsilon = ratio.

        Requires: both laws have one alpha.
        Raises:   InputError otherwise.
        """
        if self.alpha != other.alpha:
            given = f"alphas {self.alpha} and {other.alpha}"
            raise InputError(given=given, needed="one alpha for both laws", remedy="compare noise of one scale")
        low, high = min(self.low, other.low), max(self.high, other.high)

        def gains(places: Iterable[int]) -> Fraction:
            return sum((max(Fraction(0), self.prob(z) - ratio * other.prob(z)) for z in places), Fraction(0))

        return gains(range(low, high + 1)) + gains((low - 1, high + 1)) / (1 - self.alpha)
