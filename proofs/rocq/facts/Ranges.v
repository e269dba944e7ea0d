(* Sample-and-threshold: Appendix A's factors and limits, Lemma 7's cells, and Lemma 9's accuracy. *)
From Coq Require Import Reals Lra Lia Arith List.
From DP.definitions Require Import Laws Sampling Ranges.
From DP.facts Require Import Laws Sampling.
Import ListNotations.
Open Scope R_scope.

Lemma more_than_one e : 0 < e -> 1 < exp e.
Proof. intros P. pose proof (exp_ineq1 e ltac:(lra)). lra. Qed.
Lemma more_than_line e : 0 < e -> exp e * (1 - e) < 1.
Proof.
  intros P. pose proof (exp_ineq1 (- e) ltac:(lra)) as H. pose proof (exp_inverse e) as I. pose proof (exp_pos e).
  assert (exp e * (1 + - e) < exp e * exp (- e)) by (apply Rmult_lt_compat_l; auto). lra.
Qed.
Lemma first_factor_falls a b : 0 < a < b -> first_factor b < first_factor a.
Proof.
  intros [A B]. unfold first_factor. pose proof (more_than_one a A) as Ea. pose proof (more_than_one b ltac:(lra)) as Eb.
  apply (Rmult_lt_reg_r ((exp a - 1) * (exp b - 1))); [apply Rmult_lt_0_compat; lra|].
  replace (b / (exp b - 1) * ((exp a - 1) * (exp b - 1))) with (b * (exp a - 1)) by (field; lra).
  replace (a / (exp a - 1) * ((exp a - 1) * (exp b - 1))) with (a * (exp b - 1)) by (field; lra).
  pose proof (exp_ineq1 (b - a) ltac:(lra)) as X. pose proof (more_than_line a A) as L.
  replace (exp b) with (exp a * exp (b - a)) by (rewrite <- exp_plus; f_equal; ring).
  assert (a * (exp a * (1 + (b - a))) < a * (exp a * exp (b - a))) by (apply Rmult_lt_compat_l; [lra|]; apply Rmult_lt_compat_l; lra).
  assert (0 < (b - a) * (1 - exp a * (1 - a))) by (apply Rmult_lt_0_compat; lra). lra.
Qed.
Lemma second_factor_falls alpha a b : 0 < alpha <= 1 -> 0 < a < b -> second_factor alpha b < second_factor alpha a.
Proof.
  intros A [P B]. unfold second_factor. assert (exp (- b) < exp (- a)) by (apply exp_increasing; lra).
  pose proof (exp_pos (- b)). assert (alpha * exp (- b) < alpha * exp (- a)) by (apply Rmult_lt_compat_l; lra).
  assert (0 < alpha * exp (- b)) by (apply Rmult_lt_0_compat; lra).
  assert (/ (1 + alpha * exp (- a)) < / (1 + alpha * exp (- b))) by (apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; lra | lra]).
  assert (alpha / (1 + alpha * exp (- a)) < alpha / (1 + alpha * exp (- b))) by (unfold Rdiv; apply Rmult_lt_compat_l; lra). lra.
Qed.
Lemma factors_hold alpha a b : 0 < alpha <= 1 -> 0 < a < b ->
  first_factor b < first_factor a /\ second_factor alpha b < second_factor alpha a.
Proof. intros A B. split; [apply first_factor_falls | apply second_factor_falls]; auto. Qed.
Lemma subtracted_is alpha epsilon : 0 < alpha <= 1 -> 0 < epsilon ->
  subtracted alpha epsilon = first_factor epsilon * second_factor alpha epsilon.
Proof.
  intros A P. destruct (forms_hold alpha epsilon A P) as (_ & _ & _ & _ & F). unfold subtracted.
  unfold Rdiv at 1. rewrite Rmult_assoc. unfold Rdiv in F at 1. rewrite F. unfold first_factor, second_factor.
  pose proof (more_than_one epsilon P). pose proof (exp_pos (- epsilon)).
  assert (0 < alpha * exp (- epsilon)) by (apply Rmult_lt_0_compat; lra). field. lra.
Qed.
Lemma factor_ranges alpha epsilon : 0 < alpha <= 1 -> 0 < epsilon ->
  1 - epsilon <= first_factor epsilon <= 1 /\ 0 < first_factor epsilon /\
  / (1 + alpha) - epsilon <= second_factor alpha epsilon <= / (1 + alpha) /\ 0 < second_factor alpha epsilon.
