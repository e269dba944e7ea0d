"""The witnesses against sample-and-threshold, by hand, and the checks' own binomial against another one."""

from fractions import Fraction
from itertools import product

import pytest

from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law
from dpcert.proofs.sample_and_threshold.checks import sampling
from dpcert.proofs.sample_and_threshold.checks.sampling import binomial, exp_minus


@pytest.mark.parametrize(
    ("n", "p", "low", "high"), [(4, Fraction(1, 3), 2, 3), (5, Fraction(1, 10), 0, 0), (1, 1, 0, 1)]
)
def test_exact_twin_of_the_binomial_by_all_outcomes(n: int, p: Fraction, low: int, high: int) -> None:
    p = Fraction(p)
    total = Fraction(0)
    for people in product((0, 1), repeat=n):
        if low <= sum(people) <= high:
            total += p ** sum(people) * (1 - p) ** (n - sum(people))
    assert binomial(n, p, low, high) == total


def test_the_least_delta_of_one_person_is_the_chance_of_being_shown() -> None:
    law = sample_threshold_law(rate=Fraction(1, 20), threshold=1)
    assert law(1).prob(1) == Fraction(1, 20)
    assert law(0).prob(1) == 0
    assert sampling.needed(Fraction(1, 20), 1, Fraction(30, 19), 1) == Fraction(1, 20)
    assert sampling.upper_sum_of(Fraction(1, 20), 1, Fraction(199, 500), 1, strict=True) == 0


def test_the_excess_by_hand() -> None:
    # all eleven of eleven people at rate 1/11 are sampled: 1 + 9 * 1 are exceeded; e^-27 is smaller
    assert Fraction(1, 11**11) == Fraction(1, 285311670611)
    assert exp_minus(Fraction(27))[1] < Fraction(1, 11**11)


def test_the_omission_by_hand() -> None:
    # W p = 1/4 and tau = 1: (3/4)^2 / (1/2) = 9/8
    assert exp_minus(Fraction(9, 8))[1] < Fraction(3, 4)


def test_caught_bounds_of_the_exponential() -> None:
    lo, hi = exp_minus(Fraction(1))
    assert lo < hi < lo * (1 + Fraction(1, 2**60))
    # the alternating series of 1/e stops below after an odd number of terms
    below, term = Fraction(0), Fraction(1)
    for i in range(1, 21):
        below += term
        term = -term / i
    assert below < hi
    assert lo < below + abs(term)
