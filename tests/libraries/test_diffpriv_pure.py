"""What was found in diffpriv-pure 0.1.0."""

import random
from fractions import Fraction

import diffpriv_pure
import pytest

import dpcert
from dpcert.libraries import diffpriv_pure as adapter
from dpcert.libraries.steps import Fixed, steps


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 5.0])
def test_private_count_adds_one_sided_noise_and_is_refuted_with_no_epsilon(epsilon: float) -> None:
    report = dpcert.audit(adapter.private_count(epsilon)).seen
    assert isinstance(report.verdict, dpcert.Refuted)
    assert report.epsilon_hi is None
    assert abs(float(report.delta_lo) - (1 - 2.718281828459045**-epsilon)) < 1e-9


def test_private_count_shows_less_than_the_count_for_one_draw_alone() -> None:
    law = adapter.private_count(0.5).law(7)
    assert law.prob(6) == Fraction(1, 2**53)
    assert law.prob(5) == 0


@pytest.mark.parametrize("epsilon", [1e-16, 35.0])
def test_private_count_adds_no_noise_at_all_for_the_least_and_the_greatest_epsilon(epsilon: float) -> None:
    assert adapter.private_count(epsilon).law(3).prob(3) == 1


def test_the_steps_are_those_of_the_code_at_random_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    def released(k: int) -> int:
        monkeypatch.setattr(diffpriv_pure, "random", Fixed(k))
        return diffpriv_pure.private_count(3, 0.5)

    cut, source = steps(released, count=1 << 53), random.Random(3)
    for k in [source.getrandbits(53) >> source.randrange(53) for _ in range(3000)]:
        assert cut.at(k) == released(k)


def test_the_standard_deviation_is_too_small_at_epsilon_10_and_right_at_1() -> None:
    assert adapter.gaussian_sigma_delta(10.0, 1e-5).verdict == "too small"
    assert adapter.gaussian_sigma_delta(1.0, 1e-5).verdict == "holds"


def test_advanced_composition_claims_too_little_of_a_hundred_answers_at_epsilon_1() -> None:
    found = adapter.composed_delta(100, 1.0, 1e-6)
    assert found.verdict == "too small"
    assert found.least[0] > Fraction(1, 5)
    assert adapter.composed_delta(10, 1.0, 1e-6).verdict == "holds"


def test_float_noise_is_refuted_from_samples() -> None:
    found = dpcert.audit(adapter.private_sum(1.0), method="samples", options=dpcert.Options(samples=40_000)).seen
    assert found.refuted
