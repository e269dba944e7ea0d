(* Statements about numbers alone; those of anonymized-histograms come first. *)
From Coq Require Import Reals ZArith Lra Lia.
From DP.definitions Require Import Laws.
From DP.facts Require Formulas.
Open Scope R_scope.

(* Appendix A: a noisy total that is cut at 0 is no farther away. *)
Theorem cut_at_zero : forall n z : R, 0 <= n -> Rabs (Rmax (n + z) 0 - n) <= Rabs z.
Proof. exact facts.Formulas.cut_is_no_farther. Qed.
Theorem cut_at_zero_met : Rabs (Rmax (2 + -3) 0 - 2) <= Rabs (-3).
Proof. apply cut_at_zero. lra. Qed.
(* Equation 4, corrected: the inverse of a noisy total. *)
Theorem equation_4_corrected : forall n y : R, 1 <= n -> 1 <= y ->
  / y = / n + (n - y) / n ^ 2 + (n - y) ^ 2 / (n ^ 2 * y) /\ / y <= / n + (n - y) / n ^ 2 + (n - y) ^ 2 / n ^ 2.
Proof. exact facts.Formulas.inverse_expanded. Qed.
Theorem equation_4_corrected_met :
  / 3 = / 2 + (2 - 3) / 2 ^ 2 + (2 - 3) ^ 2 / (2 ^ 2 * 3) /\ / 3 <= / 2 + (2 - 3) / 2 ^ 2 + (2 - 3) ^ 2 / 2 ^ 2.
Proof. apply equation_4_corrected; lra. Qed.
(* Lemma 5: integers that are rounded from y are at most twice as far from integers x as y; any nearest integer will do. *)
Theorem lemma_5 : forall (n : nat) (x z : nat -> Z) (y : nat -> R),
  (forall i, (i < n)%nat -> forall k : Z, Rabs (y i - IZR (z i)) <= Rabs (y i - IZR k)) ->
  sum_below n (fun i => Rabs (IZR (x i) - IZR (z i))) <= 2 * sum_below n (fun i => Rabs (IZR (x i) - y i)).
Proof. exact facts.Formulas.rounding_holds. Qed.
Theorem lemma_5_met : sum_below 2 (fun i => Rabs (IZR 3 - IZR 1)) <= 2 * sum_below 2 (fun i => Rabs (IZR 3 - 1)).
Proof.
  apply (lemma_5 2 (fun _ => 3%Z) (fun _ => 1%Z) (fun _ => 1)). intros i _ k. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. apply Rabs_pos.
Qed.
(* Section 4.1: the l1 error of d counts by their l2 error. *)
Theorem l1_by_l2 : forall (n : nat) (a : nat -> R), (sum_below n (fun i => Rabs (a i))) ^ 2 <= INR n * sum_below n (fun i => a i ^ 2).
Proof. exact facts.Formulas.cauchy_holds. Qed.
Theorem l1_by_l2_met : (sum_below 2 (fun i => Rabs (INR i))) ^ 2 <= INR 2 * sum_below 2 (fun i => INR i ^ 2).
Proof. apply l1_by_l2. Qed.

(* finite-computers, Section 4.2, Formula 4. *)
Theorem success : forall g b : R, 0 <= g <= b -> b <= 1 -> 1 - b <= (1 - g) * (1 - (b - g)).
Proof. exact facts.Formulas.success_product. Qed.
Theorem success_met : 1 - / 2 <= (1 - / 4) * (1 - (/ 2 - / 4)).
Proof. apply success; lra. Qed.
(* finite-computers, Section 7, corrected: m is 2 a rounded up. *)
Theorem rows_of_one_label : forall (a : R) (n m : Z), 0 <= a -> 2 * a < IZR n -> IZR m - 1 < 2 * a <= IZR m ->
  (m <= n)%Z /\ IZR m <= 2 * a + 1.
Proof. exact facts.Formulas.ceiling_holds. Qed.
Theorem rows_of_one_label_met : (1 <= 1)%Z /\ IZR 1 <= 2 * / 4 + 1.
Proof. apply rows_of_one_label; lra. Qed.
(* finite-computers, Section 7: of two logarithms the greater is at least their mean. *)
Theorem greater_logarithm : forall u v : R, 0 < u -> 0 < v -> ln (u * v) / 2 <= Rmax (ln u) (ln v).
Proof. exact facts.Formulas.logarithm_mean. Qed.
Theorem greater_logarithm_met : ln (2 * 3) / 2 <= Rmax (ln 2) (ln 3).
Proof. apply greater_logarithm; lra. Qed.

(* sample-and-threshold, Section 3.3, corrected: the mean that makes the bound beta. *)
Theorem mean_for_beta : forall gamma beta mu : R, 0 < gamma -> 0 < beta ->
  2 * exp (- (gamma ^ 2 * mu / 3)) = beta <-> mu = 3 / gamma ^ 2 * ln (2 / beta).
