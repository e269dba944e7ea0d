(* finite-computers, Theorem 8.3 i. *)
From Coq Require Import Reals List Lra Lia.
From DP.definitions Require Import Laws Histograms Compact.
From DP.facts Require Laws.
From DP.facts Require Keys.
From DP.facts Require Histograms.
From DP.facts Require Compact.
Import ListNotations.
Open Scope R_scope.

(* Theorem 8.3 i: for every M, M0, way to spread a count over values, and labels, those of either list among them, whose
   values tell the release. Through the values at n + 1 labels goes one polynomial of degree n; that is algebra, which the
   theorem takes as the map from values to the release. *)
Theorem theorem_8_3_i : forall (F P : Type) (n : nat) (through : list F -> P) (M : nat -> law nat) (M0 : law nat) (spread : nat -> law F)
  (e1 e2 e3 : R), 0 <= e1 -> 0 <= e2 -> 0 <= e3 ->
  (forall c, (c <= n)%nat -> measure (M c) /\ total (M c)) -> measure M0 -> total M0 -> (forall z, measure (spread z) /\ total (spread z)) ->
  (forall c, (S c <= n)%nat -> dp_both (exp (e1 / 2)) 0 (M c) (M (S c))) -> dp (exp e2) 0 M0 (M 0%nat) -> dp (exp e3) 0 (M 0%nat) M0 ->
  private (exp (e1 + e2 + e3)) 0 (counts_at_most n) one_label (compact_histogram through M M0 spread).
Proof. exact (@facts.Compact.theorem_8_3_holds). Qed.
Theorem theorem_8_3_i_met : private (exp (1 + 2 + 3)) 0 (counts_at_most 4) one_label
  (compact_histogram (@length nat) (fun _ => ret 0%nat) (ret 0%nat) (fun z => ret z)).
Proof.
  apply theorem_8_3_i; try lra; try (intros; split); try apply facts.Keys.sure_measure; try reflexivity;
    try (apply (facts.Histograms.sure_close (1 / 2)); lra); apply facts.Compact.zero_close; lra.
Qed.
