"""The gate stops what proves a falsehood or misleads a reader; a file that it has not checked is not checked."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dpcert.proofs.rocq import checks, gate, record
from dpcert.proofs.rocq.vernacular import faults, introduced, sentences

TEXTS = gate.on_disk(gate.HERE)
EDITED = Path(__file__).with_name("falsified.txt")
COMPILES = shutil.which("coqc") is not None
"""Where there is no coqc the tests below compare hashes alone, as the gate does."""
FALSE = "Theorem false_thm : 0 = 1. Proof. destruct bad. Qed."
ATTACKS = {
    "an axiom": f"Axiom bad : False. {FALSE}",
    "axioms, in the plural": f"Axioms bad : False. {FALSE}",
    "a variable outside of a section": f"Variable bad : False. {FALSE}",
    "a hypothesis for all files": f"#[global] Hypothesis bad : False. {FALSE}",
    "a context outside of a section": f"Context (bad : False). {FALSE}",
    "a primed name": "Variable bad' : False. Lemma false_lemma : 0 = 1. Proof. destruct bad'. Qed.",
    "a parameter": f"Parameter bad : False. {FALSE}",
    "a conjecture": f"Conjecture bad : False. {FALSE}",
    "an attribute that lifts the guard": "#[bypass_check(guard)] Fixpoint bad (n : nat) {struct n} : False := bad n.",
    "an attribute that lifts positivity": "#[bypass_check(positivity)] Inductive T := c (f : T -> False).",
    "an attribute that lifts universes": "#[bypass_check(universes)] Definition tt_ : Type := Type.",
    "a flag that lifts the guard": "Unset Guard Checking. Fixpoint bad (n : nat) {struct n} : False := bad n.",
    "a declared module": "Module Type Q. Axioms bad : False. End Q. Declare Module m : Q.",
    "nested modules": "Module A. Module B. Axioms bad : False. End B. End A.",
    "a module named as an allowed axiom's": "Module Classical_Prop. Axioms classic : False. End Classical_Prop.",
    "a loaded text": "Load hidden_text.",
    "admitted obligations": "Program Definition bad : False := _. Admit Obligations.",
    "an admitted lemma": "Lemma bad : False. Proof. Admitted.",
    "an admitted goal": "Lemma bad : False. Proof. admit. Qed.",
    "an abandoned goal": "Lemma bad : False. Proof. give_up. Qed.",
    "a command in a proof": "Lemma fine : True. Proof. - Axiom bad : False. exact I. Qed.",
    "a command behind a brace": "Lemma fine : True. Proof. { Axiom bad : False. exact I. } Qed.",
    "a command behind a comment": "Lemma fine : True. Proof. (* a (* b *) c *) Axiom bad : False. exact I. Qed.",
    "a quotation that ends a comment": 'Definition fine := 1. (* " *) Axiom bad : False. (* " *)',
    "dp redefined": "Definition dp {A : Type} (E d : R) (p q : law A) := True.",
    "less or equal redefined": 'Notation "x <= y" := (True \\/ Rle x y) : R_scope.',
    "dp abbreviated": "Notation dp E d p q := (True \\/ Laws.dp E d p q).",
    "a coercion": "Coercion hidden : law >-> law.",
    "a second theorem of one name": "Theorem theorem_2 : True. Proof. exact I. Qed.",
    "a name proved beside another": "Theorem one : True with two : True. Proof. exact I. exact I. Qed.",
    "an extracted constant": 'Extract Constant verifies => "true".',
    "a proof without a beginning": "Lemma fine : True. exact I. Qed.",
    "a term for a proof": "Lemma fine : True. Proof I.",
    "a proof that is unfolded": "Lemma fine : True. Proof. exact I. Defined.",
    "another library": "From Coq Require Import Program.",
    "a library of ours that is not there": "From DP Require Import Hidden.",
    "a hint": "Global Hint Resolve bad : core.",
    "a tactic notation": 'Tactic Notation "lra" := admit.',
    "a tactic of its own name": "Ltac lra := admit.",
    "a canonical structure": "Canonical Structure bad := 1.",
    "several proofs at once": "Fixpoint a (n : nat) : nat := n with b (n : nat) : nat := n.",
    "an open scope of another name": "Open Scope nat_scope.",
    "a sign that looks like another": "Definition fine (ехp : R) := ехp.",
}


def _after(file: str, text: str) -> list[str]:
    return list(faults({**TEXTS, file: f"{TEXTS[file]}\n{text}\n"}))


def test_the_files_say_nothing_that_they_may_not() -> None:
    assert list(faults(TEXTS)) == []
    assert len(TEXTS) == len(record.ORDER)


@pytest.mark.parametrize("folder", ["definitions/Keys", "facts/Keys", "statements/Keys"])
@pytest.mark.parametrize("name", ATTACKS)
def test_caught_an_attack(name: str, folder: str) -> None:
    assert _after(folder, ATTACKS[name])


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("definitions/Keys", "Definition hidden {x : bool} (p : law nat) := if x then p else p.", "a hidden argument"),
        ("definitions/Keys", "Lemma fine : True. Proof. exact I. Qed.", "may not say"),
        ("definitions/Keys", "Definition open : nat.", "no value"),
        ("statements/Keys", "Definition mine := 1.", "may not say"),
        ("statements/Keys", "From DP.facts Require Import Keys.", "may not import"),
        ("definitions/Keys", "From DP.facts Require Import Keys.", "may not import"),
        ("statements/Keys", "(* A. *)\nTheorem bare : True.\nProof. exact facts.Keys.x. Qed.", "no instance bare_met"),
        ("statements/Keys", "Theorem bare : True.\nProof. exact facts.Keys.x. Qed.", "no comment above bare"),
        ("statements/Keys", "(* A. *)\nTheorem bare : True.\nProof. exact I. Qed.", "its proof is not exact"),
        ("statements/Keys", "(* A. *)\nTheorem bare : True.\nProof. intros. exact facts.Keys.x. Qed.", "not exact"),
    ],
)
def test_caught_a_file_that_is_not_of_its_kind(file: str, text: str, fault: str) -> None:
    assert any(fault in each for each in _after(file, text))


@pytest.mark.parametrize(
    ("statement", "proof", "fault"),
    [
        ("forall i : nat, i = i", "apply a.", "an instance with a hypothesis"),
        ("0 < 1 -> True", "apply a.", "an instance with a hypothesis"),
        ("True", "exact I.", "no instance of it"),
        ("True", "apply ab.", "no instance of it"),
    ],
)
def test_caught_an_instance_that_is_none(statement: str, proof: str, fault: str) -> None:
    text = "(* A. *)\nTheorem a : True.\nProof. exact facts.Keys.x. Qed.\nTheorem a_met : {}.\nProof. {} Qed."
    assert any(fault in each for each in _after("statements/Keys", text.format(statement, proof)))
    assert _after("statements/Keys", text.format("True /\\ (0 < 1 -> True)", "apply a.")) == []


def test_caught_a_file_too_many_or_too_few() -> None:
    assert list(faults({**TEXTS, "facts/Hidden": "Axiom bad : False."})) == [
        "facts/Hidden.v: the files are those of record.ORDER"
    ]
    less = {name: text for name, text in TEXTS.items() if name != "facts/Sets"}
    assert list(faults(less)) == ["facts/Sets.v: the files are those of record.ORDER"]


def test_names_are_read_off_sentences() -> None:
    text = (
        "Inductive prog (A : Type) : Type := Ret (x : A) | Below (n : Z).\nRecord r := { a : nat; b : nat }.\n(* X. *)"
    )
    assert [introduced(each) for each in sentences(text)] == [["prog", "Ret", "Below"], ["r", "a", "b"]]


SUMMARY = """
CONTEXT SUMMARY
===============

