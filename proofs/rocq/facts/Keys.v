(* Private weighted sampling, Algorithm 3: private, greatest among all schemes, and in closed form without sampling. *)
From Coq Require Import Reals Lra Lia.
From DP.definitions Require Import Laws Keys.
From DP.facts Require Import Laws.
Open Scope R_scope.

Lemma below_quotient E x y : 1 <= E -> y <= x / E <-> E * y <= x.
Proof.
  intros P. replace x with (E * (x / E)) at 2 by (field; lra). set (z := x / E).
  split; intros H; [apply Rmult_le_compat_l | apply Rmult_le_reg_l in H]; lra.
Qed.
Lemma above_quotient E x y : 1 <= E -> x / E <= y <-> x <= E * y.
Proof.
  intros P. replace x with (E * (x / E)) at 2 by (field; lra). set (z := x / E).
  split; intros H; [apply Rmult_le_compat_l | apply Rmult_le_reg_l in H]; lra.
Qed.
Lemma bernoulli_finite t : 0 <= t <= 1 -> finite (bernoulli t).
Proof. intros T. apply mix_finite; auto using ret_finite. Qed.
Lemma bernoulli_total t : total (bernoulli t).
Proof. apply mix_total; reflexivity. Qed.
(* Two coins are close if both sides are. *)
Lemma coins_close E d x y : 1 <= E -> 0 <= x <= y -> y <= 1 -> y <= E * x + d -> 1 - x <= E * (1 - y) + d -> 0 <= d ->
  dp_both E d (bernoulli x) (bernoulli y).
Proof.
  intros HE X Y A B D. split; intros u U; pose proof (U true); pose proof (U false); unfold bernoulli, mix, ret.
  - assert (x - E * y <= 0) by nra. assert ((x - E * y) * u true <= 0) by nra.
    assert ((1 - x - E * (1 - y)) * u false <= d) by nra. lra.
  - assert (1 - y - E * (1 - x) <= 0) by nra. assert ((1 - y - E * (1 - x)) * u false <= 0) by nra.
    assert ((y - E * x) * u true <= d) by nra. lra.
Qed.

Section Algorithm3.
Variables (E d : R) (q : nat -> R).
Hypothesis ratio : 1 <= E.
Hypothesis delta : 0 <= d <= 1.
Hypothesis sampling : rising q.
Let pi := reporting E d q.

Lemma at_most_sampled i : pi (S i) <= q (S i).
Proof. apply Rmin_l. Qed.
Lemma at_most_times_more i : pi (S i) <= E * pi i + d.
Proof. unfold pi. cbn. eapply Rle_trans; [apply Rmin_r | apply Rmin_l]. Qed.
Lemma others_at_most_times_more i : 1 - pi i <= E * (1 - pi (S i)) + d.
Proof.
  assert (pi (S i) - 1 <= (pi i + d - 1) / E).
  { enough (pi (S i) <= 1 + (pi i + d - 1) / E) by lra. unfold pi. cbn. eapply Rle_trans; [apply Rmin_r | apply Rmin_r]. }
  apply below_quotient in H; auto. lra.
Qed.
Lemma grows_from i : 0 <= pi i <= 1 -> pi i <= q (S i) -> pi i <= pi (S i).
Proof.
  intros P Q. unfold pi in *. cbn. apply Rmin_glb; auto. apply Rmin_glb; [nra|].
  assert (reporting E d q i - 1 <= (reporting E d q i + d - 1) / E) by (apply below_quotient; auto; nra). lra.
Qed.
Lemma reporting_grows i : 0 <= pi i <= pi (S i) /\ pi i <= 1.
Proof.
  induction i as [|i IH].
  - pose proof (sampling 0%nat). pose proof (sampling 1%nat). pose proof (grows_from 0%nat ltac:(unfold pi; cbn; lra) ltac:(unfold pi; cbn; lra)).
    unfold pi in *. cbn [reporting] in *. lra.
  - pose proof (sampling (S i)). pose proof (sampling (S (S i))). pose proof (at_most_sampled i).
    pose proof (grows_from (S i) ltac:(lra) ltac:(lra)). lra.
Qed.
Lemma reporting_private i : dp_both E d (bernoulli (pi i)) (bernoulli (pi (S i))).
Proof.
  destruct (reporting_grows i). destruct (reporting_grows (S i)).
  apply coins_close; auto using at_most_times_more, others_at_most_times_more; lra.
