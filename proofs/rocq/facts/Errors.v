(* The mean error of a clipped sum lies between the bound of Equation 4 and half of it. *)
From Coq Require Import Reals Lra Lia List.
From DP.definitions Require Import Laws Users Clipping Errors.
From DP.facts Require Import Laws Users Clipping.
Import ListNotations.
Open Scope R_scope.

Lemma one_error v b : 0 <= v -> 0 <= b -> v <= (Rabs (v - b) + Rabs (v + b)) / 2 /\ b <= (Rabs (v - b) + Rabs (v + b)) / 2 <= v + b.
Proof. intros V B. rewrite (Rabs_pos_eq (v + b)) by lra. unfold Rabs. destruct (Rcase_abs (v - b)); lra. Qed.
Lemma errors_between_holds m z gone s e : noise_law m z -> (forall j, 0 <= gone j) -> noise_size m z s -> mean_error m z gone e ->
  s <= e /\ sum_below m gone <= e <= sum_below m gone + s.
Proof.
  intros N G (size & S & ->) (err & E & ->). assert (Each : forall j, (j < m)%nat -> size j <= err j /\ gone j <= err j <= gone j + size j).
  { intros j J. destruct (N j J) as [P One]. specialize (S j J). specialize (E j J).
    assert (B : forall i, snd (z j i) <= (Rabs (snd (z j i) - gone j) + Rabs (snd (z j i) + gone j)) / 2 /\
      gone j <= (Rabs (snd (z j i) - gone j) + Rabs (snd (z j i) + gone j)) / 2 <= snd (z j i) + gone j) by (intros i; apply one_error; [apply P | apply G]).
    pose proof (limit_scaled (gone j) _ _ One) as L. rewrite Rmult_1_r in L. split; [|split].
    - eapply limit_order; [| exact S | exact E]. intros n. apply sum_le. intros i _. apply Rmult_le_compat_l; [apply P | apply B].
    - eapply limit_order; [| exact L | exact E]. intros n. cbn beta. rewrite <- sum_scale. apply sum_le. intros i _. rewrite Rmult_comm. apply Rmult_le_compat_l; [apply P | apply B].
    - eapply limit_order; [| exact E | exact (CV_plus _ _ _ _ L S)]. intros n. cbn beta. rewrite <- sum_scale, <- sum_plus. apply sum_le. intros i _.
      replace (gone j * fst (z j i) + fst (z j i) * snd (z j i)) with (fst (z j i) * (snd (z j i) + gone j)) by ring. apply Rmult_le_compat_l; [apply P | apply B]. }
  split; [|split; [|rewrite <- sum_plus]]; apply sum_le; intros j J; apply Each; auto.
Qed.

(* What is taken from all counts is, user by user, the weight times what the norm exceeds C by. *)
Lemma share_of_user norm m h C : 0 <= C -> 0 <= norm m h -> norm_1 m h = norm_1 m h / norm m h * norm m h ->
  sum_below m (fun j => h j - h j * Rmin 1 (C / norm m h)) = hinge C (user_of norm m h).
Proof.
  intros HC N W. rewrite (sum_ext _ _ (fun j => (1 - Rmin 1 (C / norm m h)) * h j)), sum_scale by (intros; ring). fold (norm_1 m h). unfold hinge, user_of. cbn [fst snd].
  rewrite W at 1. destruct (Req_dec (norm m h) 0) as [Z|Z].
  - rewrite Z, Rmult_0_r, (Rmax_right (0 - C)) by lra. ring.
  - assert (P : 0 < / norm m h) by (apply Rinv_0_lt_compat; lra). destruct (Rle_dec (norm m h) C) as [L|L].
    + rewrite Rmin_left, Rmax_right by (lra || (apply (Rmult_le_reg_r (norm m h)); [lra | unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra])). ring.
    + rewrite Rmin_right, Rmax_left by (lra || (apply (Rmult_le_reg_r (norm m h)); [lra | unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra])). field. auto.
