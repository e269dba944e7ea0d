"""The basic and the stability-based histogram against enumerated noise, and Theorems 5.2, 5.5 and 5.6."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import mpmath
import pytest

from dpcert import ApproxDP, Epsilon, Refuted, Verified
from dpcert.audit.decide import decide
from dpcert.audit.kernel.neighbours import RELATIONS
from dpcert.audit.subject import Subject
from dpcert.mechanisms.finite_computers.basic_histogram import BASIC_HISTOGRAM
from dpcert.mechanisms.finite_computers.fastsample import fastsample, fastsample_law
from dpcert.mechanisms.finite_computers.geosample import geosample, geosample_law, noise_exponent
from dpcert.mechanisms.finite_computers.stability_histogram import STABILITY_HISTOGRAM, lone_label, stability_histogram

from ..histograms import Law, built, clamped_noise, held, observed

FAST = {"sampler": "fastsample", "gamma": "1/3"}
BASIC = [
    {"n": "1", "universe": "2", "epsilon": "1"},
    {"n": "2", "universe": "2", "epsilon": "1/3"},
    {"n": "2", "universe": "3", "epsilon": "1/2"},
    {"n": "3", "universe": "2", "epsilon": "1/10"},
    {"n": "2", "universe": "2", "epsilon": "1/2", **FAST},
    {"n": "3", "universe": "2", "epsilon": "1", **FAST},
]
STABLE = [{**settings, "threshold": b} for settings in BASIC for b in ("0", "1", "2")]


def noise_of(settings: dict[str, str]) -> Callable[[int], Law]:
    n, m = int(settings["n"]), Fraction(settings["epsilon"]).denominator
    g = Fraction(settings["gamma"]).denominator if "gamma" in settings else None
    return lambda count: clamped_noise(count, n, m, g)


def histogram(people: Sequence[int], labels: Sequence[int], noise: Callable[[int], Law], kept: Any) -> Law:
    """Sum over every combination of noisy counts; those that are not kept are left out."""
    law: Law = {}
    for row in product(*(noise(sum(x == y for y in people)).items() for x in labels)):
        outcome = tuple((x, z) for x, (z, _) in zip(labels, row, strict=True) if kept(z))
        law[outcome] = law.get(outcome, Fraction(0)) + prod((p for _, p in row), start=Fraction(1))
    return law


@pytest.mark.points(2)
@pytest.mark.parametrize("settings", BASIC, ids=str)
def test_twin_the_basic_histogram_by_all_noisy_counts(settings: dict[str, str]) -> None:
    labels, noise = range(int(settings["universe"])), noise_of(settings)
    held(built(BASIC_HISTOGRAM, settings), lambda people: histogram(people, labels, noise, lambda z: True))


@pytest.mark.points(1)
@pytest.mark.parametrize("settings", BASIC, ids=str)
def test_the_basic_histogram_is_verified_and_its_draws_tell_nothing_more(audit: Any, settings: dict[str, str]) -> None:
    report = audit(BASIC_HISTOGRAM, settings)
    assert isinstance(report.verdict, Verified)
    n, universe = int(settings["n"]), int(settings["universe"])
    assert report.pairs == universe**n * n * (universe - 1)
    assert isinstance(observed(built(BASIC_HISTOGRAM, settings)).verdict, Verified)


@pytest.mark.points(1)
@pytest.mark.parametrize("settings", BASIC[:4], ids=str)
def test_theorem_5_2_is_tight_for_geosample_and_refuted_just_below(audit: Any, settings: dict[str, str]) -> None:
    ratio = 1 + Fraction(1, 2 ** noise_exponent(Fraction(settings["epsilon"])))
    report = audit(BASIC_HISTOGRAM, settings)
    assert report.epsilon_lo == report.epsilon_hi == Epsilon.ln(ratio**2)
    below = audit(BASIC_HISTOGRAM, settings, epsilon=Epsilon.ln(ratio**2 - Fraction(1, 10**40)))
    assert isinstance(below.verdict, Refuted)


def test_the_claim_for_fastsample_is_epsilon_and_for_geosample_twice_ln_1_plus_2_to_the_minus_k() -> None:
    assert built(BASIC_HISTOGRAM, {"epsilon": "1/3"}).epsilon == Epsilon.ln(Fraction(9, 8) ** 2)
    assert built(BASIC_HISTOGRAM, {"epsilon": "1/3", **FAST}).epsilon == Epsilon.of("1/3")


# Stability-based histogram
@pytest.mark.points(5)
@pytest.mark.parametrize("settings", STABLE, ids=str)
def test_twin_the_stability_histogram_by_all_noisy_counts(settings: dict[str, str]) -> None:
    b, noise = int(settings["threshold"]), noise_of(settings)
    held(
        built(STABILITY_HISTOGRAM, settings),
        lambda people: histogram(people, sorted(set(people)), noise, lambda z: z > b),
    )


@pytest.mark.points(1)
@pytest.mark.parametrize("settings", STABLE, ids=str)
def test_theorem_5_5_holds_and_no_smaller_delta_does_at_any_epsilon(audit: Any, settings: dict[str, str]) -> None:
    """delta = Pr[M(1) > b] is enough, and needed: a label that occurs once is there or not."""
    b = int(settings["threshold"])
    delta = sum((p for z, p in noise_of(settings)(1).items() if z > b), Fraction(0))
    assert built(STABILITY_HISTOGRAM, settings).delta == delta
    report = audit(STABILITY_HISTOGRAM, settings)
    assert isinstance(report.verdict, Verified)
    assert report.delta_lo == report.delta_hi == delta
    if delta:
        below = audit(STABILITY_HISTOGRAM, settings, epsilon="100", delta=delta - Fraction(1, 10**40))
        assert isinstance(below.verdict, Refuted)


@pytest.mark.nightly
def test_the_epsilon_of_theorem_5_5_is_nearly_needed_at_its_delta(audit: Any) -> None:
    """At epsilon = 1, e^epsilon = (3/2)^2 is claimed; from two bins of 10 people, 2.15 is needed at threshold 10."""
    law = geosample_law(n=20, k=1)
    program = stability_histogram(threshold=10, sampler=geosample(n=20, k=1))
    inputs = tuple([0] * (20 - moved) + [1] * moved for moved in (9, 10, 11))
    subject = Subject("two bins", program, inputs, RELATIONS["substitute"])
    delta = lone_label(threshold=10, law=law)
    assert delta == Fraction(2, 3) ** 9 * Fraction(2, 5)
    report = decide(subject, ApproxDP(Epsilon.ln(Fraction(9, 4)), delta), again=subject.digests)
    assert isinstance(report.verdict, Verified)
    assert Fraction("2.15") < report.epsilon_lo.ratio <= report.epsilon_hi.ratio < Fraction("2.16")


def test_the_draws_of_the_stability_histogram_tell_how_many_labels_occur() -> None:
    """Its claim is about the outcome: it draws once for each label that occurs."""
    report = observed(built(STABILITY_HISTOGRAM, {"n": "2", "universe": "2", "threshold": "2"}), delta="999/1000")
    assert isinstance(report.verdict, Refuted)
    assert report.verdict.p_lo == 1
    assert report.verdict.q_hi == 0


def theorem_5_6(m: int, inverse_delta: int, inverse_beta: int, n: int) -> tuple[Fraction, int]:
    """gamma and b of Theorem 5.6, for epsilon = 1/m: 1 + ceil(9/(2 epsilon) ln(2/delta))."""
    with mpmath.workdps(60):
        b = 1 + int(mpmath.ceil(mpmath.mpf(9 * m) / 2 * mpmath.log(2 * inverse_delta)))
    return min(Fraction(1, inverse_beta * 2 * n), Fraction(1, 2 * inverse_delta)), b


@pytest.mark.parametrize("m", [1, 2, 3, 5])
@pytest.mark.parametrize("inverse_delta", [2, 10, 10**4])
def test_theorem_5_6s_parameters_meet_the_condition_of_theorem_5_5(m: int, inverse_delta: int) -> None:
    """With fewer than 2/5 of the delta that they are allowed."""
    for inverse_beta in (2, 1000):
        for factor in (1, 2, 4):
            n = factor * theorem_5_6(m, inverse_delta, 1, 1)[1] + 1
            gamma, b = theorem_5_6(m, inverse_delta, inverse_beta, n)
            law = fastsample_law(n=n, epsilon=Fraction(1, m), gamma=gamma)
            assert 0 < lone_label(threshold=b, law=law) * inverse_delta < Fraction(2, 5)


@pytest.mark.parametrize("m", [1, 2, 3, 5])
@pytest.mark.parametrize("inverse_delta", [2, 10, 10**4])
def test_figure_4s_threshold_for_geosample_is_about_twice_what_is_needed(m: int, inverse_delta: int) -> None:
    """b = 1 + ceil(9/(2 epsilon) ln(1/delta)) is enough; Pr[M(1) > b] = r^(1-b) / (r + 1)."""
    with mpmath.workdps(60):
        b = 1 + int(mpmath.ceil(mpmath.mpf(9 * m) / 2 * mpmath.log(inverse_delta)))
    r = 1 + Fraction(1, 2 ** noise_exponent(Fraction(1, m)))
    least = next(c for c in range(b + 1) if r ** (1 - c) / (r + 1) * inverse_delta <= 1)
    n = b + 1
    assert lone_label(threshold=b, law=geosample_law(n=n, k=noise_exponent(Fraction(1, m)))) == r ** (1 - b) / (r + 1)
    assert least < b


@pytest.mark.nightly
def test_theorem_5_6_by_audit_over_all_counts_of_two_labels() -> None:
    """Sorted lists of two labels have every pair of counts, and neighbours among them differ in one element."""
    gamma, b = theorem_5_6(1, 2, 2, 10)
    assert (gamma, b) == (Fraction(1, 40), 8)
    program = stability_histogram(threshold=b, sampler=fastsample(n=10, epsilon=Fraction(1), gamma=gamma))
    inputs = tuple([0] * (10 - moved) + [1] * moved for moved in range(11))
    subject = Subject("Theorem 5.6", program, inputs, RELATIONS["substitute"])
    report = decide(subject, ApproxDP("1", "1/2"), again=subject.digests)
    assert isinstance(report.verdict, Verified)
    assert report.pairs == 20
    assert Fraction("0.0273") < report.delta_lo == report.delta_hi < Fraction("0.0274")
