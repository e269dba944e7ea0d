"""Symmetric properties from prevalences: values against their definitions, the Lipschitz factor, the empty total."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from math import log

import pytest

from dpcert.mechanisms.anonymized_histograms.symmetric import (
    LinearEstimator,
    accounts_exposed,
    distance_to_uniformity,
    entropy_lo,
    private_estimate,
    rarefied_coverage,
    smoothed_coverage,
    support_share,
)
from dpcert.mechanisms.exact.errors import InputError

HISTOGRAMS = [counts for width in range(1, 4) for counts in product(range(1, 5), repeat=width)]


def prevalences(counts: tuple[int, ...]) -> list[tuple[int, int]]:
    return sorted(Counter(counts).items())


@pytest.mark.parametrize("counts", HISTOGRAMS)
def test_twin_estimates_equal_the_properties_of_the_sample_label_by_label(counts: tuple[int, ...]) -> None:
    n, labels = sum(counts), 5
    seen = prevalences(counts)
    shares = [Fraction(count, n) for count in counts] + [Fraction(0)] * (labels - len(counts))
    even = Fraction(1, labels)
    assert distance_to_uniformity(labels=labels).estimate(seen, n) == sum(abs(share - even) for share in shares)
    assert support_share(labels=labels).estimate(seen, n) == Fraction(len(counts), labels)
    entropy = sum(float(share) * log(1 / share) for share in shares if share)
    assert entropy_lo().estimate(seen, n) == pytest.approx(entropy, abs=1e-14)
    assert entropy_lo(bits=8).estimate(seen, n) <= entropy_lo(bits=60).estimate(seen, n)
    assert rarefied_coverage(size=n).estimate(seen, n) == Fraction(len(counts), n)


def test_twin_smoothing_up_to_a_cut_with_every_tail_one_is_good_and_toulmin() -> None:
    """At factor 1 and a cut of 1, a label seen once stands for 1 + 1/2: of the one more, a half is kept."""
    smoothed = smoothed_coverage(factor=Fraction(1), cut=1)
    assert smoothed.coefficient(1, 10) == Fraction(3, 2) / 20
    assert smoothed.coefficient(2, 10) == Fraction(1, 20)
    assert (
        smoothed_coverage(factor=Fraction(1, 2), cut=2).coefficient(2, 10) == (1 - Fraction(1, 4) * Fraction(4, 9)) / 15
    )


@pytest.mark.parametrize(
    "estimator",
    [entropy_lo(), support_share(labels=4), distance_to_uniformity(labels=3), rarefied_coverage(size=2)],
    ids=lambda estimator: estimator.name,
)
def test_twin_the_lipschitz_factor_is_the_greatest_step(estimator: LinearEstimator) -> None:
    n, largest = 6, 6
    values = [Fraction(0), *(estimator.coefficient(r, n) for r in range(1, largest + 1))]
    assert estimator.lipschitz(n, largest=largest) == max(abs(b - a) for a, b in pairwise(values))


def test_an_empty_total_gives_zero_and_any_other_the_estimate() -> None:
    estimator = distance_to_uniformity(labels=2)
    assert private_estimate(estimator, [(1, 2)], 0) == 0
    assert private_estimate(estimator, [(1, 2)], 2) == estimator.estimate([(1, 2)], 2) == 0
    assert private_estimate(estimator, [], 7) == 1


def test_refused_totals() -> None:
    with pytest.raises(InputError, match="total of -1"):
        private_estimate(support_share(labels=2), [(1, 1)], -1)
    with pytest.raises(InputError, match="at least one sample"):
        support_share(labels=2).estimate([(1, 1)], 0)


@pytest.mark.parametrize("counts", HISTOGRAMS[:40])
def test_twin_exposed_accounts_are_the_sum_of_the_largest_counts(counts: tuple[int, ...]) -> None:
    for guesses in range(5):
        assert accounts_exposed(prevalences(counts), guesses) == sum(sorted(counts, reverse=True)[:guesses])
