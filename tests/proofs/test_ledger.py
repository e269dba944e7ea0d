import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dpcert.cli import cli
from dpcert.mechanisms.exact.errors import InputError
from dpcert.mechanisms.weighted_sampling.pws_keys import reporting_probabilities
from dpcert.proofs.check import CheckResult, check, smallest
from dpcert.proofs.ledger import FAILING, Entry, LedgerError, Row, items, ledger, read, reproduced
from dpcert.proofs.registry import MODULES, rows, sound, unique
from dpcert.proofs.rocq import record
from dpcert.proofs.rocq.bindings import BINDINGS
from dpcert.run import claims


def test_every_item_has_its_row_and_its_other_forms_stand_after_it() -> None:
    entries = ledger(rows())
    others = {row.id: row.corrects for row in rows() if row.corrects is not None}
    assert [entry.id for entry in entries if entry.id not in others] == [item["id"] for item in items()]
    for before, entry in pairwise(entries):
        assert others.get(entry.id) in (None, before.id, others.get(before.id))


LONG = frozenset(Path(__file__).with_name("long_checks.txt").read_text(encoding="utf-8").split())
"""The checks that take 0.2 seconds of processor time or more: the rows that name them are nightly."""

found = cache(claims.finding)


def _marked(entry: Entry) -> object:
    return pytest.param(entry, id=entry.id, marks=[pytest.mark.nightly] if LONG & {*entry.methods} else [])


@pytest.mark.parametrize("entry", [_marked(entry) for entry in claims.entries()])
def test_the_recorded_status_is_reproduced(entry: Entry) -> None:
    assert reproduced(entry, {name: found(name) for name in entry.methods})


def test_every_long_check_exists_and_rows_of_every_paper_are_reproduced_without() -> None:
    assert MODULES.keys() >= LONG
    quick = [entry for entry in claims.entries() if entry.methods and not LONG & {*entry.methods}]
    assert {entry.paper for entry in quick} == {entry.paper for entry in claims.entries()}


@pytest.mark.nightly
def test_every_status_is_reproduced_in_processes_of_their_own() -> None:
    assert claims.not_reproduced(claims.entries()) == []


def test_every_check_is_named_by_a_row_and_every_named_check_exists() -> None:
    assert {method for row in rows() for method in row.methods} == set(MODULES)


HELD = ("proved", "verified", "certified", "tested")


def test_every_row_with_a_witness_has_a_form_that_holds_or_repeats_one_that_has() -> None:
    held = {row.corrects for row in rows() if row.corrects is not None and row.status in HELD}
    roots = {row.id for row in rows() if row.status in FAILING and row.repeats is None}
    assert roots <= held
    assert {row.repeats for row in rows() if row.repeats is not None} <= roots


def test_a_row_is_proved_by_a_theorem_and_verified_without_a_word_for_all() -> None:
    assert all(set(row.methods) & set(BINDINGS) for row in rows() if row.status == "proved")
    assert [row.id for row in rows() if row.status == "verified" and row.statement.startswith("For every")] == []


def _entry(status: str, witness: str | None = None) -> Entry:
    return Entry("X/1", "finite-computers", "Lemma 1", "a statement", status, ("a check",), "a scope", witness)


@pytest.mark.parametrize(
    ("entry", "finding", "expected"),
    [
        (_entry("verified"), CheckResult(True), True),
        (_entry("verified"), CheckResult(False, "n = 1"), False),
        (_entry("refuted", "n = 1"), CheckResult(False, "n = 1"), True),
        (_entry("refuted", "n = 1"), CheckResult(False, "n = 2"), False),
        (_entry("refuted", "n = 1"), CheckResult(True), False),
        (_entry("tested"), CheckResult(True), True),
        (_entry("tested"), CheckResult(False, "n = 1"), False),
        (_entry("unreadable", "n = 1"), CheckResult(False, "n = 1"), True),
        (_entry("unreadable", "n = 1"), CheckResult(True), False),
        (replace(_entry("verified"), methods=()), CheckResult(True), False),
        (replace(_entry("refuted", "n = 1"), methods=()), CheckResult(True), False),
    ],
)
def test_a_status_is_reproduced_only_by_the_findings_that_it_records(
    entry: Entry, finding: CheckResult, expected: bool
) -> None:
    assert reproduced(entry, {"a check": finding}) is expected


