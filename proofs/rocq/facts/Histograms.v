(* Mixtures with a spread law are pure; basic and stability-based histograms are private. *)
From Coq Require Import Reals Lra Lia List Arith Classical.
From DP.definitions Require Import Laws Histograms.
From DP.facts Require Import Laws Sets.
Import ListNotations.
Open Scope R_scope.

(* Mixtures of laws that live in D. *)
Lemma mixing_in {A : Type} (D : A -> Prop) E gamma d m (z p q p' q' : law A) : 1 <= E -> 0 <= gamma < 1 -> spread_in D m z -> lives_in D z -> lives_in D p' -> lives_in D q' ->
  measure z -> measure p' -> measure q' -> dp 1 d p' p -> dp 1 d q q' -> dp E 0 p q ->
  d * (1 - gamma) * (E + 1) <= (E - 1) * gamma * m -> dp E 0 (mix gamma z p') (mix gamma z q').
Proof.
  intros HE G S Lz Lp Lq Z P Q CP CQ C H. assert (Mp := mix_measure gamma z p' ltac:(lra) Z P). assert (Mq := mix_measure gamma z q' ltac:(lra) Z Q).
  apply sets_decide; auto; [lra|]. intros u U. assert (V := sharp_is_event u U). unfold mix.
  destruct (classic (exists r, D r /\ u r = 1)) as [(r & R1 & One)|No].
  - pose proof (S r u R1 V One) as L. pose proof (close_holds E d p q p' q' ltac:(lra) CP CQ C u V) as K.
    apply (Rmult_le_compat_l (1 - gamma)) in K; [|lra]. assert (0 <= (E - 1) * gamma) by (apply Rmult_le_pos; lra).
    apply (Rmult_le_compat_l ((E - 1) * gamma)) in L; auto. lra.
  - assert (N : forall x, D x -> u x = 0) by (intros x Dx; destruct (U x); auto; exfalso; apply No; exists x; auto).
    rewrite (Lz u (fun _ => 0)), (Lp u (fun _ => 0)), (Lq u (fun _ => 0)), !of_zero by auto using zero_is_event. lra.
Qed.
Lemma mixing_holds {A : Type} E gamma d m (z p q p' q' : law A) : 1 <= E -> 0 <= gamma < 1 -> spread m z ->
  measure z -> measure p' -> measure q' -> dp 1 d p' p -> dp 1 d q q' -> dp E 0 p q ->
  d <= (E - 1) / (E + 1) * (gamma / (1 - gamma)) * m -> dp E 0 (mix gamma z p') (mix gamma z q').
Proof.
  intros HE G S Z P Q CP CQ C H.
  assert (Anywhere : forall r : law A, measure r -> lives_in (fun _ => True) r) by (intros r M u v U V Same; apply (same r); auto).
  apply (mixing_in (fun _ => True) E gamma d m z p q p' q'); auto; [intros r u _; apply S|].
  replace ((E - 1) * gamma * m) with ((E - 1) / (E + 1) * (gamma / (1 - gamma)) * m * ((1 - gamma) * (E + 1))) by (field; lra).
  rewrite Rmult_assoc. apply Rmult_le_compat_r; auto. apply Rmult_le_pos; lra.
Qed.
Lemma mixture_near {A : Type} gamma d (z p p' : law A) : 0 <= gamma <= 1 -> 0 <= d -> measure z -> measure p -> measure p' ->
  dp_both 1 d p' p -> dp_both 1 (gamma + d) (mix gamma z p') p.
Proof.
  intros G D Z P P' [C1 C2]. split; intros u U; unfold mix; pose proof (C1 u U); pose proof (C2 u U);
    pose proof (within z u Z U); pose proof (within p u P U); pose proof (within p' u P' U); nra.
Qed.

(* Basic histograms. *)
Lemma map_of {A B : Type} (P : A -> Prop) (Q : B -> Prop) (f : A -> B) l : (forall x, P x -> Q (f x)) -> Forall P l -> Forall Q (map f l).
Proof. intros H L. induction L; cbn; auto. Qed.
Lemma split_counts n before i between j after : counts_at_most n (before ++ i :: between ++ j :: after) ->
  counts_at_most n before /\ counts_at_most n between /\ counts_at_most n after /\ (i <= n)%nat /\ (j <= n)%nat.
