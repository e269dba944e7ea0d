"""The search behind docs/reference/mechanisms.md: Theorem 2 of sample-and-threshold beside the exact deltas."""

from fractions import Fraction

import pytest

from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law

RATES = [Fraction(text) for text in ("1/100", "1/20", "1/10", "1/5", "1/4", "1/2", "3/4")]
FACTORS = [Fraction(1), Fraction(11, 10), Fraction(2)]
KMAX = 60


def least_delta(rate: Fraction, threshold: int, ratio: Fraction) -> Fraction:
    """Return the least delta at e^epsilon = ratio for all neighbouring counts up to KMAX."""
    laws = [sample_threshold_law(rate=rate, threshold=threshold)(k) for k in range(KMAX + 1)]
    pairs = [(a, b) for k in range(KMAX) for a, b in ((k, k + 1), (k + 1, k))]
    return max(hockey_stick(laws[a], laws[b], ratio) for a, b in pairs)


def within(delta: Fraction, rate: Fraction, threshold: int, ratio: Fraction) -> bool:
    """Return whether delta <= exp(-(threshold/q) D(q||rate)), where (1 - rate) / (1 - q) = ratio."""
    q = 1 - (1 - rate) / ratio
    power = threshold * (1 - q) / q
    top, bottom = (delta / (rate / q) ** threshold).as_integer_ratio()  # at most ratio^power
    return top**power.denominator <= ratio**power.numerator * bottom**power.denominator


@pytest.mark.nightly
@pytest.mark.parametrize("rate", RATES, ids=str)
@pytest.mark.parametrize("threshold", [1, 2, 3, 5, 10, 20])
def test_no_count_up_to_60_needs_more_than_the_bound(rate: Fraction, threshold: int) -> None:
    for factor in FACTORS:
        ratio = factor / (1 - rate)
        assert within(least_delta(rate, threshold, ratio), rate, threshold, ratio)


def test_caught_a_delta_above_the_bound() -> None:
    """At rate 1/2, threshold 1 and e^epsilon = 4 the bound is (4/7) 4^(1/7), which is 0.6965..."""
    rate, ratio = Fraction(1, 2), Fraction(4)
    assert least_delta(rate, 1, ratio) == Fraction(1, 2)
    assert within(Fraction(6965, 10**4), rate, 1, ratio)
    assert not within(Fraction(6966, 10**4), rate, 1, ratio)
