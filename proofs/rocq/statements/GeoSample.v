(* finite-computers, Section 4.1: GeoSample as a program. *)
From Coq Require Import Reals ZArith Lra Lia.
From DP.definitions Require Import Laws Programs GeoSample.
From DP.facts Require GeoSample.
Open Scope R_scope.

(* Algorithm 4.8 and Lemma 4.9: the binary search over one draw has the closed-form law, for every n, ratio and count. *)
Theorem algorithm_4_8 : forall (a b : Z) (n : nat), (0 < b < a)%Z -> (1 <= n)%nat -> forall (c : nat) (u : nat -> R), (c <= n)%nat ->
  run (release a b n c) u = closed a b n c u.
Proof. exact facts.GeoSample.release_is_closed. Qed.
Theorem algorithm_4_8_met : run (release 3 2 4 1) INR = closed 3 2 4 1 INR.
Proof. apply algorithm_4_8; lia. Qed.
(* The integers of step 2 are a distribution function: each is the sum of the weights up to it, the last one all. *)
Theorem lemma_4_9 : forall (a b : Z) (n : nat), (0 < b < a)%Z -> (1 <= n)%nat -> forall c z : nat, (c <= n)%nat -> (z <= n)%nat ->
  IZR (cumulative a b n c z) = sum_below (S z) (fun y => IZR (weight a b n c y)).
Proof. exact facts.GeoSample.cumulative_holds. Qed.
Theorem lemma_4_9_met : IZR (cumulative 3 2 4 1 2) = sum_below 3 (fun y => IZR (weight 3 2 4 1 y)).
Proof. apply lemma_4_9; lia. Qed.

(* Theorem 4.7 i, exactly: ln(1 + 2^-k), for counts that differ by one, and the program ends. *)
Theorem geosample_private : forall n k : nat, (1 <= n)%nat ->
  private (1 + / 2 ^ k) 0 (at_most n) differ_by_one (fun c => run (geosample n k c)).
Proof. exact facts.GeoSample.geosample_exact. Qed.
Theorem geosample_private_met : private (1 + / 2 ^ 1) 0 (at_most 4) differ_by_one (fun c => run (geosample 4 1 c)).
Proof. apply geosample_private. lia. Qed.
(* As the theorem says it: epsilon/2 for every k with 2^k at least 2/epsilon. *)
Theorem theorem_4_7_i : forall (n k : nat) (epsilon : R), (1 <= n)%nat -> 0 < epsilon -> 2 / epsilon <= 2 ^ k ->
  private (exp (epsilon / 2)) 0 (at_most n) differ_by_one (fun c => run (geosample n k c)).
Proof. exact facts.GeoSample.theorem_4_7_i_holds. Qed.
Theorem theorem_4_7_i_met : private (exp (1 / 2)) 0 (at_most 4) differ_by_one (fun c => run (geosample 4 1 c)).
Proof. apply theorem_4_7_i; [lia | lra | cbn; lra]. Qed.
(* No smaller ratio will do, for the counts 0 and 1. *)
Theorem geosample_tight : forall (n k : nat) (E : R), (1 <= n)%nat ->
  dp E 0 (run (geosample n k 0)) (run (geosample n k 1)) -> 1 + / 2 ^ k <= E.
Proof. exact facts.GeoSample.geosample_tight_holds. Qed.
Theorem geosample_tight_met : 1 + / 2 ^ 1 <= 1 + / 2 ^ 1.
Proof. apply (geosample_tight 4 1); [lia|]. apply (geosample_private 4 1); unfold at_most, differ_by_one; lia. Qed.

(* Any two counts that follow each other are as close, at every epsilon and delta, as 0 and 1 where there are no others. *)
Theorem two_counts : forall (n k c : nat) (E d : R), (S c <= n)%nat ->
  dp_both E d (run (geosample n k c)) (run (geosample n k (S c))) <-> dp_both E d (run (geosample 1 k 0)) (run (geosample 1 k 1)).