Proof.
  intros A P. pose proof (more_than_one epsilon P) as Eb. pose proof (exp_ineq1 epsilon ltac:(lra)) as L.
  pose proof (exp_ineq1 (- epsilon) ltac:(lra)) as M. pose proof (exp_inverse epsilon) as I. pose proof (exp_pos (- epsilon)) as Y.
  assert (Y1 : exp (- epsilon) < 1) by (apply (Rmult_lt_reg_r (exp epsilon)); [apply exp_pos | lra]).
  pose proof (more_than_line epsilon P) as U. unfold first_factor, second_factor. set (y := exp (- epsilon)) in *. set (x := exp epsilon) in *.
  assert (S0 : 0 < alpha * y <= alpha) by nra. assert (F0 : 0 < epsilon / (x - 1)) by (apply Rdiv_lt_0_compat; lra).
  split; [split|split; [exact F0|split; [split|]]].
  - apply (Rmult_le_reg_r (x - 1)); [lra|]. replace (epsilon / (x - 1) * (x - 1)) with epsilon by (field; lra). nra.
  - apply (Rmult_le_reg_r (x - 1)); [lra|]. replace (epsilon / (x - 1) * (x - 1)) with epsilon by (field; lra). lra.
  - replace (1 - alpha / (1 + alpha * y)) with (/ (1 + alpha) - (1 - y) * (alpha * alpha * / ((1 + alpha) * (1 + alpha * y)))) by (field; lra).
    assert (B : alpha * alpha * / ((1 + alpha) * (1 + alpha * y)) <= 1).
    { apply (Rmult_le_reg_r ((1 + alpha) * (1 + alpha * y))); [nra|]. rewrite Rmult_assoc, Rinv_l by nra. nra. }
    assert (0 <= alpha * alpha * / ((1 + alpha) * (1 + alpha * y))) by (apply Rmult_le_pos; [nra | left; apply Rinv_0_lt_compat; nra]).
    nra.
  - replace (1 - alpha / (1 + alpha * y)) with (/ (1 + alpha) - (1 - y) * (alpha * alpha * / ((1 + alpha) * (1 + alpha * y)))) by (field; lra).
    assert (0 <= alpha * alpha * / ((1 + alpha) * (1 + alpha * y))) by (apply Rmult_le_pos; [nra | left; apply Rinv_0_lt_compat; nra]).
    nra.
  - replace (1 - alpha / (1 + alpha * y)) with ((1 - alpha + alpha * y) / (1 + alpha * y)) by (field; lra). apply Rdiv_lt_0_compat; lra.
Qed.
Lemma subtracted_near alpha epsilon : 0 < alpha <= 1 -> 0 < epsilon ->
  / (1 + alpha) - 2 * epsilon <= subtracted alpha epsilon <= / (1 + alpha).
Proof.
  intros A P. rewrite subtracted_is by auto. destruct (factor_ranges alpha epsilon A P) as (F & F0 & G & G0).
  set (f := first_factor epsilon) in *. set (g := second_factor alpha epsilon) in *.
  assert (L : / (1 + alpha) <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra). split; [|nra].
  destruct (Rle_dec epsilon 1); nra.
Qed.
Lemma subtracted_falls alpha a b : 0 < alpha <= 1 -> 0 < a < b -> subtracted alpha b < subtracted alpha a.
Proof.
  intros A B. rewrite !subtracted_is by (auto; lra). destruct (factors_hold alpha a b A B).
  destruct (factor_ranges alpha b A ltac:(lra)) as (_ & F0 & _ & G0). apply Rmult_gt_0_lt_compat; lra.
Qed.
Lemma subtracted_limit alpha : 0 < alpha <= 1 -> limit1_in (subtracted alpha) (fun e => 0 < e) (/ (1 + alpha)) 0.
Proof.
  intros A t T. exists (t / 3). split; [lra|]. intros e [P D]. cbn in *. unfold R_dist in *.
  rewrite Rminus_0_r, Rabs_pos_eq in D by lra. pose proof (subtracted_near alpha e A P). apply Rabs_def1; lra.
Qed.
(* Appendix A, the bound of Lemma 3. *)
Lemma bound_falls alpha a b tau : 0 < alpha <= 1 -> 0 < a < b -> 0 <= tau ->
  exp (- (tau * (ln (/ alpha) - subtracted alpha b))) <= exp (- (tau * (ln (/ alpha) - subtracted alpha a))) /\
  exp (- (tau * (ln (/ alpha) - subtracted alpha a))) <= exp (- (constant_of alpha * tau)).
Proof.
  intros A B T. pose proof (subtracted_falls alpha a b A B). pose proof (subtracted_near alpha a A ltac:(lra)).
  unfold constant_of. split; apply exp_le; nra.
