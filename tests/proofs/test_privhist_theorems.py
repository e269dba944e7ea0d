"""The formulas of the theorems on PrivHist are the printed steps, and the whole spends what they spend."""

from fractions import Fraction
from itertools import product

import pytest

from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.anonymized_histograms.parameters import share
from dpcert.mechanisms.anonymized_histograms.partitions import histograms, prevalences
from dpcert.mechanisms.anonymized_histograms.printed import parts, smoothed_prevalences
from dpcert.mechanisms.anonymized_histograms.privhist import layout_of, stage_law
from dpcert.mechanisms.anonymized_histograms.smoothing import smoothed
from dpcert.mechanisms.dist import Dist
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


@pytest.mark.parametrize(("epsilon", "steps"), [("ln(8)", 2), ("ln(343/216)", 3)])
def test_each_step_of_the_law_has_a_third_of_epsilon(epsilon: str, steps: int) -> None:
    """The law of all noisy parts, outcome by outcome: the hypotheses of three-steps hold of it, and its conclusion."""
    layout, related = layout_of({"epsilon": epsilon, "nmax": "2"}), RELATIONS["sorted-l1"]
    ratio = share(Epsilon.of(epsilon))
    assert Epsilon.of(epsilon) == Epsilon.of(f"ln({ratio**3})")
    law, inputs = stage_law(layout), [list(counts) for counts in histograms(2)]
    greatest = [Fraction(0)] * 3
    for a, b in product(inputs, repeat=2):
        if not related(a, b):
            continue
        p, q = (prefixes(law(counts)) for counts in (a, b))
        for outcome in (known for known in p if len(known) == 3):
            for step in range(3):
                before, after = outcome[:step], outcome[: step + 1]
                found = (p[after] / p[before]) / (q[after] / q[before])
                assert found <= ratio
                greatest[step] = max(greatest[step], found)
            assert p[outcome] <= ratio**steps * q[outcome]
    assert greatest == [ratio] * steps + [Fraction(1)] * (3 - steps)


def prefixes(law: Dist) -> dict[tuple[object, ...], Fraction]:
    """The probability of the outcomes of no step, one, two and all three, by what they are."""
    found: dict[tuple[object, ...], Fraction] = {}
    for outcome, mass in law.items():
        for step in range(4):
            found[outcome[:step]] = found.get(outcome[:step], Fraction(0)) + mass
    return found


def test_the_exponent_is_that_of_laplace_noise() -> None:
    """The density of scale b has the integral 1 and E|Z| = b; on x > 0, e^(-c x) has them for c = 1/b alone."""
    for gap, epsilon in product((1, 2, 5), (Fraction(1, 3), Fraction(1))):
        scale = 1 / (epsilon * gap)
        rate = laplace_exponent(Fraction(1), Fraction(0), gap, epsilon)
        assert laplace_exponent(Fraction(-3), Fraction(1), gap, epsilon) == 4 * rate
        assert integral([1 / scale], -rate, Fraction(0), None) == e(Fraction(0))
        assert integral([0, 1 / scale], -rate, Fraction(0), None) == e(Fraction(0)).times(scale)
