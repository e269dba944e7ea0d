(* user-level-histograms: the minimizer of a convex sum moves little, and where the bound on the error is least. *)
From Coq Require Import Reals Lra List.
From DP.definitions Require Import Users.
Import ListNotations.
Open Scope R_scope.

Lemma hinge_convex w nu c d t : 0 <= w -> 0 <= t <= 1 ->
  hinge ((1 - t) * c + t * d) (w, nu) <= (1 - t) * hinge c (w, nu) + t * hinge d (w, nu).
Proof.
  intros W T. unfold hinge. cbn [fst snd]. pose proof (Rmax_l (nu - c) 0). pose proof (Rmax_r (nu - c) 0).
  pose proof (Rmax_l (nu - d) 0). pose proof (Rmax_r (nu - d) 0). set (x := Rmax (nu - c) 0) in *. set (y := Rmax (nu - d) 0) in *.
  assert (Rmax (nu - ((1 - t) * c + t * d)) 0 <= (1 - t) * x + t * y) by (apply Rmax_lub; nra).
  replace ((1 - t) * (w * x) + t * (w * y)) with (w * ((1 - t) * x + t * y)) by ring. apply Rmult_le_compat_l; auto.
Qed.
Lemma hinge_between w nu c d : 0 <= w -> c <= d -> hinge d (w, nu) <= hinge c (w, nu) <= hinge d (w, nu) + w * (d - c).
Proof.
  intros W H. unfold hinge. cbn [fst snd]. assert (D : 0 <= Rmax (nu - c) 0 - Rmax (nu - d) 0 <= d - c).
  { unfold Rmax. destruct (Rle_dec (nu - c) 0), (Rle_dec (nu - d) 0); lra. }
  set (x := Rmax (nu - c) 0) in *. set (y := Rmax (nu - d) 0) in *. nra.
Qed.
Lemma lost_convex W users c d t : Forall (weighs_at_most W) users -> 0 <= t <= 1 ->
  lost users ((1 - t) * c + t * d) <= (1 - t) * lost users c + t * lost users d.
Proof.
  intros F T. induction F as [|[w nu] users [P _] F IH]; cbn [lost fold_right]; [lra|]. fold (lost users) in *.
  pose proof (hinge_convex w nu c d t P T). unfold lost in *. lra.
Qed.
Lemma regularized_grows W users eta lambda c d : Forall (weighs_at_most W) users -> 0 < lambda ->
  least_at (regularized users eta lambda) c -> 0 <= d -> lambda / 2 * (d - c) ^ 2 <= regularized users eta lambda d - regularized users eta lambda c.
