"""How many of a bin's people are sampled: one coin a person, or one exact binomial number for all of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import comb

from dpcert.mechanisms.exact.coins import Coins

Sampled = Callable[[int, Coins], int]
"""From a number of people to how many of them are sampled."""
ALONE, BITS = 8, 64
FEW, WORD = 64, 64


def coin_by_coin(rate: Fraction) -> Sampled:
    """Return the program that samples each person with probability `rate` by a coin of their own."""

    def sample(sampled: int, person: int, coins: Coins) -> int:
        return sampled + (coins.below(rate.denominator) < rate.numerator)

    return lambda count, coins: coins.fold(range(count), 0, sample)


def bit_by_bit(rate: Fraction, *, alone: int = ALONE, bits: int = BITS) -> Sampled:
    """Return a program with the law of `coin_by_coin`, from about two bits a person.

    Each person has a number in [0, 1) and is sampled if it is below the rate. One draw has the next bit of all whose
    bits so far are those of the rate. A person whose bit is below the rate's is sampled, and one whose bit is above is
    not; half of the people are left, on average. Of the last `alone` people, or after `bits` bits, each has one coin
    with the rest of the rate.

    Requires: 0 < rate < 1, alone >= 0, bits >= 0.
    Claims:   B(count, rate), exactly, with tail 0. Given the bits before, the bits of the people left are independent
              and fair, and so are their coins.
    """
    whole = rate.denominator

    def draw(count: int, coins: Coins) -> int:
        sampled, left, rest = 0, count, rate.numerator
        for _ in range(bits):
            if left <= alone:
                break
            ones = coins.below(1 << left).bit_count()
            rest *= 2
            if rest >= whole:
                sampled, left, rest = sampled + left - ones, ones, rest - whole
            else:
                left -= ones
        for _ in range(left):
            sampled += coins.below(whole) < rest
        return sampled

    return draw


def by_word(rate: Fraction, *, few: int = FEW, word: int = WORD) -> Sampled:
    """Return a program with the law of `coin_by_coin`, from one word for up to `few` people, by `bit_by_bit` for more.

    With U uniform in [0, 1), so many are sampled as there are k < count with U >= F(k), for the distribution function F
    of B(count, rate). The word holds the first bits of U; it decides unless it is the first bits of some F(k), and then
    one more draw has the rest of U, as finely as F.

    Requires: 0 < rate < 1, few >= 0, word >= 0.
    Claims:   B(count, rate), exactly, with tail 0.
    """
    p, whole, many = rate.numerator, rate.denominator, bit_by_bit(rate)

    @cache
    def table(count: int) -> tuple[list[int], list[int]]:
        weights = (comb(count, k) * p**k * (whole - p) ** (count - k) for k in range(count))
        found = [divmod(reached << word, whole**count) for reached in accumulate(weights)]
        return [first for first, _ in found], [rest for _, rest in found]

    def draw(count: int, coins: Coins) -> int:
        if not 0 < count <= few:
            return many(count, coins)
        firsts, rests = table(count)
        u = coins.below(1 << word)
        sampled, end = bisect_left(firsts, u), bisect_right(firsts, u)
        if sampled < end:
            rest = coins.below(whole**count)
            sampled += sum(one <= rest for one in rests[sampled:end])
        return sampled

    return draw
