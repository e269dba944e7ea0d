(* Weighted sampling: the ratios of ppswor, Lemma 4.4, and estimates from samples. *)
From Coq Require Import Reals Lra Lia List.
From DP.definitions Require Import Laws Keys Estimates.
From DP.facts Require Import Laws Keys.
Import ListNotations.
Open Scope R_scope.

Lemma quotient_grows E d x y : 1 < E -> 0 <= d <= 1 -> 0 <= x <= y -> 0 < by_silence E d x ->
  by_report E d x / by_silence E d x <= by_report E d y / by_silence E d y.
Proof.
  intros HE D X P. unfold by_report. assert (S : by_silence E d y = by_silence E d x + (y - x) / E) by (unfold by_silence; field; lra).
  assert (G : 0 <= (y - x) / E) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra]). set (g := (y - x) / E) in *.
  assert (Y : y = x + E * g) by (unfold g; field; lra). set (z := by_silence E d x) in *. rewrite S.
  assert (Z : E * z = E + x + d - 1) by (unfold z, by_silence; field; lra).
  apply (Rmult_le_reg_r (z * (z + g))); [nra|].
  replace ((E * x + d) / z * (z * (z + g))) with ((E * x + d) * (z + g)) by (field; lra).
  replace ((E * y + d) / (z + g) * (z * (z + g))) with ((E * y + d) * z) by (field; lra). rewrite Y.
  assert (0 <= g * (E * (E * z) - (E * x + d))); [|nra]. apply Rmult_le_pos; auto. rewrite Z. nra.
Qed.

(* ppswor. *)
Section Ppswor.
Variable r : R.
Hypothesis base : 0 < r < 1.
Lemma power_range i : 0 < r ^ i <= 1.
Proof. split; [apply pow_lt; lra|]. rewrite <- (pow1 i). apply pow_incr. lra. Qed.
Lemma power_below i : (1 <= i)%nat -> 0 < r ^ i < 1.
Proof. intros I. destruct i as [|i]; [lia|]. destruct (power_range i). cbn. split; nra. Qed.
Lemma ppswor_rises : rising (ppswor r).
Proof. intros i. destruct (power_range i). unfold ppswor. cbn. split; [split|]; nra. Qed.
Lemma growth_falls d i : 0 <= d -> (1 <= i)%nat -> d <= ppswor r (S i) - ppswor r i ->
  (ppswor r (S (S i)) - d) / ppswor r (S i) <= (ppswor r (S i) - d) / ppswor r i.
Proof.
  intros D I. unfold ppswor. cbn [pow]. destruct (power_below i I) as [P One]. set (s := r ^ i) in *. intros G.
  assert (r * s < 1) by nra. apply (Rmult_le_reg_r ((1 - r * s) * (1 - s))); [apply Rmult_lt_0_compat; lra|].
  replace ((1 - r * (r * s) - d) / (1 - r * s) * ((1 - r * s) * (1 - s))) with ((1 - r * (r * s) - d) * (1 - s)) by (field; lra).
  replace ((1 - r * s - d) / (1 - s) * ((1 - r * s) * (1 - s))) with ((1 - r * s - d) * (1 - r * s)) by (field; lra).
  assert (0 <= s * ((1 - r) * (1 - r - d))); [|lra]. apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; nra.
Qed.
Lemma silence_falls d i : 0 <= d -> (1 - ppswor r (S i) - d) / (1 - ppswor r (S (S i))) <= (1 - ppswor r i - d) / (1 - ppswor r (S i)).
Proof.
  intros D. unfold ppswor. cbn [pow]. destruct (power_range i) as [P _]. set (s := r ^ i) in *.
  replace (1 - (1 - r * (r * s))) with (r * (r * s)) by ring. replace (1 - (1 - r * s)) with (r * s) by ring.
  replace ((r * s - d) / (r * (r * s))) with (/ r - d / (r * s) * / r) by (field; lra).
  replace ((1 - (1 - s) - d) / (r * s)) with (/ r - d / (r * s)) by (field; lra).
  assert (0 <= d / (r * s)) by (apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; nra]).
  assert (1 <= / r) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra). nra.
