"""Releases of users' data: bounded labels with a guarantee for every changed count, and clips chosen privately."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import dpcert
from dpcert import Budget, Columns, Dist, InputError, seeded_coins
from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.drawn import by_word
from dpcert.mechanisms.sample_and_threshold.bounded_histogram import bounded, bounded_counts, user_records
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_counts
from dpcert.mechanisms.user_level.clipped_sum_l1 import ratio_within
from dpcert.mechanisms.user_level.dp_sgd import Descent, clip_threshold_descent_law
from dpcert.mechanisms.user_level.output_perturbation import Regularized, clip_threshold_perturbed_law
from dpcert.mechanisms.user_level.private_threshold import all_distances, clip_threshold_law, drawn_threshold
from dpcert.mechanisms.user_level.user_weights import UserWeights
from dpcert.reading.paths.enumerator import enumerate_law
from dpcert.releasing.choosing import METHODS, Choice
from dpcert.releasing.data import Users
from dpcert.releasing.rows import opened

USERS = "".join(f"u{place % 9},w{place * place % 7}\n" for place in range(90))


def test_the_first_labels_count_once() -> None:
    assert bounded(["b", "a", "b", "c"], 2) == ["b", "a"]
    assert bounded_counts([["b", "a", "b", "c"], ["c", "c"], []], 2) == [("a", 1), ("b", 1), ("c", 1)]


@pytest.mark.parametrize("bound", [1, 2, 3])
def test_replacing_a_user_changes_two_counts_for_each_label_that_counts(bound: int) -> None:
    worst = 0
    for users in user_records(1, 4, 3):
        for other in user_records(1, 4, 3):
            before, after = (dict(bounded_counts(one, bound)) for one in (users, other))
            changes = [abs(before.get(label, 0) - after.get(label, 0)) for label in range(4)]
            assert max(changes) <= 1
            worst = max(worst, sum(changes))
    assert worst == min(2 * bound, 4)


def records(path: Path) -> dict[str, list[str]]:
    with opened(path, Columns(), users=True) as rows:
        users = Users.of(rows)
    return dict(zip(users.names, users.records(), strict=True))


def test_what_is_left_of_a_user_depends_on_the_users_own_rows_alone(tmp_path: Path) -> None:
    whole, alone = tmp_path / "whole.csv", tmp_path / "alone.csv"
    whole.write_text(USERS)
    for user, labels in records(whole).items():
        rows = [line for line in USERS.splitlines() if line.startswith(f"{user},")]
        alone.write_text("\n".join(reversed(rows)))
        assert records(alone) == {user: labels}
        assert sorted(labels) == sorted({row.split(",")[1] for row in rows})
    assert len({tuple(labels) for labels in records(whole).values()}) > 4


def released(path: Path, name: str = "bounded-histogram", **given: Any) -> dpcert.Release:
    settings = {"bound": "2", **given.pop("settings", {"rate": "1/2", "threshold": "3"})}
    out = path.with_name("out.json")
    return dpcert.release(name, path, out, settings=settings, coins=seeded_coins(4), **{"epsilon": 2, **given})


def test_twin_a_release_is_the_audited_program_on_the_records(tmp_path: Path) -> None:
    path = tmp_path / "users.csv"
    path.write_text(USERS)
    found = released(path)
    program = threshold_counts(rate=Fraction(1, 2), threshold=3, drawn=by_word)
    assert found.released == program(bounded_counts(records(path).values(), 2), seeded_coins(4))
    assert "lists of users of whom one has another record: each user is one element" in found.guarantee
    assert found.read == "column 1 as users, column 2 as values, no header"


def delta_of(found: dpcert.Release) -> Fraction:
    return Fraction(found.guarantee.split("(2, ")[1].split(")")[0])


def test_the_guarantee_covers_every_two_counts_between_which_one_label_moves(tmp_path: Path) -> None:
    path = tmp_path / "users.csv"
    path.write_text("u1,cat\n")
    delta = delta_of(released(path, settings={"rate": "1/2", "threshold": "3", "bound": "1"}))
    law, epsilon = sample_threshold_law(rate=Fraction(1, 2), threshold=3), dpcert.Epsilon.of(2)
    needed = Fraction(0)
    for left, entered in product(range(1, 9), repeat=2):
        a, b = law(left).product(law(entered - 1)), law(left - 1).product(law(entered))
        assert decide_pair(a, b, epsilon, delta)[0] is True
        needed = max(needed, excess(a, b), excess(b, a))
    assert delta / 3 < needed <= delta


def excess(a: Dist, b: Dist) -> Fraction:
    ratio = Fraction(7389056, 10**6)  # a little below e^2
    return sum((max(Fraction(0), p - ratio * b.prob(outcome)) for outcome, p in a.items()), Fraction(0))


@pytest.mark.parametrize(
    ("name", "settings", "delta"),
    [
        ("stability-histogram", {"threshold": "30"}, None),
        ("basic-histogram", {}, None),
        ("pws-keys", {"imax": "30"}, "1/100"),
        ("pws-frequencies", {"imax": "30"}, "1/100"),
    ],
)
def test_other_mechanisms_have_their_share_of_the_budget_for_each_count(
    tmp_path: Path, name: str, settings: dict[str, str], delta: str | None
) -> None:
    path = tmp_path / "users.csv"
    path.write_text(USERS)
    labels = [f"w{place}" for place in range(7)] if name == "basic-histogram" else None
    found = released(path, name, settings=settings, delta=delta, labels=labels)
    counts, lost = bounded_counts(records(path).values(), 2), None if delta is None else Fraction(delta) / 4
    one = dpcert.release(
        name,
        counts,
        tmp_path / "one.json",
        settings=settings,
        epsilon="1/2",
        delta=lost,
        labels=labels,
        coins=seeded_coins(4),
    )
    assert found.released == one.released
    assert delta_of(found) == 4 * Fraction(one.guarantee.split("(1/2, ")[1].split(")")[0])
    assert found.parameters["bound"] == "2"


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("bounded-histogram", {"settings": {"rate": "1/2"}}, "without threshold"),
        ("bounded-histogram", {"neighbours": "add-remove"}, "replace-user"),
        ("bounded-histogram", {"delta": "1e-9"}, "which these settings need"),
        ("privhist", {"settings": {}}, "no --set"),
        ("stability-histogram", {"settings": {"threshold": "3", "bound": "0"}}, "an integer from 1"),
        ("stability-histogram", {"settings": {"threshold": "3"}, "neighbours": "substitute"}, "replace-user"),
    ],
)
def test_refused_bounds(tmp_path: Path, name: str, given: dict[str, Any], words: str) -> None:
    path = tmp_path / "users.csv"
    path.write_text(USERS)
    with pytest.raises(InputError, match=words):
        released(path, name, **given)


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
def test_one_call_chooses_clips_and_debiases_within_one_budget(data: Path, tmp_path: Path, method: str) -> None:
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
