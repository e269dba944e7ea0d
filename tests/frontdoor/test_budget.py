"""A budget in a file: what is spent is certified and adds up, too much is refused, two processes do not lose a use."""

import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import pytest

import dpcert
from dpcert import Budget, BudgetExceeded, InputError, compose
from dpcert.audit.profile import profile
from dpcert.run import budget as budgets

ONE = profile(dpcert.Dist.of({0: "5/8", 1: "2/8", 2: "1/8"}), dpcert.Dist.of({0: "1/8", 1: "3/8", 2: "4/8"}))
THIRD = dpcert.PureDP("ln(4/3)")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "budget.json"


def test_each_use_is_counted_at_what_all_disclose_together(path: Path) -> None:
    budget = Budget.create(path, epsilon="ln(30)", delta="1/10", neighbours="add-remove")
    spent = budget.spent()
    assert (spent.epsilon, spent.delta, spent.rounds) == (0, 0, 0)
    uses: list[Any] = []
    for use, times in ((ONE, 1), (THIRD, 2), (ONE, 1)):
        spent = budget.spend(use, times, neighbours="add-remove", note="a release")
        uses.append((use, times))
        together = compose(uses)
        assert spent.delta == together.delta_at("ln(30)").hi
        assert spent.epsilon == together.epsilon_at("1/10").hi
        again = Budget.open(path).spent()
        assert (again.epsilon, again.delta, again.rounds) == (spent.epsilon, spent.delta, spent.rounds)
    assert (spent.rounds, [entry.note for entry in budget.entries()]) == (4, ["a release"] * 3)


def test_the_spent_epsilon_is_looked_for_when_it_is_asked_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = Budget.create(path, epsilon="ln(30)", delta="1/10", neighbours="add-remove")
    composed, asked = budgets.composed, []

    def counted(parts: Any) -> Any:
        asked.append(parts)
        return composed(parts)

    monkeypatch.setattr(budgets, "composed", counted)
    spent = budget.spend(ONE, neighbours="add-remove")
    assert len(asked) == 1
    epsilon = spent.epsilon
    assert (len(asked), epsilon) == (1, compose([ONE]).epsilon_at("1/10").hi)


def test_a_use_beyond_the_budget_is_refused_and_nothing_is_spent(path: Path) -> None:
    budget = Budget.create(path, epsilon="ln(4)", delta=0, neighbours="add-remove")
    for _ in range(4):
        budget.spend(THIRD, neighbours="add-remove")
    before = path.read_bytes()
    with pytest.raises(BudgetExceeded, match="nothing was spent"):
        budget.spend(THIRD, neighbours="add-remove")
    assert path.read_bytes() == before


def test_basic_accounting_adds_up_and_takes_guarantees_alone(path: Path) -> None:
    budget = Budget.create(path, epsilon="1", delta="1/100", neighbours="add-remove", by="basic")
    spent = budget.spend(dpcert.ApproxDP("1/4", "1/400"), 4, neighbours="add-remove")
    assert (spent.delta, spent.rounds) == (Fraction(1, 100), 4)
    assert 1 <= spent.epsilon < Fraction(1001, 1000)
    with pytest.raises(BudgetExceeded):
        budget.spend(dpcert.PureDP("1/1000"), neighbours="add-remove")
    with pytest.raises(InputError, match="a guarantee"):
        budget.spend(ONE, neighbours="add-remove")


def test_a_long_profile_is_written_rounded_up(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "MOST_BITS", 8)
    monkeypatch.setattr(budgets, "ROUNDED", 12)
    budget = Budget.create(path, epsilon="ln(3)", delta="9/10", neighbours="add-remove")
    budget.spend(ONE, neighbours="add-remove")
    (entry,) = budget.entries()
    written = compose([entry.pair]) if isinstance(entry.pair, type(ONE)) else None
    for epsilon in ("0", "ln(2)", "ln(5)"):
        exactly, found = ONE.delta_at(dpcert.Epsilon.of(epsilon)).hi, written.delta_at(epsilon).hi
        assert exactly <= found <= exactly + Fraction(1, 100)


def test_two_processes_lose_no_use(path: Path) -> None:
    Budget.create(path, epsilon="ln(1000)", delta="1/10", neighbours="add-remove")
    code = f"""
import dpcert
budget = dpcert.Budget.open({str(path)!r})
for _ in range(8):
    budget.spend(dpcert.PureDP("ln(101/100)"), neighbours="add-remove")
"""
    running = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    assert Budget.open(path).spent().rounds == 16


