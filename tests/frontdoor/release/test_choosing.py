"""Clips that are chosen privately: the law of the audited choice, its privacy by exact laws, and the whole release."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import dpcert
from dpcert import Budget, Dist, InputError
from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.user_level.clipped_sum_l1 import ratio_within
from dpcert.mechanisms.user_level.dp_sgd import Descent, clip_threshold_descent_law
from dpcert.mechanisms.user_level.output_perturbation import Regularized, clip_threshold_perturbed_law
from dpcert.mechanisms.user_level.private_threshold import all_distances, clip_threshold_law, drawn_threshold
from dpcert.mechanisms.user_level.user_weights import UserWeights
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.releasing.choosing import METHODS, Choice

E = dpcert.Epsilon.of
PEOPLE = [((), ()), ((1,), (2, 1)), ((2, 2), (3,)), ((1,), (1,))]
"""The counts of two users, without items that they do not have."""


def choice(method: str, norm: str = "l1") -> Choice:
    weights = UserWeights(norm, 2, 1)
    return Choice(method, E("ln(9)"), E("1"), greatest=3, users=2, rounds=2, weights=weights)


def chosen(one: Choice, users: Sequence[Sequence[int]], eta: Fraction = Fraction(1)) -> Dist:
    rows = [list(enumerate(counts)) for counts in users]
    return enumerate_law(lambda data, coins: one.chosen(data, eta, coins), rows).law


@pytest.mark.parametrize("users", PEOPLE)
@pytest.mark.parametrize("ratio", [Fraction(2), Fraction(4, 3)])
def test_exact_twin_of_a_threshold_by_proposals(users: Any, ratio: Fraction) -> None:
    weights = UserWeights("l1", 1, 1)
    distances = all_distances(users, 3, weights=weights, noise=1)
    found = enumerate_law(lambda _, coins: drawn_threshold(distances, ratio, coins), 0).law
    assert found == clip_threshold_law(weights=weights, noise=1, greatest=3, ratio=ratio)(users)


def between(value: int) -> int:
    return min(max(value, 1), 3)


@pytest.mark.parametrize("users", PEOPLE)
def test_twin_each_choice_has_the_law_of_the_audited_one(users: Any) -> None:
    one = choice("threshold")
    weights, spent = one.weights, one.spends
    form = clip_threshold_law(weights=weights, noise=1, greatest=3, ratio=ratio_within(spent, 2))(users)
    assert chosen(one, users) == form
    strength = Fraction(1 + 1, 3)  # sqrt(2 * 2 / ln 9), rounded down, is 1
    regularized = Regularized(weights=weights, noise=1, strength=strength, grid=1)
    ratio = ratio_within(spent, regularized.sensitivity)
    law = clip_threshold_perturbed_law(regularized=regularized, greatest=3, ratio=ratio)(users)
    assert chosen(choice("perturbed"), users) == law.map(between)
    descent = Descent(weights=weights, noise=1, grid=2, greatest=6, stride=3, users=2)
    steps = clip_threshold_descent_law(descent=descent, rounds=2, ratio=ratio_within(spent, 2))(users)
    assert chosen(choice("descent"), users) == steps.map(lambda places: between(-(-places[-1] // 2)))


@pytest.mark.points(3)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_each_choice_is_private_where_a_user_is_replaced_also_by_one_without_items(method: str, norm: str) -> None:
    one, records = replace(choice(method, norm), rounds=1), [(), (1,), (4,), (2, 2)]
    laws = {pair: chosen(one, [counts for counts in pair if counts]) for pair in product(records, repeat=2)}
    for a, b in product(laws, repeat=2):
        if sum(x != y for x, y in zip(a, b, strict=True)) == 1:
            assert decide_pair(laws[a], laws[b], one.spends, Fraction(0))[0] is True
    assert len({str(law) for law in laws.values()}) > 1


def test_caught_a_choice_that_spends_more() -> None:
    one = choice("threshold")
    a, b = chosen(one, [(3,)]), chosen(one, [(3,), (3,)])
    assert decide_pair(a, b, E("ln(3/2)"), Fraction(0))[0] is False


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "users.csv"
    rows = (f"u{user},{item},{1 + (user * place) % 5}\n" for user in range(400) for place, item in enumerate("ab", 1))
    path.write_text("".join(rows))
    return path


SETTINGS = {"greatest": "20", "users": "400"}


@pytest.mark.parametrize("method", METHODS)
def test_one_call_chooses_clips_releases_and_debiases_within_one_budget(
    data: Path, tmp_path: Path, method: str
) -> None:
    budget = tmp_path / "budget.json"
    Budget.create(budget, epsilon="2", delta="0", neighbours="replace-user", by="basic")
    found = dpcert.release(
        "clipped-sum-l1",
        data,
        tmp_path / "sums.json",
        epsilon=2,
        labels=["a", "b"],
        settings={"clip": method, "cap": "50", **SETTINGS},
        budget=budget,
        coins=dpcert.seeded_coins(4),
    )
    assert found.columns == ("value", "sum", "debiased")
    assert 1 <= int(found.parameters["clip"]) <= 20
    assert METHODS[method] in found.rests_on
    assert found.guarantee.startswith("what was released is (2, 0)-")
    assert all(0 < float(Fraction(total)) < 1300 and float(more) > 0 for _, total, more in found.released)
    _, _, low, high, debiased = dpcert.estimate(found).rows[0]
    assert float(low) <= float(Fraction(found.released[0][1])) <= float(high)
    assert debiased == found.released[0][2]
    with pytest.raises(dpcert.BudgetExceeded):
        dpcert.release("clipped-sum-l1", data, tmp_path / "b.json", epsilon=1, labels=["a", "b"],
                       settings={"clip": "3"}, budget=budget)  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_sums_in_l2_with_a_chosen_clip(data: Path, tmp_path: Path, method: str) -> None:
    found = dpcert.release(
        "clipped-sum-l2",
        data,
        tmp_path / "sums.csv",
        epsilon=2,
        labels=["a", "b"],
        settings={"clip": method, "sigma": "5", **SETTINGS},
        coins=dpcert.seeded_coins(4),
    )
    assert Fraction(found.parameters["variance"]) == 25 * 2 * int(found.parameters["clip"]) ** 2
    spent = Fraction(found.guarantee.split("(2, ")[1].split(")")[0])
    alone = dpcert.release(
        "clipped-sum-l2",
        data,
        tmp_path / "other.csv",
        epsilon="9/5",
        labels=["a", "b"],
        settings={"clip": "3", "sigma": "5"},
    )
    assert spent == Fraction(alone.guarantee.split("(9/5, ")[1].split(")")[0])


@pytest.mark.parametrize(("settings", "words"), [
    ({"clip": "threshold"}, "greatest and users"),
    ({"clip": "most", **SETTINGS}, "one of clip, grid, ratio"),
    ({"clip": "threshold", "greatest": "20", "users": "399"}, "399 at most"),
    ({"clip": "threshold", **SETTINGS, "grid": "1000"}, "lower greatest or grid"),
    ({"clip": "threshold", **SETTINGS, "cap": "0"}, "a rate above 0"),
    ({"clip": "threshold", **SETTINGS, "ratio": "2"}, "leave it out"),
    ({"clip": "3", "share": "1/2"}, "leave it out"),
])  # fmt: skip
def test_refused_settings(data: Path, tmp_path: Path, settings: dict[str, str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        dpcert.release("clipped-sum-l1", data, tmp_path / "b.json", epsilon=1, labels=["a", "b"], settings=settings)
    assert not (tmp_path / "b.json").exists()