Qed.
(* Where a sampling rate is at most (16) and (17) of the one before, so is every later one. *)
Lemma stays_below E d i : 1 <= E -> 0 <= d -> let q := ppswor r in
  q (S i) <= by_report E d (q i) -> q (S i) <= by_silence E d (q i) ->
  q (S (S i)) <= by_report E d (q (S i)) /\ q (S (S i)) <= by_silence E d (q (S i)).
Proof.
  intros HE D q. unfold q, by_report, by_silence, ppswor. cbn [pow]. destruct (power_range i) as [P _]. set (s := r ^ i) in *. intros A B.
  assert (C : - (r * s) <= (1 - s + d - 1) / E) by lra. apply below_quotient in C; auto.
  split; [nra|]. enough (- (r * (r * s)) <= (1 - r * s + d - 1) / E) by lra. apply below_quotient; auto.
  assert (r * (E * - (r * s)) <= r * (1 - s + d - 1)) by (apply Rmult_le_compat_l; lra). nra.
Qed.
Section Reports.
Variables E d : R.
Hypothesis ratio : 1 <= E.
Hypothesis delta : 0 <= d <= 1.
Let q := ppswor r.
Let x := reporting E d q.
Let free := reporting E d everything.
Lemma reported_below i : x i <= q i /\ 0 <= x i.
Proof. destruct (reporting_in_sample E d q ratio delta ppswor_rises i) as [G H]. unfold x. lra. Qed.
Lemma bounds_at i : x (S i) = q (S i) -> q (S i) <= by_report E d (q i) /\ q (S i) <= by_silence E d (q i).
Proof.
  intros H. destruct (reported_below i) as [Q _]. pose proof (at_most_times_more E d q i) as A.
  pose proof (others_at_most_times_more E d q ratio i) as B. fold x in A, B. rewrite H in A, B.
  unfold by_report, by_silence. split; [nra|]. enough (q (S i) - 1 <= (q i + d - 1) / E) by lra. apply below_quotient; auto. lra.
Qed.
Lemma sampling_binds_on i k : x (S i) = q (S i) -> x (S (i + k)) = q (S (i + k)).
Proof.
  intros H. induction k as [|k IH]; [rewrite Nat.add_0_r; exact H|]. rewrite Nat.add_succ_r. destruct (bounds_at _ IH) as [A B].
  destruct (stays_below E d (i + k) ratio (proj1 delta) A B) as [A' B']. fold q in A', B'.
  unfold x in *. cbn [reporting]. cbn [reporting] in IH. rewrite IH. apply Rmin_left. apply Rmin_glb; assumption.
Qed.
Lemma free_until s i : (forall j, (j < s)%nat -> free j <= q j) -> (i < s)%nat -> x i = free i.
Proof.
  intros H. induction i as [|i IH]; intros I; [reflexivity|]. specialize (IH ltac:(lia)). pose proof (H (S i) I) as Q.
  unfold x, free in *. cbn [reporting] in *. rewrite IH. set (m := Rmin (E * reporting E d everything i + d) _) in *.
  assert (q (S i) <= 1) by (destruct (ppswor_rises (S i)); unfold q; lra). unfold everything in *. unfold Rmin in *.
  destruct (Rle_dec 1 m), (Rle_dec (q (S i)) m); lra.
Qed.
Lemma one_switch s : (forall i, (i < s)%nat -> free i <= q i) ->
  (forall i, (i < s)%nat -> x i = free i) /\ (q s < free s -> forall i, (s <= i)%nat -> x i = q i).
