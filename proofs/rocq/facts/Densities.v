(* Private weighted sampling, Algorithm 5: its two breakpoints exist, and give the rows of Values.v on all cells. *)
From Coq Require Import Reals Arith Lra Lia.
From DP.definitions Require Import Laws Keys Values.
From DP.facts Require Import Laws.
From DP.facts Require Import Keys.
From DP.facts Require Import Values.
Open Scope R_scope.

(* One step, from a mass G up to each place that rises and moves slowly. *)
Section Breakpoints.
Variables (E d x y L m : R) (G : R -> R).
Hypothesis close : step_close E d x y.
Hypothesis small : d <= 1.
Hypothesis starts : G 0 = 0.
Hypothesis ends : G m = x.
Hypothesis long : 0 <= m.
Hypothesis rises : forall z w, 0 <= z <= w -> w <= m -> 0 <= G w - G z <= L * (w - z).
Let K := least_mass E d x y.
Let T := next_mass E d x y.
Let g := silence E x y.
Lemma mass_within z : 0 <= z <= m -> 0 <= G z <= x.
Proof. intros H. pose proof (rises 0 z ltac:(lra) ltac:(lra)). pose proof (rises z m ltac:(lra) ltac:(lra)). lra. Qed.
Lemma idle_mass z : silence E x y + (G z - d) / E <= 0 <-> G z <= d - E * g.
Proof.
  destruct (step_parts E d x y close) as (HE & _). pose proof (quotient_times E (G z - d) HE) as Q. fold g. split; intros H; nra.
Qed.
Lemma slope_positive_bound : exists M, 0 < M /\ forall z w, 0 <= z <= w -> w <= m -> 0 <= G w - G z <= M * (w - z).
Proof.
  exists (Rmax 1 L). split; [pose proof (Rmax_l 1 L); lra|]. intros z w Z W. pose proof (rises z w Z W). pose proof (Rmax_r 1 L).
  assert (L * (w - z) <= Rmax 1 L * (w - z)) by (apply Rmult_le_compat_r; lra). lra.
Qed.
(* The last place at which a slowly rising mass is at most a bound. *)
Lemma last_place v : 0 <= v -> exists b, 0 <= b <= m /\ G b <= v /\ forall z, b < z <= m -> v < G z.
Proof.
  intros V. destruct slope_positive_bound as (M & MP & R1). set (P := fun z => 0 <= z <= m /\ G z <= v).
  destruct (completeness P) as [b [Up Least]].
  - exists m. intros z [Z _]. lra.
  - exists 0. split; [lra | rewrite starts; exact V].
  - assert (B0 : 0 <= b) by (apply Up; split; [lra | rewrite starts; exact V]).
    assert (Bm : b <= m) by (apply Least; intros z [Z _]; lra). exists b. split; [lra|]. split.
    + apply Rnot_lt_le. intros H. set (e := (G b - v) / M). assert (EP : 0 < e) by (apply Rdiv_lt_0_compat; lra).
      assert (H0 : b <= b - Rmin b e); [|assert (b = 0 \/ 0 < b) as [Z|Z] by lra; [rewrite Z, starts in H; lra | unfold Rmin in H0; destruct (Rle_dec b e); lra]].
      apply Least. intros z [Z Gz]. apply Rnot_lt_le. intros W. assert (ZB : z <= b) by (apply Up; split; auto).
      pose proof (R1 z b ltac:(lra) Bm) as D. assert (b - z < e) by (pose proof (Rmin_r b e); lra).
      assert (M * (b - z) < M * e) by (apply Rmult_lt_compat_l; lra). replace (M * e) with (G b - v) in * by (unfold e; field; lra). lra.
    + intros z [Z Zm]. apply Rnot_le_lt. intros W. assert (z <= b) by (apply Up; split; [lra | exact W]). lra.
Qed.
Lemma idle_exists : exists b, last_idle E d x y G m b.
Proof.
  destruct (silence_range E d x y close) as (_ & S & _). destruct (last_place (d - E * g)) as (b & B & H & A); [unfold g; lra|].
  exists b. split; auto. split.
  - intros z Z. apply idle_mass. pose proof (rises z b Z ltac:(lra)). lra.
  - intros z Z. apply Rnot_le_lt. rewrite idle_mass. specialize (A z Z). lra.