Proof. exact facts.Formulas.mean_solved. Qed.
Theorem mean_for_beta_met : 2 * exp (- ((/ 2) ^ 2 * 7 / 3)) = / 3 <-> 7 = 3 / (/ 2) ^ 2 * ln (2 / (/ 3)).
Proof. apply mean_for_beta; lra. Qed.
(* sample-and-threshold, Section 4.2: what thresholds take from a range, for m = epsilon n/(L tau). *)
Theorem pruned : forall epsilon n levels beta tau m : R, 0 < epsilon -> 0 < n -> 0 < levels -> 0 < tau ->
  m = epsilon * n / (levels * tau) -> levels * (beta - 1) * tau / m = (beta - 1) * (levels * tau) ^ 2 / (epsilon * n).
Proof. exact facts.Formulas.pruned_error_holds. Qed.
Theorem pruned_met : 3 * (4 - 1) * 2 / 4 = (4 - 1) * (3 * 2) ^ 2 / (1 * 24).
Proof. apply pruned; lra. Qed.
(* sample-and-threshold, Appendix A: the derivative of x/(e^x - 1). *)
Theorem slope_of_factor : forall x : R, 0 < x ->
  derivable_pt_lim (fun t => t / (exp t - 1)) x (- (exp x * (x - 1) + 1) / (exp x - 1) ^ 2).
Proof. exact facts.Formulas.bernoulli_slope. Qed.
Theorem slope_of_factor_met : derivable_pt_lim (fun t => t / (exp t - 1)) 1 (- (exp 1 * (1 - 1) + 1) / (exp 1 - 1) ^ 2).
Proof. apply slope_of_factor. lra. Qed.
(* sample-and-threshold, Appendix A: its numerator is 0 at 0, -1 at 1, and has the derivative -x e^x. *)
Theorem slope_of_numerator : forall x : R, - (exp 0 * (0 - 1) + 1) = 0 /\ - (exp 1 * (1 - 1) + 1) = -1 /\
  derivable_pt_lim (fun t => - (exp t * (t - 1) + 1)) x (- x * exp x).
Proof. exact facts.Formulas.numerator_holds. Qed.
Theorem slope_of_numerator_met : - (exp 0 * (0 - 1) + 1) = 0 /\ - (exp 1 * (1 - 1) + 1) = -1 /\
  derivable_pt_lim (fun t => - (exp t * (t - 1) + 1)) 2 (- 2 * exp 2).
Proof. apply slope_of_numerator. Qed.

(* weighted-sampling, Equation 20: when (16) allows the next sampling rate r, everything sampled at the rate q being reported. *)
Theorem equation_20 : forall E d q r : R, 0 < q -> r <= E * q + d <-> (r - d) / q <= E.
Proof. exact facts.Formulas.report_condition. Qed.
Theorem equation_20_met : / 2 <= 2 * / 3 + / 4 <-> (/ 2 - / 4) / (/ 3) <= 2.
Proof. apply equation_20. lra. Qed.
(* weighted-sampling, Equation 22: when that ratio is above 1. *)
Theorem equation_22 : forall d q r : R, 0 < q -> 1 < (r - d) / q <-> d < r - q.
Proof. exact facts.Formulas.growth_condition. Qed.
Theorem equation_22_met : 1 < (/ 2 - / 4) / (/ 3) <-> / 4 < / 2 - / 3.
Proof. apply equation_22. lra. Qed.
(* weighted-sampling, Appendix A: the same for (17), and for the ratio of what is not reported. *)
Theorem silence_ratio : forall E d q r : R, r < 1 ->
  (1 - q <= E * (1 - r) + d <-> (1 - q - d) / (1 - r) <= E) /\ (1 < (1 - q - d) / (1 - r) <-> d < r - q).
Proof. exact facts.Formulas.silence_condition. Qed.
Theorem silence_ratio_met :
  (1 - / 3 <= 2 * (1 - / 2) + / 4 <-> (1 - / 3 - / 4) / (1 - / 2) <= 2) /\ (1 < (1 - / 3 - / 4) / (1 - / 2) <-> / 4 < / 2 - / 3).
Proof. apply silence_ratio. lra. Qed.

(* user-level-histograms, Appendix A.2: how a user's term of the error changes with the threshold. *)
Theorem user_slope : forall w e v c d : R, 0 <= w -> 0 <= e ->
  Rabs ((w * Rmax (v - c) 0 + e * c) - (w * Rmax (v - d) 0 + e * d)) <= Rmax w e * Rabs (c - d).
Proof. exact facts.Formulas.user_slope_holds. Qed.
Theorem user_slope_met : Rabs ((2 * Rmax (3 - 1) 0 + 1 * 1) - (2 * Rmax (3 - 4) 0 + 1 * 4)) <= Rmax 2 1 * Rabs (1 - 4).
Proof. apply user_slope; lra. Qed.
