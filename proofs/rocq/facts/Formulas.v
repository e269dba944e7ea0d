(* Inequalities of anonymized-histograms that speak of numbers alone. *)
From Coq Require Import Reals ZArith Lra Lia.
From DP.definitions Require Import Laws.
From DP.facts Require Import Laws.
Open Scope R_scope.

Lemma cut_is_no_farther n z : 0 <= n -> Rabs (Rmax (n + z) 0 - n) <= Rabs z.
Proof.
  intros N. unfold Rmax. destruct (Rle_dec (n + z) 0) as [H|H].
  - rewrite Rminus_0_l, Rabs_Ropp, Rabs_pos_eq by auto. rewrite Rabs_left1; lra.
  - replace (n + z - n) with z by ring. lra.
Qed.
Lemma inverse_expanded n y : 1 <= n -> 1 <= y ->
  / y = / n + (n - y) / n ^ 2 + (n - y) ^ 2 / (n ^ 2 * y) /\ / y <= / n + (n - y) / n ^ 2 + (n - y) ^ 2 / n ^ 2.
Proof.
  intros N Y. assert (E : / y = / n + (n - y) / n ^ 2 + (n - y) ^ 2 / (n ^ 2 * y)) by (field; lra). split; auto. rewrite E.
  apply Rplus_le_compat_l. unfold Rdiv. apply Rmult_le_compat_l; [apply pow2_ge_0|]. apply Rinv_le_contravar; nra.
Qed.
Lemma nearest_is_twice x y z : (forall k : Z, Rabs (y - IZR z) <= Rabs (y - IZR k)) -> Rabs (IZR x - IZR z) <= 2 * Rabs (IZR x - y).
Proof.
  intros H. specialize (H x). pose proof (Rabs_triang (IZR x - y) (y - IZR z)) as T.
  replace (IZR x - y + (y - IZR z)) with (IZR x - IZR z) in T by ring. rewrite (Rabs_minus_sym y (IZR x)) in H. lra.
Qed.
Lemma rounding_holds n (x z : nat -> Z) (y : nat -> R) :
  (forall i, (i < n)%nat -> forall k : Z, Rabs (y i - IZR (z i)) <= Rabs (y i - IZR k)) ->
  sum_below n (fun i => Rabs (IZR (x i) - IZR (z i))) <= 2 * sum_below n (fun i => Rabs (IZR (x i) - y i)).
Proof. intros H. rewrite <- sum_scale. apply sum_le. intros i I. apply nearest_is_twice. intros k. apply H. exact I. Qed.
Lemma cauchy_holds n (a : nat -> R) :
  (sum_below n (fun i => Rabs (a i))) ^ 2 <= INR n * sum_below n (fun i => a i ^ 2).
Proof.
  induction n as [|n IH]; [cbn; lra|]. rewrite S_INR. cbn [sum_below]. set (s := sum_below n (fun i => Rabs (a i))) in *.
  set (q := sum_below n (fun i => a i ^ 2)) in *. assert (Q : 0 <= q) by (apply sum_not_negative; intros; apply pow2_ge_0).
  assert (S : 0 <= s) by (apply sum_not_negative; intros; apply Rabs_pos). pose proof (Rabs_pos (a n)) as P. pose proof (pos_INR n).
  rewrite <- (pow2_abs (a n)). set (b := Rabs (a n)) in *. assert (2 * s * b <= q + INR n * b ^ 2); [|nra].
  destruct (Req_dec (INR n) 0) as [Z|Z]; [rewrite Z in *; assert (s = 0) by nra; subst s; nra|].
  assert (0 < INR n) by lra. apply (Rmult_le_reg_l (INR n)); auto. pose proof (pow2_ge_0 (s - INR n * b)). nra.
Qed.

(* finite-computers. *)
Lemma success_product g b : 0 <= g <= b -> b <= 1 -> 1 - b <= (1 - g) * (1 - (b - g)).
Proof. intros. nra. Qed.
Lemma ceiling_holds a n m : 0 <= a -> 2 * a < IZR n -> IZR m - 1 < 2 * a <= IZR m -> (m <= n)%Z /\ IZR m <= 2 * a + 1.
Proof. intros A N M. split; [|lra]. apply Z.lt_succ_r, lt_IZR. rewrite succ_IZR. lra. Qed.
Lemma logarithm_mean u v : 0 < u -> 0 < v -> ln (u * v) / 2 <= Rmax (ln u) (ln v).
Proof. intros U V. rewrite ln_mult by auto. pose proof (Rmax_l (ln u) (ln v)). pose proof (Rmax_r (ln u) (ln v)). lra. Qed.

(* sample-and-threshold. *)
Lemma mean_solved gamma beta mu : 0 < gamma -> 0 < beta -> 2 * exp (- (gamma ^ 2 * mu / 3)) = beta <-> mu = 3 / gamma ^ 2 * ln (2 / beta).
Proof.
  intros G B. assert (P : 0 < gamma ^ 2) by (apply pow_lt; auto). split; intros H.
  - assert (L : ln (2 / beta) = gamma ^ 2 * mu / 3).
    { rewrite <- H. replace (2 / (2 * exp (- (gamma ^ 2 * mu / 3)))) with (/ exp (- (gamma ^ 2 * mu / 3))) by (field; apply Rgt_not_eq, exp_pos).
      rewrite <- exp_Ropp, ln_exp. ring. }
    rewrite L. field. lra.
  - rewrite H. replace (- (gamma ^ 2 * (3 / gamma ^ 2 * ln (2 / beta)) / 3)) with (- ln (2 / beta)) by (field; lra).
    rewrite exp_Ropp, exp_ln by (apply Rdiv_lt_0_compat; lra). field. lra.