Qed.
Lemma idle_at b : last_idle E d x y G m b -> G b <= d - E * g /\ (b < m -> G b = d - E * g).
Proof.
  intros (B & H & A). pose proof (proj1 (idle_mass b) (H b ltac:(lra))) as I. split; auto. intros Bm. apply Rle_antisym; auto.
  apply Rnot_lt_le. intros S. destruct slope_positive_bound as (M & MP & R1). set (e := (d - E * g - G b) / M). assert (EP : 0 < e) by (apply Rdiv_lt_0_compat; lra).
  set (z := b + Rmin e (m - b)). assert (Z : b < z <= m /\ z - b <= e) by (unfold z, Rmin; destruct (Rle_dec e (m - b)); lra).
  specialize (A z (proj1 Z)). apply Rlt_not_le in A. apply A, idle_mass. pose proof (R1 b z ltac:(lra) ltac:(lra)) as D.
  assert (M * (z - b) <= M * e) by (apply Rmult_le_compat_l; lra). replace (M * e) with (d - E * g - G b) in * by (unfold e; field; lra). lra.
Qed.
Lemma low_is_least b z : last_idle E d x y G m b -> 0 <= z <= m -> low_mass E G b z = K (G z).
Proof.
  intros B Z. destruct (step_parts E d x y close) as (HE & _). destruct (idle_at b B) as [I J]. pose proof (least_forms E d x y close (G z)) as F. fold K g in F.
  unfold low_mass. destruct (Rle_dec z b) as [H|H].
  - pose proof (rises z b ltac:(lra) ltac:(destruct B; lra)). rewrite Rmax_left in F by lra. nra.
  - apply Rnot_le_lt in H. rewrite J by lra. pose proof (rises b z ltac:(destruct B; lra) ltac:(lra)). rewrite J in * by lra.
    rewrite Rmax_right in F by lra. pose proof (quotient_times E (G z - (d - E * g)) HE). nra.
Qed.
Lemma switch_exists b : last_idle E d x y G m b -> exists c, switches E d x y G m b c.
Proof.
  intros B. destruct (step_parts E d x y close) as (HE & Hd & Hx & Hxy & Hy & Hr & Hs). destruct slope_positive_bound as (M & MP & R1).
  set (v := y - Rmin y d). set (h := fun z => E * G z - K (G z)).
  assert (Hr1 : forall z w, 0 <= z <= w -> w <= m -> 0 <= h w - h z <= E * M * (w - z)).
  { intros z w Z W. pose proof (R1 z w Z W) as D. pose proof (least_rises E d x y close (G z) (G w - G z) ltac:(lra)) as [P Q].
    replace (G z + (G w - G z)) with (G w) in * by ring. fold K in P, Q. unfold h. split.
    - assert (K (G w) - K (G z) <= E * (G w - G z)) by nra. lra.
    - assert (E * (G w - G z) <= E * (M * (w - z))) by (apply Rmult_le_compat_l; lra). lra. }
  assert (H0 : h 0 = 0). { unfold h. rewrite starts. pose proof (least_at_none E d x y close) as N. fold K in N. rewrite N. ring. }
  (* The greatest place at which E G - K(G) is at most E x - v. *)
  assert (W : 0 <= E * x - v). { unfold v. unfold Rmin. destruct (Rle_dec y d); nra. }
  assert (Hm : E * x - v <= h m). { unfold h, v. rewrite ends. pose proof (least_leaves E d x y close small) as Lv. fold K in Lv. lra. }
  assert (Slow : forall z w, 0 <= z <= w -> w <= m -> 0 <= h w - h z <= E * M * (w - z)) by exact Hr1.
  set (P := fun z => 0 <= z <= m /\ h z <= E * x - v). destruct (completeness P) as [c [Up Least]].
  - exists m. intros z [Z _]. lra.
  - exists 0. split; [lra | rewrite H0; exact W].
  - assert (C0 : 0 <= c) by (apply Up; split; [lra | rewrite H0; exact W]).
    assert (Cm : c <= m) by (apply Least; intros z [Z _]; lra). exists c. split; [lra|]. rewrite (low_is_least b c B) by lra.
    assert (EM : 0 < E * M) by nra. enough (h c = E * x - v) by (unfold h, v in *; lra). apply Rle_antisym.
    + apply Rnot_lt_le. intros H. set (e := (h c - (E * x - v)) / (E * M)). assert (EP : 0 < e) by (apply Rdiv_lt_0_compat; lra).
      assert (Q : c <= c - Rmin c e); [|assert (c = 0 \/ 0 < c) as [Z|Z] by lra; [rewrite Z, H0 in H; lra | unfold Rmin in Q; destruct (Rle_dec c e); lra]].
      apply Least. intros z [Z Gz]. apply Rnot_lt_le. intros V. assert (ZB : z <= c) by (apply Up; split; auto).
      pose proof (Slow z c ltac:(lra) Cm) as D. assert (c - z < e) by (pose proof (Rmin_r c e); lra).
      assert (E * M * (c - z) < E * M * e) by (apply Rmult_lt_compat_l; lra). replace (E * M * e) with (h c - (E * x - v)) in * by (unfold e; field; lra). lra.
    + apply Rnot_lt_le. intros S. assert (c < m) as Lt by (destruct Cm as [Cm|Cm]; [exact Cm | rewrite Cm in S; lra]).
      set (e := (E * x - v - h c) / (E * M)). assert (EP : 0 < e) by (apply Rdiv_lt_0_compat; lra).
      set (z := c + Rmin e (m - c)). assert (Z : c < z <= m /\ z - c <= e) by (unfold z, Rmin; destruct (Rle_dec e (m - c)); lra).
      assert (z <= c); [|lra]. apply Up. split; [lra|]. pose proof (Slow c z ltac:(lra) ltac:(lra)) as D.
      assert (E * M * (z - c) <= E * M * e) by (apply Rmult_le_compat_l; lra). replace (E * M * e) with (E * x - v - h c) in * by (unfold e; field; lra). lra.
