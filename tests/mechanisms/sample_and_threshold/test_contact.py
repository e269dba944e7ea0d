"""Contacting few clients: the program against its law by sizes, the claim, and the composed claim of tries."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from dpcert import Dist, Refuted, Report, Verified, seeded_coins
from dpcert.mechanisms.sample_and_threshold import contact
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_histogram
from dpcert.mechanisms.sample_and_threshold.trie import trie_for_everyone
from dpcert.reading.paths.enumerator import enumerate_law


def test_twin_binomial_by_hand_and_its_tail() -> None:
    third = contact.binomial(2, Fraction(1, 3))
    assert third == Dist.of([(0, Fraction(4, 9)), (1, Fraction(4, 9)), (2, Fraction(1, 9))])
    assert contact.survival(2, Fraction(1, 3), 0) == Fraction(5, 9)
    assert contact.capped(third, 1) == Dist.of([(0, Fraction(4, 9)), (1, Fraction(5, 9))])


@pytest.mark.parametrize(
    ("m", "slack", "asked"), [(4, 1, 6), (4, 10, 24), (5, 1, 8), (5, 2, 10), (1, 3, 4), (100, 10, 200)]
)
def test_twin_contacted_is_m_and_c_roots_rounded_up(m: int, slack: int, asked: int) -> None:
    assert contact.contacted(m, slack) == asked
    assert (asked - m) ** 2 >= slack**2 * m > (asked - m - 1) ** 2


def test_twin_where_everyone_is_asked_it_is_sample_and_threshold_program_by_program() -> None:
    for threshold in (1, 2, 3):
        program = contact.contacted_histogram(n=4, m=1, asked=4, threshold=threshold, universe=2)
        poisson = threshold_histogram(rate=Fraction(1, 4), threshold=threshold, universe=2)
        for people in ([0, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 1]):
            assert enumerate_law(program, people).law == enumerate_law(poisson, people).law


@pytest.mark.nightly
def test_the_closed_form_is_the_programs_law_on_every_input() -> None:
    for settings in ({"n": "4", "asked": "2"}, {"n": "4", "m": "2", "asked": "3", "threshold": "1"}):
        instance = contact.CONTACTED_HISTOGRAM.build(contact.CONTACTED_HISTOGRAM.settings(settings))
        assert instance.closed_form is not None
        assert len(instance.inputs) == 16
        for people in instance.inputs:
            assert instance.closed_form(people) == enumerate_law(instance.program, people).law


def test_a_fixed_size_is_the_other_end() -> None:
    """A size that is certain: of four equal people two are shown, always."""
    law = contact.contacted_histogram_law(size=Dist.point(2), threshold=2, universe=2)
    assert law([0, 0, 0, 0]) == Dist.point(((0, 2),))
    assert law([0, 0, 0, 1]).prob(()) == Fraction(1, 2)


@pytest.mark.nightly
def test_verified_at_the_claim_and_refuted_below_what_it_needs(audit: Callable[..., Report]) -> None:
    settings = {"n": "4", "m": "1", "asked": "3"}
    report = audit(contact.CONTACTED_HISTOGRAM, settings)
    assert isinstance(report.verdict, Verified)
    instance = contact.CONTACTED_HISTOGRAM.build(contact.CONTACTED_HISTOGRAM.settings(settings))
    rate, ratio = Fraction(1, 4), Fraction(8, 3)
    assert instance.epsilon.ratio == ratio
    assert instance.delta > (1 + ratio) * contact.survival(4, rate, 3)
    assert isinstance(audit(contact.CONTACTED_HISTOGRAM, settings, delta=report.delta_hi).verdict, Verified)
    assert isinstance(
        audit(contact.CONTACTED_HISTOGRAM, settings, delta=report.delta_lo * Fraction(99, 100)).verdict, Refuted
    )


def test_no_more_people_are_taken_than_were_asked() -> None:
    program = contact.contacted_histogram(n=5, m=4, asked=4, threshold=1, universe=1)
    shown = {program([0] * 5, seeded_coins(seed)) for seed in range(60)}
    assert ((0, 4),) in shown
    assert max(count for bins in shown for _, count in bins) == 4


def test_the_claim_of_tries_for_everyone_is_that_of_one_bin_as_often_as_there_are_levels() -> None:
    one = greatest_delta(rate=Fraction(1, 4), threshold=3, ratio=Fraction(2)).delta
    epsilon, delta = trie_for_everyone(rate=Fraction(1, 4), threshold=3, ratio=Fraction(2), levels=5)
    assert (str(epsilon), delta) == ("ln(32)", 5 * one)
    assert trie_for_everyone(rate=Fraction(9, 10), threshold=1, ratio=Fraction(11), levels=5)[1] == 1
