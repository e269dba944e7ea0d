"""The formulas of the theorems on PrivHist are the printed steps, and the whole spends what they spend."""

from fractions import Fraction
from itertools import product

import pytest

from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.anonymized_histograms.parameters import share
from dpcert.mechanisms.anonymized_histograms.partitions import histograms, prevalences
from dpcert.mechanisms.anonymized_histograms.printed import parts, smoothed_prevalences
from dpcert.mechanisms.anonymized_histograms.smoothing import smoothed
from dpcert.mechanisms.exact.epsilon import Epsilon
from dpcert.proofs.anonymized_histograms.theorems.privhist import (
    below_boundary,
    laplace_exponent,
    large_count,
    small_prevalence,
)
from dpcert.proofs.weighted_sampling.checks.baseline import e, integral

HISTOGRAMS = list(histograms(6))


@pytest.mark.parametrize(("threshold", "fakes"), [(1, 0), (1, 2), (2, 1), (3, 1)])
def test_the_parts_are_those_of_the_printed_steps(threshold: int, fakes: int) -> None:
    for counts, noise in product(HISTOGRAMS, range(-9, 10)):
        moved = sum(count > threshold for count in counts) + fakes + noise
        small = [small_prevalence(sum(count >= r for count in counts), fakes, moved) for r in range(1, threshold + 1)]
        padded = [*sorted(counts, reverse=True), *[0] * max(0, moved)]
        large = [large_count(count, threshold) for count in padded[: max(0, moved)]]
        assert parts(counts, threshold=threshold, fakes=fakes, noise=noise) == (small, large)


@pytest.mark.parametrize("boundaries", [(1, 3, 6), (2, 4), (1, 2, 3, 6)])
def test_the_reach_is_that_of_the_smoothed_prevalences(boundaries: tuple[int, ...]) -> None:
    starts = (0, *boundaries)
    for counts in HISTOGRAMS:
        kept = [min(count, boundaries[-1]) for count in counts]
        reached = [
            sum(below_boundary(count, start, end - start) for count in kept)
            for start, end in zip(starts, boundaries, strict=False)
        ]
        assert smoothed(prevalences(tuple(sorted(kept, reverse=True))), boundaries) == reached
        printed = smoothed_prevalences({r: kept.count(r) for r in set(kept)}, boundaries)
        above = [sum(printed[end] for end in boundaries[i:]) for i in range(len(boundaries))]
        assert [(end - start) * found for start, end, found in zip(starts, boundaries, above, strict=False)] == reached


@pytest.mark.parametrize("epsilon", ["ln(8)", "ln(343/216)"])
def test_the_whole_spends_what_its_steps_do(epsilon: str) -> None:
    ratio = share(Epsilon.of(epsilon))
    assert Epsilon.of(epsilon) == Epsilon.of(f"ln({ratio**3})")
    related = RELATIONS["sorted-l1"]
    pairs = [(a, b) for a, b in product(HISTOGRAMS, repeat=2) if related(a, b)]
    assert pairs
    assert {abs(sum(a) - sum(b)) for a, b in pairs} == {1}
    assert ratio > Fraction(1)


def test_the_exponent_is_that_of_laplace_noise() -> None:
    """The density of scale b has the integral 1 and E|Z| = b; on x > 0, e^(-c x) has them for c = 1/b alone."""
    for gap, epsilon in product((1, 2, 5), (Fraction(1, 3), Fraction(1))):
        scale = 1 / (epsilon * gap)
        rate = laplace_exponent(Fraction(1), Fraction(0), gap, epsilon)
        assert laplace_exponent(Fraction(-3), Fraction(1), gap, epsilon) == 4 * rate
        assert integral([1 / scale], -rate, Fraction(0), None) == e(Fraction(0))
        assert integral([0, 1 / scale], -rate, Fraction(0), None) == e(Fraction(0)).times(scale)
