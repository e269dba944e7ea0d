"""What the tests of error rates share: the rate that audits state, and the rate of the tests themselves."""

from fractions import Fraction
from math import comb

ALPHA = Fraction(1, 1000)
CONFIDENCE = Fraction(9, 10)


def most_wrong(repetitions: int, rate: Fraction) -> int:
    """Return the least count that Bin(repetitions, rate) exceeds with a chance of at most ALPHA."""
    weights = [comb(repetitions, j) * rate**j * (1 - rate) ** (repetitions - j) for j in range(repetitions + 1)]
    return next(count for count in range(repetitions + 1) if sum(weights[count + 1 :]) <= ALPHA)
