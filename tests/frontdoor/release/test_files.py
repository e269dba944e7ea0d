"""Releases of files: the program's own draws, all kinds of files, budgets; bad files are refused, and spend nothing."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import dpcert
from dpcert import Columns, InputError
from dpcert.mechanisms.drawn import by_word
from dpcert.mechanisms.sample_and_threshold.all_counts import greatest_delta
from dpcert.mechanisms.sample_and_threshold.threshold_histogram import threshold_counts
from dpcert.releasing import data as reading
from dpcert.releasing import rows, writing
from dpcert.releasing.data import Users, read_labels
from dpcert.releasing.rows import opened
from dpcert.run.budget import Budget

NAME = "sample-threshold-histogram"
GIVEN: dict[str, Any] = {"settings": {"rate": "1/2", "threshold": "5"}, "epsilon": "ln(3)"}


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    def written(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return written


USERS = {
    "titled": ("user,item\nu1,cat\nu2,dog\nu1,cat\n", (), "column 1 as users, column 2 as values, a header"),
    "plain": ("u1,cat\nu2,dog\nu1,cat\n", (), "column 1 as users, column 2 as values, no header"),
    "counted": (
        "u1,cat,2\nu2,dog,1\nu3,dog,0\n",
        (),
        "column 1 as users, column 2 as values, column 3 as counts, no header",
    ),
    "turned": (
        "item,who\ncat,u1\ndog,u2\ncat,u1\n",
        ("item", None, None, "who"),
        "column 2 as users, column 1 as values, a header",
    ),
}


@pytest.mark.parametrize("case", USERS)
def test_users_are_read_in_any_order(write: Any, case: str) -> None:
    text, columns, words = USERS[case]
    with opened(write("a.csv", text), Columns(*columns), users=True) as found:
        users = Users.of(found, {"cat": 0, "dog": 1})
        assert found.words == words
    assert list(users) == [[(0, 2)], [(1, 1)]]


@pytest.mark.parametrize("block", [1, 50, 1 << 18])
def test_twin_many_users_are_those_of_a_dictionary(write: Any, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "BLOCK", block)
    held: dict[int, dict[int, int]] = {}
    lines = []
    for place in range(3000):
        user, item, count = place * 7 % 101, place * place % 13, place % 4
        lines.append(f"u{user},{item},{count}")
        mine = held.setdefault(user, {})
        mine[item] = mine.get(item, 0) + count
    with opened(write("a.csv", "\n".join(lines)), Columns(), users=True) as found:
        users = Users.of(found, {str(item): item for item in range(13)})
    expected = [sorted((item, count) for item, count in mine.items() if count) for mine in held.values()]
    assert sorted(map(sorted, users)) == sorted(filter(None, expected))


BAD_USERS = {
    "no user": ("u1,cat\n,dog\n", "line 2: no user"),
    "another item": ("u1,cat\nu2,secret\n", "line 2: an item that is not in the file of labels"),
    "no item": ("u1,cat\nu2\n", "line 2: 1 columns"),
    "a count that is no number": ("u1,cat,1\nu2,dog,secret\n", "line 2: a count that is no integer"),
    "a great count": ("u1,cat,1\nu2,dog,99999999999999\n", "line 2: a count above 2"),
}


@pytest.mark.parametrize("fault", BAD_USERS)
def test_refused_rows_of_users_are_shown_to_a_trusted_terminal(
    write: Any, tmp_path: Path, inside: Any, fault: str
) -> None:
    text, words = BAD_USERS[fault]
    labels, path = write("labels.txt", "cat\ndog\n"), write("a.csv", text)
    options = ("--epsilon", "1", "--set", "clip=1", "--labels", labels, "--out", tmp_path / "out.csv")
    done = inside("release", "clipped-sum-l1", "--data", path, *options)
    assert (done.status, words in done.err, "secret" in done.err) == (2, True, False)
    trusted = inside("release", "clipped-sum-l1", "--data", path, *options, "--trusted-terminal")
    assert (trusted.status, "secret" in trusted.err) == (2, "secret" in text)
    assert not (tmp_path / "out.csv").exists()


def test_refused_labels(write: Any) -> None:
    with pytest.raises(InputError, match="line 3: a label that stands there twice"):
        read_labels(write("labels.txt", "cat\ndog\ncat\n"))
    with pytest.raises(InputError, match="no labels"):
        read_labels(write("labels.txt", ""))


def test_parts_of_the_data_are_one_release(write: Any, tmp_path: Path) -> None:
    words = ["cat"] * 40 + ["dog"] * 25
    parts = [write("one.txt", "\n".join(words[:30])), write("two.txt", "\n".join(words[30:]))]
    whole = write("whole.txt", "\n".join(words))
    found = [
        dpcert.release(NAME, data, tmp_path / "out.json", coins=dpcert.seeded_coins(3), **GIVEN)
        for data in (parts, whole, dpcert.merged_counts(dpcert.read_counts(part)[0] for part in parts))
    ]
    assert found[0].released == found[1].released == found[2].released
    assert [one.read for one in found] == ["each line as one value, of 2 files", "each line as one value", "counts"]
    with pytest.raises(InputError, match="data that are no counts"):
        dpcert.release(NAME, [("cat", 1), ("dog", 0)], tmp_path / "out.json", **GIVEN)


def plan(write: Any, **changes: Any) -> Path:
    found = {
        "schema": "dpcert.plan/1",
        "mechanism": "sample-threshold",
        "budget": {"epsilon": "ln(2)", "delta": "1/1000000", "neighbours": "add-remove"},
        "answer": {"rate": "1/10", "threshold": "9"},
        **changes,
    }
    return write("plan.json", json.dumps(found))


def test_a_plan_says_all_that_a_release_needs(write: Any, tmp_path: Path, inside: Any) -> None:
    path, out = write("a.csv", "cat,400\ndog,250\n"), tmp_path / "out.csv"
    done = inside("release", "--plan", plan(write), "--data", path, "--out", out)
    assert (done.status, done.err) == (0, "")
    record = json.loads((tmp_path / "out.guarantee.json").read_text())
    assert record["mechanism"] == NAME
    assert record["parameters"] == {"rate": "1/10", "threshold": "9"}
    assert record["guarantee"].startswith("what was released is (ln(2), 3.45353e-7)")


PLANS: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"answer": None}, {}, "no parameter met the budget"),
    ({"schema": "dpcert.plan/2"}, {}, "another schema"),
    ({"mechanism": "geosample"}, {}, "the plan of geosample"),
    ({"mechanism": "stability-histogram", "answer": {"sampler": "fastsample"}}, {}, "sampler=fastsample"),
    ({"mechanism": "clipped-sum-l2", "answer": {"clip": "1", "sigma": "5"}}, {}, "with cut noise"),
    ({}, {"epsilon": 1}, "beside a plan"),
    ({}, {"settings": {"rate": "1/2"}}, "beside a plan"),
    ({}, {"mechanism": "privhist"}, "beside a plan"),
]


@pytest.mark.parametrize(("changes", "given", "words"), PLANS)
def test_refused_plans(write: Any, tmp_path: Path, changes: dict[str, Any], given: dict[str, Any], words: str) -> None:
    call = {"mechanism": None, "data": write("a.csv", "cat,400\n"), "out": tmp_path / "out.csv", **given}
    with pytest.raises(InputError, match=words):
        dpcert.release(plan=plan(write, **changes), **call)


def test_a_release_stays_where_its_name_is_taken(write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, budget, out = write("a.csv", "cat,400\n"), tmp_path / "budget.json", tmp_path / "out.json"
    dpcert.Budget.create(budget, epsilon=10, delta="1/10", neighbours="add-remove")
    replace, refused = os.replace, OSError(13, "Permission denied")

    def denied(source: Any, target: Any) -> None:
        if Path(target) == out:
            raise refused
        replace(source, target)

    monkeypatch.setattr(os, "replace", denied)
    with pytest.raises(InputError, match="rename it: the release is made"):
        dpcert.release(NAME, path, out, budget=budget, **GIVEN)
    monkeypatch.undo()
    (kept,) = tmp_path.glob(".out.json.*")
    assert json.loads(kept.read_text())["spent"]["epsilon"] == "ln(3)"
    assert dpcert.Budget.open(budget).spent().rounds == 1


LIMITED = """
import resource, signal, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
from dpcert.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_a_disk_that_is_full_in_the_middle_leaves_nothing_and_spends_nothing(write: Any, tmp_path: Path) -> None:
    """Files may have 4 KiB: the record of the guarantee fits, and the rows do not; nor would compiled modules (-B)."""
    path, budget = write("a.csv", "".join(f"word-{place},400\n" for place in range(1000))), tmp_path / "budget.json"
    dpcert.Budget.create(budget, epsilon=10, delta="1/10", neighbours="add-remove")
    before = budget.read_bytes()
    options = ("--epsilon", "ln(3)", "--set", "rate=1/2", "--set", "threshold=5", "--budget", str(budget))
    call = [sys.executable, "-B", "-c", LIMITED, "release", NAME, "--data", str(path), *options]
    done = subprocess.run([*call, "--out", str(tmp_path / "out.csv")], capture_output=True, text=True, check=False)
    assert (done.returncode, "File too large" in done.stderr, done.stderr.count("\n")) == (2, True, 1)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.csv", "budget.json"]
    assert budget.read_bytes() == before


