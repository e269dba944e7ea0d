(* Sample-and-threshold: Theorem 2 for one bin and for histograms, Lemma 3's constant, and the program. *)
From Coq Require Import Reals Lra Lia Arith ZArith List.
From DP.definitions Require Import Laws Programs Sampling.
From DP.facts Require Import Laws Programs.
Import ListNotations.
Open Scope R_scope.

(* The law of how many people are sampled. *)
Section Rate.
Variable p : R.
Hypothesis rate : 0 < p < 1.

Lemma sampled_finite k : finite (sampled p k).
Proof. induction k; cbn; [apply ret_finite | apply mix_finite; auto using image_finite; lra]. Qed.
Lemma sampled_total k : total (sampled p k).
Proof. induction k as [|k IH]; cbn; [reflexivity | apply mix_total; auto using image_total]. Qed.
Lemma sampled_support k u v : (forall i, (i <= k)%nat -> u i <= v i) -> sampled p k u <= sampled p k v.
Proof.
  revert u v. induction k as [|k IH]; cbn; intros u v H; [apply H; auto|]. unfold mix, image.
  apply Rplus_le_compat; apply Rmult_le_compat_l; try lra; apply IH; intros; apply H; lia.
Qed.
(* (k + 1 - v) P(k + 1, v) = (k + 1) (1 - p) P(k, v). *)
Lemma one_more_person k g : sampled p (S k) (fun v => (INR (S k) - INR v) * g v) = INR (S k) * (1 - p) * sampled p k g.
Proof.
  revert g. induction k as [|k IH]; intros g; [cbn; unfold mix, image, ret; cbn; ring|].
  remember (S k) as n. cbn [sampled]. unfold mix at 1, image. rewrite (S_INR n). assert (F := sampled_finite n).
  rewrite (agree _ (fun v => (INR n + 1 - INR (S v)) * g (S v)) (fun v => (INR n - INR v) * g (S v)) F) by (intros v; rewrite (S_INR v); ring).
  rewrite (agree _ (fun v => (INR n + 1 - INR v) * g v) (fun v => (INR n - INR v) * g v + g v) F) by (intros v; ring).
  rewrite (sums _ F), (IH (fun v => g (S v))), IH. subst n. cbn [sampled]. unfold mix, image. ring.
Qed.
Lemma low_event tau : event (low tau).
Proof. intros v. unfold low. destruct (tau <=? v)%nat; lra. Qed.
Lemma fewer_with_more k tau : sampled p (S k) (low tau) <= sampled p k (low tau).
Proof.
  cbn. unfold mix, image. assert (sampled p k (fun v => low tau (S v)) <= sampled p k (low tau)); [|nra].
  apply (order _ (sampled_finite k)). intros v. unfold low. destruct (Nat.leb_spec tau (S v)), (Nat.leb_spec tau v); try lra; lia.
Qed.
Lemma generating k l : sampled p k (fun v => exp (l * INR v)) = (1 - p + p * exp l) ^ k.
Proof.
  assert (F := sampled_finite). induction k as [|k IH]; cbn [sampled pow].
  - unfold ret. cbn. rewrite Rmult_0_r. apply exp_0.
  - unfold mix, image. rewrite IH. rewrite (agree _ _ (fun v => exp l * exp (l * INR v)) (F k)), (products _ (F k)), IH; [ring|].
    intros v. rewrite <- exp_plus, S_INR. f_equal. ring.
Qed.

(* The constants of Theorem 2. *)
Variable epsilon : R.
Hypothesis enough : exp (- epsilon) <= 1 - p.
Let q := raised p epsilon.
Let E := exp epsilon.
Lemma ratio_at_least : 1 <= E * (1 - p).
Proof. pose proof (exp_inverse epsilon). pose proof (exp_pos epsilon). unfold E in *. nra. Qed.
Lemma ratio_is_more : 1 <= E.
Proof. pose proof ratio_at_least. pose proof (exp_pos epsilon). unfold E in *. nra. Qed.
Lemma epsilon_not_negative : 0 <= epsilon.
Proof. apply Rnot_lt_le. intros H. pose proof ratio_is_more. pose proof (exp_increasing epsilon 0 H). rewrite exp_0 in *. unfold E in *. lra. Qed.
Lemma raised_range : p <= q < 1.
Proof. unfold q, raised. pose proof (exp_pos (- epsilon)). nra. Qed.
Lemma raised_other : (1 - q) * E = 1 - p.
Proof.
  unfold q, raised, E. replace (1 - (1 - exp (- epsilon) * (1 - p))) with (exp (- epsilon) * (1 - p)) by ring.
  pose proof (exp_inverse epsilon). nra.
Qed.
Lemma ln_of_other : ln ((1 - q) / (1 - p)) = - epsilon.
Proof. rewrite <- (ln_exp (- epsilon)). f_equal. unfold q, raised. field. lra. Qed.
Lemma ln_from_below x : 0 < x -> 1 - / x <= ln x.
Proof.
  intros H. pose proof (exp_ineq1_le (ln (/ x))) as N. rewrite exp_ln, ln_Rinv in N by auto using Rinv_0_lt_compat. lra.
Qed.
Lemma divergence_not_negative : 0 <= divergence q p.
Proof.
  pose proof raised_range. unfold divergence.
  assert (A := ln_from_below (q / p) ltac:(apply Rdiv_lt_0_compat; lra)).
  assert (B := ln_from_below ((1 - q) / (1 - p)) ltac:(apply Rdiv_lt_0_compat; lra)).
  apply (Rmult_le_compat_l q) in A; [|lra]. apply (Rmult_le_compat_l (1 - q)) in B; [|lra].
  replace (q * (1 - / (q / p))) with (q - p) in A by (field; lra).
  replace ((1 - q) * (1 - / ((1 - q) / (1 - p)))) with (p - q) in B by (field; lra). lra.
Qed.
Lemma ln_of_ratio : 0 <= ln (q / p).
Proof.
  pose proof raised_range. rewrite <- ln_1. apply ln_le; [lra|]. apply (Rmult_le_reg_r p); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(* Pr[B(k, p) >= tau and B(k, p) > k q] <= exp(-(tau/q) D(q||p)), by the mean of e^(l B) at l = ln(q/p) + epsilon. *)
Let l := ln (q / p) + epsilon.
Let most (tau k : nat) := Rmax (INR tau) (INR k * q).
Lemma tilted k : (1 - p + p * exp l) ^ k = exp (INR k * epsilon).
Proof.
  pose proof raised_range. unfold l. rewrite exp_pow, exp_plus, exp_ln by (apply Rdiv_lt_0_compat; lra). f_equal.
  pose proof raised_other. fold E. replace (1 - p + p * (q / p * E)) with (1 - p + q * E) by (field; lra). lra.
Qed.
Lemma above_is_tilted tau k v : above tau (INR k * q) v <= exp (- (l * most tau k)) * exp (l * INR v).
Proof.
  pose proof ln_of_ratio. pose proof epsilon_not_negative. rewrite <- exp_plus. unfold above.
  destruct (Nat.leb_spec tau v) as [T|_]; [|left; apply exp_pos]. destruct (Rlt_dec (INR k * q) (INR v)) as [K|_]; [|left; apply exp_pos].
  apply le_INR in T. assert (most tau k <= INR v) by (unfold most; apply Rmax_lub; lra).
  rewrite <- exp_0 at 1. apply exp_le. unfold l in *. nra.
Qed.
Lemma tilted_exponent tau k : - (l * most tau k) + INR k * epsilon <= - (INR tau / q * divergence q p).
Proof.
  pose proof raised_range. pose proof epsilon_not_negative. pose proof ln_of_ratio. pose proof divergence_not_negative as N.
  assert (D : divergence q p = q * l - epsilon) by (unfold divergence, l; rewrite ln_of_other; ring). rewrite D in *.
  set (t := INR tau / q). assert (T : INR tau = t * q) by (unfold t; field; lra).
  unfold most. apply Rmax_case_strong; intros M; rewrite T in *.
  - assert (INR k <= t) by (apply (Rmult_le_reg_r q); lra). nra.
  - assert (t <= INR k) by (apply (Rmult_le_reg_r q); lra). nra.
Qed.
Lemma chernoff_holds k tau : sampled p k (above tau (INR k * q)) <= chernoff_delta p epsilon tau.
Proof.
  apply Rle_trans with (sampled p k (fun v => exp (- (l * most tau k)) * exp (l * INR v))).
  - apply (order _ (sampled_finite k)). intros v. apply above_is_tilted.
  - rewrite (products _ (sampled_finite k)), generating, tilted, <- exp_plus. apply exp_le, tilted_exponent.
Qed.

(* A person less. *)
Lemma removed_holds k tau : dp E 0 (sample_threshold p tau k) (sample_threshold p tau (S k)).
Proof.
  intros u U. unfold sample_threshold, image. set (w := fun v => u (cut tau v)). cbn. unfold mix, image.
  assert (W : event w) by (intros v; apply U). assert (M := finite_is_measure _ (sampled_finite k)).
  pose proof (within _ w M W). pose proof (within _ (fun v => w (S v)) M (fun v => W (S v))).
  pose proof ratio_at_least. pose proof (exp_pos epsilon). unfold E in *.
  set (x := sampled p k w) in *. set (y := sampled p k (fun v => w (S v))) in *.
  assert (0 <= exp epsilon * p * y) by (apply Rmult_le_pos; nra). nra.
Qed.
(* A person more: outcomes from tau on, and the outcome 0. *)
Definition high (tau : nat) (u : nat -> R) (v : nat) : R := if (tau <=? v)%nat then u v else 0.
Lemma cut_in_two tau n u : sampled p n (fun v => u (cut tau v)) = sampled p n (high tau u) + u O * sampled p n (low tau).
Proof.
  assert (F := sampled_finite n). rewrite <- (products _ F), <- (sums _ F). apply agree; auto.
  intros v. unfold cut, high, low. destruct (tau <=? v)%nat; lra.
Qed.
Lemma low_part k tau x : 0 <= x -> x * sampled p (S k) (low tau) <= E * (x * sampled p k (low tau)).
Proof.
  intros X. pose proof (fewer_with_more k tau). pose proof ratio_is_more.
  pose proof (within _ _ (finite_is_measure _ (sampled_finite k)) (low_event tau)).
  assert (0 <= x * sampled p k (low tau)) by (apply Rmult_le_pos; lra).
  apply Rle_trans with (x * sampled p k (low tau)); [apply Rmult_le_compat_l; lra | nra].
Qed.
Lemma excess_at k tau u v : event u -> (v <= S k)%nat ->
  high tau u v - (INR (S k) - INR v) * (/ (INR (S k) * (1 - q)) * high tau u v) <= above tau (INR (S k) * q) v.
Proof.
  intros U V. apply le_INR in V. unfold high, above. destruct (Nat.leb_spec tau v); [|lra]. specialize (U v). pose proof raised_range.
  assert (Z : 0 < INR (S k)) by (apply lt_0_INR; lia). assert (P : 0 < INR (S k) * (1 - q)) by (apply Rmult_lt_0_compat; lra).
  set (d := INR (S k) * (1 - q)) in *.
  replace (u v - (INR (S k) - INR v) * (/ d * u v)) with (u v * ((INR v - INR (S k) * q) / d)) by (unfold d; field; lra).
  destruct (Rlt_dec (INR (S k) * q) (INR v)).
  - assert (0 <= (INR v - INR (S k) * q) / d <= 1); [|nra]. split.
    + apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; auto].
    + apply (Rmult_le_reg_r d); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. unfold d. lra.
  - assert (0 < / d) by (apply Rinv_0_lt_compat; auto). assert ((INR v - INR (S k) * q) / d <= 0) by (unfold Rdiv; nra). nra.