Qed.
(* Any scheme: a law of any outcomes for each frequency, and any event of them that counts as a report. *)
Lemma reporting_greatest {A : Type} (scheme : nat -> law A) (reported : A -> R) :
  (forall i, measure (scheme i) /\ total (scheme i)) -> event reported -> scheme O reported = 0 ->
  (forall i, scheme i reported <= q i) -> (forall i, dp_both E d (scheme i) (scheme (S i))) -> forall i, scheme i reported <= pi i.
Proof.
  intros L U Z Q N. induction i as [|i IH]; [unfold pi; cbn; lra|]. destruct (N i) as [C D].
  pose proof (D reported U) as D'. pose proof (C _ (complement_is_event _ U)) as C'.
  destruct (L i), (L (S i)). rewrite !of_complement in C' by auto. unfold pi in *. cbn [reporting].
  apply Rmin_glb; auto. apply Rmin_glb; [nra|].
  enough (scheme (S i) reported - 1 <= (reporting E d q i + d - 1) / E) by lra. apply below_quotient; auto. lra.
Qed.
End Algorithm3.

(* Without sampling, where L is a whole number. *)
Section Closed.
Variables (E d : R) (L : nat).
Hypothesis ratio : 1 < E.
Hypothesis delta : 0 < d <= 1.
Hypothesis length : whole E d L.
Let s := slope E d.
Let x := reporting E d everything.
Lemma slope_times : s * (E - 1) = d.
Proof. unfold s, slope. field. lra. Qed.
Lemma slope_positive : 0 < s.
Proof. unfold s, slope. apply Rdiv_lt_0_compat; lra. Qed.
Lemma powers_between i : (i <= L)%nat -> 1 <= E ^ i <= E ^ L.
Proof. intros H. split; [apply pow_R1_Rle; lra | apply Rle_pow; [lra | auto]]. Qed.
Lemma slope_of_length : s * (E ^ L - 1) * (E + 1) = 1 - d.
Proof.
  unfold s, slope, whole in *. replace (d / (E - 1) * (E ^ L - 1) * (E + 1)) with ((E ^ L * d * (E + 1) - d * (E + 1)) / (E - 1)) by (field; lra).
  rewrite length. field. lra.
Qed.
Lemma slope_below i : (i <= L)%nat -> 0 <= s * (E ^ i - 1) /\ s * (E ^ i - 1) * (E + 1) <= 1 - d.
Proof.
  intros H. pose proof slope_positive. destruct (powers_between i H). split; [apply Rmult_le_pos; lra|].
  rewrite <- slope_of_length. apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; lra.
Qed.
Lemma rising_holds i : (i <= S L)%nat -> x i = s * (E ^ i - 1).
Proof.
  induction i as [|i IH]; intros H; [unfold x; cbn; ring|]. destruct (slope_below i ltac:(lia)) as [A B].
  unfold x in *. cbn [reporting]. rewrite IH by lia. set (a := s * (E ^ i - 1)) in *. unfold everything.
  assert (E * a + d <= 1 + (a + d - 1) / E).
  { enough (E * a + d - 1 <= (a + d - 1) / E) by lra. apply below_quotient; [lra|]. nra. }
  assert (1 + (a + d - 1) / E <= 1).
  { enough ((a + d - 1) / E <= 0) by lra. apply above_quotient; [lra|]. nra. }
  rewrite Rmin_right, Rmin_left by (try apply Rle_trans with (E * a + d); try apply Rmin_l; lra).
  unfold a. cbn. rewrite <- slope_times. ring.
