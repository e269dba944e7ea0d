"""Every theorem stands in the ledger, is bound to a test that exists, and can be written out for other solvers."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from dpcert.mechanisms.exact.errors import InputError
from dpcert.proofs.adapters import z3
from dpcert.proofs.export import document
from dpcert.proofs.registry import THEOREMS, rows
from dpcert.proofs.theorem import KINDS
from dpcert.run.claims import write_proofs

ROOT = Path(__file__).parents[2]
WORDS = 462
"""The most words that may be left as prose."""


def test_every_theorem_stands_in_a_row_or_below_another() -> None:
    named = {method for row in rows() for method in row.methods}
    assert set(THEOREMS) <= named | {used for theorem in THEOREMS.values() for used in theorem.uses}


@pytest.mark.parametrize("name", THEOREMS)
def test_the_test_that_binds_a_theorem_to_the_code_exists(name: str) -> None:
    path, _, test = THEOREMS[name].bound_by.partition("::")
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_ids_are_used_once_and_lemmas_too() -> None:
    lemmas = {id(lemma): lemma.name for theorem in THEOREMS.values() for lemma in theorem.lemmas}
    names = Counter(lemmas.values())
    assert [name for name, count in names.items() if count > 1] == []
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in (*names, *THEOREMS))


def test_written_queries_are_those_that_the_solvers_are_asked(tmp_path: Path) -> None:
    count = write_proofs(tmp_path / "queries")
    files = sorted((tmp_path / "queries").rglob("*.smt2"))
    assert len(files) == count == sum(len(theorem.lemmas) for theorem in THEOREMS.values())
    assert z3.ask(files[0].read_text("utf-8"), 60).word == "unsat"


def test_refused_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="a folder to write"):
        write_proofs(tmp_path / "file" / "queries")


def test_a_name_of_a_step_says_one_thing() -> None:
    """A step that two theorems have is proved once in the export; two of one name, the checker would refuse."""
    steps = [step for theorem in document(THEOREMS, THEOREMS)["theorems"] for step in theorem["steps"]]
    assert [name for name, count in Counter(step["name"] for step in steps).items() if count > 1] == []


def test_what_is_left_as_prose_is_said() -> None:
    """A theorem that leaves nothing has steps, or an argument that only names its lemmas; the rest has its kind."""
    words = 0
    for theorem in THEOREMS.values():
        assert theorem.left or theorem.derivation or len(theorem.argument.split()) <= 8, theorem.id
        kind, _, text = theorem.left.partition(": ")
        assert (kind in KINDS and text.endswith(".")) or not theorem.left, theorem.id
        words += len(text.split())
    assert words <= WORDS
