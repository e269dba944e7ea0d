(* finite-computers, Theorem 6.2 ii and iii, and Lemma 6.3, corrected: for every sampler, n rows and number of labels. *)
From Coq Require Import Reals List Lra Lia.
From DP.definitions Require Import Laws Histograms Heavy.
From DP.facts Require Laws.
From DP.facts Require Heavy.
Import ListNotations.
Open Scope R_scope.

(* Lemma 6.3, corrected: where all noisy counts are within a, a label of count above 2a has a noisy count that at most n
   reach, so that it is above the (n + 1)-st greatest; and it is kept. *)
Theorem lemma_6_3 : forall (n : nat) (a : R) (counts h : list nat) (i : nat), list_sum counts = n -> all_close a counts h = 1 ->
  (i < length counts)%nat -> 2 * a < INR (nth i counts O) -> nth i (keep_heavy n h) O = nth i h O /\ (as_large (nth i h O) h <= n)%nat.
Proof. exact facts.Heavy.heavy_is_kept. Qed.
Theorem lemma_6_3_met : nth 0 (keep_heavy 4 [3; 1]%nat) O = 3%nat /\ (as_large 3 [3; 1]%nat <= 4)%nat.
Proof. apply (lemma_6_3 4 0 [3; 1]%nat [3; 1]%nat 0); [reflexivity | apply facts.Heavy.exactly_close | cbn; lia | cbn; lra]. Qed.
(* Theorem 6.2 iii: within 2a, all labels at once. *)
Theorem theorem_6_2_iii : forall (n : nat) (a : R) (counts : list nat) (p : law (list nat)) (beta : R), list_sum counts = n -> measure p ->
  1 - beta <= p (all_close a counts) -> 1 - beta <= image (keep_heavy n) p (all_close (2 * a) counts).
Proof. exact facts.Heavy.simultaneous_holds. Qed.
Theorem theorem_6_2_iii_met : 1 - 0 <= image (keep_heavy 4) (ret [3; 1]%nat) (all_close (2 * 0) [3; 1]%nat).
Proof. apply theorem_6_2_iii; [reflexivity | apply facts.Laws.finite_is_measure, facts.Laws.ret_finite | apply facts.Heavy.exactly_counts]. Qed.
(* Theorem 6.2 ii: within a1, a label of count above 2 a2; with beta for gamma it fails with 2 beta at most. *)
Theorem theorem_6_2_ii : forall (n : nat) (a1 a2 : R) (counts : list nat) (p : law (list nat)) (beta gamma : R) (i : nat), list_sum counts = n ->
  measure p -> total p -> (i < length counts)%nat -> 2 * a2 < INR (nth i counts O) -> 1 - beta <= p (all_close a2 counts) ->
  1 - gamma <= p (one_close a1 i (nth i counts O)) -> 1 - (beta + gamma) <= image (keep_heavy n) p (one_close a1 i (nth i counts O)).
Proof. exact facts.Heavy.per_query_holds. Qed.
Theorem theorem_6_2_ii_met : 1 - (0 + 0) <= image (keep_heavy 4) (ret [3; 1]%nat) (one_close 0 0 3).
Proof.
  apply (theorem_6_2_ii 4 0 0 [3; 1]%nat); [reflexivity | apply facts.Laws.finite_is_measure, facts.Laws.ret_finite | reflexivity | cbn; lia | cbn; lra | apply facts.Heavy.exactly_counts | apply facts.Heavy.exactly_one].
Qed.
(* At most n labels are kept, whatever the noisy counts. *)
Theorem at_most_n_kept : forall (n : nat) (h : list nat), (length (filter (fun c => (as_large c h <=? n)%nat) h) <= n)%nat.
Proof. exact facts.Heavy.kept_at_most. Qed.
Theorem at_most_n_kept_met : (length (filter (fun c => (as_large c [3; 1]%nat <=? 1)%nat) [3; 1]%nat) <= 1)%nat.
Proof. apply at_most_n_kept. Qed.
