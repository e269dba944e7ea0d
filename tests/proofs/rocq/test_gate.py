"""The gate stops what proves a falsehood or misleads a reader; a file that it has not checked is not checked."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from dpcert.proofs.rocq import checks, gate, record
from dpcert.proofs.rocq.vernacular import faults, introduced, sentences

TEXTS = gate.on_disk(gate.HERE)
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


MUTANTS = [
    ("GeoSample", "private (1 + / 2 ^ k) 0", "private (1 + / 3 ^ k) 0"),
    ("GeoSample", "2 / epsilon <= 2 ^ k ->\n", "1 / epsilon <= 2 ^ k ->\n"),
    ("GeoSample", "-> 1 + / 2 ^ k <= E.", "-> 1 + / 2 ^ k < E."),
    ("GeoSample", "(0 < b < a)%Z", "(0 < a < b)%Z"),
    ("Sampling", "exp (- epsilon) <= 1 - p -> forall tau k", "exp (- epsilon) <= 1 - p / 2 -> forall tau k"),
    (
        "Sampling",
        "dp_both (exp epsilon) (chernoff_delta p epsilon tau)",
        "dp_both (exp epsilon) (chernoff_delta p epsilon (S tau))",
    ),
    ("Sampling", "exp (- (constant_of alpha * INR tau))", "exp (- (constant_of alpha * INR (S tau)))"),
    ("Sampling", "0 < alpha <= 1 -> 0 < epsilon -> forall tau k", "0 < alpha <= 2 -> 0 < epsilon -> forall tau k"),
    ("Sampling", "p < q < 1 ->", "0 < q < 1 ->"),
    ("Sampling", "<= constant_of alpha <= ln (/ alpha) - / 2", "<= constant_of alpha <= ln (/ alpha) - / 3 * 2"),
    ("Keys", "scheme i reported <= reporting E d q i.", "scheme i reported < reporting E d q i."),
    ("Keys", "(forall i, scheme i reported <= q i) ->", ""),
    ("Keys", "event reported -> scheme O reported = 0 ->", "event reported ->"),
    ("Keys", "reporting E d everything (S (2 * L) + k) = 1", "reporting E d everything (2 * L + k) = 1"),
    ("Privacy", "dp (E * F) (d + e) (bind p f) (bind q g)", "dp (E * F) d (bind p f) (bind q g)"),
    ("Privacy", "dp (E ^ m) (d * shares E m) (p O) (p m)", "dp (E ^ m) d (p O) (p m)"),
    ("Privacy", "dp E ((1 + E) * d) p' q'", "dp E (E * d) p' q'"),
    ("Kernel", "IZR a / IZR b <= exp epsilon ->", "exp epsilon <= IZR a / IZR b ->"),
    ("Kernel", "(forall i, name (f i) = i) ->\n  seen", "seen"),
    ("Kernel", "(0 < g * m)%Z -> (forall i, name (f i) = i) ->", "(0 < g * m)%Z ->"),
    ("Kernel", "Q (IZR tail / IZR (g * n)) ->", "Q (IZR tail / IZR n) ->"),
    ("Histograms", "M 1%nat (above_threshold b) <= d ->", "M 0%nat (above_threshold b) <= d ->"),
    (
        "Histograms",
        "d <= (E - 1) / (E + 1) * (gamma / (1 - gamma)) * m",
        "d <= (E + 1) / (E - 1) * (gamma / (1 - gamma)) * m",
    ),
    ("Values", "next_mass E d (reporting E d q i) (reporting E d q (S i)) (P u) <= Q u.", "P u <= Q u."),
    ("Values", "(forall a, u a <= reported a) -> dp_both E d P Q ->", "dp_both E d P Q ->"),
    ("Values", "dp_both E d P Q -> P u = 0 -> Q u <= d.", "dp_both E d P Q -> P u = 0 -> Q u < d."),
    ("Values", "rows_follow E d q n N F C -> forall i : nat, (i < n)%nat ->\n  dp_both", "forall i : nat, dp_both"),
    ("Passes", "else if (n <=? 2 * L)%nat then d * E ^ (2 * L - n)", "else if (n <=? 2 * L)%nat then d * E ^ (L - n)"),
    ("Passes", "G (INR m) b c -> 0 <= z <= c ->", "G (INR m) b c -> 0 <= z <= INR m ->"),
    ("Passes", "reporting E d everything (i - j) - reporting", "reporting E d everything (S i - j) - reporting"),
    ("Priority", "(1 <= p /\\ d <= tau) ->\n  let q", "1 <= p ->\n  let q"),
    ("PrivHist", "noise_of_ratio a N -> steady (/ a) N", "noise_of_ratio a N -> steady 1 N"),
    ("PrivHist", "private (E1 * E2 * E3) 0", "private (E1 * E2) 0"),
    ("PrivHist", "steady E N -> one_step x y ->", "steady E N ->"),
    ("PrivHist", "(r <= T -> large_centres", "(r <= S T -> large_centres"),
    ("PrivHist", "steady E N ->\n  (forall i j, (i <= j <= k)%nat -> (s i <= s j)%nat) ->", "steady E N ->"),
    ("PrivHist", "0 <= w -> w * Rabs (f - g) <= 1 ->", "0 <= w -> w * Rabs (f - g) <= 2 ->"),
    ("Prevalences", "l1 x y <= by_label x' y'.", "l1 x y < by_label x' y'."),
    ("Prevalences", "falling x -> falling y -> by_label", "falling x -> by_label"),
    ("Prevalences", "length x = length y -> relabeled x x'", "relabeled x x'"),
    ("Prevalences", "INR (S j) * Rabs (INR (prevalence (S j) x)", "INR j * Rabs (INR (prevalence (S j) x)"),
    ("Prevalences", "l1 x rest <= 2 * l1", "l1 x rest <= l1"),
    (
        "Prevalences",
        "nearer t near rest -> (length x <= length rest)%nat ->\n  l1 x rest",
        "nearer t near rest ->\n  l1 x rest",
    ),
    ("Prevalences", "(fun i => M l (bit_error", "(fun i => / 2 * M l (bit_error"),
    ("Prevalences", "2 * INR k / (1 + E ^ 2) <= capped_error", "2 * INR k / (1 + E) <= capped_error"),
    ("Accuracy", "p any <= INR n * beta.", "p any <= beta."),
    ("Accuracy", "(1 - beta) ^ length ps <= every", "(1 - beta) ^ 1 <= every"),
    ("Accuracy", "1 - INR n * beta <= (1 - beta) ^ n.", "1 - INR n * beta < (1 - beta) ^ n."),
    ("FastSample", "dp_both 1 (2 * alpha ^ S t / (1 + alpha))", "dp_both 1 (alpha ^ S t / (1 + alpha))"),
    ("FastSample", "9 * INR L <= 2 * epsilon * INR (S t) -> ", ""),
    ("FastSample", "2 / epsilon * ln (/ beta) <= INR a ->", "1 / epsilon * ln (/ beta) <= INR a ->"),
    ("FastSample", "ln (/ (beta - / IZR g)) / ln", "ln (/ beta) / ln"),
    ("Clipping", "<= IZR (Int_part K).", "<= IZR (Int_part K) - 1."),
    ("Clipping", "<= sqrt 2 * K /", "<= K /"),
    ("Clipping", "private (r ^ Z.to_nat (units m K)) 0", "private (r ^ Z.to_nat (Int_part K)) 0"),
    ("Clipping", "geometric_noise (/ r) P ->\n  private r 0", "private r 0"),
    ("Errors", "s <= e /\\ sum_below m gone <= e", "s + sum_below m gone <= e"),
    ("Errors", "INR k - 1 < eta <= INR k ->", "INR k < eta <= INR k + 1 ->"),
    ("Errors", "0 <= C -> Err c <= 2 * Err C.", "0 <= C -> Err c <= Err C."),
    ("Debiasing", "(psi x - e) ^ 2).", "(psi x - e)) ^ 2."),
    ("Debiasing", "inverts top psi Y Z -> moments p Y e q -> forall x t,", "moments p Y e q -> forall x t,"),
    ("Debiasing", "(x - e) ^ 2 - ((x - w) + r) ^ 2 <= s - t.", "(x - e) ^ 2 - (x - w) ^ 2 <= s - t."),
    ("Heavy", "(all_close (2 * a) counts).", "(all_close a counts)."),
    ("Heavy", "2 * a < INR (nth i counts O) ->", "a < INR (nth i counts O) ->"),
    ("Compact", "private (exp (e1 + e2 + e3)) 0", "private (exp (e1 + e2)) 0"),
    ("Compact", "dp (exp e3) 0 (M 0%nat) M0 ->", ""),
    ("Sparse", "dp_both 1 (sum_below n e)", "dp_both 1 (e n)"),
    ("Sparse", "private (exp epsilon) ((exp epsilon + 1) * delta)", "private (exp epsilon) (exp epsilon * delta)"),
    ("Sparse", "delta <= epsilon / 3 * beta * / (3 * INR X) ^ n ->", "delta <= epsilon * beta ->"),
    ("Sparse", "dp_both 1 (2 * beta) (mix beta z s) kh.", "dp_both 1 beta (mix beta z s) kh."),
    ("Convolution", "<= INR t / s + 2 * d /\\", "<= INR t / s + d /\\"),
    ("Convolution", "<= INR t * (INR (Pos.to_nat i) - 1) / s.", "<= (INR (Pos.to_nat i) - 1) / s."),
    ("Convolution", "(forall j, (j <= k)%nat -> a j = b j)", "(forall j, (j < k)%nat -> a j = b j)"),
    ("Convolution", "* (INR t + 1) - INR t) / INR s)", "* INR t - INR t) / INR s)"),
    ("Convolution", "(INR p / INR q - rounded_rate s p q)) (image", "(INR p / INR q - rounded_rate s p q) / 2) (image"),
    ("Convolution", "(t <= n + 1)%nat -> ", ""),
    ("Convolution", "measure (rounded_binomial s p q t m) /\\", "(forall u, rounded_binomial s p q t m u = 1) /\\"),
    ("Orders", "(1 <= F O)%nat -> (forall z", "(forall z"),
    ("Orders", "ordsample F n m u = iid_greatest (S n)", "ordsample F n m u = iid_greatest n"),
    ("Orders", "= numbers_from F v m u.", "= numbers_from F v (S m) u."),
    ("Orders", "(all_below Y i <= N <= all_below Y (S i))%nat ->", "(all_below Y i <= N)%nat ->"),
    ("Orders", "Forall (fun c => (c <= n)%nat) l ->\n", ""),
    ("Orders", "(2 * n + 1 <= length x)%nat ->\n", ""),
    ("Orders", "(1 <= draws_at_most (sampler O) d 0)%nat -> ", ""),
    ("Orders", "(forall i, (i < d)%nat -> (sampler O i <= n)%nat) -> ", ""),
    ("FastSample", "(1 + / 2 ^ k) ^ 2 <= E.", "(1 + / 2 ^ k) ^ 3 <= E."),
]


@pytest.mark.nightly
@pytest.mark.parametrize(("file", "old", "new"), MUTANTS)
def test_a_falsified_statement_does_not_compile(file: str, old: str, new: str, request: pytest.FixtureRequest) -> None:
    text = TEXTS[f"statements/{file}"]
    assert old in text
    changed = text.replace(old, new, 1)
    assert list(record.stale(record.record(), record.hashes({**TEXTS, f"statements/{file}": changed})))
    if COMPILES:
        built = request.getfixturevalue("built")
        (built / "statements" / "Mutant.v").write_text(changed, "utf-8")
        with pytest.raises(ValueError, match="Error"):
            gate.run(["coqc", "-q", "-Q", ".", "DP", "statements/Mutant.v"], built)


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