Qed.
Lemma bound_limit alpha tau : 0 < alpha <= 1 -> 0 <= tau ->
  limit1_in (fun e => exp (- (tau * (ln (/ alpha) - subtracted alpha e)))) (fun e => 0 < e) (exp (- (constant_of alpha * tau))) 0.
Proof.
  intros A T t Ht. assert (C : continuity_pt (fun s => exp (- (tau * (ln (/ alpha) - s)))) (/ (1 + alpha))) by reg.
  destruct (C t Ht) as (d & D & N). destruct (subtracted_limit alpha A d D) as (r & Rr & M). exists r. split; [exact Rr|].
  intros e He. specialize (M e He). cbn in *. unfold R_dist in *.
  replace (constant_of alpha * tau) with (tau * (ln (/ alpha) - / (1 + alpha))) by (unfold constant_of; ring).
  destruct (Req_dec (subtracted alpha e) (/ (1 + alpha))) as [Q|Q]; [rewrite Q, Rminus_diag_eq, Rabs_R0 by reflexivity; exact Ht|].
  apply N. split; [|exact M]. split; [exact I | intros W; apply Q; symmetry; exact W].
Qed.
Lemma limit_holds alpha : 0 < alpha <= 1 ->
  (forall epsilon, 0 < epsilon -> subtracted alpha epsilon = first_factor epsilon * second_factor alpha epsilon) /\
  limit1_in (subtracted alpha) (fun epsilon => 0 < epsilon) (/ (1 + alpha)) 0.
Proof. intros A. split; [intros; apply subtracted_is; auto | apply subtracted_limit; auto]. Qed.
Lemma bound_holds alpha tau : 0 < alpha <= 1 -> 0 <= tau ->
  let bound := fun epsilon => exp (- (tau * (ln (/ alpha) - subtracted alpha epsilon))) in
  (forall a b, 0 < a < b -> bound b <= bound a <= exp (- (constant_of alpha * tau))) /\
  limit1_in bound (fun epsilon => 0 < epsilon) (exp (- (constant_of alpha * tau))) 0.
Proof. intros A T bound. split; [intros a b B; apply bound_falls; auto | apply bound_limit; auto]. Qed.
Lemma without_more_holds alpha epsilon tau : 0 < alpha <= 1 -> 0 < epsilon -> 0 <= tau ->
  exp (- (tau * (ln ((1 + alpha * exp (- epsilon)) / alpha) - subtracted alpha epsilon))) <=
    exp (- (tau * (ln (/ alpha) - subtracted alpha epsilon))).
Proof.
  intros A P T. assert (ln (/ alpha) <= ln ((1 + alpha * exp (- epsilon)) / alpha)).
  { pose proof (exp_pos (- epsilon)). assert (0 < / alpha) by (apply Rinv_0_lt_compat; lra). apply ln_le; auto.
    assert (0 <= alpha * exp (- epsilon)) by nra. unfold Rdiv. assert (0 <= alpha * exp (- epsilon) * / alpha) by (apply Rmult_le_pos; lra). lra. }
  apply exp_le. nra.
Qed.

(* Cells of two people: the same above the level from which digits differ, others from there on. *)
Lemma cells_common beta d e r l : (forall i, (i < r)%nat -> d i = e i) -> (l <= r)%nat -> cell beta d l = cell beta e l.
Proof. intros H. induction l as [|l IH]; intros L; [reflexivity|]. cbn. rewrite IH, H by lia. reflexivity. Qed.
Lemma digits_unique beta a b x y : (x < beta -> y < beta -> beta * a + x = beta * b + y -> a = b /\ x = y)%nat.
Proof. intros X Y H. assert (a = b); [|subst; lia]. destruct (Nat.lt_trichotomy a b) as [L|[L|L]]; auto; exfalso.
  - assert (beta * S a <= beta * b)%nat by (apply Nat.mul_le_mono_l; lia). lia.
  - assert (beta * S b <= beta * a)%nat by (apply Nat.mul_le_mono_l; lia). lia. Qed.
Lemma cells_apart beta d e r l : (forall i, (d i < beta)%nat /\ (e i < beta)%nat) -> d r <> e r -> (r < l)%nat -> cell beta d l <> cell beta e l.
Proof.
  intros H D L. induction L as [|l L IH]; cbn; intros Q; destruct (digits_unique beta _ _ _ _ (proj1 (H _)) (proj2 (H _)) Q); auto.
Qed.
Lemma cells_hold beta d e r : (forall i, (d i < beta)%nat /\ (e i < beta)%nat) -> (forall i, (i < r)%nat -> d i = e i) -> d r <> e r ->
  forall l, cell beta d l = cell beta e l <-> (l <= r)%nat.
