"""Thresholds: square roots with exact signs, the best threshold, and three private choices with their laws."""

import math
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from dpcert import InputError, Verified
from dpcert.mechanisms.mechanism import Mechanism
from dpcert.mechanisms.user_level.dp_sgd import CLIP_THRESHOLD_DESCENT
from dpcert.mechanisms.user_level.output_perturbation import CLIP_THRESHOLD_PERTURBED
from dpcert.mechanisms.user_level.private_threshold import CLIP_THRESHOLD, distance
from dpcert.mechanisms.user_level.surds import Surd
from dpcert.mechanisms.user_level.threshold import Objective, norm_square, top_size, weight
from dpcert.mechanisms.user_level.user_weights import UserWeights
from dpcert.reading.paths.enumerator import enumerate_law

L2 = {"norm": "l2", "parts": "3", "noise": "4/3", "most": "1", "dimension": "3"}


@pytest.mark.parametrize("square", [0, 1, 2, 8, 12, 45, Fraction(1, 2), Fraction(18, 25), 10**12 + 39])
def test_twin_of_roots_their_squares(square: Fraction | int) -> None:
    root = Surd.root(square)
    assert sum((radicand * value**2 for radicand, value in root.terms), Fraction(0)) == square
    lo, hi = root.bounds(60)
    assert lo**2 <= square <= hi**2


def test_radicands_are_free_of_squares() -> None:
    for square in range(1, 2000):
        ((radicand, value),) = Surd.root(square).terms
        assert radicand * value**2 == square
        assert all(radicand % (k * k) for k in range(2, 45))


def test_equal_numbers_are_equal_surds() -> None:
    assert Surd.root(8) == Surd.root(2).times(2)
    assert Surd.root(Fraction(1, 2)) + Surd.root(Fraction(1, 2)) == Surd.root(2)
    assert (Surd.root(3) - Surd.root(3)).terms == ()
    assert Surd.root(2) + Surd.root(3) != Surd.root(5)


def test_signs_of_numbers_that_floats_cannot_tell_apart() -> None:
    """sqrt(n + 1) - sqrt(n) is below 1/(2 sqrt(n)) by about n^(-3/2)/8: 10^-19 for n = 10^12."""
    n = 10**12 + 1
    step = Surd.root(n + 1) - Surd.root(n)
    assert step.sign() == 1
    assert (step - Surd.root(n).times(Fraction(1, 2 * n))).sign() == -1
    assert (step - Surd.root(n + 1).times(Fraction(1, 2 * (n + 1)))).sign() == 1
    assert (Surd.root(2) + Surd.root(3) - Surd.root(10)).sign() == -1


def test_signs_are_those_of_floats_where_these_are_apart() -> None:
    for a, b, c in product(range(-4, 5), repeat=3):
        surd = Surd.root(2).times(a) + Surd.root(3).times(b) + Surd.rational(c)
        value = a * math.sqrt(2) + b * math.sqrt(3) + c
        if abs(value) > 1e-9:
            assert surd.sign() == (1 if value > 0 else -1)
        else:
            assert surd.sign() == 0


def test_the_best_threshold_is_least_among_many() -> None:
    users = ((3, 4), (1, 0), (2, 2), (0, 0))
    for eta, norm in product(map(Fraction, ("1/3", "1", "2", "3", "9")), ("l1", "l2")):
        objective = Objective(users, eta, norm)
        least = objective.value(objective.best())
        assert all(least <= objective.value(Fraction(k, 7)) for k in range(360))


def test_an_equality_in_equation_5_may_have_no_solution() -> None:
    objective = Objective(((1,),), Fraction(1, 2), "l1")
    assert all(objective.above(square) != Surd.rational(Fraction(1, 2)) for square in (0, Fraction(1, 4), 1, 4))
    assert objective.is_stationary(objective.best())


