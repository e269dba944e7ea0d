"""Noise on sorted counts and isotonic regression: its law and its fit in a second way, its claim, refused inputs."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import prod

import pytest

from dpcert import Dist, Refuted, Report, Verified, seeded_coins
from dpcert.mechanisms.anonymized_histograms.laplace_isotonic import (
    LAPLACE_ISOTONIC,
    fitted,
    laplace_isotonic,
    laplace_isotonic_law,
)
from dpcert.mechanisms.anonymized_histograms.partitions import histograms
from dpcert.mechanisms.finite_computers.geometric import geometric, geometric_law
from dpcert.reading.paths.enumerator import enumerate_law


def by_averages(values: tuple[int, ...]) -> tuple[int, ...]:
    """The fit by the formula of least greatest averages: min over a <= i of max over b >= i of the mean of a to b."""

    def mean(a: int, b: int) -> Fraction:
        return Fraction(sum(values[a : b + 1]), b - a + 1)

    width = len(values)
    found = [min(max(mean(a, b) for b in range(i, width)) for a in range(i + 1)) for i in range(width)]
    return tuple(max(int((value + Fraction(1, 2)) // 1), 0) for value in found)


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_twin_the_fit_is_that_of_least_greatest_averages(width: int) -> None:
    for values in product(range(-2, 4), repeat=width):
        assert fitted(values) == by_averages(values)


def test_twin_the_law_is_that_of_independent_clamped_counts_fitted() -> None:
    labels, nmax, ratio = 3, 2, Fraction(3)
    one = geometric_law(n=nmax, ratio=ratio)
    release = laplace_isotonic(labels=labels, sampler=geometric(n=nmax, ratio=ratio))
    for counts in histograms(nmax):
        ranked = (*counts, *[0] * (labels - len(counts)))
        rows = product(range(nmax + 1), repeat=labels)
        masses = [
            (by_averages(row), prod((one(c).prob(z) for c, z in zip(ranked, row, strict=True)), start=Fraction(1)))
            for row in rows
        ]
        common = (ratio.numerator + 1) ** labels * ratio.numerator ** (labels * nmax)
        expected = Dist.from_weights([(row, int(mass * common)) for row, mass in masses], common)
        assert enumerate_law(release, list(counts)).law == expected
        assert laplace_isotonic_law(labels=labels, nmax=nmax, ratio=ratio)(counts) == expected


@pytest.mark.nightly
def test_the_default_claim_is_attained(audit: Callable[..., Report]) -> None:
    assert isinstance(audit(LAPLACE_ISOTONIC, {"labels": "3", "nmax": "3"}).verdict, Verified)
    report = audit(LAPLACE_ISOTONIC, {"labels": "3", "nmax": "3"}, epsilon="ln(19/10)")
    assert isinstance(report.verdict, Refuted)


def test_twin_where_noise_is_absent_the_sorted_counts_come_back() -> None:
    release = laplace_isotonic(labels=5, sampler=lambda count, coins: count)
    assert release([1, 4, 2], seeded_coins(1)) == (4, 2, 1, 0, 0)


@pytest.mark.parametrize("value", [[1, -1], [1, 1, 1, 1], (1, 2), [True], [1.0], [5], [10**30], "1"])
def test_refused_inputs(value: object) -> None:
    domain = LAPLACE_ISOTONIC.build(LAPLACE_ISOTONIC.settings({})).domain
    assert value not in domain
    assert [2, 1, 1] in domain
