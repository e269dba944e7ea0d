"""Sample-and-threshold against all subsets of the people, Pascal's recurrence, and Theorem 2 by mpmath."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from math import floor
from typing import Any

import mpmath
import pytest

from dpcert import Dist, Epsilon, Verified
from dpcert.mechanisms.sample_and_threshold.sample_threshold import (
    SAMPLE_THRESHOLD,
    kl_delta,
    sample_threshold,
    sample_threshold_law,
)
from dpcert.reading.paths.enumerator import enumerate_law

Law = dict[int, Fraction]
Excess = Callable[[Law, Law, Fraction], Fraction]

RATES = [Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(3, 4)]
DELTA_RATES = [Fraction(1, 1000), Fraction(3, 200), Fraction(1, 10), Fraction(1, 2), Fraction(99, 100)]


def law_by_subsets(count: int, rate: Fraction, threshold: int) -> Law:
    """Sum over every subset of the people that may be sampled."""
    law: Law = {}
    for sampled in product((False, True), repeat=count):
        probability = Fraction(1)
        for taken in sampled:
            probability *= rate if taken else 1 - rate
        reported = sum(sampled) if sum(sampled) >= threshold else 0
        law[reported] = law.get(reported, Fraction(0)) + probability
    return law


def laws_by_recurrence(greatest: int, rate: Fraction, threshold: int) -> list[Law]:
    """Add one person at a time, and apply the threshold to each count's law."""
    laws, sampled = [], [Fraction(1)]
    for _ in range(greatest + 1):
        law = {0: sum(sampled[:threshold], Fraction(0))}
        law.update({v: p for v, p in enumerate(sampled) if v >= threshold})
        laws.append(law)
        kept, taken = [*sampled, Fraction(0)], [Fraction(0), *sampled]
        sampled = [(1 - rate) * a + rate * b for a, b in zip(kept, taken, strict=True)]
    return laws


def printed_delta(rate: Fraction, threshold: int, ratio: Fraction) -> mpmath.mpf:
    """The delta of Theorem 2 as printed, exp(-(threshold/q) D(q||p)), at the precision in force."""
    p, e = (mpmath.mpf(x.numerator) / x.denominator for x in (rate, ratio))
    q = 1 - (1 - p) / e
    divergence = q * mpmath.log(q / p)
    if q < 1:
        divergence += (1 - q) * mpmath.log((1 - q) / (1 - p))
    return mpmath.exp(-threshold / q * divergence)


@pytest.mark.points(2)
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("threshold", [1, 2, 3, 7])
def test_twin_program_closed_form_and_all_subsets(rate: Fraction, threshold: int) -> None:
    program = sample_threshold(rate=rate, threshold=threshold)
    closed_form = sample_threshold_law(rate=rate, threshold=threshold)
    for count in range(8):
        law = enumerate_law(program, count).law
        assert law == closed_form(count)
        assert dict(law.items()) == law_by_subsets(count, rate, threshold)


@pytest.mark.points(1)
@pytest.mark.parametrize("rate", RATES)
def test_twin_thirty_people_by_recurrence(rate: Fraction) -> None:
    program = sample_threshold(rate=rate, threshold=10)
    closed_form = sample_threshold_law(rate=rate, threshold=10)
    for count, expected in enumerate(laws_by_recurrence(30, rate, 10)):
        assert Dist.of(expected) == closed_form(count)
    found = enumerate_law(program, 30)
    assert found.law == closed_form(30)
    assert found.leaves == 31


@pytest.mark.parametrize("rate", DELTA_RATES)
@pytest.mark.parametrize("threshold", [1, 2, 10, 100])
def test_twin_delta_is_theorem_2_rounded_up_at_high_precision(rate: Fraction, threshold: int) -> None:
    least = 1 / (1 - rate)
    for ratio in (least, least * Fraction(11, 10), 2 * least, 50 * least):
        delta = kl_delta(rate=rate, threshold=threshold, ratio=ratio)
        with mpmath.workdps(400):
            true = printed_delta(rate, threshold, ratio)
            found = mpmath.mpf(delta.numerator) / delta.denominator
            assert true <= found < true * (1 + mpmath.mpf(10) ** -5)


