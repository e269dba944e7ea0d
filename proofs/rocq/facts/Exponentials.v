(* finite-computers: inequalities in exponentials and logarithms, from the first terms of their series. *)
From Coq Require Import Reals Lra Lia.
From DP.definitions Require Import Laws.
From DP.facts Require Import Sampling Decision.
Open Scope R_scope.

(* ln (1 + t) lies between 2 t/(2 + t) and t: tanh y is at most y. *)
Lemma sinh_has_sign t : 0 <= t * sinh t.
Proof.
  unfold sinh. destruct (Rle_dec 0 t) as [P|N].
  - pose proof (below_sinh t P). apply Rmult_le_pos; lra.
  - pose proof (below_sinh (- t) ltac:(lra)) as H. rewrite Ropp_involutive in H.
    replace (t * ((exp t - exp (- t)) / 2)) with ((- t) * ((exp (- t) - exp t) / 2)) by field. apply Rmult_le_pos; lra.
Qed.
Lemma sinh_below_cosh y : 0 <= y -> sinh y <= y * cosh y.
Proof.
  intros H. set (f := fun t => t * cosh t - sinh t). assert (D : derivable f) by (intros t; unfold f; reg).
  assert (I : increasing f).
  { apply (nonneg_derivative_1 f D). intros t. rewrite (derive_pt_eq_0 f t (1 * cosh t + t * sinh t - cosh t)).
    - pose proof (sinh_has_sign t). lra.
    - apply (derivable_pt_lim_minus (fun t => t * cosh t) sinh); [|apply derivable_pt_lim_sinh].
      apply (derivable_pt_lim_mult id cosh); [apply derivable_pt_lim_id | apply derivable_pt_lim_cosh]. }
  specialize (I 0 y H). unfold f in I. rewrite sinh_0 in I. lra.
Qed.
Lemma ln_at_most t : 0 < t -> ln (1 + t) <= t.
Proof. intros T. rewrite <- (ln_exp t) at 2. apply Rlt_le, ln_increasing; [lra|]. apply exp_ineq1. lra. Qed.
Lemma ln_at_least t : 0 < t -> 2 * t <= ln (1 + t) * (2 + t).
Proof.
  intros T. set (y := ln (1 + t) / 2). assert (L : 0 < ln (1 + t)) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (E : exp y * exp y = 1 + t) by (rewrite <- exp_plus; replace (y + y) with (ln (1 + t)) by (unfold y; field); apply exp_ln; lra).
  pose proof (sinh_below_cosh y ltac:(unfold y; lra)) as S. unfold sinh, cosh in S. pose proof (exp_pos y) as P.
  assert (I : exp y * exp (- y) = 1) by (rewrite <- exp_plus; replace (y + - y) with 0 by ring; apply exp_0).
  apply (Rmult_le_compat_l (2 * exp y)) in S; [|lra].
  replace (2 * exp y * ((exp y - exp (- y)) / 2)) with (exp y * exp y - exp y * exp (- y)) in S by field.
  replace (2 * exp y * (y * ((exp y + exp (- y)) / 2))) with (y * (exp y * exp y + exp y * exp (- y))) in S by field.
  rewrite E, I in S. unfold y in S. lra.
Qed.
Lemma range_holds epsilon k : 0 < epsilon <= 1 -> 2 / epsilon <= 2 ^ k -> 2 ^ k < 4 / epsilon ->
  4 / 9 * epsilon < 2 * ln (1 + / 2 ^ k) <= epsilon.
Proof.
  intros [E One] Low High. assert (P : 0 < 2 ^ k) by (apply pow_lt; lra). set (t := / 2 ^ k).
  assert (T : 0 < t) by (apply Rinv_0_lt_compat; auto).
  assert (At : t * 2 ^ k = 1) by (unfold t; field; lra).
  assert (U : 2 * t <= epsilon).
  { apply (Rmult_le_compat_r (epsilon * t)) in Low; [|apply Rmult_le_pos; lra].
    replace (2 / epsilon * (epsilon * t)) with (2 * t) in Low by (field; lra). nra. }
  assert (V : epsilon < 4 * t).
  { apply (Rmult_lt_compat_r (epsilon * t)) in High; [|apply Rmult_lt_0_compat; lra].
    replace (4 / epsilon * (epsilon * t)) with (4 * t) in High by (field; lra). nra. }
  pose proof (ln_at_most t T). pose proof (ln_at_least t T). set (l := ln (1 + t)) in *. split; [nra | lra].
Qed.

(* The gap of randomized response. *)
Lemma gap_holds epsilon : 0 < epsilon <= 2 -> epsilon / 6 <= (exp (epsilon / 2) - 1) / (exp (epsilon / 2) + 1).
Proof.
  intros E. pose proof (exp_ineq1_le (epsilon / 2)) as H. set (r := exp (epsilon / 2)) in *.
  apply (Rmult_le_reg_r (r + 1)); [lra|]. unfold Rdiv at 2. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.