Proof.
  intros H. apply Forall_app in H. destruct H as [B H]. inversion H as [|? ? I R]; subst. apply Forall_app in R.
  destruct R as [M R]. inversion R; subst. repeat split; auto.
Qed.

Section Bins.
Context {F : Type} (n : nat) (bins : nat -> law F).
Hypothesis lawful : forall c, (c <= n)%nat -> measure (bins c) /\ total (bins c).
Lemma bins_lawful x : counts_at_most n x -> measure (every (map bins x)) /\ total (every (map bins x)).
Proof.
  intros H. split; [apply every_measure | apply every_total]; eapply map_of; try exact H; intros c C; apply lawful; auto.
Qed.
(* Moves of one row, given what holds of the two bins. *)
Lemma moves_hold E d : (forall i j before between after, (S i <= n)%nat -> (S j <= n)%nat -> counts_at_most n before ->
    counts_at_most n between -> counts_at_most n after ->
    dp_both E d (every (map bins before ++ bins (S i) :: map bins between ++ bins j :: map bins after))
      (every (map bins before ++ bins i :: map bins between ++ bins (S j) :: map bins after))) ->
  private E d (counts_at_most n) one_label (fun x => every (map bins x)).
Proof.
  intros H. split; [apply bins_lawful|]. assert (Way : forall x y, counts_at_most n x -> counts_at_most n y -> moved x y ->
    dp_both E d (every (map bins x)) (every (map bins y))).
  { intros x y X Y N. revert X Y. destruct N. intros X Y. apply split_counts in X, Y. repeat rewrite map_app; cbn [map]. repeat rewrite map_app; cbn [map]. apply H; tauto. }
  intros x y X Y [M|M]; [apply Way; auto | destruct (Way y x Y X M); split; auto].
Qed.
Lemma bins_forall x : counts_at_most n x -> Forall measure (map bins x).
Proof. intros H. eapply map_of; try exact H. intros c C. apply lawful. exact C. Qed.
End Bins.

Lemma basic_holds n M epsilon : 0 <= epsilon -> (forall c, (c <= n)%nat -> measure (M c) /\ total (M c)) ->
  (forall c, (S c <= n)%nat -> dp_both (exp (epsilon / 2)) 0 (M c) (M (S c))) ->
  private (exp epsilon) 0 (counts_at_most n) one_label (basic M).
Proof.
  intros P L C. assert (HE : 0 <= exp (epsilon / 2)) by (left; apply exp_pos).
  assert (Two : exp epsilon = exp (epsilon / 2) * exp (epsilon / 2)) by (rewrite <- exp_plus; f_equal; lra).
  apply moves_hold; auto. intros i j before between after I J B T A. rewrite Two.
  assert (Z : 0 + exp (epsilon / 2) * 0 = 0) by ring. destruct (C i I), (C j J).
  assert (Fine : forall c, (c <= n)%nat -> measure (M c)) by (intros; apply L; auto).
  assert (All : forall x, counts_at_most n x -> Forall measure (map M x)) by (intros; apply (bins_forall n M L); auto).
  split; rewrite <- Z at 1; apply first_then_second; repeat split; auto using Rle_refl; apply Fine; lia.
Qed.

(* Stability: a bin of one row is nearly an empty one. *)
Section Stable.
Variables (n b : nat) (M : nat -> law nat) (epsilon d : R).
Hypothesis nonneg : 0 <= epsilon.
Hypothesis lawful : forall c, (c <= n)%nat -> measure (M c) /\ total (M c).
Hypothesis close : forall c, (S c <= n)%nat -> dp_both (exp (epsilon / 2)) 0 (M c) (M (S c)).
Hypothesis small : M 1%nat (above_threshold b) <= d.
Let E := exp (epsilon / 2).
Let s := stable M b.
Let w := 1 - M 1%nat (above_threshold b).

Lemma E_more : 1 <= E.
Proof. unfold E. rewrite <- exp_0. apply exp_le. lra. Qed.
Lemma above_event : event (above_threshold b).
Proof. intros v. unfold above_threshold. destruct (v <=? b)%nat; lra. Qed.
Lemma stable_lawful c : (c <= n)%nat -> measure (s c) /\ total (s c).
Proof.
  intros C. destruct c as [|c]; cbn.
  - split; [apply finite_is_measure, ret_finite | reflexivity].
  - destruct (lawful (S c) C). split; [apply image_measure | apply image_total]; auto.