def test_without_enough_users_the_best_threshold_is_none() -> None:
    assert Objective(((5,), (7,)), Fraction(5, 2), "l1").best() == 0 == top_size(((5,), (7,)), Fraction(5, 2))
    assert Objective(((0, 0), (0, 0)), Fraction(1), "l2").best() == 0
    assert weight((0, 0), "l2") == Surd.rational(0)


def test_refused_another_norm() -> None:
    with pytest.raises(InputError, match="l1 or l2"):
        norm_square((1,), "linf")


def test_caught_a_threshold_that_is_not_stationary() -> None:
    objective = Objective(((1,), (2,), (4,)), Fraction(3, 2), "l1")
    assert [square for square in (0, 1, 4, 9, 16) if objective.is_stationary(square)] == [4]


def test_capped_weights_are_no_more_than_assumed() -> None:
    weights = UserWeights("l2", 2, 10)
    assert weights.most == 14
    assert weights.of((1, 1)) == weights.of((1, 1, 1)) == weights.of((5, 5, 5, 5)) == 14
    assert weights.uncapped((1, 1, 1)) == 17
    assert weights.of((3, 4)) == 14 == math.floor(10 * 7 / 5)
    assert weights.of((0, 0)) == 0


@pytest.mark.nightly
@pytest.mark.parametrize("settings", [pytest.param({}, id="l1"), pytest.param(L2, id="l2", marks=pytest.mark.nightly)])
@pytest.mark.parametrize(
    "mechanism",
    [CLIP_THRESHOLD, CLIP_THRESHOLD_PERTURBED, CLIP_THRESHOLD_DESCENT],
    ids=lambda mechanism: mechanism.name,
)
def test_twin_the_program_and_the_closed_form(mechanism: Mechanism, settings: dict[str, str]) -> None:
    instance = mechanism.build(mechanism.settings(settings))
    assert instance.closed_form is not None
    for users in instance.inputs:
        assert enumerate_law(instance.program, users).law == instance.closed_form(users)


@pytest.mark.points(1)
@pytest.mark.parametrize(
    ("mechanism", "settings"),
    [
        pytest.param(CLIP_THRESHOLD, {}, marks=pytest.mark.nightly),
        (CLIP_THRESHOLD, {**L2, "users": "1"}),
        (CLIP_THRESHOLD, {"users": "3", "dimension": "1", "noise": "3/2", "parts": "2"}),
        pytest.param(CLIP_THRESHOLD_PERTURBED, {}, marks=pytest.mark.nightly),
        (CLIP_THRESHOLD_PERTURBED, {**L2, "strength": "2/3", "users": "1"}),
        pytest.param(CLIP_THRESHOLD_DESCENT, {}, marks=pytest.mark.nightly),
        (CLIP_THRESHOLD_DESCENT, {**L2, "stride": "2", "users": "1"}),
    ],
)
def test_verified_when_a_user_is_replaced(mechanism: Mechanism, settings: dict[str, str], audit: Any) -> None:
    report = audit(mechanism, settings)
    assert isinstance(report.verdict, Verified)
    assert report.tail == 0


@pytest.mark.points(1)
@pytest.mark.parametrize("mechanism", [CLIP_THRESHOLD_PERTURBED, CLIP_THRESHOLD_DESCENT], ids=lambda m: m.name)
def test_the_claim_is_tight(mechanism: Mechanism, audit: Any) -> None:
    report = audit(mechanism, {"dimension": "1", "most": "3"})
    assert report.epsilon_lo == mechanism.build(mechanism.settings({})).epsilon


def test_the_private_quantile_is_most_often_at_the_best_threshold() -> None:
    instance = CLIP_THRESHOLD.build(
        CLIP_THRESHOLD.settings({"users": "6", "dimension": "1", "epsilon": "4", "most": "1"})
    )
    assert instance.closed_form is not None
    users = ((1,), (2,), (2,), (3,), (3,), (3,))
    law = instance.closed_form(users)
    best = math.isqrt(Objective(users, Fraction(1), "l1").best())
    assert max(range(1, 5), key=law.prob) == best == 3
    assert distance(users, best, weights=UserWeights("l1", 1, 1), noise=1) == 0