Qed.
Lemma falling_holds k : (k <= L)%nat -> x (S L + k)%nat = 1 - s * (E ^ (L - k) - 1).
Proof.
  pose proof slope_times as S0. pose proof slope_of_length as S1. induction k as [|k IH]; intros H.
  - rewrite Nat.add_0_r, Nat.sub_0_r, rising_holds by lia. cbn. nra.
  - rewrite Nat.add_succ_r. unfold x in *. cbn [reporting]. rewrite IH by lia.
    replace (L - k)%nat with (S (L - S k)) by lia. set (m := (L - S k)%nat).
    destruct (slope_below (S m) ltac:(lia)) as [A B]. destruct (powers_between m ltac:(lia)).
    set (a := s * (E ^ S m - 1)) in *. pose proof slope_positive.
    assert (D : d <= a) by (unfold a; rewrite <- S0; apply Rmult_le_compat_l; [lra|]; cbn; nra).
    replace (1 + (1 - a + d - 1) / E) with (1 - s * (E ^ m - 1)) by (unfold a; cbn; rewrite <- S0; field; lra).
    assert (N : s * (E ^ m - 1) * E = a - d) by (unfold a; rewrite <- S0; cbn; ring).
    unfold everything. rewrite (Rmin_right (E * (1 - a) + d)), Rmin_right; [reflexivity | |].
    + assert (0 <= s * (E ^ m - 1)) by (apply Rmult_le_pos; lra). lra.
    + apply (Rmult_le_reg_l E); [lra|]. nra.
Qed.
Lemma beyond_holds k : x (S (2 * L) + k)%nat = 1.
Proof.
  induction k as [|k IH].
  - replace (S (2 * L) + 0)%nat with (S L + L)%nat by lia. rewrite falling_holds, Nat.sub_diag by lia. cbn. ring.
  - rewrite Nat.add_succ_r. unfold x in *. cbn [reporting]. rewrite IH. unfold everything. apply Rmin_left, Rmin_glb; [lra|].
    enough (0 <= (1 + d - 1) / E) by lra. apply below_quotient; lra.
Qed.
End Closed.

(* Two coins for examples. *)
Lemma third_and_half : dp_both 2 0 (bernoulli (/ 3)) (bernoulli (/ 2)).
Proof. apply coins_close; lra. Qed.
Lemma coin_measure t : 0 <= t <= 1 -> measure (bernoulli t).
Proof. intros T. apply finite_is_measure, bernoulli_finite. exact T. Qed.
Lemma sure_measure {A : Type} (x : A) : measure (ret x).
Proof. apply finite_is_measure, ret_finite. Qed.

(* A coin near a sure outcome is close to it, and not private. *)
Lemma close_not_pure d : 0 < d <= 1 -> exists p p' : law bool,
  dp_both 1 d p' p /\ dp_both 1 0 p p /\ forall E, ~ dp E 0 p' p.
Proof.
  intros D. exists (ret false), (bernoulli d). split; [|split].
  - split; intros u U; pose proof (U true); pose proof (U false); unfold bernoulli, mix, ret; nra.
  - split; intros u U; lra.
  - intros E C. specialize (C (fun b : bool => if b then 1 else 0) ltac:(intros []; lra)). unfold bernoulli, mix, ret in C. lra.
Qed.

Lemma reporting_in_sample E d q : 1 <= E -> 0 <= d <= 1 -> rising q -> forall i,
  0 <= reporting E d q i <= reporting E d q (S i) /\ reporting E d q i <= q i.
Proof.
  intros HE D Q i. destruct (reporting_grows E d q HE D Q i) as [G _]. split; auto.
  destruct i as [|i]; [cbn; apply Q | apply at_most_sampled].
Qed.
Lemma closed_form_holds E d L : 1 < E -> 0 < d <= 1 -> whole E d L ->
  (forall i, (i <= S L)%nat -> reporting E d everything i = slope E d * (E ^ i - 1)) /\
  (forall k, (k <= L)%nat -> reporting E d everything (S L + k) = 1 - slope E d * (E ^ (L - k) - 1)) /\
  (forall k, reporting E d everything (S (2 * L) + k) = 1).
Proof.
  intros HE D W. split; [|split]; intros; [apply (rising_holds E d L) | apply (falling_holds E d L) | apply (beyond_holds E d L)]; auto.
Qed.

(* What else the recurrence says. *)
Lemma terms_hold E d q : 1 <= E -> 0 <= d <= 1 -> rising q -> forall i, let x := reporting E d q i in
  x <= q (S i) /\ x <= E * x + d /\ x <= 1 + (x + d - 1) / E.
Proof.
  intros HE D Q i x. destruct (reporting_grows E d q HE D Q i) as [G T]. fold x in G, T. assert (M := reporting_in_sample E d q HE D Q i). fold x in M.
  pose proof (Q i). split; [lra|]. split; [nra|]. enough (x - 1 <= (x + d - 1) / E) by lra. apply below_quotient; auto. nra.
