"""The checks of thresholds and debiasing can fail: each is given something that is false, and says where."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from dpcert.mechanisms.user_level.debiasing import debiased
from dpcert.mechanisms.user_level.threshold import Objective
from dpcert.mechanisms.user_level.user_weights import UserWeights
from dpcert.proofs.check import CheckResult, first
from dpcert.proofs.user_level.checks import (
    clip_threshold,
    debiasing,
    debiasing_forms,
    experiments,
    threshold_choice,
    threshold_excess,
)
from dpcert.proofs.user_level.checks.clip_threshold import NOISES, data, error_law, least_error, within_factor
from dpcert.proofs.user_level.checks.debiasing import cases, clipped_error, debiased_error
from dpcert.proofs.user_level.checks.threshold_choice import exact_minimizer, replaced

from .faults import Given


@pytest.mark.nightly
def test_twin_of_the_least_error_a_fine_grid() -> None:
    """On a grid of thresholds none errs less than the least error, and one comes close."""
    for users, noise in product(data(2, 2, 2)[::7], NOISES):
        tried = [error_law(users, Fraction(place, 60), noise) for place in range(300)]
        least = least_error(users, noise)
        assert least <= min(tried) <= least + Fraction(1, 10)


def test_caught_a_factor_below_two() -> None:
    found = first(within_factor(Fraction(199, 100)))
    assert not found.holds
    assert found.witness.startswith("users ((1, 1),)")


def test_caught_thresholds_that_are_not_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Objective, "best", lambda self: self.corners()[-1])
    for check in (
        clip_threshold.rule_is_least,
        clip_threshold.top_is_best,
        clip_threshold.laplace_two,
        clip_threshold.gaussian_two,
    ):
        assert not check().holds


def test_caught_a_norm_that_is_not_all_that_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Objective, "best", lambda self: self.users[0][0])
    assert not clip_threshold.norms_suffice().holds


def test_caught_a_factor_of_another_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clip_threshold, "LAPLACE_FACTOR", (Fraction(14), Fraction(15)))
    monkeypatch.setattr(clip_threshold, "GAUSSIAN_FACTOR", (Fraction(11, 10), Fraction(12, 10)))
    assert not clip_threshold.laplace_factor().holds
    assert not clip_threshold.gaussian_factor().holds
    assert not clip_threshold.factors_attained().holds


@pytest.mark.nightly
@pytest.mark.parametrize(("norm", "enough", "little"), [("l1", "1.6", "1.4"), ("l2", "1.75", "1.45")])
def test_three_users_need_no_greater_factor(norm: str, enough: str, little: str) -> None:
    assert first(clip_threshold.noise_approximation(norm, Fraction(enough), users=3)).holds
    assert not first(clip_threshold.noise_approximation(norm, Fraction(little), users=3)).holds


def test_caught_weights_without_a_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(UserWeights, "of", UserWeights.uncapped)
    for check in (threshold_choice.sparse_weights, threshold_choice.slope_changes, threshold_choice.beyond_sparsity):
        assert not check().holds


def test_half_the_sensitivity_of_the_minimizer_is_too_little() -> None:
    """With eta = 1 and lambda = 1 it moves by 1 between no and one of two users above."""
    moved = [
        abs(exact_minimizer(a, Fraction(1), Fraction(1)) - exact_minimizer(b, Fraction(1), Fraction(1)))
        for a, b in replaced(2, 1, 2)
    ]
    assert max(moved) == 1


@pytest.mark.parametrize(
    "check", [threshold_choice.quantile_private, threshold_choice.perturbed_private, threshold_choice.descent_private]
)
def test_caught_a_claim_that_is_too_strong(check: Callable[[], CheckResult], monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> tuple[bool, None]:
        return False, None

    assert check().holds
    monkeypatch.setattr(threshold_choice, "decide_pair", never)
    assert not check().holds


def test_caught_an_excess_that_forgets_a_term(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threshold_excess, "_steepest", lambda users, eta: Fraction(0))
    assert not threshold_excess.perturbed_excess().holds
    monkeypatch.setattr(threshold_excess, "VARIANCE", Fraction(0))
    assert not threshold_excess.descent_excess().holds


def test_caught_an_error_at_a_fixed_quantile_that_is_never_poor(monkeypatch: pytest.MonkeyPatch) -> None:
    true = threshold_choice.clipped_error
    monkeypatch.setattr(threshold_choice, "clipped_error", lambda *a: 1 + true(*a) / 10**6)
    assert not threshold_choice.fixed_quantile_poor().holds


def test_caught_rates_that_spread_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "share_spread", lambda users, alpha: Fraction(users, alpha))
    assert not experiments.closer_with_alpha().holds


def test_debiasing_errs_less_than_the_bound_and_more_than_nothing() -> None:
    assert all(0 < debiased_error(case)[0] <= debiased_error(case)[1] for case in cases()[:40])
    assert all(low <= high for low, high in map(clipped_error, cases()[:40]))


def test_twin_of_the_debiased_error_by_simulation() -> None:
    """10,000 simulated runs; the mean is within 6 standard errors (alpha below 1e-8 for each of three cases)."""
    rng = Random(7)
    for case in (cases()[5], cases()[30], cases()[-1]):
        rates, clip, cap = case
        n, mean = len(rates), float(sum(rates)) / len(rates)
        table = {y: float(debiased(y, users=n, clip=clip, cap=cap)[0]) for y in range(n * clip + 1)}
        squares = []
        for _ in range(10_000):
            total = sum(min(experiments.poisson(rng, float(rate)), clip) for rate in rates)
            noise = _geometric(rng) - _geometric(rng)
            squares.append((table[min(max(total + noise, 0), n * clip)] - mean) ** 2)
        average = sum(squares) / len(squares)
        spread = (sum((x - average) ** 2 for x in squares) / len(squares) ** 2) ** 0.5
        assert abs(average - float(debiased_error(case)[0])) <= 6 * spread


def _geometric(rng: Random) -> int:
    count = 0
    while rng.random() < 1 / 3:
        count += 1
    return count


def test_caught_a_slope_that_is_taken_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debiasing, "clipped_slope", lambda rate, clip: (Fraction(1), Fraction(1)))
    for check in (debiasing.error_bound, debiasing.lipschitz):
        assert not check().holds


def test_caught_a_heterogeneity_that_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debiasing, "_spread", lambda rates: Fraction(0))
    for check in (debiasing.bias_bound, debiasing.close_when_alike):
        assert not check().holds


def test_caught_an_inverse_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def identity(mean: Fraction, clip: int, *, cap: Fraction) -> tuple[Fraction, Fraction]:
        return max(mean, Fraction(0)), max(mean, Fraction(0))

    monkeypatch.setattr(debiasing, "inverse", identity)
    monkeypatch.setattr(debiasing_forms, "inverse", identity)
    for check in (debiasing.gap_in_the_limit, debiasing.alike_users, debiasing_forms.inverse_is_inverse):
        assert not check().holds


def test_caught_a_mean_of_other_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debiasing_forms, "clipped_mean", lambda rate, clip: (rate, rate))
    assert not debiasing_forms.mean_in_two_forms().holds
    assert not debiasing_forms.vector_mean().holds


@pytest.mark.nightly
def test_caught_a_release_that_is_not_private(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown(**_: Any) -> Callable[[Any, Any], Fraction]:
        return lambda counts, coins: Fraction(sum(counts))

    monkeypatch.setattr(debiasing_forms, "processed_count", shown)
    assert not debiasing_forms.post_processing().holds
    assert not debiasing_forms.only_clipping().holds


def test_twin_of_poisson_draws_their_law() -> None:
    """By inversion: the share of numbers that give a count is its probability, to one in the grid."""
    grid = 4000
    drawn = [experiments.poisson(Given((j + 0.5) / grid), 1.5) for j in range(grid)]
    mass = 0.22313016014842982
    for count in range(6):
        assert abs(drawn.count(count) / grid - mass) <= 1 / grid
        mass *= 1.5 / (count + 1)


def test_caught_an_estimate_that_is_not_debiased(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "losses", experiments.losses.__wrapped__)
    monkeypatch.setattr(experiments, "inverse", lambda mean, clip: mean)
    assert not experiments.debiasing_helps().holds


def test_the_same_arguments_measure_the_same() -> None:
    assert experiments.losses.__wrapped__(3.0, 1) == experiments.losses(3.0, 1)