def test_an_unwritable_budget_releases_nothing(write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, budget = write("a.csv", "cat,400\n"), tmp_path / "budget.json"
    dpcert.Budget.create(budget, epsilon=10, delta="1/10", neighbours="add-remove")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("dpcert.run.budget.replace_file", full)
    with pytest.raises(InputError, match="No space left"):
        dpcert.release(NAME, path, tmp_path / "out.csv", budget=budget, **GIVEN)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.csv", "budget.json"]


def test_a_bad_row_far_down_is_named_by_its_line(write: Any) -> None:
    path = write("a.csv", "".join(f"w{place % 10},1\n" for place in range(100_000)) + "w1,-1\n")
    with pytest.raises(InputError, match="line 100,001: a count that is no integer"):
        dpcert.read_counts(path)


def test_a_long_file_tells_how_far_it_is(write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "STRIDE", 100)
    seen: list[float] = []
    reading.read_counts(write("a.txt", "a word that is said again\n" * 1000), progress=seen.append)
    assert len(seen) == 10
    assert seen == sorted(seen)
    assert 0 < seen[0] <= seen[-1] <= 1


def test_a_byte_order_mark_is_no_part_of_a_value(write: Any) -> None:
    path = write("a.csv", "")
    path.write_bytes("﻿cat,4\n".encode())
    assert dpcert.read_counts(path)[0] == [("cat", 4)]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", b"cat,4\n\xff\xfe,3\n", "no UTF-8"),
        ("a.csv.gz", b"\x1f\x8b\x08\x00", "packed by gzip"),
        ("a.parquet", b"PAR1 is all there is", "Parquet"),
        ("a.csv", b'cat,4\n"' + b"x" * 200_000 + b'",3\n', "line 2: field larger than field limit"),
        ("a.txt", b"x" * 70_000, "line 1: a value that is too long"),
    ],
)
def test_refused_files(tmp_path: Path, name: str, text: bytes, words: str) -> None:
    path = tmp_path / name
    path.write_bytes(text)
    with pytest.raises(InputError, match=words):
        dpcert.read_counts(path)


