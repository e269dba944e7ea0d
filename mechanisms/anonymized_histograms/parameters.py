"""The parameters that PrivHist computes, exactly, from the noisy total: threshold T, fakes M, boundaries S."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import isqrt

from dpcert.mechanisms.bisecting import least
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.logarithm import ln_bounds

MOST = 10**7
"""The greatest T and M that are supported."""
_DIGITS = 16
_FIXED = 64


def share(epsilon: Epsilon) -> Fraction:
    """Return a rational r > 1 with r^3 <= e^epsilon: each of the three steps of PrivHist has epsilon ln r.

    Where e^epsilon is the cube of a rational, r is its root and r^3 = e^epsilon; else r is the greatest multiple of
    2^-16 with r^3 at most a lower bound of e^epsilon.

    Source: anonymized-histograms, PrivHist, parameters epsilon_1 = epsilon_2 = epsilon_3 = epsilon / 3.
    Raises: InputError where no such multiple is above 1: epsilon below about 3 * 2^-16.
    """
    lo, hi = epsilon.exp_bounds(4 * _DIGITS)
    if lo == hi:
        root = Fraction(_cube_root(lo.numerator), _cube_root(lo.denominator))
        if root**3 == lo and root > 1:
            return root
    found = Fraction(_cube_root((lo.numerator << 3 * _DIGITS) // lo.denominator), 1 << _DIGITS)
    if found <= 1:
        needed = f"an epsilon of which e^(epsilon/3) is at least 1 + 2^-{_DIGITS}"
        raise InputError(given=f"epsilon={epsilon}", needed=needed, remedy="raise epsilon")
    return found


def _cube_root(x: int) -> int:
    """Return the greatest integer whose cube is at most x, for x >= 0."""
    return least(1, 1 << (x.bit_length() // 3 + 1), lambda root: root**3 > x) - 1


def is_low_privacy(ratio: Fraction) -> bool:
    """Whether epsilon = 3 ln(ratio) > 1, so that PrivHist ends with steps L1 to L4."""
    return _decided(lambda bits: _compare(tuple(3 * bound for bound in ln_bounds(ratio, bits)), Fraction(1)))


def threshold(total: int, ratio: Fraction) -> int:
    """Return T, the least integer with T^2 >= N min(epsilon, 1), for N = `total` and epsilon = 3 ln(ratio).

    Requires: total >= 1, ratio > 1.
    Claims:   exact. An epsilon <= 1 is the logarithm of a rational other than 1, and so irrational: the two sides are
              never equal, and refinement ends.
    Source:   anonymized-histograms, PrivHist, step 2.
    Raises:   InputError for T > MOST.
    """
    if is_low_privacy(ratio):
        least = isqrt(total - 1) + 1
    else:
        least = _least_above_root(lambda bits: _times(ln_bounds(ratio, bits), 3 * total))
    if least > MOST:
        raise InputError(given=f"T = {least} for N={total}", needed=f"T <= {MOST}", remedy="release fewer people")
    return least


def top_threshold(total: int, ratio: Fraction) -> int:
    """Return T', the least integer with T'^2 >= 100 N / epsilon_3^3, for epsilon_3 = ln(ratio).

    Requires: total >= 1, ratio > 1.
    Source:   anonymized-histograms, step H2(a).
    """

    def square(bits: int) -> tuple[Fraction, Fraction]:
        lo, hi = ln_bounds(ratio, bits)
        return 100 * total / hi**3, 100 * total / lo**3

    return _least_above_root(square)


def fakes(total: int, ratio: Fraction) -> int:
    """Return M, the least integer with M epsilon_2 >= max(2 ln(N e^epsilon_2), 1), for epsilon_2 = ln(ratio).

    Requires: total >= 1, ratio > 1.
    Claims:   exact: ratio^M >= N^2 ratio^2, compared in integers where bounds of logarithms do not separate the two;
              and M ln(ratio) >= 1, which is never an equation.
    Source:   anonymized-histograms, PrivHist, step 2.
    Raises:   InputError for M > MOST.
    """
    if not _enough(MOST, total, ratio):
        given = f"M > {MOST} for N={total} and e^epsilon_2 = {ratio}"
        raise InputError(given=given, needed=f"at most {MOST} fake elements", remedy="raise epsilon")
    low, high = 0, 1
    while not _enough(high, total, ratio):
        low, high = high, min(2 * high, MOST)
    return least(low + 1, high, lambda many: _enough(many, total, ratio))


def _enough(many: int, total: int, ratio: Fraction) -> bool:
    """Whether many ln(ratio) >= 1 and (many - 2) ln(ratio) >= 2 ln(total)."""
    if not _decided(lambda bits: _compare(_times(ln_bounds(ratio, bits), many), Fraction(1))):
        return False
    if total == 1:
        return many >= 2
    (lo, hi), (least, most) = _times(ln_bounds(ratio, 64), many - 2), _times(ln_bounds(Fraction(total), 64), 2)
    if many < 2 or hi < least:
        return False
    return lo >= most or ratio ** (many - 2) >= total**2


def boundaries(total: int, ratio: Fraction, large: Iterable[int]) -> list[int]:
    """Return the boundaries S in ascending order, for N = `total`, epsilon_3 = ln(ratio) and the noisy large counts.

    S is {1, ..., T}, the floors of T (1 + q)^i from T to T', the large counts from T' on, and 2N, without boundaries
    above 2N, since step H1 leaves no count there. q = sqrt(ln(1/epsilon_3) / (N epsilon_3)) and the powers are rounded
    down to 64 binary places: privacy needs only that S is a function of N and the noisy counts.

    Requires: total >= 1, 1 < ratio and 3 ln(ratio) <= 1.
    Claims:   a function of earlier releases; at most T + log(T'/T) / log(1 + q) + 1 boundaries, and one for each large
              count.
    Source:   anonymized-histograms, step H2.
    """
    low, top, most = threshold(total, ratio), top_threshold(total, ratio), 2 * total
    small = ln_bounds(ratio, _FIXED)[0]
    square = ln_bounds(1 / small, _FIXED)[0] / (total * small)
    step = isqrt((square.numerator << 2 * _FIXED) // square.denominator)
    marks = {*range(1, low + 1), most}
    place = low << _FIXED
    while place >> _FIXED <= min(top, most):
        marks.add(place >> _FIXED)
        place += max(place * step >> _FIXED, 1)
    return sorted(marks.union(count for count in large if top <= count <= most))


def _least_above_root(square: Callable[[int], tuple[Fraction, Fraction]]) -> int:
    """Return the least integer whose square is at least the bounded number; more bits tighten its bounds."""
    bits = 64
    while True:
        lo, hi = (isqrt(-(-bound.numerator // bound.denominator) - 1) + 1 for bound in square(bits))
        if lo == hi:
            return lo
        bits *= 2


def _times(bounds: tuple[Fraction, Fraction], factor: int) -> tuple[Fraction, Fraction]:
    lo, hi = bounds[0] * factor, bounds[1] * factor
    return (lo, hi) if factor >= 0 else (hi, lo)


def _compare(bounds: tuple[Fraction, ...], value: Fraction) -> bool | None:
    """Whether the bounded number is above a value; None where the bounds do not decide it."""
    if bounds[0] > value:
        return True
    return False if bounds[1] < value else None


def _decided(answer: Callable[[int], bool | None]) -> bool:
    """Return the first answer that is not None, for more and more bits."""
    bits = 64
    while (decision := answer(bits)) is None:
        bits *= 2
    return decision
