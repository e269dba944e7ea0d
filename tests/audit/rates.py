"""Helpers of the tests of error rates: the rate that audits state, that of the tests themselves, and a sampler."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from dpcert.audit.sampling.failures import Failures
from dpcert.audit.sampling.sampler import Sampler

ALPHA = Fraction(1, 1000)
CONFIDENCE = Fraction(9, 10)


def most_wrong(repetitions: int, rate: Fraction) -> int:
    """Return the least count that Bin(repetitions, rate) exceeds with a chance of at most ALPHA."""
    weights = [comb(repetitions, j) * rate**j * (1 - rate) ** (repetitions - j) for j in range(repetitions + 1)]
    return next(count for count in range(repetitions + 1) if sum(weights[count + 1 :]) <= ALPHA)


def from_function(function: Callable[[Any], Any], inputs: Sequence[Any]) -> Sampler:
    """Return a sampler of a function of the input alone, whose randomness is its own."""
    failures = Failures(inputs)
    return lambda position: failures.run(position, function)
