"""The sums of the theorem on rows are those of Algorithm 4 as it ships."""

from fractions import Fraction

import pytest

from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities
from dpcert.mechanisms.weighted_sampling.pws_rows import discrete_rows
from dpcert.proofs.weighted_sampling.theorems.rows import lower_sum, upper_sum


@pytest.mark.parametrize("ratio", [Fraction(1), Fraction(3, 2), Fraction(3)])
@pytest.mark.parametrize("delta", [Fraction(1, 50), Fraction(1, 7), Fraction(1)])
def test_the_suffixes_are_those_of_the_mechanism(ratio: Fraction, delta: Fraction) -> None:
    q = [Fraction(1)] * 10
    reported = [Fraction(0), *reporting_probabilities(q=q, ratio=ratio, delta=delta)]
    rows = discrete_rows(q=q, ratio=ratio, delta=delta)
    for i in range(1, 11):
        for j in range(1, i + 1):
            x, a, b = reported[i - j], reported[i - 1], reported[i]
            lesser = min(upper_sum(ratio, delta, x), b - lower_sum(ratio, delta, a, b, x))
            assert sum(rows[i][j:]) == lesser == reported[i - j + 1]
