"""Bounded users: the program's law on every list, the claim, and what is needed where the bound is forgotten."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from dpcert import InputError, Refuted, Report, Verified
from dpcert.mechanisms.sample_and_threshold.bounded_histogram import (
    BOUNDED_HISTOGRAM,
    bounded_histogram,
    bounded_histogram_law,
    user_records,
)
from dpcert.reading.paths.enumerator import enumerate_law

Audit = Callable[..., Report]


@pytest.mark.parametrize("bound", [1, 2])
def test_exact_twin_the_law_in_closed_form(bound: int) -> None:
    program = bounded_histogram(rate=Fraction(1, 3), threshold=2, bound=bound)
    law = bounded_histogram_law(rate=Fraction(1, 3), threshold=2, bound=bound, universe=2)
    for users in user_records(2, 2, 2)[::4]:
        assert enumerate_law(program, users).law == law(users)


def test_the_default_claim_is_verified_and_the_least_delta_is_needed(audit: Audit) -> None:
    assert isinstance(audit(BOUNDED_HISTOGRAM, {}).verdict, Verified)
    assert isinstance(audit(BOUNDED_HISTOGRAM, {}, delta="1/100").verdict, Verified)
    assert isinstance(audit(BOUNDED_HISTOGRAM, {}, delta="99/10000").verdict, Refuted)


def test_caught_a_bound_that_is_greater_than_the_one_claimed(audit: Audit) -> None:
    """Of two users one of whom is replaced, two labels need twice what one does."""
    assert isinstance(audit(BOUNDED_HISTOGRAM, {"bound": "2"}, delta="1/100").verdict, Refuted)


def test_refused_lists_that_are_too_many() -> None:
    with pytest.raises(InputError, match="at most 5000 lists of users"):
        user_records(5, 3, 3)
    assert [[0], [1, 1]] in BOUNDED_HISTOGRAM.build(BOUNDED_HISTOGRAM.settings({})).inputs
    domain = BOUNDED_HISTOGRAM.build(BOUNDED_HISTOGRAM.settings({})).domain
    for value in ([0], [[2]], ((0,),), [[True]]):
        with pytest.raises(InputError, match="a list of users"):
            domain.require(value)