Qed.
Lemma stable_close c : (S (S c) <= n)%nat -> dp_both E 0 (s (S c)) (s (S (S c))).
Proof. intros C. destruct (close (S c) C). split; apply image_holds; auto. Qed.
Lemma w_range : (1 <= n)%nat -> 0 <= w <= 1 /\ 1 - w <= d.
Proof. intros N. pose proof (within _ _ (proj1 (lawful 1%nat N)) above_event). unfold w. lra. Qed.
Lemma one_above u : (1 <= n)%nat -> event u -> s 1%nat u <= w * u O + d.
Proof.
  intros N U. destruct (lawful 1%nat N) as [L T]. cbn. unfold image. set (v := fun x => u (over b x)).
  assert (V : event v) by (intros x; apply U). set (low := fun x => u O * (1 - above_threshold b x)).
  assert (Lo : event low) by (intros x; unfold low, above_threshold; specialize (U O); destruct (x <=? b)%nat; nra).
  assert (Hi : event (fun x => Rmin (1 - low x) (above_threshold b x))).
  { intros x. specialize (Lo x). pose proof (above_event x). unfold Rmin. destruct (Rle_dec _ _); lra. }
  assert (Sum : event (fun x => low x + Rmin (1 - low x) (above_threshold b x))).
  { intros x. specialize (Lo x). specialize (Hi x). cbn in Hi. split; [lra|]. pose proof (Rmin_l (1 - low x) (above_threshold b x)). lra. }
  apply Rle_trans with (M 1%nat (fun x => low x + Rmin (1 - low x) (above_threshold b x))).
  - apply (monotone _ L); auto. intros x. unfold v, low, over, above_threshold. specialize (U O) as U0. pose proof (U x).
    destruct (x <=? b)%nat; unfold Rmin; destruct (Rle_dec _ _); nra.
  - rewrite (additive _ L) by auto.
    assert (low_mean : M 1%nat low = w * u O).
    { unfold low. rewrite (scaled _ L (u O) (fun x => 1 - above_threshold b x)) by (auto using complement_is_event, above_event; apply U).
      rewrite of_complement by (auto using above_event). unfold w. ring. }
    assert (M 1%nat (fun x => Rmin (1 - low x) (above_threshold b x)) <= M 1%nat (above_threshold b)).
    { apply (monotone _ L); auto using above_event. intros x. apply Rmin_r. }
    lra.
Qed.
Lemma one_below u : (1 <= n)%nat -> event u -> w * u O <= s 1%nat u.
Proof.
  intros N U. destruct (lawful 1%nat N) as [L T]. cbn. unfold image. pose proof (U O).
  replace (w * u O) with (M 1%nat (fun x => u O * (1 - above_threshold b x))).
  - apply (monotone _ L).
    + apply scaled_is_event; auto using complement_is_event, above_event.
    + intros x. apply U.
    + intros x. unfold over, above_threshold. destruct (x <=? b)%nat; [lra|]. pose proof (U x). lra.
  - rewrite (scaled _ L) by auto using complement_is_event, above_event. rewrite of_complement by auto using above_event. unfold w. ring.
Qed.
Lemma one_to_none : (1 <= n)%nat -> dp w d (s 1%nat) (s O).
Proof. intros N u U. apply one_above; auto. Qed.
Lemma none_to_one : (1 <= n)%nat -> 0 < w -> dp (/ w) 0 (s O) (s 1%nat).
Proof.
  intros N W u U. pose proof (one_below u N U). apply (Rmult_le_reg_l w); auto. rewrite Rplus_0_r, <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. exact H.
Qed.
Lemma one_and_none : (1 <= n)%nat -> dp_both 1 d (s 1%nat) (s O).
Proof.
  intros N. destruct (w_range N) as [W D]. split; intros u U; pose proof (U O).
  - pose proof (one_above u N U). change (s 1%nat u <= 1 * u O + d). assert (w * u O <= 1 * u O) by (apply Rmult_le_compat_r; lra). lra.
  - pose proof (one_below u N U). change (u O <= 1 * s 1%nat u + d). assert ((1 - w) * u O <= (1 - w) * 1) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma d_range : (1 <= n)%nat -> 0 <= d.