Proof.
  intros H C D l. split; intros Q; [|apply (cells_common beta d e r); auto].
  destruct (le_lt_dec l r) as [|L]; auto. destruct (cells_apart beta d e r l H D L Q).
Qed.

(* What a threshold takes from the cells of a range. *)
Lemma taken_holds tau counts cells : (1 <= tau)%nat -> (length counts <= cells)%nat ->
  (list_sum (map (cut tau) counts) <= list_sum counts <= list_sum (map (cut tau) counts) + cells * (tau - 1))%nat.
Proof.
  intros T. revert cells. induction counts as [|v rest IH]; intros cells L; [split; [reflexivity | apply Nat.le_0_l]|]. cbn in L. destruct cells as [|cells]; [lia|].
  specialize (IH cells ltac:(lia)). change (list_sum (v :: rest)) with (v + list_sum rest)%nat.
  change (list_sum (map (cut tau) (v :: rest))) with (cut tau v + list_sum (map (cut tau) rest))%nat.
  assert (cut tau v <= v <= cut tau v + (tau - 1))%nat by (unfold cut; destruct (Nat.leb_spec tau v); lia). cbn [Nat.mul]. lia.
Qed.

(* The mean square of a range's sampled people about their mean. *)
Section Squares.
Variable p : R.
Hypothesis rate : 0 < p < 1.
Lemma sampled_square k a : sampled p k (fun v => (a + (INR v - p * INR k)) ^ 2) = a ^ 2 + p * (1 - p) * INR k.
Proof.
  revert a. assert (F := sampled_finite p rate). induction k as [|k IH]; intros a; [unfold sampled, ret; cbn [INR]; ring|].
  cbn [sampled]. unfold mix, image. rewrite S_INR.
  rewrite (agree _ (fun v => (a + (INR (S v) - p * (INR k + 1))) ^ 2) (fun v => (a + 1 - p + (INR v - p * INR k)) ^ 2) (F k)) by (intros v; rewrite S_INR; ring).
  rewrite (agree _ (fun v => (a + (INR v - p * (INR k + 1))) ^ 2) (fun v => (a - p + (INR v - p * INR k)) ^ 2) (F k)) by (intros v; ring).
  rewrite !IH. ring.
Qed.
Lemma every_finite {A : Type} (ps : list (law A)) : Forall finite ps -> finite (every ps).
Proof. induction 1; cbn; [apply ret_finite|]. apply bind_finite; auto. intros y. apply image_finite; auto. Qed.
Lemma samples_finite counts : finite (every (map (sampled p) counts)).
Proof. apply every_finite, map_forall. apply sampled_finite, rate. Qed.
Lemma samples_support counts u v : (forall l, length l = length counts -> u l <= v l) ->
  every (map (sampled p) counts) u <= every (map (sampled p) counts) v.
Proof.
  revert u v. induction counts as [|k rest IH]; intros u v H; [apply H; reflexivity|]. cbn [map every]. unfold bind, image.
  apply (order _ (sampled_finite p rate k)). intros x. apply IH. intros l L. apply H. cbn. rewrite L. reflexivity.
Qed.
Lemma range_square counts a :
  every (map (sampled p) counts) (fun l => (a + (INR (list_sum l) - p * INR (list_sum counts))) ^ 2) = a ^ 2 + p * (1 - p) * INR (list_sum counts).
Proof.
  revert a. induction counts as [|k rest IH]; intros a; [unfold every, ret; cbn; ring|].
  cbn [map every]. unfold bind, image. assert (F := sampled_finite p rate k). assert (G := samples_finite rest).
  change (list_sum (k :: rest)) with (k + list_sum rest)%nat. rewrite plus_INR.
  rewrite (agree _ _ (fun v => (a + (INR v - p * INR k)) ^ 2 + p * (1 - p) * INR (list_sum rest)) F).
  - rewrite (sums _ F), sampled_square, (constants _ _ F). pose proof (sampled_total p k) as T. unfold total in T. rewrite T. ring.
  - intros v. rewrite <- IH. apply agree; auto. intros l. change (list_sum (v :: l)) with (v + list_sum l)%nat. rewrite plus_INR. ring.
Qed.
Lemma histogram_is_cut tau counts u : histogram p tau counts u = every (map (sampled p) counts) (fun l => u (map (cut tau) l)).
Proof.
  unfold histogram. revert u. induction counts as [|k rest IH]; intros u; [reflexivity|]. cbn [map every]. unfold bind, image, sample_threshold.
  unfold image. apply agree; [apply sampled_finite, rate|]. intros v. rewrite IH. reflexivity.
Qed.
End Squares.

(* A range that is shown far from its share was sampled far from its mean. *)
Lemma far_is_square tau l cells n p k c : (1 <= tau)%nat -> (length l <= cells)%nat -> 0 < n -> 0 < p -> 0 < c -> let m := n * p in
  far (k / n) (INR cells * (INR tau - 1) / m + c / sqrt m) m (map (cut tau) l) <= / (c ^ 2 * m) * (0 + (INR (list_sum l) - p * k)) ^ 2.
Proof.
  intros T L N P C m. assert (M : 0 < m) by (unfold m; apply Rmult_lt_0_compat; lra). assert (Q : 0 < sqrt m) by (apply sqrt_lt_R0; auto).
  pose proof (sqrt_sqrt m ltac:(lra)) as Sq. assert (C2 : 0 < c ^ 2 * m) by (apply Rmult_lt_0_compat; [apply pow_lt|]; auto).
  destruct (taken_holds tau l cells T L) as [Less More]. apply le_INR in Less. apply le_INR in More.
  rewrite plus_INR, mult_INR, minus_INR in More by auto. cbn [INR] in More. unfold far. set (s := INR (list_sum (map (cut tau) l))) in *.
  set (w := INR (list_sum l)) in *. set (b := INR cells * (INR tau - 1)) in *. rewrite Rplus_0_l.
  pose proof (pow2_ge_0 (w - p * k)) as G. assert (I : 0 < / (c ^ 2 * m)) by (apply Rinv_0_lt_compat; auto).
  destruct (Rle_dec _ _) as [|Far]; [apply Rmult_le_pos; lra|].
  apply (Rmult_le_reg_l (c ^ 2 * m)); auto. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_r, Rmult_1_l by lra.
  apply Rnot_lt_le. intros Near. apply Far. clear Far.
  assert (W : Rabs (w - p * k) < c * sqrt m).
  { rewrite <- (Rabs_pos_eq (c * sqrt m)) by (apply Rmult_le_pos; lra). apply Rsqr_lt_abs_0. unfold Rsqr. nra. }
  apply Rabs_def2 in W. assert (B : 0 <= b) by (apply Rmult_le_pos; [apply pos_INR | apply le_INR in T; cbn in T; lra]).
  replace (s / m - k / n) with ((s - p * k) / m) by (unfold m; field; lra).
  set (r := sqrt m) in *. assert (Z : c / r = c * r / m) by (rewrite <- Sq; field; lra).
  replace (b / m + c / r) with ((b + c * r) / m) by (rewrite Z; field; lra).
  unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ m)) by (left; apply Rinv_0_lt_compat; auto).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto|]. apply Rabs_le. lra.