Proof.
  intros H. split; [intros i I; apply (free_until s); auto|]. intros L i I. destruct s as [|s]; [unfold q, ppswor, free in L; cbn in L; lra|].
  replace i with (S (s + (i - S s))) by lia. apply sampling_binds_on.
  pose proof (free_until (S s) s H ltac:(lia)) as Z. unfold x, free in *. cbn [reporting] in *. rewrite Z. apply Rmin_left.
  set (m := Rmin (E * reporting E d everything s + d) _) in *. pose proof (Rmin_r (everything (S s)) m). lra.
Qed.
End Reports.
End Ppswor.

(* Estimates by inverse probabilities. *)
Lemma inverse_holds w q : 0 < q -> estimate w q (fun x => x) = w /\ estimate w q (fun x => (x - w) ^ 2) = w ^ 2 * (/ q - 1).
Proof. intros Q. unfold estimate, mix, ret. split; field; lra. Qed.
Lemma estimate_finite w q : 0 < q <= 1 -> finite (estimate w q).
Proof. intros Q. apply mix_finite; auto using ret_finite. lra. Qed.
Lemma estimate_sure w q c : 0 < q <= 1 -> estimate w q (fun _ => c) = c.
Proof. intros Q. unfold estimate, mix, ret. ring. Qed.
Lemma estimates_finite keys : Forall sampling keys -> finite (estimates keys).
Proof.
  unfold estimates. induction 1 as [|key keys K F IH]; cbn; [apply ret_finite|]. apply bind_finite; [apply estimate_finite, K|].
  intros x. apply image_finite. exact IH.
Qed.
Lemma estimate_square w q a : 0 < q -> estimate w q (fun x => (a + (x - w)) ^ 2) = a ^ 2 + w ^ 2 * (/ q - 1).
Proof. intros Q. unfold estimate, mix, ret. field. lra. Qed.
Lemma sum_next x l : sum_of (x :: l) = x + sum_of l.
Proof. reflexivity. Qed.
Lemma estimates_mean keys a : Forall sampling keys -> estimates keys (fun l => a + sum_of l) = a + sum_of (map fst keys).
Proof.
  intros F. revert a. induction F as [|key keys K F IH]; intros a; [reflexivity|]. unfold estimates. cbn [map every]. unfold bind, image.
  rewrite (agree _ _ (fun x => x + (a + sum_of (map fst keys))) (estimate_finite _ _ K)).
  - rewrite (sums _ (estimate_finite _ _ K)). destruct (inverse_holds (fst key) (snd key) (proj1 K)) as [M _]. rewrite M.
    rewrite (estimate_sure _ _ _ K), sum_next. ring.
  - intros x. transitivity (estimates keys (fun l => a + x + sum_of l)); [|rewrite IH; ring].
    apply (agree (estimates keys) _ _ (estimates_finite keys F)). intros l. rewrite !sum_next. ring.
Qed.
Lemma estimates_square keys a : Forall sampling keys ->
  estimates keys (fun l => (a + (sum_of l - sum_of (map fst keys))) ^ 2) = a ^ 2 + sum_of (map variance_of keys).
Proof.
  intros F. revert a. induction F as [|key keys K F IH]; intros a; [unfold estimates, every, ret; cbn; ring|].
  unfold estimates. cbn [map every]. unfold bind, image.
  rewrite (agree _ _ (fun x => (a + (x - fst key)) ^ 2 + sum_of (map variance_of keys)) (estimate_finite _ _ K)).
  - rewrite (sums _ (estimate_finite _ _ K)), estimate_square by apply K.
    rewrite (estimate_sure _ _ _ K), sum_next. unfold variance_of at 2. ring.
  - intros x. rewrite <- IH. apply (agree (estimates keys) _ _ (estimates_finite keys F)). intros l. rewrite !sum_next. ring.
Qed.
Lemma estimates_hold keys : Forall sampling keys -> estimates keys sum_of = sum_of (map fst keys) /\
  estimates keys (fun l => (sum_of l - sum_of (map fst keys)) ^ 2) = sum_of (map variance_of keys).
