(* The error of a debiased clipped count, its bias, and its gap to the clipped count. *)
From Coq Require Import Reals Lra Lia.
From DP.definitions Require Import Laws Debiasing.
From DP.facts Require Import Laws.
Open Scope R_scope.

Lemma partial_le (f g : nat -> R) n : (forall i, f i <= g i) -> sum_f_R0 f n <= sum_f_R0 g n.
Proof. intros H. apply sum_Rle. intros i _. apply H. Qed.
Lemma partial_linear (a b c : R) (f g h : nat -> R) n : sum_f_R0 (fun i => a * f i + b * g i + c * h i) n = a * sum_f_R0 f n + b * sum_f_R0 g n + c * sum_f_R0 h n.
Proof. induction n as [|n IH]; cbn; [ring|]. rewrite IH. ring. Qed.
Lemma limit_ext f g l : (forall n, f n = g n) -> Un_cv f l -> Un_cv g l.
Proof. intros H F e He. destruct (F e He) as [N D]. exists N. intros n Hn. rewrite <- H. apply D; auto. Qed.
Lemma limit_linear (p Y : nat -> R) e q a b c : moments p Y e q ->
  Un_cv (sum_f_R0 (fun i => p i * (a * Y i ^ 2 + b * Y i + c))) (a * q + b * e + c * 1).
Proof.
  intros (_ & One & E & Q). apply (limit_ext (fun n => a * sum_f_R0 (fun i => p i * Y i ^ 2) n + b * sum_f_R0 (fun i => p i * Y i) n + c * sum_f_R0 p n)).
  - intros n. rewrite <- (partial_linear a b c (fun i => p i * Y i ^ 2) (fun i => p i * Y i) p). apply sum_eq. intros i _. ring.
  - apply (CV_plus (fun n => a * sum_f_R0 (fun i => p i * Y i ^ 2) n + b * sum_f_R0 (fun i => p i * Y i) n) (fun n => c * sum_f_R0 p n)); [|apply limit_scaled; auto].
    apply (CV_plus (fun n => a * sum_f_R0 (fun i => p i * Y i ^ 2) n) (fun n => b * sum_f_R0 (fun i => p i * Y i) n)); apply limit_scaled; auto.
Qed.
Lemma variance_not_negative p Y e q : moments p Y e q -> e ^ 2 <= q.
Proof.
  intros M. pose proof (limit_linear p Y e q 1 (- (2 * e)) (e ^ 2) M) as L. destruct M as (P & _).
  assert (0 <= 1 * q + - (2 * e) * e + e ^ 2 * 1); [|lra]. eapply limit_order; [| apply (limit_constant 0) | exact L]. intros n. cbn beta.
  apply cond_pos_sum. intros i. apply Rmult_le_pos; auto. replace (1 * Y i ^ 2 + - (2 * e) * Y i + e ^ 2) with ((Y i - e) ^ 2) by ring. apply pow2_ge_0.
Qed.
Section Estimate.
Variables (kappa top : R) (psi : R -> R) (p Y Z : nat -> R) (e q : R).
Hypothesis slope : 0 < kappa.
Hypothesis rises : rises_by kappa top psi.
Hypothesis inverse : inverts top psi Y Z.
Hypothesis law : moments p Y e q.
Lemma one_estimate x i : 0 <= x <= top -> (Z i - x) ^ 2 <= (/ kappa) ^ 2 * (Y i - psi x) ^ 2.
Proof.
  intros X. destruct rises as [Zero Up], (inverse i) as [B E]. pose proof (Up 0 x ltac:(lra) ltac:(lra)) as L. pose proof (Up x top ltac:(lra) ltac:(lra)) as T.
  assert (0 <= psi x <= psi top) by (assert (0 <= kappa * (x - 0)) by (apply Rmult_le_pos; lra); assert (0 <= kappa * (top - x)) by (apply Rmult_le_pos; lra); lra).
  assert (K : kappa * Rabs (Z i - x) <= Rabs (Y i - psi x)).
  { apply Rle_trans with (Rabs (psi (Z i) - psi x)).
    - destruct (Rle_dec x (Z i)).
      + pose proof (Up x (Z i) ltac:(lra) ltac:(lra)). rewrite (Rabs_pos_eq (Z i - x)) by lra. pose proof (Rle_abs (psi (Z i) - psi x)). lra.
      + pose proof (Up (Z i) x ltac:(lra) ltac:(lra)). rewrite (Rabs_left (Z i - x)) by lra. pose proof (Rle_abs (- (psi (Z i) - psi x))) as R. rewrite Rabs_Ropp in R. lra.
    - rewrite E. unfold Rmin, Rmax. destruct (Rle_dec (Y i) 0) as [H1|H1]; destruct (Rle_dec _ (psi top)) as [H2|H2]; unfold Rabs; repeat (destruct (Rcase_abs _)); lra. }
  rewrite <- Rpow_mult_distr. rewrite <- (pow2_abs (Z i - x)), <- (pow2_abs (/ kappa * (Y i - psi x))). apply pow_incr. split; [apply Rabs_pos|].
  rewrite Rabs_mult, (Rabs_pos_eq (/ kappa)) by (left; apply Rinv_0_lt_compat; auto). apply (Rmult_le_reg_l kappa); auto. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. exact K.
