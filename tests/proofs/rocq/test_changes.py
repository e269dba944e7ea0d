"""Changes that would let a row say more than is proved, or a theorem mean less than it says: each is seen."""

import ast
import importlib.util
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dpcert.proofs.ledger import Row
from dpcert.proofs.registry import rows, sound
from dpcert.proofs.rocq import bindings, extraction, record, sentences
from dpcert.proofs.rocq.vernacular import faults

from .guards import fault_of

ROOT = Path(__file__).parents[3]
TEXTS = record.texts()
KEPT: dict[str, Any] = dict(record.record())
TESTED = sorted({each.bound_by for each in bindings.BINDINGS.values() if each.bound_by})
COMPUTED = sorted({each.bound_by for each in bindings.BINDINGS.values() if each.meets != "formula"})
ROW, FALSE = "BV/Theorem4.7/i", "e^(epsilon/3)"
FILE = "statements/Sampling"


def _rows(**changed: object) -> list[str]:
    """Return the rows that are not as recorded where one row has changed."""
    (one,) = (row for row in rows() if row.id == ROW)
    found = [replace(row, **changed) if row is one else row for row in rows()]
    return list(sentences.changed(sentences.marks(found, bindings.BINDINGS, KEPT["theorems"])))


def _theorem(name: str, exact: str) -> list[str]:
    """Return the rows that are not as recorded where a theorem says something else."""
    theorems = {**KEPT["theorems"], name: {**KEPT["theorems"][name], "exact": exact}}
    return list(sentences.changed(sentences.marks(rows(), bindings.BINDINGS, theorems)))


def _bound_as(name: str, **changed: Any) -> list[str]:
    """Return the rows that are not as recorded where a theorem meets the code in another way."""
    bound = {**bindings.BINDINGS, name: replace(bindings.BINDINGS[name], **changed)}
    return list(sentences.changed(sentences.marks(rows(), bound, KEPT["theorems"])))


def _file(name: str, old: str, new: str) -> list[str]:
    """Return what is stale where a file has changed and the gate has not run."""
    assert old in TEXTS[name]
    return list(record.stale(KEPT, record.hashes({**TEXTS, name: TEXTS[name].replace(old, new, 1)})))


def _form(name: str, old: str, new: str) -> list[str]:
    """Return what a file may not say, where it has changed: the gate does not run then."""
    assert old in TEXTS[name]
    return list(faults({**TEXTS, name: TEXTS[name].replace(old, new)}))


def _record(part: str, name: str, value: object) -> list[str]:
    """Return what is stale where somebody has written into the record."""
    return list(record.stale({**KEPT, part: {**KEPT[part], name: value}}, record.hashes(TEXTS)))


def _bound(body: str, mark: str = "") -> list[str]:
    """Return what is wrong with a test that binds, with another body or a mark."""
    path, _, name = TESTED[0].partition("::")
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    (node,) = (each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == name)
    node.body = ast.parse(body).body or node.body
    node.decorator_list += [ast.parse(mark, mode="eval").body] if mark else []
    return [fault for fault in [fault_of(ast.unparse(ast.fix_missing_locations(tree)), name)] if fault]


def _named(methods: tuple[str, ...]) -> list[str]:
    try:
        return [] if list(sound([Row(ROW, "s", "proved", methods, "all")], "ledger.toml")) else ["nothing"]
    except ValueError as error:
        return [str(error)]


