"""Rational bounds of natural logarithms and of square roots, in integers with directed rounding."""

from fractions import Fraction
from math import isqrt

from dpcert.mechanisms.exact.epsilon import Epsilon


def ln_bounds(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Return lo <= ln x <= hi for rational x > 0, with hi - lo <= (2 + |log2 x|) 2**-bits; equal for x = 1.

    With x = 2**k m and 1 <= m < 2, ln x = k ln 2 + ln m.
    """
    k = x.numerator.bit_length() - x.denominator.bit_length()
    k -= x < (Fraction(1 << k) if k >= 0 else Fraction(1, 1 << -k))
    width = bits + 16
    two_lo, two_hi = _ln_fixed(Fraction(2), width)
    m_lo, m_hi = _ln_fixed(x / (1 << k) if k >= 0 else x * (1 << -k), width)
    lo = k * (two_lo if k >= 0 else two_hi) + m_lo
    hi = k * (two_hi if k >= 0 else two_lo) + m_hi
    return Fraction(lo, 1 << width), Fraction(hi, 1 << width)


def _ln_fixed(m: Fraction, width: int) -> tuple[int, int]:
    """Return integers lo <= ln(m) 2**width <= hi for 1 <= m <= 2.

    ln m = 2 (y + y^3/3 + y^5/5 + ...) for y = (m - 1)/(m + 1) <= 1/3. Terms are rounded down for lo and up for hi;
    those after the last are together at most 9/8 of the power that comes next.
    """
    if m == 1:
        return 0, 0
    top, bottom = m.numerator - m.denominator, m.numerator + m.denominator
    bounds = []
    for up in (False, True):
        y = -(-(top << width) // bottom) if up else (top << width) // bottom
        square = -(-y * y >> width) if up else y * y >> width
        total, power, index = 0, y, 1
        while power > up:
            total += -(-power // index) if up else power // index
            power = -(-power * square >> width) if up else power * square >> width
            index += 2
        bounds.append(2 * (total + (2 * power if up else 0)))
    return bounds[0], bounds[1]


def epsilon_bounds(epsilon: Epsilon, bits: int) -> tuple[Fraction, Fraction]:
    """Return rational bounds of an epsilon as a number; equal where it is rational."""
    lo, hi = ln_bounds(epsilon.ratio, bits)
    return epsilon.rational + lo, epsilon.rational + hi


def root_bounds(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Return lo <= sqrt(x) <= hi for rational x >= 0, at most 2**-bits apart."""
    scaled = (x.numerator << 2 * bits) // x.denominator
    low = isqrt(scaled)
    exact = low * low * x.denominator == x.numerator << 2 * bits
    return Fraction(low, 1 << bits), Fraction(low + (not exact), 1 << bits)
