(* Private weighted sampling, Algorithm 3. *)
From Coq Require Import Reals Lra Lia.
From DP.definitions Require Import Laws Keys.
From DP.facts Require Laws.
From DP.facts Require Keys.
Open Scope R_scope.

(* Algorithm 3: its probabilities are private for frequencies i and i + 1. *)
Theorem algorithm_3 : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q -> forall i : nat,
  dp_both E d (bernoulli (reporting E d q i)) (bernoulli (reporting E d q (S i))).
Proof. exact facts.Keys.reporting_private. Qed.
Theorem algorithm_3_met : dp_both 2 (/ 4) (bernoulli (reporting 2 (/ 4) everything 3)) (bernoulli (reporting 2 (/ 4) everything 4)).
Proof. apply algorithm_3; try lra. intros i. unfold everything. lra. Qed.
(* They rise, and are at most those of the sample. *)
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
(* Equation 16: the constraint on reports. *)
Theorem equation_16 : forall (E d : R) (q : nat -> R) (i : nat), reporting E d q (S i) <= E * reporting E d q i + d.
Proof. exact facts.Keys.at_most_times_more. Qed.
Theorem equation_16_met : reporting 2 (/ 4) everything 4 <= 2 * reporting 2 (/ 4) everything 3 + / 4.
Proof. apply equation_16. Qed.
(* Equation 17: the constraint on their absence. *)
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

(* Appendix A: the three terms of the recurrence are at least the probability before. *)
Theorem terms_rise : forall (E d : R) (q : nat -> R), 1 <= E -> 0 <= d <= 1 -> rising q -> forall i : nat,
  let x := reporting E d q i in x <= q (S i) /\ x <= E * x + d /\ x <= 1 + (x + d - 1) / E.
Proof. exact facts.Keys.terms_hold. Qed.
Theorem terms_rise_met : let x := reporting 2 (/ 4) everything 1 in x <= everything 2 /\ x <= 2 * x + / 4 /\ x <= 1 + (x + / 4 - 1) / 2.
Proof. apply terms_rise; try lra. intros i. unfold everything. lra. Qed.
(* Lemma A.1: which of the constraints (16) and (17) on the next probability is less, and where they cross. *)
Theorem lemma_a_1 : forall E d x : R, 1 < E -> 0 <= d <= 1 ->
  let y := E * x + d in let z := 1 + (x + d - 1) / E in let m := (1 - d) / (1 + E) in
  (y < z <-> x < m) /\ (y = z <-> x = m) /\ m <= (1 - d) / 2.
Proof. exact facts.Keys.crossing_holds. Qed.
Theorem lemma_a_1_met : let y := 2 * / 5 + / 4 in let z := 1 + (/ 5 + / 4 - 1) / 2 in let m := (1 - / 4) / (1 + 2) in
  (y < z <-> / 5 < m) /\ (y = z <-> / 5 = m) /\ m <= (1 - / 4) / 2.
Proof. apply lemma_a_1; lra. Qed.
(* Lemma A.2, Equation 18: steps of (16) alone. *)
Theorem equation_18 : forall (E d : R) (x : nat -> R), E <> 1 -> (forall n, x (S n) = E * x n + d) ->
  forall n : nat, x n = x O * E ^ n + d * (E ^ n - 1) / (E - 1).
Proof. exact facts.Keys.upward_run_holds. Qed.
Theorem equation_18_met : 2 ^ 3 - 1 = (2 ^ 0 - 1) * 2 ^ 3 + 1 * (2 ^ 3 - 1) / (2 - 1).
Proof. apply (equation_18 2 1 (fun n => 2 ^ n - 1)); [lra|]. intros n. cbn. ring. Qed.
(* Lemma A.2, Equation 19: steps of (17) alone, of the complement. *)
Theorem equation_19 : forall (E d : R) (x : nat -> R), 1 < E -> (forall n, x (S n) = (x n - d) / E) ->
  forall n : nat, x n = x O / E ^ n - d / E * (1 - / E ^ n) / (1 - / E).
Proof. exact facts.Keys.downward_run_holds. Qed.
Theorem equation_19_met : / 2 ^ 3 = / 2 ^ 0 / 2 ^ 3 - 0 / 2 * (1 - / 2 ^ 3) / (1 - / 2).
Proof. apply (equation_19 2 0 (fun n => / 2 ^ n)); [lra|]. intros n. cbn. field. apply pow_nonzero. lra. Qed.
(* Section 1: without sampling, keys of frequency i are reported with at most delta (E^i - 1)/(E - 1). *)
Theorem reported_at_most : forall E d : R, 1 < E -> 0 <= d -> forall i : nat,
  reporting E d everything i <= d * (E ^ i - 1) / (E - 1).
