(* finite-computers, Sections 3 and 5: mixtures and histograms. *)
From Coq Require Import Reals List Lra Lia.
From DP.definitions Require Import Laws Histograms.
From DP.facts Require Laws.
From DP.facts Require Keys.
From DP.facts Require Histograms.
Import ListNotations.
Open Scope R_scope.

(* Lemma 3.2 i: a program within delta of a private one is pure if it is mixed with a spread law, where (3.1) holds; m is
   the least mass of an outcome of that law. *)
Theorem lemma_3_2_i : forall (A : Type) (E gamma d m : R) (z p q p' q' : law A), 1 <= E -> 0 <= gamma < 1 -> spread m z ->
  measure z -> measure p' -> measure q' -> dp 1 d p' p -> dp 1 d q q' -> dp E 0 p q ->
  d <= (E - 1) / (E + 1) * (gamma / (1 - gamma)) * m -> dp E 0 (mix gamma z p') (mix gamma z q').
Proof. exact (@facts.Histograms.mixing_holds). Qed.
Theorem lemma_3_2_i_met : dp 2 0 (mix (/ 2) (bernoulli (/ 2)) (ret true)) (mix (/ 2) (bernoulli (/ 2)) (bernoulli (5 / 6))).
Proof.
  apply (lemma_3_2_i bool 2 (/ 2) (/ 6) (/ 2) (bernoulli (/ 2)) (ret true) (ret true)); try lra.
  - exact facts.Histograms.fair_is_spread.
  - apply facts.Keys.coin_measure. lra.
  - apply facts.Keys.sure_measure.
  - apply facts.Keys.coin_measure. lra.
  - intros u U. specialize (U true). unfold ret. lra.
  - exact facts.Histograms.sixth_is_close.
  - intros u U. specialize (U true). unfold ret. lra.
Qed.
(* Section 3: the mixture is within gamma + delta of the private program. *)
Theorem mixture_is_close : forall (A : Type) (gamma d : R) (z p p' : law A), 0 <= gamma <= 1 -> 0 <= d ->
  measure z -> measure p -> measure p' -> dp_both 1 d p' p -> dp_both 1 (gamma + d) (mix gamma z p') p.
Proof. exact (@facts.Histograms.mixture_near). Qed.
Theorem mixture_is_close_met : dp_both 1 (/ 2 + 0) (mix (/ 2) (bernoulli (/ 2)) (bernoulli (/ 3))) (bernoulli (/ 3)).
Proof.
  apply mixture_is_close; try lra; try (apply facts.Keys.coin_measure; lra). split; intros u U; lra.
Qed.

(* Theorem 5.2 i: for every sampler of counts 0..n, the basic histogram of lists that differ in one label. *)
Theorem theorem_5_2_i : forall (n : nat) (M : nat -> law nat) (epsilon : R), 0 <= epsilon ->
  (forall c, (c <= n)%nat -> measure (M c) /\ total (M c)) ->
  (forall c, (S c <= n)%nat -> dp_both (exp (epsilon / 2)) 0 (M c) (M (S c))) ->
  private (exp epsilon) 0 (counts_at_most n) one_label (basic M).
Proof. exact facts.Histograms.basic_holds. Qed.
Theorem theorem_5_2_i_met : private (exp 1) 0 (counts_at_most 4) one_label (basic (fun _ => ret 0%nat)).
Proof.
  apply theorem_5_2_i; try lra.
  - intros c _. split; [apply facts.Keys.sure_measure | reflexivity].
  - intros c _. exact (facts.Histograms.sure_close (1 / 2) ltac:(lra)).
Qed.

(* Theorem 5.5 i: the stability-based histogram, for every delta from the probability on that a count of 1 is released. *)
Theorem theorem_5_5_i : forall (n b : nat) (M : nat -> law nat) (epsilon d : R), 0 <= epsilon ->
  (forall c, (c <= n)%nat -> measure (M c) /\ total (M c)) ->
  (forall c, (S c <= n)%nat -> dp_both (exp (epsilon / 2)) 0 (M c) (M (S c))) ->
  M 1%nat (above_threshold b) <= d -> private (exp epsilon) d (counts_at_most n) one_label (stability M b).
Proof. exact facts.Histograms.stability_holds. Qed.
Theorem theorem_5_5_i_met : private (exp 1) 0 (counts_at_most 4) one_label (stability (fun _ => ret 0%nat) 2).
Proof.
  apply theorem_5_5_i; try lra.
  - intros c _. split; [apply facts.Keys.sure_measure | reflexivity].
  - intros c _. exact (facts.Histograms.sure_close (1 / 2) ltac:(lra)).
  - unfold ret, above_threshold. cbn. lra.
Qed.

(* Theorem 6.2 i: KeepHeavy, for every sampler of counts 0..n. *)
Theorem theorem_6_2_i : forall (n : nat) (M : nat -> law nat) (epsilon : R), 0 <= epsilon ->
  (forall c, (c <= n)%nat -> measure (M c) /\ total (M c)) ->
  (forall c, (S c <= n)%nat -> dp_both (exp (epsilon / 2)) 0 (M c) (M (S c))) ->
  private (exp epsilon) 0 (counts_at_most n) one_label (fun x => image (keep_heavy n) (basic M x)).
Proof. exact facts.Histograms.keep_heavy_holds. Qed.
Theorem theorem_6_2_i_met : private (exp 1) 0 (counts_at_most 4) one_label (fun x => image (keep_heavy 4) (basic (fun _ => ret 0%nat) x)).
Proof.
  apply theorem_6_2_i; try lra.
  - intros c _. split; [apply facts.Keys.sure_measure | reflexivity].
  - intros c _. exact (facts.Histograms.sure_close (1 / 2) ltac:(lra)).
Qed.
