(* anonymized-histograms, Sections 2, 3 and Appendices B and E: the distance, fake counts, and what a private release is off by. *)
From Coq Require Import Reals List Arith Lra Lia.
From DP.definitions Require Import Laws Packing Prevalences.
From DP.facts Require Keys.
From DP.facts Require Prevalences.
From DP.facts Require Bits.
Import ListNotations.
Open Scope R_scope.

(* Lemma 1: no labeling is closer than the sum of |phi_r+ - phi'_r+|. *)
Theorem labelings_at_least : forall x y x' y' : list nat,
  length x = length y -> relabeled x x' -> relabeled y y' -> l1 x y <= by_label x' y'.
Proof. exact facts.Prevalences.labels_at_least. Qed.
Theorem labelings_at_least_met : l1 [2; 1]%nat [0; 3]%nat <= by_label [1; 2]%nat [0; 3]%nat.
Proof.
  apply (labelings_at_least [2; 1]%nat [0; 3]%nat); [reflexivity | | split; reflexivity]. split; [reflexivity|].
  intros [|[|[|r]]]; reflexivity.
Qed.
(* Lemma 1: with both in order that is the distance, label by label. *)
Theorem labelings_in_order : forall x y : list nat, length x = length y -> falling x -> falling y -> by_label x y = l1 x y.
Proof. exact facts.Prevalences.in_order_least. Qed.
Theorem labelings_in_order_met : by_label [2; 1]%nat [3; 0]%nat = l1 [2; 1]%nat [3; 0]%nat.
Proof. apply labelings_in_order; cbn; repeat split; repeat constructor. Qed.
(* Lemma 1: every histogram has such a labeling. *)
Theorem order_exists : forall x : list nat, exists y : list nat, relabeled x y /\ falling y.
Proof. exact facts.Prevalences.can_be_ordered. Qed.
Theorem order_exists_met : exists y : list nat, relabeled [1; 2]%nat y /\ falling y.
Proof. apply order_exists. Qed.
(* Appendix B: two counts that are out of the other's order, exchanged. *)
Theorem exchange : forall a b c d : nat, (b <= a)%nat -> (d <= c)%nat ->
  Rabs (INR a - INR c) + Rabs (INR b - INR d) <= Rabs (INR a - INR d) + Rabs (INR b - INR c).
Proof. exact facts.Prevalences.exchange_holds. Qed.
Theorem exchange_met : Rabs (INR 2 - INR 3) + Rabs (INR 1 - INR 0) <= Rabs (INR 2 - INR 0) + Rabs (INR 1 - INR 3).
Proof. apply exchange; lia. Qed.
(* The sum may go up to any bound of the counts. *)
Theorem distance_up_to : forall (n : nat) (x y : list nat), (list_max x <= n)%nat -> (list_max y <= n)%nat -> l1 x y = l1_up_to n x y.
Proof. exact facts.Prevalences.any_bound. Qed.
Theorem distance_up_to_met : l1 [2]%nat [1; 1]%nat = l1_up_to 5 [2]%nat [1; 1]%nat.
Proof. apply distance_up_to; cbn; lia. Qed.
(* Lemma 4: the distance is at most the sum of r |phi_r - phi'_r|. *)
Theorem distance_by_prevalences : forall (x y : list nat) (n : nat), (list_max x <= n)%nat -> (list_max y <= n)%nat ->
  l1 x y <= sum_below n (fun j => INR (S j) * Rabs (INR (prevalence (S j) x) - INR (prevalence (S j) y))).
Proof. exact facts.Prevalences.by_prevalences_holds. Qed.
Theorem distance_by_prevalences_met :
  l1 [2]%nat [1]%nat <= sum_below 2 (fun j => INR (S j) * Rabs (INR (prevalence (S j) [2]%nat) - INR (prevalence (S j) [1]%nat))).
Proof. apply distance_by_prevalences; cbn; lia. Qed.
(* Equation 6: all counts of the greatest value lowered by one. *)
Theorem equation_6_lowered : forall (m : nat) (x y : list nat), (list_max x <= S m)%nat -> (list_max y <= S m)%nat ->
  l1 x y = l1 (map (Nat.min m) x) (map (Nat.min m) y) + Rabs (INR (prevalence (S m) x) - INR (prevalence (S m) y)).
Proof. exact facts.Prevalences.lowered_holds. Qed.
Theorem equation_6_lowered_met : l1 [2; 2]%nat [2]%nat =
  l1 (map (Nat.min 1) [2; 2]%nat) (map (Nat.min 1) [2]%nat) + Rabs (INR (prevalence 2 [2; 2]%nat) - INR (prevalence 2 [2]%nat)).
Proof. apply equation_6_lowered; cbn; lia. Qed.
(* Lemma 3: sums of histograms. *)
Theorem sums_no_farther : forall x y v w : list nat, l1 (x ++ v) (y ++ w) <= l1 x y + l1 v w.
Proof. exact facts.Prevalences.parts_hold. Qed.
Theorem sums_no_farther_met : l1 ([1] ++ [2])%nat ([1] ++ [3])%nat <= l1 [1]%nat [1]%nat + l1 [2]%nat [3]%nat.
Proof. apply sums_no_farther. Qed.
(* Appendix B: a detour is no shorter. *)
Theorem distance_detour : forall x y z : list nat, l1 x z <= l1 x y + l1 y z.
Proof. exact facts.Prevalences.detour. Qed.
Theorem distance_detour_met : l1 [1]%nat [3]%nat <= l1 [1]%nat [2]%nat + l1 [2]%nat [3]%nat.
Proof. apply distance_detour. Qed.
(* Appendix B: counts that are added to both histograms leave the distance as it is. *)
Theorem added_counts : forall x y c : list nat, l1 (x ++ c) (y ++ c) = l1 x y.
Proof. exact facts.Prevalences.added_to_both. Qed.
Theorem added_counts_met : l1 ([1] ++ [2])%nat ([3] ++ [2])%nat = l1 [1]%nat [3]%nat.
Proof. apply added_counts. Qed.

(* Appendix B, corrected: of all histograms with k counts t none is nearer than the one whose k counts nearest to t became t. *)
Theorem nearest_replaced : forall (t : nat) (x near rest : list nat), nearer t near rest -> (length x <= length rest)%nat ->
  l1 (near ++ rest) (repeat t (length near) ++ rest) <= l1 (x ++ repeat t (length near)) (near ++ rest).
Proof. exact facts.Prevalences.nearest_with_fakes. Qed.
Theorem nearest_replaced_met : l1 ([2] ++ [5])%nat (repeat 1 1 ++ [5])%nat <= l1 ([4] ++ repeat 1 1)%nat ([2] ++ [5])%nat.
Proof. apply (nearest_replaced 1 [4]%nat [2]%nat [5]%nat); [|cbn; lia]. intros a b [<-|[]] [<-|[]]. unfold Rabs. cbn. repeat destruct (Rcase_abs _); lra. Qed.
(* Lemma 6, corrected: k counts t are added to x, and from the other histogram the k counts nearest to t are removed. *)
Theorem lemma_6_corrected : forall (t : nat) (x near rest : list nat), nearer t near rest -> (length x <= length rest)%nat ->
  l1 x rest <= 2 * l1 (x ++ repeat t (length near)) (near ++ rest).
Proof. exact facts.Prevalences.fakes_removed. Qed.
Theorem lemma_6_corrected_met : l1 [4]%nat [5]%nat <= 2 * l1 ([4] ++ repeat 1 1)%nat ([2] ++ [5])%nat.
Proof. apply (lemma_6_corrected 1 [4]%nat [2]%nat [5]%nat); [|cbn; lia]. intros a b [<-|[]] [<-|[]]. unfold Rabs. cbn. repeat destruct (Rcase_abs _); lra. Qed.
(* Equation 8, corrected: counts t and counts s are added, those nearest to s are removed, and then those nearest to t. *)
Theorem equation_8_corrected : forall (t s : nat) (x near other rest : list nat),
  nearer s near (other ++ rest) -> nearer t other rest -> (length x <= length rest)%nat ->
  l1 x rest <= 4 * l1 ((x ++ repeat t (length other)) ++ repeat s (length near)) (near ++ other ++ rest).
Proof. exact facts.Prevalences.twice_removed. Qed.
Theorem equation_8_corrected_met : l1 [5]%nat [5]%nat <= 4 * l1 (([5] ++ repeat 1 1) ++ repeat 2 1)%nat ([2] ++ [1] ++ [5])%nat.
Proof.
  apply (equation_8_corrected 1 2 [5]%nat [2]%nat [1]%nat [5]%nat); [| |cbn; lia]; intros a b I J; cbn in I, J;
    destruct I as [<-|[]]; repeat destruct J as [<-|J]; try destruct J; unfold Rabs; cbn; repeat destruct (Rcase_abs _); lra.
Qed.

(* Appendix E: the errors on two neighbours that differ in one bit, each error counting as 1 at most. *)
Theorem errors_of_a_pair : forall (O : Type) (E : R) (p q : law O) (v : O -> R),
  measure p -> total p -> measure q -> total q -> 1 <= E -> dp_both E 0 p q ->
  / E <= 2 / (1 + E) /\ 2 / (1 + E) <= p (bit_error v false) + q (bit_error v true).
Proof. exact (@facts.Bits.pair_holds). Qed.
Theorem errors_of_a_pair_met : / 1 <= 2 / (1 + 1) /\
  2 / (1 + 1) <= bernoulli (/ 2) (bit_error number false) + bernoulli (/ 2) (bit_error number true).
Proof.
  apply (errors_of_a_pair bool 1 (bernoulli (/ 2)) (bernoulli (/ 2)) number); try (apply facts.Keys.coin_measure; lra); try apply facts.Keys.bernoulli_total; try lra.
  split; intros u U; lra.
Qed.
(* Lemma 10: M is given k bits, v i is its estimate of bit i; an error counts as 1 at most. *)
Theorem lemma_10 : forall (O : Type) (E : R) (k : nat) (M : list bool -> law O) (v : nat -> O -> R), 1 <= E ->
  private E 0 (of_size k) one_row M -> INR k / 2 * / E <= INR k / (1 + E) /\
  exists l : list bool, length l = k /\ INR k / (1 + E) <= sum_below k (fun i => M l (bit_error (v i) (nth i l false))).
Proof. exact (@facts.Bits.bits_hold). Qed.
Theorem lemma_10_met : INR 3 / 2 * / 1 <= INR 3 / (1 + 1) /\ exists l : list bool, length l = 3%nat /\
  INR 3 / (1 + 1) <= sum_below 3 (fun i => ret tt (bit_error (fun _ : unit => 0) (nth i l false))).
Proof.
  apply (lemma_10 unit 1 3 (fun _ => ret tt) (fun _ _ => 0)); [lra|]. split; [intros; split; [apply facts.Keys.sure_measure | reflexivity]|].
  intros x y _ _ _. split; intros u U; lra.
Qed.
(* Theorem 2, with a constant: a private release has a histogram of n + 1 items on which it is off by that much in the mean,
   even if an error counts as 2 k at most. *)
Theorem theorem_2_of_histograms : forall (E : R) (n k : nat) (M : list nat -> law (list nat)), 1 <= E -> (1 <= k)%nat ->
  (2 * k * k <= S n)%nat -> private E 0 (of_items n) one_item M ->
  exists x : list nat, list_sum x = S n /\ 2 * INR k / (1 + E ^ 2) <= capped_error (2 * INR k) (M x) x.
Proof. exact facts.Bits.least_error. Qed.
Theorem theorem_2_of_histograms_met : exists x : list nat, list_sum x = 2%nat /\ 2 * INR 1 / (1 + 1 ^ 2) <= capped_error (2 * INR 1) (ret []) x.
Proof.
  apply (theorem_2_of_histograms 1 1 1 (fun _ => ret [])); try lia; try lra. split; [intros; split; [apply facts.Keys.sure_measure | reflexivity]|].
  intros x y _ _ _. split; intros u U; lra.
Qed.
(* Theorem 2: for the greatest k with 2 k^2 <= n + 1 that is at least (2/5) sqrt n e^(-2 epsilon). *)
Theorem theorem_2_in_roots : forall (E : R) (n k : nat), 1 <= E -> (1 <= k)%nat -> (S n < 2 * S k * S k)%nat ->
  2 / 5 * sqrt (INR n) / E ^ 2 <= 2 * INR k / (1 + E ^ 2).
Proof. exact facts.Bits.least_in_roots. Qed.
Theorem theorem_2_in_roots_met : 2 / 5 * sqrt (INR 2) / 1 ^ 2 <= 2 * INR 1 / (1 + 1 ^ 2).
Proof. apply (theorem_2_in_roots 1 2 1); [lra | lia | lia]. Qed.
