"""The formulas of the theorems on PrivHist are the printed steps, and the whole spends what they spend."""

from fractions import Fraction
from itertools import product

import pytest

from dpcert import Dist, Epsilon
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.mechanisms.anonymized_histograms.parameters import share
from dpcert.mechanisms.anonymized_histograms.partitions import histograms, prevalences
from dpcert.mechanisms.anonymized_histograms.printed import parts, smoothed_prevalences
from dpcert.mechanisms.anonymized_histograms.privhist import layout_of, stage_law
from dpcert.mechanisms.anonymized_histograms.smoothing import smoothed
from dpcert.proofs.rocq import values
from dpcert.proofs.weighted_sampling.checks.baseline import e, integral


def laplace_exponent(x: Fraction, centre: Fraction, gap: int, epsilon: Fraction) -> Fraction:
    return epsilon * gap * abs(x - centre)


def in_order(counts: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(filter(None, counts), reverse=True))


@pytest.mark.parametrize(("counts", "threshold", "fakes", "moved"), values.PARTS)
def test_the_parts_are_those_in_rocq(counts: tuple[int, ...], threshold: int, fakes: int, moved: int) -> None:
    noise = moved - fakes - sum(count > threshold for count in counts)
    found = parts(in_order(counts), threshold=threshold, fakes=fakes, noise=noise)
    assert values.answer(values.parts(counts, threshold, fakes, moved)) == found


@pytest.mark.parametrize(("counts", "boundaries"), values.GAPS)
def test_the_numbers_of_gaps_are_those_in_rocq(counts: tuple[int, ...], boundaries: tuple[int, ...]) -> None:
    starts, kept = (0, *boundaries), in_order(tuple(min(count, boundaries[-1]) for count in counts))
    reached = values.answer(values.gaps(counts, boundaries))
    assert smoothed(prevalences(kept), boundaries) == reached
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