def test_refused_columns_of_a_file_of_lines(write: Any) -> None:
    with pytest.raises(InputError, match="a file of lines"):
        dpcert.read_counts(write("a.txt", "cat\n"), Columns("1"))


@pytest.mark.nightly
def test_parquet_in_and_out_with_the_extra_parquet(tmp_path: Path) -> None:
    """With `pip install 'dpcert[parquet]'`."""
    arrow, parquet = _pyarrow()
    path, out = tmp_path / "data.parquet", tmp_path / "out.parquet"
    parquet.write_table(arrow.table({"n": [40, 25], "word": ["cat", "dog"]}), path)
    columns = Columns("word", "n")
    assert dpcert.read_counts(path, columns) == (
        [("cat", 40), ("dog", 25)],
        "column 2 as values, column 1 as counts, of Parquet",
    )
    found = dpcert.release(NAME, path, out, columns=columns, coins=dpcert.seeded_coins(1), **GIVEN)
    assert parquet.read_table(out).to_pylist() == [{"value": v, "count": n} for v, n in found.released]
    assert json.loads((tmp_path / "out.guarantee.json").read_text())["released"] == "out.parquet"
    bad = (({"w": ["cat", None]}, "row 2: no value"), ({"w": [1.5]}, "row 1: a value of type float"))
    for held, words in (*bad, ({"w": ["cat"], "n": [-1]}, "row 1: a count that is no")):
        parquet.write_table(arrow.table(held), path)
        with pytest.raises(InputError, match=words):
            dpcert.read_counts(path)
    parquet.write_table(arrow.table({"u": [7, 8, 7], "item": ["cat", "dog", "cat"]}), path)
    with opened(path, Columns(), users=True) as rows:
        assert list(Users.of(rows, {"cat": 0, "dog": 1})) == [[(0, 2)], [(1, 1)]]


