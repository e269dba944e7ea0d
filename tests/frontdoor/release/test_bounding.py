"""Users with several labels: what is left of them, and a guarantee that covers every pair of counts that changes."""

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import dpcert
from dpcert import Columns, Dist, InputError, seeded_coins
from dpcert.audit.kernel.divergence import decide_pair
from dpcert.mechanisms.drawn import by_word
from dpcert.mechanisms.sample_and_threshold.bounded_histogram import bounded, bounded_counts, user_records
from dpcert.mechanisms.sample_and_threshold.sample_threshold import sample_threshold_law
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_counts
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
