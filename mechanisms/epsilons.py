"""The order of privacy parameters, and their multiples: exact, and needed by no verdict."""

from fractions import Fraction

from dpcert.mechanisms.exact.epsilon import Epsilon, exp_near, exp_power_of_two_lo
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import MAX_DIGITS, exact, ratio_text


def less(a: Epsilon, b: Epsilon) -> bool:
    """Whether a < b as numbers.

    Claims: decided exactly. Where the rational parts differ, e^(their difference) is transcendental (Lindemann)
            and never equals the quotient of the ratios, so that refinement ends.
    Raises: InputError unless both are epsilons.
    """
    for value in a, b:
        if type(value) is not Epsilon:
            given = f"an epsilon of type {type(value).__qualname__}"
            raise InputError(given=given, needed="an Epsilon", remedy="write Epsilon.of(...).")
    gap, ratio = b.rational - a.rational, a.ratio / b.ratio
    if gap == 0:
        return ratio < 1
    return _below_exp(ratio, gap) if gap > 0 else not _below_exp(1 / ratio, -gap)


def at_most(a: Epsilon, b: Epsilon) -> bool:
    """Whether a <= b as numbers.

    Raises: InputError unless both are epsilons.
    """
    return not less(b, a)


def scaled(epsilon: Epsilon, k: int) -> Epsilon:
    """The epsilon of k-fold composition: k times this one.

    Raises: InputError unless k is an int >= 0 and the result is within 100,000 digits, decided by bit lengths:
            r**k has more than k * (bits(r) - 1) bits.
    """
    name, bits = "the multiple of epsilon", epsilon.ratio.numerator.bit_length() - 1
    times = exact(k, name)
    given = f"{name} = {ratio_text(times).removesuffix('/1')}"
    if times < 0:
        raise InputError(given=given, needed="at least 0", remedy="write such a number.")
    if type(k) is not int:
        raise InputError(given=given, needed="an int", remedy="write int(x).")
    if k * bits > 4 * MAX_DIGITS:
        needed = f"a k with r**k of at most {MAX_DIGITS:,} digits, where r >= 2**{bits}"
        raise InputError(given=given, needed=needed, remedy="write a rational epsilon in place of the logarithm.")
    return Epsilon(epsilon.rational * k, epsilon.ratio**k)


def _below_exp(s: Fraction, x: Fraction) -> bool:
    """Whether s < e^x, for rational s > 0 and x > 0; they are never equal, so refinement ends."""
    bits_hi = s.numerator.bit_length() - s.denominator.bit_length() + 1
    if exp_power_of_two_lo(x) >= bits_hi:
        return True
    bits = 64
    while True:
        lo, hi, width = exp_near(x, bits)
        shifted = s.numerator << width
        if shifted <= lo * s.denominator:
            return True
        if shifted >= hi * s.denominator:
            return False
        bits *= 2