Qed.
Lemma crossing_holds E d x : 1 < E -> 0 <= d <= 1 -> let y := E * x + d in let z := 1 + (x + d - 1) / E in let m := (1 - d) / (1 + E) in
  (y < z <-> x < m) /\ (y = z <-> x = m) /\ m <= (1 - d) / 2.
Proof.
  intros HE D y z m. assert (P : z - y = (m - x) * ((E - 1) * (1 + E) / E)) by (unfold y, z, m; field; lra).
  assert (F : 0 < (E - 1) * (1 + E) / E) by (unfold Rdiv; repeat apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; lra).
  set (f := (E - 1) * (1 + E) / E) in *. split; [split; intros H; nra|]. split; [split; intros H; nra|].
  unfold m, Rdiv. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
Qed.
Lemma upward_run_holds E d x : E <> 1 -> (forall n, x (S n) = E * x n + d) -> forall n, x n = x O * E ^ n + d * (E ^ n - 1) / (E - 1).
Proof. intros HE S n. induction n as [|n IH]; [cbn; field; lra|]. rewrite S, IH. cbn. field. lra. Qed.
Lemma downward_run_holds E d x : 1 < E -> (forall n, x (S n) = (x n - d) / E) ->
  forall n, x n = x O / E ^ n - d / E * (1 - / E ^ n) / (1 - / E).
Proof.
  intros HE S n. induction n as [|n IH]; [cbn; field; lra|]. assert (E ^ n <> 0) by (apply pow_nonzero; lra).
  rewrite S, IH. cbn. field. repeat split; lra.
Qed.
Lemma at_most_geometric E d : 1 < E -> 0 <= d -> forall i, reporting E d everything i <= d * (E ^ i - 1) / (E - 1).
Proof.
  intros HE D i. induction i as [|i IH]; [cbn; right; field; lra|]. apply Rle_trans with (E * reporting E d everything i + d).
  - apply at_most_times_more.
  - apply Rle_trans with (E * (d * (E ^ i - 1) / (E - 1)) + d); [apply Rplus_le_compat_r, Rmult_le_compat_l; lra|].
    right. cbn. field. lra.
Qed.
Lemma half_way_holds E d L : 1 < E -> 0 < d <= 1 -> whole E d L -> reporting E d everything L = (1 - d) / (1 + E).
Proof.
  intros HE D W. rewrite (rising_holds E d L HE D W) by lia. pose proof (slope_of_length E d L HE W) as SL.
  apply (Rmult_eq_reg_r (E + 1)); [|lra]. rewrite SL. field. lra.
Qed.
Lemma symmetric_holds E d L i : 1 < E -> 0 < d <= 1 -> whole E d L -> (i <= S (2 * L))%nat ->
  reporting E d everything i + reporting E d everything (S (2 * L) - i) = 1.
Proof.
  intros HE D W H. assert (Low : forall j, (j <= L)%nat -> reporting E d everything j + reporting E d everything (S (2 * L) - j) = 1).
  { intros j J. rewrite (rising_holds E d L HE D W) by lia. replace (S (2 * L) - j)%nat with (S L + (L - j))%nat by lia.
    rewrite (falling_holds E d L HE D W) by lia. replace (L - (L - j))%nat with j by lia. ring. }
  destruct (le_lt_dec i L) as [I|I]; [apply Low; auto|]. specialize (Low (S (2 * L) - i)%nat ltac:(lia)).
  replace (S (2 * L) - (S (2 * L) - i))%nat with i in Low by lia. lra.
Qed.
Lemma last_below_one E d L : 1 < E -> 0 < d <= 1 -> whole E d L -> (1 <= L)%nat ->
  reporting E d everything (2 * L) < 1 /\ reporting E d everything (S (2 * L)) = 1.
Proof.
  intros HE D W H. split.
  - pose proof (symmetric_holds E d L 1 HE D W ltac:(lia)) as Y. rewrite (rising_holds E d L HE D W) in Y by lia.
    replace (S (2 * L) - 1)%nat with (2 * L)%nat in Y by lia. pose proof (slope_positive E d HE D) as SP. rewrite pow_1 in Y.
    assert (0 < slope E d * (E - 1)) by (apply Rmult_lt_0_compat; lra). lra.
  - pose proof (beyond_holds E d L HE D W 0) as Y. rewrite Nat.add_0_r in Y. exact Y.
Qed.