Qed.
Lemma taken_not_negative norm m users C j : Forall counted users -> 0 <= taken_at norm m users C j.
Proof.
  intros F. induction F as [|h users H _ IH]; cbn; [lra|]. pose proof (H j). pose proof (Rmin_l 1 (C / norm m h)).
  fold (taken_at norm m users C j). assert (h j * Rmin 1 (C / norm m h) <= h j * 1) by (apply Rmult_le_compat_l; auto). lra.
Qed.
Lemma taken_in_all norm m users C : 0 <= C -> (forall h, In h users -> 0 <= norm m h /\ norm_1 m h = norm_1 m h / norm m h * norm m h) ->
  sum_below m (taken_at norm m users C) = lost (map (user_of norm m) users) C.
Proof.
  intros HC W. induction users as [|h users IH]; [unfold taken_at; cbn [fold_right]; rewrite sum_constant; cbn; ring|].
  change (taken_at norm m (h :: users) C) with (fun j => (h j - h j * Rmin 1 (C / norm m h)) + taken_at norm m users C j).
  change (lost (map (user_of norm m) (h :: users)) C) with (hinge C (user_of norm m h) + lost (map (user_of norm m) users) C). rewrite (sum_plus m (fun j => h j - h j * Rmin 1 (C / norm m h)) (fun j => taken_at norm m users C j)).
  destruct (W h (or_introl eq_refl)). rewrite share_of_user by auto. f_equal. apply IH. intros k K. apply W. right. exact K.
Qed.

(* In l1 and in l2 the weights are those of counts. *)
Definition fits (norm : nat -> (nat -> R) -> R) := forall m h, counted h -> 0 <= norm m h /\ norm_1 m h = norm_1 m h / norm m h * norm m h.
Lemma positive_norm_1 m h : counted h -> 0 <= norm_1 m h.
Proof. intros H. apply sum_not_negative. auto. Qed.
Lemma fits_1 : fits norm_1.
Proof.
  intros m h H. pose proof (positive_norm_1 m h H). split; auto. destruct (Req_dec (norm_1 m h) 0) as [-> | Z]; [ring | field; auto].
Qed.
Lemma fits_2 : fits norm_2.
Proof.
  intros m h H. split; [apply sqrt_pos|]. destruct (Req_dec (norm_2 m h) 0) as [Z | Z]; [|field; auto]. rewrite Z, Rmult_0_r. unfold norm_1.
  unfold norm_2 in Z. apply sqrt_eq_0 in Z; [|apply sum_not_negative; intros; apply pow2_ge_0]. rewrite (sum_ext _ _ (fun _ => 0)), sum_constant; [ring|].
  intros j J. assert (Q : h j ^ 2 <= sum_below m (fun j => h j ^ 2)) by (apply (sum_at_least_one m (fun j => h j ^ 2)); auto; intros; apply pow2_ge_0). pose proof (pow2_ge_0 (h j)). nra.
Qed.
Lemma users_weigh norm m users : fits norm -> Forall counted users -> exists W, Forall (weighs_at_most W) (map (user_of norm m) users).
Proof.
  intros Fit F. induction F as [|h users H _ [W IH]]; [exists 0; constructor|]. exists (Rmax (norm_1 m h / norm m h) W). destruct (Fit m h H) as [P E]. cbn. constructor.
  - split; cbn; [|apply Rmax_l]. pose proof (positive_norm_1 m h H). destruct (Req_dec (norm m h) 0) as [-> | Z]; [unfold Rdiv; rewrite Rinv_0; lra|].
    apply Rmult_le_pos; auto. left. apply Rinv_0_lt_compat. lra.
  - revert IH. apply Forall_impl. intros x [X Y]. split; auto. eapply Rle_trans; [exact Y | apply Rmax_r].
Qed.
Section Thresholds.
Variables (norm : nat -> (nat -> R) -> R) (m : nat) (users : list (nat -> R)) (eta : R) (z : R -> noises) (Err : R -> R).
Hypothesis fit : fits norm.
Hypothesis counts : Forall counted users.
Hypothesis errors : errs norm m users eta z Err.
Lemma in_bounds C : 0 <= C -> Rmax (lost (map (user_of norm m) users) C) (eta * C) <= Err C <= error_bound (map (user_of norm m) users) eta C.
Proof.
  intros HC. destruct (errors C HC) as (N & S & E). destruct (errors_between_holds m (z C) _ _ _ N (fun j => taken_not_negative norm m users C j counts) S E) as (A & B & D).
  rewrite taken_in_all in B, D by (auto; intros h H; apply fit; rewrite Forall_forall in counts; auto). unfold error_bound. split; [apply Rmax_lub|]; auto.