SEEN: dict[str, Callable[[], list[str]]] = {
    "a row states a refuted formula": lambda: _rows(statement=FALSE),
    "a row holds for more than it did": lambda: _rows(scope="all n, all epsilon, both neighbour relations"),
    "a row names another theorem": lambda: _rows(methods=("GeoSample.lemma_4_9",)),
    "a row names one theorem less": lambda: _rows(methods=()),
    "a row names a theorem that is not there": lambda: _named(("GeoSample.theorem_4_7_iv",)),
    "a theorem says less, and the gate has run": lambda: _theorem("GeoSample.theorem_4_7_i", "forall n : nat, n = n"),
    "a formula is called a program": lambda: _bound_as("Packing.theorem_7_2", meets="program"),
    "a theorem is bound by another test": lambda: _bound_as("Packing.theorem_7_2", bound_by=TESTED[0]),
    "a theorem is renamed": lambda: _file(FILE, "theorem_2", "theorem_two"),
    "a theorem is renamed, but for its instance": lambda: _form(FILE, "Theorem lemma_3 ", "Theorem lemma_4 "),
    "a statement changes": lambda: _file(FILE, "0 < p < 1", "0 < p < / 2"),
    "a definition changes": lambda: _file("definitions/Laws", "p u <= E * q u + d", "p u <= E * q u + 2 * d"),
    "a proof changes": lambda: _file("facts/Laws", "Qed.", "Qed. "),
    "an instance goes": lambda: _form(FILE, "Theorem lemma_3_met", "Theorem another"),
    "a proof is not the fact": lambda: _form(FILE, "Proof. exact facts.Sampling.lemma_3_private", "Proof. exact I"),
    "an axiom comes": lambda: _form("facts/Laws", "Section Weights.", "Axiom easy : False. Section Weights."),
    "a statement in the record changes": lambda: _record("theorems", "Sampling.lemma_3", {"statement": "True"}),
    "a computed value changes": lambda: _record("values", "keep_heavy 1 [3]%nat", "[3]"),
    "an axiom is let into the record": lambda: _record("axioms", "Easy.easy", ""),
    "the record has another date": lambda: list(record.stale({**KEPT, "date": "2099-01-01"}, record.hashes(TEXTS))),
    "the kernel's decision changes": lambda: list(extraction.changed({**KEPT, "extracted": {}})),
    "a binding test is emptied": lambda: _bound("pass"),
    "a binding test compares nothing": lambda: _bound("assert True"),
    "a binding test leaves the product alone": lambda: _bound("n = 1\nassert n == 1"),
    "a binding test is skipped": lambda: _bound("", "mark.skip"),
    "a binding test is expected to fail": lambda: _bound("", "mark.xfail"),
}


@pytest.mark.parametrize("name", SEEN)
def test_caught_a_change(name: str) -> None:
    assert SEEN[name]()


def test_nothing_is_seen_where_nothing_changes() -> None:
    assert list(sentences.changed(sentences.now())) == _rows() == []
    assert list(record.stale(KEPT, record.hashes(TEXTS))) == list(faults(TEXTS)) == list(extraction.changed(KEPT)) == []
    assert _bound("") == _named(("GeoSample.theorem_4_7_i",)) == []


def test_no_row_states_what_is_refuted() -> None:
    false = {row.statement for row in rows() if row.status in ("refuted", "unreadable")}
    assert [row.id for row in rows() if row.status not in ("refuted", "unreadable") and row.statement in false] == []


@pytest.mark.parametrize("bound_by", TESTED)
def test_a_binding_test_compares_something_of_the_product(bound_by: str) -> None:
    path, _, name = bound_by.partition("::")
    assert fault_of((ROOT / path).read_text("utf-8"), name) is None


def _module(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bound.{Path(path).stem}", ROOT / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _settings(test: Any) -> Iterator[dict[str, object]]:
    """Yield the first settings of a test's parameters."""
    marks = [mark.args for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    for values in islice(product(*(given for _, given in marks)), 20):
        found: dict[str, object] = {}
        for (names, _), value in zip(marks, values, strict=True):
            found |= {names: value} if isinstance(names, str) else dict(zip(names, value, strict=True))
        yield found


def _more(text: str) -> str:
    """Return what Rocq has computed, with a number more that is not it: each is greater by one, each truth another."""
    text = re.sub(r"\d+", lambda number: str(int(number[0]) + 1), text)
    return re.sub("true|false", lambda truth: {"true": "false", "false": "true"}[truth[0]], text)


@pytest.mark.parametrize("bound_by", COMPUTED)
def test_caught_a_value_that_rocq_has_not_computed(bound_by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is bound as a program or a closed form fails if Rocq computes something else."""
    path, _, name = bound_by.partition("::")
    test = getattr(_module(path), name)
    for setting in _settings(test):
        test(**setting)
    computed = {name: _more(value) for name, value in KEPT["values"].items()}
    said = {
        name: replace(each, statement=re.sub(r"(?<== )\d+(?= / )", lambda n: str(int(n[0]) + 1), each.statement))
        for name, each in record.stated().items()
    }
    monkeypatch.setattr("dpcert.proofs.rocq.values.record", lambda: {**KEPT, "values": computed})
    monkeypatch.setattr(record, "stated", lambda: said)
    failed = 0
    for setting in _settings(test):
        try:
            test(**setting)
        except (AssertionError, ValueError):
            failed += 1
    assert failed