Qed.
Lemma high_part k tau u : event u ->
  sampled p (S k) (high tau u) - E * sampled p k (high tau u) <= sampled p (S k) (above tau (INR (S k) * q)).
Proof.
  intros U. assert (F := sampled_finite (S k)). pose proof raised_range. assert (Z : 0 < INR (S k)) by (apply lt_0_INR; lia).
  assert (N : E * sampled p k (high tau u) = sampled p (S k) (fun v => (INR (S k) - INR v) * (/ (INR (S k) * (1 - q)) * high tau u v))).
  { rewrite one_more_person, (products _ (sampled_finite k)), <- raised_other. field. split; lra. }
  rewrite N, <- differences by auto. apply sampled_support. intros v V. apply excess_at; auto.
Qed.
Lemma bad_event_holds k tau : dp E (sampled p (S k) (above tau (INR (S k) * q))) (sample_threshold p tau (S k)) (sample_threshold p tau k).
Proof.
  intros u U. unfold sample_threshold, image. rewrite !cut_in_two.
  pose proof (low_part k tau (u O) ltac:(apply U)). pose proof (high_part k tau u U). lra.
Qed.
Lemma added_holds k tau : dp E (chernoff_delta p epsilon tau) (sample_threshold p tau (S k)) (sample_threshold p tau k).
Proof. intros u U. pose proof (bad_event_holds k tau u U). pose proof (chernoff_holds (S k) tau) as C. fold q in C. lra. Qed.
Lemma sample_threshold_finite tau k : finite (sample_threshold p tau k).
Proof. apply image_finite, sampled_finite. Qed.
Lemma sample_threshold_total tau k : total (sample_threshold p tau k).
Proof. apply image_total, sampled_total. Qed.
Lemma theorem_2_holds tau k : dp_both E (chernoff_delta p epsilon tau) (sample_threshold p tau k) (sample_threshold p tau (S k)).
Proof.
  split; [|apply added_holds]. apply (weaker_holds E E 0); auto using removed_holds, finite_is_measure, sample_threshold_finite; [lra|].
  left. apply exp_pos.
