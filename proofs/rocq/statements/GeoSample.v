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