Qed.
Lemma half_at_least C : 0 <= C -> error_bound (map (user_of norm m) users) eta C / 2 <= Err C.
Proof. intros HC. destruct (in_bounds C HC) as [M _]. unfold error_bound. pose proof (Rmax_l (lost (map (user_of norm m) users) C) (eta * C)). pose proof (Rmax_r (lost (map (user_of norm m) users) C) (eta * C)). lra. Qed.
Lemma rule_within_twice c C : 0 <= c -> 0 <= C -> weigh_users beyond (map (user_of norm m) users) c <= eta ->
  eta <= weigh_users onward (map (user_of norm m) users) c \/ c = 0 ->
  Err c <= error_bound (map (user_of norm m) users) eta c <= error_bound (map (user_of norm m) users) eta C /\ error_bound (map (user_of norm m) users) eta C <= 2 * Err C.
Proof.
  intros Hc HC B A. destruct (users_weigh norm m users fit counts) as [W F]. destruct (rule_is_enough W _ eta c F Hc B A) as [_ L].
  pose proof (half_at_least C HC). pose proof (in_bounds c Hc) as [_ U]. pose proof (L C HC). lra.
Qed.
End Thresholds.
(* The rule of Theorem 4.2: the greatest norm from which on the weight is at least eta. *)
Lemma weight_beyond_is_onward (users : list (R * R)) c : weigh_users beyond users c = 0 \/
  exists x, In x users /\ c < snd x /\ weigh_users beyond users c = weigh_users onward users (snd x).
Proof.
  assert (L : Forall (fun x => snd x <= c) users \/ exists x, In x users /\ c < snd x /\ forall y, In y users -> snd y <= c \/ snd x <= snd y).
  { induction users as [|u users [F|(x & I & P & M)]]; [left; constructor | |].
    - destruct (Rle_dec (snd u) c); [left; constructor; auto | right]. exists u. split; [left; auto|]. split; [lra|]. rewrite Forall_forall in F.
      intros y [<-|Y]; [right; lra | left; auto].
    - right. destruct (Rle_dec (snd u) c) as [H|H]; [|destruct (Rle_dec (snd u) (snd x)) as [K|K]].
      + exists x. split; [right; auto|]. split; auto. intros y [<-|Y]; auto.
      + exists u. split; [left; auto|]. split; [lra|]. intros y [<-|Y]; [right; lra|]. destruct (M y Y); [left | right]; lra.
      + exists x. split; [right; auto|]. split; auto. intros y [<-|Y]; [right; lra | auto]. }
  destruct L as [F|(x & I & P & M)].
  - left. induction F as [|u users H _ IH]; cbn; [reflexivity|]. unfold weigh_users in IH. rewrite IH. unfold beyond. destruct (Rlt_dec c (snd u)); lra.
  - right. exists x. split; auto. split; auto. clear I. induction users as [|u users IH]; cbn; [reflexivity|]. unfold weigh_users in IH. rewrite IH by (intros; apply M; right; auto).
    f_equal. unfold beyond, onward. destruct (M u (or_introl eq_refl)), (Rlt_dec c (snd u)), (Rle_dec (snd x) (snd u)); lra.
Qed.
Lemma greatest_norm_rule (users : list (R * R)) eta c : 0 <= eta -> (forall x, In x users -> c < snd x -> weigh_users onward users (snd x) < eta) -> weigh_users beyond users c <= eta.
Proof. intros E H. destruct (weight_beyond_is_onward users c) as [-> | (x & I & P & ->)]; auto. left. auto. Qed.

