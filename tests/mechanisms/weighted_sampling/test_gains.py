"""Expected reports: Zipf's law by counting keys, the baseline by sums, and partition selection by its recurrence."""

import math
from fractions import Fraction

import mpmath
import pytest

from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.finite_computers.geometric import geometric_law
from dpcert.mechanisms.weighted_sampling import gains
from dpcert.mechanisms.weighted_sampling.partition_selection import keep_probability
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities
from dpcert.mechanisms.weighted_sampling.sbh import sbh_law

RATIOS = [Fraction(11, 10), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(10)]
DELTAS = [Fraction(1), Fraction(9, 10), Fraction(1, 2), Fraction(1, 3), Fraction(1, 7), Fraction(1, 100)]


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("delta", DELTAS)
def test_twin_partition_selection_is_algorithm_3_without_sampling(ratio: Fraction, delta: Fraction) -> None:
    expected = [0, *reporting_probabilities(q=[Fraction(1)] * 60, ratio=ratio, delta=delta)]
    assert [keep_probability(people=n, ratio=ratio, delta=delta) for n in range(61)] == expected


@pytest.mark.parametrize(("people", "ratio", "delta"), [(-1, 2, "1/2"), (1, 1, "1/2"), (1, 2, "0"), (1, 2, "2")])
def test_refused_partition_selection(people: int, ratio: int, delta: str) -> None:
    with pytest.raises(InputError, match="ratio > 1"):
        keep_probability(people=people, ratio=Fraction(ratio), delta=Fraction(delta))


@pytest.mark.parametrize(("keys", "most"), [(1, 1), (7, 3), (100, 12), (1000, 50)])
@pytest.mark.parametrize("alpha", [1, 2])
def test_twin_zipf_frequencies_by_counting(keys: int, most: int, alpha: int) -> None:
    listed = [keys**alpha // r**alpha for r in range(1, keys + 1)]
    expected = [*(listed.count(j) for j in range(1, most)), sum(j >= most for j in listed)]
    assert gains.zipf_frequencies(keys=keys, alpha=Fraction(alpha), most=most) == expected


def test_twin_zipf_frequencies_with_a_root_by_counting() -> None:
    listed = [math.isqrt(500 // r) for r in range(1, 501)]  # floor(sqrt(x)) = isqrt(floor(x))
    expected = [*(listed.count(j) for j in range(1, 9)), sum(j >= 9 for j in listed)]
    assert gains.zipf_frequencies(keys=500, alpha=Fraction(1, 2), most=9) == expected


def test_refused_zipf() -> None:
    for keys, alpha, most in ((0, 1, 1), (1, 0, 1), (1, 1, 0)):
        with pytest.raises(InputError, match="alpha > 0"):
            gains.zipf_frequencies(keys=keys, alpha=Fraction(alpha), most=most)


def test_twin_expected_reports_by_hand() -> None:
    shares = [Fraction(1, 10), Fraction(1, 2), Fraction(1)]
    assert gains.expected_reports(frequencies=[10, 0, 3], probabilities=shares) == 4


@pytest.mark.parametrize("delta", ["1", "1/2", "1/10", "1/1000"])
def test_twin_laplace_reporting_by_mpmath(delta: str) -> None:
    """The distribution function of Laplace noise of scale 1/epsilon at T - i, with epsilon = ln(3/2)."""
    with mpmath.workdps(40):
        epsilon = mpmath.log(mpmath.mpf(3) / 2)
        threshold = 1 + mpmath.log(1 / mpmath.mpf(Fraction(delta).numerator) * Fraction(delta).denominator) / epsilon
        for i, found in enumerate(gains.laplace_reporting(imax=30, ratio=Fraction(3, 2), delta=Fraction(delta)), 1):
            x = threshold - i
            above = mpmath.exp(-epsilon * x) / 2 if x >= 0 else 1 - mpmath.exp(epsilon * x) / 2
            assert abs(mpmath.mpf(found.numerator) / found.denominator - above) < mpmath.mpf(10) ** -30


@pytest.mark.parametrize("text", ["1", "1/3, 1/3, 1", "priority:1/9"])
@pytest.mark.parametrize("threshold", [1, 4, 12])
def test_twin_sampled_reporting_is_the_clamped_law_where_the_rate_is_constant_beyond(text: str, threshold: int) -> None:
    ratio, q = Fraction(3, 2), sampling_probabilities(text, 12)
    law = sbh_law(threshold=threshold, law=geometric_law(n=40, ratio=ratio), q=[*q, *[q[-1]] * 28])
    expected = [1 - law(i).prob(0) for i in range(1, 13)]
    assert gains.sampled_reporting(q=q, imax=12, ratio=ratio, threshold=threshold) == expected


def test_refused_too_few_rates() -> None:
    for imax, threshold, ratio in ((4, 1, 2), (3, 4, 2), (3, 1, 1), (3, 0, 2)):
        with pytest.raises(InputError, match="as many rates"):
            gains.sampled_reporting(q=[Fraction(1)] * 3, imax=imax, ratio=Fraction(ratio), threshold=threshold)