Qed.
Lemma error_holds x t : 0 <= x <= top -> mean_square p Z x t -> t <= (/ kappa) ^ 2 * ((q - e ^ 2) + (psi x - e) ^ 2).
Proof.
  intros X T. pose proof (limit_linear p Y e q ((/ kappa) ^ 2) (- (2 * psi x) * (/ kappa) ^ 2) ((/ kappa) ^ 2 * psi x ^ 2) law) as L.
  replace ((/ kappa) ^ 2 * ((q - e ^ 2) + (psi x - e) ^ 2)) with ((/ kappa) ^ 2 * q + - (2 * psi x) * (/ kappa) ^ 2 * e + (/ kappa) ^ 2 * psi x ^ 2 * 1) by ring.
  eapply limit_order; [| exact T | exact L]. intros n. apply partial_le. intros i. apply Rmult_le_compat_l; [apply law|].
  pose proof (one_estimate x i X). replace ((/ kappa) ^ 2 * Y i ^ 2 + - (2 * psi x) * (/ kappa) ^ 2 * Y i + (/ kappa) ^ 2 * psi x ^ 2) with ((/ kappa) ^ 2 * (Y i - psi x) ^ 2) by ring. auto.
Qed.
Lemma split_square u b s : 0 < s -> 0 < b -> (u - b) ^ 2 <= (1 + b / s) * u ^ 2 + (1 + s / b) * b ^ 2.
Proof.
  intros S B. assert (0 <= / (s * b) * (b * u + s * b) ^ 2) by (apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; nra | apply pow2_ge_0]).
  replace ((1 + b / s) * u ^ 2 + (1 + s / b) * b ^ 2) with ((u - b) ^ 2 + / (s * b) * (b * u + s * b) ^ 2) by (field; lra). lra.
