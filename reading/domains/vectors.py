"""Masses by the value of one integer, in which several may be packed: a polynomial, whose exponents are the values.

To add something to the integer with some probability is to multiply by a small polynomial. Where one follows another
on nobody's looking at the values, the product is left until it is asked for: then equal factors are one power, whose
coefficients follow from one another, and what would take a product of all values at every step takes one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from math import gcd, lcm

from dpcert.reading.errors import Refused

SPAN = 64  # the bits of one of several integers that are packed in one
HALF = 1 << SPAN - 1
SMALL, WIDE = 8, 64  # a power is taken of factors of degree up to `WIDE`, and multiplied by up to `SMALL` masses


def packed(values: Sequence[int]) -> int:
    """Several integers as one, so that the sum of two is the sums of their parts; no more than one as it is.

    Raises: Refused where one of several is so large that a sum might not be.
    """
    # two parts below 2^62 sum to less than HALF, so that nothing is carried into the next part
    if len(values) > 1 and any(abs(value) >> SPAN - 2 for value in values):
        raise Refused("an integer is too large to be followed beside others")
    return sum(value << SPAN * place for place, value in enumerate(values))


def unpacked(value: int, count: int) -> list[int]:
    """The integers that are packed in one."""
    found = []
    for _ in range(count - 1):
        value, low = divmod(value + HALF, 2 * HALF)
        found.append(low - HALF)
    return [*found, value]


class Vector:
    """Masses by the value of an integer, over one denominator. `terms` are what is still to be added."""

    __slots__ = ("_bottom", "_tops", "hi", "lo", "terms")

    def __init__(self, tops: dict[int, int], bottom: int = 1) -> None:
        self._tops, self._bottom = tops, bottom
        self.terms: list[tuple[Vector, int, int, int]] = []
        self.lo, self.hi = (min(tops), max(tops) + 1) if tops else (0, 0)

    @property
    def tops(self) -> dict[int, int]:
        """The masses, times `bottom`."""
        self._settle()
        return self._tops

    @property
    def bottom(self) -> int:
        """The denominator."""
        self._settle()
        return self._bottom

    def add(self, other: Vector, weight: int, total: int, shift: int) -> None:
        """Add another vector times weight / total, its values moved by `shift`; the other is not changed after that."""
        lo, hi = other.lo + shift, other.hi + shift
        empty = self.lo == self.hi
        self.lo, self.hi = (lo, hi) if empty else (min(self.lo, lo), max(self.hi, hi))
        self.terms.append((other, weight, total, shift))

    def leave(self) -> None:
        """Leave a product for later, and add up what is none."""
        if self._factor() is None:
            self._settle()

    def parted(self, count: int, axis: int, cuts: list[int]) -> list[Vector]:
        """The masses of the values between any two cuts of one of `count` integers."""
        parts: list[dict[int, int]] = [{} for _ in cuts[1:]]
        for value, top in self.tops.items():
            parts[bisect_right(cuts[1:-1], unpacked(value, count)[axis])][value] = top
        return [Vector(tops, self.bottom) for tops in parts if tops]

    def onto(self, count: int, axes: tuple[int, ...]) -> Vector:
        """The masses by the values of some of `count` integers, in this order."""
        if axes and axes == (*range(count),):
            return self
        tops: dict[int, int] = {}
        for value, top in self.tops.items():
            values = unpacked(value, count)
            kept = packed([values[axis] for axis in axes])
            tops[kept] = tops.get(kept, 0) + top
        return Vector(tops, self.bottom)

    def box(self, count: int) -> tuple[tuple[int, int], ...]:
        """The least interval that holds all values, of each of `count` integers.

        Raises: Refused where a value is too large to stand beside others.
        """
        if count < 2:
            return (self.interval(),) * count
        columns = [*zip(*[unpacked(value, count) for value in self.tops], strict=True)]
        packed([each for column in columns for each in (min(column), max(column))])
        return tuple([(min(column), max(column) + 1) for column in columns])

    def interval(self) -> tuple[int, int]:
        """The least interval that holds all values."""
        return self.lo, self.hi

    def size(self) -> int:
        """How many values there are; at most, where a product is left."""
        return self.hi - self.lo if self.terms else len(self._tops)

    def _factor(self) -> Factor | None:
        """The polynomial by which the one vector was multiplied of which this is made, or None."""
        if self._tops or not self.terms or any(each[0] is not self.terms[0][0] for each in self.terms):
            return None
        weights: Counter[int] = Counter()
        common = lcm(*[total for _, _, total, _ in self.terms])
        for _, weight, total, shift in self.terms:
            weights[shift] += weight * (common // total)
        if max(weights) - min(weights) > WIDE:
            return None
        divisor = gcd(common, *weights.values())
        return Factor({shift: weight // divisor for shift, weight in sorted(weights.items())}, common // divisor)

    def _settle(self) -> None:
        """Add what is still to be added."""
        factors: Counter[Factor] = Counter()
        source = self
        while (factor := source._factor()) is not None:
            factors[factor] += 1
            source = source.terms[0][0]
        if source is not self:
            self._tops, self._bottom = dict(source.tops), source.bottom
            for factor, count in factors.items():
                self._multiply(factor, count)
        for other, weight, total, shift in self.terms if source is self else ():
            self._add(other, weight, total, shift)
        self.terms = []

    def _multiply(self, factor: Factor, count: int) -> None:
        if count > 1 and len(self._tops) <= SMALL:
            factor, count = factor.power(count), 1
        for _ in range(count):
            tops: dict[int, int] = {}
            for shift, weight in factor.weights.items():
                for value, top in self._tops.items():
                    tops[value + shift] = tops.get(value + shift, 0) + top * weight
            self._tops, self._bottom = tops, self._bottom * factor.total

    def _add(self, other: Vector, weight: int, total: int, shift: int) -> None:
        bottom = other.bottom * total
        common = lcm(self._bottom, bottom)
        if common != self._bottom:
            scale, self._bottom = common // self._bottom, common
            self._tops = {value: top * scale for value, top in self._tops.items()}
        tops, scale = self._tops, weight * (common // bottom)
        for value, top in other.tops.items():
            tops[value + shift] = tops.get(value + shift, 0) + top * scale


class Factor:
    """A polynomial with weights above 0, over a total."""

    __slots__ = ("total", "weights")

    def __init__(self, weights: dict[int, int], total: int) -> None:
        self.weights, self.total = weights, total

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Factor) and (self.weights, self.total) == (other.weights, other.total)

    def __hash__(self) -> int:
        return hash((tuple(self.weights.items()), self.total))

    def power(self, n: int) -> Factor:
        """The n-th power, for n >= 1.

        Claims: for q(x) of degree d, c(x) = q(x)^n has q c' = n q' c, by whose coefficients at x^(k - 1)
                k q_0 c_k = sum over i = 1, ..., d of (i (n + 1) - k) q_i c_(k - i).
        """
        least, degree = min(self.weights), max(self.weights) - min(self.weights)
        q = {shift - least: weight for shift, weight in self.weights.items()}
        first = q.pop(0)
        c = [first**n]
        for k in range(1, n * degree + 1):
            row = sum((i * (n + 1) - k) * weight * c[k - i] for i, weight in q.items() if i <= k)
            c.append(row // (k * first))
        return Factor({n * least + k: top for k, top in enumerate(c) if top}, self.total**n)