Proof. intros N. destruct (w_range N). lra. Qed.
Section Context_of_two.
Variables before between after : list nat.
Hypothesis near : counts_at_most n before /\ counts_at_most n between /\ counts_at_most n after.
Let release i j := every (map s before ++ s i :: map s between ++ s j :: map s after).
Lemma others : Forall measure (map s before) /\ Forall measure (map s between) /\ Forall measure (map s after).
Proof. destruct near as (B & T & A). repeat split; apply (bins_forall n s stable_lawful); auto. Qed.
Lemma stable_measure c : (c <= n)%nat -> measure (s c).
Proof. intros C. apply stable_lawful. exact C. Qed.
Lemma two_move E1 F1 d1 e1 i i' j j' : (i <= n)%nat -> (i' <= n)%nat -> (j <= n)%nat -> (j' <= n)%nat ->
  0 <= E1 -> 0 <= F1 -> 0 <= d1 -> 0 <= e1 -> dp E1 d1 (s i) (s i') -> dp F1 e1 (s j) (s j') ->
  dp (E1 * F1) (d1 + E1 * e1) (release i j) (release i' j') /\ dp (F1 * E1) (e1 + F1 * d1) (release i j) (release i' j').
Proof.
  intros. destruct others as (B & T & A). assert (Fine := stable_measure).
  unfold release. split; [apply first_then_second | apply second_then_first]; auto; repeat (split; auto).
Qed.
Lemma stable_histogram_measure i j : (i <= n)%nat -> (j <= n)%nat -> measure (release i j).
Proof.
  intros I J. unfold release. apply every_measure. destruct others as (B & T & A). apply Forall_app. split; auto.
  constructor; [apply stable_measure; auto|]. apply Forall_app. split; auto. constructor; auto. apply stable_measure. auto.
Qed.
Lemma enough_for_all F e i j i' j' : (i <= n)%nat -> (i' <= n)%nat -> (j <= n)%nat -> (j' <= n)%nat -> (1 <= n)%nat ->
  F <= exp epsilon -> e <= d -> dp F e (release i j) (release i' j') -> dp (exp epsilon) d (release i j) (release i' j').
Proof.
  intros Hi Hi' Hj Hj' N HF He. apply weaker_holds; auto. apply stable_histogram_measure; auto.
Qed.
Lemma factors_of_all : E * E = exp epsilon /\ 1 <= exp epsilon /\ E <= exp epsilon.
Proof.
  pose proof E_more. assert (T : E * E = exp epsilon) by (unfold E; rewrite <- exp_plus; f_equal; lra). repeat split; auto; nra.
Qed.
(* The row goes from the first bin to the second. *)
Lemma goes i j : (S i <= n)%nat -> (S j <= n)%nat -> dp (exp epsilon) d (release (S i) j) (release i (S j)).
Proof.
  intros I J. assert (N : (1 <= n)%nat) by lia. pose proof E_more. pose proof (d_range N). destruct factors_of_all as (EE & One & More).
  destruct (one_and_none N) as [Down Up]. destruct (w_range N) as [W D].
  destruct i as [|i], j as [|j].
  - destruct (Req_dec w 0) as [Z|Z].
    + assert (1 <= d) by lra. intros u U. pose proof (within _ u (stable_histogram_measure 1 0 ltac:(lia) ltac:(lia)) U).
      pose proof (within _ u (stable_histogram_measure 0 1 ltac:(lia) ltac:(lia)) U). nra.
    + assert (0 < / w) by (apply Rinv_0_lt_compat; lra).
      destruct (two_move w (/ w) d 0 1 0 0 1) as [X _]; auto using one_to_none; try lia; try lra; [apply none_to_one; auto; lra|].
      apply enough_for_all in X; auto; try lia; [rewrite Rinv_r; lra | lra].
  - destruct (stable_close j J) as [C _]. destruct (two_move 1 E d 0 1 0 (S j) (S (S j))) as [X _]; auto; try lia; try lra.
    apply enough_for_all in X; auto; try lia; lra.
  - destruct (stable_close i I) as [_ C]. destruct (two_move E 1 0 d (S (S i)) (S i) 0 1) as [_ X]; auto; try lia; try lra.
    apply enough_for_all in X; auto; try lia; lra.
  - destruct (stable_close i I) as [_ C], (stable_close j J) as [K _].
    destruct (two_move E E 0 0 (S (S i)) (S i) (S j) (S (S j))) as [X _]; auto; try lia; try lra.
    apply enough_for_all in X; auto; try lia; lra.
