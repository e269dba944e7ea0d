"""The arithmetic on sampled counts is that of the mechanism's cut-off and of binomial tails."""

from fractions import Fraction
from itertools import product

from dpcert.mechanisms.sample_and_threshold.contact import binomial
from dpcert.proofs.sample_and_threshold.theorems.arithmetic import cut_off, pruned_error


def test_the_arithmetic_is_that_of_the_mechanism() -> None:
    for p, y in product((Fraction(1, 20), Fraction(1, 2)), (Fraction(1, 3), Fraction(9, 10))):
        assert cut_off(p, y) == 1 - y * (1 - p)
    assert pruned_error(Fraction(1), 10**6, 10, 2, 10) == Fraction(10**4, 10**6)


def test_tails_follow_the_last_trial() -> None:
    def tail(k: int, p: Fraction, tau: int) -> Fraction:
        return binomial(k, p).prob_of(lambda v: v > tau)

    for p, k, tau in product((Fraction(1, 10), Fraction(1, 2)), range(1, 9), range(1, 5)):
        assert tail(k + 1, p, tau) == p * tail(k, p, tau - 1) + (1 - p) * tail(k, p, tau)
