"""Ratios that are powers of one rational, and powers of polynomials. Exact composition rests on both."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from fractions import Fraction


def lattice(ratios: Sequence[Fraction]) -> tuple[Fraction, list[int]] | None:
    """Return (base, exponents) with base > 1 and ratios == base ** exponents; None where there is no such base.

    The base is the greatest possible; it is 2 where all ratios are 1. The result is None where there are no ratios.
    """
    others = {max(ratio, 1 / ratio) for ratio in ratios} - {1}
    base = _common_base(others) if others else Fraction(2)
    if base is None or not ratios:
        return None
    return base, [_exponent(ratio, base) for ratio in ratios]


def _common_base(ratios: Iterable[Fraction]) -> Fraction | None:
    """Return the greatest rational of which all of these, above 1, are powers; None where there is none."""
    base: Fraction | None = None
    for ratio in sorted(ratios):
        base = ratio if base is None else _euclid(base, ratio)
        if base is None:
            return None
    return base


def _euclid(a: Fraction, b: Fraction) -> Fraction | None:
    """Return the greatest rational of which a > 1 and b > 1 are powers, by Euclid's algorithm on the exponents.

    For two powers c^m and c^l with m >= l, the numerator and denominator of the quotient c^(m - l) are no longer than
    those of c^m. So a longer quotient shows that there is no such c.
    """
    while a != b:
        a, b = max(a, b), min(a, b)
        quotient = a / b
        if quotient.numerator > a.numerator or quotient.denominator > a.denominator:
            return None
        a = quotient
    return a


def _exponent(ratio: Fraction, base: Fraction) -> int:
    """Return e with base ** e == ratio, which exists.

    With b and r the bit lengths of the numerators, 2 ** (e (b - 1)) <= base ** e < 2 ** r, so no long power is tried.
    """
    if ratio < 1:
        return -_exponent(1 / ratio, base)
    size = (ratio.numerator.bit_length() - 1) // (base.numerator.bit_length() - 1) + 1
    return bisect_left(range(size), ratio.numerator, key=lambda e: base.numerator**e)


def polynomial_power(coefficients: Sequence[int], times: int) -> list[int]:
    """Return the coefficients of the polynomial's power; its lowest coefficient is not 0.

    From P Q' = n P' Q for Q = P^n: k a_0 c_k = sum over i >= 1 of (n i - k + i) a_i c_(k-i).
    """
    steps = [(i, a) for i, a in enumerate(coefficients) if i and a]
    lowest = coefficients[0]
    found = [lowest**times]
    for k in range(1, times * (len(coefficients) - 1) + 1):
        total = sum([(times * i - k + i) * a * found[k - i] for i, a in steps if i <= k])
        found.append(total // (k * lowest))
    return found