@pytest.mark.parametrize(
    "rows",
    [
        [Row("No/Item", "s", "open", (), "none")],
        [Row("BV/Lemma4.9", "s", "open", (), "none")] * 2,
        [Row("BV/x", "s", "verified", (), "none", corrects="No/Item")],
    ],
)
def test_refused_rows_without_an_item_of_their_own(rows: list[Row]) -> None:
    with pytest.raises(LedgerError, match="row"):
        ledger(rows)


GOOD = """[[row]]
id = "BV/Lemma4.9"
statement = "s"
status = "verified"
methods = ["geosample-law"]
scope = "n = 1"
"""


def test_what_a_file_holds_is_read() -> None:
    assert read(GOOD, "ledger.toml", ["BV/Lemma4.9"]) == [
        Row("BV/Lemma4.9", "s", "verified", ("geosample-law",), "n = 1")
    ]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("[[row]]", "[[rows]]", "ledger.toml: holds rows"),
        ("[[row]]", "[row]", "ledger.toml: holds row; write tables"),
        ("[[row]]", "[[row]", "ledger.toml: .*line 1"),
        ("[[row]]", 'of = "BV"\n[[row]]', "holds of, row"),
        (GOOD, "", "holds nothing"),
        ('id = "BV/Lemma4.9"\n', "", "row number 1: no id"),
        ('scope = "n = 1"\n', "", "row BV/Lemma4.9: no scope"),
        ('scope = "n = 1"', 'range = "n = 1"\nscope = "n = 1"', "an unknown field range"),
        ('"n = 1"', "1", "scope is 1: write a text"),
        ('"n = 1"', '" "', "scope is ' ': write a text"),
        ('["geosample-law"]', '"geosample-law"', "methods is 'geosample-law': write a list of texts"),
        ('["geosample-law"]', "[1]", "methods is .1.: write a list of texts"),
        ('"verified"', '"believed"', "status is believed: write one of proved, "),
        ('"verified"', '"refuted"', "a row has a witness exactly if it is refuted or unreadable"),
        ('"verified"', '"unreadable"', "a row has a witness exactly if it is refuted or unreadable"),
        ('scope = "n = 1"', 'scope = "n = 1"\nwitness = "n = 1"', "a row has a witness exactly if it is refuted"),
        ('"n = 1"', '"n = 1"\nrepeats = "BV/Lemma4.8"', "only a row with a witness repeats another"),
        ('"n = 1"', '"n = 1"\nuses = "BV/Lemma4.8"', "uses is 'BV/Lemma4.8': write a list of texts"),
        (GOOD, GOOD + GOOD, "row BV/Lemma4.9: its id has a row already"),
        (GOOD, "row = [1]", "holds row; write tables"),
        ('"BV/Lemma4.9"', "1", "row number 1: id is 1: write a text"),
        ('"BV/Lemma4.9"', '"UL/Lemma4.9"', "row UL/Lemma4.9: it is of no item of this paper"),
        ('"n = 1"', '"n = 1"\ncorrects = "BV/Lemma4"', "row BV/Lemma4.9: it is of no item of this paper"),
    ],
)
def test_refused_files(old: str, new: str, fault: str) -> None:
    assert old in GOOD
    with pytest.raises(LedgerError, match=fault):
        read(GOOD.replace(old, new), "ledger.toml", ["BV/Lemma4.9"])


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (
            Row("BV/Lemma4.9", "s", "verified", ("no-such-check",), "n = 1"),
            "ledger.toml, row BV/Lemma4.9: no check .* no-such-check",
        ),
        (Row("BV/Lemma4.9", "s", "open", (), "n = 1", code=("mechanisms.none.f",)), "no code is mechanisms.none.f"),
        (Row("BV/Lemma4.9", "s", "open", (), "n = 1", code=("mechanisms.catalogue.f",)), "no code is mech"),
    ],
)
def test_refused_rows_with_nothing_behind_them(row: Row, fault: str) -> None:
    with pytest.raises(LedgerError, match=fault):
        list(sound([row], "ledger.toml"))


def test_refused_two_checks_of_one_id() -> None:
    twin = check("geosample-law")(lambda: iter(()))
    with pytest.raises(ValueError, match=r"geosample-law is in a\.py and in b\.py: give each its own id"):
        unique([(twin, "a.py"), (twin, "b.py")])