Proof. exact facts.Keys.at_most_geometric. Qed.
Theorem reported_at_most_met : reporting 2 (/ 4) everything 3 <= / 4 * (2 ^ 3 - 1) / (2 - 1).
Proof. apply reported_at_most; lra. Qed.
(* Appendix A, Formula 4: half way, at frequency L. *)
Theorem half_way : forall (E d : R) (L : nat), 1 < E -> 0 < d <= 1 -> whole E d L -> reporting E d everything L = (1 - d) / (1 + E).
Proof. exact facts.Keys.half_way_holds. Qed.
Theorem half_way_met : reporting 2 (/ 4) everything 1 = (1 - / 4) / (1 + 2).
Proof. apply half_way; try lra. unfold whole. cbn. lra. Qed.
(* Appendix A, Formula 5: the probabilities are symmetric about L + 1/2. *)
Theorem symmetric : forall (E d : R) (L i : nat), 1 < E -> 0 < d <= 1 -> whole E d L -> (i <= S (2 * L))%nat ->
  reporting E d everything i + reporting E d everything (S (2 * L) - i) = 1.
Proof. exact facts.Keys.symmetric_holds. Qed.
Theorem symmetric_met : reporting 2 (/ 4) everything 1 + reporting 2 (/ 4) everything (S (2 * 1) - 1) = 1.
Proof. apply symmetric; try lra; try lia. unfold whole. cbn. lra. Qed.
(* Section 8.2, Formula 2: frequency 2L + 1 is the first that is always reported. *)
Theorem first_certain : forall (E d : R) (L : nat), 1 < E -> 0 < d <= 1 -> whole E d L -> (1 <= L)%nat ->
  reporting E d everything (2 * L) < 1 /\ reporting E d everything (S (2 * L)) = 1.
Proof. exact facts.Keys.last_below_one. Qed.
Theorem first_certain_met : reporting 2 (/ 4) everything (2 * 1) < 1 /\ reporting 2 (/ 4) everything (S (2 * 1)) = 1.
Proof. apply first_certain; try lra; try lia. unfold whole. cbn. lra. Qed.
(* Numbers for the test that compares the program's recurrence with this one: everything is sampled, or one of 2^i is not. *)
Theorem algorithm_3_values :
  reporting 2 (/ 8) everything 1 = 1 / 8 /\ reporting 2 (/ 8) everything 2 = 3 / 8 /\
  reporting 2 (/ 8) everything 3 = 3 / 4 /\ reporting 2 (/ 8) everything 4 = 15 / 16 /\
  reporting 3 (/ 2) halves 1 = 1 / 2 /\ reporting 3 (/ 2) halves 2 = 3 / 4 /\ reporting 3 (/ 2) halves 3 = 7 / 8 /\
  reporting 2 (/ 4) halves 1 = 1 / 4 /\ reporting 2 (/ 4) halves 2 = 3 / 4 /\ reporting 2 (/ 4) halves 3 = 7 / 8 /\
  reporting (3 / 2) (/ 10) halves 1 = 1 / 10 /\ reporting (3 / 2) (/ 10) halves 2 = 1 / 4 /\
  reporting (3 / 2) (/ 10) halves 3 = 19 / 40 /\ reporting (3 / 2) (/ 10) halves 4 = 43 / 60.
Proof. exact facts.Keys.values_hold. Qed.
Theorem algorithm_3_values_met :
  reporting 2 (/ 8) everything 1 = 1 / 8 /\ reporting 2 (/ 8) everything 2 = 3 / 8 /\
  reporting 2 (/ 8) everything 3 = 3 / 4 /\ reporting 2 (/ 8) everything 4 = 15 / 16 /\
  reporting 3 (/ 2) halves 1 = 1 / 2 /\ reporting 3 (/ 2) halves 2 = 3 / 4 /\ reporting 3 (/ 2) halves 3 = 7 / 8 /\
  reporting 2 (/ 4) halves 1 = 1 / 4 /\ reporting 2 (/ 4) halves 2 = 3 / 4 /\ reporting 2 (/ 4) halves 3 = 7 / 8 /\
  reporting (3 / 2) (/ 10) halves 1 = 1 / 10 /\ reporting (3 / 2) (/ 10) halves 2 = 1 / 4 /\
  reporting (3 / 2) (/ 10) halves 3 = 19 / 40 /\ reporting (3 / 2) (/ 10) halves 4 = 43 / 60.
Proof. apply algorithm_3_values. Qed.
