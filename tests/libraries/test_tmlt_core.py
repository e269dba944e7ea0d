"""What was found of Tumult Core 0.20.0."""

from fractions import Fraction

import pytest
from pipelines import tumult

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


@pytest.mark.parametrize("variance", [Fraction(1), Fraction(1, 4)])
def test_the_discrete_gaussian_has_a_law_with_a_tail_below_10_to_the_minus_30(variance: Fraction) -> None:
    program = adapter.sampler("sample_dgauss", variance)
    law = dpcert.target(guarantee=dpcert.PureDP("1"), inputs=[0], neighbours="any")(program).law(0)
    assert law.tail < Fraction(1, 10**30)
    for k in (1, 2):
        lo, hi = dpcert.Epsilon.of(k * k / (2 * variance)).exp_bounds(128)
        assert law.prob(k) * lo <= law.prob(0) + hi * law.tail
        assert law.prob(0) <= (law.prob(k) + law.tail) * hi
        assert abs(law.prob(k) - law.prob(-k)) <= law.tail


def test_a_sampler_alone_has_the_code_of_the_library_and_leaves_it_as_it_was() -> None:
    from tmlt.core.random import discrete_gaussian as own

    uniform = own._sample_uniform
    alone = adapter._alone()
    assert alone is not own
    assert own._sample_uniform is uniform
    assert own.sample_dgauss.__code__.co_names != alone.sample_dgauss.__code__.co_names  # its check of types
    for name in ("_sample_dlaplace", "_sample_bernoulli_exp", "_sample_bernoulli_exp1", "_floorsqrt"):
        assert getattr(own, name).__code__ == getattr(alone, name).__code__
    with pytest.raises(Exception, match="did not match any element in the union"):
        own.sample_dgauss("1")


def test_noisy_quantiles_need_no_more_than_they_claim() -> None:
    found = list(tumult.quantiles())
    assert [each.verdict for each in found] == ["holds"] * 3
    assert all(each.least[0] > each.claimed / 4 for each in found)


def test_caught_a_quantile_with_half_of_the_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    half = tumult.intervals
    monkeypatch.setattr(tumult, "intervals", lambda series, values, q, epsilon: half(series, values, q, 2 * epsilon))
    assert next(each.verdict for each in tumult.quantiles()) == "too small"


@pytest.mark.nightly
def test_measurements_on_tables_need_what_they_claim() -> None:
    """This starts Spark."""
    found = list(tumult.on_tables())
    assert [(each.verdict, each.ratio) for each in found] == [("holds", 1.0)] * 4
