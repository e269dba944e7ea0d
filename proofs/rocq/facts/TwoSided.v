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

(* The part of the numbers within n of c. *)
Section Geometric.
Variable a : R.
Hypothesis ratio : 0 < a < 1.
Let w := (1 - a) / (1 + a).
Definition two_sided_part (c : Z) (n : nat) : law Z := fun u =>
  (1 - a) / (1 + a) * u c + sum_below n (fun j => (1 - a) / (1 + a) * a ^ S j * (u (c + Z.of_nat (S j))%Z + u (c - Z.of_nat (S j))%Z)).
Lemma w_positive : 0 < w.
Proof. unfold w. apply Rdiv_lt_0_compat; lra. Qed.
Lemma two_sided_weight j : 0 < w * a ^ S j.
Proof. apply Rmult_lt_0_compat; [apply w_positive | apply pow_lt; lra]. Qed.
Lemma part_mass c n : two_sided_part c n (fun _ => 1) = 1 - 2 * a ^ S n / (1 + a).
Proof.
  unfold two_sided_part. induction n as [|n IH]; [cbn; field; lra|]. cbn [sum_below]. rewrite <- Rplus_assoc, IH. cbn [pow]. field. lra.
Qed.
Lemma two_sided_finite c n : finite (two_sided_part c n).
Proof.
  pose proof w_positive. split.
  - intros u v. unfold two_sided_part. rewrite (sum_ext n (fun j => _ * (u _ + v _ + (u _ + v _)))
      (fun j => (1 - a) / (1 + a) * a ^ S j * (u (c + Z.of_nat (S j))%Z + u (c - Z.of_nat (S j))%Z) + (1 - a) / (1 + a) * a ^ S j * (v (c + Z.of_nat (S j))%Z + v (c - Z.of_nat (S j))%Z))) by (intros; ring).
    rewrite sum_plus. ring.
  - intros k u. unfold two_sided_part. rewrite (sum_ext n (fun j => _ * (k * u _ + k * u _)) (fun j => k * ((1 - a) / (1 + a) * a ^ S j * (u (c + Z.of_nat (S j))%Z + u (c - Z.of_nat (S j))%Z)))) by (intros; ring).
    rewrite sum_scale. ring.
  - intros u v L. unfold two_sided_part. fold w. apply Rplus_le_compat; [apply Rmult_le_compat_l; [lra | apply L]|]. apply sum_le. intros j _.
    apply Rmult_le_compat_l; [left; apply two_sided_weight | apply Rplus_le_compat; apply L].
  - rewrite part_mass. assert (0 < a ^ S n) by (apply pow_lt; lra). assert (0 < 2 * a ^ S n / (1 + a)) by (apply Rdiv_lt_0_compat; lra). lra.
  - intros u v L. unfold two_sided_part. apply (CV_plus (fun k => (1 - a) / (1 + a) * u k c)); [apply limit_scaled, L|].
    apply sum_limit. intros j. apply limit_scaled. apply CV_plus; apply L.
Qed.
Lemma two_sided_rises c n u : event u -> two_sided_part c n u <= two_sided_part c (S n) u.
Proof.
  intros U. unfold two_sided_part. cbn [sum_below]. fold w. pose proof (two_sided_weight n) as W. destruct (U (c + Z.of_nat (S n))%Z), (U (c - Z.of_nat (S n))%Z).
  assert (0 <= w * a ^ S n * (u (c + Z.of_nat (S n))%Z + u (c - Z.of_nat (S n))%Z)) by (apply Rmult_le_pos; lra). lra.
Qed.
Definition two_sided (c : Z) : law Z := limit_of_finite (two_sided_part c) (two_sided_finite c) (two_sided_rises c).
Lemma masses_converge : Un_cv (fun n => 1 - 2 * a ^ S n / (1 + a)) 1.
Proof.
  assert (L : Un_cv (fun n => 1 - 2 * a / (1 + a) * a ^ n) (1 - 2 * a / (1 + a) * 0)).
  { apply (CV_minus (fun _ => 1)); [apply limit_constant | apply limit_scaled, powers_vanish; lra]. }
  rewrite Rmult_0_r, Rminus_0_r in L. revert L. apply Un_cv_ext. intros n. cbn [pow]. field. lra.
Qed.
Lemma two_sided_total c : total (two_sided c).
Proof.
  apply (UL_sequence (fun n => two_sided_part c n (fun _ => 1))); [apply limit_is, one_is_event|].
  intros e He. destruct (masses_converge e He) as [n H]. exists n. intros k K. rewrite part_mass. apply H. exact K.
Qed.
Lemma one_term n (f : nat -> R) j : (j < n)%nat -> (forall i, (i < n)%nat -> i <> j -> f i = 0) -> sum_below n f = f j.
Proof.
  induction n as [|n IH]; intros J Z; [lia|]. cbn [sum_below]. destruct (Nat.eq_dec j n) as [->|N].
  - rewrite (sum_ext n f (fun _ => 0)), sum_constant; [ring | intros i I; apply Z; lia].
  - rewrite IH, (Z n); try lia; [ring | intros i I Ne; apply Z; lia].
Qed.
Lemma part_at c z n : (Z.abs_nat (z - c) <= n)%nat -> two_sided_part c n (exactly z) = w * a ^ Z.abs_nat (z - c).
Proof.
  intros H. unfold two_sided_part. fold w. destruct (Z.eq_dec z c) as [->|N].
  - rewrite Z.sub_diag. cbn [Z.abs_nat pow]. rewrite (sum_ext n _ (fun _ => 0)), sum_constant.
    + unfold exactly. destruct (Z.eq_dec c c); [ring | lia].
    + intros j _. unfold exactly. destruct (Z.eq_dec (c + Z.of_nat (S j)) c), (Z.eq_dec (c - Z.of_nat (S j)) c); try lia. ring.
  - replace (exactly z c) with 0 by (unfold exactly; destruct (Z.eq_dec c z); [lia | reflexivity]).
    rewrite (one_term n _ (Z.abs_nat (z - c) - 1)) by (try lia; intros i I Ne; unfold exactly; destruct (Z.eq_dec (c + Z.of_nat (S i)) z), (Z.eq_dec (c - Z.of_nat (S i)) z); try lia; ring).
    replace (S (Z.abs_nat (z - c) - 1)) with (Z.abs_nat (z - c)) by lia. unfold exactly.
    destruct (Z.eq_dec (c + Z.of_nat (Z.abs_nat (z - c))) z), (Z.eq_dec (c - Z.of_nat (Z.abs_nat (z - c))) z); try lia; ring.
Qed.
Lemma two_sided_is_geometric : noise_of_ratio a two_sided.
Proof.
  intros c. split; [apply limit_measure|]. split; [apply two_sided_total|]. intros z. fold w.
  apply (UL_sequence (fun n => two_sided_part c n (exactly z))); [apply limit_is, exactly_event|].
  intros e He. exists (Z.abs_nat (z - c)). intros n N. rewrite part_at by lia. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. exact He.
Qed.
End Geometric.
Definition half_sided (c : Z) : law Z := two_sided (/ 2) ltac:(lra) c.
Lemma half_is_geometric : noise_of_ratio (/ 2) half_sided.
Proof. apply two_sided_is_geometric. Qed.
Lemma two_sided_exists a : 0 < a < 1 -> exists N, noise_of_ratio a N.
Proof. intros H. exists (two_sided a H). apply two_sided_is_geometric. Qed.