(* Lemma 4.1: in l1 every user of a norm above 0 has weight 1. *)
Lemma weight_of_user m h : counted h -> 0 < norm_1 m h -> fst (user_of norm_1 m h) = 1.
Proof. intros H P. cbn. field. lra. Qed.
Lemma counts_of_norms m users c : Forall counted users -> 0 <= c ->
  weigh_users beyond (map (user_of norm_1 m) users) c = INR (above_count c (map (norm_1 m) users)) /\
  (0 < c -> weigh_users onward (map (user_of norm_1 m) users) c = INR (from_count c (map (norm_1 m) users))).
Proof.
  intros F C. induction F as [|h users H _ [A B]]; [cbn; split; lra|]. pose proof (positive_norm_1 m h H) as P. split.
  - cbn [map weigh_users above_count fold_right]. unfold weigh_users, above_count in A. rewrite A. unfold beyond at 1. change (snd (user_of norm_1 m h)) with (norm_1 m h).
    destruct (Rlt_dec c (norm_1 m h)); [|lra]. rewrite weight_of_user, S_INR by (auto; lra). lra.
  - intros Q. specialize (B Q). cbn [map weigh_users from_count fold_right]. unfold weigh_users, from_count in B. rewrite B. unfold onward at 1. change (snd (user_of norm_1 m h)) with (norm_1 m h).
    destruct (Rle_dec c (norm_1 m h)); [|lra]. rewrite weight_of_user, S_INR by (auto; lra). lra.
Qed.
Lemma above_at_most_all c l : (above_count c l <= length l)%nat.
Proof. induction l as [|x l IH]; cbn; [lia|]. unfold above_count in IH. destruct (Rlt_dec c x); lia. Qed.
Lemma kth_rule m users eta k c : Forall counted users -> 0 <= c -> INR k - 1 < eta <= INR k -> kth_greatest k (map (norm_1 m) users) c ->
  weigh_users beyond (map (user_of norm_1 m) users) c <= eta /\ (eta <= weigh_users onward (map (user_of norm_1 m) users) c \/ c = 0).
Proof.
  intros F C E K. destruct (counts_of_norms m users c F C) as [A B]. rewrite A. assert (L : forall n, (n < k)%nat -> INR n <= eta).
  { intros n H. assert (INR (S n) <= INR k) by (apply le_INR; lia). rewrite S_INR in *. lra. }
  destruct K as [[X Y]|[Z X]].
  - split; [apply L; auto|]. destruct (Req_dec c 0); auto. left. rewrite B by lra. apply le_INR in Y. lra.
  - split; auto. apply L. pose proof (above_at_most_all c (map (norm_1 m) users)). lia.
Qed.
Lemma lemma_4_1_holds m users eta k z Err c : Forall counted users -> errs norm_1 m users eta z Err -> 0 <= c -> INR k - 1 < eta <= INR k ->
  kth_greatest k (map (norm_1 m) users) c -> forall C, 0 <= C -> Err c <= 2 * Err C.
Proof.
  intros F E Hc Hk K C HC. destruct (kth_rule m users eta k c F Hc Hk K) as [B A].
  destruct (rule_within_twice norm_1 m users eta z Err fits_1 F E c C Hc HC B A). lra.
Qed.
Lemma theorem_4_2_holds m users eta z Err c : Forall counted users -> errs norm_2 m users eta z Err -> 0 <= eta -> 0 <= c ->
  (eta <= weigh_users onward (map (user_of norm_2 m) users) c \/ c = 0) ->
  (forall h, In h users -> c < norm_2 m h -> weigh_users onward (map (user_of norm_2 m) users) (norm_2 m h) < eta) ->
  least_at (error_bound (map (user_of norm_2 m) users) eta) c /\ forall C, 0 <= C -> Err c <= 2 * Err C.
Proof.
  intros F E N Hc A G. assert (B : weigh_users beyond (map (user_of norm_2 m) users) c <= eta).
  { apply greatest_norm_rule; auto. intros x I. apply in_map_iff in I. destruct I as (h & <- & I). apply (G h I). }
  destruct (users_weigh norm_2 m users fits_2 F) as [W Weighs]. split; [apply (rule_is_enough W); auto|].
  intros C HC. destruct (rule_within_twice norm_2 m users eta z Err fits_2 F E c C Hc HC B A). lra.