Qed.
Lemma switched b c z : last_idle E d x y G m b -> switches E d x y G m b c -> 0 <= z <= m ->
  (if Rle_dec z c then low_mass E G b z else low_mass E G b c + E * (G z - G c)) = T (G z).
Proof.
  intros B [C S] Z. destruct (step_parts E d x y close) as (HE & Hd & Hx & Hxy & Hy & Hr & Hs). rewrite (low_is_least b c B C) in *.
  destruct (mass_within z Z) as [Z0 Z1]. destruct (mass_within c C) as [C0 C1]. pose proof (least_not_negative E d x y (G c)) as KC. fold K in KC.
  unfold T, next_mass. fold K. destruct (Rle_dec z c) as [H|H].
  - rewrite (low_is_least b z B) by auto. pose proof (rises z c ltac:(lra) ltac:(lra)) as D.
    destruct (least_rises E d x y close (G z) (G c - G z) ltac:(lra)) as [P Q]. replace (G z + (G c - G z)) with (G c) in * by ring. fold K in P, Q.
    rewrite Rmax_left; auto. assert (K (G c) - K (G z) <= E * (G c - G z)) by nra. pose proof (Rmin_r y d). nra.
  - apply Rnot_le_lt in H. pose proof (rises c z ltac:(lra) ltac:(lra)) as D.
    destruct (least_rises E d x y close (G c) (G z - G c) ltac:(lra)) as [P Q]. replace (G c + (G z - G c)) with (G z) in * by ring. fold K in P, Q.
    assert (K (G z) - K (G c) <= E * (G z - G c)) by nra. unfold Rmin in S. destruct (Rle_dec y d) as [Y|Y].
    + assert (0 <= E * (x - G c)) by nra. assert (E * (x - G c) = 0) as A by lra. assert (x = G c) as A' by nra.
      assert (G z = G c) as Same by lra. rewrite Same, Rminus_diag_eq, Rmult_0_r, Rplus_0_r by reflexivity. rewrite Rmax_left; nra.
    + rewrite Rmax_right; nra.
Qed.
End Breakpoints.

