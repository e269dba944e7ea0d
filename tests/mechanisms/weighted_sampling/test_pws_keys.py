"""Sanitized keys against Algorithm 3 by hand, its constraints, its optimality, and the samplers by mpmath."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import pytest

from dpcert import Dist, Epsilon, InputError, Refuted, Verified, seeded_coins
from dpcert.mechanisms.weighted_sampling.pws_keys import (
    PWS_KEYS,
    pws_keys,
    reporting_probabilities,
    sampling_probabilities,
    taken_for,
)
from dpcert.mechanisms.weighted_sampling.pws_rates import sampling_probability
from dpcert.reading.paths.enumerator import enumerate_law

from .grids import SAMPLINGS, fractions, grid_of

grid = grid_of("1 3/2 2 10", "1/1000 1/10 1/2 1")


@pytest.mark.parametrize(
    ("ratio", "delta", "q", "expected"),
    [
        # 2 * 1/10 + 1/10; then 2 * 3/10 + 1/10, as 1 + (3/10 + 1/10 - 1)/2 is 7/10 too; then 1 + (7/10 + 1/10 - 1)/2
        ("2", "1/10", "1 1 1 1 1 1", "1/10 3/10 7/10 9/10 1 1"),
        # the sampling binds at 1 and 2, then 2 * 1/10 + 1/10
        ("2", "1/10", "1/20 1/10 1 1", "1/20 1/10 3/10 7/10"),
        # without epsilon, delta more each time
        ("1", "1/4", "1 1 1 1 1", "1/4 1/2 3/4 1 1"),
        # delta = 1 binds nothing
        ("3", "1", "1/9 1/2 1", "1/9 1/2 1"),
        # what is never sampled is never reported, and counts from there
        ("2", "1/10", "0 0 1 1", "0 0 1/10 3/10"),
    ],
)
def test_twin_algorithm_3_by_hand(ratio: str, delta: str, q: str, expected: str) -> None:
    found = reporting_probabilities(q=fractions(q), ratio=Fraction(ratio), delta=Fraction(delta))
    assert found == fractions(expected)


@pytest.mark.points(4)
@grid
def test_twin_the_program_reports_a_key_with_its_end_to_end_probability(
    ratio: Fraction, delta: Fraction, text: str
) -> None:
    q = sampling_probabilities(text, 6)
    pi = reporting_probabilities(q=q, ratio=ratio, delta=delta)
    program = pws_keys(q=q, reported=pi)
    for frequency, p in enumerate([Fraction(0), *pi]):
        law = enumerate_law(program, frequency).law
        assert law == Dist.of([(True, p), (False, 1 - p)])
        assert law.tail == 0


@grid
def test_lemma_4_1_the_probabilities_meet_every_constraint_and_no_greater_one_does(
    ratio: Fraction, delta: Fraction, text: str
) -> None:
    """(13), (16), (17) of the proof, and one of them with equality at each frequency."""
    q = [Fraction(0), *sampling_probabilities(text, 12)]
    pi = [Fraction(0), *reporting_probabilities(q=q[1:], ratio=ratio, delta=delta)]
    for (before, now), most in zip(pairwise(pi), q[1:], strict=True):
        room = [most - now, ratio * before + delta - now, ratio * (1 - now) + delta - (1 - before)]
        assert min(room) == 0
        assert before <= now


@pytest.mark.points(1)
@pytest.mark.parametrize(
    ("epsilon", "q", "told"),
    [("ln(2)", "1", 5), ("1/2", "1", 6), ("1", "priority:1/4", 5), ("0", "ppswor:1/3", 9), ("1/3 + ln(2)", "1", 5)],
)
def test_verified_at_the_claim_and_refuted_at_a_smaller_delta(audit: Any, epsilon: str, q: str, told: int) -> None:
    settings = {"epsilon": epsilon, "delta": "1/10", "imax": "9", "q": q}
    report = audit(PWS_KEYS, settings)
    assert isinstance(report.verdict, Verified)
    assert report.pairs == 2 * (told + 1)  # frequencies 0 to told + 1
    assert report.delta_lo == Fraction(1, 10)
    assert isinstance(audit(PWS_KEYS, settings, delta="0.0999999999").verdict, Refuted)


def test_an_irrational_ratio_is_approached_from_below() -> None:
    """pi_2 = (ratio + 1) delta shows the ratio that the program uses: within 2^-63 of e^(1/2), and below it."""
    instance = PWS_KEYS.build(PWS_KEYS.settings({"imax": "2"}))
    ratio = enumerate_law(instance.program, 2).law.prob(True) * 100 - 1
    with mpmath.workdps(60):
        gap = mpmath.exp(mpmath.mpf(1) / 2) - mpmath.mpf(ratio.numerator) / ratio.denominator
        assert 0 < gap < mpmath.mpf(2) ** -63
    assert instance.epsilon == Epsilon.of("1/2")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", "1 1 1 1"),
        ("1/10, 1/2", "1/10 1/2 1/2 1/2"),
        ("0,0.25,1/3,1/2,1", "0 1/4 1/3 1/2"),
        ("priority:3/10", "3/10 3/5 9/10 1"),
        ("priority:5", "1 1 1 1"),
    ],
)
def test_twin_samplings(text: str, expected: str) -> None:
    assert sampling_probabilities(text, 4) == fractions(expected)


@pytest.mark.parametrize("tau", ["1e-30", "1e-6", "1/10", "1/3", "1", "7/2", "44", "300"])
def test_twin_ppswor_is_1_minus_exp_rounded_down(tau: str) -> None:
    found = sampling_probabilities(f"ppswor:{tau}", 9)
    assert all(a <= b for a, b in pairwise(found))
    with mpmath.workdps(1500):
        for i, q in enumerate(found, 1):
            rate = Fraction(tau) * i
            true = -mpmath.expm1(-mpmath.mpf(rate.numerator) / rate.denominator)
            assert 0 <= true - mpmath.mpf(q.numerator) / q.denominator < mpmath.mpf(2) ** -64
            assert (q * 2**64).denominator == 1


def test_the_default_scope_is_all_frequencies_for_frequencies_that_differ_by_one() -> None:
    instance = PWS_KEYS.build(PWS_KEYS.settings({}))
    assert instance.inputs == tuple(range(17))  # the probability is 1 from 15 on
    assert instance.assumptions == (taken_for(15),)
    assert (instance.neighbours, instance.observes) == ("counts_differ_by_one", "outcome")
    assert (instance.epsilon, instance.delta) == (Epsilon.of("1/2"), Fraction(1, 100))


def test_the_closed_form_is_the_programs_law_for_every_frequency() -> None:
    for text in SAMPLINGS:
        instance = PWS_KEYS.build(PWS_KEYS.settings({"epsilon": "ln(3/2)", "delta": "1/7", "imax": "8", "q": text}))
        assert instance.closed_form is not None
        for frequency in instance.inputs:
            assert instance.closed_form(frequency) == enumerate_law(instance.program, frequency).law


@pytest.mark.parametrize("frequency", [-1, Fraction(3, 2), 1.0, True, "2"])
def test_refused_frequencies(frequency: int) -> None:
    program = pws_keys(q=[Fraction(1, 2), Fraction(1)], reported=[Fraction(1, 4), Fraction(3, 4)])
    with pytest.raises(InputError, match="a frequency >= 0"):
        program(frequency, seeded_coins(0))


@pytest.mark.parametrize("text", SAMPLINGS)
def test_twin_frequencies_above_the_greatest_one_told_apart_have_its_law(text: str) -> None:
    instance = PWS_KEYS.build(PWS_KEYS.settings({"epsilon": "ln(3/2)", "delta": "1/7", "imax": "8", "q": text}))
    top = instance.inputs[-1] - 1
    last = enumerate_law(instance.program, top).law
    exactly = reporting_probabilities(q=sampling_probabilities(text, 8), ratio=Fraction(3, 2), delta=Fraction(1, 7))
    assert last.prob(True) == exactly[7] == exactly[top - 1]
    assert top == 1 or exactly[top - 2] < exactly[7]
    for frequency in (top + 1, top + 2, 8, 9, 10**30):
        assert enumerate_law(instance.program, frequency).law == last
        assert frequency in instance.domain


@pytest.mark.nightly
def test_frequencies_up_to_a_million_are_few_where_the_probability_reaches_1() -> None:
    instance = PWS_KEYS.build(PWS_KEYS.settings({"imax": "1000000"}))
    assert instance.inputs == tuple(range(17))
    assert enumerate_law(instance.program, 10**6).law == Dist.point(True)


@pytest.mark.parametrize("text", [*SAMPLINGS, "ppswor:44", "ppswor:46", "priority:3", "1/3"])
def test_twin_the_probability_of_one_frequency_is_that_of_the_list(text: str) -> None:
    one = sampling_probability(text)
    assert [one(i) for i in range(1, 30)] == sampling_probabilities(text, 29)


def test_twin_ppswor_at_many_frequencies_is_each_one_by_itself() -> None:
    found, one = sampling_probabilities("ppswor:1/1000", 60_000), sampling_probability("ppswor:1/1000")
    for i in (1, 2, 1000, 30_000, 44_000, 44_361, 44_362, 45_001, 60_000):
        assert found[i - 1] == one(i)
    assert found[-1] == 1 - Fraction(1, 2**64)
    assert set(sampling_probabilities("ppswor:1e9", 3)) == {1 - Fraction(1, 2**64)}  # never 1: e^-x > 0
