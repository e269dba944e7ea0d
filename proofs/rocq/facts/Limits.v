(* Measures that grow have a measure for their limit; two-sided geometric noise is one. *)
From Coq Require Import Reals Lra Lia ZArith List.
From DP.definitions Require Import Laws GeoSample Clipping.
From DP.facts Require Import Laws GeoSample Clipping.
Import ListNotations.
Open Scope R_scope.

Section Growing.
Context {A : Type}.
Variable part : nat -> law A.
Hypothesis parts : forall n, measure (part n).
Hypothesis growing : forall n u, event u -> part n u <= part (S n) u.
Definition between (u : A -> R) (x : A) : R := Rmax 0 (Rmin 1 (u x)).
Lemma between_event u : event (between u).
Proof. intros x. unfold between. split; [apply Rmax_l|]. apply Rmax_lub; [lra | apply Rmin_l]. Qed.
Lemma between_same u : event u -> forall x, between u x = u x.
Proof. intros U x. specialize (U x). unfold between. rewrite Rmin_right, Rmax_right by lra. reflexivity. Qed.
Lemma parts_grow u : Un_growing (fun n => part n (between u)).
Proof. intros n. apply growing, between_event. Qed.
Lemma parts_bounded u : has_ub (fun n => part n (between u)).
Proof. exists 1. intros y [n ->]. apply (within (part n)); auto using between_event. Qed.
Definition limit_law : law A := fun u => proj1_sig (growing_cv _ (parts_grow u) (parts_bounded u)).
Lemma tends u : event u -> Un_cv (fun n => part n u) (limit_law u).
Proof.
  intros U. unfold limit_law. destruct (growing_cv _ _ _) as [l L]. cbn. intros e He. destruct (L e He) as [N D]. exists N. intros n Hn.
  rewrite (same (part n) u (between u)); auto using between_event. intros x. rewrite between_same; auto.
