(* Two-sided geometric noise: it is a law, the limit of its sums, and of two centres that differ by one it is close. *)
From Coq Require Import Reals ZArith List Arith Lra Lia.
From DP.definitions Require Import Laws Chains TwoSided.
From DP.facts Require Import Laws GeoSample Chains.
Open Scope R_scope.

(* Integers in one row: laws on them are as close as their masses. *)
Definition place (z : Z) : nat := (2 * Z.abs_nat z + if (z <? 0)%Z then 1 else 0)%nat.
Definition at_place (i : nat) : Z := if Nat.odd i then (- Z.of_nat (Nat.div2 i))%Z else Z.of_nat (Nat.div2 i).
Lemma place_back z : at_place (place z) = z.
Proof.
  unfold at_place, place. destruct (Z.ltb_spec z 0).
  - rewrite Nat.add_1_r, Nat.odd_succ, Nat.even_mul, Nat.div2_succ_double. cbn [Nat.even orb]. lia.
  - rewrite Nat.add_0_r, Nat.odd_mul, Nat.div2_double. cbn [Nat.odd Nat.even negb andb]. lia.
Qed.
Lemma exactly_event z : event (exactly z).
Proof. intros y. unfold exactly. destruct (Z.eq_dec y z); lra. Qed.
Lemma by_masses E (p q : law Z) : 0 <= E -> measure p -> measure q -> (forall z, p (exactly z) <= E * q (exactly z)) -> dp E 0 p q.
Proof.
  intros E0 P Q H u U. rewrite Rplus_0_r.
  assert (Row : forall r, measure r -> r u = image place r (fun i => u (at_place i))).
  { intros r M. unfold image. apply (same r); auto; intros z; rewrite ?place_back; auto using U. }
  rewrite !Row by auto. apply bounded_by_outcomes; auto using image_measure; [intros i; apply U|]. intros i. right. unfold image.
  destruct (Nat.eq_dec (place (at_place i)) i) as [Same|No].
  - assert (At : forall r, measure r -> r (fun z => alone i (place z)) = r (exactly (at_place i))).
    { intros r M. apply (same r); auto using exactly_event; intros z; [apply alone_is_event|]. unfold alone, exactly.
      destruct (Nat.eqb_spec (place z) i) as [Z|Z], (Z.eq_dec z (at_place i)) as [Y|Y]; subst; rewrite ?place_back in *; congruence. }
    rewrite !At by auto. apply H.
  - assert (None : forall r, measure r -> r (fun z => alone i (place z)) = 0).
    { intros r M. rewrite <- (of_zero r M). apply (same r); auto using zero_is_event; intros z; [apply alone_is_event|]. unfold alone.
      destruct (Nat.eqb_spec (place z) i) as [<-|]; [rewrite place_back in No; contradiction | reflexivity]. }
    rewrite !None by auto. lra.
