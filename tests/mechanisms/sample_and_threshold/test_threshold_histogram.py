"""Sample-and-threshold over many bins against every subset of the people, and what one bin needs."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import comb, prod
from typing import Any

import pytest

from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.audit.kernel.examine import Refuted, Verified
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import THRESHOLD_HISTOGRAM, threshold_histogram
from dpcert.reading.paths.enumerator import enumerate_law

from ..histograms import Law, built, held

THRESHOLDS = [
    {"rate": "1/10", "threshold": "1", "universe": "3", "n": "2"},
    {"rate": "1/3", "threshold": "2", "universe": "2", "n": "3"},
    {"rate": "3/4", "threshold": "2", "universe": "1", "n": "5"},
    {"rate": "1/2", "threshold": "3", "universe": "2", "n": "4"},
]


def by_subsets(people: Sequence[int], rate: Fraction, threshold: int) -> Law:
    """Sum over every subset of the people that may be sampled."""
    law: Law = {}
    for taken in product((False, True), repeat=len(people)):
        sampled = [x for x, is_taken in zip(people, taken, strict=True) if is_taken]
        outcome = tuple((x, sampled.count(x)) for x in sorted(set(sampled)) if sampled.count(x) >= threshold)
        p = prod((rate if is_taken else 1 - rate for is_taken in taken), start=Fraction(1))
        law[outcome] = law.get(outcome, Fraction(0)) + p
    return law


# Sample-and-threshold over many bins
@pytest.mark.points(2)
@pytest.mark.parametrize("settings", THRESHOLDS, ids=str)
def test_twin_the_sample_threshold_histogram_by_all_subsets(settings: dict[str, str]) -> None:
    rate, threshold = Fraction(settings["rate"]), int(settings["threshold"])
    held(built(THRESHOLD_HISTOGRAM, settings), lambda people: by_subsets(people, rate, threshold))


@pytest.mark.points(1)
@pytest.mark.parametrize("settings", THRESHOLDS, ids=str)
def test_the_sample_threshold_histogram_needs_what_one_bin_needs(audit: Any, settings: dict[str, str]) -> None:
    report = audit(THRESHOLD_HISTOGRAM, settings)
    assert isinstance(report.verdict, Verified)
    rate, threshold, n = Fraction(settings["rate"]), int(settings["threshold"]), int(settings["n"])
    laws = [sample_threshold_law(rate=rate, threshold=threshold)(count) for count in range(n + 1)]
    needed = max(hockey_stick(p, q, 2 / (1 - rate)) for a, b in pairwise(laws) for p, q in ((a, b), (b, a)))
    assert report.delta_lo == report.delta_hi == needed
    below = audit(THRESHOLD_HISTOGRAM, settings, delta=needed - Fraction(1, 10**40))
    assert isinstance(below.verdict, Refuted)


def test_twin_a_larger_sample_threshold_histogram() -> None:
    """Twelve people of three labels: the states of the fold, and the product of binomials."""
    people, rate = [0] * 6 + [1] * 4 + [2] * 2, Fraction(1, 5)
    law = enumerate_law(threshold_histogram(rate=rate, threshold=3, universe=3), people).law
    for v, w in product(range(3, 7), range(3, 5)):
        p = comb(6, v) * rate**v * (1 - rate) ** (6 - v) * comb(4, w) * rate**w * (1 - rate) ** (4 - w)
        assert law.prob(((0, v), (1, w))) == p
    assert len(law) == 5 * 3
