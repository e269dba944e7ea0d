"""Releases of files: the program's own draws, the guarantee that all counts need, budgets, and bad files."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import dpcert
from dpcert.mechanisms.drawn import by_word
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_counts
from dpcert.releasing import writing
from dpcert.run.budget import Budget

WORDS = ["cat"] * 40 + ["dog"] * 25 + ["eel"] * 3
SETTINGS = {"rate": "1/2", "threshold": "5"}
NAME = "sample-threshold-histogram"


@pytest.fixture
def data(tmp_path: Path) -> Callable[[str, str], Path]:
    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_a_release_is_the_audited_program_on_the_same_coins(data: Any, tmp_path: Path) -> None:
    path = data("words.txt", "\n".join(WORDS) + "\n")
    found = dpcert.release(
        NAME, path, tmp_path / "out.json", settings=SETTINGS, epsilon="ln(3)", coins=dpcert.seeded_coins(5)
    )
    program = threshold_counts(rate=Fraction(1, 2), threshold=5, drawn=by_word)
    assert found.released == program([(word, WORDS.count(word)) for word in sorted(set(WORDS))], dpcert.seeded_coins(5))
    needed = greatest_delta(rate=Fraction(1, 2), threshold=5, ratio=Fraction(3)).delta
    written = json.loads((tmp_path / "out.json").read_text())
    assert written == found.as_json()
    assert written["guarantee"].startswith("what was released is (ln(3), ")
    delta = Fraction(written["guarantee"].split("(ln(3), ")[1].split(")")[0])
    assert needed <= delta < needed * Fraction(1001, 1000)


@pytest.mark.parametrize(
    ("name", "text", "columns", "read"),
    [
        ("a.csv", "cat,40\ndog,25\n", (), "column 1 as values, column 2 as counts, no header"),
        ("a.csv", "word,n\ncat,40\ndog,25\n", (), "column 1 as values, column 2 as counts, a header"),
        ("a.csv", "n,word\n40,cat\n25,dog\n", ("word", "n"), "column 2 as values, column 1 as counts, a header"),
        ("a.csv", "40,cat\n25,dog\n", ("2", "1"), "column 2 as values, column 1 as counts, no header"),
        ("a.csv", "w\n" + "cat\n" * 40 + "dog\n" * 25, ("w",), "column 1 as values, a header"),
        ("a.csv", "cat\n" * 40 + "dog\n" * 25, (), "column 1 as values, no header"),
        ("a.txt", "cat\n" * 40 + "dog\r\n" * 25, (), "each line as one value"),
        ("a.csv", 'cat,30\n"dog",25\ncat,10\n', (), "column 1 as values, column 2 as counts, no header"),
    ],
)
def test_files_are_read_and_said_how(data: Any, name: str, text: str, columns: tuple[str, ...], read: str) -> None:
    counts, words = dpcert.read_counts(data(name, text), dpcert.Columns(*columns))
    assert (counts, words) == ([("cat", 40), ("dog", 25)], read)


BAD = {
    "a count below 0": ("a.csv", "cat,4\nsecret,-3\n", "line 2: a count that is no integer >= 0"),
    "a first count below 0": ("a.csv", "secret,-3\ncat,4\n", "line 1: a count that is no integer >= 0"),
    "a first count that is NaN": ("a.csv", "secret,nan\ncat,4\n", "line 1: a count that is no integer >= 0"),
    "a count that is no number": ("a.csv", "w,n\ncat,4\nsecret,many\n", "line 3: a count that is no integer >= 0"),
    "a fraction": ("a.csv", "cat,4\nsecret,1.5\n", "line 2: a count"),
    "a row without a count": ("a.csv", "cat,4\nsecret\n", "line 2: 1 columns"),
    "a row without a value": ("a.csv", "cat,4\n,3\n", "line 2: no value"),
    "a long value": (
        "a.csv",
        "cat,4\n" + "secret" * 20_000 + ",3\n",
        "line 2: a value that is too long; needed: a value of 1 to 65,536 characters",
    ),
    "users and items": ("a.csv", "user,item\nsecret,7\n", "a column of users; needed: values of which each row is one"),
    "a quote that does not end": ("a.csv", 'cat,4\n"secret,3\n', "unexpected end of data"),
    "an empty line of a list": ("a.txt", "cat\n\n", "line 2: no value"),
}


@pytest.mark.parametrize("fault", BAD)
def test_refused_files_are_named_by_line_and_nothing_is_spent(
    data: Any, tmp_path: Path, inside: Any, fault: str
) -> None:
    name, text, words = BAD[fault]
    budget = tmp_path / "budget.json"
    Budget.create(budget, epsilon=10, delta="1/10", neighbours="add-remove")
    options = ("--epsilon", "ln(3)", "--budget", budget, "--set", "rate=1/2", "--set", "threshold=5")
    done = inside("release", NAME, "--data", data(name, text), "--out", tmp_path / "out.csv", *options)
    assert done.status == 2
    assert words in done.err
    assert "secret" not in done.out + done.err
    assert Budget.open(budget).spent().rounds == 0
    assert {path.name for path in tmp_path.iterdir()} == {name, "budget.json"}


def test_a_second_release_is_refused_by_the_budget(data: Any, tmp_path: Path, inside: Any) -> None:
    path, budget, out = data("words.txt", "\n".join(WORDS)), tmp_path / "budget.json", tmp_path / "out.csv"
    Budget.create(budget, epsilon="ln(4)", delta="1/10", neighbours="add-remove", by="basic")
    options = ("--epsilon", "ln(3)", "--budget", budget, "--set", "rate=1/2", "--set", "threshold=5")
    first = inside("release", NAME, "--data", path, "--out", out, *options)
    assert (first.status, first.out.startswith("read each line as one value; wrote ")) == (0, True)
    assert out.read_text().startswith('"value","count"')
    assert json.loads((tmp_path / "out.guarantee.json").read_text())["released"] == "out.csv"
    before = out.read_bytes()
    second = inside("release", NAME, "--data", path, "--out", tmp_path / "again.csv", *options)
    assert (second.status, "nothing was spent" in second.err) == (2, True)
    for name in ("out.csv", "out.parquet"):  # which would have the same record
        again = inside("release", NAME, "--data", path, "--out", tmp_path / name, *options)
        assert (again.status, again.err.count("\n"), " is there; needed: a new file: " in again.err) == (2, 1, True)
    assert (out.read_bytes(), Budget.open(budget).spent().rounds) == (before, 1)
    assert not list(tmp_path.glob(".*"))


def test_a_budget_of_another_relation_releases_and_spends_nothing(data: Any, tmp_path: Path, inside: Any) -> None:
    path, budget = data("words.txt", "\n".join(WORDS)), tmp_path / "budget.json"
    Budget.create(budget, epsilon="10", delta="1/10", neighbours="substitute")
    options = ("--epsilon", "ln(3)", "--budget", budget, "--set", "rate=1/2", "--set", "threshold=5")
    done = inside("release", NAME, "--data", path, "--out", tmp_path / "out.csv", *options)
    assert done.status == 2
    assert "a use for add-remove neighbours; needed: substitute, the relation of the budget" in done.err
    assert Budget.open(budget).spent().rounds == 0
    assert {each.name for each in tmp_path.iterdir()} == {"words.txt", "budget.json"}
    again = inside("release", NAME, "--data", path, "--out", tmp_path / "out.csv", "--neighbours=substitute", *options)
    assert (again.status, Budget.open(budget).spent().rounds) == (0, 1)


def test_a_disk_that_is_full_spends_nothing(data: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, budget = data("words.txt", "\n".join(WORDS)), tmp_path / "budget.json"
    Budget.create(budget, epsilon=10, delta="1/10", neighbours="add-remove")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing.os, "fsync", full)
    with pytest.raises(dpcert.InputError, match="No space left"):
        dpcert.release(NAME, path, tmp_path / "out.json", settings=SETTINGS, epsilon=1, budget=budget)
    monkeypatch.undo()
    assert Budget.open(budget).spent().rounds == 0
    assert not (tmp_path / "out.json").exists()
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"mechanism": "geosample"}, "not yet run on files"),
        ({"out": "out.txt"}, "ends in .json, .csv or .parquet"),
        ({"delta": "1e-30"}, "which these settings need"),
        ({"delta": 2}, "a number from 0 to 1"),
        ({"neighbours": "any"}, "add-remove or substitute"),
        ({"epsilon": 0}, "above 0"),
        ({"settings": {"rate": "1/2"}}, "rate and threshold"),
        ({"data": "missing.txt"}, "No such file"),
        ({"columns": dpcert.Columns("name")}, "column name of"),
        ({"columns": dpcert.Columns(user="1")}, "a column of users: values of which each row is one person"),
        ({"mechanism": "privhist", "settings": {}, "delta": "1e-6"}, "no delta: it is private without one"),
    ],
)
def test_refused_calls(data: Any, tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    call: dict[str, Any] = {"mechanism": NAME, "data": data("a.csv", "cat,40\n"), "out": tmp_path / "out.json"}
    call |= {"settings": SETTINGS, "epsilon": "ln(3)", **changes}
    with pytest.raises(dpcert.InputError, match=words):
        dpcert.release(**call)
    assert not (tmp_path / "out.json").exists()


def test_people_who_move_need_more(data: Any, tmp_path: Path) -> None:
    path = data("words.txt", "\n".join(WORDS))
    found = dpcert.release(
        NAME, path, tmp_path / "out.json", settings=SETTINGS, epsilon="ln(3)", neighbours="substitute"
    )
    assert "for lists of one length that differ in one element" in found.guarantee
    assert "all moves" in found.rests_on
