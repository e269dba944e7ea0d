"""The expected error, enclosed: nested bounds, a plain sum over noises, and the shipped sampler's mean."""

from fractions import Fraction
from itertools import pairwise, product
from math import sqrt
from statistics import fmean, stdev

import pytest

from dpcert import InputError, seeded_coins
from dpcert.mechanisms.anonymized_histograms.expected_error import expected_error, smoothing_error
from dpcert.mechanisms.anonymized_histograms.moments import GeometricMoments
from dpcert.mechanisms.anonymized_histograms.parameters import boundaries, fakes, threshold
from dpcert.mechanisms.anonymized_histograms.partitions import Counts, histograms, prevalences
from dpcert.mechanisms.anonymized_histograms.postprocess import high_privacy_histogram, low_privacy_histogram
from dpcert.mechanisms.anonymized_histograms.smoothing import smoothed
from dpcert.mechanisms.anonymized_histograms.succinct import compact_distance, privhist_sampler, split

RATIO = Fraction(64)


def plain_sum(counts: Counts, ratio: Fraction, reach: int) -> Fraction:
    """The error of every vector of noises, one by one, times its probability."""
    h, n, moments = prevalences(counts), sum(counts), GeometricMoments(1 / ratio)
    total = moments.at_least(n) * n
    for shift in range(-n + 1, reach + 1):
        limit, made = threshold(n + shift, ratio), fakes(n + shift, ratio)
        for moved in range(-reach, reach + 1):
            small, large = split(h, limit=limit, made=made, shift=moved)
            above = [r for r, many in large for _ in range(many)]
            left = reach - abs(shift) - abs(moved)
            for noises in product(range(-left, left + 1), repeat=len(small) + len(above)):
                if sum(map(abs, noises)) > left:
                    continue
                mass = moments.mass(shift) * moments.mass(moved)
                for z in noises:
                    mass *= moments.mass(z)
                noisy = [x + z for x, z in zip(small, noises, strict=False)]
                counted = [x + z for x, z in zip(above, noises[len(small) :], strict=True)]
                released = low_privacy_histogram(noisy, counted, threshold=limit, fakes=made)
                total += mass * compact_distance(h, released)
    return total


@pytest.mark.parametrize("counts", [(), (1,), (2,), (1, 1)])
def test_twin_the_lower_bound_is_the_sum_over_noises_one_by_one(counts: Counts) -> None:
    assert expected_error(counts, RATIO, reach=2)[0] == plain_sum(counts, RATIO, 2)


@pytest.mark.points(1)
@pytest.mark.parametrize("counts", list(histograms(3)))
def test_twin_a_greater_reach_encloses_within_the_bounds_of_a_lesser(counts: Counts) -> None:
    bounds = [expected_error(counts, RATIO, reach=reach) for reach in (3, 4, 6)]
    for (lo, hi), (lo_next, hi_next) in pairwise(bounds):
        assert lo <= lo_next <= hi_next <= hi
    assert bounds[-1][1] - bounds[-1][0] < Fraction(1, 500)


@pytest.mark.points(1)
@pytest.mark.parametrize("counts", [(1,), (2, 1), (3, 1, 1)])
def test_rate_the_sampler_has_the_expected_error(counts: Counts) -> None:
    """Six standard errors of 1,000 seeded releases: alpha below 1e-8."""
    lo, hi = expected_error(counts, RATIO, reach=5)
    h, release, coins = prevalences(counts), privhist_sampler(ratio=RATIO), seeded_coins(11)
    errors = [compact_distance(h, release(h, coins)[0]) for _ in range(1000)]
    slack = 6 * stdev(errors) / sqrt(len(errors))
    assert float(lo) - slack <= fmean(errors) <= float(hi) + slack


def test_twin_smoothing_is_the_sum_over_noises_one_by_one() -> None:
    ratio, reach, h = Fraction(4, 3), 6, ((1, 1),)
    edges, moments = boundaries(1, ratio, []), GeometricMoments(1 / ratio)
    assert edges == [1, 2]
    centres, total, reached = smoothed(h, edges), Fraction(0), Fraction(0)
    for a, b in product(range(-reach, reach + 1), repeat=2):
        if abs(a) + abs(b) <= reach:
            released = high_privacy_histogram([centres[0] + a, centres[1] + b], edges)
            total += moments.mass(a) * moments.mass(b) * compact_distance(h, released)
            reached += moments.mass(a) * moments.mass(b)
    lo, hi = smoothing_error((1,), 1, ratio, reach=reach)
    assert lo == total
    tight = smoothing_error((1,), 1, ratio, reach=50)
    assert lo <= tight[0] <= tight[1] <= hi
    assert reached < 1


def test_rate_the_sampler_has_the_expected_error_given_its_total() -> None:
    """Six standard errors of the seeded releases with N = 1, at least 75 of 1,000: alpha below 1e-8."""
    ratio, h = Fraction(4, 3), ((1, 1),)
    lo, hi = smoothing_error((1,), 1, ratio, reach=60)
    release, coins = privhist_sampler(ratio=ratio), seeded_coins(3)
    found = [release(h, coins) for _ in range(1000)]
    errors = [compact_distance(h, released) for released, total in found if total == 1]
    assert len(errors) > 75
    slack = 6 * stdev(errors) / sqrt(len(errors))
    assert float(lo) - slack <= fmean(errors) <= float(hi) + slack


def test_refused_ratios_and_sizes() -> None:
    for ratio in ("15", "9", "33/2"):
        with pytest.raises(InputError, match="ratio"):
            expected_error((1,), Fraction(ratio), reach=1)
    with pytest.raises(InputError, match="101 items"):
        expected_error((101,), RATIO, reach=1)
    with pytest.raises(InputError, match="ratio 2"):
        smoothing_error((1,), 1, Fraction(2), reach=1)
