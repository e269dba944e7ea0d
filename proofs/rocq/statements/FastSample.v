(* finite-computers, Section 4: FastSample as a program, its privacy, and how far noisy counts are off. *)
From Coq Require Import Reals ZArith List Lra Lia.
From DP.definitions Require Import Laws Programs GeoSample EmptyBin Histograms FastSample.
From DP.facts Require Laws.
From DP.facts Require CutNoise.
From DP.facts Require FastSample.
Import ListNotations.
Open Scope R_scope.

(* Section 4.1, Formula 5: the mass of the noise up to the distance a, for r = e^(1/s). *)
Theorem noise_within : forall (r : R) (a : nat), 1 < r ->
  noise (/ r) 0 + 2 * sum_below a (fun j => noise (/ r) (S j)) = 1 - 2 / r ^ a / (r + 1).
Proof. exact facts.FastSample.noise_up_to. Qed.
Theorem noise_within_met : noise (/ 2) 0 + 2 * sum_below 3 (fun j => noise (/ 2) (S j)) = 1 - 2 / 2 ^ 3 / (2 + 1).
Proof. apply noise_within. lra. Qed.
(* Section 4.2, Formula 1: the mass beyond the distance t. *)
Theorem noise_past_cut : forall (r : R) (t : nat), 1 < r ->
  Un_cv (fun m => sum_below m (fun j => 2 * noise (/ r) (S t + j))) (2 / r ^ t / (r + 1)).
Proof. exact facts.FastSample.noise_past. Qed.
Theorem noise_past_cut_met : Un_cv (fun m => sum_below m (fun j => 2 * noise (/ 2) (4 + j))) (2 / 2 ^ 3 / (2 + 1)).
Proof. apply noise_past_cut. lra. Qed.
(* That mass is moved to the count, and no event changes by more. *)
Theorem cut_is_near : forall (alpha : R) (n t c : nat), 0 < alpha < 1 -> (1 <= n)%nat -> (c <= n)%nat ->
  dp_both 1 (2 * alpha ^ S t / (1 + alpha)) (cut_off alpha t n c) (noisy alpha n c).
Proof. exact facts.FastSample.moved_holds. Qed.
Theorem cut_is_near_met : dp_both 1 (2 * (/ 2) ^ 3 / (1 + / 2)) (cut_off (/ 2) 2 4 1) (noisy (/ 2) 4 1).
Proof. apply cut_is_near; lra || lia. Qed.

(* Algorithm 4.11, step 2: F'(z)/d' is the distribution function of the cut noise. *)
Theorem short_is_distribution : forall (a b : Z) (n t c z : nat), (0 < b < a)%Z -> (c <= n)%nat -> (z <= n)%nat ->
  IZR (short_cumulative a b n t c z) / IZR (short_denominator a b t) = cut_off (IZR b / IZR a) t n c (count_at_most z).
Proof. exact facts.FastSample.short_distribution. Qed.
Theorem short_is_distribution_met : IZR (short_cumulative 3 2 4 2 1 3) / IZR (short_denominator 3 2 2) = cut_off (2 / 3) 2 4 1 (count_at_most 3).
Proof. apply short_is_distribution; lia. Qed.
(* Step 3: F(z)/d is that of the program. *)
Theorem mixed_is_distribution : forall (n k t : nat) (g : Z) (c z : nat), (1 <= g)%Z -> (c <= n)%nat -> (z <= n)%nat ->
  IZR (mixed_cumulative (power 2 k + 1) (power 2 k) n t g c z) / IZR (mixed_denominator (power 2 k + 1) (power 2 k) n t g) =
  run (fastsample n k t g c) (count_at_most z).
Proof. exact facts.FastSample.distribution_holds. Qed.
Theorem mixed_is_distribution_met : IZR (mixed_cumulative 3 2 4 2 5 1 3) / IZR (mixed_denominator 3 2 4 2 5) = run (fastsample 4 1 2 5 1) (count_at_most 3).
Proof. apply (mixed_is_distribution 4 1); lia. Qed.
(* Lemma 4.12 and Section 4.2, Formula 8: the program, by a binary search over one draw, mixes a uniform count, with
   probability gamma = 1/g, with the cut noise, at e^(-e~/2) = 1/(1 + 2^-k). *)
Theorem lemma_4_12 : forall (n k t : nat) (g : Z) (c : nat) (u : nat -> R), (1 <= g)%Z -> (c <= n)%nat ->
  run (fastsample n k t g c) u = mix (/ IZR g) (uniform (S n)) (cut_off (/ (1 + / 2 ^ k)) t n c) u.