Qed.
End Rate.

(* Histograms: lists of counts, one of which differs by one. *)
Lemma map_forall {A B : Type} (P : B -> Prop) (f : A -> B) l : (forall x, P (f x)) -> Forall P (map f l).
Proof. intros H. induction l; cbn; auto. Qed.
Lemma histogram_holds p epsilon tau : 0 < p < 1 -> exp (- epsilon) <= 1 - p ->
  private (exp epsilon) (chernoff_delta p epsilon tau) (fun _ => True) one_apart (histogram p tau).
Proof.
  intros P H. assert (M : forall k, measure (sample_threshold p tau k)) by (intros; apply finite_is_measure, sample_threshold_finite, P).
  assert (T := sample_threshold_total p tau). assert (Pos : 0 <= chernoff_delta p epsilon tau) by (left; apply exp_pos). split.
  - intros x _. split; [apply every_measure, map_forall, M | apply every_total; apply map_forall; auto].
  - assert (Way : forall x y, one_more x y -> dp_both (exp epsilon) (chernoff_delta p epsilon tau) (histogram p tau x) (histogram p tau y)).
    { intros x y []. unfold histogram. rewrite !map_app. cbn [map]. destruct (theorem_2_holds p P epsilon H tau k).
      assert (0 <= exp epsilon) by (left; apply exp_pos). split; apply coordinate_holds; auto; apply map_forall; auto. }
    intros x y _ _ [N|N]; [apply Way; auto | destruct (Way y x N); split; auto].