Section Algorithm5.
Variables (E d : R) (q : nat -> R).
Hypothesis ratio : 1 <= E.
Hypothesis delta : 0 <= d <= 1.
Hypothesis sampling : rising q.
Let pi := reporting E d q.
Let D := algorithm_5_mass E d q.
Lemma density_below m z : z <= INR m -> D (S m) z = next_mass E d (pi m) (pi (S m)) (D m z).
Proof. intros H. unfold D. cbn [algorithm_5_mass]. destruct (Rle_dec z (INR m)); [reflexivity | lra]. Qed.
Lemma density_beyond m z : INR m <= z -> D m (INR m) = pi m -> D (S m) z = pi (S m) - Rmin (pi (S m)) d + Rmin 1 (z - INR m) * Rmin (pi (S m)) d.
Proof.
  intros H M. destruct (Rle_dec z (INR m)) as [L|L].
  - replace z with (INR m) in * by lra. rewrite density_below, M by lra.
    pose proof (new_values E d (pi m) (pi (S m)) (steps_close E d q ratio delta sampling m) ltac:(lra)). replace (INR m - INR m) with 0 by ring. rewrite (Rmin_right 1 0) by lra. lra.
  - unfold D. cbn [algorithm_5_mass]. destruct (Rle_dec z (INR m)); [lra | reflexivity].
Qed.
Lemma density_ends i : forall z, INR i <= z -> D i z = pi i.
Proof.
  induction i as [|m IH]; intros z H; [reflexivity|]. rewrite S_INR in H. rewrite density_beyond by (try apply IH; lra).
  rewrite (Rmin_left 1) by lra. ring.
Qed.
Lemma density_starts i : D i 0 = 0.
Proof.
  induction i as [|m IH]; [reflexivity|]. rewrite density_below, IH by apply pos_INR. apply next_at_none. apply (steps_close E d q ratio delta sampling m).