Qed.
Lemma fits_either one : fits (norm_in one).
Proof. destruct one; [exact fits_1 | exact fits_2]. Qed.
Lemma taken_in_either one m users C : Forall counted users -> 0 <= C ->
  sum_below m (taken_at (norm_in one) m users C) = lost (map (user_of (norm_in one) m) users) C.
Proof. intros F HC. apply taken_in_all; auto. intros h H. apply fits_either. rewrite Forall_forall in F. auto. Qed.
Lemma equation_4_holds one m users eta z Err : Forall counted users -> errs (norm_in one) m users eta z Err -> forall C, 0 <= C ->
  error_bound (map (user_of (norm_in one) m) users) eta C / 2 <= Err C <= error_bound (map (user_of (norm_in one) m) users) eta C.
Proof.
  intros F E C HC. split; [eapply half_at_least; eauto using fits_either | apply (in_bounds (norm_in one) m users eta z Err (fits_either one) F E C HC)].
Qed.
Lemma formula_2_holds one m users eta z Err : Forall counted users -> errs (norm_in one) m users eta z Err -> forall c C, 0 <= c -> 0 <= C ->
  weigh_users beyond (map (user_of (norm_in one) m) users) c <= eta -> eta <= weigh_users onward (map (user_of (norm_in one) m) users) c \/ c = 0 ->
  Err c <= error_bound (map (user_of (norm_in one) m) users) eta c <= error_bound (map (user_of (norm_in one) m) users) eta C /\
  error_bound (map (user_of (norm_in one) m) users) eta C <= 2 * Err C.
Proof. intros F E. exact (rule_within_twice (norm_in one) m users eta z Err (fits_either one) F E). Qed.

(* Examples: noise of one size. *)
Definition sized (s : R) : noises := fun _ i => match i with O => (1, s) | S _ => (0, 0) end.
Lemma sized_sums s (f : R -> R) : Un_cv (fun n => sum_below n (fun i => fst (sized s 0%nat i) * f (snd (sized s 0%nat i)))) (f s).
Proof.
  intros e He. exists 1%nat. intros n Hn. destruct n as [|n]; [lia|]. rewrite sum_shift. cbn [sized fst snd].
  rewrite (sum_ext _ _ (fun _ => 0)), sum_constant by (intros; cbn; ring). unfold R_dist. replace (1 * f s + INR n * 0 - f s) with 0 by ring. rewrite Rabs_R0. exact He.
Qed.
Lemma sized_law m s : 0 <= s -> noise_law m (sized s).
Proof.
  intros P j _. split; [intros [|i]; cbn; lra|]. pose proof (sized_sums s (fun _ => 1)) as L. intros e He. destruct (L e He) as [N D]. exists N. intros n Hn.
  rewrite (sum_ext _ _ (fun i => fst (sized s 0%nat i) * 1)) by (intros; unfold sized; ring). apply D; auto.
Qed.
Lemma sized_mean m s : noise_size m (sized s) (INR m * s).
Proof. exists (fun _ => s). split; [intros j _; apply (sized_sums s (fun v => v)) | rewrite sum_constant; reflexivity]. Qed.
Lemma sized_error m s b : mean_error m (sized s) (fun _ => b) (INR m * ((Rabs (s - b) + Rabs (s + b)) / 2)).
Proof.
  exists (fun _ => (Rabs (s - b) + Rabs (s + b)) / 2). split; [|rewrite sum_constant; reflexivity]. intros j _. apply (sized_sums s (fun v => (Rabs (v - b) + Rabs (v + b)) / 2)).
Qed.
Lemma nobody_errs norm eta : 0 <= eta -> errs norm 1 [] eta (fun C => sized (eta * C)) (fun C => eta * C).
Proof.
  intros E C HC. assert (P : 0 <= eta * C) by (apply Rmult_le_pos; auto). split; [apply sized_law; auto|]. split.
  - pose proof (sized_mean 1 (eta * C)) as M. rewrite Rmult_1_l in M. exact M.
  - pose proof (sized_error 1 (eta * C) 0) as M. rewrite Rminus_0_r, Rplus_0_r, Rabs_pos_eq, Rmult_1_l in M by auto.
    replace ((eta * C + eta * C) / 2) with (eta * C) in M by field. exact M.
Qed.
