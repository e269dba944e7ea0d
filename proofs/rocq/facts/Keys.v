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