Qed.

(* Lemma 3. *)
Lemma below_sinh x : 0 <= x -> 2 * x <= exp x - exp (- x).
Proof.
  intros H. set (f := fun t => sinh t - t). assert (D : derivable f) by (intros t; unfold f; reg).
  assert (I : increasing f).
  { apply (nonneg_derivative_1 f D). intros t. rewrite (derive_pt_eq_0 f t (cosh t - 1)).
    - unfold cosh. pose proof (exp_ineq1_le t). pose proof (exp_ineq1_le (- t)). lra.
    - apply derivable_pt_lim_minus; [apply derivable_pt_lim_sinh | apply derivable_pt_lim_id]. }
  specialize (I 0 x H). unfold f, sinh in I. rewrite Ropp_0, exp_0 in I. lra.
Qed.
Section Lemma3.
Variables alpha epsilon : R.
Hypothesis range : 0 < alpha <= 1.
Hypothesis some : 0 < epsilon.
Let y := exp (- epsilon).
Let p := rate alpha epsilon.
Let q := raised p epsilon.
Lemma y_range : 0 < y < 1.
Proof. unfold y. split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing. lra. Qed.
Lemma rate_range : 0 < p < 1.
Proof. pose proof y_range. unfold p, rate. fold y. nra. Qed.
Lemma rate_is_enough : exp (- epsilon) <= 1 - p.
Proof. pose proof y_range. unfold p, rate. fold y. nra. Qed.
Lemma raised_factors : q = (1 - y) * (1 + alpha * y).
Proof. unfold q, raised, p, rate. fold y. ring. Qed.
Lemma raised_is_positive : 0 < q.
Proof. pose proof y_range. rewrite raised_factors. apply Rmult_lt_0_compat; nra. Qed.
(* The polynomial inequality in alpha and y behind the constant. *)
Lemma in_polynomials : (1 + y) * ((1 - alpha + alpha * y) * (1 + alpha)) <= 2 * (1 + alpha * y).
Proof.
  pose proof y_range. assert (0 <= (1 - y) * (1 + alpha * y)) by (apply Rmult_le_pos; nra).
  assert (0 <= alpha * alpha * ((1 - y) * (1 + y))) by (repeat apply Rmult_le_pos; lra). nra.
Qed.
Lemma epsilon_at_most : epsilon * (1 - q) * (1 + alpha) <= q.
Proof.
  pose proof y_range as Y. rewrite raised_factors. set (s := (1 - alpha + alpha * y) * (1 + alpha)).
  assert (0 <= s) by (unfold s; apply Rmult_le_pos; nra).
  assert (S : 2 * epsilon * y <= 1 - y * y).
  { pose proof (below_sinh epsilon ltac:(lra)) as B. pose proof (exp_inverse epsilon) as I. fold y in B, I. nra. }
  replace (epsilon * (1 - (1 - y) * (1 + alpha * y)) * (1 + alpha)) with (/ 2 * (2 * epsilon * y * s)) by (unfold s; field).
  assert (2 * epsilon * y * s <= (1 - y * y) * s) by (apply Rmult_le_compat_r; auto).
  assert ((1 - y) * ((1 + y) * s) <= (1 - y) * (2 * (1 + alpha * y))) by (apply Rmult_le_compat_l; [lra | apply in_polynomials]). nra.