def test_the_least_of_the_candidates_is_the_witness() -> None:
    assert list(smallest(lambda: iter([(2, "later"), (1, "sooner")]))()) == ["sooner"]
    assert list(smallest(lambda: iter(()))()) == []


def test_the_witness_against_lemma_4_2_by_hand() -> None:
    delta = Fraction(1, 4)
    assert (2 - 1 + 2 * delta) / (delta * (2 + 1)) == 2**1  # e^(epsilon L) at e^epsilon = 2: L = 1
    assert reporting_probabilities(q=[Fraction(1)] * 3, ratio=Fraction(2), delta=delta) == [delta, 3 * delta, 1]
    assert 1 - delta * (2 ** (2 * 1 + 2 - 3) - 1) / (2 - 1) == Fraction(3, 4)


@pytest.mark.nightly
def test_claims_on_the_command_line() -> None:
    found = CliRunner().invoke(cli, ["claims", "--json", "--status", "refuted"], standalone_mode=False)
    document = json.loads(found.output)
    assert document["schema"] == "dpcert.claims/1"
    assert all(
        list(row)
        == ["id", "paper", "location", "statement", "status", "methods", "scope", "witness", "uses", "repeats"]
        for row in document["claims"]
    )
    assert sorted(row["id"] for row in document["claims"]) == sorted(
        row.id for row in rows() if row.status == "refuted"
    )
    assert found.return_value == 0


@pytest.fixture
def one_row(monkeypatch: pytest.MonkeyPatch) -> Entry:
    """The one row that the ledger has left; a method of it is a theorem, and the row uses none."""
    (row,) = [entry for entry in claims.entries() if entry.id == "BV/Section6.3/Formula3"]
    monkeypatch.setattr(claims, "entries", lambda **asked: [row])
    return row


def test_claims_say_by_what_and_when(one_row: Entry) -> None:
    arguments = ["claims", "--jobs", "1"]
    document = json.loads(CliRunner().invoke(cli, [*arguments, "--json"], standalone_mode=False).output)
    kept = record.record()
    expected = {"theorems": 1, "by": f"Rocq {kept['rocq']}", "at": kept["date"], "in_this_run": False}
    assert document["proofs"] == expected
    text = CliRunner().invoke(cli, arguments, standalone_mode=False).output
    assert f"1 theorems in Rocq, {record.checked_by()}; hashes match, not checked again here" in text


def test_caught_a_theorem_that_is_not_checked_by_default(monkeypatch: pytest.MonkeyPatch, one_row: Entry) -> None:
    """No option is needed: where a file has changed since Rocq checked it, no row that names a theorem is borne out."""
    monkeypatch.setattr(record, "unchanged", lambda: CheckResult(False, "facts/Laws.v is another"))
    found = CliRunner().invoke(cli, ["claims", "--jobs", "1"], standalone_mode=False)
    assert found.return_value == 1
    assert f"{one_row.id}: its checks do not bear out the status 'proved': {one_row.methods[0]}: not" in found.stderr


def test_the_theorems_are_written_out_in_the_order_of_a_build(tmp_path: Path) -> None:
    folder = tmp_path / "rocq"
    found = CliRunner().invoke(cli, ["claims", "--status", "open", "--export", str(folder)], standalone_mode=False)
    assert f"{len(record.ORDER)} files written to {folder}" in found.stderr
    assert {f"{path.relative_to(folder).with_suffix('')}" for path in folder.rglob("*.v")} == set(record.ORDER)
    listed = (folder / "_CoqProject").read_text("utf-8").splitlines()
    assert listed == ["-Q . DP", *(f"{name}.v" for name in record.ORDER)]
    assert (folder / "facts" / "Laws.v").read_text("utf-8") == record.texts()["facts/Laws"]


def test_refused_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="a folder that can be written"):
        claims.write_proofs(tmp_path / "file" / "rocq")


@pytest.mark.parametrize("wrong", [{"paper": "weighted"}, {"status": "true"}, {"items": ["ST/Theorem22"]}])
def test_refused_filters(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"one of|, as ST/Theorem2;"):
        claims.entries(**wrong)


@pytest.mark.parametrize(("item", "forms"), [("ST/Theorem2", 2), ("ST/Theorem2/corrected", 1)])
def test_the_rows_of_an_item_are_its_forms(item: str, forms: int) -> None:
    found = claims.entries(items=[item])
    assert [entry.id for entry in found] == ["ST/Theorem2", "ST/Theorem2/corrected"][-forms:]