Proof.
  intros F. assert (G := estimates_finite keys F). split.
  - rewrite (agree _ sum_of (fun l => 0 + sum_of l) G) by (intros; ring). rewrite estimates_mean by auto. ring.
  - rewrite (agree _ _ (fun l => (0 + (sum_of l - sum_of (map fst keys))) ^ 2) G) by (intros; ring). rewrite estimates_square by auto. ring.
Qed.

(* Frequency 1 without sampling: values a i, reported with w i. *)
Lemma first_is_delta E d : 1 <= E -> 0 <= d <= 1 -> reporting E d everything 1 = d.
Proof.
  intros HE D. cbn [reporting]. unfold everything. rewrite Rmult_0_r, Rplus_0_l, Rmin_right.
  - apply Rmin_left. enough (d - 1 <= (0 + d - 1) / E) by lra. apply below_quotient; auto. nra.
  - apply Rle_trans with d; [apply Rmin_l | lra].
Qed.
Lemma weighted_squares n (w a : nat -> R) b : sum_below n (fun i => w i * (a i - 1) ^ 2) =
  sum_below n (fun i => w i * (a i - 1 - b) ^ 2) + 2 * b * (sum_below n (fun i => w i * a i) - sum_below n w) - b ^ 2 * sum_below n w.
Proof. induction n as [|n IH]; cbn [sum_below]; [ring|]. rewrite IH. ring. Qed.
Lemma first_holds E d n (w a : nat -> R) : 1 <= E -> 0 < d <= 1 -> (forall i, (i < n)%nat -> 0 <= w i) ->
  sum_below n w = reporting E d everything 1 -> sum_below n (fun i => w i * a i) = 1 ->
  sum_below n (fun i => w i * a i) / sum_below n w = / d /\
  / d - 1 <= sum_below n (fun i => w i * (a i - 1) ^ 2) + (1 - d) * (0 - 1) ^ 2 /\
  ((forall i, a i = / d) -> sum_below n (fun i => w i * (a i - 1) ^ 2) + (1 - d) * (0 - 1) ^ 2 = / d - 1).
Proof.
  intros HE D W S M. rewrite first_is_delta in S by (auto; lra). split; [rewrite M, S; field; lra|].
  rewrite (weighted_squares n w a (/ d - 1)), M, S. set (rest := sum_below n (fun i => w i * (a i - 1 - (/ d - 1)) ^ 2)).
  replace (rest + 2 * (/ d - 1) * (1 - d) - (/ d - 1) ^ 2 * d + (1 - d) * (0 - 1) ^ 2) with (rest + (/ d - 1)) by (field; lra). split.
  - assert (0 <= rest); [|lra]. apply sum_not_negative. intros i I. apply Rmult_le_pos; [apply W, I | apply pow2_ge_0].
  - intros A. assert (rest = 0); [|lra]. unfold rest. clear rest M S W. induction n as [|n IH]; cbn [sum_below]; [reflexivity|]. rewrite IH, A. ring.
Qed.
Lemma without_privacy epsilon i : 0 <= epsilon -> reporting (exp epsilon) 1 everything (S i) = 1 /\ 1 - exp (- (epsilon * INR i)) / 2 < 1.
Proof.
  intros P. pose proof (exp_ineq1_le epsilon) as L. pose proof (exp_pos (- (epsilon * INR i))). split; [|lra].
  assert (R0 : rising everything) by (intros j; unfold everything; lra).
  destruct (reporting_in_sample (exp epsilon) 1 everything ltac:(lra) ltac:(lra) R0 i) as [G _]. cbn [reporting].
  set (y := reporting (exp epsilon) 1 everything i) in *. unfold everything. apply Rmin_left, Rmin_glb; [nra|].
  enough (0 <= (y + 1 - 1) / exp epsilon) by lra. apply below_quotient; lra.
Qed.