Qed.
Lemma divergence_over_q : divergence q p / q = ln ((1 + alpha * y) * / alpha) - epsilon * (1 - q) * / q.
Proof.
  pose proof y_range. pose proof rate_range. pose proof raised_is_positive. unfold divergence, q.
  rewrite ln_of_other by apply rate_range. fold q.
  replace (q / p) with ((1 + alpha * y) * / alpha); [field; lra|]. rewrite raised_factors. unfold p, rate. fold y. field. lra.
Qed.
Lemma constant_at_most : constant_of alpha <= divergence q p / q.
Proof.
  pose proof y_range. pose proof raised_is_positive. rewrite divergence_over_q. unfold constant_of.
  assert (IA : 0 < / alpha) by (apply Rinv_0_lt_compat; lra).
  assert (ln (/ alpha) <= ln ((1 + alpha * y) * / alpha)) by (apply ln_le; [auto|]; rewrite <- (Rmult_1_l (/ alpha)) at 1; apply Rmult_le_compat_r; nra).
  assert (epsilon * (1 - q) * / q <= / (1 + alpha)); [|lra].
  apply (Rmult_le_reg_r q); auto. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply (Rmult_le_reg_l (1 + alpha)); [lra|]. replace ((1 + alpha) * (/ (1 + alpha) * q)) with q by (field; lra).
  pose proof epsilon_at_most. lra.
Qed.
Lemma lemma_3_holds tau : chernoff_delta p epsilon tau <= exp (- (constant_of alpha * INR tau)).
Proof.
  unfold chernoff_delta. fold q. apply exp_le. pose proof constant_at_most. pose proof (pos_INR tau).
  replace (INR tau / q * divergence q p) with (divergence q p / q * INR tau) by (unfold Rdiv; ring). nra.
Qed.
End Lemma3.

(* The program. *)
Lemma kept_is_sampled a b k u : (0 < a < b)%Z -> run (kept a b k) u = sampled (IZR a / IZR b) k u.
Proof.
  intros H. assert (F := sampled_finite (IZR a / IZR b) (fraction a b H)). revert u.
  induction k as [|k IH]; intros u; [reflexivity|]. cbn [kept sampled]. rewrite run_and_then. unfold bind. rewrite IH. unfold mix, image.
  rewrite (agree _ _ (fun v => IZR a / IZR b * u (S v) + (1 - IZR a / IZR b) * u v) (F k)) by (intros v; rewrite coin by lia; reflexivity).
  rewrite (sums _ (F k)), !(products _ (F k)). reflexivity.
Qed.
Lemma bin_holds a b tau k u : (0 < a < b)%Z -> run (bin a b tau k) u = sample_threshold (IZR a / IZR b) tau k u.
Proof. intros H. unfold bin, sample_threshold. rewrite run_and_then. unfold bind. rewrite kept_is_sampled by auto. reflexivity. Qed.
(* What the deltas say. *)
Lemma lemma_3_private alpha epsilon : 0 < alpha <= 1 -> 0 < epsilon -> forall tau k,
  dp_both (exp epsilon) (exp (- (constant_of alpha * INR tau)))
    (sample_threshold (rate alpha epsilon) tau k) (sample_threshold (rate alpha epsilon) tau (S k)).
Proof.
  intros A P tau k. pose proof (rate_range alpha epsilon A P) as Q. pose proof (lemma_3_holds alpha epsilon A P tau).
  destruct (theorem_2_holds _ Q epsilon (rate_is_enough alpha epsilon A P) tau k).
  split; eapply weaker_holds; eauto using finite_is_measure, sample_threshold_finite; lra.
Qed.
Lemma lemma_3_of_histograms alpha epsilon tau : 0 < alpha <= 1 -> 0 < epsilon ->
  private (exp epsilon) (exp (- (constant_of alpha * INR tau))) (fun _ => True) one_apart (histogram (rate alpha epsilon) tau).
Proof.
  intros A P. destruct (histogram_holds (rate alpha epsilon) epsilon tau) as [L D]; auto using rate_range, rate_is_enough.
  split; [exact L|]. intros x y X Y N. destruct (D x y X Y N). pose proof (lemma_3_holds alpha epsilon A P tau).
  split; eapply weaker_holds; eauto using Rle_refl; apply L; auto.
