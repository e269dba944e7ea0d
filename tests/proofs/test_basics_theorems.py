"""The bounds of mixing and of stability histograms are those of the mechanisms."""

from fractions import Fraction
from itertools import product

import pytest

from dpcert.audit.kernel.divergence import hockey_stick
from dpcert.mechanisms.dist import Dist
from dpcert.mechanisms.finite_computers.mixing import greatest_distance
from dpcert.mechanisms.finite_computers.stability_histogram import lone_label, stability_histogram_law


@pytest.mark.parametrize("ratio", [Fraction(3, 2), Fraction(7)])
def test_the_mixing_bound_is_that_of_the_mechanism(ratio: Fraction) -> None:
    for gamma, least in product([Fraction(1, 50), Fraction(1, 2)], [Fraction(1, 3), Fraction(1, 100)]):
        bound = greatest_distance(ratio=ratio, gamma=gamma, least=least)
        assert bound * (1 - gamma) * (ratio + 1) == (ratio - 1) * gamma * least


def test_stability_histograms_meet_the_bound() -> None:
    def law(count: int) -> Dist:
        return Dist.of({2: Fraction(1 + count, 4), 0: Fraction(3 - count, 4)})

    shown = lone_label(threshold=1, law=law)
    histogram = stability_histogram_law(threshold=1, law=law)
    assert hockey_stick(histogram((0,)), histogram((1,)), Fraction(10**9)) == shown == Fraction(1, 2)