Qed.
Lemma power_grows m : E ^ m <= E ^ S m /\ 1 <= E ^ m.
Proof. pose proof (pow_R1_Rle E m ratio). cbn [pow]. split; nra. Qed.
Lemma density_slow i : forall z w, 0 <= z <= w -> 0 <= D i w - D i z <= E ^ i * (w - z).
Proof.
  induction i as [|m IH]; intros z w H; [unfold D; cbn [algorithm_5_mass pow]; lra|].
  pose proof (steps_close E d q ratio delta sampling m) as St. destruct (power_grows m) as [P1 P2]. set (M := D m) in *.
  assert (Below : forall a b, 0 <= a <= b -> b <= INR m -> 0 <= D (S m) b - D (S m) a <= E ^ S m * (b - a)).
  { intros a b A B. rewrite !density_below by lra. fold M. pose proof (IH a b A) as I.
    destruct (next_rises E d (pi m) (pi (S m)) St (M a) (M b - M a) ltac:(lra)) as [R1 R2]. replace (M a + (M b - M a)) with (M b) in * by ring.
    cbn [pow]. split; [lra|]. assert (E * (M b - M a) <= E * (E ^ m * (b - a))) by (apply Rmult_le_compat_l; lra). lra. }
  assert (Beyond : forall a b, INR m <= a <= b -> 0 <= D (S m) b - D (S m) a <= E ^ S m * (b - a)).
  { intros a b A. rewrite !density_beyond by (try apply density_ends; lra). set (k := Rmin (pi (S m)) d).
    assert (K0 : 0 <= k <= 1). { destruct (reporting_grows E d q ratio delta sampling (S m)) as [[X _] X']. fold pi in X, X'. unfold k, Rmin. destruct (Rle_dec (pi (S m)) d); lra. }
    assert (I : 0 <= Rmin 1 (b - INR m) - Rmin 1 (a - INR m) <= b - a) by (unfold Rmin; destruct (Rle_dec 1 (b - INR m)), (Rle_dec 1 (a - INR m)); lra).
    set (u := Rmin 1 (b - INR m)) in *. set (v := Rmin 1 (a - INR m)) in *. assert (0 <= (u - v) * k <= u - v) by (split; nra).
    assert (b - a <= E ^ S m * (b - a)) by nra. split; nra. }
  destruct (Rle_dec w (INR m)); [apply Below; lra|]. destruct (Rle_dec (INR m) z); [apply Beyond; lra|].
  pose proof (Below z (INR m) ltac:(lra) ltac:(lra)). pose proof (Beyond (INR m) w ltac:(lra)). lra.
Qed.
Lemma breakpoints_exist m : exists b c, last_idle E d (pi m) (pi (S m)) (D m) (INR m) b /\ switches E d (pi m) (pi (S m)) (D m) (INR m) b c.
Proof.
  assert (Sl : forall z w, 0 <= z <= w -> w <= INR m -> 0 <= D m w - D m z <= E ^ m * (w - z)) by (intros; apply density_slow; auto).
  pose proof (steps_close E d q ratio delta sampling m) as St. pose proof (density_ends m (INR m) (Rle_refl _)) as En. pose proof (density_starts m) as Be.
  destruct (idle_exists E d (pi m) (pi (S m)) (E ^ m) (INR m) (D m) St Be (pos_INR m) Sl) as [b B]. exists b.
  destruct (switch_exists E d (pi m) (pi (S m)) (E ^ m) (INR m) (D m) St ltac:(lra) Be En (pos_INR m) Sl b B) as [c C]. exists c. auto.
Qed.
Lemma breakpoints_give m b c z : last_idle E d (pi m) (pi (S m)) (D m) (INR m) b -> switches E d (pi m) (pi (S m)) (D m) (INR m) b c -> 0 <= z <= INR m ->
  D (S m) z = if Rle_dec z c then low_mass E (D m) b z else low_mass E (D m) b c + E * (D m z - D m c).
Proof.
  intros B C Z. rewrite density_below by lra. symmetry.
  apply (switched E d (pi m) (pi (S m)) (E ^ m) (INR m) (D m)); auto using density_starts, pos_INR; try apply density_ends; try lra.
  - apply (steps_close E d q ratio delta sampling m).
  - intros; apply density_slow; auto.
Qed.
(* Below c the density is at most 1/E of the one before, from c on E times it. *)
Lemma density_ratios m b c z w : last_idle E d (pi m) (pi (S m)) (D m) (INR m) b -> switches E d (pi m) (pi (S m)) (D m) (INR m) b c -> 0 <= z <= w -> w <= INR m ->
  (w <= c -> E * (D (S m) w - D (S m) z) <= D m w - D m z) /\ (c <= z -> D (S m) w - D (S m) z = E * (D m w - D m z)).
Proof.
  intros B C Z W. pose proof (steps_close E d q ratio delta sampling m) as St. pose proof (density_slow m z w Z) as Sl.
  assert (Lo : forall v, 0 <= v <= INR m -> low_mass E (D m) b v = least_mass E d (pi m) (pi (S m)) (D m v)).
  { intros v V. apply (low_is_least E d (pi m) (pi (S m)) (E ^ m) (INR m)); auto. intros; apply density_slow; auto. }
  rewrite (breakpoints_give m b c z B C), (breakpoints_give m b c w B C) by lra. split; intros H.
  - destruct (Rle_dec w c), (Rle_dec z c); try lra. rewrite !Lo by lra.
    destruct (least_rises E d (pi m) (pi (S m)) St (D m z) (D m w - D m z) ltac:(lra)) as [_ R1]. replace (D m z + (D m w - D m z)) with (D m w) in R1 by ring. lra.
  - destruct (Rle_dec w c) as [P|P], (Rle_dec z c) as [Q|Q]; try lra.
    + replace w with z by lra. ring.
    + replace z with c by lra. ring.
Qed.
Lemma below_switch m b c z : last_idle E d (pi m) (pi (S m)) (D m) (INR m) b -> switches E d (pi m) (pi (S m)) (D m) (INR m) b c -> 0 <= z <= c ->
  D (S m) z = least_mass E d (pi m) (pi (S m)) (D m z).
Proof.
  intros B C Z. assert (Cm : c <= INR m) by apply C. rewrite (breakpoints_give m b c z B C) by lra. destruct (Rle_dec z c); [|lra].
  apply (low_is_least E d (pi m) (pi (S m)) (E ^ m) (INR m)); auto; try lra; [apply (steps_close E d q ratio delta sampling m) | intros; apply density_slow; auto].
Qed.
Lemma newest_piece m s : 0 <= s <= 1 -> D (S m) (INR m + s) - D (S m) (INR m) = s * Rmin (pi (S m)) d.
Proof.
  intros H. rewrite !density_beyond by (try apply density_ends; lra). replace (INR m + s - INR m) with s by ring. replace (INR m - INR m) with 0 by ring.
  rewrite (Rmin_right 1 s), (Rmin_right 1 0) by lra. ring.
Qed.
(* Any cells, with ends that rise from 0 beyond n. *)
Lemma algorithm_5_follows n N (Z : nat -> R) : Z O = 0 -> (forall k, (k < N)%nat -> Z k <= Z (S k)) -> INR n <= Z N ->
  rows_follow E d q n N (fun i k => D i (Z k)) (spread_evenly E d q Z).
Proof.
  intros Z0 Zr Zn. split; [reflexivity|]. intros i I.
  assert (Mono : forall k, (k <= N)%nat -> 0 <= Z k).
  { induction k as [|k IH]; intros H; [rewrite Z0; lra|]. pose proof (Zr k ltac:(lia)). specialize (IH ltac:(lia)). lra. }
  assert (Y : 0 <= Rmin (pi (S i)) d).
  { destruct (reporting_grows E d q ratio delta sampling (S i)) as [[X _] _]. fold pi in X. apply Rmin_glb; lra. }
  pose proof (new_values E d (pi i) (pi (S i)) (steps_close E d q ratio delta sampling i) ltac:(lra)) as New. assert (I' : INR (S i) <= INR n) by (apply le_INR; lia). rewrite S_INR in I'.
  unfold row_follows, spread_evenly. split; [|split; [|split]].
  - rewrite Z0. pose proof (pos_INR i). rewrite (Rmin_right 1 (0 - INR i)), (Rmax_left 0 (0 - INR i)) by lra. ring.
  - intros k K. apply Rmult_le_compat_r; auto. pose proof (Zr k K).
    apply Rmax_lub; [apply Rmax_l|]. apply Rle_trans with (Rmin 1 (Z (S k) - INR i)); [|apply Rmax_r].
    apply Rmin_glb; [apply Rmin_l|]. pose proof (Rmin_r 1 (Z k - INR i)). lra.
  - rewrite (Rmin_left 1 (Z N - INR i)), (Rmax_right 0 1) by lra. fold pi. lra.
  - intros k K. fold pi. destruct (Rle_dec (Z k) (INR i)) as [H|H].
    + rewrite density_below by auto. rewrite (Rmin_right 1 (Z k - INR i)), (Rmax_left 0 (Z k - INR i)) by lra. ring.
    + rewrite density_beyond by (try apply density_ends; lra). rewrite (density_ends i (Z k)) by lra.
      rewrite (Rmax_right 0 (Rmin 1 (Z k - INR i))) by (apply Rmin_glb; lra). lra.
Qed.
End Algorithm5.

(* For examples: of row 0 nothing is left to cut. *)
Lemma no_cut : last_idle 2 (/ 4) (reporting 2 (/ 4) everything 0) (reporting 2 (/ 4) everything 1) (algorithm_5_mass 2 (/ 4) everything 0) (INR 0) 0 /\
  switches 2 (/ 4) (reporting 2 (/ 4) everything 0) (reporting 2 (/ 4) everything 1) (algorithm_5_mass 2 (/ 4) everything 0) (INR 0) 0 0.
Proof.
  assert (P : reporting 2 (/ 4) everything 1 = / 4). { change (Rmin 1 (Rmin (2 * 0 + / 4) (1 + (0 + / 4 - 1) / 2)) = / 4). rewrite (Rmin_left (2 * 0 + / 4)), Rmin_right by lra. lra. }
  rewrite P. unfold last_idle, switches, silence, low_mass. cbn [reporting algorithm_5_mass INR]. repeat split; try lra.
  - intros z Z. rewrite Rmax_left; lra.
  - intros z Z. lra.
  - destruct (Rle_dec 0 0); [|lra]. pose proof (Rmin_left (/ 4) (/ 4) ltac:(lra)). lra.
Qed.