Qed.
Lemma constant_range alpha : 0 < alpha <= 1 -> ln (/ alpha) - 1 <= constant_of alpha <= ln (/ alpha) - / 2.
Proof.
  intros A. unfold constant_of. assert (/ 2 <= / (1 + alpha)) by (apply Rinv_le_contravar; lra).
  assert (/ (1 + alpha) <= / 1) by (apply Rinv_le_contravar; lra). rewrite Rinv_1 in *. lra.
Qed.
Lemma ln_strictly x : 0 < x -> x <> 1 -> 1 - / x < ln x.
Proof.
  intros P N. assert (I : 0 < / x) by (apply Rinv_0_lt_compat; auto).
  assert (ln (/ x) <> 0). { intros H. rewrite ln_Rinv in H by auto. apply N. rewrite <- (exp_ln x) by auto. replace (ln x) with 0 by lra. apply exp_0. }
  pose proof (exp_ineq1 (ln (/ x)) H) as E. rewrite exp_ln, ln_Rinv in E by auto. lra.
Qed.
Lemma delta_below_one p epsilon tau : 0 < p < 1 -> exp (- epsilon) < 1 - p -> (1 <= tau)%nat -> chernoff_delta p epsilon tau < 1.
Proof.
  intros P H T. unfold chernoff_delta. rewrite <- exp_0. apply exp_increasing. set (q := raised p epsilon).
  assert (Q : p < q < 1) by (unfold q, raised; pose proof (exp_pos (- epsilon)); nra).
  assert (D : 0 < divergence q p).
  { unfold divergence. assert (A := ln_strictly (q / p) ltac:(apply Rdiv_lt_0_compat; lra)).
    assert (B := ln_from_below ((1 - q) / (1 - p)) ltac:(apply Rdiv_lt_0_compat; lra)).
    assert (N : q / p <> 1) by (intros E; apply (f_equal (fun t => t * p)) in E; unfold Rdiv in E; rewrite Rmult_assoc, Rinv_l in E by lra; lra).
    specialize (A N). apply (Rmult_lt_compat_l q) in A; [|lra]. apply (Rmult_le_compat_l (1 - q)) in B; [|lra].
    replace (q * (1 - / (q / p))) with (q - p) in A by (field; lra).
    replace ((1 - q) * (1 - / ((1 - q) / (1 - p)))) with (p - q) in B by (field; lra). lra. }
  apply (le_INR 1) in T. cbn in T. assert (0 < INR tau / q) by (apply Rdiv_lt_0_compat; lra). nra.
Qed.

(* One count: the mass of v. *)
Lemma masses_hold p k v : 0 < p < 1 -> (INR (S k) - INR v) * sampled p (S k) (just v) = INR (S k) * (1 - p) * sampled p k (just v).
Proof.
  intros P. rewrite <- (one_more_person p P k (just v)), <- (products _ (sampled_finite p P (S k))).
  apply agree; [apply sampled_finite, P|]. intros i. unfold just. destruct (Nat.eqb_spec i v) as [->|]; ring.
Qed.
Lemma tails_hold p k tau : 0 < p < 1 -> sampled p k (fun v => 1 - low tau v) <= sampled p (S k) (fun v => 1 - low tau v).
Proof.
  intros P. assert (M : forall n, measure (sampled p n)) by (intros; apply finite_is_measure, sampled_finite, P).
  rewrite !of_complement by auto using sampled_total, low_event. pose proof (fewer_with_more p P k tau). lra.
Qed.
Lemma worst_at_zero p k v : 0 < p < 1 -> (v < k)%nat -> 1 - p <= (1 - p) * INR k / (INR k - INR v).
Proof.
  intros P V. apply lt_INR in V. pose proof (pos_INR v). unfold Rdiv. rewrite Rmult_assoc.
  rewrite <- (Rmult_1_r (1 - p)) at 1. apply Rmult_le_compat_l; [lra|].
  apply (Rmult_le_reg_r (INR k - INR v)); [lra|]. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Lemma at_zero_holds p epsilon k : 0 < p < 1 -> (1 <= k)%nat ->
  (exp (- epsilon) <= 1 - p <-> forall v, (v < k)%nat -> exp (- epsilon) <= (1 - p) * INR k / (INR k - INR v)) /\
  (forall v, (v < k)%nat -> (1 - p) * INR k / (INR k - INR 0) <= (1 - p) * INR k / (INR k - INR v)).