def test_delta_has_at_most_six_significant_digits_and_never_exceeds_one() -> None:
    for rate in DELTA_RATES:
        for threshold in (1, 3, 30):
            delta = kl_delta(rate=rate, threshold=threshold, ratio=2 / (1 - rate))
            assert 0 < delta <= 1
            digits = delta
            while digits < 10**5:
                digits *= 10
            assert digits.denominator == 1


def test_a_delta_out_of_reach_is_bounded_by_e_to_the_minus_ten_thousand() -> None:
    delta = kl_delta(rate=Fraction(1, 10**6), threshold=10**6, ratio=Fraction(2))
    with mpmath.workdps(50):
        floor = mpmath.exp(-10_000)
        assert floor <= mpmath.mpf(delta.numerator) / delta.denominator < floor * (1 + mpmath.mpf(10) ** -5)


@pytest.mark.usefixtures("at_once")
def test_a_long_rate_and_a_great_threshold_build_at_once() -> None:
    SAMPLE_THRESHOLD.build(SAMPLE_THRESHOLD.settings({"rate": "0.123456789123456789", "threshold": "1000000"}))


@pytest.mark.parametrize("rate", ["1/1000", "1/10", "1/2", "0.9", "999/1000"])
def test_the_default_claim_meets_the_condition_of_theorem_2(rate: str) -> None:
    """e^-epsilon <= 1 - p, as epsilon = ln(1/(1-p)) + ln 2."""
    instance = SAMPLE_THRESHOLD.build(SAMPLE_THRESHOLD.settings({"rate": rate}))
    assert instance.epsilon == Epsilon.ln(1 / (1 - Fraction(rate))) + Epsilon.ln(2)
    ratio = instance.epsilon.exp_bounds(64)[0]
    assert 1 / ratio <= 1 - Fraction(rate)
    assert instance.delta == kl_delta(rate=Fraction(rate), threshold=10, ratio=ratio)


def least_deltas(rate: Fraction, threshold: int, kmax: int, ratio: Fraction, excess: Excess) -> list[Fraction]:
    """Return the least delta at e^epsilon = ratio of each pair (k, k + 1), over both orders."""
    laws = laws_by_recurrence(kmax, rate, threshold)
    return [max(excess(p, q, ratio), excess(q, p, ratio)) for p, q in pairwise(laws)]


def test_the_default_scope_contains_the_worst_pair(excess: Excess) -> None:
    """The proof's worst count is threshold/q = 16.8; least deltas rise up to 16 people, then they fall."""
    rate, threshold = Fraction(1, 10), 10
    ratio = 2 / (1 - rate)
    deltas = least_deltas(rate, threshold, 60, ratio, excess)
    worst = deltas.index(max(deltas))
    assert worst + 1 == floor(threshold / (1 - (1 - rate) / ratio)) == 16
    assert deltas[: worst + 1] == sorted(deltas[: worst + 1])
    assert deltas[worst:] == sorted(deltas[worst:], reverse=True)
    assert 0 < deltas[worst] < kl_delta(rate=rate, threshold=threshold, ratio=ratio)


@pytest.mark.nightly
def test_verified_at_the_default_claim_with_the_least_delta_of_the_recurrence(audit: Any, excess: Excess) -> None:
    report = audit(SAMPLE_THRESHOLD, {})
    assert isinstance(report.verdict, Verified)
    assert report.pairs == 60
    deltas = least_deltas(Fraction(1, 10), 10, 30, Fraction(20, 9), excess)
    assert report.delta_lo == report.delta_hi == max(deltas)
    assert report.unreached is None


@pytest.mark.points(1)
@pytest.mark.parametrize("rate", ["1/20", "1/3", "3/4"])
@pytest.mark.parametrize("threshold", ["1", "2", "6"])
def test_verified_around_the_worst_count_of_other_parameters(audit: Any, rate: str, threshold: str) -> None:
    settings = {"rate": rate, "threshold": threshold, "kmax": str(3 * int(threshold))}
    report = audit(SAMPLE_THRESHOLD, settings)
    assert isinstance(report.verdict, Verified)
    assert 0 < report.delta_hi < kl_delta(rate=Fraction(rate), threshold=int(threshold), ratio=2 / (1 - Fraction(rate)))
