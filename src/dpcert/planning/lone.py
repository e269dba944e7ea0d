"""Noise of any ratio within an epsilon, and how likely it shows a label that occurs once."""

from collections.abc import Callable
from fractions import Fraction
from math import ceil

from dpcert.mechanisms.decimals import decimal_hi
from dpcert.mechanisms.epsilons import at_most
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.exact.number import exact
from dpcert.planning.bisection import least
from dpcert.planning.fixed import power_bounds

PLACES, NEAR, MOST_RATIO = 16, 8, 1 << 16
"""The binary places of a ratio, the least number of them that stay exact, and the greatest ratio."""
DIGITS = 6
"""The digits of a delta that is computed."""
POWER_BITS = 1024
PEOPLE = 10**12
"""The greatest number of people by default: noisy counts are clamped there."""
TERMS = 10**4
"""Of how many values probabilities are summed one by one."""


def noise_ratio(epsilon: Epsilon, times: int) -> Fraction:
    """Return a short ratio r > 1 with r^times <= e^epsilon: a multiple of 2^-16, or of less where r is near 1.

    Claims: the next greater multiple has r^times above e^epsilon.
    Raises: InputError where there is none of 200 binary places.
    """

    def within(steps: int, places: int) -> bool:
        return at_most(Epsilon.ln((1 + Fraction(steps, 1 << places)) ** times), epsilon)

    # At least 2^NEAR steps above 1, so that rounding the ratio down loses less than one part in 2^NEAR of it.
    places = next((places for places in range(PLACES, 200) if within(1 << NEAR, places)), None)
    if places is None:
        raise InputError(given=f"epsilon = {epsilon}", needed="a greater one", remedy="write --epsilon 1")
    beyond = least(lambda steps: not within(steps, places), 1 << NEAR, MOST_RATIO << places)
    return 1 + Fraction((MOST_RATIO << places if beyond is None else beyond) - 1, 1 << places)


def lone_delta(people: int, ratio: Fraction, threshold: int) -> Fraction:
    """Return an upper bound of Pr[M(1) > threshold], which is ratio^-threshold / (1 + 1/ratio) below `people`."""
    if threshold >= people:
        return Fraction(0)
    return power_bounds(1 / ratio, threshold, POWER_BITS)[1] / (1 + 1 / ratio)


def least_lone(people: int, ratio: Fraction, delta: Fraction) -> int:
    """Return the least threshold at which `lone_delta` is at most delta, rounded up as a guarantee is."""
    found = least(lambda at: exact(decimal_hi(lone_delta(people, ratio, at), DIGITS), "delta") <= delta, 0, people)
    return people if found is None else found


def least_reported(ratio: Fraction, delta: Fraction, kept: Callable[[int], Fraction]) -> int:
    """Return the least threshold at which `reported_once` is at most delta."""
    found = least(lambda at: reported_once(ratio, at, kept) <= delta, 1, PEOPLE)
    return PEOPLE if found is None else found


def reported_once(ratio: Fraction, threshold: int, kept: Callable[[int], Fraction]) -> Fraction:
    """Return an upper bound of the probability that a key of frequency 1 is reported: the sum over values j from the
    threshold on of their probability times kept(j), summed by parts. Noise is clamped at PEOPLE, if at all.

    Requires: ratio > 1, threshold >= 1, kept non-decreasing.
    """
    alpha, before, total = 1 / ratio, Fraction(0), Fraction(0)
    at_least = ceil(lone_delta(PEOPLE, ratio, threshold - 1) * (1 << POWER_BITS))  # Pr[M(1) >= j], rounded up
    for j in range(threshold, threshold + TERMS):
        total += (kept(j) - before) * at_least
        before = kept(j)
        if before == 1:
            break
        at_least = at_least * alpha.numerator // alpha.denominator + 1
    return (total + (1 - before) * at_least) / (1 << POWER_BITS)
