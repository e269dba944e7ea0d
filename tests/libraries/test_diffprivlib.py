"""What was found in diffprivlib 0.6.6, and that the laws are those of its own code."""

import random
from fractions import Fraction
from typing import Any

import pytest
from diffprivlib import mechanisms

import dpcert
from dpcert.libraries import diffprivlib as adapter
from dpcert.libraries.snapped import snapped
from dpcert.libraries.steps import Fixed

pytestmark = pytest.mark.filterwarnings("ignore:divide by zero")
UTILITIES = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 1)]


class Scripted:
    """Coins that give scripted numbers, whatever the bound."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)

    def below(self, bound: int) -> int:
        number = self.numbers.pop(0)
        assert 0 <= number < bound
        return number


def draws(seed: int, count: int) -> list[int]:
    source = random.Random(seed)
    small = [source.getrandbits(53) >> source.randrange(53) for _ in range(count)]
    return [*small, *(2**52 + k // 2 for k in small), *(2**52 - 1 - k // 2 for k in small), 0, 2**52, 2**53 - 1]


@pytest.mark.parametrize(
    "mechanism",
    [
        mechanisms.Geometric(epsilon=0.5),
        mechanisms.Geometric(epsilon=2.0, sensitivity=3),
        mechanisms.GeometricTruncated(epsilon=0.5, lower=0, upper=7),
        mechanisms.GeometricFolded(epsilon=0.5, lower=0, upper=7),
    ],
    ids=lambda mechanism: type(mechanism).__name__,
)
def test_geometric_steps_are_those_of_the_code_at_random_draws(mechanism: Any) -> None:
    target = adapter.target(mechanism, inputs=range(8))
    for k in draws(1, 700):
        mechanism._rng = Fixed(k)
        try:
            expected = mechanism.randomise(4)
        except OverflowError as error:
            with pytest.raises(OverflowError, match=str(error)):
                target(4, Scripted(k))
        else:
            assert target(4, Scripted(k)) == expected


def test_exponential_steps_are_those_of_the_code_at_random_draws() -> None:
    mechanism = mechanisms.Exponential(epsilon=1.0, sensitivity=1, utility=[0, 3, 1])
    target = adapter.target(mechanism, inputs=[(0, 3, 1)])
    for k in draws(2, 500):
        mechanism._rng = Fixed(k)
        assert target((0, 3, 1), Scripted(k)) == mechanism.randomise()


def test_snapping_releases_what_the_code_releases_on_the_same_draws() -> None:
    mechanism = mechanisms.Snapping(epsilon=1.0, sensitivity=1.0, lower=0.0, upper=8.0)
    program, source = snapped(mechanism), random.Random(4)
    for _ in range(300):
        sign, mantissa, zeros = source.getrandbits(1), source.getrandbits(52), source.randrange(32)
        word = 1 << (31 - zeros)
        mechanism._rng = Fixed(sign, mantissa, word)
        assert program(2.3, Scripted(sign, word, mantissa)) == mechanism.randomise(2.3)


@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_geometric_is_not_pure_and_misses_it_by_less_than_1e_14(epsilon: float) -> None:
    report = dpcert.audit(adapter.target(mechanisms.Geometric(epsilon=epsilon), inputs=range(3))).seen
    assert isinstance(report.verdict, dpcert.Refuted)
    assert report.epsilon_hi is None
    assert 0 < report.delta_lo < Fraction(1, 10**14)


def test_geometric_spends_twice_epsilon_on_counts_beyond_the_integers_of_floats() -> None:
    inputs = [2**53 + 1, 2**53 + 2]
    report = dpcert.audit(adapter.target(mechanisms.Geometric(epsilon=1.0), inputs=inputs)).seen
    assert isinstance(report.verdict, dpcert.Refuted)
    assert report.delta_lo > Fraction(1, 4)


def test_snapping_is_pure_on_values_that_floats_hold_exactly() -> None:
    mechanism = mechanisms.Snapping(epsilon=1.0, sensitivity=1.0, lower=0.0, upper=8.0)
    verdict = dpcert.audit(adapter.target(mechanism, inputs=[0.0, 1.0, 2.0, 8.0])).seen.verdict
    assert isinstance(verdict, dpcert.Verified)


def test_categorical_is_refuted_where_labels_are_balanced_at_half_of_epsilon_alone() -> None:
    mechanism = adapter.balanced_by_half()
    report = dpcert.audit(adapter.target(mechanism)).seen
    assert isinstance(report.verdict, dpcert.Refuted)
    assert report.delta_lo > Fraction(8, 100)
    assert report.epsilon_hi is not None


def test_permute_and_flip_is_not_pure_by_its_exception() -> None:
    mechanism = mechanisms.PermuteAndFlip(epsilon=1.0, sensitivity=1, utility=[0, 0, 0])
    report = dpcert.audit(adapter.target(mechanism, inputs=UTILITIES)).seen
    assert isinstance(report.verdict, dpcert.Refuted)
    assert report.delta_hi < Fraction(1, 10**15)


@pytest.mark.parametrize("name", ["Laplace", "LaplaceTruncated", "Gaussian"])
def test_float_noise_is_refuted_from_samples(name: str) -> None:
    given = {"epsilon": 1.0, "sensitivity": 1}
    if name == "LaplaceTruncated":
        given |= {"lower": 0, "upper": 4}
    if name == "Gaussian":
        given["delta"] = 0.01
    target = adapter.target(getattr(mechanisms, name)(**given), inputs=[0.0, 1.0])
    assert dpcert.audit(target, method="samples", options=dpcert.Options(samples=40_000)).seen.refuted


@pytest.mark.parametrize("name", ["Laplace", "LaplaceTruncated", "LaplaceFolded"])
def test_float_noise_is_refuted_by_an_outcome_that_one_input_cannot_lead_to(name: str) -> None:
    given = {"epsilon": 1.0, "sensitivity": 1}
    if name in ("LaplaceTruncated", "LaplaceFolded"):
        given |= {"lower": 0, "upper": 4}
    report = dpcert.audit(adapter.target(getattr(mechanisms, name)(**given), inputs=[0.0, 1.0])).seen
    assert isinstance(report.verdict, dpcert.Refuted)
    assert report.verdict.p_lo == Fraction(1, 1 << 212)
    assert report.verdict.q_hi == 0
    (y,) = report.verdict.event
    assert (Fraction(float(y)) * 2**53).denominator > 1


def test_staircase_noise_of_numpys_generator_is_refuted_by_the_law_of_gaps_between_floats() -> None:
    report = dpcert.audit(adapter.target(mechanisms.Staircase(epsilon=1.0, sensitivity=1), inputs=[0.0, 1.0])).seen
    assert isinstance(report.verdict, dpcert.Refuted)
    assert report.verdict.p_lo > 27 * report.verdict.q_hi / 10


@pytest.mark.parametrize("name", ["LaplaceBoundedDomain", "LaplaceBoundedNoise"])
def test_noise_that_may_draw_for_ever_or_claims_a_delta_can_only_be_sampled(name: str) -> None:
    given = {"epsilon": 1.0, "sensitivity": 1}
    given |= {"lower": 0, "upper": 4} if name == "LaplaceBoundedDomain" else {"delta": 0.01}
    assert adapter.target(getattr(mechanisms, name)(**given), inputs=[0.0, 1.0]).takes != "coins"


def test_the_scale_of_the_discrete_gaussian_is_too_small_by_the_tolerance_of_its_search() -> None:
    found = adapter.claimed_delta(mechanisms.GaussianDiscrete(epsilon=0.1, delta=0.01))
    assert found.verdict == "too small"
    assert found.least[0] / found.claimed - 1 < Fraction(1, 10**6)


def test_the_classic_gaussian_has_room_to_spare() -> None:
    assert adapter.claimed_delta(mechanisms.Gaussian(epsilon=1.0, delta=1e-5, sensitivity=1)).verdict == "holds"


def test_an_object_of_another_kind_is_refused() -> None:
    with pytest.raises(dpcert.InputError, match="a mechanism of diffprivlib"):
        adapter.target(object(), inputs=[0])
    with pytest.raises(dpcert.InputError, match="a Gaussian mechanism"):
        adapter.claimed_delta(mechanisms.Laplace(epsilon=1.0, sensitivity=1))


@pytest.mark.parametrize(
    "delta", [0.15, pytest.param(1e-5, marks=pytest.mark.nightly)], ids=["sigma-0.97", "sigma-3.74"]
)
def test_the_discrete_gaussian_has_a_law_with_a_tail_below_10_to_the_minus_30(delta: float) -> None:
    mechanism = mechanisms.GaussianDiscrete(epsilon=1.0, delta=delta)
    law = adapter.target(mechanism, inputs=range(2)).law(0)
    assert law.tail < Fraction(1, 10**30)
    variance = Fraction(float(mechanism._scale)) ** 2
    for k in (1, 2, 5):
        ratio = dpcert.Epsilon.of(k * k / (2 * variance)).exp_bounds(128)[0]
        assert abs(law.prob(k) * ratio / law.prob(0) - 1) < Fraction(1, 10**12)
        assert abs(law.prob(k) - law.prob(-k)) < Fraction(1, 10**15)  # u <= p on a lattice, and a float 1 - 2b
