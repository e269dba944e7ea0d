"""The ratio and the worst event of the theorems are those of sampled counts."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest

from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.sample_and_threshold.contact import binomial
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law

RATES = [Fraction(1, 10), Fraction(1, 2)]


def binomial_ratio(k: Fraction, v: Fraction, p: Fraction) -> Fraction:
    """Return k (1 - p)/(k - v), Pr[Bin(k, p) = v] over Pr[Bin(k - 1, p) = v], for v < k.

    Source: sample-and-threshold, Lemma 1, corrected.
    """
    return k * (1 - p) / (k - v)


def cut_off(E: Fraction, p: Fraction) -> Fraction:
    """Return q = 1 - (1 - p)/E: counts above k q are in the worst event.

    Source: sample-and-threshold, Section 3.1.
    """
    return 1 - (1 - p) / E


def _sampled(k: int, p: Fraction) -> Dist:
    return Dist.of({v: comb(k, v) * p**v * (1 - p) ** (k - v) for v in range(k + 1)})


@pytest.mark.parametrize("p", RATES)
def test_the_ratio_is_that_of_the_laws(p: Fraction) -> None:
    for k in range(1, 9):
        one_more, fewer = _sampled(k, p), _sampled(k - 1, p)
        for v in range(k):
            assert one_more.prob(v) == binomial_ratio(k, v, p) * fewer.prob(v)


@pytest.mark.parametrize("p", RATES)
@pytest.mark.parametrize("slack", [1, Fraction(3, 2), 4])
def test_the_worst_event_is_that_of_the_laws(p: Fraction, slack: Fraction) -> None:
    ratio = slack / (1 - p)
    q = cut_off(ratio, p)
    for tau in (1, 2, 3):
        law = sample_threshold_law(rate=p, threshold=tau)
        for k in range(1, 9):
            worst = [v for v in range(tau, k + 1) if v > k * q]
            excess = sum(_sampled(k, p).prob(v) - ratio * _sampled(k - 1, p).prob(v) for v in worst)
            assert hockey_stick(law(k), law(k - 1), ratio) == excess
            assert hockey_stick(law(k - 1), law(k), ratio) == 0


def test_tails_follow_the_last_trial() -> None:
    def tail(k: int, p: Fraction, tau: int) -> Fraction:
        return binomial(k, p).prob_of(lambda v: v > tau)

    for p, k, tau in product((Fraction(1, 10), Fraction(1, 2)), range(1, 9), range(1, 5)):
        assert tail(k + 1, p, tau) == p * tail(k, p, tau - 1) + (1 - p) * tail(k, p, tau)