Qed.
Lemma part_below n u : event u -> part n u <= limit_law u.
Proof. intros U. apply (growing_ineq (fun n => part n u)); [intros m; apply growing; auto | apply tends; auto]. Qed.
Lemma limit_order f g x y : (forall n, f n <= g n) -> Un_cv f x -> Un_cv g y -> x <= y.
Proof.
  intros H F G. apply Rnot_lt_le. intros B. assert (E : 0 < (x - y) / 2) by lra. destruct (F _ E) as [N D], (G _ E) as [M D'].
  specialize (D (N + M)%nat ltac:(lia)). specialize (D' (N + M)%nat ltac:(lia)). specialize (H (N + M)%nat). apply Rabs_def2 in D. apply Rabs_def2 in D'. lra.
Qed.
Lemma limit_grows u v : event u -> event v -> (forall x, u x <= v x) -> limit_law u <= limit_law v.
Proof. intros U V H. eapply limit_order; [| apply tends; auto | apply tends; auto]. intros n. apply (monotone _ (parts n)); auto. Qed.
Lemma limit_is_measure : measure limit_law.
Proof.
  split.
  - intros u v U V W. eapply UL_sequence; [apply tends; auto|]. intros e He.
    destruct (CV_plus _ _ _ _ (tends u U) (tends v V) e He) as [N D]. exists N. intros n Hn. rewrite (additive _ (parts n)) by auto. apply D; auto.
  - intros c u C U. assert (W : event (fun x => c * u x)) by (apply scaled_is_event; auto). eapply UL_sequence; [apply tends; auto|]. intros e He.
    destruct (limit_scaled c _ _ (tends u U) e He) as [N D]. exists N. intros n Hn. rewrite (scaled _ (parts n)) by auto. apply D; auto.
  - intros u v U V H. apply limit_grows; auto.
  - eapply limit_order; [| apply tends; apply one_is_event | apply (limit_constant 1)]. intros n. apply (mass _ (parts n)).
  - intros u v U V Up L e He. destruct (tends v V (e / 2) ltac:(lra)) as [N D]. specialize (D N (le_n N)). apply Rabs_def2 in D.
    destruct (continuous _ (parts N) u v U V Up L (e / 2) ltac:(lra)) as [M D']. exists M. intros n Hn. specialize (D' n Hn). apply Rabs_def2 in D'.
    assert (B : forall k x, u n x <= u (k + n)%nat x) by (induction k; intros x; cbn; [lra | eapply Rle_trans; [apply IHk | apply Up]]).
    assert (Below : forall x, u n x <= v x).
    { intros x. apply Rnot_lt_le. intros F. destruct (L x (u n x - v x) ltac:(lra)) as [K Q]. specialize (Q (K + n)%nat ltac:(lia)). apply Rabs_def2 in Q. specialize (B K x). lra. }
    pose proof (limit_grows (u n) v (U n) V Below). pose proof (part_below N (u n) (U n)). apply Rabs_def1; lra.
Qed.
End Growing.

Section Noise.
Variable alpha : R.
Hypothesis ratio : 0 < alpha < 1.
Lemma up_to_next c m u : up_to alpha c (S m) u = up_to alpha c m u + noise alpha (S m) * (u (c - Z.of_nat (S m))%Z + u (c + Z.of_nat (S m))%Z).
Proof.
  unfold up_to. replace (2 * S m + 1)%nat with (S (S (2 * m + 1))) by lia. rewrite sum_shift. cbn [sum_below].
  rewrite (sum_ext (2 * m + 1) _ (fun i => noise alpha (distance m i) * u (c - Z.of_nat m + Z.of_nat i)%Z)).
  - replace (distance (S m) 0) with (S m) by (unfold distance; lia). replace (distance (S m) (S (2 * m + 1))) with (S m) by (unfold distance; lia).
    replace (c - Z.of_nat (S m) + Z.of_nat 0)%Z with (c - Z.of_nat (S m))%Z by lia. replace (c - Z.of_nat (S m) + Z.of_nat (S (2 * m + 1)))%Z with (c + Z.of_nat (S m))%Z by lia. ring.
  - intros i _. replace (distance (S m) (S i)) with (distance m i) by (unfold distance; lia). f_equal. f_equal. lia.
Qed.
Lemma up_to_all c m : up_to alpha c m (fun _ => 1) = 1 - 2 * alpha * alpha ^ m / (1 + alpha).
Proof. induction m as [|m IH]; [unfold up_to, noise; cbn; field; lra|]. rewrite up_to_next, IH. unfold noise. cbn [pow]. field. lra. Qed.
Lemma up_to_measure c m : measure (up_to alpha c m).
Proof.
  apply (finite_is_measure (fun u => up_to alpha c m u)). assert (B : up_to alpha c m (fun _ => 1) <= 1).
  { rewrite up_to_all. assert (0 < alpha ^ m) by (apply pow_lt; lra). assert (0 <= 2 * alpha * alpha ^ m / (1 + alpha)); [|lra].
    unfold Rdiv. apply Rmult_le_pos; [nra | left; apply Rinv_0_lt_compat; lra]. }
  split; auto; unfold up_to; intros.
  - rewrite <- sum_plus. apply sum_ext. intros; ring.
  - rewrite <- sum_scale. apply sum_ext. intros; ring.
  - apply sum_le. intros i _. apply Rmult_le_compat_l; auto. apply noise_not_negative; auto.
  - apply (sum_limit (2 * m + 1) (fun k i => noise alpha (distance m i) * u k (c - Z.of_nat m + Z.of_nat i)%Z) (fun i => noise alpha (distance m i) * v (c - Z.of_nat m + Z.of_nat i)%Z)).
    intros i. apply limit_scaled. auto.
Qed.
Lemma up_to_grows c m u : event u -> up_to alpha c m u <= up_to alpha c (S m) u.
Proof.
  intros U. rewrite up_to_next. pose proof (noise_not_negative alpha ratio (S m)). pose proof (U (c - Z.of_nat (S m))%Z). pose proof (U (c + Z.of_nat (S m))%Z). nra.
Qed.
Definition noise_at (c : Z) : law Z := limit_law (up_to alpha c) (up_to_measure c) (up_to_grows c).
Lemma noise_at_holds : geometric_noise alpha noise_at.
Proof. intros c. split; [apply limit_is_measure | intros u U; apply tends; auto]. Qed.
Lemma noise_at_total P : geometric_noise alpha P -> forall c, total (P c).
Proof.
  intros H c. destruct (H c) as [_ T]. eapply UL_sequence; [apply T, one_is_event|]. intros e He.
  assert (L : Un_cv (fun m => 1 + - (2 * alpha / (1 + alpha)) * alpha ^ m) (1 + - (2 * alpha / (1 + alpha)) * 0)).
  { apply (CV_plus (fun _ => 1) (fun m => - (2 * alpha / (1 + alpha)) * alpha ^ m)); [apply limit_constant | apply limit_scaled, powers_vanish; lra]. }
  destruct (L e He) as [N D]. exists N. intros n Hn. specialize (D n Hn). rewrite up_to_all. rewrite Rmult_0_r, Rplus_0_r in D.
  replace (1 - 2 * alpha * alpha ^ n / (1 + alpha)) with (1 + - (2 * alpha / (1 + alpha)) * alpha ^ n) by (field; lra). exact D.
Qed.
End Noise.

(* The theorems for ratios r above 1. *)
Lemma inverse_ratio r : 1 < r -> 0 < / r < 1.
Proof. intros H. split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_lt_contravar; lra]. Qed.
Lemma noise_private r P : 1 < r -> geometric_noise (/ r) P -> private r 0 (fun _ => True) (fun c e => e = c + 1 \/ c = e + 1)%Z P.
Proof.
  intros H G. assert (A := inverse_ratio r H). split; [intros c _; split; [apply G | apply (noise_at_total (/ r)); auto]|].
  intros c e _ _ N. destruct N as [-> | ->].
  - pose proof (geometric_step (/ r) P A G c) as S. rewrite Rinv_inv in S. exact S.
  - pose proof (geometric_step (/ r) P A G e) as [S T]. rewrite Rinv_inv in S, T. split; auto.
Qed.
Lemma mapped_sums_private {B : Type} (f : list Z -> B) r P m K : 1 < r -> geometric_noise (/ r) P -> 0 <= K ->
  private (r ^ Z.to_nat (units m K)) 0 (Forall counted) one_user (fun users => image f (noisy_sums P m (summed (clipped norm_1 m K) users))).
Proof.
  intros H G HK. assert (A := inverse_ratio r H). pose proof (clamped_sums_private (/ r) P A G f m K HK (noise_at_total (/ r) A P G)) as S.
  rewrite Rinv_inv in S. exact S.
Qed.
Lemma some_noise : geometric_noise (/ 2) (noise_at (/ 2) (inverse_ratio 2 ltac:(lra))).
Proof. apply noise_at_holds. Qed.