Proof. exact facts.GeoSample.two_counts_hold. Qed.
Theorem two_counts_met : dp_both 1 (/ 4) (run (geosample 4 1 2)) (run (geosample 4 1 3)) <-> dp_both 1 (/ 4) (run (geosample 1 1 0)) (run (geosample 1 1 1)).
Proof. apply two_counts. lia. Qed.

(* Theorem 4.6 i: the clamped geometric count, for every n and real epsilon. *)
Theorem theorem_4_6_i : forall (n : nat) (epsilon : R), (1 <= n)%nat -> 0 < epsilon ->
  private (exp (epsilon / 2)) 0 (at_most n) differ_by_one (noisy (exp (- (epsilon / 2))) n).
Proof. exact facts.GeoSample.theorem_4_6_i_holds. Qed.
Theorem theorem_4_6_i_met : private (exp (1 / 2)) 0 (at_most 4) differ_by_one (noisy (exp (- (1 / 2))) 4).
Proof. apply theorem_4_6_i; [lia | lra]. Qed.
(* No smaller ratio will do, for the counts 0 and 1. *)
Theorem theorem_4_6_tight : forall (n : nat) (alpha E : R), (1 <= n)%nat -> 0 < alpha < 1 ->
  dp E 0 (noisy alpha n 0) (noisy alpha n 1) -> / alpha <= E.
Proof. exact facts.GeoSample.theorem_4_6_tight_holds. Qed.
Theorem theorem_4_6_tight_met : / (/ 2) <= / (/ 2).
Proof. apply (theorem_4_6_tight 4); [lia | lra |]. apply (facts.GeoSample.noisy_private (/ 2) 4); unfold at_most, differ_by_one; lia || lra. Qed.
(* That law is the count with two-sided geometric noise, clamped: an end has all the noise that lies beyond it. *)
Theorem clamped : forall (alpha : R) (n c z : nat), 0 <= alpha < 1 -> (c <= n)%nat -> (z <= n)%nat ->
  ((0 < z < n)%nat -> chance alpha n c z = noise alpha (distance c z)) /\
  ((z = 0 \/ z = n)%nat -> Un_cv (fun m => sum_below m (fun j => noise alpha (distance c z + j))) (chance alpha n c z)).
Proof. exact facts.GeoSample.clamped_holds. Qed.
Theorem clamped_met : ((0 < 2 < 4)%nat -> chance (/ 2) 4 1 2 = noise (/ 2) (distance 1 2)) /\
  ((2 = 0 \/ 2 = 4)%nat -> Un_cv (fun m => sum_below m (fun j => noise (/ 2) (distance 1 2 + j))) (chance (/ 2) 4 1 2)).
Proof. apply clamped; lia || lra. Qed.
(* GeoSample, as a program, has that law at alpha = 1/(1 + 2^-k): Theorem 4.7's scale 2/e for e = 2 ln(1 + 2^-k). *)
Theorem geosample_is_noisy : forall (n k c : nat) (u : nat -> R), (1 <= n)%nat -> (c <= n)%nat ->
  run (geosample n k c) u = noisy (/ (1 + / 2 ^ k)) n c u.
Proof. exact facts.GeoSample.geosample_noise. Qed.
Theorem geosample_is_noisy_met : run (geosample 4 1 2) INR = noisy (/ (1 + / 2 ^ 1)) 4 2 INR.
Proof. apply geosample_is_noisy; lia. Qed.
(* The integers of step 2 of Algorithm 4.8, over the denominator: weights are these chances at alpha = b/a. *)
Theorem weights_are_chances : forall (a b : Z) (n c z : nat), (0 < b < a)%Z -> (1 <= n)%nat -> (c <= n)%nat -> (z <= n)%nat ->
  IZR (weight a b n c z) / IZR (denominator a b n) = chance (IZR b / IZR a) n c z.
Proof. exact facts.GeoSample.weight_is_chance. Qed.
Theorem weights_are_chances_met : IZR (weight 3 2 4 1 2) / IZR (denominator 3 2 4) = chance (2 / 3) 4 1 2.
Proof. apply weights_are_chances; lia. Qed.