EDITS: dict[str, Callable[[dict[str, Any]], object]] = {
    "another schema": lambda data: data.update(schema="dpcert.budget/0"),
    "a relation that is no name": lambda data: data.update(neighbours=["add-remove"]),
    "no relation": lambda data: data.pop("neighbours"),
    "a field too many": lambda data: data.update(more=1),
    "an accounting of one's own": lambda data: data.update(by="hope"),
    "weights that are no law": lambda data: data["entries"][0]["pair"].update(p_only="0x3"),
    "a weight below 0": lambda data: data["entries"][0]["pair"]["p_weights"].__setitem__(0, "-0x5"),
    "a number of 0": lambda data: data["entries"][0].update(times=0),
    "a number that is true": lambda data: data["entries"][0].update(times=True),
    "no pair": lambda data: data["entries"][0].update(pair={}),
    "a use that is no object": lambda data: data.update(entries=["once"]),
}


@pytest.mark.parametrize("edit", EDITS)
def test_refused_an_edited_file(path: Path, edit: str) -> None:
    Budget.create(path, epsilon=3, delta="1/10", neighbours="add-remove").spend(ONE, neighbours="add-remove")
    data = json.loads(path.read_text())
    EDITS[edit](data)
    path.write_text(json.dumps(data))
    with pytest.raises(InputError, match=r"dpcert\.budget/2"):
        Budget.open(path)


def test_refused_files_and_uses(path: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Budget\.create"):
        Budget.open(path)
    budget = Budget.create(path, epsilon=3, delta="1/10", neighbours="add-remove")
    with pytest.raises(InputError, match=r"Budget\.open"):
        Budget.create(path, epsilon=3, delta="1/10", neighbours="add-remove")
    with pytest.raises(InputError, match="basic"):
        Budget.create(tmp_path / "other.json", epsilon=3, delta="1/10", neighbours="add-remove", by=cast("Any", "hope"))
    with pytest.raises(InputError, match="0 uses"):
        budget.spend(ONE, 0, neighbours="add-remove")
    with pytest.raises(InputError, match="a str"):
        budget.spend(cast("Any", "all of it"), neighbours="add-remove")
    path.write_text(path.read_text()[:40])
    with pytest.raises(InputError, match=r"dpcert\.budget/2"):
        budget.spend(ONE, neighbours="add-remove")


def test_a_use_for_another_relation_is_refused_and_nothing_is_spent(path: Path) -> None:
    @dpcert.target(guarantee=dpcert.PureDP("ln(3)"), inputs=[[], [0]], neighbours="add-remove")
    def response(people: list[int], coins: dpcert.Coins) -> bool:
        return bool(people) if coins.below(4) else not people

    budget = Budget.create(path, epsilon=10, delta="1/10", neighbours="substitute")
    before = path.read_bytes()
    verdict, claimed = dpcert.audit(response).seen.verdict, dpcert.profile(response)
    refused: list[tuple[Any, dict[str, Any]]] = [
        (verdict, {}),
        (claimed, {}),
        (claimed, {"neighbours": "add-remove"}),
        (claimed, {"neighbours": "substitute"}),
        (THIRD, {"neighbours": "add-remove"}),
        (THIRD, {"neighbours": dpcert.one_user("user")}),
    ]
    for use, given in refused:
        with pytest.raises(InputError) as caught:
            budget.spend(use, **given)
        line = f"neighbours: substitute, the relation of the budget {path}; nothing was spent"
        assert line in str(caught.value)
    for use in (THIRD, ONE):
        with pytest.raises(InputError, match="the relation that it is for; pass neighbours='substitute', if"):
            budget.spend(use)
    assert path.read_bytes() == before
    other = Budget.create(path.with_name("other.json"), epsilon=10, delta="1/10", neighbours="add-remove")
    assert other.spend(verdict).rounds == 1
    assert other.spend(claimed, neighbours="add-remove").rounds == 2
    with pytest.raises(InputError, match="substitute neighbours: add-remove, the relation of the budget"):
        Budget.open(other.path).spend(claimed, neighbours="substitute")
    with pytest.raises(InputError, match="neighbours 'friends'"):
        Budget.create(path.with_name("third.json"), epsilon=1, delta=0, neighbours="friends")


def test_refused_a_file_of_before_that_says_no_relation(path: Path) -> None:
    Budget.create(path, epsilon=3, delta="1/10", neighbours="add-remove")
    data = json.loads(path.read_text())
    data.pop("neighbours")
    path.write_text(json.dumps({**data, "schema": "dpcert.budget/1"}))
    with pytest.raises(InputError, match=r"dpcert\.budget/1, which does not say for which neighbours it is: a file of"):
        Budget.open(path)


def test_a_disk_that_is_full_spends_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = Budget.create(path, epsilon=3, delta="1/10", neighbours="add-remove")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(budgets, "replace_file", full)
    with pytest.raises(InputError, match="No space left"):
        budget.spend(ONE, neighbours="add-remove")
    monkeypatch.undo()
    assert Budget.open(path).spent().rounds == 0