def _pyarrow() -> tuple[ModuleType, ModuleType]:
    import pyarrow
    import pyarrow.parquet

    return pyarrow, pyarrow.parquet


WORDS = ["cat"] * 40 + ["dog"] * 25 + ["eel"] * 3
SETTINGS = {"rate": "1/2", "threshold": "5"}


def test_a_release_is_the_audited_program_on_the_same_coins(write: Any, tmp_path: Path) -> None:
    path = write("words.txt", "\n".join(WORDS) + "\n")
    found = dpcert.release(NAME, path, tmp_path / "out.json", **GIVEN, coins=dpcert.seeded_coins(5))
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
def test_files_are_read_and_said_how(write: Any, name: str, text: str, columns: tuple[str, ...], read: str) -> None:
    counts, words = dpcert.read_counts(write(name, text), dpcert.Columns(*columns))
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
def test_refused_files_are_named_and_nothing_is_spent(write: Any, tmp_path: Path, inside: Any, fault: str) -> None:
    name, text, words = BAD[fault]
    budget = tmp_path / "budget.json"
    Budget.create(budget, epsilon=10, delta="1/10", neighbours="add-remove")
    options = ("--epsilon", "ln(3)", "--budget", budget, "--set", "rate=1/2", "--set", "threshold=5")
    done = inside("release", NAME, "--data", write(name, text), "--out", tmp_path / "out.csv", *options)
    assert done.status == 2
    assert words in done.err
    assert "secret" not in done.out + done.err
    assert Budget.open(budget).spent().rounds == 0
    assert {path.name for path in tmp_path.iterdir()} == {name, "budget.json"}


def test_a_second_release_is_refused_by_the_budget(write: Any, tmp_path: Path, inside: Any) -> None:
    path, budget, out = write("words.txt", "\n".join(WORDS)), tmp_path / "budget.json", tmp_path / "out.csv"
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


def test_a_budget_of_another_relation_releases_and_spends_nothing(write: Any, tmp_path: Path, inside: Any) -> None:
    path, budget = write("words.txt", "\n".join(WORDS)), tmp_path / "budget.json"
    Budget.create(budget, epsilon="10", delta="1/10", neighbours="substitute")
    options = ("--epsilon", "ln(3)", "--budget", budget, "--set", "rate=1/2", "--set", "threshold=5")
    done = inside("release", NAME, "--data", path, "--out", tmp_path / "out.csv", *options)
    assert done.status == 2
    assert "a use for add-remove neighbours; needed: substitute, the relation of the budget" in done.err
    assert Budget.open(budget).spent().rounds == 0
    assert {each.name for each in tmp_path.iterdir()} == {"words.txt", "budget.json"}
    again = inside("release", NAME, "--data", path, "--out", tmp_path / "out.csv", "--neighbours=substitute", *options)
    assert (again.status, Budget.open(budget).spent().rounds) == (0, 1)


def test_a_disk_that_is_full_spends_nothing(write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, budget = write("words.txt", "\n".join(WORDS)), tmp_path / "budget.json"
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
def test_refused_calls(write: Any, tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    call: dict[str, Any] = {"mechanism": NAME, "data": write("a.csv", "cat,40\n"), "out": tmp_path / "out.json"}
    call |= {"settings": SETTINGS, "epsilon": "ln(3)", **changes}
    with pytest.raises(dpcert.InputError, match=words):
        dpcert.release(**call)
    assert not (tmp_path / "out.json").exists()


def test_people_who_move_need_more(write: Any, tmp_path: Path) -> None:
    path = write("words.txt", "\n".join(WORDS))
    found = dpcert.release(NAME, path, tmp_path / "out.json", **GIVEN, neighbours="substitute")
    assert "for lists of one length that differ in one element" in found.guarantee
    assert "all moves" in found.rests_on