Proof.
  intros P K. apply le_INR in K as K'. cbn in K'. assert (Z : (1 - p) * INR k / (INR k - INR 0) = 1 - p) by (cbn; field; lra). split; [split|].
  - intros H v V. pose proof (worst_at_zero p k v P V). lra.
  - intros H. specialize (H 0%nat ltac:(lia)). lra.
  - intros v V. rewrite Z. apply worst_at_zero; auto.
Qed.
Lemma cut_off_holds p epsilon k v : 0 < p < 1 -> (v < k)%nat ->
  (1 - p) * INR k / (INR k - INR v) <= exp epsilon <-> INR v <= INR k * raised p epsilon.
Proof.
  intros P V. apply lt_INR in V. pose proof (exp_inverse epsilon) as I. pose proof (exp_pos (- epsilon)) as Y. unfold raised.
  assert (Z : 0 < INR k - INR v) by lra. set (y := exp (- epsilon)) in *. set (E := exp epsilon) in *.
  assert (S : (1 - p) * INR k / (INR k - INR v) <= E <-> (1 - p) * INR k <= E * (INR k - INR v)).
  { split; intros H.
    - apply (Rmult_le_compat_r (INR k - INR v)) in H; [|lra]. unfold Rdiv in H. rewrite Rmult_assoc, Rinv_l, Rmult_1_r in H by lra. exact H.
    - apply (Rmult_le_reg_r (INR k - INR v)); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact H. }
  rewrite S. assert (T : y * (E * (INR k - INR v)) = INR k - INR v) by (rewrite <- Rmult_assoc, I; ring). split; intros H.
  - apply (Rmult_le_compat_l y) in H; [|lra]. lra.
  - apply (Rmult_le_reg_l y); auto. lra.
