(* finite-computers, Lemma 8.4 and Algorithm 8.5: the empty-bin sampler, for d0 = q d + r; numbers are counted from 0. *)
From Coq Require Import Reals Lra Lia Arith.
From DP.definitions Require Import Laws EmptyBin.
From DP.facts Require Laws.
From DP.facts Require EmptyBin.
Open Scope R_scope.

(* Algorithm 8.5: the map of numbers does not fall, has values below d, and reaches each of them. *)
Theorem algorithm_8_5 : forall q r d : nat, (1 <= q)%nat -> (r < d)%nat -> (forall i j, (i <= j)%nat -> (narrowed q r i <= narrowed q r j)%nat) /\
  (forall i, (i < q * d + r)%nat -> (narrowed q r i < d)%nat) /\ forall v, (v < d)%nat -> exists i, (i < q * d + r)%nat /\ narrowed q r i = v.
Proof. exact facts.EmptyBin.map_holds. Qed.
Theorem algorithm_8_5_met : (narrowed 2 1 6 < 3)%nat.
Proof. apply (algorithm_8_5 2 1 3); lia. Qed.
(* Section 8.3: the first r values are taken q + 1 times, the others q times. *)
Theorem times_taken : forall q r d : nat, (1 <= q)%nat -> (r < d)%nat -> forall v : nat, (v < d)%nat ->
  sum_below (q * d + r) (fun i => if (narrowed q r i =? v)%nat then 1 else 0) = INR q + if (v <? r)%nat then 1 else 0.
Proof. exact facts.EmptyBin.times_hold. Qed.
Theorem times_taken_met : sum_below (2 * 3 + 1) (fun i => if (narrowed 2 1 i =? 0)%nat then 1 else 0) = INR 2 + 1.
Proof. apply (times_taken 2 1 3); lia. Qed.
(* Lemma 8.4 ii, before the exponentials: for every set of outcomes, not only for single counts. *)
Theorem ratios : forall q r d : nat, (1 <= q)%nat -> (r < d)%nat -> forall (A : Type) (M : nat -> A) (u : A -> R), event u ->
  (1 - INR d / INR (q * d + r)) * image M (uniform d) u <= empty_bin q r d M u <= (1 + INR d / INR (q * d + r)) * image M (uniform d) u.
Proof. exact facts.EmptyBin.ratios_hold. Qed.
Theorem ratios_met : (1 - INR 3 / INR (2 * 3 + 1)) * image S (uniform 3) (count_at_most 2) <= empty_bin 2 1 3 S (count_at_most 2).
Proof. apply (ratios 2 1 3); try lia. intros v. unfold count_at_most. destruct (v <=? 2)%nat; lra. Qed.
(* Lemma 8.4 ii. *)
Theorem lemma_8_4_ii : forall q r d : nat, (1 <= q)%nat -> (r < d)%nat -> forall (A : Type) (M : nat -> A) (u : A -> R), event u ->
  (4 * d <= 3 * (q * d + r))%nat -> exp (- (2 * (INR d / INR (q * d + r)))) * image M (uniform d) u <= empty_bin q r d M u <=
  exp (INR d / INR (q * d + r)) * image M (uniform d) u.
Proof. exact facts.EmptyBin.within_exponentials. Qed.
Theorem lemma_8_4_ii_met : empty_bin 2 1 3 S (count_at_most 2) <= exp (INR 3 / INR (2 * 3 + 1)) * image S (uniform 3) (count_at_most 2).
Proof. apply (lemma_8_4_ii 2 1 3); try lia. intros v. unfold count_at_most. destruct (v <=? 2)%nat; lra. Qed.
(* Lemma 8.4 ii: where d divides d0 the laws are the same. *)
Theorem multiples : forall (A : Type) (q d : nat) (M : nat -> A) (u : A -> R), (1 <= q)%nat -> (1 <= d)%nat ->
  empty_bin q 0 d M u = image M (uniform d) u.
Proof. exact (@facts.EmptyBin.multiple_holds). Qed.
Theorem multiples_met : empty_bin 2 0 3 S (count_at_most 2) = image S (uniform 3) (count_at_most 2).
Proof. apply multiples; lia. Qed.
(* Lemma 8.4 iii. *)
Theorem lemma_8_4_iii : forall q r d : nat, (1 <= q)%nat -> (r < d)%nat -> forall (M : nat -> nat) (a : nat), rises M ->
  image M (uniform d) (count_at_most a) <= empty_bin q r d M (count_at_most a).
Proof. exact facts.EmptyBin.at_most_holds. Qed.
Theorem lemma_8_4_iii_met : image S (uniform 3) (count_at_most 2) <= empty_bin 2 1 3 S (count_at_most 2).
Proof. apply lemma_8_4_iii; try lia. intros u v H. lia. Qed.