Qed.
Lemma square_of_sum w b s t : 0 <= w <= top -> psi w = e -> 0 <= b -> 0 < s -> q - e ^ 2 <= kappa ^ 2 * s ^ 2 -> mean_square p Z (w + b) t -> t <= (b + s) ^ 2.
Proof.
  intros W E B S V T. pose proof (limit_linear p Y e q ((/ kappa) ^ 2) (- (2 * e) * (/ kappa) ^ 2) ((/ kappa) ^ 2 * e ^ 2) law) as L.
  assert (Q : (/ kappa) ^ 2 * q + - (2 * e) * (/ kappa) ^ 2 * e + (/ kappa) ^ 2 * e ^ 2 * 1 <= s ^ 2).
  { replace ((/ kappa) ^ 2 * q + - (2 * e) * (/ kappa) ^ 2 * e + (/ kappa) ^ 2 * e ^ 2 * 1) with ((/ kappa) ^ 2 * (q - e ^ 2)) by ring.
    replace (s ^ 2) with ((/ kappa) ^ 2 * (kappa ^ 2 * s ^ 2)) by (field; lra). apply Rmult_le_compat_l; auto. apply pow2_ge_0. }
  set (v := (/ kappa) ^ 2 * q + - (2 * e) * (/ kappa) ^ 2 * e + (/ kappa) ^ 2 * e ^ 2 * 1) in *.
  assert (Each : forall i, (Z i - w) ^ 2 <= (/ kappa) ^ 2 * Y i ^ 2 + - (2 * e) * (/ kappa) ^ 2 * Y i + (/ kappa) ^ 2 * e ^ 2).
  { intros i. pose proof (one_estimate w i W) as O. rewrite E in O. replace ((/ kappa) ^ 2 * Y i ^ 2 + - (2 * e) * (/ kappa) ^ 2 * Y i + (/ kappa) ^ 2 * e ^ 2) with ((/ kappa) ^ 2 * (Y i - e) ^ 2) by ring. auto. }
  destruct law as (P & One & _). destruct (Rle_lt_or_eq_dec 0 b B) as [Pos|<-].
  - pose proof (CV_plus _ _ _ _ (limit_scaled (1 + b / s) _ _ L) (limit_scaled ((1 + s / b) * b ^ 2) _ _ One)) as G.
    assert (K : t <= (1 + b / s) * v + (1 + s / b) * b ^ 2 * 1).
    { eapply limit_order; [| exact T | exact G]. intros n. cbn beta.
      apply Rle_trans with (sum_f_R0 (fun i => (1 + b / s) * (p i * ((/ kappa) ^ 2 * Y i ^ 2 + - (2 * e) * (/ kappa) ^ 2 * Y i + (/ kappa) ^ 2 * e ^ 2)) + 0 * p i + (1 + s / b) * b ^ 2 * p i) n).
      - apply partial_le. intros i. pose proof (split_square (Z i - w) b s S Pos) as A. replace (Z i - (w + b)) with (Z i - w - b) by ring. specialize (Each i). specialize (P i).
        assert (0 <= 1 + b / s) by (assert (0 < b / s) by (apply Rdiv_lt_0_compat; auto); lra).
        apply Rle_trans with (p i * ((1 + b / s) * (Z i - w) ^ 2 + (1 + s / b) * b ^ 2)); [apply Rmult_le_compat_l; auto|].
        apply (Rmult_le_compat_l (1 + b / s)) in Each; auto. apply (Rmult_le_compat_l (p i)) in Each; auto. lra.
      - rewrite partial_linear. lra. }
    assert ((1 + b / s) * v <= (1 + b / s) * s ^ 2) by (apply Rmult_le_compat_l; auto; assert (0 < b / s) by (apply Rdiv_lt_0_compat; auto); lra).
    replace ((b + s) ^ 2) with ((1 + b / s) * s ^ 2 + (1 + s / b) * b ^ 2 * 1) by (field; lra). lra.
  - rewrite Rplus_0_l. eapply Rle_trans; [|exact Q]. eapply limit_order; [| exact T | exact L]. intros n. apply partial_le. intros i. rewrite Rplus_0_r. apply Rmult_le_compat_l; auto.
Qed.
Lemma gap_of_errors x w r t s : 0 <= w <= top -> psi w = e -> w <= x -> 0 <= r -> q - e ^ 2 = kappa ^ 2 * r ^ 2 ->
  mean_square p Z x t -> mean_square p Y x s -> (x - e) ^ 2 - ((x - w) + r) ^ 2 <= s - t.
Proof.
  intros W E X HR V T S. assert (B : forall d, 0 < d -> t <= ((x - w) + (r + d)) ^ 2).
  { intros d D. apply (square_of_sum w); auto; try lra; [|replace (w + (x - w)) with x by ring; auto]. rewrite V. apply Rmult_le_compat_l; [apply pow2_ge_0 | apply pow_incr; lra]. }
  assert (G : t <= ((x - w) + r) ^ 2).
  { apply Rnot_lt_le. intros L. set (k := (x - w) + r) in *. set (d := Rmin 1 ((t - k ^ 2) / (2 * (2 * k + 1)))).
    assert (K : 0 <= k) by (unfold k; lra). assert (D : 0 < d) by (apply Rmin_glb_lt; [lra | apply Rdiv_lt_0_compat; lra]).
    pose proof (Rmin_l 1 ((t - k ^ 2) / (2 * (2 * k + 1)))) as D1. pose proof (Rmin_r 1 ((t - k ^ 2) / (2 * (2 * k + 1)))) as D2. fold d in D1, D2.
    apply (Rmult_le_compat_r (2 * (2 * k + 1))) in D2; [|lra]. unfold Rdiv in D2. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in D2 by lra.
    specialize (B d D). replace (x - w + (r + d)) with (k + d) in B by (unfold k; ring). nra. }
  pose proof (limit_linear p Y e q 1 (- (2 * x)) (x ^ 2) law) as L. assert (Q : s = 1 * q + - (2 * x) * e + x ^ 2 * 1).
  { eapply UL_sequence; [exact S|]. eapply limit_ext; [|exact L]. intros n. apply sum_eq. intros i _. ring. }
  pose proof (variance_not_negative p Y e q law). rewrite Q. nra.
