"""What was found of Tumult Core 0.20.0."""

from fractions import Fraction

import pytest

import dpcert
from dpcert.libraries import tmlt_core as adapter


@pytest.mark.parametrize(("alpha", "threshold"), [(Fraction(1, 2), 5), (Fraction(2), 20)])
def test_the_delta_of_partition_selection_is_the_least_that_is_true(alpha: Fraction, threshold: int) -> None:
    found = adapter.partition_delta(alpha, threshold)
    assert found.verdict == "holds"
    assert found.least[0] / found.claimed > 1 - Fraction(1, 10**40)


def test_a_measurement_of_another_measure_needs_a_claim() -> None:
    from tmlt.core.measurements.noise_mechanisms import AddDiscreteGaussianNoise

    with pytest.raises(dpcert.InputError, match="a guarantee of epsilon and delta"):
        adapter.target(AddDiscreteGaussianNoise(1))


def test_a_pure_claim_is_that_of_the_privacy_function() -> None:
    from tmlt.core.measurements.noise_mechanisms import AddGeometricNoise

    assert adapter.target(AddGeometricNoise(4)).guarantee == dpcert.PureDP("1/4")


def test_the_coin_of_the_samplers_shows_1_with_probability_e_to_the_minus_x() -> None:
    coin = adapter.sampler("_sample_bernoulli_exp1", Fraction(1, 2))
    target = dpcert.target(guarantee=dpcert.PureDP("1"), inputs=[0], neighbours="any")(coin)
    law = target.law(0)
    lo, hi = dpcert.Epsilon.of(Fraction(1, 2)).exp_bounds(128)
    assert law.tail < Fraction(1, 10**30)
    assert 1 / hi - law.tail <= law.prob(1) <= 1 / lo