Proof. exact facts.CutNoise.fastsample_law_holds. Qed.
Theorem lemma_4_12_met : run (fastsample 4 1 2 5 1) INR = mix (/ 5) (uniform 5) (cut_off (/ (1 + / 2 ^ 1)) 2 4 1) INR.
Proof. apply lemma_4_12; lia. Qed.

(* Theorem 4.10 i: k is ceil (log2 (2/epsilon)); L is at least log2 (8 (n + 1)(1 - gamma)/(epsilon gamma)), and the cut-off t at
   least 9 L/(2 epsilon) - 1. *)
Theorem theorem_4_10_i : forall (n k t : nat) (g : Z) (L : nat) (epsilon : R), (1 <= n)%nat -> (2 <= g)%Z -> 0 < epsilon <= 1 ->
  2 / epsilon <= 2 ^ k -> 2 ^ k < 4 / epsilon -> 8 * INR (S n) * (1 - / IZR g) <= 2 ^ L * (epsilon * / IZR g) ->
  9 * INR L <= 2 * epsilon * INR (S t) -> private (exp (epsilon / 2)) 0 (at_most n) differ_by_one (fun c => run (fastsample n k t g c)).
Proof. exact facts.FastSample.theorem_4_10_i_holds. Qed.
Theorem theorem_4_10_i_met : private (exp (1 / 2)) 0 (at_most 1) differ_by_one (fun c => run (fastsample 1 1 17 2 c)).
Proof. apply (theorem_4_10_i 1 1 17 2 4 1); try lia; cbn; lra. Qed.

(* Theorem 4.6 ii: the clamped geometric count. *)
Theorem theorem_4_6_ii : forall (n c a : nat) (epsilon beta : R), (1 <= n)%nat -> (c <= n)%nat -> 0 < epsilon -> 0 < beta ->
  2 / epsilon * ln (/ beta) <= INR a -> noisy (exp (- (epsilon / 2))) n c (off_by_more a c) <= beta.
Proof. exact facts.FastSample.theorem_4_6_ii_holds. Qed.
Theorem theorem_4_6_ii_met : noisy (exp (- (1 / 2))) 4 1 (off_by_more 0 1) <= 1.
Proof. apply theorem_4_6_ii; try lra; try lia. rewrite Rinv_1, ln_1, Rmult_0_r. cbn. lra. Qed.
(* Theorem 4.7 ii: GeoSample, for e = 2 ln (1 + 2^-k). *)
Theorem theorem_4_7_ii : forall (n k c a : nat) (beta : R), (1 <= n)%nat -> (c <= n)%nat -> 0 < beta ->
  ln (/ beta) / ln (1 + / 2 ^ k) <= INR a -> run (geosample n k c) (off_by_more a c) <= beta.
Proof. exact facts.FastSample.theorem_4_7_ii_holds. Qed.
Theorem theorem_4_7_ii_met : run (geosample 4 1 2) (off_by_more 0 2) <= 1.
Proof. apply theorem_4_7_ii; try lra; try lia. rewrite Rinv_1, ln_1. cbn. lra. Qed.
(* Theorem 4.10 ii: FastSample, at any cut-off. *)
Theorem theorem_4_10_ii : forall (n k t : nat) (g : Z) (c a : nat) (beta : R), (1 <= n)%nat -> (1 <= g)%Z -> (c <= n)%nat ->
  / IZR g < beta -> ln (/ (beta - / IZR g)) / ln (1 + / 2 ^ k) <= INR a -> run (fastsample n k t g c) (off_by_more a c) <= beta.
Proof. exact facts.FastSample.theorem_4_10_ii_holds. Qed.
Theorem theorem_4_10_ii_met : run (fastsample 4 1 2 2 1) (off_by_more 0 1) <= 3 / 2.
Proof. apply theorem_4_10_ii; try lra; try lia. replace (3 / 2 - / 2) with 1 by lra. rewrite Rinv_1, ln_1. cbn. lra. Qed.
(* Theorem 5.2, that no smaller epsilon will do: a histogram of GeoSample needs the square of its ratio. *)
Theorem theorem_5_2_tight : forall (n k : nat) (rest : list nat) (E : R), (1 <= n)%nat -> Forall (fun c => (c <= n)%nat) rest ->
  dp E 0 (basic (fun c => run (geosample n k c)) (0 :: 1 :: rest)%nat) (basic (fun c => run (geosample n k c)) (1 :: 0 :: rest)%nat) ->
  (1 + / 2 ^ k) ^ 2 <= E.
Proof. exact facts.FastSample.histogram_tight. Qed.
Theorem theorem_5_2_tight_met : (1 + / 2 ^ 1) ^ 2 <= (1 + / 2 ^ 1) * (1 + / 2 ^ 1).
Proof. apply (theorem_5_2_tight 4 1 [2%nat]); [lia | repeat constructor; lia |]. apply facts.FastSample.histogram_private. Qed.