(* n!/(n + 1)^n is at least 3^-n: from n to n + 1 it is divided by (1 + 1/(n + 1))^(n + 1), which is at most 3. *)
Lemma power_of_step m j : (1 <= m)%nat -> (j <= m)%nat -> (1 + / INR m) ^ j <= 1 + INR j / INR m + (INR j / INR m) ^ 2.
Proof.
  intros M. assert (P : 1 <= INR m) by (apply (le_INR 1); lia). set (x := / INR m).
  assert (X : 0 < x) by (apply Rinv_0_lt_compat; lra). assert (At : x * INR m = 1) by (unfold x; field; lra).
  induction j as [|j IH]; intros J; [cbn; unfold Rdiv; lra|]. specialize (IH ltac:(lia)). rewrite S_INR. unfold Rdiv in *. fold x in IH |- *.
  assert (Q : INR j + 1 <= INR m) by (rewrite <- S_INR; apply le_INR; lia). pose proof (pos_INR j) as N. set (a := INR j) in *.
  change ((1 + x) ^ S j) with ((1 + x) * (1 + x) ^ j). apply Rle_trans with ((1 + x) * (1 + a * x + (a * x) ^ 2)).
  - apply Rmult_le_compat_l; lra.
  - assert (a * x <= 1) by (apply Rle_trans with ((INR m) * x); [apply Rmult_le_compat_r|]; lra).
    assert (0 <= a * x) by (apply Rmult_le_pos; lra).
    replace (1 + (a + 1) * x + ((a + 1) * x) ^ 2) with ((1 + x) * (1 + a * x + (a * x) ^ 2) + x * (a * x + x - (a * x) ^ 2)) by ring.
    assert (0 <= x * (a * x + x - (a * x) ^ 2)); [|lra]. apply Rmult_le_pos; nra.
Qed.
Lemma factorial_holds n : / 3 ^ n <= INR (fact n) / INR (S n) ^ n.
Proof.
  induction n as [|n IH]; [cbn; lra|]. pose proof (power_of_step (S n) (S n) ltac:(lia) ltac:(lia)) as W.
  assert (P : 0 < INR (S n)) by (apply lt_0_INR; lia). unfold Rdiv in W. rewrite Rinv_r in W by lra.
  assert (Q : 0 < INR (S (S n))) by (apply lt_0_INR; lia).
  assert (E : 1 + / INR (S n) = INR (S (S n)) / INR (S n)) by (rewrite (S_INR (S n)); field; lra). rewrite E in W.
  set (w := (INR (S (S n)) / INR (S n)) ^ S n) in *. assert (0 < w) by (apply pow_lt, Rdiv_lt_0_compat; lra).
  replace (INR (fact (S n)) / INR (S (S n)) ^ S n) with (INR (fact n) / INR (S n) ^ n / w).
  - change (3 ^ S n) with (3 * 3 ^ n). assert (0 < 3 ^ n) by (apply pow_lt; lra).
    replace (/ (3 * 3 ^ n)) with (/ 3 ^ n * / 3) by (field; lra). unfold Rdiv at 1.
    apply Rmult_le_compat; auto; try (left; apply Rinv_0_lt_compat; lra). apply Rinv_le_contravar; lra.
  - unfold w, Rdiv. rewrite Rpow_mult_distr, pow_inv. change (fact (S n)) with (S n * fact n)%nat. rewrite mult_INR.
    change (INR (S n) ^ S n) with (INR (S n) * INR (S n) ^ n). assert (0 < INR (S n) ^ n) by (apply pow_lt; lra).
    assert (0 < INR (S (S n)) ^ S n) by (apply pow_lt; lra). field. lra.
Qed.

(* 1 - x is at least e^(-2 x) up to 3/4. *)
Lemma narrow_holds x : 0 <= x <= 3 / 4 -> 1 + x <= exp x /\ exp (- (2 * x)) <= 1 - x.
Proof.
  intros X. split; [apply exp_ineq1_le|]. pose proof (exp_from_below_holds (2 * x) 3 ltac:(lra)) as H. cbn in H.
  rewrite exp_Ropp. pose proof (exp_pos (2 * x)) as P. set (f := exp (2 * x)) in *.
  apply (Rmult_le_reg_r f); auto. rewrite Rinv_l by lra.
  assert (1 + 2 * x + 2 * (x * x) + 4 / 3 * (x * x * x) <= f) by lra.
  assert (0 <= x * x <= 9 / 16) by nra. assert (0 <= x * (x * x) <= 27 / 64) by nra.
  assert (0 <= x * (1 - 2 / 3 * (x * x) - 4 / 3 * (x * (x * x)))) by (apply Rmult_le_pos; lra).
  assert (1 <= (1 - x) * (1 + 2 * x + 2 * (x * x) + 4 / 3 * (x * x * x))) by lra.
  assert ((1 - x) * (1 + 2 * x + 2 * (x * x) + 4 / 3 * (x * x * x)) <= (1 - x) * f) by (apply Rmult_le_compat_l; lra). lra.
Qed.