* Theory: Set is predicative

* Axioms:
    Coq.Logic.Classical_Prop.classic

* Constants/Inductives relying on type-in-type: <none>

* Constants/Inductives relying on unsafe (co)fixpoints: <none>

* Inductives whose positivity is assumed: <none>
"""


def test_a_summary_is_read_line_by_line() -> None:
    assert list(gate.unsafe(SUMMARY)) == []
    for old, new in (
        ("Coq.Logic.Classical_Prop", "DP.facts.Keys.Classical_Prop"),
        ("is predicative", "is impredicative"),
        ("type-in-type: <none>", "type-in-type: DP.a"),
        ("cofixpoints: <none>" if "cofixpoints: <none>" in SUMMARY else "(co)fixpoints: <none>", "(co)fixpoints: DP.a"),
        ("assumed: <none>", "assumed: DP.a"),
        ("* Theory", "* Another"),
        ("* Axioms:\n    Coq.Logic.Classical_Prop.classic\n\n", ""),
    ):
        assert old in SUMMARY
        assert list(gate.unsafe(SUMMARY.replace(old, new)))


def test_every_file_is_as_the_gate_has_checked_it() -> None:
    assert record.unchanged().holds
    assert set(record.hashes(TEXTS)) == set(record.ORDER)
    assert re.fullmatch(r"checked by Rocq 8\.\d+\.\d+ on \d{4}-\d\d-\d\d", record.checked_by())


@pytest.mark.parametrize("name", record.ORDER)
def test_caught_a_file_that_changed(name: str) -> None:
    changed = record.hashes({**TEXTS, name: f"{TEXTS[name]} "})
    assert list(record.stale(record.record(), changed)) == [f"{name}.v is not as the gate has checked it"]


def test_caught_a_theorem_that_is_not_there_or_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checks.check_of("Sampling.theorem_2")().holds
    assert checks.check_of("Sampling.theorem_3")().witness == "Sampling.theorem_3: no such theorem is recorded"
    found = replace(record.unchanged(), holds=False, witness="facts/Laws.v is not as the gate has checked it")
    monkeypatch.setattr(record, "unchanged", lambda: found)
    assert (
        checks.check_of("Sampling.theorem_2")().witness == "not checked: facts/Laws.v is not as the gate has checked it"
    )


def test_what_is_recorded_needs_no_axiom_but_those_of_the_reals() -> None:
    allowed = {".".join(axiom.split(".")[-2:]) for axiom in gate.AXIOMS}
    found = record.record()["axioms"]
    assert isinstance(found, dict)
    assert set(found) == allowed
    assert all(each.comment and each.statement for each in record.stated().values())


def test_caught_a_record_of_another_version_that_nobody_compares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "_version", lambda: "8.16.1")
    assert "was not compared" in " ".join(gate.unread({"rocq": "9.0"}))
    assert list(gate.unread({"rocq": "8.16.1"})) == []


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rocq")
    found = gate.build(TEXTS, folder)
    assert {part: found[part] for part in found} == {part: record.record()[part] for part in found}
    return folder


EDITS = [[part.strip() for part in each.split("|")] for each in EDITED.read_text("utf-8").splitlines()]
"""Theorems, each with a part of its statement and what makes it false in that part's place: a constant, a side of an
inequality, a hypothesis dropped.
"""


def _theorems(file: str) -> Iterator[tuple[str, str, str]]:
    """Yield the name, the statement and the proof of each theorem of a statements file, without the instances."""
    found = sentences(TEXTS[f"statements/{file}"])
    for place, said in enumerate(found):
        name, _, statement = said.removeprefix("Theorem ").partition(" : ")
        if said.startswith("Theorem ") and not name.endswith("_met"):
            yield f"{file}.{name}", statement, found[place + 2]


def _goals(file: str, edits: list[list[str]]) -> str:
    """Return a file in Rocq that compiles if each proof of a file is one of its statement, and of no edited one."""
    lines = [each for each in sentences(TEXTS[f"statements/{file}"]) if each.split()[0] in ("From", "Import", "Open")]
    for name, statement, proof in _theorems(file):
        lines += [f"Goal {statement}", proof, "Qed"]
        weaker = f"solve [intros; eapply {proof.removeprefix('exact ')}; eauto; first [lra | lia]]"
        for _, old, new in (each for each in edits if each[0] == name):
            changed = statement.replace(old, new, 1)
            lines += [f"Goal {changed}", f"Fail first [{proof} | {weaker}]", "Abort"]
    return "".join(f"{line}.\n" for line in lines)


def test_every_theorem_has_a_falsified_statement() -> None:
    stated = {name: statement for file in record.STATEMENTS for name, statement, _ in _theorems(file)}
    assert {name for name, _, _ in EDITS} == stated.keys() == record.stated().keys()
    assert all(old and old != new and old in stated[name] for name, old, new in EDITS)


@pytest.mark.nightly
@pytest.mark.parametrize("file", record.STATEMENTS)
def test_no_proof_is_one_of_a_falsified_statement(file: str, request: pytest.FixtureRequest) -> None:
    if COMPILES:
        _compiled(file, EDITS, request.getfixturevalue("built"))


@pytest.mark.nightly
def test_caught_a_statement_that_is_called_falsified_and_follows(request: pytest.FixtureRequest) -> None:
    for old, new, said in (("3 / 4", "1 / 2", "has not failed"), ("x : R", "y : R", "not found")) if COMPILES else ():
        edit = ["Exponentials.empty_bin_factors", old, new]
        with pytest.raises(ValueError, match=said):
            _compiled("Exponentials", [edit], request.getfixturevalue("built"))


def _compiled(file: str, edits: list[list[str]], built: Path) -> None:
    (built / "statements" / "Edited.v").write_text(_goals(file, edits), "utf-8")
    gate.run(["coqc", "-q", "-Q", ".", "DP", "statements/Edited.v"], built)


DEFINED = [
    ("Laws", "p u <= E * q u + d.", "p u <= E * q u + d + d."),
    ("GeoSample", "alpha ^ distance c z / (1 + alpha)", "alpha ^ distance c z / (1 - alpha)"),
    ("GeoSample", "if u <=? F z then", "if u <? F z then"),
    ("Heavy", "if Rle_dec (Rabs (INR v - INR c)) a then 1", "if Rle_dec (INR v - INR c) a then 1"),
    ("FastSample", "if (z + t <? c)%nat then 0", "if (z + t <=? c)%nat then 0"),
    ("FastSample", "(noise alpha 0 + 2 * alpha ^ S t", "(noise alpha 0 + 2 * alpha ^ t"),
    ("Sampling", "if (tau <=? v)%nat then v else O", "if (tau <? v)%nat then v else O"),
    ("Decision", "c * (b * g * m * n) <?", "c * (b * g * m * m) <?"),
    ("Decision", "if w =? 0 then v else 0", "if w =? 0 then w else 0"),
    ("Keys", "(reporting E d q j + d - 1) / E", "(reporting E d q j + d) / E"),
    ("Histograms", "if (v <=? b)%nat then O else v", "if (v <? b)%nat then O else v"),
    ("Convolution", "(1 - sum_below t w) * u t", "(1 - sum_below t w) * u O"),
    ("Orders", "(levels_from F w (missing - l) (m - l))", "(levels_from F w (missing - l) m)"),
    ("Orders", "then c :: l else e :: into c rest", "then l else e :: into c rest"),
    ("Orders", "(as_large c (candidates l) <=? n)", "(as_large c (candidates l) <? n)"),
    ("Orders", "(picks (m - 1) j)", "(picks m j)"),
]


@pytest.mark.nightly
@pytest.mark.parametrize(("file", "old", "new"), DEFINED)
def test_a_changed_definition_stops_the_gate(file: str, old: str, new: str, tmp_path: Path) -> None:
    """It does not compile, or something is not as recorded: a statement in full, or a value."""
    text = TEXTS[f"definitions/{file}"]
    assert old in text
    changed = {**TEXTS, f"definitions/{file}": text.replace(old, new, 1)}
    assert list(record.stale(record.record(), record.hashes(changed)))
    if COMPILES:
        try:
            found = gate.build(changed, tmp_path)
        except ValueError:
            return
        assert any(found[part] != record.record()[part] for part in found)


@pytest.mark.nightly
def test_the_gate_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert gate.main([]) == 0
    said = f"compiled {len(TEXTS)} files" if COMPILES else "not compiled: no coqc here; the hashes are compared"
    assert said in capsys.readouterr().out