Proof.
  intros F L [C M] D. set (g := regularized users eta lambda d - regularized users eta lambda c).
  assert (S : forall t, 0 < t <= 1 -> lambda / 2 * (1 - t) * (d - c) ^ 2 <= g).
  { intros t T. specialize (M ((1 - t) * c + t * d) ltac:(nra)). pose proof (lost_convex W users c d t F ltac:(lra)) as V.
    unfold g, regularized, error_bound in *. apply (Rmult_le_reg_l t); [lra|].
    replace (lambda / 2 * ((1 - t) * c + t * d) ^ 2) with ((1 - t) * (lambda / 2 * c ^ 2) + t * (lambda / 2 * d ^ 2) - lambda / 2 * (t * (1 - t)) * (d - c) ^ 2) in M by field.
    nra. }
  apply Rnot_lt_le. intros N. set (q := lambda / 2 * (d - c) ^ 2) in *.
  assert (Q : 0 <= q) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]).
  destruct (Rle_lt_dec q 0) as [Z|Z].
  - specialize (S 1 ltac:(lra)). assert (0 <= g) by lra. lra.
  - assert (G : 0 <= g) by (specialize (S 1 ltac:(lra)); lra). specialize (S ((q - g) / (2 * q))).
    assert (T : 0 < (q - g) / (2 * q) <= 1).
    { split; [apply Rdiv_lt_0_compat; lra|]. apply (Rmult_le_reg_r (2 * q)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    specialize (S T). replace (lambda / 2 * (1 - (q - g) / (2 * q)) * (d - c) ^ 2) with (q - (q - g) / 2) in S; [lra|].
    transitivity (q * (1 - (q - g) / (2 * q))); [field; lra | unfold q at 1; ring].
Qed.
Lemma lost_of_parts before x after c : lost (before ++ x :: after) c = lost before c + hinge c x + lost after c.
Proof. unfold lost. induction before as [|y before IH]; cbn [fold_right app]; [ring | rewrite IH; ring]. Qed.
Lemma one_user_between W x y c d : weighs_at_most W x -> weighs_at_most W y -> c <= d ->
  (hinge d x - hinge d y) - (hinge c x - hinge c y) <= W * (d - c).
Proof.
  destruct x as [w nu], y as [v mu]. intros [X Xw] [Y Yw] H. cbn [fst] in *.
  pose proof (hinge_between w nu c d X H). pose proof (hinge_between v mu c d Y H).
  assert (v * (d - c) <= W * (d - c)) by (apply Rmult_le_compat_r; lra). lra.
Qed.
Lemma minimizer_up W before after x y eta lambda c d : Forall (weighs_at_most W) (before ++ x :: after) ->
  Forall (weighs_at_most W) (before ++ y :: after) -> 0 < lambda -> c <= d ->
  least_at (regularized (before ++ x :: after) eta lambda) c -> least_at (regularized (before ++ y :: after) eta lambda) d ->
  lambda * (d - c) <= W.
Proof.
  intros F G L H M N. destruct (Rle_lt_or_eq_dec c d H) as [S|<-].
  - pose proof (regularized_grows W _ eta lambda c d F L M ltac:(apply N)) as Up.
    pose proof (regularized_grows W _ eta lambda d c G L N ltac:(apply M)) as Down.
    unfold regularized, error_bound in *. rewrite !lost_of_parts in *.
    assert (X : weighs_at_most W x) by (apply (proj1 (Forall_forall _ _) F), in_elt).
    assert (Y : weighs_at_most W y) by (apply (proj1 (Forall_forall _ _) G), in_elt).
    pose proof (one_user_between W x y c d X Y H). apply (Rmult_le_reg_r (d - c)); [lra|].
    replace (lambda * (d - c) * (d - c)) with (lambda / 2 * (d - c) ^ 2 + lambda / 2 * (c - d) ^ 2) by field. lra.
  - rewrite Rminus_diag_eq, Rmult_0_r by reflexivity.
    assert (X : weighs_at_most W x) by (apply (proj1 (Forall_forall _ _) F), in_elt). destruct X. lra.
Qed.
Lemma minimizer_holds W before after x y eta lambda c d : Forall (weighs_at_most W) (before ++ x :: after) ->
  Forall (weighs_at_most W) (before ++ y :: after) -> 0 < lambda ->
  least_at (regularized (before ++ x :: after) eta lambda) c -> least_at (regularized (before ++ y :: after) eta lambda) d ->
  Rabs (c - d) <= W / lambda.
Proof.
  intros F G L M N. apply (Rmult_le_reg_l lambda); auto. replace (lambda * (W / lambda)) with W by (field; lra).
  destruct (Rle_dec c d) as [H|H].
  - rewrite Rabs_minus_sym, Rabs_right by lra. exact (minimizer_up W before after x y eta lambda c d F G L H M N).
  - rewrite Rabs_right by lra. exact (minimizer_up W before after y x eta lambda d c G F L ltac:(lra) N M).
Qed.

(* Where the bound is least. *)
Lemma lost_falls W users c d : Forall (weighs_at_most W) users -> c <= d -> lost users d <= lost users c.
Proof.
  intros F H. unfold lost. induction F as [|[w nu] users [P _] F IH]; cbn [fold_right]; [lra|].
  pose proof (hinge_between w nu c d P H). lra.
Qed.
Lemma falls_at_most_beyond W users c d : Forall (weighs_at_most W) users -> c <= d -> lost users c - lost users d <= weigh_users beyond users c * (d - c).
Proof.
  intros F H. unfold lost, weigh_users. induction F as [|[w nu] users [P _] F IH]; cbn [fold_right]; [lra|]. cbn [fst] in P.
  assert (hinge c (w, nu) - hinge d (w, nu) <= beyond c (w, nu) * (d - c)); [|lra].
  unfold hinge, beyond. cbn [fst snd]. pose proof (Rmax_r (nu - d) 0). pose proof (Rmax_l (nu - d) 0). destruct (Rlt_dec c nu) as [L|L].
  - rewrite (Rmax_left (nu - c) 0) by lra. nra.
  - rewrite (Rmax_right (nu - c) 0) by lra. nra.
Qed.
Lemma grows_at_least_onward W users c d : Forall (weighs_at_most W) users -> weigh_users onward users c * (c - d) <= lost users d - lost users c.
Proof.
  intros F. unfold lost, weigh_users. induction F as [|[w nu] users [P _] F IH]; cbn [fold_right]; [lra|]. cbn [fst] in P.
  assert (onward c (w, nu) * (c - d) <= hinge d (w, nu) - hinge c (w, nu)); [|lra].
  unfold hinge, onward. cbn [fst snd]. pose proof (Rmax_r (nu - d) 0). pose proof (Rmax_l (nu - d) 0). destruct (Rle_dec c nu) as [L|L].
  - rewrite (Rmax_left (nu - c) 0) by lra. nra.
  - rewrite (Rmax_right (nu - c) 0) by lra. nra.
Qed.
Lemma rule_is_enough W users eta c : Forall (weighs_at_most W) users -> 0 <= c -> weigh_users beyond users c <= eta ->
  eta <= weigh_users onward users c \/ c = 0 -> least_at (error_bound users eta) c.
Proof.
  intros F C B A. split; auto. intros d D. unfold error_bound. destruct (Rle_dec c d) as [H|H].
  - pose proof (falls_at_most_beyond W users c d F H). nra.
  - destruct A as [A|A]; [|lra]. pose proof (grows_at_least_onward W users c d F). nra.
Qed.
(* Beside each threshold, on either side, there is room without a norm. *)
Lemma room_above (users : list (R * R)) c : exists d, c < d /\ Forall (fun x => snd x <= c \/ d <= snd x) users.
Proof.
  induction users as [|x users [d [H F]]]; [exists (c + 1); split; [lra | constructor]|].
  destruct (Rle_dec (snd x) c) as [L|L]; [exists d; split; auto|].
  exists (Rmin d (snd x)). split; [apply Rmin_glb_lt; lra|]. constructor; [right; apply Rmin_r|].
  apply (Forall_impl _ (fun y K => match K with or_introl A => or_introl A | or_intror B => or_intror (Rle_trans _ _ _ (Rmin_l _ _) B) end) F).
Qed.
Lemma room_below (users : list (R * R)) c : 0 < c -> exists d, 0 <= d < c /\ Forall (fun x => snd x <= d \/ c <= snd x) users.
Proof.
  intros P. induction users as [|x users [d [H F]]]; [exists 0; split; [lra | constructor]|].
  destruct (Rle_dec c (snd x)) as [L|L]; [exists d; split; auto|].
  exists (Rmax d (snd x)). split; [split; [apply Rle_trans with d; [apply H | apply Rmax_l] | apply Rmax_lub_lt; lra]|].
  constructor; [left; apply Rmax_r|].
  apply (Forall_impl _ (fun y K => match K with or_introl A => or_introl (Rle_trans _ _ _ A (Rmax_l _ _)) | or_intror B => or_intror B end) F).
Qed.
Lemma falls_beyond users c d : c < d -> Forall (fun x => snd x <= c \/ d <= snd x) users -> lost users c - lost users d = weigh_users beyond users c * (d - c).
Proof.
  intros H F. unfold lost, weigh_users. induction F as [|[w nu] users N F IH]; cbn [fold_right]; [lra|]. cbn [snd] in N.
  assert (hinge c (w, nu) - hinge d (w, nu) = beyond c (w, nu) * (d - c)); [|lra].
  unfold hinge, beyond. cbn [fst snd]. destruct (Rlt_dec c nu) as [L|L].
  - rewrite (Rmax_left (nu - c) 0), (Rmax_left (nu - d) 0) by (destruct N; lra). ring.
  - rewrite (Rmax_right (nu - c) 0), (Rmax_right (nu - d) 0) by lra. ring.
Qed.
Lemma grows_onward users c d : d < c -> Forall (fun x => snd x <= d \/ c <= snd x) users -> lost users d - lost users c = weigh_users onward users c * (c - d).
Proof.
  intros H F. unfold lost, weigh_users. induction F as [|[w nu] users N F IH]; cbn [fold_right]; [lra|]. cbn [snd] in N.
  assert (hinge d (w, nu) - hinge c (w, nu) = onward c (w, nu) * (c - d)); [|lra].
  unfold hinge, onward. cbn [fst snd]. destruct (Rle_dec c nu) as [L|L].
  - rewrite (Rmax_left (nu - c) 0), (Rmax_left (nu - d) 0) by lra. ring.
  - rewrite (Rmax_right (nu - c) 0), (Rmax_right (nu - d) 0) by (destruct N; lra). ring.
Qed.
Lemma rule_holds W users eta c : Forall (weighs_at_most W) users -> 0 <= c ->
  least_at (error_bound users eta) c <-> weigh_users beyond users c <= eta /\ (eta <= weigh_users onward users c \/ c = 0).
Proof.
  intros F C. split; [|intros [B A]; apply (rule_is_enough W); auto]. intros [_ M]. split.
  - destruct (room_above users c) as [d [H N]]. specialize (M d ltac:(lra)). unfold error_bound in M.
    pose proof (falls_beyond users c d H N). apply (Rmult_le_reg_r (d - c)); lra.
  - destruct (Rle_lt_or_eq_dec 0 c C) as [P|<-]; auto. left. destruct (room_below users c P) as [d [[D H] N]].
    specialize (M d D). unfold error_bound in M. pose proof (grows_onward users c d H N). apply (Rmult_le_reg_r (c - d)); lra.
Qed.
Lemma slopes_hold users eta c : (exists d, c < d /\ forall e, c < e <= d -> error_bound users eta e - error_bound users eta c = (eta - weigh_users beyond users c) * (e - c)) /\
  (0 < c -> exists d, 0 <= d < c /\ forall e, d <= e < c -> error_bound users eta c - error_bound users eta e = (eta - weigh_users onward users c) * (c - e)).
Proof.
  unfold error_bound. split.
  - destruct (room_above users c) as [d [H N]]. exists d. split; auto. intros e E.
    assert (K : Forall (fun x => snd x <= c \/ e <= snd x) users) by (revert N; apply Forall_impl; intros x [A|A]; [left; exact A | right; lra]).
    pose proof (falls_beyond users c e ltac:(lra) K). lra.
  - intros P. destruct (room_below users c P) as [d [H N]]. exists d. split; auto. intros e E.
    assert (K : Forall (fun x => snd x <= e \/ c <= snd x) users) by (revert N; apply Forall_impl; intros x [A|A]; [left; lra | right; exact A]).
    pose proof (grows_onward users c e ltac:(lra) K). lra.
Qed.
Lemma one_user_weighs : Forall (weighs_at_most 1) [(1, 2)].
Proof. constructor; [split; cbn; lra | constructor]. Qed.
Lemma example_is_least nu : nu <= 1 -> least_at (regularized ([] ++ (1, nu) :: []) 1 1) 0.
Proof.
  intros N. split; [lra|]. intros d D. unfold regularized, error_bound, lost, hinge. cbn [app fold_right fst snd].
  pose proof (Rmax_l (nu - d) 0). pose proof (Rmax_r (nu - d) 0). pose proof (Rmax_l nu 0). unfold Rmax at 1. destruct (Rle_dec (nu - 0) 0); nra.
Qed.