(* Numbers. *)
Lemma least_is x y z m : m <= x -> m <= y -> m <= z -> m = x \/ m = y \/ m = z -> Rmin x (Rmin y z) = m.
Proof. intros. unfold Rmin. destruct (Rle_dec y z), (Rle_dec x _); lra. Qed.
Lemma next_is E d q i x y : reporting E d q i = x -> y <= q (S i) -> y <= E * x + d -> y <= 1 + (x + d - 1) / E ->
  y = q (S i) \/ y = E * x + d \/ y = 1 + (x + d - 1) / E -> reporting E d q (S i) = y.
Proof. intros X A B C D. cbn [reporting]. rewrite X. apply least_is; auto. Qed.
Lemma values_hold :
  reporting 2 (/ 8) everything 1 = 1 / 8 /\ reporting 2 (/ 8) everything 2 = 3 / 8 /\
  reporting 2 (/ 8) everything 3 = 3 / 4 /\ reporting 2 (/ 8) everything 4 = 15 / 16 /\
  reporting 3 (/ 2) halves 1 = 1 / 2 /\ reporting 3 (/ 2) halves 2 = 3 / 4 /\ reporting 3 (/ 2) halves 3 = 7 / 8 /\
  reporting 2 (/ 4) halves 1 = 1 / 4 /\ reporting 2 (/ 4) halves 2 = 3 / 4 /\ reporting 2 (/ 4) halves 3 = 7 / 8 /\
  reporting (3 / 2) (/ 10) halves 1 = 1 / 10 /\ reporting (3 / 2) (/ 10) halves 2 = 1 / 4 /\
  reporting (3 / 2) (/ 10) halves 3 = 19 / 40 /\ reporting (3 / 2) (/ 10) halves 4 = 43 / 60.
Proof.
  assert (a1 : reporting 2 (/ 8) everything 1 = 1 / 8) by (apply (next_is _ _ _ _ 0); [reflexivity | unfold everything; lra ..]).
  assert (a2 : reporting 2 (/ 8) everything 2 = 3 / 8) by (apply (next_is _ _ _ _ _ _ a1); unfold everything; lra).
  assert (a3 : reporting 2 (/ 8) everything 3 = 3 / 4) by (apply (next_is _ _ _ _ _ _ a2); unfold everything; lra).
  assert (a4 : reporting 2 (/ 8) everything 4 = 15 / 16) by (apply (next_is _ _ _ _ _ _ a3); unfold everything; lra).
  assert (b1 : reporting 3 (/ 2) halves 1 = 1 / 2) by (apply (next_is _ _ _ _ 0); [reflexivity | unfold halves; cbn; lra ..]).
  assert (b2 : reporting 3 (/ 2) halves 2 = 3 / 4) by (apply (next_is _ _ _ _ _ _ b1); unfold halves; cbn; lra).
  assert (b3 : reporting 3 (/ 2) halves 3 = 7 / 8) by (apply (next_is _ _ _ _ _ _ b2); unfold halves; cbn; lra).
  assert (c1 : reporting 2 (/ 4) halves 1 = 1 / 4) by (apply (next_is _ _ _ _ 0); [reflexivity | unfold halves; cbn; lra ..]).
  assert (c2 : reporting 2 (/ 4) halves 2 = 3 / 4) by (apply (next_is _ _ _ _ _ _ c1); unfold halves; cbn; lra).
  assert (c3 : reporting 2 (/ 4) halves 3 = 7 / 8) by (apply (next_is _ _ _ _ _ _ c2); unfold halves; cbn; lra).
  assert (d1 : reporting (3 / 2) (/ 10) halves 1 = 1 / 10) by (apply (next_is _ _ _ _ 0); [reflexivity | unfold halves; cbn; lra ..]).
  assert (d2 : reporting (3 / 2) (/ 10) halves 2 = 1 / 4) by (apply (next_is _ _ _ _ _ _ d1); unfold halves; cbn; lra).
  assert (d3 : reporting (3 / 2) (/ 10) halves 3 = 19 / 40) by (apply (next_is _ _ _ _ _ _ d2); unfold halves; cbn; lra).
  assert (d4 : reporting (3 / 2) (/ 10) halves 4 = 43 / 60) by (apply (next_is _ _ _ _ _ _ d3); unfold halves; cbn; lra).
  repeat split; assumption.
Qed.