Qed.
Lemma geometric_steady a N : 0 < a < 1 -> noise_of_ratio a N -> steady (/ a) N.
Proof.
  intros A G c. destruct (G c) as (M & T & P), (G (c + 1)%Z) as (M' & T' & P'). split; [exact M|]. split; [exact T|].
  assert (W : 0 < (1 - a) / (1 + a)) by (apply Rdiv_lt_0_compat; lra).
  assert (Near : forall i j : nat, (i <= S j)%nat -> a ^ j <= / a * a ^ i).
  { intros i j H. apply (Rmult_le_reg_l a); [lra|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. change (a * a ^ j) with (a ^ S j).
    replace (S j) with (i + (S j - i))%nat by lia. rewrite pow_add. assert (0 < a ^ i) by (apply pow_lt; lra).
    assert (a ^ (S j - i) <= 1) by (rewrite <- (pow1 (S j - i)); apply pow_incr; lra). nra. }
  assert (0 <= / a) by (left; apply Rinv_0_lt_compat; lra). split; apply by_masses; auto; intros z; rewrite P, P', <- Rmult_assoc, (Rmult_comm (/ a)), Rmult_assoc; apply Rmult_le_compat_l; try lra; apply Near; lia.
Qed.
Lemma geometric_is_close r N : 1 < r -> noise_of_ratio (/ r) N -> steady r N.
Proof.
  intros H G. rewrite <- (Rinv_inv r). apply geometric_steady; auto. split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_lt_contravar; lra].
Qed.
Lemma steady_from_one E N : steady E N -> 1 <= E.
Proof.
  intros S. destruct (S 0%Z) as (M & T & [C _]), (S 1%Z) as (M' & T' & _). pose proof (signs_hold E 0 _ _ M M' T T' C). lra.
Qed.

(* A law whose n-th part is a finite law of its own: the parts rise, and their masses have the limit 1. *)
Section Limit.
Context {A : Type} (part : nat -> law A).
Hypothesis parts_finite : forall n, finite (part n).
Hypothesis parts_rise : forall n u, event u -> part n u <= part (S n) u.
Definition bounded (u : A -> R) (x : A) : R := Rmax 0 (Rmin 1 (u x)).
Lemma bounded_event u : event (bounded u).
Proof. intros x. unfold bounded. split; [apply Rmax_l|]. apply Rmax_lub; [lra | apply Rmin_l]. Qed.
Lemma bounded_same u : event u -> forall x, bounded u x = u x.
Proof. intros U x. specialize (U x). unfold bounded. rewrite Rmin_right, Rmax_right; lra. Qed.
Lemma part_measure n : measure (part n).
Proof. apply finite_is_measure, parts_finite. Qed.
Lemma two_sided_grow u : Un_growing (fun n => part n (bounded u)).
Proof. intros n. apply parts_rise, bounded_event. Qed.
Lemma has_bound u : has_ub (fun n => part n (bounded u)).
Proof. exists 1. intros x [n ->]. apply (within (part n)); [apply part_measure | apply bounded_event]. Qed.
Definition limit_of_finite : law A := fun u => proj1_sig (growing_cv _ (two_sided_grow u) (has_bound u)).
Lemma limit_is u : event u -> Un_cv (fun n => part n u) (limit_of_finite u).
Proof.
  intros U. unfold limit_of_finite. destruct (growing_cv _ (two_sided_grow u) (has_bound u)) as [l L]. cbn [proj1_sig].
  intros e He. destruct (L e He) as [n H]. exists n. intros k K. specialize (H k K). rewrite (agree (part k) u (bounded u)); auto.
  intros x. symmetry. apply bounded_same. exact U.
Qed.
Lemma part_under_limit n u : event u -> part n u <= limit_of_finite u.
Proof.
  intros U. apply (growing_ineq (fun n => part n u)); [intros m; apply parts_rise; exact U | apply limit_is; exact U].
Qed.
Lemma limit_at_most u c : event u -> (forall n, part n u <= c) -> limit_of_finite u <= c.
Proof.
  intros U H. apply Rnot_lt_le. intros L. destruct (limit_is u U (limit_of_finite u - c) ltac:(lra)) as [n D]. specialize (D n (Nat.le_refl _)).
  apply Rabs_def2 in D. specialize (H n). lra.
Qed.
Lemma limit_measure : measure limit_of_finite.
Proof.
  split.
  - intros u v U V W. apply (UL_sequence (fun n => part n (fun x => u x + v x))); [apply limit_is; exact W|].
    intros e He. destruct (CV_plus _ _ _ _ (limit_is u U) (limit_is v V) e He) as [n H]. exists n. intros k K. rewrite (sums (part k)) by apply parts_finite. apply H. exact K.
  - intros c u C U. apply (UL_sequence (fun n => part n (fun x => c * u x))); [apply limit_is, scaled_is_event; auto|].
    intros e He. destruct (limit_scaled c _ _ (limit_is u U) e He) as [n H]. exists n. intros k K. rewrite (products (part k)) by apply parts_finite. apply H. exact K.
  - intros u v U V H. apply limit_at_most; auto. intros n. apply Rle_trans with (part n v); [|apply part_under_limit; exact V].
    apply (order (part n)); [apply parts_finite | exact H].
  - apply limit_at_most; [apply one_is_event|]. intros n. apply (at_most_one (part n)). apply parts_finite.
  - intros u v U V Rise Cv. assert (Mono : Un_growing (fun n => limit_of_finite (u n))).
    { intros n. apply limit_at_most; auto. intros m. apply Rle_trans with (part m (u (S n))); [|apply part_under_limit; apply U].
      apply (order (part m)); [apply parts_finite | intros x; apply Rise]. }
    assert (Below : forall n x, u n x <= v x) by (intros n x; apply (growing_ineq (fun k => u k x)); [intros k; apply Rise | apply Cv]).
    assert (Bound : forall n, limit_of_finite (u n) <= limit_of_finite v).
    { intros n. apply limit_at_most; auto. intros m. apply Rle_trans with (part m v); [|apply part_under_limit; exact V].
      apply (order (part m)); [apply parts_finite | intros x; apply Below]. }
    intros e He. destruct (limit_is v V (e / 2) ltac:(lra)) as [m Hm]. specialize (Hm m (Nat.le_refl _)). apply Rabs_def2 in Hm.
    destruct (limits (part m) (parts_finite m) u v Cv (e / 2) ltac:(lra)) as [n Hn]. exists n. intros k K. specialize (Hn k K). apply Rabs_def2 in Hn.
    pose proof (part_under_limit m (u k) (U k)). pose proof (Bound k). unfold R_dist. rewrite Rabs_left1; lra.
Qed.
End Limit.

(* Noise of either sign alike: f j at the distance j. Its part is that of the numbers within n of c. *)
Section EitherSide.
Variable f : nat -> R.
Hypothesis positive : forall j, 0 <= f j.
Hypothesis masses_converge : Un_cv (fun n => f O + 2 * sum_below n (fun j => f (S j))) 1.
Definition either_side_part (c : Z) (n : nat) : law Z := fun u =>
  f O * u c + sum_below n (fun j => f (S j) * (u (c + Z.of_nat (S j))%Z + u (c - Z.of_nat (S j))%Z)).
Lemma part_mass c n : either_side_part c n (fun _ => 1) = f O + 2 * sum_below n (fun j => f (S j)).
Proof. unfold either_side_part. rewrite <- sum_scale, Rmult_1_r. f_equal. apply sum_ext. intros. ring. Qed.
Lemma mass_at_most_one n : f O + 2 * sum_below n (fun j => f (S j)) <= 1.
Proof.
  apply (growing_ineq (fun n => f O + 2 * sum_below n (fun j => f (S j)))); [|exact masses_converge].
  intros m. cbn [sum_below]. pose proof (positive (S m)). lra.
Qed.
Lemma either_side_finite c n : finite (either_side_part c n).
Proof.
  split.
  - intros u v. unfold either_side_part. rewrite (sum_ext n (fun j => _ * (u _ + v _ + (u _ + v _)))
      (fun j => f (S j) * (u (c + Z.of_nat (S j))%Z + u (c - Z.of_nat (S j))%Z) + f (S j) * (v (c + Z.of_nat (S j))%Z + v (c - Z.of_nat (S j))%Z))) by (intros; ring).
    rewrite sum_plus. ring.
  - intros k u. unfold either_side_part. rewrite (sum_ext n (fun j => _ * (k * u _ + k * u _)) (fun j => k * (f (S j) * (u (c + Z.of_nat (S j))%Z + u (c - Z.of_nat (S j))%Z)))) by (intros; ring).
    rewrite sum_scale. ring.
  - intros u v L. unfold either_side_part. apply Rplus_le_compat; [apply Rmult_le_compat_l; auto|]. apply sum_le. intros j _.
    apply Rmult_le_compat_l; [apply positive | apply Rplus_le_compat; apply L].
  - rewrite part_mass. apply mass_at_most_one.
  - intros u v L. unfold either_side_part. apply (CV_plus (fun k => f O * u k c)); [apply limit_scaled, L|].
    apply sum_limit. intros j. apply limit_scaled. apply CV_plus; apply L.
Qed.
Lemma either_side_rises c n u : event u -> either_side_part c n u <= either_side_part c (S n) u.
Proof.
  intros U. unfold either_side_part. cbn [sum_below]. destruct (U (c + Z.of_nat (S n))%Z), (U (c - Z.of_nat (S n))%Z).
  assert (0 <= f (S n) * (u (c + Z.of_nat (S n))%Z + u (c - Z.of_nat (S n))%Z)) by (apply Rmult_le_pos; auto; lra). lra.
Qed.
Definition either_side (c : Z) : law Z := limit_of_finite (either_side_part c) (either_side_finite c) (either_side_rises c).
Lemma either_side_total c : total (either_side c).
Proof.
  apply (UL_sequence (fun n => either_side_part c n (fun _ => 1))); [apply limit_is, one_is_event|].
  intros e He. destruct (masses_converge e He) as [n H]. exists n. intros k K. rewrite part_mass. apply H. exact K.
Qed.
Lemma one_term n (g : nat -> R) j : (j < n)%nat -> (forall i, (i < n)%nat -> i <> j -> g i = 0) -> sum_below n g = g j.
Proof.
  induction n as [|n IH]; intros J Z; [lia|]. cbn [sum_below]. destruct (Nat.eq_dec j n) as [->|N].
  - rewrite (sum_ext n g (fun _ => 0)), sum_constant; [ring | intros i I; apply Z; lia].
  - rewrite IH, (Z n); try lia; [ring | intros i I Ne; apply Z; lia].
Qed.
Lemma part_at c z n : (Z.abs_nat (z - c) <= n)%nat -> either_side_part c n (exactly z) = f (Z.abs_nat (z - c)).
Proof.
  intros H. unfold either_side_part. destruct (Z.eq_dec z c) as [->|N].
  - rewrite Z.sub_diag. cbn [Z.abs_nat]. rewrite (sum_ext n _ (fun _ => 0)), sum_constant.
    + unfold exactly. destruct (Z.eq_dec c c); [ring | lia].
    + intros j _. unfold exactly. destruct (Z.eq_dec (c + Z.of_nat (S j)) c), (Z.eq_dec (c - Z.of_nat (S j)) c); try lia. ring.
  - replace (exactly z c) with 0 by (unfold exactly; destruct (Z.eq_dec c z); [lia | reflexivity]).
    rewrite (one_term n _ (Z.abs_nat (z - c) - 1)) by (try lia; intros i I Ne; unfold exactly; destruct (Z.eq_dec (c + Z.of_nat (S i)) z), (Z.eq_dec (c - Z.of_nat (S i)) z); try lia; ring).
    replace (S (Z.abs_nat (z - c) - 1)) with (Z.abs_nat (z - c)) by lia. unfold exactly.
    destruct (Z.eq_dec (c + Z.of_nat (Z.abs_nat (z - c))) z), (Z.eq_dec (c - Z.of_nat (Z.abs_nat (z - c))) z); try lia; ring.
Qed.
Lemma either_side_mass c z : either_side c (exactly z) = f (Z.abs_nat (z - c)).
Proof.
  apply (UL_sequence (fun n => either_side_part c n (exactly z))); [apply limit_is, exactly_event|].
  intros e He. exists (Z.abs_nat (z - c)). intros n N. rewrite part_at by lia. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. exact He.
Qed.
Lemma either_side_measure c : measure (either_side c).
Proof. apply limit_measure. Qed.
End EitherSide.

Section Geometric.
Variable a : R.
Hypothesis ratio : 0 < a < 1.
Definition of_ratio (j : nat) : R := (1 - a) / (1 + a) * a ^ j.
Lemma of_ratio_positive j : 0 <= of_ratio j.
Proof. apply Rmult_le_pos; [left; apply Rdiv_lt_0_compat | apply pow_le]; lra. Qed.
Lemma of_ratio_total : Un_cv (fun n => of_ratio O + 2 * sum_below n (fun j => of_ratio (S j))) 1.
Proof.
  assert (L : Un_cv (fun n => 1 - 2 * a / (1 + a) * a ^ n) (1 - 2 * a / (1 + a) * 0)).
  { apply (CV_minus (fun _ => 1)); [apply limit_constant | apply limit_scaled, powers_vanish; lra]. }
  rewrite Rmult_0_r, Rminus_0_r in L. revert L. apply Un_cv_ext. intros n. unfold of_ratio.
  induction n as [|n IH]; [cbn; field; lra|]. cbn [sum_below]. rewrite Rmult_plus_distr_l, <- Rplus_assoc, <- IH. cbn [pow]. field. lra.
Qed.
Definition two_sided : Z -> law Z := either_side of_ratio of_ratio_positive of_ratio_total.
Lemma two_sided_is_geometric : noise_of_ratio a two_sided.
Proof. intros c. split; [apply either_side_measure|]. split; [apply either_side_total|]. intros z. apply either_side_mass. Qed.
End Geometric.
Definition half_sided (c : Z) : law Z := two_sided (/ 2) ltac:(lra) c.
Lemma half_is_geometric : noise_of_ratio (/ 2) half_sided.
Proof. apply two_sided_is_geometric. Qed.
Lemma two_sided_exists a : 0 < a < 1 -> exists N, noise_of_ratio a N.
Proof. intros H. exists (two_sided a H). apply two_sided_is_geometric. Qed.
(* The sums of a discrete Gaussian's weights are below those of a geometric series. *)
Section Gaussian.
Variable variance : R.
Hypothesis positive_variance : 0 < variance.
Definition bell (j : nat) : R := exp (- (INR j ^ 2 / (2 * variance))).
Lemma bell_positive j : 0 < bell j.
Proof. apply exp_pos. Qed.
Definition bells (n : nat) : R := bell O + 2 * sum_below n (fun j => bell (S j)).
Lemma bells_grow : Un_growing bells.
Proof. intros n. unfold bells. cbn [sum_below]. pose proof (bell_positive (S n)). lra. Qed.
Lemma bells_bounded : has_ub bells.
Proof.
  set (a := exp (- (1 / (2 * variance)))). assert (H : 0 < 1 / (2 * variance)) by (apply Rdiv_lt_0_compat; lra).
  assert (A : 0 < a < 1) by (split; [apply exp_pos | rewrite <- exp_0; apply exp_increasing; lra]).
  assert (Near : forall j, bell j <= a ^ j).
  { intros j. unfold bell, a. rewrite <- exp_pow. apply exp_le. assert (INR j <= INR j ^ 2).
    { destruct j as [|j]; [cbn; lra|]. pose proof (pos_INR j). rewrite S_INR. nra. }
    unfold Rdiv in *. nra. }
  assert (Part : forall n, sum_below n (fun j => bell (S j)) <= a / (1 - a) * (1 - a ^ n)).
  { induction n as [|n IH]; [cbn; lra|]. cbn [sum_below]. pose proof (Near (S n)).
    replace (a / (1 - a) * (1 - a ^ S n)) with (a / (1 - a) * (1 - a ^ n) + a ^ S n) by (cbn [pow]; field; lra). lra. }
  exists (bell O + 2 * (a / (1 - a))). intros x [n ->]. unfold bells. pose proof (Part n). assert (0 < a ^ n) by (apply pow_lt; lra).
  assert (0 < a / (1 - a)) by (apply Rdiv_lt_0_compat; lra). nra.
Qed.
Definition all_bells : R := proj1_sig (growing_cv bells bells_grow bells_bounded).
Lemma bells_converge : Un_cv bells all_bells.
Proof. unfold all_bells. destruct (growing_cv bells bells_grow bells_bounded). assumption. Qed.
Lemma all_bells_positive : 0 < all_bells.
Proof.
  apply Rlt_le_trans with (bells O); [|apply (growing_ineq bells all_bells bells_grow bells_converge)].
  unfold bells. cbn [sum_below]. pose proof (bell_positive O). lra.
Qed.
Definition part_of_bells (j : nat) : R := / all_bells * bell j.
Lemma part_positive j : 0 <= part_of_bells j.
Proof. apply Rmult_le_pos; left; [apply Rinv_0_lt_compat, all_bells_positive | apply bell_positive]. Qed.
Lemma parts_total : Un_cv (fun n => part_of_bells O + 2 * sum_below n (fun j => part_of_bells (S j))) 1.
Proof.
  pose proof all_bells_positive. pose proof (limit_scaled (/ all_bells) _ _ bells_converge) as X. rewrite Rinv_l in X by lra.
  revert X. apply Un_cv_ext. intros n. unfold bells, part_of_bells. rewrite sum_scale. ring.
Qed.
Definition gaussian : Z -> law Z := either_side part_of_bells part_positive parts_total.
Lemma gaussian_is_noise : gaussian_noise variance gaussian.
Proof.
  exists (/ all_bells). split; [apply Rinv_0_lt_compat, all_bells_positive|]. intros c.
  split; [apply either_side_measure|]. split; [apply either_side_total|]. intros z. unfold gaussian. rewrite either_side_mass.
  unfold part_of_bells, bell. do 3 f_equal. rewrite INR_IZR_INZ, Zabs2Nat.id_abs, abs_IZR, pow2_abs. reflexivity.
Qed.
End Gaussian.
Definition wide (c : Z) : law Z := gaussian 18 ltac:(lra) c.
Lemma wide_is_gaussian : gaussian_noise 18 wide.
Proof. apply gaussian_is_noise. Qed.