Qed.
End Estimate.
Lemma bias_holds M top psi m (rates : nat -> R) slope : (0 < m)%nat -> (forall i, 0 <= rates i <= top) -> below_tangent M top psi (mean_below m rates) slope ->
  0 <= psi (mean_below m rates) - mean_below m (fun i => psi (rates i)) <= mean_below m (fun i => (rates i - mean_below m rates) ^ 2) / 2 * M.
Proof.
  intros P B T. assert (N : 0 < INR m) by (apply lt_0_INR; auto). set (x := mean_below m rates) in *.
  assert (Sum : sum_below m (fun i => rates i - x) = 0).
  { rewrite (sum_ext _ _ (fun i => rates i + - x * 1)), sum_plus, sum_scale, sum_constant by (intros; ring). unfold x, mean_below. field. lra. }
  assert (Low : INR m * psi x - M / 2 * sum_below m (fun i => (rates i - x) ^ 2) <= sum_below m (fun i => psi (rates i)) <= INR m * psi x).
  { split.
    - apply Rle_trans with (sum_below m (fun i => (psi x + slope * (rates i - x)) + - (M / 2) * (rates i - x) ^ 2)); [|apply sum_le; intros i _; specialize (T (rates i) (B i)); lra].
      rewrite sum_plus, sum_plus, !sum_scale, Sum, sum_constant. lra.
    - apply Rle_trans with (sum_below m (fun i => psi x + slope * (rates i - x))); [apply sum_le; intros i _; apply T, B|]. rewrite sum_plus, sum_scale, Sum, sum_constant. lra. }
  unfold mean_below. assert (I : 0 < / INR m) by (apply Rinv_0_lt_compat; auto). fold x. split.
  - apply (Rmult_le_reg_r (INR m)); auto. replace ((psi x - sum_below m (fun i => psi (rates i)) / INR m) * INR m) with (INR m * psi x - sum_below m (fun i => psi (rates i))) by (field; lra). lra.
  - apply (Rmult_le_reg_r (INR m)); auto. replace ((psi x - sum_below m (fun i => psi (rates i)) / INR m) * INR m) with (INR m * psi x - sum_below m (fun i => psi (rates i))) by (field; lra).
    replace (sum_below m (fun i => (rates i - x) ^ 2) / INR m / 2 * M * INR m) with (M / 2 * sum_below m (fun i => (rates i - x) ^ 2)) by (field; lra). lra.
Qed.

(* An example: y is 1, and psi the identity. *)
Definition one_point (i : nat) : R := match i with O => 1 | S _ => 0 end.
Lemma point_sums (f : nat -> R) : Un_cv (sum_f_R0 (fun i => one_point i * f i)) (f 0%nat).
Proof.
  apply (limit_ext (fun _ => f 0%nat)); [|apply limit_constant]. induction n as [|n IH]; cbn; [ring|]. rewrite <- IH. ring.
Qed.
Lemma point_moments : moments one_point (fun _ => 1) 1 (1 ^ 2).
Proof.
  split; [intros [|i]; cbn; lra|]. split; [|split; [exact (point_sums (fun _ => 1)) | exact (point_sums (fun _ => 1 ^ 2))]].
  apply (limit_ext (sum_f_R0 (fun i => one_point i * 1))); [intros n; apply sum_eq; intros; ring | exact (point_sums (fun _ => 1))].
Qed.
Lemma point_error x : mean_square one_point (fun _ => 1) x ((1 - x) ^ 2).
Proof. exact (point_sums (fun _ => (1 - x) ^ 2)). Qed.
Lemma line_rises : rises_by 1 2 (fun u => u).
Proof. split; [reflexivity | intros; lra]. Qed.
Lemma line_inverts : inverts 2 (fun u => u) (fun _ => 1) (fun _ => 1).
Proof. intros i. split; [lra|]. rewrite Rmax_left, Rmin_left by lra. reflexivity. Qed.
