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