Qed.
Lemma pruned_error_holds epsilon n levels beta tau m : 0 < epsilon -> 0 < n -> 0 < levels -> 0 < tau ->
  m = epsilon * n / (levels * tau) -> levels * (beta - 1) * tau / m = (beta - 1) * (levels * tau) ^ 2 / (epsilon * n).
Proof. intros. subst m. field. repeat split; lra. Qed.
Lemma exp_minus_one_positive x : 0 < x -> 0 < exp x - 1.
Proof. intros H. pose proof (exp_ineq1 x ltac:(lra)). lra. Qed.
Lemma bernoulli_slope x : 0 < x ->
  derivable_pt_lim (fun t => t / (exp t - 1)) x (- (exp x * (x - 1) + 1) / (exp x - 1) ^ 2).
Proof.
  intros H. pose proof (exp_minus_one_positive x H) as P.
  replace (- (exp x * (x - 1) + 1) / (exp x - 1) ^ 2) with ((1 * (exp x - 1) - (exp x - 0) * x) / Rsqr (exp x - 1)) by (unfold Rsqr; field; lra).
  apply (derivable_pt_lim_div id (fun t => exp t - 1)); [apply derivable_pt_lim_id | | lra].
  apply (derivable_pt_lim_minus exp (fct_cte 1)); [apply derivable_pt_lim_exp | apply derivable_pt_lim_const].
Qed.
Lemma numerator_slope x : derivable_pt_lim (fun t => - (exp t * (t - 1) + 1)) x (- x * exp x).
Proof.
  replace (- x * exp x) with (- (exp x * (x - 1) + exp x * (1 - 0) + 0)) by ring.
  apply (derivable_pt_lim_opp (fun t => exp t * (t - 1) + 1)).
  apply (derivable_pt_lim_plus (fun t => exp t * (t - 1)) (fct_cte 1)); [|apply derivable_pt_lim_const].
  apply (derivable_pt_lim_mult exp (fun t => t - 1)); [apply derivable_pt_lim_exp|].
  apply (derivable_pt_lim_minus id (fct_cte 1)); [apply derivable_pt_lim_id | apply derivable_pt_lim_const].
Qed.
Lemma numerator_holds x : - (exp 0 * (0 - 1) + 1) = 0 /\ - (exp 1 * (1 - 1) + 1) = -1 /\
  derivable_pt_lim (fun t => - (exp t * (t - 1) + 1)) x (- x * exp x).
Proof. rewrite exp_0. repeat split; try ring. apply numerator_slope. Qed.

(* weighted-sampling: what the constraints are where everything sampled was reported. *)
Lemma report_condition E d q r : 0 < q -> r <= E * q + d <-> (r - d) / q <= E.
Proof.
  intros Q. split; intros H.
  - apply (Rmult_le_reg_r q); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - apply (Rmult_le_compat_r q) in H; [|lra]. unfold Rdiv in H. rewrite Rmult_assoc, Rinv_l in H; lra.
Qed.
Lemma growth_condition d q r : 0 < q -> 1 < (r - d) / q <-> d < r - q.
Proof.
  intros Q. split; intros H.
  - apply (Rmult_lt_compat_r q) in H; auto. unfold Rdiv in H. rewrite Rmult_assoc, Rinv_l in H; lra.
  - apply (Rmult_lt_reg_r q); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Lemma silence_condition E d q r : r < 1 ->
  (1 - q <= E * (1 - r) + d <-> (1 - q - d) / (1 - r) <= E) /\ (1 < (1 - q - d) / (1 - r) <-> d < r - q).
Proof.
  intros R1. pose proof (report_condition E d (1 - r) (1 - q) ltac:(lra)). pose proof (growth_condition d (1 - r) (1 - q) ltac:(lra)) as G.
  split; [exact H|]. rewrite G. split; intros; lra.
Qed.

(* user-level-histograms: a user's share of the error, as the threshold moves. *)
Lemma user_slope_holds w e v c c' : 0 <= w -> 0 <= e ->
  Rabs ((w * Rmax (v - c) 0 + e * c) - (w * Rmax (v - c') 0 + e * c')) <= Rmax w e * Rabs (c - c').
Proof.
  intros W E. assert (Way : forall a b, a <= b -> Rabs ((w * Rmax (v - a) 0 + e * a) - (w * Rmax (v - b) 0 + e * b)) <= Rmax w e * Rabs (a - b)).
  { intros a b H. assert (D : 0 <= Rmax (v - a) 0 - Rmax (v - b) 0 <= b - a) by (unfold Rmax; destruct (Rle_dec (v - a) 0), (Rle_dec (v - b) 0); lra).
    set (x := Rmax (v - a) 0) in *. set (y := Rmax (v - b) 0) in *. rewrite (Rabs_left1 (a - b)) by lra.
    pose proof (Rmax_l w e). pose proof (Rmax_r w e). set (m := Rmax w e) in *.
    assert (0 <= w * (x - y) <= m * (b - a)) by (split; [apply Rmult_le_pos; lra|]; apply Rle_trans with (w * (b - a)); [apply Rmult_le_compat_l | apply Rmult_le_compat_r]; lra).
    assert (0 <= e * (b - a) <= m * (b - a)) by (split; [apply Rmult_le_pos; lra | apply Rmult_le_compat_r; lra]).
    apply Rabs_le. lra. }
  destruct (Rle_dec c c') as [L|L]; [apply Way; auto|]. rewrite Rabs_minus_sym, (Rabs_minus_sym c). apply Way. lra.
Qed.
