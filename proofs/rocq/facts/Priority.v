(* Private weighted sampling, Lemma A.3 for priority sampling: powers grow by less and less, or square by square. *)
From Coq Require Import Reals Arith Lra Lia.
From DP.definitions Require Import Laws Keys Priority.
From DP.facts Require Import Laws.
From DP.facts Require Import Keys.
Open Scope R_scope.

Lemma ln_tangent z : 0 < z -> ln z <= z - 1.
Proof. intros H. pose proof (exp_ineq1_le (ln z)) as X. rewrite exp_ln in X by auto. lra. Qed.
(* Bernoulli's inequality, both ways. *)
Lemma power_at_most_tangent u p : -1 < u -> 0 <= p <= 1 -> Rpower (1 + u) p <= 1 + p * u.
Proof.
  intros U P. set (w := 1 + p * u). assert (W : 0 < w).
  { unfold w. destruct (Rle_lt_dec p (/ 2)); [nra|]. assert (0 < p * (1 + u)) by (apply Rmult_lt_0_compat; lra). lra. } assert (I : 0 < / w) by (apply Rinv_0_lt_compat; auto).
  pose proof (ln_tangent ((1 + u) * / w) ltac:(apply Rmult_lt_0_compat; lra)) as A. pose proof (ln_tangent (/ w) I) as B.
  rewrite ln_mult in A by lra. rewrite ln_Rinv in * by auto.
  assert (S : p * (1 + u) * / w + (1 - p) * / w = 1) by (rewrite <- Rmult_plus_distr_r; replace (p * (1 + u) + (1 - p)) with w by (unfold w; ring); apply Rinv_r; lra).
  assert (p * (ln (1 + u) + - ln w) <= p * ((1 + u) * / w - 1)) by (apply Rmult_le_compat_l; lra).
  assert ((1 - p) * - ln w <= (1 - p) * (/ w - 1)) by (apply Rmult_le_compat_l; lra).
  unfold Rpower. rewrite <- (exp_ln w) by auto. apply exp_le. nra.
Qed.
Lemma power_at_least_tangent u p : -1 < u -> 1 <= p -> 0 < 1 + p * u -> 1 + p * u <= Rpower (1 + u) p.
Proof.
  intros U P W. assert (I : 0 < / p <= 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
  pose proof (power_at_most_tangent (p * u) (/ p) ltac:(lra) ltac:(lra)) as A.
  replace (/ p * (p * u)) with u in A by (field; lra).
  replace (1 + p * u) with (Rpower (Rpower (1 + p * u) (/ p)) p); [|rewrite Rpower_mult, Rinv_l, Rpower_1 by lra; reflexivity].
  apply Rle_Rpower_l; [lra|]. split; [apply exp_pos | exact A].
Qed.
(* The power of a whole number. *)
Section Powers.
Variable p : R.
Let f (i : nat) : R := Rpower (INR i) p.
Lemma real_power_positive i : 0 < f i.
Proof. apply exp_pos. Qed.
Lemma power_shifted a u : 0 < a -> -1 < u -> Rpower (a * (1 + u)) p = Rpower a p * Rpower (1 + u) p.
Proof. intros A U. symmetry. apply Rpower_mult_distr; lra. Qed.
Lemma around i : (2 <= i)%nat -> f (S i) = f i * Rpower (1 + / INR i) p /\ f (i - 1) = f i * Rpower (1 + - / INR i) p /\ 0 < / INR i <= / 2.
Proof.
  intros H. apply le_INR in H as H'. change (INR 2) with (1 + 1) in H'. assert (I : 0 < / INR i <= / 2).
  { split; [apply Rinv_0_lt_compat; lra | apply Rinv_le_contravar; lra]. }
  unfold f. rewrite S_INR, minus_INR by lia. change (INR 1) with 1. rewrite <- !power_shifted by lra.
  repeat split; try apply I; f_equal; field; lra.
Qed.
Lemma power_rises i : 0 <= p -> (1 <= i)%nat -> f i <= f (S i).
Proof. intros P H. apply le_INR in H. change (INR 1) with 1 in H. apply Rle_Rpower_l; auto. rewrite S_INR. lra. Qed.
Lemma grows_by_less i : 0 <= p <= 1 -> (2 <= i)%nat -> f (S i) - f i <= f i - f (i - 1).
Proof.
  intros P H. destruct (around i H) as (A & B & I). rewrite A, B. pose proof (real_power_positive i).
  pose proof (power_at_most_tangent (/ INR i) p ltac:(lra) P). pose proof (power_at_most_tangent (- / INR i) p ltac:(lra) P). nra.
Qed.
Lemma grows_by_more i : 1 <= p -> (2 <= i)%nat -> f i - f (i - 1) <= f (S i) - f i.
Proof.
  intros P H. destruct (around i H) as (A & B & I). rewrite A, B. pose proof (real_power_positive i).
  assert (2 <= Rpower (1 + / INR i) p + Rpower (1 + - / INR i) p); [|nra].
  pose proof (power_at_least_tangent (/ INR i) p ltac:(lra) P ltac:(nra)). destruct (Rle_dec (1 + p * - / INR i) 0) as [N|N].
  - assert (0 < Rpower (1 + - / INR i) p) by apply exp_pos. lra.
  - pose proof (power_at_least_tangent (- / INR i) p ltac:(lra) P ltac:(lra)). lra.
Qed.
Lemma grows_by_more_later i k : 1 <= p -> (2 <= i)%nat -> f i - f (i - 1) <= f (i + k) - f (i + k - 1).
Proof.
  intros P H. induction k as [|k IH]; [rewrite Nat.add_0_r; lra|]. apply Rle_trans with (1 := IH).
  replace (i + S k)%nat with (S (i + k)) by lia. replace (S (i + k) - 1)%nat with (i + k)%nat by lia. apply grows_by_more; auto. lia.
Qed.
Lemma squares_apart i : 1 <= p -> (2 <= i)%nat -> f i - f (i - 1) <= f i * f i - f (i - 1) * f (S i).
Proof.
  intros P H. pose proof (grows_by_more_later i (i * i - i) P H) as G. replace (i + (i * i - i))%nat with (i * i)%nat in G by nia.
  apply le_INR in H as H'. change (INR 2) with (1 + 1) in H'.
  assert (A : f (i * i) = f i * f i) by (unfold f; rewrite mult_INR, <- Rpower_mult_distr by lra; reflexivity).
  assert (B : f (i * i - 1) = f (i - 1) * f (S i)).
  { unfold f. rewrite Rpower_mult_distr by (rewrite ?S_INR, ?minus_INR by lia; change (INR 1) with 1; lra). f_equal.
    rewrite S_INR, !minus_INR, mult_INR by nia. change (INR 1) with 1. ring. }
  rewrite A, B in G. exact G.
Qed.
End Powers.

Section Binding.
Variables E d tau p : R.
Hypothesis ratio : 1 <= E.
Hypothesis delta : 0 <= d <= 1.
Hypothesis rate : 0 < tau.
Hypothesis power : 0 <= p <= 1 \/ (1 <= p /\ d <= tau).
Let q := priority tau p.
Lemma exponent_not_negative : 0 <= p.
Proof. destruct power as [H|[H _]]; lra. Qed.
Lemma priority_rising : rising q.
Proof.
  intros i. unfold q. assert (Z : 0 <= priority tau p i <= 1).
  { destruct i as [|i]; cbn [priority]; [lra|]. pose proof (real_power_positive p (S i)). split; [apply Rmin_glb; nra | apply Rmin_l]. }
  split; [split; [apply Z|] | apply Z]. destruct i as [|i].
  - cbn [priority]. pose proof (real_power_positive p 1). apply Rmin_glb; nra.
  - cbn [priority]. pose proof (power_rises p (S i) exponent_not_negative ltac:(lia)).
    apply Rmin_glb; [apply Rmin_l|]. apply Rle_trans with (tau * Rpower (INR (S i)) p); [apply Rmin_r | apply Rmult_le_compat_l; lra].
Qed.
(* Where the second of two rates is at most (16) of the first, so is the third of the second. *)
Lemma binds_on i : (1 <= i)%nat -> q (S i) <= may_report E d (q i) -> q (S (S i)) <= may_report E d (q (S i)).
Proof.
  intros H B. pose proof (priority_rising i) as [[Q0 Q1] _]. pose proof (priority_rising (S i)) as [_ Q2]. unfold may_report in *.
  assert (S3 : q (S (S i)) <= 1) by apply (priority_rising (S (S i))).
  destruct i as [|i]; [lia|]. unfold q in *. cbn [priority] in *. set (j := S (S i)) in *.
  set (a := tau * Rpower (INR (S i)) p) in *. set (b := tau * Rpower (INR j) p) in *. set (c := tau * Rpower (INR (S j)) p) in *.
  destruct (Rle_dec 1 b) as [Big|Small]; [rewrite (Rmin_left 1 b) in * by auto; lra|]. rewrite (Rmin_right 1 b) in * by lra.
  pose proof (power_rises p (S i) exponent_not_negative ltac:(lia)) as Up. fold j in Up.
  assert (AB : a <= b) by (apply Rmult_le_compat_l; lra). rewrite (Rmin_right 1 a) in * by lra.
  assert (A0 : 0 < a) by (apply Rmult_lt_0_compat; auto; apply (real_power_positive p (S i))).
  apply Rle_trans with c; [apply Rmin_r|]. destruct power as [P|[P T]].
  - pose proof (grows_by_less p j P ltac:(unfold j; lia)) as G. replace (j - 1)%nat with (S i) in G by (unfold j; lia).
    assert (c - b <= b - a). { unfold a, b, c. rewrite <- !Rmult_minus_distr_l. apply Rmult_le_compat_l; lra. } nra.
  - pose proof (squares_apart p j P ltac:(unfold j; lia)) as G. replace (j - 1)%nat with (S i) in G by (unfold j; lia).
    assert (W : tau * (b - a) <= b * b - a * c).
    { unfold a, b, c. set (u := Rpower (INR (S i)) p) in *. set (v := Rpower (INR j) p) in *. set (w := Rpower (INR (S j)) p) in *.
      replace (tau * v * (tau * v) - tau * u * (tau * w)) with (tau * tau * (v * v - u * w)) by ring.
      replace (tau * (tau * v - tau * u)) with (tau * tau * (v - u)) by ring. apply Rmult_le_compat_l; nra. }
    apply (Rmult_le_reg_l a); auto. assert (d * (b - a) <= tau * (b - a)) by (apply Rmult_le_compat_r; lra).
    assert (b * (b - d) <= b * (E * a)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Let pi := reporting E d q.
Lemma pi_grows i : 0 <= pi i <= pi (S i) /\ pi i <= 1 /\ pi i <= q i.
Proof.
  destruct (reporting_grows E d q ratio delta priority_rising i) as [A B]. destruct (reporting_in_sample E d q ratio delta priority_rising i) as [_ C]. auto.
Qed.
(* (17) is the lesser from some place on. *)
Lemma silent_after x : 1 - d <= x * (1 + E) -> may_be_silent E d x <= may_report E d x.
Proof.
  intros H. unfold may_be_silent, may_report. enough ((x + d - 1) / E <= E * x + d - 1) by lra. apply above_quotient; auto. nra.
Qed.
Lemma silent_before x : may_be_silent E d x < may_report E d x -> 1 - d <= x * (1 + E).
Proof.
  intros H. apply Rnot_lt_le. intros N. apply (Rlt_not_le _ _ H). unfold may_be_silent, may_report.
  enough (E * x + d - 1 <= (x + d - 1) / E) by lra. apply below_quotient; auto. nra.
Qed.
Definition passed (k : nat) : Prop := q k <= may_report E d (q (k - 1)) /\ (1 <= k)%nat /\ (pi k = q k \/ 1 - d <= pi k * (1 + E)).
Lemma power_of_one : Rpower 1 p = 1.
Proof. unfold Rpower. rewrite ln_1, Rmult_0_r. apply exp_0. Qed.
Lemma next_of_first : q 1%nat < d -> q 2%nat <= may_report E d (q 1%nat).
Proof.
  intros H. unfold may_report, q in *. cbn [priority] in *. change (INR 1) with 1 in *. change (INR 2) with (1 + 1). rewrite power_of_one in *.
  destruct power as [P|[P T]].
  - pose proof (power_at_most_tangent 1 p ltac:(lra) P) as G. assert (tau * Rpower (1 + 1) p <= tau * 2) by (apply Rmult_le_compat_l; lra).
    unfold Rmin in *. destruct (Rle_dec 1 (tau * 1)), (Rle_dec 1 (tau * Rpower (1 + 1) p)); nra.
  - unfold Rmin in H. destruct (Rle_dec 1 (tau * 1)); lra.
Qed.
(* After a strict (13) no rate is above (16) of the rate before, and either the rate is reported or (17) is the lesser. *)
Lemma passed_first j : (1 <= j)%nat -> pi j = q j -> q j < may_report E d (pi (j - 1)) -> passed j.
Proof.
  intros J P H. unfold passed. split; [|split; auto]. destruct (pi_grows (j - 1)) as (_ & _ & Q). unfold may_report in *.
  assert (E * pi (j - 1) <= E * q (j - 1)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma passed_next k : passed k -> q 1%nat < d \/ (2 <= k)%nat -> q (S k) <= may_report E d (q k) /\ passed (S k).
Proof.
  intros (B & K & C) F. assert (N : q (S k) <= may_report E d (q k)).
  { destruct k as [|[|k]]; [lia | destruct F as [F|F]; [apply next_of_first; exact F | lia]|]. apply binds_on; [lia|]. exact B. }
  split; auto. unfold passed. replace (S k - 1)%nat with k by lia. split; [exact N|]. split; [lia|].
  destruct (pi_grows k) as ([P0 P1] & _). assert (Up : pi k * (1 + E) <= pi (S k) * (1 + E)) by (apply Rmult_le_compat_r; lra). destruct C as [C|C]; [|right; lra].
  assert (W : pi (S k) = Rmin (q (S k)) (Rmin (may_report E d (pi k)) (may_be_silent E d (pi k)))) by reflexivity.
  rewrite C in W. unfold Rmin in W. destruct (Rle_dec (may_report E d (q k)) (may_be_silent E d (q k))) as [L|L].
  - destruct (Rle_dec (q (S k)) (may_report E d (q k))); [left; exact W | lra].
  - apply Rnot_le_lt, silent_before in L. right. rewrite <- C in L. lra.
Qed.
Lemma passed_later j k : (1 <= j)%nat -> pi j = q j -> q j < may_report E d (pi (j - 1)) -> passed (j + k) /\ (q 1%nat < d \/ (2 <= j + k)%nat).
Proof.
  intros J P H. assert (F : q 1%nat < d \/ (2 <= j)%nat).
  { destruct j as [|[|j]]; [lia | left | right; lia]. unfold may_report in H. replace (pi (1 - 1)%nat) with 0 in H by reflexivity. lra. }
  induction k as [|k [IH Fk]]; [rewrite Nat.add_0_r; split; auto; apply passed_first; auto|].
  rewrite Nat.add_succ_r. split; [apply passed_next; auto | destruct F; [left; auto | right; lia]].
Qed.
Lemma no_report_after j k : (1 <= j)%nat -> pi j = q j -> q j < may_report E d (pi (j - 1)) ->
  pi (S (j + k)) = Rmin (q (S (j + k))) (may_be_silent E d (pi (j + k)%nat)).
Proof.
  intros J P H. destruct (passed_later j k J P H) as [Pk Fk]. destruct (passed_next _ Pk Fk) as [N _]. destruct Pk as (_ & _ & C).
  change (pi (S (j + k))) with (Rmin (q (S (j + k))) (Rmin (may_report E d (pi (j + k)%nat)) (may_be_silent E d (pi (j + k)%nat)))).
  destruct C as [C|C].
  - rewrite C. destruct (Rle_dec (may_report E d (q (j + k)%nat)) (may_be_silent E d (q (j + k)%nat))) as [L|L].
    + rewrite (Rmin_left (may_report E d (q (j + k)%nat))), !Rmin_left by lra. reflexivity.
    + rewrite (Rmin_right (may_report E d (q (j + k)%nat))) by lra. reflexivity.
  - rewrite (Rmin_right (may_report E d (pi (j + k)%nat))) by (apply silent_after; exact C). reflexivity.
Qed.
End Binding.

Lemma rising_for_any (E d tau p : R) : 0 < tau -> 0 <= p <= 1 \/ (1 <= p /\ d <= tau) -> rising (priority tau p).
Proof. intros H P. apply (priority_rising d tau p H P). Qed.
(* For examples. *)
Lemma all_at_rate_one i p : (1 <= i)%nat -> 0 <= p -> priority 1 p i = 1.
Proof.
  intros H P. destruct i as [|i]; [lia|]. cbn [priority]. apply Rmin_left. rewrite Rmult_1_l, <- (power_of_one p).
  apply Rle_Rpower_l; auto. apply le_INR in H. change (INR 1) with 1 in H. lra.
Qed.
Lemma first_is_sampled : reporting 2 (/ 4) (priority (/ 8) 1) 1 = priority (/ 8) 1 1 /\ priority (/ 8) 1 1 < may_report 2 (/ 4) (reporting 2 (/ 4) (priority (/ 8) 1) (1 - 1)).
Proof.
  assert (P : priority (/ 8) 1 1 = / 8). { cbn [priority]. change (INR 1) with 1. rewrite power_of_one, Rmin_right; lra. }
  change (reporting 2 (/ 4) (priority (/ 8) 1) (1 - 1)) with 0. unfold may_report. rewrite P. split; [|lra].
  change (Rmin (priority (/ 8) 1 1) (Rmin (2 * 0 + / 4) (1 + (0 + / 4 - 1) / 2)) = / 8). rewrite P. rewrite (Rmin_left (2 * 0 + / 4)), Rmin_left by lra. reflexivity.
Qed.
