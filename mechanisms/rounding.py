"""Closed forms of laws too long to be exact: weights are rounded down to multiples of 2**-bits, and the rest is tail.

A verdict counts a tail against the claim wherever it may lie. So a rounded law proves and refutes as an exact one does,
except that it never proves pure differential privacy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb
from typing import Any

from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.exact.epsilon import Epsilon

EXACT_BITS = 1 << 18
"""The size, in bits, of the weights of a law up to which it is exact."""
_SPARE, _MOST = 64, 4096


@dataclass(frozen=True, slots=True)
class Rounding:
    """A closed form that is exact where the law is short, `size` bits, and else rounded down to `bits` bits.

    Requires: `rounded(value, bits)` gives each outcome at most its probability, and the rest to the tail.
    """

    exact: Callable[[Any], Dist]
    rounded: Callable[[Any, int], Dist]
    size: Callable[[Any], int]
    bits: int = 2 * _SPARE

    def __call__(self, value: Any) -> Dist:
        """Return the law on an input."""
        return self.exact(value) if self.size(value) <= EXACT_BITS else self.rounded(value, self.bits)

    def for_claim(self, epsilon: Epsilon, delta: Fraction) -> Rounding:
        """Return the closed form with enough bits that the tail, times e^epsilon, is far below delta. For delta = 0,
        where no tail is small enough, there are 128 bits more than e^epsilon has.
        """
        size = delta.denominator.bit_length() - delta.numerator.bit_length() + 1 if delta else _SPARE
        return replace(self, bits=_SPARE + size + min(epsilon.power_of_two_lo() + 1, _MOST))

    @property
    def words(self) -> str:
        """The treatment of a long law, in words for a note or a reason."""
        return f"closed forms of more than {EXACT_BITS:,} bits were rounded down to {self.bits} bits"


def binomial_down(n: int, p: Fraction, bits: int) -> list[tuple[int, int]]:
    """Return (k, weight) for the outcomes k of Bin(n, p) that are not too improbable.

    Claims: weight / 2**bits is at most the probability of k, and less by at most 1.01 * 2**-bits; so is 0, for those
            left out.
    From the mode, held to 64 bits more, each step multiplies by a ratio of at most 1 and is rounded down: after n <
    2**57 steps, a value is at most n + 1 units in the last of these bits too small.

    Requires: 1 <= n < 2**57, 0 < p < 1.
    """
    up, down = p.numerator, p.denominator - p.numerator
    mode = (n + 1) * up // p.denominator
    top = (comb(n, mode) * up**mode * down ** (n - mode) << bits + _SPARE) // p.denominator**n
    rows = [(mode, top >> _SPARE)]
    # Each step away from the mode rounds down again, so that no weight exceeds its probability.
    weight = top
    for k in range(mode, n):
        weight = weight * (n - k) * up // ((k + 1) * down)
        if not weight >> _SPARE:
            break
        rows.append((k + 1, weight >> _SPARE))
    weight = top
    for k in range(mode, 0, -1):
        weight = weight * k * down // ((n - k + 1) * up)
        if not weight >> _SPARE:
            break
        rows.append((k - 1, weight >> _SPARE))
    return rows