Qed.
Lemma raised_between p epsilon : 0 < p < 1 -> 0 < epsilon -> p < raised p epsilon < 1 /\ 1 - raised p epsilon = (1 - p) * exp (- epsilon).
Proof.
  intros P H. pose proof (exp_pos (- epsilon)). assert (exp (- epsilon) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
  unfold raised. split; [|ring]. nra.
Qed.

(* Chernoff's bound for any share q above the rate, by the mean of z^B at z = q (1 - p)/(p (1 - q)). *)
Lemma chernoff_general p q k : 0 < p < 1 -> p < q < 1 ->
  sampled p k (at_least_share (INR k * q)) <= exp (- (INR k * divergence q p)).
Proof.
  intros P Q. set (l := ln (q / p) - ln ((1 - q) / (1 - p))). assert (A : 0 < q / p) by (apply Rdiv_lt_0_compat; lra).
  assert (B : 0 < (1 - q) / (1 - p)) by (apply Rdiv_lt_0_compat; lra).
  assert (L : 0 <= l).
  { assert (0 <= ln (q / p)) by (rewrite <- ln_1; apply ln_le; [lra|]; apply (Rmult_le_reg_r p); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
    assert (ln ((1 - q) / (1 - p)) <= 0); [|unfold l; lra]. rewrite <- ln_1. apply ln_le; auto.
    apply (Rmult_le_reg_r (1 - p)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  apply Rle_trans with (sampled p k (fun v => exp (- (l * (INR k * q))) * exp (l * INR v))).
  - apply (order _ (sampled_finite p P k)). intros v. rewrite <- exp_plus. unfold at_least_share.
    destruct (Rle_dec (INR k * q) (INR v)); [|left; apply exp_pos]. rewrite <- exp_0 at 1. apply exp_le. nra.
  - rewrite (products _ (sampled_finite p P k)), (generating p P).
    assert (X : exp l = q / p / ((1 - q) / (1 - p))).
    { unfold l. unfold Rminus at 1. rewrite exp_plus, exp_Ropp, !exp_ln by auto. reflexivity. }
    assert (M : 1 - p + p * exp l = exp (- ln ((1 - q) / (1 - p)))).
    { rewrite X, exp_Ropp, exp_ln by auto. field. lra. }
    rewrite M, <- exp_pow, <- exp_plus. apply exp_le. right. unfold l, divergence. ring.
Qed.

(* The rate of Lemma 3 and what follows from it. *)
Lemma solved_holds alpha epsilon : 0 < alpha <= 1 -> 0 < epsilon ->
  exp epsilon = alpha / (alpha - rate alpha epsilon) /\ rate alpha epsilon <= alpha * epsilon /\
  (epsilon <= 1 -> alpha * epsilon / 2 <= rate alpha epsilon).
Proof.
  intros A P. pose proof (y_range epsilon P) as Y. pose proof (exp_inverse epsilon) as I. unfold rate. split; [|split].
  - replace (alpha - alpha * (1 - exp (- epsilon))) with (alpha * exp (- epsilon)) by ring.
    apply (Rmult_eq_reg_r (alpha * exp (- epsilon))); [|nra]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by nra. nra.
  - pose proof (exp_ineq1_le (- epsilon)). apply Rmult_le_compat_l; lra.
  - intros L. pose proof (exp_ineq1_le epsilon). assert (exp (- epsilon) <= 1 - epsilon / 2).
    { apply (Rmult_le_reg_r (exp epsilon)); [apply exp_pos|]. rewrite I.
      apply Rle_trans with ((1 - epsilon / 2) * (1 + epsilon)); [nra|]. apply Rmult_le_compat_l; lra. }
    unfold Rdiv. rewrite Rmult_assoc. apply Rmult_le_compat_l; lra.
Qed.
Lemma threshold_holds alpha epsilon delta tau k : 0 < alpha <= 1 -> 0 < epsilon -> 0 < constant_of alpha -> 0 < delta ->
  ln (/ delta) / constant_of alpha <= INR tau ->
  dp_both (exp epsilon) delta (sample_threshold (rate alpha epsilon) tau k) (sample_threshold (rate alpha epsilon) tau (S k)).
Proof.
  intros A P C D T. destruct (lemma_3_private alpha epsilon A P tau k) as [X Y].
  assert (L : exp (- (constant_of alpha * INR tau)) <= delta).
  { rewrite <- (exp_ln delta) by auto. apply exp_le. apply (Rmult_le_compat_r (constant_of alpha)) in T; [|lra].
    unfold Rdiv in T. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, ln_Rinv in T by lra. lra. }
  split; eapply weaker_holds; eauto using finite_is_measure, sample_threshold_finite, rate_range; lra.
Qed.
Lemma forms_hold alpha epsilon : 0 < alpha <= 1 -> 0 < epsilon ->
  let y := exp (- epsilon) in let p := rate alpha epsilon in let q := raised p epsilon in
  q = (1 - y) * (1 + alpha * y) /\ q / p = (1 + alpha * y) / alpha /\ (1 - p) / (1 - q) = exp epsilon /\
  divergence q p = q * ln ((1 + alpha * y) / alpha) - epsilon * (1 - q) /\
  (1 - q) / q = (1 - alpha + alpha * y) / ((exp epsilon - 1) * (1 + alpha * y)).
Proof.
  intros A P y p q. pose proof (y_range epsilon P) as Y. fold y in Y. pose proof (rate_range alpha epsilon A P) as Pr. fold p in Pr.
  pose proof (raised_is_positive alpha epsilon A P) as Q0. fold p q in Q0. pose proof (raised_factors alpha epsilon) as F. fold p q y in F.
  pose proof (divergence_over_q alpha epsilon A P) as D. fold p q y in D. pose proof (exp_inverse epsilon) as I. fold y in I.
  assert (E0 : exp epsilon = / y) by (apply (Rmult_eq_reg_l y); [rewrite I, Rinv_r; lra | lra]).
  split; [exact F|]. split; [rewrite F; unfold p, rate; fold y; field; lra|]. split.
  - rewrite E0. replace (1 - q) with (y * (1 - p)) by (unfold q, raised; fold y; ring). field. lra.
  - split.
    + apply (f_equal (fun t => t * q)) in D. replace (divergence q p / q * q) with (divergence q p) in D by (field; lra). rewrite D.
      unfold Rdiv. field. lra.
    + rewrite E0, F. field. repeat split; nra.
Qed.

(* A threshold of 1 is enough for e^-1 at alpha = e^-2. *)
Lemma example_constant : 1 <= constant_of (exp (- 2)).
Proof.
  unfold constant_of. rewrite ln_Rinv, ln_exp by apply exp_pos. pose proof (exp_pos (- 2)).
  assert (/ (1 + exp (- 2)) <= / 1) by (apply Rinv_le_contravar; lra). rewrite Rinv_1 in *. lra.
Qed.
Lemma example_of_threshold : (0 < exp (- 2) <= 1) /\ 0 < 1 /\ 0 < constant_of (exp (- 2)) /\ 0 < exp (- 1) /\
  ln (/ exp (- 1)) / constant_of (exp (- 2)) <= INR 1.
Proof.
  pose proof example_constant as C. pose proof (exp_pos (- 2)). pose proof (exp_pos (- 1)).
  assert (exp (- 2) <= 1) by (rewrite <- exp_0; apply exp_le; lra). repeat split; auto; try lra.
  rewrite ln_Rinv, ln_exp by auto. apply (Rmult_le_reg_r (constant_of (exp (- 2)))); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. cbn. lra.
Qed.
