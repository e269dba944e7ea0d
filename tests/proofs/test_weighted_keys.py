"""The formula of the theorems on keys is the recurrence of the mechanism that ships."""

from fractions import Fraction
from itertools import product

import pytest

from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities, sampling_probabilities


@pytest.mark.parametrize(
    ("ratio", "delta", "q"),
    list(
        product(
            [Fraction(1), Fraction(3, 2), Fraction(3)],
            [Fraction(0), Fraction(1, 50), Fraction(1)],
            ["1", "priority:1/7"],
        )
    ),
)
def test_the_recurrence_is_that_of_the_mechanism(ratio: Fraction, delta: Fraction, q: str) -> None:
    rates = sampling_probabilities(q, 12)
    found = [Fraction(0), *reporting_probabilities(q=rates, ratio=ratio, delta=delta)]
    assert found[1:] == [
        min(rate, ratio * before + delta, 1 + (before + delta - 1) / ratio)
        for rate, before in zip(rates, found, strict=False)
    ]
