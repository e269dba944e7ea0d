"""Files of releases: Parquet in and out, users, labels, plans, parts; what is refused, and what stays unspent."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import dpcert
from dpcert import Columns, InputError
from dpcert.releasing import data as reading
from dpcert.releasing import rows
from dpcert.releasing.data import Users, read_labels
from dpcert.releasing.rows import opened

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
def test_refused_rows_of_users_are_named_and_shown_to_a_trusted_terminal_alone(
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


def test_where_a_name_is_taken_after_paying_the_release_stays(
    write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_a_budget_that_cannot_be_written_releases_nothing(
    write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