Qed.
(* Chebyshev: the shown weight of a range is near its share of the people. *)
Lemma accuracy_holds p tau counts n cells c : 0 < p < 1 -> (1 <= tau)%nat -> (length counts <= cells)%nat ->
  (list_sum counts <= n)%nat -> (0 < n)%nat -> 0 < c ->
  let m := INR n * p in
  histogram p tau counts (far (INR (list_sum counts) / INR n) (INR cells * (INR tau - 1) / m + c / sqrt m) m) <= / c ^ 2.
Proof.
  intros P T L K N C m. set (k := INR (list_sum counts)). assert (Hn : 0 < INR n) by (apply lt_0_INR; auto).
  assert (Hk : 0 <= k <= INR n) by (split; [apply pos_INR | apply le_INR; auto]).
  assert (M : 0 < m) by (unfold m; apply Rmult_lt_0_compat; lra). assert (Q : 0 < sqrt m) by (apply sqrt_lt_R0; auto).
  pose proof (sqrt_sqrt m ltac:(lra)) as Sq. rewrite histogram_is_cut by auto. assert (F := samples_finite p P counts).
  assert (C2 : 0 < c ^ 2) by (apply pow_lt; auto).
  apply Rle_trans with (every (map (sampled p) counts) (fun l => / (c ^ 2 * m) * (0 + (INR (list_sum l) - p * k)) ^ 2)).
  - apply samples_support; auto. intros l E. apply far_is_square; auto; try lra. rewrite E. exact L.
  - rewrite (products _ F). unfold k. rewrite range_square by auto. fold k.
    apply (Rmult_le_reg_l (c ^ 2 * m)); [nra|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by nra.
    replace (c ^ 2 * m * / c ^ 2) with m by (field; lra). unfold m. nra.
Qed.