Qed.
(* The row goes from the second bin to the first. *)
Lemma comes i j : (S i <= n)%nat -> (S j <= n)%nat -> dp (exp epsilon) d (release i (S j)) (release (S i) j).
Proof.
  intros I J. assert (N : (1 <= n)%nat) by lia. pose proof E_more. pose proof (d_range N). destruct factors_of_all as (EE & One & More).
  destruct (one_and_none N) as [Down Up]. destruct (w_range N) as [W D].
  destruct i as [|i], j as [|j].
  - destruct (Req_dec w 0) as [Z|Z].
    + assert (1 <= d) by lra. intros u U. pose proof (within _ u (stable_histogram_measure 1 0 ltac:(lia) ltac:(lia)) U).
      pose proof (within _ u (stable_histogram_measure 0 1 ltac:(lia) ltac:(lia)) U). nra.
    + assert (0 < / w) by (apply Rinv_0_lt_compat; lra).
      destruct (two_move (/ w) w 0 d 0 1 1 0) as [_ X]; auto using one_to_none; try lia; try lra; [apply none_to_one; auto; lra|].
      apply enough_for_all in X; auto; try lia; [rewrite Rinv_r; lra | lra].
  - destruct (stable_close j J) as [_ C]. destruct (two_move 1 E d 0 0 1 (S (S j)) (S j)) as [X _]; auto; try lia; try lra.
    apply enough_for_all in X; auto; try lia; lra.
  - destruct (stable_close i I) as [C _]. destruct (two_move E 1 0 d (S i) (S (S i)) 1 0) as [_ X]; auto; try lia; try lra.
    apply enough_for_all in X; auto; try lia; lra.
  - destruct (stable_close i I) as [C _], (stable_close j J) as [_ K].
    destruct (two_move E E 0 0 (S i) (S (S i)) (S (S j)) (S j)) as [X _]; auto; try lia; try lra.
    apply enough_for_all in X; auto; try lia; lra.
Qed.
End Context_of_two.
Lemma stability_holds : private (exp epsilon) d (counts_at_most n) one_label (stability M b).
Proof.
  apply moves_hold; [exact stable_lawful|]. intros i j before between after I J B T A.
  split; [apply goes | apply comes]; auto.
Qed.
End Stable.

(* Laws for examples. *)
Lemma fair_is_spread : spread (/ 2) (bernoulli (/ 2)).
Proof. intros r u U One. pose proof (U true). pose proof (U false). unfold bernoulli, mix, ret. destruct r; lra. Qed.
Lemma sixth_is_close : dp 1 (/ 6) (ret true) (bernoulli (5 / 6)).
Proof. intros u U. pose proof (U true). pose proof (U false). unfold bernoulli, mix, ret. lra. Qed.
Lemma sure_close t : 0 <= t -> dp_both (exp t) 0 (ret 0%nat) (ret 0%nat).
Proof. intros T. pose proof (exp_ineq1_le t). split; intros u U; specialize (U 0%nat); unfold ret; nra. Qed.

(* What is computed of a private release alone is private. *)
Lemma private_image {I A B : Type} E d (domain : I -> Prop) near (mechanism : I -> law A) (f : A -> B) :
  private E d domain near mechanism -> private E d domain near (fun x => image f (mechanism x)).
Proof.
  intros [L P]. split.
  - intros x X. destruct (L x X). split; [apply image_measure | apply image_total]; auto.
  - intros x y X Y N. destruct (P x y X Y N). split; apply image_holds; auto.
Qed.
Lemma keep_heavy_holds n M epsilon : 0 <= epsilon -> (forall c, (c <= n)%nat -> measure (M c) /\ total (M c)) ->
  (forall c, (S c <= n)%nat -> dp_both (exp (epsilon / 2)) 0 (M c) (M (S c))) ->
  private (exp epsilon) 0 (counts_at_most n) one_label (fun x => image (keep_heavy n) (basic M x)).
Proof. intros. apply private_image, basic_holds; auto. Qed.
