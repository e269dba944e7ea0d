(* Private weighted sampling, Algorithm 3. *)
From Coq Require Import Reals Lra Lia.
From DP.definitions Require Import Laws Keys.
From DP.facts Require Laws.
From DP.facts Require Keys.
Open Scope R_scope.

(* Algorithm 3: its probabilities rise, are at most those of the sample, and are private for frequencies i and i + 1. *)
Theorem algorithm_3 : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q -> forall i : nat,
  dp_both E d (bernoulli (reporting E d q i)) (bernoulli (reporting E d q (S i))).
Proof. exact facts.Keys.reporting_private. Qed.
Theorem algorithm_3_met : dp_both 2 (/ 4) (bernoulli (reporting 2 (/ 4) everything 3)) (bernoulli (reporting 2 (/ 4) everything 4)).
Proof. apply algorithm_3; try lra. intros i. unfold everything. lra. Qed.
Theorem algorithm_3_rises : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q -> forall i : nat,
  0 <= reporting E d q i <= reporting E d q (S i) /\ reporting E d q i <= q i.
Proof. exact facts.Keys.reporting_in_sample. Qed.
Theorem algorithm_3_rises_met :
  0 <= reporting 2 (/ 4) everything 3 <= reporting 2 (/ 4) everything 4 /\ reporting 2 (/ 4) everything 3 <= everything 3.
Proof. apply algorithm_3_rises; try lra. intros i. unfold everything. lra. Qed.

(* Lemma 4.1, against every scheme: a law of any outcomes for each frequency, and any event of them that counts as a
   report, at most as likely as the key is sampled. *)
Theorem lemma_4_1 : forall (E d : R) (q : nat -> R), 1 <= E -> forall (A : Type) (scheme : nat -> law A) (reported : A -> R),
  (forall i, measure (scheme i) /\ total (scheme i)) -> event reported -> scheme O reported = 0 ->
  (forall i, scheme i reported <= q i) -> (forall i, dp_both E d (scheme i) (scheme (S i))) ->
  forall i : nat, scheme i reported <= reporting E d q i.
Proof. exact facts.Keys.reporting_greatest. Qed.
Theorem lemma_4_1_met : ret false (fun b : bool => if b then 1 else 0) <= reporting 2 (/ 4) everything 3.
Proof.
  apply (lemma_4_1 2 (/ 4) everything ltac:(lra) bool (fun _ => ret false)).
  - intros i. split; [apply facts.Keys.sure_measure | reflexivity].
  - intros []; lra.
  - reflexivity.
  - intros i. unfold ret, everything. lra.
  - intros i. split; intros u U; specialize (U false); unfold ret; lra.
Qed.
(* Equations 16 and 17, the two constraints. *)
Theorem equation_16 : forall (E d : R) (q : nat -> R) (i : nat), reporting E d q (S i) <= E * reporting E d q i + d.
Proof. exact facts.Keys.at_most_times_more. Qed.
Theorem equation_16_met : reporting 2 (/ 4) everything 4 <= 2 * reporting 2 (/ 4) everything 3 + / 4.
Proof. apply equation_16. Qed.
Theorem equation_17 : forall (E d : R) (q : nat -> R), 1 <= E -> forall i : nat,
  1 - reporting E d q i <= E * (1 - reporting E d q (S i)) + d.
Proof. exact facts.Keys.others_at_most_times_more. Qed.
Theorem equation_17_met : 1 - reporting 2 (/ 4) everything 3 <= 2 * (1 - reporting 2 (/ 4) everything 4) + / 4.
Proof. apply equation_17. lra. Qed.

(* Lemma 4.2, corrected: without sampling, and where L is a whole number. *)
Theorem lemma_4_2 : forall (E d : R) (L : nat), 1 < E -> 0 < d <= 1 -> whole E d L ->
  (forall i, (i <= S L)%nat -> reporting E d everything i = slope E d * (E ^ i - 1)) /\
  (forall k, (k <= L)%nat -> reporting E d everything (S L + k) = 1 - slope E d * (E ^ (L - k) - 1)) /\
  (forall k, reporting E d everything (S (2 * L) + k) = 1).
Proof. exact facts.Keys.closed_form_holds. Qed.
Theorem lemma_4_2_met :
  (forall i, (i <= 2)%nat -> reporting 2 (/ 4) everything i = slope 2 (/ 4) * (2 ^ i - 1)) /\
  (forall k, (k <= 1)%nat -> reporting 2 (/ 4) everything (2 + k) = 1 - slope 2 (/ 4) * (2 ^ (1 - k) - 1)) /\
  (forall k, reporting 2 (/ 4) everything (3 + k) = 1).
Proof. apply (lemma_4_2 2 (/ 4) 1); try lra. unfold whole. cbn. lra. Qed.
