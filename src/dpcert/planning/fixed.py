"""Expected values on a user's frequencies, in fixed point to 2^-200 and better; no verdict needs them."""

from collections.abc import Callable
from fractions import Fraction

from dpcert.mechanisms.decimals import decimal_lo
from dpcert.planning.frequencies import Frequencies

BITS = 256
ONE = 1 << BITS


def power(x: Fraction, m: int) -> Fraction:
    """Return x^m for 0 <= x <= 1, m >= 0, as a multiple of 2^-256, rounded down at each of its products.

    Claims: within 2 bits(m) m 2^-256.
    """
    return Fraction(_power(x, m, BITS), ONE)


def _power(x: Fraction, m: int, bits: int) -> int:
    """Return x^m as `power` does, times 2^bits, with `bits` bits in place of 256."""
    base, found = (x.numerator << bits) // x.denominator, 1 << bits
    for bit in f"{m:b}":
        found = found * found >> bits
        if bit == "1":
            found = found * base >> bits
        if not found:
            break
    return found


def power_bounds(x: Fraction, m: int, bits: int) -> tuple[Fraction, Fraction]:
    """Return bounds of x^m for 0 <= x <= 1, m >= 0: multiples of 2^-bits, 2 bits(m) m + 1 of them apart.

    Each of at most 2 bits(m) products is rounded down by less than one unit, which later ones multiply by at most m in
    all, as x is at most 1; so they do with the rounding of x itself.
    """
    found = _power(x, m, bits)
    return Fraction(found, 1 << bits), Fraction(found + 2 * m.bit_length() * m + 1, 1 << bits)


def geometric_at_least(ratio: Fraction, m: int) -> Fraction:
    """Return Pr[Z >= m] approximately, for two-sided geometric noise, Pr[Z = z] proportional to ratio^-|z|."""
    if m <= 0:
        return 1 - geometric_at_least(ratio, 1 - m)
    return power(1 / ratio, m - 1) / (ratio + 1)


def binomial_at_least(people: int, rate: Fraction, threshold: int) -> Fraction:
    """Return Pr[Bin(people, rate) >= threshold] approximately.

    Where the mean exceeds both 4 threshold and 700 it is 1 but for less than 2^-256 (Chernoff); else the terms below
    the threshold are summed, with so many bits that the first, (1 - rate)^people, has 256 of them: it is
    2^(-2 people rate) or more for a rate up to 1/2.
    """
    if threshold > people:
        return Fraction(0)
    if people * rate > max(4 * threshold, 700):
        return Fraction(1)
    up, down = rate.numerator, rate.denominator - rate.numerator
    small = -(-2 * people * up // rate.denominator) if 2 * up <= rate.denominator else None
    bits = BITS + (people * (rate.denominator // down).bit_length() if small is None else small)
    bits += 2 * people.bit_length() + 8
    weight, below = _power(1 - rate, people, bits), 0
    for v in range(threshold):
        below += weight
        weight = weight * (people - v) * up // ((v + 1) * down)
    return Fraction(max(0, (1 << bits) - below) >> (bits - BITS), ONE)


def expected(frequencies: Frequencies, chance: Callable[[int], Fraction]) -> Fraction:
    """Return the sum over all keys of a function of their frequency."""
    return sum((many * chance(frequency) for frequency, many in frequencies.keys_of), Fraction(0))


def shown(x: Fraction) -> str:
    """Return a short decimal of a number that is not a bound."""
    return decimal_lo(x, 6)
